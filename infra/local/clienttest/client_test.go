// Package clienttest_test holds the local stack against the official client,
// @supabase/supabase-js, under node: what the client understands here it
// understands in the cloud. The checks are testdata/*.mjs; each becomes a
// subtest.
package clienttest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/stack"
)

func TestMain(m *testing.M) { localtest.Main(m) }

func TestTheOfficialClient(t *testing.T) {
	node := needNode(t)
	modules := needModules(t)

	s := localtest.Clone(t)
	org := localtest.NewOrgOn(t, s)
	for _, name := range []string{"schema.sql", "storage.sql"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		localtest.Script(t, s, string(text))
	}
	if err := s.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	env, err := json.Marshal(map[string]string{
		"url": s.URL(), "publishableKey": s.Keys().Publishable, "secretKey": s.Keys().Secret, "password": stack.DemoPassword,
		"email": org.Manager.Email, "otherEmail": org.Viewer.Email, "user": org.Manager.ID, "org": org.ID,
	})
	if err != nil {
		t.Fatal(err)
	}

	// Modules are looked up beside the script.
	work := t.TempDir()
	if err := os.CopyFS(work, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(modules, filepath.Join(work, "node_modules")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, "client.mjs")
	cmd.Dir = work
	cmd.Env = append(os.Environ(), "CLIENTTEST="+string(env))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("the client ended with %v:\n%s%s", err, out.String(), errs.String())
	}
	report(t, out.String())
}

// report makes a subtest of each line of the Test Anything Protocol.
func report(t *testing.T, out string) {
	t.Helper()
	line := regexp.MustCompile(`^(ok|not ok) \d+ - (.*)$`)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	seen, plan := 0, -1
	for i, text := range lines {
		if count, ok := strings.CutPrefix(text, "1.."); ok {
			plan, _ = strconv.Atoi(count)
			continue
		}
		found := line.FindStringSubmatch(text)
		if found == nil {
			continue
		}
		seen++
		t.Run(found[2], func(t *testing.T) {
			if found[1] != "ok" {
				t.Error(explanation(lines[i+1:]))
			}
		})
	}
	if seen == 0 || plan != seen {
		t.Errorf("the client planned %d checks and reported %d:\n%s", plan, seen, out)
	}
}

// explanation joins the comment lines that follow a failure.
func explanation(lines []string) string {
	var b strings.Builder
	for _, text := range lines {
		comment, ok := strings.CutPrefix(text, "# ")
		if !ok {
			break
		}
		b.WriteString("\n" + comment)
	}
	return b.String()
}
