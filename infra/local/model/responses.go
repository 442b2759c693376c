package model

import "net/http"

// responses serves POST /v1/responses.
func (s *Server) responses(w http.ResponseWriter, body []byte) (usage, error) {
	return usage{}, &apiError{Status: http.StatusNotImplemented, Message: "The built-in stand-in does not speak the Responses API yet: use /v1/chat/completions.", Code: "not_implemented"}
}
