// Command conversations is the function that lists and loads kept conversations.
package main

import (
	"context"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/conversations"
)

// A conversation may be larger than a buffered answer of Lambda.
func main() { boot.Run("conversations", boot.Options{Streaming: true}, build) }

func build(ctx context.Context, s *boot.Service) (http.Handler, error) {
	b, err := backend.NewSealed(ctx, s)
	if err != nil {
		return nil, err
	}
	return conversations.New(ctx, b)
}
