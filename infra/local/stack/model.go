package stack

import (
	"net/http"
	"time"
)

// newModel stands here until the model server does.
func newModel(func() time.Time) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":{"message":"The model stand-in is not here yet."}}`, http.StatusServiceUnavailable)
	})
}
