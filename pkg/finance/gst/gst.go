// Package gst knows the rules of India's goods and services tax that can be
// checked without asking the tax office: the forms of registrations, rates by
// date, codes of goods and services, heads of tax and places of supply. Rates and
// states are data with dates, in the folder data.
//
// What does not fit is a [Finding]: a warning for the person who decides. That a
// number fits its form says nothing about whether it is registered, so nothing
// here is ever called verified.
package gst

import (
	"fmt"
	"strings"

	_ "embed"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Finding is something that does not fit: a stable code, and a sentence for
// people. It is a warning.
type Finding struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

func found(code, format string, args ...any) Finding {
	return Finding{code, fmt.Sprintf(format, args...)}
}

var (
	//go:embed data/states.csv
	statesText string
	//go:embed data/rates.csv
	ratesText string
)

// rows returns the rows of a file of data without its heading. No field has a
// comma.
func rows(text string) [][]string {
	var list [][]string
	for line := range strings.Lines(text) {
		list = append(list, strings.Split(strings.TrimRight(line, "\r\n"), ","))
	}
	return list[1:]
}

// StateName returns the name of a state or union territory by its code of two
// digits. 96 is another country, 97 another territory.
func StateName(code string) (string, bool) {
	for _, r := range rows(statesText) {
		if r[0] == code {
			return r[1], true
		}
	}
	return "", false
}

// StateCode returns the code of a state by its name, in any case, or by its code.
func StateCode(name string) (string, bool) {
	name = strings.TrimSpace(name)
	for _, r := range rows(statesText) {
		if r[0] == name || strings.EqualFold(r[1], name) {
			return r[0], true
		}
	}
	return "", false
}

// StateTax names the head that is charged beside CGST inside a state: SGST, or
// UTGST in a union territory without a legislature.
func StateTax(code string) string {
	for _, r := range rows(statesText) {
		if r[0] == code && r[2] != "" {
			return r[2]
		}
	}
	return "SGST"
}

// period is a rate in per cent and the days on which it is one; until is zero for
// a rate that is in force.
type period struct {
	rate         money.Amount
	since, until calendar.Date
}

func (p period) on(d calendar.Date) bool {
	return !d.Before(p.since) && (p.until.IsZero() || !d.After(p.until))
}

func periods() []period {
	var list []period
	for _, r := range rows(ratesText) {
		p := period{rate: money.MustParse(r[0])}
		p.since, _ = calendar.Parse(r[1]) // a test reads the file
		p.until, _ = calendar.Parse(r[2])
		list = append(list, p)
	}
	return list
}

// Rates returns the rates of GST in per cent on a day, ascending; none before
// 1 July 2017.
func Rates(on calendar.Date) []money.Amount {
	var list []money.Amount
	for _, p := range periods() {
		if p.on(on) {
			list = append(list, p.rate)
		}
	}
	return list
}

// CheckRate says what is wrong with a rate, in per cent, for a supply of a day.
func CheckRate(rate money.Amount, on calendar.Date) []Finding {
	var other period
	for _, p := range periods() {
		if p.rate.Cmp(rate) != 0 {
			continue
		}
		if p.on(on) {
			return nil
		}
		other = p
	}
	var valid []string
	for _, r := range Rates(on) {
		valid = append(valid, r.String())
	}
	if len(valid) == 0 {
		return []Finding{found("gst_rate_before", "GST begins on 01/07/2017, after %s.", rupees.Date(on))}
	}
	last := len(valid) - 1
	text := fmt.Sprintf("The rates on %s are %s and %s %%.", rupees.Date(on), strings.Join(valid[:last], ", "),
		valid[last])
	percent := rate.Round(rate.Decimals())
	switch {
	case other.since.IsZero():
		return []Finding{found("gst_rate_unknown", "%s %% is not a rate of GST. %s", percent, text)}
	case on.Before(other.since):
		return []Finding{found("gst_rate_early", "%s %% is a rate of GST only from %s on. %s", percent,
			rupees.Date(other.since), text)}
	}
	return []Finding{found("gst_rate_ended", "%s %% ended as a rate of GST on %s. %s", percent,
		rupees.Date(other.until), text)}
}
