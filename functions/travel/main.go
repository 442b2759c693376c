// Command travel is the function that keeps what a person needs to travel: the people
// who go, what they like, and their trips.
package main

import (
	"context"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	"github.com/bellhop-ai/bellhop/pkg/boot/travel"
)

func main() { boot.Run("travel", boot.Options{}, build) }

func build(ctx context.Context, s *boot.Service) (http.Handler, error) {
	c, err := core.New(s)
	if err != nil {
		return nil, err
	}
	return travel.New(ctx, c)
}
