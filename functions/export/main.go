// Command export is the function that writes conversations and tables as files.
package main

import (
	"context"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/export"
)

// Files may be larger than a buffered answer of Lambda.
func main() { boot.Run("export", boot.Options{Streaming: true}, build) }

func build(ctx context.Context, s *boot.Service) (http.Handler, error) {
	b, err := backend.NewSealed(ctx, s)
	if err != nil {
		return nil, err
	}
	return export.New(ctx, b)
}
