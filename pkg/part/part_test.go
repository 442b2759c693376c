package part_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/chart"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

func table(rows int) part.Table {
	t := part.Table{
		Table: render.Table{
			Title:   "Rates",
			Columns: []render.Column{{Key: "room", Label: "Room"}, {Key: "price", Label: "Price", Right: true}},
		},
	}
	for i := range rows {
		t.Rows = append(
			t.Rows,
			[]render.Cell{
				render.Text(fmt.Sprintf("Cabin <%d> & \"more\"", i)),
				render.Money(money.FromInt(i), "INR"),
			},
		)
	}
	return t
}

func line(points int, form chart.Form) part.Chart {
	values := make([]*money.Amount, points)
	for i := range values {
		a := money.MustParse(fmt.Sprintf("%d.%02d", 10_000+i*7, i%100))
		values[i] = &a
	}
	return part.Draw(
		chart.Chart{
			Title:  "Price of the cabin",
			Form:   form,
			Unit:   "INR",
			From:   calendar.Of(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)),
			Series: []chart.Series{{Name: "Price", Values: values}},
		},
	)
}

const pictureID = "abcdefghijkmnpqrstuvwxyz"

func samples() []part.Data {
	return []part.Data{
		part.Gallery{Title: "Attached pictures", Pictures: []part.Picture{
			{Source: "/api/uploads/" + pictureID, Alt: "lake.png", Width: 640, Height: 480}}},
		table(3),
		line(12, chart.Lines),
		line(31, chart.Calendar),
		part.Choices{
			Title: "What next?",
			Choices: []part.Choice{
				{Label: "By month", Tool: "get_revenue_stats", Arguments: json.RawMessage(`{"by":"month"}`)},
				{Label: "Who arrives?", Words: "Who arrives today?"},
			},
		},
		part.NewLink(
			"Calendar",
			"https://book.example/x?y=1",
			[]string{"book.example"},
		),
		part.NewLink("Export", "/api/export/c1?format=pdf", nil),
		part.NewLink("On this machine", "http://127.0.0.1:1/a.xml?token=b", []string{"127.0.0.1:1"}),
		part.Params{Title: "New invoice", Applied: []part.Applied{{Name: "date", Label: "Date", Value: "22/11/2026",
			Source: part.Default}}, Pending: []part.Pending{{Name: "customer", Label: "Customer",
			Hint: "Which one?"}}},
		part.Ask("Which customer do you mean?", "Konkan Kitchen Mart", "Konkan Retail"),
	}
}

// Every kind says itself in words, fits its own schema and keeps the call that
// made it.
func TestAPartIsDataWithASchemaWordsAndItsCall(t *testing.T) {
	for _, d := range samples() {
		p, err := part.New(d, "get_revenue_stats", json.RawMessage(`{"by":"day"}`))
		if err != nil {
			t.Fatalf("%s: %v", d.Kind(), err)
		}
		if p.Kind != d.Kind() || p.Text == "" || p.Tool != "get_revenue_stats" ||
			string(p.Arguments) != `{"by":"day"}` {
			t.Errorf("%s: %+v", d.Kind(), p)
		}
		schema, err := part.Schema(d)
		if err != nil {
			t.Fatalf("%s: %v", d.Kind(), err)
		}
		resolved, err := schema.Resolve(nil)
		if err != nil {
			t.Fatalf("%s: %v", d.Kind(), err)
		}
		var value map[string]any
		if err := json.Unmarshal(p.Data, &value); err != nil {
			t.Fatalf("%s: %v", d.Kind(), err)
		}
		if err := resolved.Validate(value); err != nil {
			t.Errorf("%s does not fit its schema: %v\n%s", d.Kind(), err, p.Data)
		}
		for _, name := range []string{"text", "beside", "tool", "arguments"} {
			if _, taken := value[name]; taken {
				t.Errorf("%s has a member %q, which Flat puts beside the data", d.Kind(), name)
			}
		}
		flat, err := p.Flat()
		var all map[string]any
		if err != nil || json.Unmarshal(flat, &all) != nil || len(all) != len(value)+3 || all["text"] != p.Text {
			t.Errorf("%s is flat %s (%v)", d.Kind(), flat, err)
		}
	}
}

