package portfolio_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/portfolio"
)

// A tool's write happens once under its claim; again, it is the project as it is.
func TestAClaimedWriteHappensOnce(t *testing.T) {
	t.Parallel()
	f := newFirm(t)
	p := f.begin()
	ctx := effect.With(t.Context(), effect.Claim{Key: "act-" + uuid.NewString(), ArgsHash: strings.Repeat("a", 64),
		Tool: "updateField", Turn: "t1", Assistant: "portfolio"})
	for range 2 {
		got := must[projects.Project](t)(f.store.Update(ctx, f.manager, p.Code, p.Version,
			projects.Changes{Title: new("Oak")}))
		if got.Title != "Oak" || got.Version != p.Version+1 {
			t.Errorf("it is %+v", got)
		}
	}
	if row := localtest.SQL(t, `select tool, turn from public.audit where org_id = $1 and table_name = 'projects'
		and action = 'update'`, f.org.ID); len(row) != 1 || row[0]["tool"] != "updateField" {
		t.Errorf("the record is %v", row)
	}
	// One that changes nothing has its row of the audit, too.
	ctx = effect.With(t.Context(), effect.Claim{Key: "act-" + uuid.NewString(), ArgsHash: strings.Repeat("b", 64),
		Tool: "updateField", Turn: "t1", Assistant: "portfolio"})
	for range 2 {
		got := must[projects.Project](t)(f.store.Update(ctx, f.manager, p.Code, 0,
			projects.Changes{Title: new("Oak")}))
		if got.Version != p.Version+1 {
			t.Errorf("it is %+v", got)
		}
	}
	ctx = effect.With(t.Context(), effect.Claim{Key: "act-" + uuid.NewString(), ArgsHash: strings.Repeat("c", 64),
		Tool: "unpublishProject", Turn: "t1", Assistant: "portfolio"})
	must[projects.Project](t)(f.store.Unpublish(ctx, f.manager, p.Code))
	if n := localtest.SQL(t, `select count(*)::int as n from public.effects e where e.org_id = $1
		and not exists (select from public.audit a where a.org_id = e.org_id and a.effect_key = e.key)`,
		f.org.ID)[0]["n"]; n != int32(0) {
		t.Errorf("%v effects are not in the audit", n)
	}
	// A claimed merge that comes late once more tries again under the same claim.
	ctx = effect.With(t.Context(), effect.Claim{Key: "act-" + uuid.NewString(), ArgsHash: strings.Repeat("a", 64),
		Tool: "extractProjectData", Turn: "t2", Assistant: "portfolio"})
	tries := 0
	got := must[projects.Project](t)(f.store.Merge(ctx, f.manager, p.Code,
		func(now projects.Project) (projects.Changes, error) {
			if tries++; tries == 1 {
				f.change(p.Code, projects.Changes{Tags: &[]string{"meanwhile"}})
			}
			tags := append(now.Tags, "oak")
			return projects.Changes{Tags: &tags}, nil
		}))
	if tries != 2 || len(got.Tags) != 2 {
		t.Errorf("after %d tries there are %v", tries, got.Tags)
	}
}

// What is kept of projects takes writes of our functions alone: a member's own token
// reads and changes nothing in its place.
func TestOnlyTheServerWritesProjects(t *testing.T) {
	t.Parallel()
	f := newFirm(t)
	p := f.begin()
	cfg := localtest.Config(t, localtest.Stack(t))
	cfg.Proof = nil
	bare := must[*supabase.Client](t)(supabase.New(cfg))
	_, err := portfolio.New(bare).Update(t.Context(), f.admin, p.Code, 0, projects.Changes{Title: new("x")})
	wantCode(t, err, "proof_required")
	_, err = portfolio.New(bare).Publish(t.Context(), f.admin, p.Code, 0, "x", "")
	wantCode(t, err, "proof_required")
	_, err = supabase.Update[map[string]any](t.Context(), f.client.As(f.admin), supabase.Query{Table: "projects",
		Columns: "code",
		Where:   []supabase.Cond{supabase.Eq("code", p.Code)}}, map[string]any{"status": "published"})
	if err == nil {
		t.Error("a member wrote a project's row")
	}
	got := must[projects.Project](t)(portfolio.New(bare).Get(t.Context(), f.viewer, p.Code))
	if got.Title != "" || got.Status != projects.Draft {
		t.Errorf("the project is %+v", got)
	}
}

// A preview rests on readings of projects and profiles that can be asked again.
func TestPreviewsReadProjects(t *testing.T) {
	t.Parallel()
	f := newFirm(t)
	p := f.begin()
	localtest.SQL(t, `update public.projects set conversation_summary = 'They talked.' where code = $1`, p.Code)
	ctx, record := effect.Record(effect.ReadOnly(t.Context()))
	if shown := must[projects.Project](t)(f.store.Get(ctx, f.manager, p.Code)); shown.Summary != "" {
		t.Errorf("a preview rests on the summary %q", shown.Summary)
	}
	must[projects.Business](t)(f.store.Business(ctx, f.manager))
	reads, err := record.Reads()
	if err != nil || len(reads) != 2 {
		t.Fatalf("the preview rests on %v, %v", reads, err)
	}
	for _, r := range reads { // the database refuses functions that are not for previews
		localtest.SQL(t, `select app.read_statement($1, $2)`, r.Function, must[[]byte](t)(json.Marshal(r.Arguments)))
	}
}
