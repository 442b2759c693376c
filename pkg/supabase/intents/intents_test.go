package intents_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	domain "github.com/bellhop-ai/bellhop/pkg/intents"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/intents"
)

func TestMain(m *testing.M) { localtest.Main(m) }

const hotel = "hospitality"

func store(t *testing.T) intents.Store {
	t.Helper()
	client, err := supabase.New(localtest.Config(t, localtest.Stack(t)))
	if err != nil {
		t.Fatal(err)
	}
	return intents.New(client)
}

func caller(org localtest.Org, p localtest.Person) identity.Caller {
	return identity.Caller{UserID: p.ID, OrgID: org.ID, Token: identity.Secret(p.Token)}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// heard is a turn for which a model chose the agent of the guess.
func heard(text string, thread int) domain.Observation {
	return domain.Observation{Assistant: hotel, Thread: fmt.Sprint("t", thread), Question: text, Text: text,
		How: domain.Model, Agent: "inventory", Intent: "inventory", Confidence: 0.92, Basis: domain.Below,
		Success: true,
		Tools:   []string{"list_extras"}, Strategy: "unsure", Took: 200 * time.Millisecond}
}

// S2-57: SQL and Go decide alike, about every count at the edges of the rule.
func TestBothThresholdsAreOne(t *testing.T) {
	t.Parallel()
	totals := []int{0, 9, 10, 19, 20, 65, 66, 67, 132, 133, 200}
	failed := []int{0, 1, 2, 3, 4, 7}
	rows := localtest.SQL(t, `select d::float8 as usual, b::int as b, bf::int as bf, a::int as a, af::int as af,
		app.intent_threshold(d::numeric, b::int, bf::int, a::int, af::int)::float8 as threshold
		from unnest($1::numeric[]) d, unnest($2::int[]) b, unnest($3::int[]) bf, unnest($2::int[]) a,
			unnest($3::int[]) af
		where bf <= b and af <= a and a <= 20`, []float64{0.70, 0.72, 0.85, 0.93, 0.95, 0.97}, totals, failed)
	if len(rows) < 1000 {
		t.Fatalf("%d rows only", len(rows))
	}
	number := func(v any) int { n := 0; _, _ = fmt.Sscan(fmt.Sprint(v), &n); return n }
	moved := map[string]int{}
	for _, r := range rows {
		usual, want := r["usual"].(float64), r["threshold"].(float64)
		got := domain.Threshold(usual, domain.Count{Total: number(r["b"]), Failed: number(r["bf"])},
			domain.Count{Total: number(r["a"]), Failed: number(r["af"])})
		if diff := got - want; diff > 1e-9 || diff < -1e-9 {
			t.Fatalf("%v: Go says %v", r, got)
		}
		switch {
		case want > usual:
			moved["up"]++
		case want < usual:
			moved["down"]++
		default:
			moved["stays"]++
		}
	}
	if len(moved) != 3 {
		t.Errorf("the rule was tried for %v only", moved)
	}
}

// S2-56, S2-58, S2-59: ten turns make a suggestion; a person's sentence counts once a
// day in the statistics.
func TestTenTurnsMakeASuggestion(t *testing.T) {
	t.Parallel()
	org, s := localtest.NewOrg(t), store(t)
	by := caller(org, org.Manager)
	for i := range 9 {
		must(t, s.Learn(t.Context(), by, heard("Which goodies can I sell today?", i)))
	}
	admin := caller(org, org.Admin)
	if list, err := s.Suggestions(t.Context(), admin, hotel, domain.Pending); err != nil || len(list) != 0 {
		t.Fatalf("nine turns suggest %v, %v", list, err)
	}
	must(t, s.Learn(t.Context(), admin, heard("which GOODIES can i sell today", 0)))
	list, err := s.Suggestions(t.Context(), admin, hotel, domain.Pending)
	must(t, err)
	if len(list) != 1 || list[0].Phrase != "Which goodies can I sell today?" || list[0].Agent != "inventory" ||
		list[0].Occurrences != 10 || list[0].People != 2 || !strings.HasPrefix(list[0].Code, "SUG-") {
		t.Fatalf("ten turns suggest %+v", list)
	}
	report, err := s.Report(t.Context(), admin, hotel, 30, 0.95)
	must(t, err)
	if len(report.Buckets) != 1 || report.Buckets[0].Total != 2 || report.Buckets[0].Bucket != 0.9 ||
		report.Buckets[0].Basis != domain.Below || report.Buckets[0].MS != 200 {
		t.Errorf("the statistics are %+v", report.Buckets)
	}
	if len(report.Unmatched) != 1 || report.Unmatched[0].Occurrences != 10 || len(report.Days) != 1 ||
		report.Days[0].Turns != 10 || report.Days[0].Matched != 0 || len(report.Tools) != 1 {
		t.Errorf("the report is %+v", report)
	}

	// Approved, it is a phrase of the organisation, and of no other.
	d := domain.Decision{Code: list[0].Code, Approve: true, Intent: "goodies", Agent: "inventory",
		Phrase: list[0].Phrase}
	decided, err := s.Decide(t.Context(), admin, hotel, d)
	if err != nil || decided.Status != domain.Approved || decided.Intent != "goodies" {
		t.Fatalf("approving says %+v, %v", decided, err)
	}
	if _, err = s.Decide(t.Context(), admin, hotel, d); fault.From(err).Code != "suggestion_decided" {
		t.Errorf("approving again says %v", err)
	}
	own, err := s.Read(t.Context(), by, hotel, "", 0.95)
	must(t, err)
	if len(own.Intents) != 1 || own.Intents[0].Phrases[0].Source != domain.Suggested || own.Version == "" {
		t.Errorf("the organisation has %+v", own)
	}
	if same, err := s.Read(t.Context(), by, hotel, own.Version, 0.95); err != nil || same.Intents != nil {
		t.Errorf("what is known is sent again: %+v, %v", same, err)
	}
	other := localtest.NewOrg(t)
	if got, err := s.Read(t.Context(), caller(other, other.Manager), hotel, "-", 0.95); err != nil ||
		len(got.Intents) != 0 || got.Version != "" {
		t.Errorf("another organisation has %+v, %v", got, err)
	}
}

// Asked again in one thread, neither answer teaches; a suggestion that rests on it is
// taken back.
func TestRetriedTurnsTeachNothing(t *testing.T) {
	t.Parallel()
	org, s := localtest.NewOrg(t), store(t)
	by, admin := caller(org, org.Manager), caller(org, org.Admin)
	for i := range 10 {
		must(t, s.Learn(t.Context(), by, heard("which goodies are there", i)))
	}
	must(t, s.Learn(t.Context(), by, heard("which goodies are there", 3)))
	list, err := s.Suggestions(t.Context(), admin, hotel, domain.Pending)
	if err != nil || len(list) != 0 {
		t.Errorf("still suggested: %+v, %v", list, err)
	}
	o := heard("what else is on offer", 1)
	o.Retried = true
	must(t, s.Learn(t.Context(), by, o))
	failed := heard("and what of the rest", 2)
	failed.Success = false
	must(t, s.Learn(t.Context(), by, failed))
	report, err := s.Report(t.Context(), admin, hotel, 30, 0.95)
	must(t, err)
	if len(report.Unmatched) != 1 || report.Unmatched[0].Occurrences != 9 {
		t.Errorf("the patterns are %+v", report.Unmatched)
	}
}

// S2-57: a threshold follows what people's turns show, and comes back when they show
// something else.
func TestAThresholdFollowsTheTurns(t *testing.T) {
	t.Parallel()
	org, s := localtest.NewOrg(t), store(t)
	by := caller(org, org.Manager)
	thresholds := func() map[string]float64 {
		own, err := s.Read(t.Context(), by, hotel, "-", 0.85)
		must(t, err)
		return own.Thresholds
	}
	say := func(n int, agent string) {
		o := heard(fmt.Sprintf("please do the thing called %c%c", 'a'+n/26, 'a'+n%26), 0)
		o.Confidence, o.Agent = 0.82, agent
		must(t, s.Learn(t.Context(), by, o))
	}
	for i := range 65 {
		say(i, "inventory")
	}
	if got := thresholds(); len(got) != 0 {
		t.Errorf("too early: %v", got)
	}
	say(65, "inventory")
	if got := thresholds(); got["inventory"] != 0.80 || len(got) != 1 {
		t.Errorf("after 66 right turns the thresholds are %v", got)
	}
	say(66, "pricing")
	if got := thresholds(); len(got) != 0 {
		t.Errorf("after a wrong one the thresholds are %v", got)
	}
}

// Who edits meanwhile is told, and a phrase stands in one intent.
func TestIntentsAreEditedByAdministrators(t *testing.T) {
	t.Parallel()
	org, s := localtest.NewOrg(t), store(t)
	admin := caller(org, org.Admin)
	in := domain.Intent{Name: "goodies", Agent: "inventory", Phrases: []domain.Phrase{
		{Text: "what goodies are there", Source: domain.Written}}}
	save := func(in domain.Intent) string {
		_, err := s.Save(t.Context(), admin, hotel, in)
		if err == nil {
			return ""
		}
		return fault.From(err).Code + ": " + fault.From(err).Message
	}
	if got := save(in); got != "" {
		t.Fatal(got)
	}
	if got := save(in); !strings.HasPrefix(got, "intent_exists") {
		t.Errorf("made twice: %s", got)
	}
	other := in
	other.Name = "treats"
	other.Phrases = []domain.Phrase{{Text: "What goodies are there?", Source: domain.Written}}
	if got := save(other); got != `phrase_taken: The phrase "what goodies are there" stands in the intent "goodies" `+
		`already. Keep it in one of them.` {
		t.Errorf("the same phrase in another intent: %s", got)
	}
	in.Version, in.Phrases = 1, append(in.Phrases, domain.Phrase{Text: "show goodies", Source: domain.Generated})
	if got := save(in); got != "" {
		t.Error(got)
	}
	if got := save(in); !strings.HasPrefix(got, "version_conflict") {
		t.Errorf("with an old version: %s", got)
	}
	if _, err := s.Save(t.Context(), caller(org, org.Manager), hotel, in); !fault.Is(err, fault.Forbidden) {
		t.Errorf("a manager edits: %v", err)
	}
	if err := s.Delete(t.Context(), admin, hotel, "goodies", 1); fault.From(err).Code != "version_conflict" {
		t.Errorf("an old version is deleted: %v", err)
	}
	must(t, s.Delete(t.Context(), admin, hotel, "goodies", 2))
	if err := s.Delete(t.Context(), admin, hotel, "goodies", 2); !fault.Is(err, fault.NotFound) {
		t.Errorf("deleted twice: %v", err)
	}
}

// SQL and Go suspend the same buckets, about every count at the edges of the rule.
func TestBothSuspendTheSame(t *testing.T) {
	t.Parallel()
	rows := localtest.SQL(t, `select n::int as n, f::int as f, app.bucket_suspended(n, f) as suspended
		from generate_series(0, 420) n, generate_series(0, 6) f where f <= n`)
	suspended := 0
	for _, r := range rows {
		c := domain.Count{}
		_, _ = fmt.Sscan(fmt.Sprint(r["n"], " ", r["f"]), &c.Total, &c.Failed)
		if got := domain.Suspended(c); got != r["suspended"] {
			t.Fatalf("%v: Go says %v", r, got)
		} else if got {
			suspended++
		}
	}
	if suspended < 500 || suspended > len(rows)-500 {
		t.Errorf("%d of %d are suspended", suspended, len(rows))
	}
}

// S2-56, S2-57: matched turns that the router's model disagrees with are failures; a
// bucket with too many of them is not matched any more, which the report shows, until
// newer turns show otherwise. Turns that nobody checked neither suspend nor excuse.
func TestADoubtfulBucketIsSuspended(t *testing.T) {
	t.Parallel()
	org, s := localtest.NewOrg(t), store(t)
	by, admin := caller(org, org.Manager), caller(org, org.Admin)
	turn := 0
	say := func(n int, change func(o *domain.Observation)) {
		t.Helper()
		for range n {
			turn++
			o := heard(fmt.Sprintf("the thing called %c%c%c", 'a'+turn/676, 'a'+turn/26%26, 'a'+turn%26), turn)
			o.Confidence, o.Basis, o.How = 0.97, domain.Above, domain.Matched
			change(&o)
			must(t, s.Learn(t.Context(), by, o))
		}
	}
	checked := func(choice string) func(o *domain.Observation) {
		return func(o *domain.Observation) { o.Checked, o.Choice = true, choice }
	}
	suspended := func(want ...domain.Slot) {
		t.Helper()
		own, err := s.Read(t.Context(), by, hotel, "-", 0.96)
		must(t, err)
		if fmt.Sprint(own.Suspended) != fmt.Sprint(want) {
			t.Errorf("after %d turns %v are suspended, want %v", turn, own.Suspended, want)
		}
	}
	say(100, func(*domain.Observation) {})
	say(10, checked("inventory"))
	say(1, checked("pricing"))
	suspended() // one model's word against a dozen
	say(1, checked(""))
	slot := domain.Slot{Intent: "inventory", Bucket: 0.95, Basis: domain.Above}
	suspended(slot)

	report, err := s.Report(t.Context(), admin, hotel, 30, 0.96)
	must(t, err)
	if len(report.Buckets) != 1 {
		t.Fatalf("the statistics are %+v", report.Buckets)
	}
	if b := report.Buckets[0]; b.Total != 112 || b.Failed != 2 || b.Checked != 12 || b.CheckedFailed != 2 ||
		!b.Suspended {
		t.Errorf("the bucket is %+v", b)
	}
	if d := report.Days[0]; d.Matched != 112 || d.Right != 110 {
		t.Errorf("the day is %+v", d)
	}
	// While it is suspended, the model chooses for each of its turns.
	say(188, func(o *domain.Observation) { o.How = domain.Model })
	suspended()

	other := localtest.NewOrg(t)
	own, err := s.Read(t.Context(), caller(other, other.Manager), hotel, "-", 0.96)
	if err != nil || len(own.Suspended) != 0 {
		t.Errorf("another organisation has %+v, %v", own, err)
	}
}

// A bucket below the default is nothing to suspend as long as the threshold does not
// admit it; a correction of a checked answer counts as a failure of the check.
func TestWhatIsNotSuspended(t *testing.T) {
	t.Parallel()
	org, s := localtest.NewOrg(t), store(t)
	by := caller(org, org.Manager)
	for i := range 40 {
		o := heard(fmt.Sprintf("below the line %c%c", 'a'+i/26, 'a'+i%26), i)
		o.Agent = "pricing"
		must(t, s.Learn(t.Context(), by, o))
	}
	for i := range 3 {
		o := heard(fmt.Sprintf("above the line %c", 'a'+i), 100+i)
		o.Confidence, o.Basis, o.How, o.Checked, o.Choice = 0.98, domain.Above, domain.Matched, true, "inventory"
		must(t, s.Learn(t.Context(), by, o))
	}
	own, err := s.Read(t.Context(), by, hotel, "-", 0.96)
	if err != nil || len(own.Suspended) != 0 {
		t.Fatalf("%+v is suspended, %v", own.Suspended, err)
	}
	for i := range 2 { // asked again in the same thread
		o := heard(fmt.Sprintf("above the line %c", 'a'+i), 100+i)
		must(t, s.Learn(t.Context(), by, o))
	}
	if own, err = s.Read(t.Context(), by, hotel, "-", 0.96); err != nil || len(own.Suspended) != 1 {
		t.Errorf("after two corrections %+v is suspended, %v", own.Suspended, err)
	}
}