// A part has at most 24 KiB: a table loses rows and says how many, a chart of
// all points that there may be fits, and anything else is refused.
func TestNoPartIsLargerThanItsLimit(t *testing.T) {
	tests := map[string]part.Data{
		"a long table":       table(3000),
		"400 days":           line(400, chart.Calendar),
		"a line of 400 days": line(400, chart.Lines),
		"400 bars":           line(400, chart.Bars),
	}
	for name, d := range tests {
		p, err := part.New(
			d,
			"get_revenue_stats",
			json.RawMessage(`{"by":"day","end_date":"2026-12-31","start_date":"2026-01-01"}`),
		)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		p.ID, p.Beside = "t999z9", "t999z8"
		// As it travels: nothing is escaped for HTML.
		var b strings.Builder
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(p); err != nil || b.Len() > part.Limit {
			t.Errorf("%s has %d bytes (%v)", name, b.Len(), err)
		}
		switch d := d.(type) {
		case part.Table:
			var got render.Table
			if err := json.Unmarshal(p.Data, &got); err != nil {
				t.Fatal(err)
			}
			left := len(d.Rows) - len(got.Rows)
			if len(got.Rows) < 50 || left < 1 ||
				!strings.Contains(got.Note, fmt.Sprintf("%d more rows are not shown here.", left)) ||
				!strings.Contains(p.Text, got.Note) {
				t.Errorf("%d of %d rows are there, and the note is %q", len(got.Rows), len(d.Rows), got.Note)
			}
		case part.Chart:
			for i := range d.Len() {
				if !strings.Contains(p.Text, d.Label(i)+": "+d.Show(d.Series[0].Values[i])) {
					t.Fatalf("%s: the figure of %s is missing", name, d.Label(i))
				}
			}
		}
	}
	_, err := part.New(part.NewLink(strings.Repeat("x", part.Limit), "/api/export/c1", nil), "", nil)
	if f := fault.From(err); err == nil || f.Kind != fault.Internal || f.Code != "part_refused" {
		t.Errorf("a link without end is answered with %v", err)
	}
}

// What a part may not hold is the author's mistake, told apart by its code.
func TestWrongContentIsRefused(t *testing.T) {
	hosts := []string{"book.example"}
	tests := map[string]part.Data{
		"no columns":  part.Table{},
		"no figures":  part.Draw(chart.Chart{Title: "x", Form: chart.Bars}),
		"not drawn":   part.Chart{Chart: line(3, chart.Bars).Chart},
		"no pictures": part.Gallery{Title: "x"},
		"a picture from elsewhere": part.Gallery{Title: "x", Pictures: []part.Picture{
			{Source: "https://evil.example/a.png", Alt: "a", Width: 1, Height: 1}}},
		"a signed address": part.Gallery{Title: "x", Pictures: []part.Picture{
			{Source: "/api/uploads/" + pictureID + "?token=x", Alt: "a", Width: 1, Height: 1}}},
		"a picture without words": part.Gallery{Title: "x", Pictures: []part.Picture{
			{Source: "/api/uploads/" + pictureID, Width: 1, Height: 1}}},
		"a picture of no size": part.Gallery{Title: "x", Pictures: []part.Picture{
			{Source: "/api/uploads/" + pictureID, Alt: "a"}}},
		"no choices":       part.Choices{},
		"words and a tool": part.Choices{Choices: []part.Choice{{Label: "x", Words: "y", Tool: "z"}}},
		"neither":          part.Choices{Choices: []part.Choice{{Label: "x"}}},
		"no label":         part.Choices{Choices: []part.Choice{{Words: "x"}}},
		"arguments of nothing": part.Choices{
			Choices: []part.Choice{{Label: "x", Words: "y", Arguments: json.RawMessage(`{}`)}},
		},
		"a list for arguments": part.Choices{
			Choices: []part.Choice{{Label: "x", Tool: "y", Arguments: json.RawMessage(`[]`)}},
		},
		"another host":                         part.NewLink("x", "https://evil.example/", hosts),
		"a host in a path":                     part.NewLink("x", "https://evil.example/book.example", hosts),
		"no TLS on this machine, another port": part.NewLink("x", "http://127.0.0.1:2/", hosts),
		"no TLS":                               part.NewLink("x", "http://book.example/", hosts),
		"a script":                             part.NewLink("x", "javascript:alert(1)", hosts),
		"a user":                               part.NewLink("x", "https://book.example@evil.example/", hosts),
		"two slashes":                          part.NewLink("x", "//evil.example/api/", hosts),
		"a way up":                             part.NewLink("x", "/api/../dev.json", hosts),
		"another door":                         part.NewLink("x", "/dev.json", hosts),
		"a backslash":                          part.NewLink("x", `/api/\evil.example`, hosts),
	}
	for name, d := range tests {
		if _, err := part.New(d, "t", nil); err == nil || fault.From(err).Code != "part_refused" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The calls of rows that are left out are left out, too.
func TestATableIsCutWithItsCalls(t *testing.T) {
	t.Parallel()
	table := render.Table{Columns: []render.Column{{Key: "month", Label: "Month",
		Open: render.Opens{Tool: "get_month"}}}}
	for range 4000 {
		table.Rows = append(table.Rows, []render.Cell{render.Text("April 2026")})
		table.Columns[0].Open.Rows = append(table.Columns[0].Open.Rows, json.RawMessage(`{"from":"2026-04-01"}`))
	}
	p, err := part.New(part.Table{Table: table}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	var shown struct {
		Rows    [][]string
		Columns []struct {
			Open struct{ Rows []json.RawMessage }
		}
	}
	if err := json.Unmarshal(p.Data, &shown); err != nil {
		t.Fatal(err)
	}
	if n := len(shown.Columns[0].Open.Rows); n == 0 || n != len(shown.Rows) ||
		len(table.Columns[0].Open.Rows) != 4000 {
		t.Errorf("%d calls of %d rows, of a table that has %d", n, len(shown.Rows), len(table.Columns[0].Open.Rows))
	}
}
