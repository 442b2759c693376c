package hospitality_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/chart"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// drawn returns the charts of a result, each checked against its table: every
// figure of a chart stands in the column of its name, and the figures of a
// series add up to the last row of that column where the chart has all rows.
func drawn(t *testing.T, r tool.Result, columns map[string]string) []chart.Chart {
	t.Helper()
	if r.Refused != nil {
		t.Fatalf("parts were refused: %v", r.Refused)
	}
	var list []chart.Chart
	for _, p := range r.Parts {
		if p.Kind != "chart" {
			continue
		}
		var c chart.Chart
		if err := json.Unmarshal(p.Data, &c); err != nil {
			t.Fatal(err)
		}
		for _, s := range c.Series {
			at := -1
			for i, column := range r.Table.Columns {
				if column.Label == columns[s.Name] {
					at = i
				}
			}
			if at < 0 {
				continue // checked by the caller
			}
			sum := money.Zero
			for i, v := range s.Values {
				if got, want := c.Show(
					v,
				), r.Table.Rows[i][at].Text; got != want ||
					r.Table.Rows[i][0].Text != c.Label(i) {
					t.Errorf("%s at %s is %s in the chart and %s in the table", s.Name, c.Label(i), got, want)
				}
				var err error
				if sum, err = sum.Add(*v); err != nil {
					t.Fatal(err)
				}
			}
			if got, want := c.Show(&sum), r.Table.Rows[len(r.Table.Rows)-1][at].Text; got != want {
				t.Errorf("%s adds up to %s in the chart and %s in the table", s.Name, got, want)
			}
		}
		list = append(list, c)
	}
	return list
}

// Charts have the figures of the tables beside which they stand.
func TestChartsHaveTheFiguresOfTheirTables(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.sold()
	revenue := map[string]string{
		"Revenue":         "Revenue",
		"Occupied nights": "Nights",
		"Occupied":        "Occupied",
		"Blocked":         "Blocked",
	}
	for name, tc := range map[string]struct{ tool, arguments, forms string }{
		"nights by room": {"get_occupancy_stats", `{}`, "calendar stacked"},
		"nights of more than a year": {"get_occupancy_stats", `{"start_date":"2030-01-01","end_date":"2031-12-31"}`,
			"stacked"},
		"revenue by room": {"get_revenue_stats", `{}`, "bars bars"},
		"revenue by month": {"get_revenue_stats", `{"by":"month","start_date":"2030-12-01","end_date":"2031-02-28"}`,
			"bars bars"},
		"revenue by day": {"get_revenue_stats", `{"by":"day"}`, "calendar bars"},
		"a year by day": {"get_revenue_stats", `{"by":"day","start_date":"2031-01-01","end_date":"2031-12-31"}`,
			"calendar bars"},
	} {
		r := h.must(tc.tool, tc.arguments)
		var forms []string
		for _, c := range drawn(t, r, revenue) {
			forms = append(forms, string(c.Form))
		}
		if got := strings.Join(forms, " "); got != tc.forms {
			t.Errorf("%s: the charts are %q", name, got)
		}
		if p := r.Parts[len(r.Parts)-1]; p.Tool != tc.tool || !json.Valid(p.Arguments) {
			t.Errorf("%s: the chart remembers %s %s", name, p.Tool, p.Arguments)
		}
	}
	free := drawn(t, h.must("get_occupancy_stats", `{}`), revenue)[1].Series[2]
	if free.Name != "Free" || free.Values[0].String() != "59" || free.Values[1].String() != "26" {
		t.Errorf("free are %+v", free)
	}

	for arguments, want := range map[string]string{
		`"other_start_date":"2031-01-08","other_end_date":"2031-01-31"`: "ADR, RevPAR, TRevPAR",
		// Nothing was sold a year before.
		`"compare_with":"last_year"`: "RevPAR, TRevPAR",
	} {
		r := h.must("compare_periods", `{"start_date":"2031-01-01","end_date":"2031-01-15",`+arguments+`}`)
		var compared []string
		for _, c := range drawn(t, r, nil) {
			compared = append(compared, c.Unit+": "+strings.Join(c.Labels, ", "))
			for i, label := range c.Labels {
				for _, row := range r.Table.Rows {
					this, other := c.Show(c.Series[0].Values[i]), c.Show(c.Series[1].Values[i])
					if row[0].Text == label && (this != row[1].Text || other != row[2].Text) {
						t.Errorf("%s is %s and %s in the chart", label, this, other)
					}
				}
			}
			if c.Series[0].Name != r.Table.Columns[1].Label || c.Series[1].Name != r.Table.Columns[2].Label {
				t.Errorf("%s compares %s with %s", c.Title, c.Series[0].Name, c.Series[1].Name)
			}
		}
		want = "INR: Room revenue, Other revenue, Revenue; INR: " + want + "; %: Occupancy %"
		if got := strings.Join(compared, "; "); got != want {
			t.Errorf("%s: the charts compare %s", arguments, got)
		}
	}
}

