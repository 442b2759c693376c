package writes

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/gst"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Form is what is known of a write before it can be proposed.
type Form struct {
	Params part.Params
	// Ask is a question with a choice, nil for none: which of several customers is
	// meant, or which account. It comes before anything that is pending.
	Ask *part.Clarification
}

// Whole reports whether nothing is wanted any more, so that the tool can be called.
func (f Form) Whole() bool { return len(f.Params.Pending) == 0 && f.Ask == nil }

// Parts returns the form as parts of an answer; a choice alone where there is one
// and nothing is known yet.
func (f Form) Parts() []part.Data {
	var out []part.Data
	if len(f.Params.Applied)+len(f.Params.Pending) > 0 {
		out = append(out, f.Params)
	}
	if f.Ask != nil {
		out = append(out, *f.Ask)
	}
	return out
}

// Fields returns what collects the arguments of a tool step by step: it fills in
// what has a default or can be looked up, and asks only for what is missing. nil
// for a tool that this package does not know. The arguments need not be complete;
// what they have counts as said by the person. A default is the one that the books
// take: the date is today at the company, the due date comes from the contact's
// terms, GST from the product or 18 %, the currency is INR, the number is the next.
// Errors are those of the reader, and fault.Invalid for a value that cannot be, such
// as 31/02.
func Fields(name string, read Reader, now calendar.Clock) func(context.Context, identity.Caller, tool.Raw) (Form,
	error) {
	collect := collects(name)
	if collect == nil {
		return nil
	}
	return func(ctx context.Context, by identity.Caller, in tool.Raw) (Form, error) {
		f := &form{draft: &draft{ctx: ctx, by: by, read: read, today: calendar.Today(now(), zone(by))}}
		if err := json.Unmarshal(in, &f.in); err != nil {
			return Form{}, fault.Wrap(fault.Invalid, err, "The arguments could not be read.")
		}
		f.Params.Applied, f.Params.Pending = []part.Applied{}, []part.Pending{}
		if err := collect(f); err != nil {
			return Form{}, err
		}
		return f.Form, nil
	}
}

// form is a Form that is being filled in.
type form struct {
	*draft
	Form

	in map[string]json.RawMessage
}

// text returns an argument as words, "" where it is missing or empty.
func (f *form) text(name string) string {
	raw := f.in[name]
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return strings.TrimSpace(s)
	}
	if s = string(raw); s == "null" || strings.HasPrefix(s, "{") || strings.HasPrefix(s, "[") {
		return ""
	}
	return s
}

func oneLine(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}

func (f *form) apply(name, label, value, source string) {
	if value = oneLine(value, 400); value != "" {
		f.Params.Applied = append(f.Params.Applied,
			part.Applied{Name: name, Label: label, Value: value, Source: source})
	}
}

func (f *form) want(name, label, hint string) {
	f.Params.Pending = append(f.Params.Pending, part.Pending{Name: name, Label: label, Hint: hint})
}

// words applies a text that was said, or asks for it.
func (f *form) words(name, label, hint string) {
	if s := f.text(name); s != "" {
		f.apply(name, label, s, part.Said)
	} else {
		f.want(name, label, hint)
	}
}

// or applies a text that was said, or a default; no default is none.
func (f *form) or(name, label, def string) {
	if s := f.text(name); s != "" {
		f.apply(name, label, s, part.Said)
	} else {
		f.apply(name, label, def, part.Default)
	}
}

// amount applies rupees that were said, or asks for them.
func (f *form) amount(name, label, hint string, wanted bool) error {
	if f.text(name) == "" {
		if wanted {
			f.want(name, label, hint)
		}
		return nil
	}
	var p paise
	if err := p.UnmarshalJSON(f.in[name]); err != nil {
		return err
	}
	f.apply(name, label, p.String(), part.Said)
	return nil
}

// date applies a date that was said, or today.
func (f *form) date() (calendar.Date, error) {
	d, err := day("Date", f.text("date"), f.today)
	if err != nil {
		return d, err
	}
	source := part.Said
	if f.text("date") == "" {
		source = part.Default
	}
	f.apply("date", "Date", rupees.Date(d), source)
	return d, nil
}

// party finds the customer or vendor of an argument, or asks which one is meant.
func (f *form) party(kind, name string) (contact, bool, error) {
	label, said := title(kind), f.text(name)
	if said == "" {
		f.want(name, label, fmt.Sprintf("Which %s? The name, the code or the GSTIN.", kind))
		return contact{}, false, nil
	}
	list, err := all[known](f.draft, "get_all_"+kind+"s", kind+"s", map[string]any{})
	if err != nil {
		return contact{}, false, err
	}
	found, close := lookUp(list, said)
	switch {
	case len(found) == 1:
		c, err := f.contact(kind, found[0].Code)
		if err != nil {
			return c, false, err
		}
		source := part.LookedUp
		if strings.EqualFold(c.Name, said) {
			source = part.Said
		}
		f.apply(name, label, c.Name+" ("+c.Code+")", source)
		return c, true, nil
	case len(found) > 1:
		f.choose(fmt.Sprintf("Which %s do you mean by “%s”?", kind, oneLine(said, 80)), names(found)...)
	case len(close) > 0:
		f.choose(fmt.Sprintf("There is no %s “%s”. Which one do you mean?", kind, oneLine(said, 80)),
			append(names(close), fmt.Sprintf("Add “%s” as a new %s", oneLine(said, 80), kind))...)
	default:
		f.want(name, label, fmt.Sprintf("There is no %s “%s”. Give another name, or add it first.", kind,
			oneLine(said, 80)))
	}
	return contact{}, false, nil
}

