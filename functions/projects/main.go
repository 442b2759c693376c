// Command projects is the function that keeps the jobs that contractors show, and
// answers everybody with the pages that are public.
package main

import (
	"context"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	"github.com/bellhop-ai/bellhop/pkg/boot/projects"
)

// Photos are sent as they are, which a buffered answer of Lambda is not.
func main() { boot.Run("projects", boot.Options{Streaming: true}, build) }

func build(ctx context.Context, s *boot.Service) (http.Handler, error) {
	c, err := core.New(s)
	if err != nil {
		return nil, err
	}
	return projects.New(ctx, c)
}
