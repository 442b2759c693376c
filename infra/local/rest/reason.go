package rest

import (
	"bytes"
	"fmt"
	"net/http"
)

// sendWithReason answers with a reason phrase of its own, which net/http cannot
// do: it takes the connection over and closes it after. It reports false where
// the connection cannot be taken, as under HTTP/2, which has no such phrases.
func sendWithReason(w http.ResponseWriter, status int, reason string, body []byte) bool {
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return false
	}
	defer func() { _ = conn.Close() }()
	var head bytes.Buffer
	fmt.Fprintf(&head, "HTTP/1.1 %03d %s\r\n", status, reason)
	h := w.Header().Clone()
	h.Set("Connection", "close")
	_ = h.Write(&head)
	head.WriteString("\r\n")
	// The peer may have gone; no one is left to tell.
	_, _ = buffered.Write(head.Bytes())
	_, _ = buffered.Write(body)
	_ = buffered.Flush()
	return true
}

// oneLine keeps a phrase from SQL within the status line.
func oneLine(text string) string {
	return string(bytes.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, []byte(text)))
}
