package main

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/assistants/phrases"
	"github.com/bellhop-ai/bellhop/pkg/feedback"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/intents"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	feedbackstore "github.com/bellhop-ai/bellhop/pkg/supabase/feedback"
	store "github.com/bellhop-ai/bellhop/pkg/supabase/intents"
)

func TestMain(m *testing.M) { localtest.Main(m) }

const spokenFolder = "../../pkg/assistants/hospitality/testdata"

// S2-57, S2-59: over 10,000 turns more and more are matched, also after people begin to
// say other things, and what is matched stays right; what an attacker repeats becomes no
// phrase.
func TestAReplayOfTenThousandTurns(t *testing.T) {
	t.Parallel()
	said, err := sentences(spokenFolder)
	if err != nil {
		t.Fatal(err)
	}
	taught := newRules()
	got, err := replay{turns: 10_000, perDay: 170, people: 20, seed: 1, teacher: taught, sentences: said}.run()
	if err != nil {
		t.Fatal(err)
	}
	p := got.periods
	for _, half := range [][]period{p[:5], p[5:]} {
		if first, last := half[0].coverage(), half[4].coverage(); last < first+0.15 || last < 0.8 {
			t.Errorf("coverage goes from %.3f to %.3f", first, last)
		}
	}
	learnt, right := 0, 0
	for i, x := range p {
		learnt, right = learnt+x.learnt, right+x.learntRight
		if x.precision() < 0.985 || part(right, learnt) < 0.985 {
			t.Errorf("after %d turns the precision is %.4f, and %d of %d in admitted buckets are right", 1000*(i+1),
				x.precision(), right, learnt)
		}
	}
	if len(got.approved) < 50 || len(got.attacker) == 0 {
		t.Errorf("%d phrases are approved, %d of the attacker's suggested", len(got.approved), len(got.attacker))
	}
	own, err := taught.Own()
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range own.Intents {
		for _, phrase := range in.Phrases {
			if strings.Contains(phrase.Text, "route me") {
				t.Errorf("%q is a phrase of %s", phrase.Text, in.Name)
			}
		}
	}
}

// recorded is the database as a teacher.
type recorded struct {
	ctx      context.Context
	store    store.Store
	feedback feedbackstore.Store
	people   []identity.Caller // the first one is an administrator
	usual    float64
}

func (r recorded) by(person int) identity.Caller { return r.people[person%len(r.people)] }

func (r recorded) Learn(o intents.Observation, person, _ int) error {
	return r.store.Learn(r.ctx, r.by(person), o)
}

func (r recorded) Correct(o intents.Observation, person int) error {
	a := feedback.Answer{Assistant: o.Assistant, Thread: o.Thread, Question: o.Question, Text: "An answer.",
		At: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)}
	return r.feedback.Notice(r.ctx, r.by(person), a, feedback.Rephrase, "")
}

func (r recorded) Pending() ([]intents.Suggestion, error) {
	return r.store.Suggestions(r.ctx, r.people[0], hotel, intents.Pending)
}

func (r recorded) Decide(s intents.Suggestion, approve bool) error {
	_, err := r.store.Decide(r.ctx, r.people[0], hotel, intents.Decision{Code: s.Code, Approve: approve,
		Intent: s.Agent,
		Agent:  s.Agent, Phrase: s.Phrase})
	return err
}

func (r recorded) Own() (intents.Own, error) {
	return r.store.Read(r.ctx, r.people[0], hotel, "-", r.usual)
}

func record(t *testing.T, org localtest.Org) recorded {
	t.Helper()
	client, err := supabase.New(localtest.Config(t, localtest.Stack(t)))
	if err != nil {
		t.Fatal(err)
	}
	base, err := phrases.Model(hotel)
	if err != nil {
		t.Fatal(err)
	}
	r := recorded{ctx: t.Context(), store: store.New(client), feedback: feedbackstore.New(client),
		usual: base.Threshold()}
	for _, p := range []localtest.Person{org.Admin, org.Manager, org.Viewer} {
		r.people = append(r.people, identity.Caller{UserID: p.ID, OrgID: org.ID, Token: identity.Secret(p.Token)})
	}
	return r
}

// The database learns what the rules in Go learn, and nothing of it reaches another
// organisation, not even while that one teaches the opposite.
func TestTheDatabaseLearnsTheSame(t *testing.T) {
	t.Parallel()
	said, err := sentences(spokenFolder)
	if err != nil {
		t.Fatal(err)
	}
	said = said[:60] // so that some are said ten times
	org, other := localtest.NewOrg(t), localtest.NewOrg(t)
	inGo, inSQL, hostile := newRules(), record(t, org), record(t, other)
	for i := range 12 {
		o := intents.Observation{Assistant: hotel, Thread: "hostile", Question: said[0].text, Text: said[0].text,
			How: intents.Model, Agent: "analytics", Intent: "analytics", Confidence: 0.92, Basis: intents.Below,
			Success: true}
		o.Thread += string(rune('a' + i))
		if err := hostile.Learn(o, i, 0); err != nil {
			t.Fatal(err)
		}
	}
	both := [2]outcome{}
	for i, teacher := range []teacher{inGo, inSQL} {
		// Three people, on one day: the database has its own clock.
		r := replay{turns: 400, perDay: 100, people: 3, seed: 7, sentences: said, teacher: oneDay{teacher}}
		if both[i], err = r.run(); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(both[0].approved)
	slices.Sort(both[1].approved)
	if diff := cmp.Diff(both[0].approved, both[1].approved); diff != "" || len(both[0].approved) == 0 {
		t.Errorf("approved phrases differ, or there are none: %s", diff)
	}
	if diff := cmp.Diff(both[0].periods, both[1].periods, cmp.AllowUnexported(period{})); diff != "" {
		t.Errorf("matched turns differ: %s", diff)
	}
	report, err := inSQL.store.Report(t.Context(), inSQL.people[0], hotel, 30, inSQL.usual)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range report.Buckets {
		s := inGo.stats[statKey{b.Intent, b.Bucket, b.Basis}]
		if s == nil || s.total != b.Total || s.failed != b.Failed {
			t.Errorf("%s %v %s: %d of %d failed, in Go %+v", b.Intent, b.Bucket, b.Basis, b.Failed, b.Total, s)
		}
	}
	if len(report.Buckets) != len(inGo.stats) || len(report.Buckets) < 10 {
		t.Errorf("there are %d rows of statistics, in Go %d", len(report.Buckets), len(inGo.stats))
	}
	for _, r := range []recorded{inSQL, hostile} {
		own, err := r.Own()
		if err != nil {
			t.Fatal(err)
		}
		if n := len(own.Intents); (n > 0) != (r.people[0].OrgID == org.ID) {
			t.Errorf("the organisation has %d intents", n)
		}
	}
	if pending, err := hostile.Pending(); err != nil || len(pending) != 1 || pending[0].Agent != "analytics" {
		t.Errorf("suggested to the other organisation is %v, %v", pending, err)
	}
}

// oneDay is a teacher to whom all turns are of one day.
type oneDay struct{ teacher }

func (o oneDay) Learn(t intents.Observation, person, _ int) error {
	return o.teacher.Learn(t, person, 0)
}
