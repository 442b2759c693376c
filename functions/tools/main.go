// Command tools is the function that runs tools without a model and settles
// questions of consent.
package main

import (
	"context"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/api/tools"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/parts"
)

func main() { boot.Run("tools", boot.Options{}, build) }

func build(_ context.Context, s *boot.Service) (http.Handler, error) {
	p, err := parts.New(s, nil)
	if err != nil {
		return nil, err
	}
	return tools.New(tools.Config{Assistants: p.Assistants, Desk: p.Desk, Identify: p.Identify, NewID: s.NewID})
}
