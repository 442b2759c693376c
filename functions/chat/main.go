// Command chat is the chat function: one turn of a conversation per request.
package main

import (
	"context"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/talk"
)

func main() { boot.Run("chat", boot.Options{Streaming: true}, build) }

func build(ctx context.Context, s *boot.Service) (http.Handler, error) {
	door, _, err := talk.New(ctx, s)
	return door, err
}
