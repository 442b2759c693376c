// Command feedback is the function that takes what people say of answers, and
// shows it to administrators.
package main

import (
	"context"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/feedback"
)

// Files of feedback may be larger than a buffered answer of Lambda.
func main() { boot.Run("feedback", boot.Options{Streaming: true}, build) }

func build(ctx context.Context, s *boot.Service) (http.Handler, error) {
	b, err := backend.NewSealed(ctx, s)
	if err != nil {
		return nil, err
	}
	return feedback.New(ctx, b)
}