// lookUp finds those that words mean, as the books do: by code, name, GSTIN or a part
// of the name. Where there is none, close are those with a name much like it.
func lookUp(list []known, words string) (found, close []known) {
	words = strings.ToLower(strings.TrimSpace(words))
	for _, fits := range []func(known) bool{
		func(k known) bool { return strings.ToLower(k.Code) == words },
		func(k known) bool { return strings.ToLower(k.Name) == words },
		func(k known) bool { return k.GSTIN != "" && strings.ToLower(k.GSTIN) == words },
		func(k known) bool { return strings.Contains(strings.ToLower(k.Name), words) },
	} {
		for _, k := range list {
			if fits(k) {
				found = append(found, k)
			}
		}
		if len(found) > 0 {
			return found, nil
		}
	}
	_, core := nameKey(words)
	for _, k := range list {
		_, name := nameKey(k.Name)
		same := false
		for w := range strings.FieldsSeq(core) {
			for n := range strings.FieldsSeq(name) {
				same = same || len(w) > 3 && distance(w, n) <= len(w)/4
			}
		}
		if alike(k.Name, words) != otherName || same {
			close = append(close, k)
		}
	}
	return nil, close
}

func names(list []known) []string {
	var out []string
	for _, k := range list {
		name := oneLine(k.Name, 120)
		for _, o := range out {
			if o == name {
				name += " (" + k.Code + ")"
				break
			}
		}
		out = append(out, name)
	}
	return out
}

// choose asks by a choice; the first such question of a form is asked.
func (f *form) choose(question string, options ...string) {
	if f.Ask == nil && len(options) > 1 {
		c := part.Ask(question, options...)
		f.Ask = &c
	}
}

// lines applies the lines of a document, and asks for what a line lacks.
func (f *form) lines(hint string, sales bool) error {
	var lines []lineArguments
	if raw, ok := f.in["lines"]; ok {
		if err := json.Unmarshal(raw, &lines); err != nil {
			return fault.Wrap(fault.Invalid, err, "The lines could not be read.")
		}
	}
	if len(lines) == 0 {
		f.want("lines", "What", hint)
		return nil
	}
	for i, l := range lines {
		at, label := fmt.Sprintf("lines.%d", i+1), fmt.Sprintf("Line %d", i+1)
		var p product
		if l.Product != "" {
			found, err := f.product(l.Product)
			if err != nil && fault.KindOf(err) != fault.Unprocessable {
				return err
			}
			p = found
		}
		what := l.Description
		if what == "" {
			what = p.Name
		}
		if what == "" {
			f.want(at+".description", label, "What is it?")
			continue
		}
		unit := l.Unit
		if unit == "" {
			unit = "nos"
		}
		price := l.Rate
		if price == nil && sales {
			price = p.Sale
		} else if price == nil {
			price = p.Purchase
		}
		if price == nil {
			f.apply(at, label, fmt.Sprintf("%s, %s %s", what, short(l.Quantity.or(1)), unit), part.Said)
			f.want(at+".rate", "Price of "+oneLine(what, 60), "The price of one, without GST.")
		} else {
			f.apply(at, label, fmt.Sprintf("%s, %s %s at %s", what, short(l.Quantity.or(1)), unit, price), part.Said)
		}
		f.lineTax(at, label, l, p)
	}
	return nil
}

// lineTax applies the HSN or SAC and the rate of GST of a line.
func (f *form) lineTax(at, label string, l lineArguments, p product) {
	switch {
	case l.HSN != "":
		f.apply(at+".hsn_sac", label+", HSN or SAC", l.HSN, part.Said)
	case p.HSN != "":
		f.apply(at+".hsn_sac", label+", HSN or SAC", p.HSN, part.LookedUp)
	default:
		f.want(at+".hsn_sac", label+", HSN or SAC", "4, 6 or 8 digits; the law wants it on an invoice.")
	}
	switch {
	case l.GST.v != nil:
		f.apply(at+".gst_rate", label+", GST", percent(l.GST.v), part.Said)
	case p.GST.v != nil:
		f.apply(at+".gst_rate", label+", GST", percent(p.GST.v), part.LookedUp)
	default:
		f.apply(at+".gst_rate", label+", GST", percent(number{}.or(18)), part.Default)
	}
}

// dueBy applies the due date: the one that was said, or by the contact's terms.
func (f *form) dueBy(date calendar.Date, c contact, found bool) error {
	if s := f.text("due_date"); s != "" {
		d, err := day("Due date", s, date)
		f.apply("due_date", "Due date", rupees.Date(d), part.Said)
		return err
	}
	if found {
		d := dueDate(date, c)
		f.apply("due_date", "Due date", fmt.Sprintf("%s (%s)", rupees.Date(d), days(date.Until(d))), part.LookedUp)
		return nil
	}
	f.apply("due_date", "Due date", rupees.Date(date.AddDays(30))+" (30 days)", part.Default)
	return nil
}

// numbering applies what the books do by themselves.
func (f *form) numbering(prefix string, date calendar.Date) {
	f.apply("number", "Number", fmt.Sprintf("the next of %s/%s", prefix, rupees.YearOf(date).String()[2:]),
		part.Default)
	f.apply("currency", "Currency", "INR", part.Default)
}

// placeOf applies the place of supply of an invoice.
func (f *form) placeOf(c contact, found bool) {
	if s := f.text("place_of_supply"); s != "" {
		if code, ok := gst.StateCode(s); ok {
			s = state(code)
		}
		f.apply("place_of_supply", "Place of supply", s, part.Said)
	} else if found {
		f.apply("place_of_supply", "Place of supply", state(c.StateCode), part.LookedUp)
	}
}
