package conversations

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// maxQuery is how many letters a search may have.
const maxQuery = 200

// page is a part of the list.
type page struct {
	Conversations []conversations.Conversation `json:"conversations"`
	Next          *string                      `json:"next"` // cursor of the next page
}

func (h *Handler) list(_ http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	q := r.URL.Query()
	f := conversations.Filter{Assistant: q.Get("assistant"), Query: q.Get("q")}
	var err error
	if f.Assistant != "" {
		if _, err := h.assistant(by, f.Assistant); err != nil {
			return 0, nil, err
		}
	}
	if f.EntityID, err = entity(by, q.Get("entityId"), ""); err != nil {
		return 0, nil, err
	}
	switch q.Get("deleted") {
	case "", "false":
	case "true":
		f.Deleted = true
	default:
		return 0, nil, fault.New(fault.Invalid, `"deleted" must be true or false.`)
	}
	if utf8.RuneCountInString(f.Query) > maxQuery {
		return 0, nil, fault.New(fault.Unprocessable, "A search may have at most %d letters.",
			maxQuery).WithCode("query_too_long")
	}
	if f.Limit, err = number(r, "limit", 100); err != nil {
		return 0, nil, err
	}
	if f.Cursor, err = readCursor(q.Get("cursor")); err != nil {
		return 0, nil, err
	}
	found, err := h.cfg.Store.List(r.Context(), by, f)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, page{found.Conversations, writeCursor(found.Next)}, nil
}

func writeCursor(c *conversations.Cursor) *string {
	if c == nil {
		return nil
	}
	raw, err := json.Marshal(c)
	if err != nil {
		return nil // times of the database have years of four digits
	}
	text := base64.RawURLEncoding.EncodeToString(raw)
	return &text
}

func readCursor(text string) (conversations.Cursor, error) {
	var c conversations.Cursor
	if text == "" {
		return c, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(raw, &c)
	}
	if err == nil {
		err = uuid.Validate(c.After)
	}
	if err != nil || c.Until.Year() < 2000 || c.At.Year() < 2000 {
		return conversations.Cursor{}, fault.Wrap(fault.Invalid, err,
			"This cursor is not one of ours. Begin with the first page.").WithCode("invalid_cursor")
	}
	return c, nil
}
