// Package billfile makes a draft of a vendor's bill from a file: the text of a PDF, or
// what a model reads in a picture.
//
// A draft is found by labels and by arithmetic, in code. Each of its fields says where
// it was read; what was not found is missing and never guessed. What stands in a file
// is untrusted: words in it fill fields, and are never followed.
package billfile

import (
	"regexp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/finance/gst"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Text is a field with the place where it was read; both are "" for one that is
// missing.
type Text struct {
	Value string `json:"value"`
	From  string `json:"from"`
}

// Day is a field that is a date.
type Day struct {
	Value calendar.Date `json:"value"`
	From  string        `json:"from"`
}

// Amount is a field that is an amount of rupees; it is missing where From is "".
type Amount struct {
	Value money.Amount `json:"value"`
	From  string       `json:"from"`
}

func (a Amount) there() bool { return a.From != "" }

// Line is what was bought.
type Line struct {
	Description string       `json:"description"`
	HSN         string       `json:"hsn_sac"` // HSN or SAC; "" for none
	Quantity    money.Amount `json:"quantity"`
	Unit        string       `json:"unit,omitempty"`
	Rate        money.Amount `json:"rate"`     // price of one without GST
	GSTRate     Amount       `json:"gst_rate"` // per cent
	Taxable     money.Amount `json:"taxable"`
	From        string       `json:"from"`
}

// Draft is what was read of a bill.
type Draft struct {
	File          string `json:"file"`
	Vendor        Text   `json:"vendor"`
	GSTIN         Text   `json:"gstin"`
	Number        Text   `json:"number"` // the vendor's
	Date          Day    `json:"date"`
	DueDate       Day    `json:"due_date"`
	Place         Text   `json:"place_of_supply"` // code of the state
	ReverseCharge Text   `json:"reverse_charge"`  // "yes" or "no"
	Lines         []Line `json:"lines"`
	Taxable       Amount `json:"taxable"`
	CGST          Amount `json:"cgst"`
	SGST          Amount `json:"sgst"` // or UTGST
	IGST          Amount `json:"igst"`
	RoundOff      Amount `json:"round_off"`
	Total         Amount `json:"total"`

	// Missing are the fields that a bill needs and that were not found.
	Missing []string `json:"missing"`
	// Problems are sentences on what does not fit together.
	Problems []string `json:"problems"`
}

// Company is who the bill is for, as far as it is known.
type Company struct {
	GSTIN string
	State string // code of two digits
}

var (
	gstinShape = regexp.MustCompile(`(?i)\b\d{2}[A-Z]{5}\d{4}[A-Z][0-9A-Z]Z[0-9A-Z]\b`)
	numberText = regexp.MustCompile(`(?i)\b(?:invoice|bill|inv)\s*(?:no|number|num|#)?\.?\s*[:#]?\s*` +
		`(?:no\.?\s*:?\s*)?([A-Za-z0-9][A-Za-z0-9/-]{0,30})`)
	dateLabel = regexp.MustCompile(`(?i)(\b[a-z-]+\s+)?\b(?:date|dated|dt)\b\.?\s*[:-]?`)
	buyer     = regexp.MustCompile(`(?i)\b(?:bill(?:ed)?\s*to|ship(?:ped)?\s*to|buyer|consignee|recipient|` +
		`customer|details of receiver)\b`)
	seller = regexp.MustCompile(`(?i)^(?:vendor|supplier|seller|sold by|from)\s*(?:name)?\s*[:-]\s*(.+)$`)
	title  = regexp.MustCompile(`(?i)^(?:tax\s+)?(?:invoice|bill)\b|^(?:original|duplicate|triplicate)\b|` +
		`^bill of supply\b|^page\b|\bcopy\b`)
	placeLabel = regexp.MustCompile(`(?i)\bplace of supply\b\s*[:-]?\s*(.+)$`)
	reverse    = regexp.MustCompile(`(?i)\breverse charge\b[^:\pL]*[:(-]?\s*\(?(?:y/n\)?\s*:?\s*)?(yes|no|y|n)\b`)
	itemHeader = regexp.MustCompile(`(?i)\b(?:description|particulars|items?|goods|products?|services?)\b.*` +
		`\b(?:amount|total|value|rate|price|qty|quantity)\b`)
	totals = regexp.MustCompile(`(?i)^(?:add\b|less\b|output\b|sub\s*-?\s*total|taxable|total|` +
		`grand total|invoice total|bill total|amount (?:payable|due|in words)|` +
		`net (?:amount|payable)|round|rounding|[cs]gst\b|utgst\b|igst\b)`)
	taxHead  = regexp.MustCompile(`(?i)\b(?:CGST|SGST|UTGST|IGST)\b`)
	subTotal = regexp.MustCompile(`(?i)^(?:sub\s*-?\s*total|taxable(?: value| amount)?|` +
		`total (?:before tax|taxable(?: value)?))\b`)
	rounding = regexp.MustCompile(`(?i)^(?:add\s*:?\s*|less\s*:?\s*)?round(?:ed|ing)?\s*-?\s*off\b|^rounding\b`)
	grand    = regexp.MustCompile(`(?i)^(?:grand total|invoice total|bill total|total (?:invoice )?(?:amount|value)|` +
		`amount (?:payable|due)|net (?:amount|payable))\b`)
	plain = regexp.MustCompile(`(?i)^total\b`)
)

// Read makes a draft of a text. Picture says that the text is what a model read in a
// picture.
func Read(file, text string, picture bool, company Company, today calendar.Date) Draft {
	d := Draft{File: file, Missing: []string{}, Problems: []string{}, Lines: []Line{}}
	lines := linesOf(text)
	r := reading{d: &d, lines: lines, picture: picture, company: company}
	r.parties()
	r.particulars()
	r.amounts()
	r.items()
	d.check(company, today)
	return d
}

// reading is a text that is being read.
type reading struct {
	d       *Draft
	lines   []line
	picture bool
	company Company
	heads   []figure // rates that stand beside heads of tax
	headsAt string
}

func (r *reading) from(l line) string { return l.place(r.picture) }

// parties finds the vendor: a GSTIN that is not the company's and does not stand with
// the buyer, and a name.
func (r *reading) parties() {
	ofBuyer := false
	for _, l := range r.lines {
		if buyer.MatchString(l.text) {
			ofBuyer = true
		}
		if seller.MatchString(l.text) {
			ofBuyer = false
		}
		for _, m := range gstinShape.FindAllString(l.text, -1) {
			m = strings.ToUpper(m)
			known := r.company.GSTIN != ""
			if m == r.company.GSTIN || !known && ofBuyer || r.d.GSTIN.Value != "" {
				continue
			}
			r.d.GSTIN = Text{m, r.from(l)}
		}
		if m := seller.FindStringSubmatch(l.text); m != nil && r.d.Vendor.Value == "" {
			r.d.Vendor = Text{cut(m[1], 100), r.from(l)}
		}
	}
	for _, l := range r.lines[:min(6, len(r.lines))] {
		if r.d.Vendor.Value != "" || buyer.MatchString(l.text) {
			break
		}
		if name := cut(l.text, 100); strings.IndexFunc(name, isLetter) >= 0 && !title.MatchString(name) &&
			!strings.ContainsAny(name, ":#") {
			r.d.Vendor = Text{name, r.from(l)}
		}
	}
}

func isLetter(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r > 0x900 }

// particulars finds the number, the dates, the place of supply and reverse charge.
func (r *reading) particulars() {
	d := r.d
	for i, l := range r.lines {
		for _, m := range numberText.FindAllStringSubmatch(l.text, -1) {
			if d.Number.Value == "" && strings.ContainsAny(m[1], "0123456789") && !gstinShape.MatchString(m[1]) {
				d.Number = Text{m[1], r.from(l)}
			}
		}
		for _, at := range dateLabel.FindAllStringSubmatchIndex(l.text, -1) {
			before := ""
			if at[2] >= 0 {
				before = strings.ToLower(strings.TrimSpace(l.text[at[2]:at[3]]))
			}
			found, ok := day(l.text[at[1]:])
			from := l
			if rest := strings.TrimSpace(l.text[at[1]:]); rest == "" && i+1 < len(r.lines) {
				from = r.lines[i+1]
				found, ok = day(from.text)
			}
			switch {
			case !ok:
			case before == "due" && d.DueDate.From == "":
				d.DueDate = Day{found, r.from(from)}
			case d.Date.From == "" && !slices.Contains([]string{"due", "order", "po", "challan", "ack", "delivery",
				"dispatch", "removal"}, before):
				d.Date = Day{found, r.from(from)}
			}
		}
		if m := placeLabel.FindStringSubmatch(l.text); m != nil && d.Place.Value == "" {
			if code := stateIn(m[1]); code != "" {
				d.Place = Text{code, r.from(l)}
			}
		}
		if m := reverse.FindStringSubmatch(l.text); m != nil && d.ReverseCharge.Value == "" {
			d.ReverseCharge = Text{"no", r.from(l)}
			if strings.HasPrefix(strings.ToLower(m[1]), "y") {
				d.ReverseCharge.Value = "yes"
			}
		}
	}
}

var stateCode = regexp.MustCompile(`\b\d{2}\b`)

// stateIn returns the code of the state that a text names.
func stateIn(text string) string {
	for _, m := range stateCode.FindAllString(text, -1) {
		if _, ok := gst.StateName(m); ok {
			return m
		}
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return !isLetter(r) && r != ' ' && r != '&' })
	for _, w := range words {
		if code, ok := gst.StateCode(strings.TrimSpace(w)); ok {
			return code
		}
	}
	return ""
}

