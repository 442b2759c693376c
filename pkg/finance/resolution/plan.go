package resolution

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/finance/language"
)

// Context is what a plan is made of.
type Context struct {
	Text  string
	Today calendar.Date // the company's
	// Earlier are results of earlier turns, for sources of the kind result.
	Earlier  []Result
	Language language.Language
	// Given are the values that the person chose for arguments, by the kind of what was
	// asked for: Missing.Of.
	Given map[string]string
}

// Result is a call that succeeded, or failed: then Answer is nil.
type Result struct {
	Tool              string
	Arguments, Answer json.RawMessage
}

// Call is one call of a plan.
type Call struct {
	Tool, Purpose string
	Arguments     json.RawMessage
	// LookUp says that it only finds what a name stands for; its answer is none for the
	// person.
	LookUp bool
}

// Missing is what a plan can't go on without.
type Missing struct {
	Kind MissingKind
	Of   string // what is asked for: customer, vendor, product, account, bank, number, date
	// Question is a sentence for the person, in the language of the context.
	Question string
	Choices  []Choice // may be empty
}

// MissingKind says why something is missing.
type MissingKind string

// The kinds.
const (
	NotSaid    MissingKind = "not_said"    // it is needed, and was not said
	NotFound   MissingKind = "not_found"   // there is none of this name; Choices are similar ones
	SeveralFit MissingKind = "several_fit" // Choices are those that the name fits
	NoSuchDate MissingKind = "no_such_date"
)

// Choice is one of the answers to a question.
type Choice struct{ Label, Value string }

// Plan is the calls that answer a question. It is a value: Next is pure.
type Plan struct {
	flow  *Flow
	other *Flow // nil for none
	c     Context
	said  said
}

// Flow returns the flow that is planned.
func (p Plan) Flow() Flow { return *p.flow }

// Plan returns the plan of an intent for a sentence, which may be that of another flow:
// see Flow.Named. It reports false for an intent
// without a flow, for one that writes, and where the flow would leave a name or a bound
// of amounts in the sentence aside: that is for a model.
func (f *Flows) Plan(intentName string, c Context) (Plan, bool) {
	flow, ok := f.byIntent[intentName]
	if !ok || flow.Writes {
		return Plan{}, false
	}
	p := Plan{flow: flow, other: f.byIntent[flow.Otherwise], c: c, said: f.read(c, flow)}
	switch r := p.said.ranges; {
	case flow.Numbered != "" && p.said.number != "":
		return f.Plan(flow.Numbered, c)
	case flow.Named != "" && p.said.name != "" && p.said.named:
		return f.Plan(flow.Named, c)
	case slices.ContainsFunc(flow.Unless, func(w string) bool {
		return slices.Contains(p.said.folded, foldWord(w))
	}):
		return Plan{}, false
	case p.said.loose: // an amount that no flow can take
		return Plan{}, false
	case len(r) == 2 && r[0] != r[1] && !flow.compares() && !spans().MatchString(c.Text):
		return Plan{}, false // two periods, and one answer: that is a comparison
	}
	if !flow.AnyName && p.said.name != "" && p.said.named && !flow.takesName() {
		return Plan{}, false
	}
	if (p.said.least != nil || p.said.most != nil) && !flow.takesBound() {
		return Plan{}, false
	}
	return p, true
}

// spans are the words that make one period of two.
var spans = lazily(`(?i)\b(?:to|till|until|through|upto|between|from|since|tak|thru)\b|तक|[0-9a-z] ?[-–] ?[0-9a-z]`)

// compares reports whether the flow is of two periods.
func (f *Flow) compares() bool {
	for _, s := range f.Steps {
		for _, a := range s.Arguments {
			if a.From == FromComparison {
				return true
			}
		}
	}
	return false
}

// takesBound reports whether "above 1 lakh" means something to the flow.
func (f *Flow) takesBound() bool {
	for _, s := range f.Steps {
		for _, a := range s.Arguments {
			if a.From == FromLeast || a.From == FromMost {
				return true
			}
		}
	}
	return false
}

// takesName reports whether a name in a sentence means something to the flow.
func (f *Flow) takesName() bool {
	for _, s := range f.Steps {
		for _, a := range s.Arguments {
			if a.From == FromName {
				return true
			}
		}
	}
	return false
}

// Steps returns the calls that are planned before any is made, for showing: those of
// the flow, without look-ups.
func (p Plan) Steps() []StepSpec { return slices.Clone(p.flow.Steps) }

// Next returns what comes after these results, which are those of this plan so far, in
// any order: calls, or that the plan is done, or what is missing. Of a step that failed
// nothing is called again.
func (p Plan) Next(results []Result) (calls []Call, done bool, missing *Missing) {
	if p.said.badDate != "" {
		return nil, false, &Missing{Kind: NoSuchDate, Of: "date", Question: p.sayNoDate()}
	}
	calls, done, missing = p.next(results)
	if missing != nil && missing.Kind == NotFound && p.other != nil {
		p.flow, p.other = p.other, nil
		if calls, done, other := p.next(results); other == nil || other.Kind != NotFound {
			return calls, done, other
		}
	}
	return calls, done, missing
}

func (p Plan) next(results []Result) (calls []Call, done bool, missing *Missing) {
	for _, step := range p.flow.Steps {
		arguments, lookUp, missing := p.arguments(step, results)
		if missing != nil {
			return nil, false, missing
		}
		if lookUp != nil {
			return []Call{*lookUp}, false, nil
		}
		if arguments == nil {
			continue // an earlier step has to answer first
		}
		if !called(results, step.Tool, arguments) {
			calls = append(calls, Call{Tool: step.Tool, Purpose: step.Purpose, Arguments: arguments})
		}
	}
	return calls, len(calls) == 0, nil
}

