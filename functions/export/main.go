// Command export is the function that writes conversations and tables as files.
package main

import (
	"context"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/files"
	"github.com/bellhop-ai/bellhop/pkg/boot/parts"
)

// Files may be larger than a buffered answer of Lambda.
func main() { boot.Run("export", boot.Options{Streaming: true}, build) }

func build(ctx context.Context, s *boot.Service) (http.Handler, error) {
	p, err := parts.New(s, nil)
	if err != nil {
		return nil, err
	}
	return files.New(ctx, s, p)
}
