// Command users is the function that manages who belongs to an organisation, and
// exchanges API keys for sessions.
package main

import (
	"context"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/admin"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	"github.com/bellhop-ai/bellhop/pkg/boot/users"
)

func main() { boot.Run("users", boot.Options{}, build) }

func build(ctx context.Context, s *boot.Service) (http.Handler, error) {
	key, err := admin.New(ctx, s)
	if err != nil {
		return nil, err
	}
	c, err := core.New(s)
	if err != nil {
		return nil, err
	}
	return users.New(ctx, c, key)
}
