package travel

import (
	"errors"
	"io"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
)

// HooksConfig is what webhooks of the supplier of flights and stays need; all of it is
// required.
type HooksConfig struct {
	// Verify returns nil where the headers hold the supplier's signature of the exact
	// bytes of the body.
	Verify func(header http.Header, body []byte) error
	// Read returns what a genuine body tells of a booking; it reports false for one that
	// tells nothing of any.
	Read    func(body []byte) (bookings.Notice, bool, error)
	Notices bookings.Notices
}

// Hooks is the HTTP handler for webhooks of the supplier. No user is behind them.
type Hooks struct {
	cfg HooksConfig
	mux *http.ServeMux
}

// maxHook is how many bytes a webhook may have.
const maxHook = 1 << 20

// NewHooks returns the handler, or an error that names what is missing.
func NewHooks(cfg HooksConfig) (*Hooks, error) {
	if cfg.Verify == nil || cfg.Read == nil || cfg.Notices == nil {
		return nil, errors.New("travel: webhooks need a signature's check, a reader and a store of notices")
	}
	h := &Hooks{cfg: cfg, mux: http.NewServeMux()}
	h.mux.HandleFunc("POST /api/webhooks/duffel", h.duffel)
	h.mux.HandleFunc("/", httpx.Otherwise(h.mux, httpx.Fail))
	return h, nil
}

// ServeHTTP answers at /api/webhooks/duffel.
func (h *Hooks) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.mux.ServeHTTP(w, r) }

// noticeAnswer says what came of a webhook.
type noticeAnswer struct {
	Status string `json:"status"` // taken; ignored: it came before, or concerns no booking of ours
}

func (h *Hooks) duffel(w http.ResponseWriter, r *http.Request) {
	taken, err := h.take(w, r)
	switch {
	case err != nil:
		httpx.Fail(w, r, err)
	case taken:
		httpx.JSON(w, http.StatusOK, noticeAnswer{"taken"})
	default:
		httpx.JSON(w, http.StatusOK, noticeAnswer{"ignored"})
	}
}

func (h *Hooks) take(w http.ResponseWriter, r *http.Request) (bool, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxHook))
	if err != nil {
		if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
			f := fault.New(fault.TooLarge, "The request is larger than %d bytes.", maxHook)
			f.Limit = "body_bytes"
			return false, f
		}
		return false, httpx.Unread(err)
	}
	if err := h.cfg.Verify(r.Header, body); err != nil {
		return false, fault.Wrap(fault.Unauthorized, err, "This request is not genuine.").WithCode("bad_signature")
	}
	n, ok, err := h.cfg.Read(body)
	if err != nil {
		return false, fault.Wrap(fault.Invalid, err, "The request's body is not the JSON that this address takes.")
	}
	if !ok {
		return false, nil // the supplier adds types, and would send them again for days
	}
	return h.cfg.Notices.Take(r.Context(), n)
}
