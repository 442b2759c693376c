package questions_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/planner/questions"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

var now = time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)

func today() calendar.Date { return calendar.Of(now) }

func fieldsOf(list []questions.Entry) string {
	var out []string
	for _, e := range list {
		out = append(out, string(e.Field))
	}
	return strings.Join(out, " ")
}

// S4-3 S4-23
func TestCriticalQuestionsComeFirstAndAtMostSeven(t *testing.T) {
	t.Parallel()
	var l questions.Ledger
	asked := l.Ask(now,
		questions.Question{Text: "Do you need a rental car?"},
		questions.Question{Field: trip.Dietary, Text: "Anything you do not eat?"},
		questions.Question{Field: trip.Origin, Text: "Where from?"},
		questions.Question{Field: trip.BudgetLevel, Text: "What budget?"},
		questions.Question{Field: trip.Party, Text: "How many?"},
		questions.Question{Field: trip.Dates, Text: "When?"},
		questions.Question{Field: trip.Destinations, Text: "Where to?"},
		questions.Question{Text: "Is it a birthday?"},
		questions.Question{Text: "Do you have visas?"},
	)
	if got := fieldsOf(asked); got != "destinations dates travelers budget origin dietary " {
		t.Errorf("asked %q", got)
	}
	for i, e := range asked {
		if e.ID != fmt.Sprintf("q%d", i+1) || e.Status != questions.Asked || e.AskedAt == nil || e.AnsweredAt != nil {
			t.Errorf("entry %d is %+v", i, e)
		}
	}
	data, err := json.Marshal(l)
	if err != nil || !strings.HasPrefix(string(data), `{"asked":[{"id":"q1","text":"Where to?",`) {
		t.Errorf("as JSON %s %v", data, err)
	}
}

// S4-24
func TestWhatWasAskedIsNotAskedInOtherWords(t *testing.T) {
	t.Parallel()
	var l questions.Ledger
	l.Ask(now, questions.Question{Text: "How many people are travelling?"},
		questions.Question{Text: "When would you like to travel?"},
		questions.Question{Text: "Will you rent a car there?"},
		questions.Question{Text: "What is your budget?"},
		questions.Question{Text: "Which city would you like to visit?"},
		questions.Question{Text: "Are you celebrating a birthday?"})
	if n := len(l.Asked); n != 6 {
		t.Fatalf("%d questions were asked: %+v", n, l.Asked)
	}
	for _, same := range []string{
		"What is the size of your group?", "How many of you are going?", "Who will be joining you on this trip?",
		"How many travellers should I plan for?", "What specific dates are you considering?",
		"How long will you stay?", "Which month suits you?", "How much do you want to spend?",
		"Do you prefer economy or luxury?", "Where do you want to go?", "What destination do you have in mind?",
		"Do you need to hire a car?", "Would you like to rent a vehicle?",
		"Is this for a special occasion like a birthday?",
		"Tell me everything about your trip", "Please share all the details of your plans",
		"When, where, how many people, what budget, and which hotel style?",
	} {
		if got := l.Filter([]questions.Question{{Text: same}}); len(got) != 0 {
			t.Errorf("%q may be asked", same)
		}
	}
	for _, other := range []string{"Where do you start from?", "Do you have any dietary restrictions?",
		"What pace do you like?", "Which airport do you depart from?", "Do you have passports?",
		"What style of hotel do you prefer?", "What are your interests?", "Is there something you must see?"} {
		if got := l.Filter([]questions.Question{{Text: other}}); len(got) != 1 {
			t.Errorf("%q may not be asked", other)
		}
	}
	two := l.Filter([]questions.Question{{Text: "What do you enjoy?"}, {Text: "What are your interests?"},
		{Text: "Do you have passports?"}, {Text: "Do you all have a passport?"}, {Text: ""}})
	if len(two) != 2 {
		t.Errorf("of two topics %v are asked", two)
	}
}

// S4-24
func TestAnswersComeInAnyOrder(t *testing.T) {
	t.Parallel()
	var l questions.Ledger
	l.Ask(now, questions.For(trip.Context{}, l, today())...)
	if got := fieldsOf(l.Outstanding()); got != "destinations dates travelers budget origin interests" ||
		!l.Blocking() {
		t.Fatalf("outstanding %q", got)
	}
	later := now.Add(time.Minute)
	l.Answer(later, trip.Origin, "London")
	l.Answer(later, trip.BudgetLevel, "mid")
	l.Answer(later, trip.HotelStyle, "boutique") // was not asked
	l.Skip(later, trip.Interests)
	if got := fieldsOf(l.Outstanding()); got != "destinations dates travelers" {
		t.Errorf("outstanding %q", got)
	}
	answered, open := l.Context()
	want := []string{"What budget fits: low, mid or high? mid", "Where do you start from? London",
		"What do you like most: history, food, art, nature or something else? skipped",
		"What style of hotel do you like? boutique"}
	if !slices.Equal(answered, want) || len(open) != 3 || open[0] != "Where would you like to go?" {
		t.Errorf("answered %q\nopen %q", answered, open)
	}
	l.Answer(later, trip.BudgetLevel, "high") // corrected
	if answered, _ = l.Context(); !strings.HasSuffix(answered[0], " high") || len(answered) != 4 {
		t.Errorf("after a correction %q", answered)
	}
	l.Skip(later)
	if len(l.Outstanding()) != 0 || l.Blocking() {
		t.Errorf("after skipping all there is %+v", l.Outstanding())
	}
	if got := l.Filter([]questions.Question{{Text: "What do you enjoy?"},
		{Text: "Which hotel style do you prefer?"}}); len(got) != 0 {
		t.Errorf("%v is asked although it was skipped or said", got)
	}
}

