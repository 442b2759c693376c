package consent

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
)

// hasDate reports whether the person named a date: written out in one of the
// usual ways, relative to today, as a weekday near, or, where counted is true,
// as so many nights after another one.
func (c *corpus) hasDate(d, today calendar.Date, counted bool) bool {
	return c.hasWritten(d) || c.hasRelative(d, today) || c.hasPeriod(d, today) || counted && c.hasCounted(d, today)
}

func (c *corpus) has(phrase string) bool { return strings.Contains(c.text, " "+phrase+" ") }

func (c *corpus) hasWritten(d calendar.Date) bool {
	year, month, day := d.Year, int(d.Month), d.Day
	for _, form := range []string{
		fmt.Sprintf("%04d %02d %02d", year, month, day), fmt.Sprintf("%d %d", day, month),
		fmt.Sprintf("%02d %02d", day, month),
		fmt.Sprintf("%d %d", month, day), fmt.Sprintf("%02d %02d", month, day),
	} {
		if c.has(form) {
			return true
		}
	}
	// "12 December", "Dec 12th", "12 to 15 Dec": the day near its month.
	names := monthNames(d.Month)
	for i, w := range c.words {
		if !slices.Contains(names, w) {
			continue
		}
		for _, near := range c.words[max(0, i-5):min(len(c.words), i+5)] {
			if ordinal(near) == day {
				return true
			}
		}
	}
	return false
}

func ordinal(w string) int {
	for _, end := range []string{"st", "nd", "rd", "th"} {
		w = strings.TrimSuffix(w, end)
	}
	if len(w) > 2 {
		return 0
	}
	n, err := strconv.Atoi(w)
	if err != nil {
		return 0
	}
	return n
}

// monthNames returns how people write a month.
func monthNames(m time.Month) []string {
	name := strings.ToLower(m.String())
	hindi := strings.Fields("जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर")
	names := []string{name, name[:3], hindi[m-1]}
	if m == time.September {
		names = append(names, "sept")
	}
	return names
}

func (c *corpus) hasRelative(d, today calendar.Date) bool {
	words := map[int][]string{
		-1: {"yesterday", "kal", "कल"}, 0: {"today", "tonight", "aaj", "आज", "now"}, 1: {"tomorrow", "tmrw", "tomorow",
			"kal", "कल"},
		2: {"day after tomorrow", "parso", "parson", "परसों"},
	}
	diff := today.Until(d)
	if slices.ContainsFunc(words[diff], c.has) || diff > 0 && (c.has(fmt.Sprintf("in %d days", diff)) ||
		c.has(fmt.Sprintf("%d din baad", diff))) {
		return true
	}
	if diff < -7 || diff > 14 {
		return false
	}
	name := strings.ToLower(d.Weekday().String())
	hindi := strings.Fields("ravivar somvar mangalvar budhvar guruvar shukravar shanivar")[d.Weekday()]
	script := strings.Fields("रविवार सोमवार मंगलवार बुधवार गुरुवार शुक्रवार शनिवार")[d.Weekday()]
	if c.has(name) || c.has(name[:3]) || c.has(hindi) || c.has(script) {
		return true
	}
	weekend := d.Weekday() == time.Friday || d.Weekday() == time.Saturday || d.Weekday() == time.Sunday ||
		d.Weekday() == time.Monday
	return weekend && (c.has("weekend") || c.has("वीकेंड"))
}

// hasPeriod takes the bounds of a month that was named, and whatever lies in
// "next week" and the like.
func (c *corpus) hasPeriod(d, today calendar.Date) bool {
	first := calendar.Date{Year: d.Year, Month: d.Month, Day: 1}
	bound := d == first || d.AddDays(1).Day == 1
	before := first.AddDays(-1)
	names := monthNames(d.Month)
	if d == first {
		names = append(names, monthNames(before.Month)...)
	}
	if bound && slices.ContainsFunc(c.words, func(w string) bool { return slices.Contains(names, w) }) {
		return true
	}
	diff := today.Until(d)
	months := (d.Year-today.Year)*12 + int(d.Month) - int(today.Month)
	return c.has("next week") && diff >= 1 && diff <= 14 || c.has("this week") && diff >= -6 && diff <= 7 ||
		c.has("next month") && months == 1 || c.has("this month") && months == 0 || c.has("last month") &&
		(months == -1 || months == 0 && d == first)
}

// hasCounted takes "from 12 December, 3 nights" for the 15th.
func (c *corpus) hasCounted(d, today calendar.Date) bool {
	small := numerals()
	for i, w := range c.words {
		unit := 0
		switch w {
		case "night", "nights", "day", "days", "raat", "raatein", "din", "रात", "रातें", "दिन":
			unit = 1
		case "week", "weeks", "hafta", "hafte", "हफ्ते":
			unit = 7
		}
		if unit == 0 || i == 0 {
			continue
		}
		n, err := strconv.Atoi(c.words[i-1])
		if err != nil {
			n, _ = strconv.Atoi(small[c.words[i-1]])
		}
		if n > 0 && n <= 400 && c.hasDate(d.AddDays(-n*unit), today, false) {
			return true
		}
	}
	return false
}
