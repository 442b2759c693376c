package chat

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/httpx"
)

// financeName is the assistant that the names below lead to.
const financeName = "finance"

// serveNames answers at the names that the finance front end knows: one for each
// pipeline, and one that visitors may use, too.
func (h *Handler) serveNames() {
	h.mux.HandleFunc("POST /api/realtime-cfo-agent", h.named("realtime", true))
	h.mux.HandleFunc("POST /api/cfo-agent-api", h.named("api", true))
	h.mux.HandleFunc("POST /api/munimji-agent", h.named("api", false))
}

// named answers as the finance assistant with a pipeline, unless the request
// chooses another. Where streams is true, a client that asks for no form of the
// answer gets named events.
func (h *Handler) named(pipeline string, streams bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		t, err := h.enter(w, r, func(t *turn) ([]byte, error) {
			body, err := t.read(w, r, financeName)
			if err == nil && t.assistant.Offers(pipeline, t.req.Deep) { // visitors have no choice
				t.req.Pipeline = cmp.Or(t.req.Pipeline, pipeline)
			}
			if accept := r.Header.Get("Accept"); streams && (accept == "" || strings.Contains(accept, "*/*")) {
				t.as = asEvents
			}
			return body, err
		})
		if err != nil {
			httpx.Fail(w, r, err)
			return
		}
		h.serve(w, r, t, httpx.Fail)
	}
}
