// Command conversations is the function that lists and loads kept conversations.
package main

import (
	"context"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/archive"
	"github.com/bellhop-ai/bellhop/pkg/boot/parts"
)

// A conversation may be larger than a buffered answer of Lambda.
func main() { boot.Run("conversations", boot.Options{Streaming: true}, build) }

func build(ctx context.Context, s *boot.Service) (http.Handler, error) {
	p, err := parts.New(s, nil)
	if err != nil {
		return nil, err
	}
	return archive.New(ctx, s, p)
}
