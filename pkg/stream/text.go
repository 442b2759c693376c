package stream

import "net/http"

// Text is the reply of a turn as plain text, for clients that append what comes:
// the AI SDK's text stream, or curl. It has no room for anything else, so a
// question for consent is answered in words, and a failure is the last sentence.
type Text struct{ begun bool }

// Head says that text follows.
func (t *Text) Head(h http.Header) {
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
}

// Copy returns a copy of the encoding.
func (t *Text) Copy() Encoding { c := *t; return &c }

// Encode returns the text of an event; none for events without.
func (t *Text) Encode(ev Event) ([]byte, error) {
	switch data := ev.Data.(type) {
	case textData:
		t.begun = t.begun || data.Text != ""
		return []byte(data.Text), nil
	case map[string]Problem:
		text := data["error"].Message + "\n"
		if t.begun {
			text = "\n\n" + text
		}
		return []byte(text), nil
	}
	return nil, nil
}

// beat is what a stream sends while it is silent, so that connections stay open;
// nil where every byte is part of the answer.
func beat(enc Encoding) []byte {
	if _, plain := enc.(*Text); plain {
		return nil
	}
	return []byte(": still here\n\n")
}
