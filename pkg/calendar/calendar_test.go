package calendar_test

import (
	"encoding/json"
	"testing"
	"time"
	_ "time/tzdata" // zones must be there wherever the tests run

	"github.com/bellhop-ai/bellhop/pkg/calendar"
)

func day(t *testing.T, s string) calendar.Date {
	t.Helper()
	d, err := calendar.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func span(t *testing.T, from, to string) calendar.Range {
	t.Helper()
	return calendar.Range{From: day(t, from), To: day(t, to)}
}

// S0-50
func TestStaffReadDaysInOneForm(t *testing.T) {
	tests := map[string]string{"2026-01-15": "15-Jan-2026", "2024-02-29": "29-Feb-2024", "2026-12-01": "01-Dec-2026"}
	for in, want := range tests {
		d := day(t, in)
		if got := d.Show(); got != want {
			t.Errorf("%s is shown as %s, want %s", in, got, want)
		}
		if got := d.String(); got != in {
			t.Errorf("%s is written as %s", in, got)
		}
	}
	var none calendar.Date
	if none.Show() != "" || none.String() != "" || !none.IsZero() {
		t.Errorf("no day is shown as %q and written as %q", none.Show(), none)
	}
}

func TestOnlyOneFormIsRead(t *testing.T) {
	refused := map[string]string{
		"nothing": "", "the form that is shown": "15-Jan-2026", "slashes": "2026/01/15", "the day first": "15-01-2026",
		"no leading zeros": "2026-1-5", "a time behind": "2026-01-15T00:00:00Z", "a space behind": "2026-01-15 ",
		"a short year":     "26-01-15",
		"a month too many": "2026-13-01", "a day too many": "2026-04-31", "a leap day in a common year": "2026-02-29",
		"a leap day in 1900": "1900-02-29", "no day": "2026-01-00", "a word": "tomorrow",
		"digits of another script": "२०२६-01-15",
	}
	for name, s := range refused {
		if d, err := calendar.Parse(s); err == nil {
			t.Errorf("%s: %q is read as %s", name, s, d)
		}
	}
}

func TestDaysCrossJSON(t *testing.T) {
	var v struct {
		D calendar.Date `json:"d"`
		E calendar.Date `json:"e"`
	}
	if err := json.Unmarshal([]byte(`{"d":"2026-01-15","e":""}`), &v); err != nil {
		t.Fatal(err)
	}
	if out, err := json.Marshal(v); err != nil || string(out) != `{"d":"2026-01-15","e":""}` {
		t.Errorf("got %s, %v", out, err)
	}
	if err := json.Unmarshal([]byte(`{"d":"15-Jan-2026"}`), &v); err == nil {
		t.Errorf("another form is read as %s", v.D)
	}
}

// F-59
func TestDaysAreCountedByTheCalendar(t *testing.T) {
	tests := map[string]struct {
		from string
		days int
		to   string
	}{
		"into a leap day":                        {"2024-02-28", 1, "2024-02-29"},
		"over a leap day":                        {"2024-02-28", 2, "2024-03-01"},
		"over the end of a common month":         {"2026-02-28", 1, "2026-03-01"},
		"over the end of a year":                 {"2025-12-31", 1, "2026-01-01"},
		"back over the end of a year":            {"2026-01-01", -1, "2025-12-31"},
		"no day at all":                          {"2026-01-15", 0, "2026-01-15"},
		"four hundred nights":                    {"2026-01-15", 400, "2027-02-19"},
		"a week in which Europe's clocks change": {"2026-03-27", 7, "2026-04-03"},
		"a typing error of centuries":            {"2026-01-01", 730485, "4026-01-01"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			from, to := day(t, tc.from), day(t, tc.to)
			if got := from.AddDays(tc.days); got != to {
				t.Errorf("%s and %d days is %s, want %s", from, tc.days, got, to)
			}
			if got := from.Until(to); got != tc.days {
				t.Errorf("from %s to %s it is %d days, want %d", from, to, got, tc.days)
			}
			if from.Before(to) != (tc.days > 0) || from.After(to) != (tc.days < 0) {
				t.Errorf("%s and %s are in the wrong order", from, to)
			}
		})
	}
}

// F-59: the last night of a stay is the one before it ends.
func TestRangesAreHalfOpen(t *testing.T) {
	stay := span(t, "2026-03-10", "2026-03-15")
	tests := map[string]struct {
		other    calendar.Range
		overlaps bool
		common   calendar.Range
	}{
		"the same": {stay, true, stay},
		"arriving when the other leaves": {span(t, "2026-03-15", "2026-03-18"), false,
			span(t, "2026-03-15", "2026-03-15")},
		"leaving when the other arrives": {span(t, "2026-03-08", "2026-03-10"), false,
			span(t, "2026-03-10", "2026-03-10")},
		"the last night shared": {span(t, "2026-03-14", "2026-03-18"), true,
			span(t, "2026-03-14", "2026-03-15")},
		"the first night shared": {span(t, "2026-03-08", "2026-03-11"), true,
			span(t, "2026-03-10", "2026-03-11")},
		"inside": {span(t, "2026-03-11", "2026-03-12"), true,
			span(t, "2026-03-11", "2026-03-12")},
		"around": {span(t, "2026-01-01", "2027-01-01"), true, stay},
		"a range that ends before it began": {span(t, "2026-03-20", "2026-03-01"), false,
			span(t, "2026-03-20", "2026-03-20")},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if stay.Overlaps(tc.other) != tc.overlaps || tc.other.Overlaps(stay) != tc.overlaps {
				t.Errorf("%v and %v: they should overlap: %v", stay, tc.other, tc.overlaps)
			}
			got := stay.Clip(tc.other)
			if got.Days() != tc.common.Days() || tc.overlaps && got != tc.common {
				t.Errorf("their common part is %v, want %v", got, tc.common)
			}
		})
	}
	if stay.Days() != 5 || span(t, "2026-03-15", "2026-03-10").Days() != 0 ||
		span(t, "2026-03-10", "2026-03-10").Days() != 0 {
		t.Error("the nights are counted wrongly")
	}
}

