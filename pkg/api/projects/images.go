package projects

import (
	"net/http"
	"strconv"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// attaching is the body that adds photos.
type attaching struct {
	Uploads []string `json:"uploads"`
}

// maxAttached bounds the ids of one request, of which some may be there already or
// stand twice.
const maxAttached = 4 * projects.MaxImages

func (h *Handler) attach(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	var in attaching
	if err := read(w, r, &in); err != nil {
		return 0, nil, err
	}
	if n := len(in.Uploads); n == 0 {
		return 0, nil, fault.New(fault.Invalid, "Name the uploads that are to be photos of the project.")
	} else if n > maxAttached {
		return 0, nil, fault.New(fault.Conflict, "A project has at most %d photos.", projects.MaxImages).
			WithCode("too_many_images")
	}
	p, err := h.cfg.Store.Attach(r.Context(), by, r.PathValue("code"), in.Uploads)
	return h.changed(w, r, by, p, err)
}

// arrangement is the body that changes how photos are shown.
type arrangement struct {
	Version int                    `json:"version"`
	Order   *[]string              `json:"order"`
	Hero    *string                `json:"hero"`
	Photos  []projects.PhotoChange `json:"photos"`
}

func (h *Handler) arrange(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	var in arrangement
	if err := read(w, r, &in); err != nil {
		return 0, nil, err
	}
	version, err := versionOf(r, in.Version)
	if err != nil {
		return 0, nil, err
	}
	p, err := h.cfg.Store.Update(r.Context(), by, r.PathValue("code"), version,
		projects.Changes{Order: in.Order, Hero: in.Hero, Photos: in.Photos})
	return h.changed(w, r, by, p, err)
}

// remove takes a photo out; an undo brings it back.
func (h *Handler) remove(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	version, err := versionOf(r, 0)
	if err != nil {
		return 0, nil, err
	}
	p, err := h.cfg.Store.Update(r.Context(), by, r.PathValue("code"), version,
		projects.Changes{Remove: []string{r.PathValue("id")}})
	return h.changed(w, r, by, p, err)
}

// link is where a photo can be fetched, and for how many seconds.
type link struct {
	URL       string `json:"url"`
	ExpiresIn int    `json:"expiresIn"`
}

const (
	usualWidth  = 960 // pixels, of a request that names none
	maxWidth    = 10000
	linkReserve = 30 * time.Second // that an address must still be good for when a cache gives it away
)

// photo tells where a photo can be fetched, or leads there.
func (h *Handler) photo(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	query := r.URL.Query()
	width := usualWidth
	if text := query.Get("width"); text != "" {
		var err error
		if width, err = strconv.Atoi(text); err != nil || width < 1 || width > maxWidth {
			return 0, nil, fault.New(fault.Invalid, "%q must be a number from 1 to %d.", "width", maxWidth)
		}
	}
	address, life, err := h.cfg.Store.PhotoLink(r.Context(), by, r.PathValue("code"), r.PathValue("id"), width)
	if err != nil {
		return 0, nil, err
	}
	if query.Get("redirect") != "1" {
		return http.StatusOK, link{address, int(life.Seconds())}, nil
	}
	w.Header().Set("Cache-Control", "private, max-age="+strconv.Itoa(int(max(0, life-linkReserve).Seconds())))
	w.Header().Set("Vary", "Authorization")
	w.Header().Set("Location", address)
	w.WriteHeader(http.StatusFound)
	return 0, nil, nil
}