// The calendar of a period has the occupancy of each night: what is sold of the units
// that are not blocked. Its nights add up to the table, and a night on which
// everything is blocked is closed, not empty.
func TestTheCalendarHasEachNightsOccupancy(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.sold()
	h.must("block_dates", `{"rooms":["BIRCH-2"],"start_date":"2031-01-11","end_date":"2031-01-11",`+
		`"reason":"maintenance"}`)
	h.must("block_dates", `{"rooms":["ALL"],"start_date":"2031-01-28","end_date":"2031-02-02","reason":"maintenance"}`)
	for _, call := range []string{"get_occupancy_stats", "get_revenue_stats"} {
		arguments := `{}`
		if call == "get_revenue_stats" {
			arguments = `{"by":"day"}`
		}
		c := drawn(t, h.must(call, arguments), nil)[0]
		if c.Form != chart.Calendar || c.Unit != "%" || c.Len() != 31 {
			t.Fatalf("%s: the chart is %s in %q of %d days", call, c.Form, c.Unit, c.Len())
		}
		for day, want := range map[int]string{
			1: "33.33 %, 1 of 3 units sold", 3: "0.00 %, 0 of 3 units sold", 10: "66.67 %, 2 of 3 units sold",
			11: "100.00 %, 2 of 2 units sold, 1 blocked", 13: "0.00 %, 0 of 3 units sold",
			27: "0.00 %, 0 of 3 units sold", 28: "closed, 3 units blocked", 31: "closed, 3 units blocked",
		} {
			if line := strings.Split(c.Text(), "\n")[day]; line != c.Label(day-1)+": "+want {
				t.Errorf("%s: day %d is %q, not %q", call, day, line, want)
			}
		}
	}
	// A year of nights is one part, whose notes are short.
	year := drawn(t, h.must("get_occupancy_stats", `{"start_date":"2031-01-01","end_date":"2031-12-31"}`), nil)[0]
	if year.Len() != 365 || year.Notes[10] != "2/2" || year.Notes[30] != "closed, 3 units blocked" {
		t.Errorf("a year has %d days and the notes %q", year.Len(), year.Notes[:31])
	}
	sold := 0
	for _, note := range year.Notes {
		var n, of int
		if _, err := fmt.Sscanf(note, "%d/%d", &n, &of); err == nil {
			sold += n
		}
	}
	if sold != 8 { // two nights of the booking that began in December, and two rooms for three
		t.Errorf("%d nights are sold", sold)
	}
}

// A price by night is a line, and one price alone is no chart.
func TestPricesAreDrawnNightByNight(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.sold()
	r := h.must("simulate_pricing", `{"room":"COCO","check_in":"2031-03-10","check_out":"2031-03-14"}`)
	charts := drawn(t, r, nil)
	if len(charts) != 1 || charts[0].Form != chart.Lines || charts[0].Len() != 4 {
		t.Fatalf("the charts are %+v", charts)
	}
	for i, row := range r.Table.Rows {
		if got := charts[0].Show(
			charts[0].Series[0].Values[i],
		); got != row[3].Text ||
			charts[0].Label(i) != row[0].Text {
			t.Errorf("the night of %s costs %s, in the chart %s", row[0].Text, row[3].Text, got)
		}
	}
	if one := drawn(t, h.must("simulate_pricing", `{"room":"COCO","check_in":"2031-03-10"}`), nil); len(one) != 0 {
		t.Errorf("one price is drawn as %+v", one)
	}
}

// A season offers its prices night by night, which the price engine computes and
// a chart draws.
func TestASeasonOffersItsPrices(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.must("set_seasonal_price", `{"name":"Holi","room":"coco","start_date":"2031-03-01","end_date":"2031-03-20",`+
		`"weekday_price":6000}`)
	offered := kind[part.Choices](t, h.must("get_seasonal_pricing", `{}`), "choices").Choices
	if len(offered) != 1 || offered[0].Label != "Prices in Holi" {
		t.Fatalf("it offers %+v", offered)
	}
	c := drawn(t, h.must(offered[0].Tool, string(offered[0].Arguments)), nil)[0]
	if c.Form != chart.Lines || c.Len() != 20 || c.Show(c.Series[0].Values[2]) != "₹6,000.00" {
		t.Errorf("the chart is %s of %d points", c.Form, c.Len())
	}
}
