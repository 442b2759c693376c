package runtimes_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// ledger returns the questions of a run's ledger.
func (a agency) ledger(run map[string]any) []map[string]any {
	a.t.Helper()
	output, _ := run["output"].(map[string]any)
	context, _ := output["updatedTripContext"].(map[string]any)
	ledger, _ := context["questionLedger"].(map[string]any)
	list, _ := ledger["asked"].([]any)
	var out []map[string]any
	for _, e := range list {
		out = append(out, e.(map[string]any))
	}
	return out
}

// S4-13, S4-15, S4-23, S4-24: questions are entries of a ledger with times; they are
// answered in any order and several at once; one that is skipped blocks nothing.
func TestQuestionsAreKept(t *testing.T) {
	t.Parallel()
	a := newPlanner(t, "rules")
	who := a.org.Manager
	c := a.as(who, "id", uuid.NewString())
	c.ask("We'd like to go to Boston")
	trip := a.trip(who)
	first := a.ledger(a.run(who, trip, "1"))
	if len(first) < 3 || first[0]["id"] != "q1" {
		t.Fatalf("asked: %v", first)
	}
	for i, e := range first {
		// What was said without a question is never asked.
		status, at, not := "asked", "askedAt", "answeredAt"
		if e["field"] == "destinations" {
			status, at, not = "answered", not, at
		}
		if e["id"] != fmt.Sprintf("q%d", i+1) || e["status"] != status || e[at] == nil || e[not] != nil ||
			e["text"] == "" {
			t.Errorf("entry %v", e)
		}
	}
	c.ask("mid budget, two of us, from London")
	second := a.run(who, trip, "2")
	answered := map[string]string{}
	for _, e := range a.ledger(second) {
		if e["status"] == "answered" {
			answered[e["field"].(string)], _ = e["answeredText"].(string)
			if e["answeredAt"] == nil {
				t.Errorf("no time: %v", e)
			}
		}
	}
	if answered["travelers"] != "2 adults" || answered["budget"] == "" || answered["dates"] != "" {
		t.Errorf("answered: %v", answered)
	}
	context := second["output"].(map[string]any)["updatedTripContext"].(map[string]any)
	for _, member := range []string{"origin", "destinations", "travelers", "budget", "questionLedger"} {
		if context[member] == nil {
			t.Errorf("the context lacks %s: %v", member, context)
		}
	}
	c.ask("12 to 15 February 2027")
	if last := c.ask("skip"); !strings.Contains(last.Reply, "Boston") || a.mode(who, trip) != "CONFIRM" {
		t.Errorf("a skipped question blocks: %s %s", a.mode(who, trip), last.Reply)
	}
}

// S4-24, S4-36: what a model asks again in other words is not asked; its Markdown and links
// are not shown.
func TestAModelRepeatsAQuestion(t *testing.T) {
	t.Parallel()
	question := func(field, text string) map[string]any { return map[string]any{"field": field, "text": text} }
	model := script.Start(t, script.Step{When: asks("trip_planner"), Text: known(func(m map[string]any) {
		m["questions"] = []any{question("travelers", "And how big is your party?"),
			question("dates", "**Which** days [suit](https://evil.example/x) you `best`?")}
	})})
	a := newPlanner(t, model.URL)
	c := a.as(a.org.Manager, "id", uuid.NewString())
	c.ask("Boston for two of us, mid budget, from London")
	got := c.ask("hmm, whatever suits the whales out there")
	if strings.Contains(got.Reply, "how big is your party") || strings.Contains(got.Reply, "evil.example") ||
		strings.Contains(got.Reply, "`best`") {
		t.Errorf("%s", got.Reply)
	}
	if !strings.Contains(strings.ToLower(got.Reply), "day") && !strings.Contains(strings.ToLower(got.Reply), "when") {
		t.Errorf("the dates are not asked: %s", got.Reply)
	}
}

// S4-27: the master reads the last fifty messages.
func TestTheMasterReadsFiftyMessages(t *testing.T) {
	t.Parallel()
	model := script.Start(t, script.Step{When: asks("trip_planner"), Text: known(func(map[string]any) {})})
	a := newPlanner(t, model.URL)
	var messages []map[string]string
	for i := range 80 {
		role := []string{"user", "assistant"}[i%2]
		messages = append(messages, map[string]string{"role": role, "content": fmt.Sprintf("message %d", i)})
	}
	messages = append(messages, map[string]string{"role": "user", "content": "somewhere the wind sings"})
	if status, body := a.postAs(a.org.Manager, a.chat, "application/json",
		map[string]any{"messages": messages}); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	asked := model.Requests()
	if len(asked) != 1 {
		t.Fatalf("%d calls", len(asked))
	}
	sent := asked[0].Messages
	if n := len(sent) - 1; n > 51 || n < 40 || strings.Contains(string(asked[0].Body), "message 5\"") ||
		!strings.Contains(sent[len(sent)-1].Content, "wind sings") {
		t.Errorf("%d messages were sent, the last %+v", n, sent[len(sent)-1])
	}
}

