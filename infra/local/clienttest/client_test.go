// Package clienttest_test holds the local stack against the official client,
// @supabase/supabase-js, under node: what the client understands here it
// understands in the cloud. The checks are testdata/*.mjs; each becomes a
// subtest.
package clienttest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/nodetest"
	"github.com/bellhop-ai/bellhop/infra/local/stack"
)

func TestMain(m *testing.M) { localtest.Main(m) }

func TestTheOfficialClient(t *testing.T) {
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
	// The pinned client asks for node 20.
	nodetest.Run(t, "testdata", "client.mjs", 20, map[string]string{
		"url": s.URL(), "publishableKey": s.Keys().Publishable, "secretKey": s.Keys().Secret,
		"password": stack.DemoPassword,
		"email":    org.Manager.Email, "otherEmail": org.Viewer.Email, "user": org.Manager.ID, "org": org.ID,
	})
}
