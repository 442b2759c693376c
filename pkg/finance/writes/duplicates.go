package writes

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/finance/gst"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
)

// listed is a document as lists show it.
type listed struct {
	Number       string        `json:"number"`
	VendorNumber string        `json:"vendor_number"`
	Date         calendar.Date `json:"date"`
	Due          calendar.Date `json:"due_date"`
	Total        paise         `json:"total"`
	Balance      paise         `json:"balance"`
	Status       string        `json:"status"`
}

// alikeDays is how far apart documents of one amount are taken for the same.
const alikeDays = 7

// likeDocuments warns of documents of the same contact with the same total, of the
// same day or a few days apart.
func (d *draft) likeDocuments(v *document) error {
	name, noun, by := "get_all_invoices", "invoices", "customer"
	if v.kind == "bill" {
		name, noun, by = "get_bills", "bills", "vendor"
	}
	arguments := ofDays(v.date.AddDays(-alikeDays), v.date.AddDays(alikeDays))
	arguments[by] = v.contact.Code
	arguments["min_amount"], arguments["max_amount"] = v.total.plain(), v.total.plain()
	rows, err := all[listed](d, name, noun, arguments)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if r.Status == "void" || r.Number == v.number {
			continue
		}
		if r.Date == v.date {
			d.warn("Possible duplicate: %s of %s has the same date and total (%s).", r.Number, v.contact.Name, r.Total)
		} else {
			d.warn("Possible duplicate: %s of %s, of %s, has the same total (%s).", r.Number, v.contact.Name,
				rupees.Date(r.Date), r.Total)
		}
	}
	return nil
}

// numberKey is how numbers compare: letters and digits only, in capitals.
func numberKey(number string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToUpper(r)
		}
		return -1
	}, number)
}

// sameVendorNumber warns where the vendor's number is entered already, of which
// the books take only one.
func (d *draft) sameVendorNumber(v *document, number string) error {
	if number == "" {
		return nil
	}
	rows, err := all[listed](d, "get_bills", "bills", map[string]any{"vendor": v.contact.Code})
	if err != nil {
		return err
	}
	for _, r := range rows {
		if r.Status != "void" && r.Number != v.number && numberKey(r.VendorNumber) == numberKey(number) {
			d.warn("Duplicate: the bill %s of %s is entered already as %s of %s over %s. The books will refuse it.",
				number, v.contact.Name, r.Number, rupees.Date(r.Date), r.Total)
		}
	}
	return nil
}

// known is a contact as lists show it.
type known struct {
	Code  string `json:"code"`
	Name  string `json:"name"`
	GSTIN string `json:"gstin"`
	State string `json:"state"`
}

// likeContacts warns of contacts with the same GSTIN, PAN or a name that people
// would take for the same. but is the code of the one that is changed.
func (d *draft) likeContacts(kind, name, gstin, pan, but string) error {
	list, err := all[known](d, "get_all_"+kind+"s", kind+"s", map[string]any{})
	if err != nil {
		return err
	}
	said := []string{but}
	say := func(k known, format string, args ...any) {
		if !slices.Contains(said, k.Code) {
			said = append(said, k.Code)
			d.warn("Possible duplicate: %s (%s) %s.", k.Name, k.Code, fmt.Sprintf(format, args...))
		}
	}
	gstin = strings.ToUpper(strings.TrimSpace(gstin))
	for _, k := range list {
		if gstin != "" && k.GSTIN == gstin {
			say(k, "has the same GSTIN %s", gstin)
		}
	}
	if pan = panOf(gstin, pan); pan != "" {
		for _, k := range list {
			if panOf(k.GSTIN, "") == pan {
				say(k, "has the same PAN %s in its GSTIN", gst.MaskPAN(pan))
			}
		}
	}
	for _, k := range list {
		switch alike(k.Name, name) {
		case sameName:
			say(k, "has the same name")
		case likeName:
			say(k, "has a name that is much like %q", name)
		}
	}
	return nil
}

func panOf(gstin, pan string) string {
	if pan != "" {
		return strings.ToUpper(strings.TrimSpace(pan))
	}
	g, _, err := gst.CheckGSTIN(gstin)
	if gstin == "" || err != nil {
		return ""
	}
	return g.PAN
}

// How much two names of businesses are alike.
const (
	otherName = iota
	likeName
	sameName
)

// alike compares names of businesses: case, punctuation, legal forms and common
// abbreviations make no difference ("ACME Pvt Ltd", "M/s Acme Private Limited"),
// and a letter or two makes them much alike.
func alike(a, b string) int {
	fullA, coreA := nameKey(a)
	fullB, coreB := nameKey(b)
	switch {
	case coreA == "" || coreB == "":
		return otherName
	case fullA == fullB:
		return sameName
	case coreA == coreB:
		return likeName
	}
	// One letter in six may be another.
	if most := min(len([]rune(coreA)), len([]rune(coreB))) / 6; most > 0 && distance(coreA, coreB) <= min(most, 2) {
		return likeName
	}
	return otherName
}

// nameKey returns a name with the abbreviations written out, and the same without
// its legal form.
func nameKey(name string) (full, core string) {
	written := map[string]string{"pvt": "private", "ltd": "limited", "co": "company", "corp": "corporation",
		"bros": "brothers", "ent": "enterprises", "enterprise": "enterprises", "intl": "international",
		"inds": "industries", "ind": "industries", "mfg": "manufacturing", "engg": "engineering", "svcs": "services",
		"tech": "technologies", "trader": "traders", "store": "stores", "inc": "incorporated", "assoc": "associates"}
	legal := []string{"private", "limited", "llp", "company", "corporation", "incorporated", "opc"}
	signs := strings.NewReplacer("m/s", " ", "messrs", " ", "&", " and ", "'", "", "’", "")
	words := strings.FieldsFunc(signs.Replace(strings.ToLower(name)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
	var all, rest []string
	for _, w := range words {
		if w == "the" || w == "and" {
			continue
		}
		if long := written[w]; long != "" {
			w = long
		}
		all = append(all, w)
		if !slices.Contains(legal, w) {
			rest = append(rest, w)
		}
	}
	return strings.Join(all, " "), strings.Join(rest, " ")
}

// distance is the number of letters that must be put in, left out or replaced to
// make b of a (Levenshtein).
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range x {
		before := row[0]
		row[0] = i + 1
		for j, s := range y {
			cost := before
			if r != s {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(y)]
}
