package remote

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/ledger/ledgertest"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/egress"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/mcptools"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

var uuids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

var update = flag.Bool("update", false, "write the ledger's manifest anew; decisions on unchanged tools stay")

// S2-22, S2-24: the built-in manifest is what the ledger declares, and the ledger
// answers by it. Its tools read, ask, or are critical as they were reviewed.
func TestTheLedgerIsAsItWasReviewed(t *testing.T) {
	t.Parallel()
	const file = "manifests/ledger.json"
	demo := ledgertest.Serve(t)
	user := demo.Users()[0]
	c, err := mcptools.New(mcptools.Config{Egress: egress.Config{Loopback: true}, Hosts: []string{"127.0.0.1"},
		Now: time.Now, Outbox: struct{ effect.Outbox }{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	by := identity.Caller{OrgID: user.OrgID, Entity: identity.Entity{ID: user.EntityID},
		Remote: identity.Secret(user.Token)}
	s := mcptools.Server{Name: "ledger", URL: strings.Split(user.URL, "?")[0]}
	raw, err := os.ReadFile(file)
	if err == nil {
		s.Manifest, err = mcptools.ReadManifest(raw)
	}
	if err != nil && !*update {
		t.Fatal(err)
	}
	now, err := c.Draft(t.Context(), by, s, s.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(now); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(b.Bytes(), raw) {
		t.Error("the ledger declares something else: go test ./pkg/boot/remote -update, and review what is off")
	}
	states, err := c.Review(t.Context(), by, s)
	if err != nil || len(states) < 90 {
		t.Fatalf("%d tools, %v", len(states), err)
	}
	groups, effects := map[string]bool{}, map[string]string{}
	for _, st := range states {
		if st.State != "on" || st.Group == "" {
			t.Errorf("%s is %s, in the group %q", st.Name, st.State, st.Group)
		}
		groups[st.Group], effects[st.Name] = true, st.Effect
	}
	if len(groups) != 22 {
		t.Errorf("%d categories", len(groups))
	}
	for name, want := range map[string]string{"get_all_invoices": "reads", "create_invoice": "changes",
		"delete_expense": "destroys", "send_payment_reminders": "destroys", "void_invoice": "critical",
		"file_gstr1": "critical"} {
		if effects[name] != want {
			t.Errorf("%s: %s", name, effects[name])
		}
	}
	data, err := c.Try(t.Context(), by, s, "get_all_invoices", json.RawMessage(`{"limit":5}`))
	if err != nil || !bytes.Contains(data, []byte(`"id-`)) || uuids.Match(data) {
		t.Errorf("%.400s, %v", data, err)
	}
	for name, tc := range map[string]struct{ tool, arguments, says string }{
		"a tool that writes": {"create_invoice", `{}`, "changes something"},
		"what is not there":  {"get_invoice", `{"number":"INV-0"}`, "refused"},
	} {
		if _, err := c.Try(t.Context(), by, s, tc.tool, json.RawMessage(tc.arguments)); err == nil ||
			!strings.Contains(fault.From(err).Message, tc.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	by.Remote = "no-token"
	if _, err := c.Try(t.Context(), by, s, "get_all_invoices", nil); fault.From(err).Code != "remote_unauthorized" {
		t.Errorf("without a token: %v", err)
	}
}
