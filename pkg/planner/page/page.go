// Package page writes the public page of a shared plan: HTML without scripts, for screens
// of all sizes and for paper. It shows nothing of who travels.
package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/picture"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
)

// Plan is what a page shows.
type Plan struct {
	Title    string // "Boston, 12 to 15 Feb 2027"
	Detail   string // "2 adults · mid budget · from London"
	Selected string // id of the selected option, "" for none
	Options  options.Set
	Expires  time.Time // when the link ends
}

//go:embed templates/*.html templates/style.css
var files embed.FS

type set struct {
	documents *template.Template
	policy    string
}

var (
	remarks = regexp.MustCompile(`(?s)/\*.*?\*/`)
	gaps    = regexp.MustCompile(`\s*\n\s*`)
)

// templates are parsed at their first use.
var templates = sync.OnceValues(func() (set, error) {
	sheet, err := files.ReadFile("templates/style.css")
	if err != nil {
		return set{}, err
	}
	style := gaps.ReplaceAllString(remarks.ReplaceAllString(string(sheet), ""), "")
	sum := sha256.Sum256([]byte(style))
	documents := template.New("").Option("missingkey=error").Funcs(template.FuncMap{
		// The style sheet is ours, and the policy admits no other.
		"style": func() template.HTML { return template.HTML("<style>" + style + "</style>") }})
	for _, name := range []string{"plan", "gone"} {
		text, err := files.ReadFile("templates/" + name + ".html")
		if err != nil {
			return set{}, err
		}
		if _, err := documents.New(name).Parse(gaps.ReplaceAllString(string(text), "\n")); err != nil {
			return set{}, err
		}
	}
	return set{documents, fmt.Sprintf("default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; "+
		"form-action 'none'; frame-ancestors 'none'", base64.StdEncoding.EncodeToString(sum[:]))}, nil
})

// Policy returns the Content-Security-Policy of the pages: their one style sheet, and
// nothing else.
func Policy() (string, error) {
	s, err := templates()
	return s.policy, err
}

// Write writes the page of a plan.
func Write(w io.Writer, p Plan) error { return write(w, "plan", viewOf(p)) }

// WriteGone writes the page for a link that leads to nothing, whatever the reason.
func WriteGone(w io.Writer) error { return write(w, "gone", nil) }

func write(w io.Writer, name string, data any) error {
	s, err := templates()
	if err != nil {
		return err
	}
	return s.documents.ExecuteTemplate(w, name, data)
}

type view struct {
	Plan
	Until   string
	Legend  []legend
	Options []option
	Axes    []axis
}

type legend struct{ Class, Name string }

type option struct {
	options.Option
	Selected bool
	Level    string
	Bars     []bar
	Sums     []line
	Lines    []line
	Days     []day
	Hours    []string
}

// bar is the costs in a currency; Total is empty where there is only one.
type bar struct {
	Drawing template.HTML
	Total   string
}

type line struct{ Class, Name, Text, Source, SourceClass string }

type day struct {
	picture.Day
	Heading string
	When    string
	Strip   template.HTML
	Items   []item
}

type item struct {
	Class, Clock, Label, Detail, Walk, Wish, Source, SourceClass string
}

type axis struct {
	Name   string
	Values []value
}

type value struct {
	Text   string
	Differ bool
}

func viewOf(p Plan) view {
	v := view{Plan: p}
	if !p.Expires.IsZero() {
		v.Until = p.Expires.UTC().Format("2 January 2006")
	}
	for _, c := range picture.Categories() {
		v.Legend = append(v.Legend, legend{"c-" + string(c), picture.Name(c)})
	}
	stacks := picture.Stacks(p.Options)
	for _, o := range p.Options.Options {
		v.Options = append(v.Options, optionOf(o, stacks, o.ID == p.Selected))
	}
	for _, a := range p.Options.Axes {
		row := axis{Name: a.Name}
		for n, text := range a.Values {
			row.Values = append(row.Values, value{text, picture.Differs(a, n)})
		}
		v.Axes = append(v.Axes, row)
	}
	return v
}

// Measures of drawings in their own units; the page shows them in other proportions.
const (
	barWide, barHigh     = 600, 16
	stripWide, stripHigh = 600, 12
)

func optionOf(o options.Option, stacks []picture.Stack, selected bool) option {
	out := option{Option: o, Selected: selected, Level: picture.Level(o)}
	for _, s := range stacks {
		if s.Option == o.ID {
			// The drawing's texts are escaped where it is written.
			b := bar{Drawing: template.HTML(s.Draw(barWide, barHigh).SVG("Costs of "+o.Title,
				s.Total+" on a scale that ends at the dearest option."))}
			if len(o.Totals) > 1 {
				b.Total = s.Total
			}
			out.Bars = append(out.Bars, b)
		}
	}
	for _, s := range picture.Sums(o) {
		out.Sums = append(out.Sums, lineOf(s.Category, picture.Name(s.Category), s.Text(), s.Source))
	}
	for _, l := range o.Costs {
		out.Lines = append(out.Lines, lineOf(l.Category, l.Label, picture.Range(l.From, l.To, l.Currency), l.Source))
	}
	days := picture.Days(o)
	from, to := picture.Hours(days)
	from, to = from/3*3, (to+2)/3*3 // so that the hours below the strip are as far apart as on it
	for h := from; h <= to; h += 3 {
		out.Hours = append(out.Hours, strconv.Itoa(h))
	}
	for _, d := range days {
		out.Days = append(out.Days, dayOf(d, from, to))
	}
	return out
}

func lineOf(c options.Category, name, text string, s specialists.Source) line {
	return line{"c-" + string(c), name, text, picture.Says(s), sourceClass(s)}
}

func sourceClass(s specialists.Source) string { return "s-" + string(s) }

func dayOf(d picture.Day, from, to int) day {
	out := day{Day: d, Heading: d.Heading(), When: d.Date.Time().Format("Mon 2 Jan"),
		Strip: template.HTML(d.Strip(from, to, stripWide, stripHigh).SVG("The day by the clock",
			fmt.Sprintf("From %d to %d o’clock; the list below has the same.", from, to)))}
	for _, b := range d.Blocks {
		out.Items = append(out.Items, itemOf(b, b.Clock()))
	}
	for _, b := range d.Open {
		out.Items = append(out.Items, itemOf(b, "any time"))
	}
	if d.Night != nil {
		out.Items = append(out.Items, itemOf(*d.Night, "night"))
	}
	return out
}

func itemOf(b picture.Block, clock string) item {
	i := item{Class: "c-" + string(b.Category), Clock: clock, Label: b.Label(), Detail: detailOf(b), Wish: b.MustDo,
		Source: picture.Says(b.Source), SourceClass: sourceClass(b.Source)}
	if b.Walk > 0 {
		i.Walk = strconv.Itoa(b.Walk) + " min on foot"
	}
	return i
}

func detailOf(b picture.Block) string {
	var parts []string
	for _, p := range []string{b.Detail, b.Area} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, " · ")
}
