package export

import (
	"cmp"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
)

// chatBody is the body of the finance front end: a kept conversation by its id, or
// messages as at /api/export.
type chatBody struct {
	request
	ConversationID string `json:"conversationId"`
	Format         string `json:"format"`
}

// chat answers at the name that the finance front end knows.
func (h *Handler) chat(w http.ResponseWriter, r *http.Request) {
	f, err := h.openChat(w, r)
	h.send(w, r, f, err)
}

func (h *Handler) openChat(w http.ResponseWriter, r *http.Request) (file, error) {
	by, err := h.admit(r)
	if err != nil {
		return file{}, err
	}
	var body chatBody
	if _, err := httpx.ReadJSON(w, r, &body); err != nil {
		return file{}, err
	}
	name := cmp.Or(r.URL.Query().Get("format"), body.Format, "md")
	format, err := documentFormat(name)
	if err != nil {
		return file{}, err
	}
	if body.ConversationID == "" || len(body.messages()) > 0 {
		body.Assistant = cmp.Or(body.Assistant, "finance")
		return h.file(by, body.request, name, format)
	}
	if h.cfg.Conversations == nil {
		return file{}, fault.New(fault.NotFound, "No conversations are stored here. Please send the messages.").
			WithCode("conversation_not_found")
	}
	return h.storedFile(r, by, body.ConversationID, name, format)
}
