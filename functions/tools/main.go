// Command tools is the function that runs tools without a model and settles
// questions of consent.
package main

import (
	"context"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/tools"
)

func main() { boot.Run("tools", boot.Options{}, build) }

func build(ctx context.Context, s *boot.Service) (http.Handler, error) {
	b, err := backend.New(ctx, s)
	if err != nil {
		return nil, err
	}
	return tools.New(ctx, b)
}
