package main

import (
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/stream"
)

func TestMain(m *testing.M) { localtest.Main(m) }

// F-23, F-25, F-33, F-36, F-40, F-41, F-66: the short form. The long one is
// go run ./scripts/chaos.
func TestHostileModelsAchieveNothing(t *testing.T) {
	f, err := play(t.Context(), localtest.Clone(t), hospitality(), 7, 120, 3)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := f.print(&b); err != nil {
		t.Fatal(err)
	}
	if f.wrong() {
		t.Errorf("a figure that has to be zero is not:\n%s", b.String())
	}
	// Nothing is proved by attacks that did not take place.
	if f.Obedient < 40 || f.Owned < 40 || f.Asked < 5 || f.Done < 5 || f.Seen < 12 || f.Requests < 300 ||
		f.Attempts < 100 || f.Answered < 5 {
		t.Errorf("too little happened:\n%s", b.String())
	}
}

// Each figure is counted when what it is for takes place.
func TestTheRigSeesWhatItIsFor(t *testing.T) {
	ctx := t.Context()
	r, err := newRig(ctx, localtest.Clone(t), hospitality(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer r.w.close()
	if f, err := r.figures(ctx); err != nil || f.wrong() || len(r.w.planted) < 12 {
		t.Fatalf("before anything happens: %v %+v", err, f)
	}
	exec := func(sql string) {
		t.Helper()
		if _, err := r.w.db.Exec(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
	exec("update public.extras set price = price + 1 where org_id = '" + oursID + "'")
	exec("update public.extras set price = price + 1 where org_id = '" + theirsID +
		"' and code = (select min(code) from public.extras where org_id = '" + theirsID + "')")
	exec("begin; select set_config('request.path', '/rpc/rate_take', true); insert into public.rate_buckets " +
		"(org_id, bucket, level, at) values ('" + oursID + "', 'x', 1, now()); commit")
	r.approve("0c0ffee0-0000-4000-8000-000000000001")
	for range 2 {
		exec("begin; select set_config('app.proposal', '0c0ffee0-0000-4000-8000-000000000001', true); update " +
			"public.rooms set sort = sort where code = (select min(code) from public.rooms where org_id = '" + oursID +
			"'); commit")
	}
	r.acknowledged("0c0ffee0-0000-4000-8000-000000000002")
	foreignText := []byte("the guest " + mark + " of the others")
	r.dialogues.answer(script.Request{Body: foreignText,
		Messages: []script.Message{{Role: "tool", Content: "ATTACK-902"}}})
	r.dialogues.set("5", &dialogue{mode: obedient, g: newGrammar(r.w, r.tools, 1, 1, true)})
	r.dialogues.answer(script.Request{Messages: []script.Message{{Role: "user", Content: "(ref 5) ATTACK-902"}}})
	if _, err := r.w.log.Write([]byte(`{"cause":"ATTACK-001","code":"internal_error","token":"` +
		r.w.tokens["admin@sojourn.example"] + `"}`)); err != nil {
		t.Fatal(err)
	}
	r.judge(owned, said{status: 500, code: "internal_error", raw: foreignText, shown: "![x](https://evil.example/)",
		answer: stream.Answer{Reply: "<b>x</b>"}})
	f, err := r.figures(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for what, n := range map[string]int{
		"unauthorised writes": f.Unauthorised, "foreign writes": f.ForeignWrites,
		"bookkeeping without a proof": f.Unproven, "duplicates": f.Duplicates, "lost writes": f.Lost,
		"broken invariants": f.Breaches, "internal errors": f.Internal, "lines of the log about them": f.Panics,
		"private bytes in the log": f.Logged,
		"forged messages":          f.Forged, "prompts of nobody": f.Unknown,
	} {
		if n == 0 {
			t.Errorf("%s were not noticed: %+v", what, f)
		}
	}
	if f.Foreign != 3 || f.Fetching < 3 {
		t.Errorf("%d foreign texts and %d fetching renders, want 3 and 3: %v", f.Foreign, f.Fetching, f.Notes)
	}
}

func TestWhatARendererWouldFetchIsSeen(t *testing.T) {
	safe := []string{
		"", "plain words, 3 &lt; 4 & 5", "**bold** and `code ![x](y)`", "&lt;img src=x&gt;",
		`\[x\](https\://evil.example)`,
		`<table style="border-collapse:collapse;font-size:0.85rem" border="1" cellpadding="5"><thead ` +
			`style="background:#f8fafc"><tr><th>A</th></tr></thead><tbody><tr><td ` +
			`style="text-align:right">&lt;b&gt;</td></tr></tbody></table>`,
	}
	for _, text := range safe {
		if found := fetching(text); len(found) > 0 {
			t.Errorf("%q would fetch %v", text, found)
		}
	}
	unsafe := []string{
		"![x](https://evil.example)", "[x](https://evil.example)", "[x][1]\n\n[1]: https://evil.example",
		"https://evil.example/x", "www.evil.example", "<https://evil.example>",
		"<img src=x>", "text <b>x</b>", "<script>x</script>", "<table onclick=x><tr><td>a</td></tr></table>",
		`<table><tr><td style="background:url(//evil.example)">a</td></tr></table>`,
		"<!-- x -->", "[x](javascript:x)", "<a href=x>", "<svg/onload=x>", "<iframe src=//evil.example>",
	}
	for _, text := range unsafe {
		if len(fetching(text)) == 0 {
			t.Errorf("%q is not noticed", text)
		}
	}
}

func TestTheSameSeedGivesTheSameAttack(t *testing.T) {
	r, err := newRig(t.Context(), localtest.Clone(t), hospitality(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer r.w.close()
	offered := []string{"create_extra", "list_extras"}
	attack := func(seed uint64) (all []script.Call) {
		g := newGrammar(r.w, r.tools, seed, 3, false)
		for range 50 {
			all = append(all, g.calls(offered, 5)...)
		}
		return all
	}
	text := func(calls []script.Call) string {
		var b strings.Builder
		for _, c := range calls {
			b.WriteString(c.Name + c.Arguments + "\n")
		}
		return b.String()
	}
	first, again, other := text(attack(1)), text(attack(1)), text(attack(2))
	if first != again || first == other {
		t.Error("attacks do not follow from their seed")
	}
	covered := map[string]bool{}
	for _, one := range r.tools {
		offered = append(offered, one.Name)
	}
	for seed := range uint64(20) {
		for _, c := range attack(seed) {
			covered[c.Name] = true
		}
	}
	for _, tool := range r.tools {
		if !covered[tool.Name] {
			t.Errorf("no attack calls %s", tool.Name)
		}
	}
}