// answerOf returns the result of a call; nil for one that was not made.
func answerOf(results []Result, tool string, arguments json.RawMessage) *Result {
	for i, r := range results {
		if r.Tool == tool && same(r.Arguments, arguments) {
			return &results[i]
		}
	}
	return nil
}

// same reports whether two objects are the same JSON.
func same(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

func called(results []Result, tool string, arguments json.RawMessage) bool {
	return answerOf(results, tool, arguments) != nil
}

// arguments returns the arguments of a step, or the look-up that they need first, or
// what is missing. All nil means that an earlier step has not answered yet.
func (p Plan) arguments(step StepSpec, results []Result) (json.RawMessage, *Call, *Missing) {
	out := map[string]any{}
	for name, s := range step.Arguments {
		switch s.From {
		case FromName:
			v, call, missing := p.look(s, results)
			if call != nil || missing != nil {
				return nil, call, missing
			}
			if v != "" {
				out[name] = v
			}
		case FromResult:
			v, ok := fromResult(s, slices.Concat(results, p.c.Earlier))
			if !ok {
				return nil, nil, nil
			}
			out[name] = v
		default:
			v, missing := p.value(s)
			if missing != nil {
				return nil, nil, missing
			}
			if v != nil {
				out[name] = v
			}
		}
	}
	raw, err := json.Marshal(out)
	if err != nil {
		return nil, nil, nil // values are strings, numbers and booleans
	}
	return raw, nil, nil
}

// value returns what the sentence says; nil leaves the argument out.
func (p Plan) value(s Source) (any, *Missing) {
	switch s.From {
	case FromConstant:
		return s.Value, nil
	case FromPeriodStart, FromPeriodEnd, FromDay, FromMonth:
		return p.date(s), nil
	case FromComparison:
		return p.comparison(s.Part), nil
	case FromNumber:
		return p.number(s)
	case FromLeast, FromMost:
		if a := p.said.least; s.From == FromLeast && a != nil {
			return a.String(), nil
		}
		if a := p.said.most; s.From == FromMost && a != nil {
			return a.String(), nil
		}
	case FromDays:
		if p.said.days > 0 {
			return p.said.days, nil
		}
	case FromDaysAhead, FromMonths:
		return p.count(s), nil
	case FromWords:
		return p.word(s), nil
	}
	return nil, nil
}

func (p Plan) number(s Source) (any, *Missing) {
	switch {
	case p.c.Given["number"] != "":
		return p.c.Given["number"], nil
	case p.said.number != "":
		return p.said.number, nil
	case s.Default == "leave_out":
		return nil, nil
	}
	return nil, &Missing{Kind: NotSaid, Of: "number", Question: p.sayNumber()}
}

// count returns a number of days or months.
func (p Plan) count(s Source) any {
	n := 0
	switch {
	case s.From == FromDaysAhead && p.said.days > 0:
		n = p.said.days
	case s.From == FromDaysAhead && p.said.periods > 0:
		// The last day of "next week" is at most so many days away.
		n = p.c.Today.Until(p.said.period.To) - 1
	case s.From == FromMonths && p.said.months > 0:
		n = p.said.months
	case s.From == FromMonths && p.said.days > 0:
		n = (p.said.days + 29) / 30
	case s.From == FromMonths && p.flow.Ahead && p.said.periods > 0:
		last := p.said.period.To.AddDays(-1)
		n = (last.Year-p.c.Today.Year)*12 + int(last.Month) - int(p.c.Today.Month)
	}
	if n <= 0 {
		if v, ok := s.Value.(float64); ok {
			n = int(v)
		}
	}
	if n <= 0 {
		return nil
	}
	n = max(n, s.Least)
	if s.Most > 0 {
		n = min(n, s.Most)
	}
	return n
}

// word returns the value that words of the sentence choose. The first in the order of
// the values counts.
func (p Plan) word(s Source) any {
	var values []string
	for v := range s.Choices {
		values = append(values, v)
	}
	slices.Sort(values)
	text := " " + strings.Join(p.said.folded, " ") + " "
	for _, v := range values {
		for _, w := range s.Choices[v] {
			if strings.Contains(text, " "+strings.Join(foldWords(w), " ")+" ") {
				return v
			}
		}
	}
	return nil
}

// fromResult returns a value of an earlier result.
func fromResult(s Source, results []Result) (any, bool) {
	for _, r := range slices.Backward(results) {
		if r.Tool != s.Tool || r.Answer == nil {
			continue
		}
		var v any
		d := json.NewDecoder(bytes.NewReader(r.Answer))
		d.UseNumber()
		if d.Decode(&v) != nil {
			continue
		}
		for _, key := range strings.Split(strings.TrimPrefix(s.Pointer, "/"), "/") {
			switch at := v.(type) {
			case map[string]any:
				v = at[key]
			case []any:
				i, err := strconv.Atoi(key)
				if err != nil || i < 0 || i >= len(at) {
					return nil, false
				}
				v = at[i]
			default:
				return nil, false
			}
		}
		switch v.(type) {
		case string, json.Number, bool:
			return v, true
		}
	}
	return nil, false
}

// String is for logs and tests.
func (c Call) String() string { return fmt.Sprintf("%s %s", c.Tool, c.Arguments) }
