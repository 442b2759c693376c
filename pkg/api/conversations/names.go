package conversations

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// getBody is the body of the finance front end. The organisation is the token's,
// whatever the body says.
type getBody struct {
	ConversationID string `json:"conversationId"`
	EntityID       string `json:"entityId"`
	Assistant      string `json:"assistant"`
	Search         string `json:"search"`
	Cursor         string `json:"cursor"`
	Limit          int    `json:"limit"`
}

// named answers at the name that the finance front end knows, by GET with the
// members of getBody as parameters or by POST: the messages of one conversation, or
// the list of the finance assistant's.
func (h *Handler) named(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	q := r.URL.Query()
	body := getBody{ConversationID: q.Get("conversationId"), EntityID: q.Get("entityId"),
		Assistant: q.Get("assistant"), Search: cmp.Or(q.Get("search"), q.Get("q")), Cursor: q.Get("cursor")}
	limit := q.Get("limit")
	if r.Method == http.MethodPost {
		body = getBody{}
		if _, err := httpx.ReadJSON(w, r, &body); err != nil {
			return 0, nil, err
		}
		if limit = ""; body.Limit != 0 {
			limit = strconv.Itoa(body.Limit)
		}
	}
	here := r.Clone(r.Context())
	params := url.Values{}
	for name, value := range map[string]string{"assistant": cmp.Or(body.Assistant, "finance"),
		"entityId": body.EntityID, "q": body.Search, "cursor": body.Cursor, "limit": limit} {
		if value != "" {
			params.Set(name, value)
		}
	}
	here.URL.RawQuery = params.Encode()
	if body.ConversationID == "" {
		return h.list(w, here, by)
	}
	if len(body.ConversationID) > maxID {
		return 0, nil, fault.New(fault.NotFound, "There is no such conversation.").WithCode("conversation_not_found")
	}
	here.SetPathValue("id", body.ConversationID)
	return h.messages(w, here, by)
}

// maxID bounds what a client names a conversation by.
const maxID = 200