// amounts finds the sums below the lines.
func (r *reading) amounts() {
	d := r.d
	var weak Amount
	for _, l := range r.lines {
		a, ok := last(l.text)
		switch {
		case taxHead.MatchString(l.text) && !itemHeader.MatchString(l.text):
			r.tax(l)
		case !ok:
		case subTotal.MatchString(l.text):
			if !d.Taxable.there() {
				d.Taxable = Amount{a, r.from(l)}
			}
		case rounding.MatchString(l.text):
			if strings.Contains(l.text, "(-)") || strings.HasPrefix(strings.ToLower(l.text), "less") {
				a, _ = money.Zero.Sub(a) // a sign needs no digit
			}
			d.RoundOff = Amount{a, r.from(l)}
		case grand.MatchString(l.text):
			d.Total = Amount{a, r.from(l)}
		case plain.MatchString(l.text):
			weak = Amount{a, r.from(l)}
		}
	}
	if !d.Total.there() {
		d.Total = weak
	}
}

// tax reads the heads of tax of a line: of each, the last amount before the next head.
func (r *reading) tax(l line) {
	marks := taxHead.FindAllStringIndex(l.text, -1)
	for i, m := range marks {
		end := len(l.text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		part := l.text[m[1]:end]
		a, ok := last(part)
		if !ok {
			continue
		}
		for _, f := range figures(tokens(part)) {
			if f.percent {
				r.heads, r.headsAt = append(r.heads, f), r.from(l)
			}
		}
		into := map[string]*Amount{"CGST": &r.d.CGST, "SGST": &r.d.SGST, "UTGST": &r.d.SGST,
			"IGST": &r.d.IGST}[strings.ToUpper(l.text[m[0]:m[1]])]
		// A bill with several rates has a head several times.
		if sum, err := into.Value.Add(a); err == nil {
			*into = Amount{sum, r.from(l)}
		}
	}
}
