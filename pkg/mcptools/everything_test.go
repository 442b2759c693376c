package mcptools_test

import (
	"bufio"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/nodetest"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/mcptools"
)

// S2-22: a server that nobody here wrote is drafted, reviewed and called: the
// protocol's own example, which has tools of all kinds.
func TestTheProtocolsExampleServerIsCalled(t *testing.T) {
	t.Parallel()
	modules := nodetest.Modules(t, "testdata/everything", 20)
	cmd := exec.CommandContext(t.Context(), "node",
		filepath.Join(modules, "@modelcontextprotocol", "server-everything", "dist", "index.js"), "streamableHttp")
	// The server takes a port and no listener; one that was free a moment ago.
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_, port, _ := strings.Cut(address, ":")
	_ = l.Close()
	cmd.Env = append(os.Environ(), "PORT="+port)
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skipf("the server does not start: %v", err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	listening := false
	for lines := bufio.NewScanner(said); !listening && lines.Scan(); {
		listening = strings.Contains(lines.Text(), "listening")
	}
	if !listening {
		t.Fatal("the server ended before it listened")
	}

	c := client(t)
	s := mcptools.Server{Name: "everything", URL: "http://" + address + "/mcp", Secret: "org-secret"}
	m, err := c.Draft(t.Context(), mira, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.Tools {
		m.Tools[i].Effect = "reads"
	}
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if s.Manifest, err = mcptools.ReadManifest(raw); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, in, says string }{
		{"echo", `{"message":"good day"}`, "Echo: good day"},
		{"get-sum", `{"a":5,"b":3}`, "8"},
		{"get-structured-content", `{"location":"Chicago"}`, "temperature"},
		{"get-resource-links", `{"count":2}`, "resource"},
	} {
		got, err := c.Try(t.Context(), mira, s, tc.name, json.RawMessage(tc.in))
		if err != nil || !strings.Contains(string(got), tc.says) {
			t.Errorf("%s answers %s, %v", tc.name, got, err)
		}
	}
	// What the server asks of a client that offers nothing ends in a sentence.
	for name, in := range map[string]string{"get-sum": `{"a":"five"}`, "no-such-tool": `{}`} {
		if got, err := c.Try(t.Context(), mira, s, name, json.RawMessage(in)); fault.From(err) == nil {
			t.Errorf("%s answers %s", name, got)
		}
	}
}