func TestAMonthIsTheWholeOfIt(t *testing.T) {
	tests := map[string]struct {
		from, to string
		days     int
	}{
		"2026-01-31": {"2026-01-01", "2026-02-01", 31},
		"2025-12-05": {"2025-12-01", "2026-01-01", 31},
		"2024-02-29": {"2024-02-01", "2024-03-01", 29},
		"2026-02-01": {"2026-02-01", "2026-03-01", 28},
		"2026-10-25": {"2026-10-01", "2026-11-01", 31}, // the clocks change in it
	}
	for in, tc := range tests {
		got := calendar.Month(day(t, in))
		if got != span(t, tc.from, tc.to) || got.Days() != tc.days {
			t.Errorf("the month of %s is %v with %d days", in, got, got.Days())
		}
	}
}

func TestTheNextWeekendIsFridayAndSaturdayNight(t *testing.T) {
	// 2026-01-12 is a Monday.
	tests := map[string]string{
		"2026-01-12": "2026-01-16", "2026-01-13": "2026-01-16", "2026-01-14": "2026-01-16", "2026-01-15": "2026-01-16",
		// In a weekend the next one is meant.
		"2026-01-16": "2026-01-23", "2026-01-17": "2026-01-23", "2026-01-18": "2026-01-23",
		// Over the end of a year, and of a leap day's month.
		"2025-12-30": "2026-01-02", "2024-02-27": "2024-03-01",
	}
	for in, want := range tests {
		got := calendar.NextWeekend(day(t, in))
		if got.From != day(t, want) || got.Days() != 2 || got.From.Weekday() != time.Friday {
			t.Errorf("after %s, a %s, the next weekend is %v, want it from %s", in, day(t, in).Weekday(), got, want)
		}
	}
}

// F-59: today is the place's today, not the server's.
func TestTodayIsThePlacesToday(t *testing.T) {
	tests := map[string]struct{ now, zone, want string }{
		"still yesterday in UTC":              {"2026-01-14T18:30:00Z", "Asia/Kolkata", "2026-01-15"},
		"a second before midnight":            {"2026-01-14T18:29:59Z", "Asia/Kolkata", "2026-01-14"},
		"still yesterday in America":          {"2026-01-15T04:59:59Z", "America/New_York", "2026-01-14"},
		"midnight in America":                 {"2026-01-15T05:00:00Z", "America/New_York", "2026-01-15"},
		"the first place to begin a day":      {"2026-01-14T10:00:00Z", "Pacific/Kiritimati", "2026-01-15"},
		"the last place to end one":           {"2026-01-15T10:59:59Z", "Pacific/Niue", "2026-01-14"},
		"before the clocks go forward":        {"2026-03-28T23:59:59+01:00", "Europe/Berlin", "2026-03-28"},
		"the evening of the short day":        {"2026-03-29T21:59:59Z", "Europe/Berlin", "2026-03-29"},
		"midnight after the short day":        {"2026-03-29T22:00:00Z", "Europe/Berlin", "2026-03-30"},
		"the last hour of the long day":       {"2026-10-25T22:59:59Z", "Europe/Berlin", "2026-10-25"},
		"midnight after the long day":         {"2026-10-25T23:00:00Z", "Europe/Berlin", "2026-10-26"},
		"a day whose midnight does not exist": {"2026-09-06T04:00:00Z", "America/Santiago", "2026-09-06"},
		"a leap day":                          {"2024-02-28T18:30:00Z", "Asia/Kolkata", "2024-02-29"},
		"the caller's own zone does not show": {"2026-01-14T23:00:00-05:00", "UTC", "2026-01-15"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			zone, err := time.LoadLocation(tc.zone)
			if err != nil {
				t.Fatal(err)
			}
			now, err := time.Parse(time.RFC3339, tc.now)
			if err != nil {
				t.Fatal(err)
			}
			if got := calendar.Today(now, zone); got != day(t, tc.want) {
				t.Errorf("at %s it is %s in %s, want %s", tc.now, got, tc.zone, tc.want)
			}
		})
	}
}

// Domain rules 3: a financial year is 1 April to 31 March.
func TestFinancialYearsBeginInApril(t *testing.T) {
	for in, want := range map[string]int{"2026-03-31": 2025, "2026-04-01": 2026, "2026-12-31": 2026,
		"2027-01-01": 2026} {
		if got := calendar.FinancialYearOf(day(t, in)); got != want {
			t.Errorf("%s is in the year of %d, want %d", in, got, want)
		}
	}
	if got, want := calendar.FinancialYear(2025), span(t, "2025-04-01", "2026-04-01"); got != want {
		t.Errorf("2025-26 is %v", got)
	}
	quarters := []calendar.Range{span(t, "2025-04-01", "2025-07-01"), span(t, "2025-07-01", "2025-10-01"),
		span(t, "2025-10-01", "2026-01-01"), span(t, "2026-01-01", "2026-04-01")}
	for i, want := range quarters {
		if got := calendar.FinancialQuarter(2025, i+1); got != want {
			t.Errorf("quarter %d is %v, want %v", i+1, got, want)
		}
	}
	if calendar.FinancialQuarter(2025, 0).Days() != 0 || calendar.FinancialQuarter(2025, 5).Days() != 0 {
		t.Error("a quarter that does not exist has days")
	}
}
