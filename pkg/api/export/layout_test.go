package export_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// arrivals is as wide as the widest table of a front desk.
func arrivals(rows int) render.Table {
	t := render.Table{Title: "Reservations", About: "To pay = total − paid.", Columns: []render.Column{
		{Label: "Code"}, {Label: "Guest"}, {Label: "Rooms"}, {Label: "Check-in"}, {Label: "Check-out"},
		{Label: "Nights", Right: true}, {Label: "Guests", Right: true}, {Label: "Status"},
		{Label: "Total", Right: true}, {Label: "To pay", Right: true},
	}}
	for n := range rows {
		day := calendar.Date{Year: 2026, Month: 11, Day: 22}
		t.Rows = append(t.Rows, []render.Cell{render.Text(fmt.Sprintf("GHE%dRG", n)),
			render.Text("Petra Windermoor"), render.Text("BURANSH"), render.Day(day),
			render.Day(day.AddDays(4)), render.Int(4), render.Int(2), render.Text("checked in"),
			render.Money(money.FromInt(1234567), "INR"), render.Money(money.FromInt(8600), "INR")})
	}
	return t
}

func turns(tables ...render.Table) object {
	var messages []any
	for i, t := range tables {
		messages = append(messages, object{"role": "user", "content": fmt.Sprintf("Question %d?", i)},
			object{"role": "assistant", "content": "These:\n\n" + t.HTML() + "\n\nThat is all."})
	}
	return object{"messages": messages}
}

// S2-62: three short turns fit one portrait page; a table is in landscape only when
// its longest words do not fit in portrait, and the text goes on below it.
func TestAPDFHasNoEmptyPages(t *testing.T) {
	t.Parallel()
	wide := render.Table{Title: "Wide", Rows: [][]render.Cell{make([]render.Cell, 16)}}
	for i := range 16 {
		wide.Columns = append(wide.Columns, render.Column{Label: fmt.Sprintf("Column%d", i)})
		wide.Rows[0][i] = render.Text("₹1,23,45,678.50")
	}
	page, lying := regexp.MustCompile(`/Type /Page\s`), regexp.MustCompile(`/MediaBox \[0 0 841\.89 595`)
	for name, tc := range map[string]struct {
		body          object
		pages, across int
	}{
		"three short turns":   {turns(arrivals(3), arrivals(2), arrivals(4)), 1, 0},
		"a table of 90 rows":  {turns(arrivals(90)), 4, 0},
		"one with no room":    {turns(arrivals(2), wide, arrivals(2)), 2, 1},
		"two that lie across": {turns(wide, wide), 2, 1},
	} {
		raw := string(written(t, "pdf", tc.body))
		pages, across := len(page.FindAllString(raw, -1)), len(lying.FindAllString(raw, -1))
		if pages == 0 || pages > tc.pages || across != tc.across {
			t.Errorf("%s: %d pages of at most %d, %d of them across", name, pages, tc.pages, across)
		}
	}
}

// S2-62: on paper a sheet is as wide as one page and has its head on each.
func TestAWorkbookPrintsOnOnePagesWidth(t *testing.T) {
	t.Parallel()
	f := book(t, written(t, "xlsx", turns(arrivals(60), rates())))
	for sheet, across := range map[string]string{"Reservations": "landscape", "Rates": "portrait"} {
		props, err := f.GetSheetProps(sheet)
		if err != nil || props.FitToPage == nil || !*props.FitToPage {
			t.Errorf("%s does not fit a page: %+v, %v", sheet, props, err)
		}
		layout, err := f.GetPageLayout(sheet)
		if err != nil || *layout.FitToWidth != 1 || *layout.FitToHeight != 0 || *layout.Orientation != across {
			t.Errorf("%s is laid out as %+v, %v", sheet, layout, err)
		}
	}
	titles := 0
	for _, n := range f.GetDefinedName() {
		if n.Name == "_xlnm.Print_Titles" {
			titles++
		}
	}
	merged, err := f.GetMergeCells("Reservations")
	if err != nil || titles != 3 || len(merged) != 1 || !strings.HasPrefix(merged[0].GetCellValue(), "To pay = ") {
		t.Errorf("%d sheets repeat their head; merged are %v, %v", titles, merged, err)
	}
}

// A figure is never parted, and decimals that are all zero are left out.
func TestAPageShowsWholeFigures(t *testing.T) {
	t.Parallel()
	page := string(written(t, "html", turns(arrivals(1), rates())))
	for _, want := range []string{`<td class="figure whole">₹12,34,567</td>`, `<td class="whole">22-Nov-2026</td>`,
		`<td class="figure whole">₹1,23,456.50</td>`, `<td class="figure whole">-₹45.00</td>`,
		".whole { white-space: nowrap }", `<p class="foot">To pay = total − paid.</p>`} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is missing in %s", want, page)
		}
	}
	if text := string(written(t, "md", turns(arrivals(1)))); !strings.Contains(text, "| ₹8,600 |") {
		t.Errorf("the text is %s", text)
	}
	// Elsewhere the values are what counts.
	if text := string(written(t, "csv", turns(arrivals(1)))); !strings.Contains(text, ",1234567.00,8600.00") {
		t.Errorf("the table is %s", text)
	}
}
