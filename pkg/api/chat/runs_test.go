package chat_test

import (
	"context"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/extras"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// alone is what the grammar says of the events of one run.
func (g grammar) alone() *regexp.Regexp {
	return regexp.MustCompile("^(?:" + strings.ReplaceAll(g.expand("step"), " ", "") + ")*$")
}

// S2-13: a turn with several runs keeps to the grammar, as a whole and in each
// run; the events say whose they are, in both streams, and docs/streams.md how.
func TestTurnsWithSeveralRunsKeepToTheGrammar(t *testing.T) {
	t.Parallel()
	g := readGrammar(t)
	alone := g.alone()
	page, err := os.ReadFile("../../../docs/streams.md")
	fatal(t, err)
	for _, row := range []string{"| `run` | ", "| `runs` | ", "| `data-run` | "} {
		if !strings.Contains(string(page), row) {
			t.Errorf("the page has no row %s", row)
		}
	}
	asks := []script.Call{{Name: "add_kite", Arguments: `{"name":"Asked"}`}}
	tests := map[string]struct {
		steps []script.Step
		ends  []agent.Finish // flights, stays
	}{
		"two that act": {[]script.Step{
			{When: about("flights", 0), Text: "Looking.", Calls: kiteCalls("First")},
			{When: about("flights", 1), Text: "One."},
			{When: about("stays", 0), Calls: kiteCalls("Second")}, {When: about("stays", 1), Text: "Two."},
		}, []agent.Finish{agent.Stop, agent.Stop}},
		"one is longer": {[]script.Step{
			{When: about("flights", 0), Text: "One."},
			{When: about("stays", 0), Calls: []script.Call{{Name: "find_options"}}},
			{When: about("stays", 1), Calls: kiteCalls("Only")}, {When: about("stays", 2), Text: "Two."},
		}, []agent.Finish{agent.Stop, agent.Stop}},
		"one asks": {[]script.Step{
			{When: about("flights", 0), Text: "May I?", Calls: asks},
			{When: about("stays", 0), Calls: kiteCalls("Never")}, {When: about("stays", 1), Text: "Not yet."},
		}, []agent.Finish{agent.Confirm, agent.Stop}},
		"one fails": {[]script.Step{
			{When: about("flights", 0), Fault: script.Status(http.StatusBadRequest, nil, "")},
			{When: about("stays", 0), Text: "Two."},
		}, []agent.Finish{agent.Failed, agent.Stop}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			org := toyOrg(t)
			d := openToy(t, "property", nil, tc.steps...)
			list := talked(t, d, org.Manager.Token, "thread-1")
			_, raw := d.post(t, "/api/chat", org.Manager.Token, "text/event-stream",
				map[string]any{"id": "thread-1", "turn": "t1", "messages": list})
			got := events(t, raw)
			g.check(t, got)
			ordered(t, got, "t1")
			own := map[string]string{}
			for _, e := range got {
				if run, ok := e.data["run"].(string); ok {
					own[run] += e.name + ","
				} else if !slices.Contains([]string{"connected", "understanding_started", "complete"}, e.name) {
					t.Errorf("nobody knows whose %s is", e.name)
				}
			}
			for _, run := range []string{"flights", "stays"} {
				if own[run] == "" || !alone.MatchString(own[run]) {
					t.Errorf("%s alone is %q", run, own[run])
				}
			}
			if len(own) != 2 {
				t.Errorf("runs %v", own)
			}
			c := completed(t, raw)
			var ends []agent.Finish
			for _, r := range c.Runs {
				ends = append(ends, r.Finish)
			}
			if !slices.Equal(ends, tc.ends) {
				t.Errorf("the runs end with %v, want %v", ends, tc.ends)
			}
		})
	}
	t.Run("AI SDK", func(t *testing.T) {
		t.Parallel()
		org := toyOrg(t)
		d := openToy(t, "property", nil, tests["two that act"].steps...)
		list := talked(t, d, org.Manager.Token, "thread-1")
		list[len(list)-1] = map[string]any{
			"id": "m3", "role": "user", "parts": []any{map[string]any{"type": "text", "text": "To Goa"}},
		}
		_, raw := d.post(t, "/api/chat", org.Manager.Token, "text/event-stream",
			map[string]any{"id": "thread-1", "messages": list})
		var runs []string
		shape := regexp.MustCompile(`{"type":"data-run","data":{"run":"([a-z]+)"}}`)
		for _, m := range shape.FindAllStringSubmatch(string(raw), -1) {
			runs = append(runs, m[1])
		}
		if want := []string{"flights", "stays", "flights", "stays"}; !slices.Equal(runs, want) {
			t.Errorf("the parts of %v follow each other, want %v:\n%s", runs, want, raw)
		}
	})
}

