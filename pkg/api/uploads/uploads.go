// Package uploads has the HTTP handler for files that users give to assistants:
// they say what they have, send it by themselves to the address that they get,
// and learn whether it can be read.
package uploads

import (
	"errors"
	"net/http"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/uploads"
)

// Config is what the function needs; all of it is required but the gate.
type Config struct {
	// Identify returns the caller of a verified token, with the role that the
	// database knows now.
	Identify httpx.Identify
	Service  *uploads.Service
	Now      calendar.Clock
	// Gate bounds how often files are announced and looked at.
	Gate limit.Gate
}

// Handler is the function's HTTP handler.
type Handler struct {
	cfg Config
	mux *http.ServeMux
}

// New returns the handler, or an error that names what is missing.
func New(cfg Config) (*Handler, error) {
	if cfg.Identify == nil || cfg.Service == nil || cfg.Now == nil {
		return nil, errors.New("uploads: identities, a service and a clock are all required")
	}
	h := &Handler{cfg: cfg, mux: http.NewServeMux()}
	h.mux.HandleFunc("POST /api/uploads", h.with(true, h.begin))
	h.mux.HandleFunc("POST /api/upload-attachment", h.with(true, h.begin)) // the finance front end's name of it
	h.mux.HandleFunc("POST /api/uploads/{id}/complete", h.with(true, h.complete))
	h.mux.HandleFunc("GET /api/uploads/{id}", h.with(false, h.get))
	h.mux.HandleFunc("DELETE /api/uploads/{id}", h.with(false, h.remove))
	h.mux.HandleFunc("/", httpx.Otherwise(h.mux, httpx.Fail))
	return h, nil
}

// ServeHTTP answers below /api/uploads.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.mux.ServeHTTP(w, r) }

// with says who asks, counts what costs something, and answers errors.
func (h *Handler) with(counted bool, do func(http.ResponseWriter, *http.Request,
	identity.Caller) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		by, err := httpx.Caller(r, h.cfg.Identify)
		if err == nil && counted {
			err = h.cfg.Gate.Admit(r.Context(), by)
		}
		if err == nil {
			err = do(w, r, by)
		}
		if err != nil {
			httpx.Fail(w, r, err)
		}
	}
}

// announced is what a client says of a file.
type announced struct {
	Name    string          `json:"name"`
	Type    string          `json:"type"`
	Size    int64           `json:"size"`
	Purpose uploads.Purpose `json:"purpose"`
}

// file is what clients are told of a file.
type file struct {
	ID      string          `json:"id"`
	URL     string          `json:"url"` // by which a chat message names it
	Name    string          `json:"name"`
	Type    string          `json:"type"`
	Kind    uploads.Kind    `json:"kind"`
	Size    int64           `json:"size"`
	State   uploads.State   `json:"state"`
	Reason  string          `json:"reason,omitempty"`
	What    string          `json:"what"` // "PDF file, 3 pages"
	Facts   uploads.Facts   `json:"facts"`
	Purpose uploads.Purpose `json:"purpose"`
	// ExpiresAt is left out for a photo that a project has.
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
	// Download is an address that gives the file away for some minutes.
	Download *download `json:"download,omitempty"`
}

// download is where a file can be fetched, and until when.
type download struct {
	URL       string    `json:"url"`
	ExpiresAt time.Time `json:"expiresAt"`
}

// begun is a file that is waited for, and how to send it.
type begun struct {
	file
	UploadURL string            `json:"uploadUrl"`
	Method    string            `json:"method"`
	Headers   map[string]string `json:"headers"`
	Token     string            `json:"token"` // of UploadURL, for clients of the file store
	MaxBytes  int64             `json:"maxBytes"`
}

func shown(f uploads.File) file {
	return file{
		ID: f.ID, URL: "/api/uploads/" + f.ID, Name: f.Name, Type: f.Type, Kind: f.Kind, Size: f.Size,
		State: f.State, Reason: f.Reason, What: f.Describe(), Facts: f.Facts, Purpose: f.Purpose,
		ExpiresAt: f.ExpiresAt,
	}
}

func (h *Handler) begin(w http.ResponseWriter, r *http.Request, by identity.Caller) error {
	var in announced
	if _, err := httpx.ReadJSON(w, r, &in); err != nil {
		return err
	}
	draft, err := uploads.Ask(in.Name, in.Type, in.Size, in.Purpose)
	if err != nil {
		return err
	}
	f, address, token, err := h.cfg.Service.Begin(r.Context(), by, draft)
	if err != nil {
		return err
	}
	httpx.JSON(w, http.StatusCreated, begun{
		file: shown(f), UploadURL: address, Method: http.MethodPut,
		Headers: map[string]string{"Content-Type": draft.Type},
		Token:   token, MaxBytes: draft.MaxBytes(),
	})
	return nil
}

func (h *Handler) complete(w http.ResponseWriter, r *http.Request, by identity.Caller) error {
	f, err := h.cfg.Service.Complete(r.Context(), by, r.PathValue("id"))
	if err != nil {
		return err
	}
	httpx.JSON(w, http.StatusOK, shown(f))
	return nil
}

// get says how far a file is, and with ?link=1 where it can be fetched.
func (h *Handler) get(w http.ResponseWriter, r *http.Request, by identity.Caller) error {
	f, err := h.cfg.Service.Get(r.Context(), by, r.PathValue("id"))
	if err != nil {
		return err
	}
	out := shown(f)
	if r.URL.Query().Get("link") == "1" && f.State == uploads.Ready {
		address, life, err := h.cfg.Service.Link(r.Context(), by, f)
		if err != nil {
			return err
		}
		out.Download = &download{address, h.cfg.Now().Add(life)}
	}
	httpx.JSON(w, http.StatusOK, out)
	return nil
}

func (h *Handler) remove(w http.ResponseWriter, r *http.Request, by identity.Caller) error {
	if err := h.cfg.Service.Delete(r.Context(), by, r.PathValue("id")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
