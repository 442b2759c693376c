package duffel_test

import (
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/nodetest"
)

// TestDuffelsOwnClient is @duffel/api of npm, pointed at the server.
func TestDuffelsOwnClient(t *testing.T) {
	c := start(t, nil)
	nodetest.Run(t, "testdata", "client.mjs", 20, map[string]string{"url": c.server.URL()})
}
