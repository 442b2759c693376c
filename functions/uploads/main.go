// Command uploads is the function that takes files in and looks at them.
package main

import (
	"context"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	"github.com/bellhop-ai/bellhop/pkg/boot/uploads"
)

func main() { boot.Run("uploads", boot.Options{}, build) }

func build(ctx context.Context, s *boot.Service) (http.Handler, error) {
	c, err := core.New(s)
	if err != nil {
		return nil, err
	}
	return uploads.New(ctx, c)
}