// S4-8, S4-10, S4-43: plans differ pairwise in three of five ways at least, the rule on their
// budgets is reported, and each has alternatives, tags and a comparison.
func TestPlansDiffer(t *testing.T) {
	t.Parallel()
	a := newPlanner(t, "rules")
	who := a.org.Manager
	c := a.as(who, "id", uuid.NewString())
	card := c.plans(c.ask("Rome from 5 to 9 May 2027 for two adults from London, mid budget"))
	for i := range card.Options {
		for k := range i {
			apart := 0
			for _, axis := range card.Differs {
				if axis.Values[i] != axis.Values[k] {
					apart++
				}
			}
			if len(card.Differs) != 5 || apart < 3 {
				t.Errorf("plans %d and %d differ in %d of %d ways", k, i, apart, len(card.Differs))
			}
		}
	}
	run := a.run(who, card.Trip, "1")
	set, _ := run["options"].(map[string]any)
	tiers, _ := set["tiers"].([]any)
	if len(tiers) != 2 || !strings.Contains(fmt.Sprint(tiers...), "%") || set["comparisonNote"] == "" {
		t.Errorf("tiers %v, note %q", tiers, set["comparisonNote"])
	}
	for _, o := range set["options"].([]any) {
		option := o.(map[string]any)
		itinerary := option["itinerary"].(map[string]any)
		other, _ := itinerary["alternativeOptions"].(map[string]any)
		for _, member := range []string{"transport", "stays", "dining"} {
			if _, ok := other[member]; !ok {
				t.Errorf("%v has no alternatives of %s", option["id"], member)
			}
		}
		if days, _ := itinerary["days"].([]any); len(days) != 5 || len(option["tags"].([]any)) == 0 {
			t.Errorf("%v has %d days", option["id"], len(itinerary["days"].([]any)))
		}
	}
}

// S4-42: what a person does with plans, by buttons and by words: swap the hotel, share, look
// at the link without signing in, revoke it, take the calendar and the PDF.
func TestWhatIsDoneWithPlans(t *testing.T) {
	t.Parallel()
	a := newPlanner(t, "rules")
	who := a.org.Manager
	c := a.as(who, "id", uuid.NewString())
	card := c.plans(c.ask("Lisbon from 5 to 8 March 2027 for two adults from London, mid budget"))
	stay := func(p part.Plans) (name string) {
		for _, i := range p.Options[1].Days[0].Items {
			if i.Kind == "stay" {
				name = i.Title
			}
		}
		return name
	}
	swapped := c.plans(c.ask("another hotel in the second one"))
	if stay(swapped) == stay(card) || swapped.Options[0].Total != card.Options[0].Total {
		t.Errorf("the stay of the second is %q after %q", stay(swapped), stay(card))
	}
	if which := c.ask("swap the hotel"); !slices.Contains(which.kinds(), "choices") {
		t.Errorf("it is not asked which plan is meant: %s", which.Reply)
	}
	link := c.approve(c.ask("give me a link to share"))
	at := strings.Index(link.Reply, "/t/")
	if at < 0 {
		t.Fatalf("no link: %s", link.Reply)
	}
	path := strings.Fields(link.Reply[at:])[0]
	page, err := http.Get(a.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer page.Body.Close()
	if page.StatusCode != http.StatusOK || page.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("the link: %d %s", page.StatusCode, page.Header.Get("Content-Type"))
	}
	list := a.do(who, http.MethodGet, "/api/trips/"+card.Trip+"/shares", nil)["shares"].([]any)
	if len(list) != 1 {
		t.Fatalf("%d links", len(list))
	}
	code, _ := list[0].(map[string]any)["code"].(string)
	a.do(who, http.MethodDelete, "/api/trips/"+card.Trip+"/shares/"+code, nil)
	gone, err := http.Get(a.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer gone.Body.Close()
	if gone.StatusCode != http.StatusNotFound {
		t.Errorf("a revoked link: %d", gone.StatusCode)
	}
	if paper := c.ask("can I have it as a PDF?"); !slices.Contains(paper.kinds(), "link") {
		t.Errorf("no PDF: %s", paper.Reply)
	}
	c.approve(c.ask("I take the first one"))
	if file := c.ask("put it in my calendar"); !slices.Contains(file.kinds(), "link") {
		t.Errorf("no calendar: %s", file.Reply)
	}
	if refused := c.ask("now book the hotel"); !strings.Contains(refused.Reply, "book") ||
		refused.Confirmation != nil {
		t.Errorf("booking: %s", refused.Reply)
	}
	if other, _ := a.call(a.org.Viewer, http.MethodGet, "/api/trips/"+card.Trip+"/shares",
		nil); other != http.StatusNotFound {
		t.Errorf("links of another person: %d", other)
	}
}