// busy counts the acts that have begun and those that are over.
type busy struct {
	extras.Store
	begun, over *atomic.Int64
}

func (s busy) Create(ctx context.Context, by identity.Caller, e extras.Extra) (extras.Extra, error) {
	s.begun.Add(1)
	defer s.over.Add(1)
	return s.Store.Create(ctx, by, e)
}

// F-74: stop ends all runs of a turn between two of their steps. What was done is
// said, once for each run; what the models still wanted is not done, no model is
// asked again, and the turn is over.
func TestStopEndsAllRuns(t *testing.T) {
	t.Parallel()
	org := toyOrg(t)
	var begun, over atomic.Int64
	stopped := make(chan struct{})
	var d door
	stop := func(script.Request) {
		// Both runs have done what they wanted first, and are asked for more.
		resp, raw := d.post(t, "/api/chat/toy/thread-1/stop", org.Manager.Token, "", map[string]any{})
		if resp.StatusCode != http.StatusAccepted {
			t.Errorf("stop: %d %s", resp.StatusCode, raw)
		}
		close(stopped)
	}
	d = openToy(t, "property", func(s extras.Store) extras.Store { return busy{s, &begun, &over} },
		script.Step{When: about("flights", 0), Calls: kiteCalls("First")},
		script.Step{When: about("stays", 0), Calls: kiteCalls("Second")},
		script.Step{When: about("flights", 1), Hold: stopped, Calls: kiteCalls("Third")},
		script.Step{When: about("stays", 1), Arrived: stop, Calls: kiteCalls("Fourth")},
		script.Step{When: about("flights", 2), Text: "Never."}, script.Step{When: about("stays", 2), Text: "Never."})
	body := map[string]any{"id": "thread-1", "turn": "t1", "messages": talked(t, d, org.Manager.Token, "thread-1")}
	_, raw := d.post(t, "/api/chat", org.Manager.Token, "text/event-stream", body)
	readGrammar(t).check(t, events(t, raw))
	if got := kitesOf(t, org); !slices.Equal(got, []string{"First", "Second"}) {
		t.Errorf("kites %q", got)
	}
	if begun.Load() != 2 || over.Load() != 2 {
		t.Errorf("%d acts have begun, %d are over", begun.Load(), over.Load())
	}
	if n := len(d.model.Requests()); n != 4 {
		t.Errorf("the models were asked %d times", n)
	}
	c := completed(t, raw)
	const said = "Stopped, as you asked. Done: Note kite: done. Nothing else was changed."
	if c.Finish != agent.Stop || len(c.Runs) != 2 || c.Reply != said+"\n\n"+said {
		t.Errorf("it ends with %s, %+v, %q", c.Finish, c.Runs, c.Reply)
	}
	var acted []bool
	for _, r := range c.ToolResults {
		acted = append(acted, r.Success)
	}
	if want := []bool{true, false, true, false}; !slices.Equal(acted, want) {
		t.Errorf("the acts of the runs went %v, want %v", acted, want)
	}
	for _, r := range c.Runs {
		if r.Finish != agent.Stop || r.Error != "" {
			t.Errorf("a run ends with %+v", r)
		}
	}
	open := localtest.SQL(t, "select turn from public.turns where org_id = $1 and finished_at is null", org.ID)
	if len(open) != 0 {
		t.Errorf("these turns still run: %v", open)
	}
	// The stopped turn, sent again, is that answer, and does nothing.
	_, again := d.post(t, "/api/chat", org.Manager.Token, "text/event-stream", body)
	if string(again) != string(raw) || len(kitesOf(t, org)) != 2 {
		t.Errorf("sent again it is\n%s", again)
	}
}
