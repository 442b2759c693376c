package tool

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/plaintext"
)

// Bounds limit the arguments of all tools of an assistant, by the types of
// their fields. A value that matches the schema and is out of bounds, such as
// the year 9999, is refused before the user is asked. The limits of texts are
// the same everywhere: a name or code (a string) has up to 400 letters and no
// flaw that plaintext.Flaw knows, and a note (a string tagged limits:"note")
// has up to 20,000 and does not consist of invisible characters.
//
// A tag limits:"max=100000" gives a count its own end, limits:"signed" lets an
// amount or a count be below zero, and limits:"free" lifts all bounds of a field.
type Bounds struct {
	// Now returns the current time. Dates are from YearsBack years ago to
	// YearsAhead years from now; 0 is 10 and 5.
	Now                   calendar.Clock
	YearsBack, YearsAhead int
	// MaxAmount is the most that an amount (money.Amount) may be; 0 is 99,999,999.
	MaxAmount money.Amount
	// MaxCount is the most that a whole number may be; 0 is 1,000.
	MaxCount int
}

// Within returns the tools with bounds on their arguments. Without them only
// texts are bounded.
func Within(tools []Tool, b Bounds) []Tool {
	if b.YearsBack == 0 {
		b.YearsBack = 10
	}
	if b.YearsAhead == 0 {
		b.YearsAhead = 5
	}
	if b.MaxAmount.IsZero() {
		b.MaxAmount = money.FromInt(99_999_999)
	}
	if b.MaxCount == 0 {
		b.MaxCount = 1000
	}
	out := slices.Clone(tools)
	for i := range out {
		out[i].bounds = &b
	}
	return out
}

// Letters of texts.
const (
	maxLine = 400
	maxNote = 20_000
)

// kind is what a field is bounded as.
type kind uint8

const (
	unbounded kind = iota
	line           // a name, a code, an address
	note           // prose
	word           // a text of a foreign tool, of unknown meaning
	day
	amount
	count
)

// rule is what holds for a value and for what is in it.
type rule struct {
	kind   kind
	signed bool
	most   int // of a count; 0 is as Bounds say
	fields map[string]*rule
	items  *rule
}

// rulesOf reads the rules from the type of an input.
func rulesOf(t reflect.Type, tag string) (*rule, error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	r := &rule{}
	switch {
	case t == reflect.TypeFor[calendar.Date]():
		r.kind = day
	case t == reflect.TypeFor[money.Amount]():
		r.kind = amount
	case t.Kind() == reflect.String:
		if _, closed := reflect.Zero(t).Interface().(Enumerated); !closed {
			r.kind = line
		}
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64:
		r.kind = count
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Array:
		items, err := rulesOf(t.Elem(), tag)
		return &rule{items: items}, err
	case t.Kind() == reflect.Struct:
		r.fields = map[string]*rule{}
		return r, r.read(t)
	}
	return r, r.tagged(tag)
}

// read adds the fields of a struct, those of embedded ones among them.
func (r *rule) read(t reflect.Type) error {
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			embedded := f.Type
			if embedded.Kind() == reflect.Pointer {
				embedded = embedded.Elem()
			}
			if err := r.read(embedded); err != nil {
				return err
			}
			continue
		}
		if name == "" || name == "-" {
			continue
		}
		field, err := rulesOf(f.Type, f.Tag.Get("limits"))
		if err != nil {
			return fmt.Errorf("the field %s: %w", name, err)
		}
		r.fields[name] = field
	}
	return nil
}

func (r *rule) tagged(tag string) error {
	if tag == "" {
		return nil
	}
	for part := range strings.SplitSeq(tag, ",") {
		most, isMost := strings.CutPrefix(part, "max=")
		n, err := strconv.Atoi(most)
		switch {
		case isMost && err == nil && n > 0 && r.kind == count:
			r.most = n
		case part == "note" && r.kind == line:
			r.kind = note
		case part == "signed" && (r.kind == amount || r.kind == count):
			r.signed = true
		case part == "free":
			r.kind = unbounded
		default:
			return fmt.Errorf("the limits %q do not fit it", tag)
		}
	}
	return nil
}

// judge names the first argument that is out of bounds, in a sentence; "" for
// none.
func (b *Bounds) judge(r *rule, value any, name string) string {
	if r == nil {
		return ""
	}
	switch v := value.(type) {
	case map[string]any:
		for _, key := range sortedKeys(v) {
			field := r.fields[key]
			if r.kind == word {
				field = r
			}
			if problem := b.judge(field, v[key], strings.TrimPrefix(name+"."+key, ".")); problem != "" {
				return problem
			}
		}
	case []any:
		items := r.items
		if r.kind == word {
			items = r
		}
		for i, item := range v {
			if problem := b.judge(items, item, fmt.Sprintf("%s[%d]", name, i)); problem != "" {
				return problem
			}
		}
	case string:
		return b.text(r, v, name)
	case json.Number:
		return b.number(r, v, name)
	}
	return ""
}

func (b *Bounds) text(r *rule, text, name string) string {
	limit := 0
	switch r.kind {
	case day:
		return b.day(text, name)
	case line:
		if flaw := plaintext.Flaw(text); flaw != "" {
			return fmt.Sprintf("%s %s.", name, flaw)
		}
		limit = maxLine
	case word:
		if flaw := plaintext.Flaw(text); flaw != "" && utf8.RuneCountInString(text) <= maxSteering {
			return fmt.Sprintf("%s %s.", name, flaw)
		}
	case note:
		if _, hidden := plaintext.Show(text); hidden && plaintext.Empty(text) {
			return fmt.Sprintf("%s is made of characters that nobody sees; write words.", name)
		}
		limit = maxNote
	}
	if limit > 0 && utf8.RuneCountInString(text) > limit {
		return fmt.Sprintf("%s is longer than %d letters.", name, limit)
	}
	return ""
}

func (b *Bounds) day(text, name string) string {
	d, err := calendar.Parse(text)
	if b == nil || b.Now == nil || err != nil {
		return "" // what is no date was refused before
	}
	now := b.Now().UTC()
	first, last := calendar.Of(now.AddDate(-b.YearsBack, 0, 0)), calendar.Of(now.AddDate(b.YearsAhead, 0, 0))
	if d.Before(first) || d.After(last) {
		return fmt.Sprintf("%s must be from %s to %s, not %s. Is the year right?", name, first, last, d)
	}
	return ""
}

func (b *Bounds) number(r *rule, number json.Number, name string) string {
	if b == nil {
		return ""
	}
	n, err := money.Parse(string(number))
	switch r.kind {
	case amount:
		least := money.Zero
		if r.signed {
			least, _ = least.Sub(b.MaxAmount)
		}
		if err != nil || n.Cmp(least) < 0 || n.Cmp(b.MaxAmount) > 0 {
			return fmt.Sprintf("%s must be from %s to %s, not %s.", name, least, b.MaxAmount, number)
		}
	case count:
		most, least := r.most, 0
		if most == 0 {
			most = b.MaxCount
		}
		if r.signed {
			least = -most
		}
		if err != nil || n.Cmp(money.FromInt(least)) < 0 || n.Cmp(money.FromInt(most)) > 0 {
			return fmt.Sprintf("%s must be from %d to %d, not %s.", name, least, most, number)
		}
	}
	return ""
}
