// Command mcp is the function that serves assistants' tools by the Model Context
// Protocol.
package main

import (
	"context"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/mcp"
)

func main() { boot.Run("mcp", boot.Options{}, build) }

func build(ctx context.Context, s *boot.Service) (http.Handler, error) {
	b, err := backend.New(ctx, s)
	if err != nil {
		return nil, err
	}
	return mcp.New(ctx, b)
}
