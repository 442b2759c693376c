// Command chat is the chat function: one turn of a conversation per request.
package main

import (
	"context"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/chat"
)

func main() { boot.Run("chat", boot.Options{Streaming: true}, build) }

func build(ctx context.Context, s *boot.Service) (http.Handler, error) {
	b, err := backend.NewSealed(ctx, s)
	if err != nil {
		return nil, err
	}
	return chat.New(ctx, b)
}
