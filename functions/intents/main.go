// Command intents is the function with which administrators keep the phrases by which
// clear sentences find their agent, and see what was learnt from turns.
package main

import (
	"context"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	"github.com/bellhop-ai/bellhop/pkg/boot/intents"
)

func main() { boot.Run("intents", boot.Options{}, build) }

func build(ctx context.Context, s *boot.Service) (http.Handler, error) {
	c, err := core.New(s)
	if err != nil {
		return nil, err
	}
	return intents.New(ctx, c)
}
