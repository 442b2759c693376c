package render_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// S0-50, F-60: what people read, and the value that an export writes.
func TestACellHasATextForPeopleAndAValueBehindIt(t *testing.T) {
	arrival := calendar.Date{Year: 2026, Month: 1, Day: 15}
	price := money.MustParse("1234567")
	tests := map[string]struct {
		cell  render.Cell
		text  string
		value any
	}{
		"a text":              {render.Text("COCO"), "COCO", "COCO"},
		"a number":            {render.Int(-3), "-3", -3},
		"yes":                 {render.Yes(true), "yes", true},
		"no":                  {render.Yes(false), "no", false},
		"a day":               {render.Day(arrival), "15-Jan-2026", arrival},
		"no day":              {render.Day(calendar.Date{}), "", calendar.Date{}},
		"rupees":              {render.Money(price, "INR"), "₹12,34,567.00", price},
		"yen":                 {render.Money(price, "JPY"), "¥1,234,567", price},
		"a share":             {render.Percent(money.MustParse("71.185")), "71.19 %", money.MustParse("71.185")},
		"an undefined figure": {render.NotAvailable(), "n/a", "n/a"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if tc.cell.Text != tc.text || tc.cell.Value != tc.value {
				t.Errorf("got %q with %v behind it, want %q with %v", tc.cell.Text, tc.cell.Value, tc.text, tc.value)
			}
			encoded, err := json.Marshal(tc.cell)
			if err != nil {
				t.Fatal(err)
			}
			var back render.Cell
			if err := json.Unmarshal(encoded, &back); err != nil || back.Text != tc.text || back.Value != tc.text {
				t.Errorf("%s is read back as %+v, %v", encoded, back, err)
			}
		})
	}
	var c render.Cell
	if err := json.Unmarshal([]byte(`12`), &c); err == nil {
		t.Errorf("a number is read as the cell %+v", c)
	}
}

func bookings() render.Table {
	return render.Table{
		Title:   "Bookings",
		Columns: []render.Column{{Key: "guest", Label: "Guest"}, {Key: "total", Label: "Total", Right: true}},
		Rows: [][]render.Cell{
			{render.Text("Asha \"A\" Rao"), render.Money(money.MustParse("4500"), "INR")},
			{render.Text("O'Neil\r\n& Sons"), render.Money(money.MustParse("120.5"), "INR")},
		},
		Note: "2 of 9 <shown>",
	}
}

// S0-49: the source's look, every cell escaped and at its edge. Paddings and
// the like may change.
func TestATableLooksAsTheSourceDraws(t *testing.T) {
	got := bookings().HTML()
	if !strings.HasPrefix(got, `<table style="border-collapse:collapse;font-size:0.85rem"`) ||
		!strings.Contains(got, `<thead style="background:#f8fafc">`) {
		t.Errorf("the look is %s", got)
	}
	const want = `<table><caption>Bookings</caption><thead><tr><th>Guest</th><th ` +
		`right>Total</th></tr></thead><tbody><tr><td>Asha &#34;A&#34; Rao</td><td ` +
		`right>₹4,500.00</td></tr><tr><td>O&#39;Neil &amp; Sons</td><td ` +
		`right>₹120.50</td></tr></tbody><tfoot><tr><td>2 of 9 &lt;shown&gt;</td></tr></tfoot></table>`
	bones := regexp.MustCompile(`<(\w+) [^>]*text-align:right[^>]*>`).ReplaceAllString(got, "<$1=right>")
	bones = regexp.MustCompile(`<(\w+) [^>]*>`).ReplaceAllString(bones, "<$1>")
	if bones = strings.ReplaceAll(bones, "=right>", " right>"); bones != want {
		t.Errorf("got\n%s\nwant\n%s", bones, want)
	}
}

func TestATableOfPlainText(t *testing.T) {
	const want = "Guest | Total\nAsha \"A\" Rao | ₹4,500.00\nO'Neil & Sons | ₹120.50"
	if got := bookings().Plain(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// A row longer than the head is shown, not a crash.
	wide := render.Table{Columns: []render.Column{{Label: "A"}},
		Rows: [][]render.Cell{{render.Text("1"), render.Text("2")}}}
	if got := wide.HTML(); strings.Count(got, "<td") != 2 {
		t.Errorf("got %s", got)
	}
}

func TestATableInJSONHoldsTextsOnly(t *testing.T) {
	raw, err := json.Marshal(bookings())
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	rows := got["rows"].([]any)
	if first := rows[0].([]any); first[0] != `Asha "A" Rao` || first[1] != "₹4,500.00" {
		t.Errorf("the first row is %v", first)
	}
	columns := got["columns"].([]any)
	if _, said := columns[0].(map[string]any)["right"]; said || columns[1].(map[string]any)["right"] != true {
		t.Errorf("the columns are %v", columns)
	}
}

// A reply comes back with every later request, so a table in it is bounded; at
// least one row is always there, and what is left out is counted.
func TestATableFitsIntoTheRoomThereIs(t *testing.T) {
	if got := bookings().HTMLWithin(10); strings.Count(got, "<tr>") != 3 ||
		!strings.Contains(got, "1 more rows are not shown here. 2 of 9") {
		t.Error(got)
	}
	if bookings().HTMLWithin(10_000) != bookings().HTML() {
		t.Error("a table that fits is cut")
	}
}