func TestAnOpenQuestionKeepsItsPlace(t *testing.T) {
	t.Parallel()
	var l questions.Ledger
	first := l.Ask(now, questions.Question{Field: trip.Dates, Text: "When?", Critical: true})
	again := l.Ask(now.Add(time.Hour), questions.Question{Field: trip.Dates, Text: "Until when?", Critical: true})
	if len(l.Asked) != 1 || again[0].ID != first[0].ID || again[0].Text != "Until when?" {
		t.Errorf("asked again: %+v", l.Asked)
	}
	l.Answer(now, trip.Dates, "12 to 15 Feb")
	// The dates were given up: a critical question is open again, an optional one is not.
	if got := l.Ask(now, questions.Question{Field: trip.Dates, Text: "When?", Critical: true}); len(got) != 1 ||
		l.Asked[0].Status != questions.Asked || l.Asked[0].AnsweredText != "" {
		t.Errorf("%+v", l.Asked)
	}
	l.Ask(now, questions.Question{Field: trip.Dietary, Text: "What do you not eat?"})
	l.Skip(now, trip.Dietary)
	if got := l.Ask(now, questions.Question{Field: trip.Dietary, Text: "Any diet?"}); len(got) != 0 {
		t.Errorf("an optional question is asked twice: %+v", got)
	}
	if !l.AnswerID(now, "q1", "in May") || l.AnswerID(now, "q99", "x") {
		t.Error("answers by id")
	}
}

// S4-37: questions are about what is missing, and optional ones never stand alone.
func TestOnlyWhatIsMissingIsAsked(t *testing.T) {
	t.Parallel()
	c := trip.Context{Destinations: []trip.Place{{Name: "Rome"}}, Travellers: &trip.Travellers{Adults: 2},
		Dates: trip.DateRange{Nights: 3}, Budget: trip.Mid, Origin: &trip.Place{Name: "London"}}
	list := questions.For(c, questions.Ledger{}, today())
	if len(list) != 2 || list[0].Field != trip.Dates || list[0].Text != "Which dates for the 3 nights?" ||
		!slices.Equal(list[0].Choices, []string{"11 to 14 Dec 2026", "25 to 28 Dec 2026", "8 to 11 Jan 2027"}) {
		t.Errorf("%+v", list)
	}
	c.Dates.Start = today().AddDays(30)
	list = questions.For(c, questions.Ledger{}, today())
	if list[0].Text != "You start on Wed 23 Dec 2026: until when?" || list[0].Choices[1] != "Until 26 Dec 2026" {
		t.Errorf("%+v", list[0])
	}
	c.Dates.End = c.Dates.Start.AddDays(3)
	if list = questions.For(c, questions.Ledger{}, today()); len(list) != 0 {
		t.Errorf("everything critical is known, and %+v is asked", list)
	}
}

func TestALedgerIsBounded(t *testing.T) {
	t.Parallel()
	var l questions.Ledger
	long := strings.Repeat("“語”", 200)
	for i := range 200 {
		l.Ask(now, questions.Question{Text: fmt.Sprintf("Question %d about alpha%d beta%d gamma%d %s", i, i, i, i,
			long)})
		l.AnswerID(now, l.Asked[len(l.Asked)-1].ID, long)
		if i%9 == 0 {
			for _, f := range trip.Fields() {
				l.Answer(now, f, long)
			}
		}
		data, err := json.Marshal(l)
		if err != nil || len(data) > questions.MaxBytes || len(l.Asked) > questions.MaxEntries {
			t.Fatalf("after %d: %d entries in %d bytes, %v", i, len(l.Asked), len(data), err)
		}
	}
	ids := map[string]bool{}
	for _, e := range l.Asked {
		if ids[e.ID] {
			t.Errorf("id %s twice", e.ID)
		}
		ids[e.ID] = true
	}
	// Ordinary questions stay whole.
	var ordinary questions.Ledger
	for i := range 60 {
		ordinary.Ask(now, questions.Question{Text: fmt.Sprintf("Do you want thing%d or item%d?", i, i)})
		ordinary.AnswerID(now, fmt.Sprintf("q%d", i+1), "the first of them, please")
	}
	if n := len(ordinary.Asked); n != 60 {
		t.Errorf("%d of 60 entries are left", n)
	}
}

// A ledger of 50 questions is asked, filtered and answered (the issue: within 1 ms).
func BenchmarkFiftyQuestions(b *testing.B) {
	var l questions.Ledger
	var list []questions.Question
	for i := range 50 {
		list = append(list, questions.Question{Text: fmt.Sprintf("Would you like to see museum %d or the gallery of "+
			"room %d?", i, i*7)})
		l.Asked = append(l.Asked, questions.Entry{ID: fmt.Sprintf("q%d", i+1), Status: questions.Answered,
			Text: fmt.Sprintf("Shall I include castle %d with its garden %d?", i, i*3), AnsweredText: "yes"})
	}
	for b.Loop() {
		m := questions.Ledger{Asked: slices.Clone(l.Asked)}
		m.Filter(list)
		m.Answer(now, trip.Dates, "12 to 15 Feb")
		m.Context()
	}
}
