package enrich

import (
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/finance/gst"
)

var (
	rateEnded = phrase{
		"⚠ GST rates that were not in force on the date: %[1]s.",
		"⚠ GST rate jo us tareekh par lagu nahi tha: %[1]s.",
		"⚠ GST दर जो उस तारीख पर लागू नहीं थी: %[1]s।"}
	rateOn     = phrase{"%[1]s: %[2]s %% on %[3]s", "%[1]s: %[3]s ko %[2]s %%", "%[1]s: %[3]s को %[2]s %%"}
	gstinFails = phrase{
		"⚠ GSTINs that fail the check, so a letter or digit is likely wrong: %[1]s.",
		"⚠ GSTIN jo check mein fail hain, koi akshar ya ank galat lagta hai: %[1]s.",
		"⚠ GSTIN जो जाँच में सही नहीं बैठते, कोई अक्षर या अंक ग़लत लगता है: %[1]s।"}
	gstinOf      = phrase{"%[2]s of %[1]s", "%[1]s ka %[2]s", "%[1]s का %[2]s"}
	gstinMissing = phrase{
		"No GSTIN on record, %[1]s of %[2]s %[3]s: %[4]s.",
		"GSTIN record mein nahi, %[2]s mein se %[1]s %[3]s: %[4]s.",
		"GSTIN दर्ज नहीं, %[2]s में से %[1]s %[3]s: %[4]s।"}
	vendorCredit = phrase{
		" A bill without the vendor's GSTIN gives no input credit.",
		" Vendor ke GSTIN ke bina bill par input credit nahi milta.",
		" विक्रेता के GSTIN के बिना बिल पर इनपुट क्रेडिट नहीं मिलता।"}
	creditWithout = phrase{
		"⚠ Input credit from vendors without a GSTIN: %[1]s. That is right only for reverse charge and imports.",
		"⚠ Bina GSTIN wale vendor se input credit: %[1]s. Yeh sirf reverse charge aur import mein sahi hai.",
		"⚠ बिना GSTIN वाले विक्रेताओं से इनपुट क्रेडिट: %[1]s। यह केवल रिवर्स चार्ज और आयात में सही है।"}
	billWithout = phrase{
		"⚠ %[1]s of %[2]s charges GST without the vendor's GSTIN: no input credit without it.",
		"⚠ %[2]s ke %[1]s mein GST hai par vendor ka GSTIN nahi: uske bina input credit nahi.",
		"⚠ %[2]s के %[1]s में GST है पर विक्रेता का GSTIN नहीं: उसके बिना इनपुट क्रेडिट नहीं।"}
	hsnWrong = phrase{
		"⚠ HSN or SAC that does not fit (4, 6 or 8 digits; SAC 4 or 6): %[1]s.",
		"⚠ HSN ya SAC sahi nahi hai (4, 6 ya 8 ank; SAC 4 ya 6): %[1]s.",
		"⚠ HSN या SAC सही नहीं है (4, 6 या 8 अंक; SAC 4 या 6): %[1]s।"}
	hsnOf     = phrase{"%[1]s: %[2]s", "%[1]s: %[2]s", "%[1]s: %[2]s"}
	hsnNone   = phrase{"%[1]s: none", "%[1]s: koi nahi", "%[1]s: नहीं है"}
	igstInner = phrase{
		"⚠ IGST although supplier and place of supply are in the same state, where CGST and SGST are due but for " +
			"supplies to an SEZ: %[1]s.",
		"⚠ Supplier aur place of supply ek hi state mein hain, phir bhi IGST laga hai " +
			"(SEZ ke alawa CGST aur SGST lagna chahiye): %[1]s.",
		"⚠ आपूर्तिकर्ता और आपूर्ति का स्थान एक ही राज्य में हैं, फिर भी IGST लगा है " +
			"(SEZ के अलावा CGST और SGST लगना चाहिए): %[1]s।"}
	cgstOuter = phrase{
		"⚠ CGST and SGST although the place of supply is in another state, where IGST is due: %[1]s.",
		"⚠ Place of supply doosre state mein hai, phir bhi CGST aur SGST lage hain (IGST lagna chahiye): %[1]s.",
		"⚠ आपूर्ति का स्थान दूसरे राज्य में है, फिर भी CGST और SGST लगे हैं (IGST लगना चाहिए): %[1]s।"}
	bothHeads = phrase{
		"⚠ IGST and CGST on the same supply, which never go together: %[1]s.",
		"⚠ Ek hi supply par IGST aur CGST dono, jo saath nahi lagte: %[1]s.",
		"⚠ एक ही आपूर्ति पर IGST और CGST दोनों, जो साथ नहीं लगते: %[1]s।"}
	taxOf    = phrase{"%[1]s (%[2]s, %[3]s)", "%[1]s (%[2]s, %[3]s)", "%[1]s (%[2]s, %[3]s)"}
	notFiled = phrase{
		"⚠ Not filed and past the due date: %[1]s.",
		"⚠ File nahi hua aur due date nikal gayi: %[1]s.",
		"⚠ दाखिल नहीं हुआ और देय तिथि निकल चुकी है: %[1]s।"}
	returnLate = phrase{
		"%[1]s for %[2]s, due on %[3]s (%[4]s ago)", "%[2]s ka %[1]s, due %[3]s (%[4]s pehle)",
		"%[2]s का %[1]s, देय %[3]s (%[4]s पहले)"}
	returnsSoon = phrase{
		"Due within 7 days: %[1]s.", "7 din ke andar due: %[1]s.", "7 दिन के अंदर देय: %[1]s।"}
	returnSoon = phrase{
		"%[1]s for %[2]s on %[3]s", "%[2]s ka %[1]s, %[3]s ko", "%[2]s का %[1]s, %[3]s को"}
	smallLate = phrase{
		"⚠ Bills of micro and small suppliers that are unpaid for more than 45 days: %[1]s. Interest runs " +
			"(MSMED Act, section 16), and the expense is not deducted until it is paid " +
			"(Income-tax Act, section 43B(h)).",
		"⚠ Micro aur small suppliers ke bill jo 45 din se zyada se unpaid hain: %[1]s. Byaj lagta hai (MSMED Act, " +
			"section 16) aur payment tak kharche ki chhoot nahi milti (Income-tax Act, section 43B(h)).",
		"⚠ सूक्ष्म और लघु आपूर्तिकर्ताओं के बिल जो 45 दिन से अधिक से बकाया हैं: %[1]s। ब्याज लगता है (MSMED Act, " +
			"धारा 16) और भुगतान तक खर्च की छूट नहीं मिलती (Income-tax Act, धारा 43B(h))।"}
	smallBill = phrase{"%[1]s of %[2]s, %[3]s, %[4]s",
		"%[2]s ka %[1]s, %[3]s, %[4]s", "%[2]s का %[1]s, %[3]s, %[4]s"}
)

// maxSmallDays is how long a micro or small supplier may wait at most (MSMED Act,
// section 15).
const maxSmallDays = 45

// concerns are findings of one table or document by what is wrong.
type concerns struct {
	checked map[string]bool // what was checked, and whether it fits

	rates, gstins, codes, inner, outer, both []sentence
}

func (b *builder) report(tool, member string, c concerns) {
	for _, kind := range []struct {
		phrase phrase
		list   []sentence
	}{{rateEnded, c.rates}, {gstinFails, c.gstins}, {igstInner, c.inner}, {cgstOuter, c.outer}, {bothHeads, c.both},
		{hsnWrong, c.codes}} {
		if len(kind.list) > 0 {
			b.add(Compliance, tool, member, say(kind.phrase, few(kind.list)))
		}
	}
}

// fits returns what check says of a thing, which is asked once.
func (c *concerns) fits(thing string, check func() bool) bool {
	fits, known := c.checked[thing]
	if !known {
		if c.checked == nil {
			c.checked = map[string]bool{}
		}
		fits = check()
		c.checked[thing] = fits
	}
	return fits
}

// rate checks the rate of a supply. A note has the rate of the document that it
// corrects, whose date it does not tell.
func (c *concerns) rate(row record, of string, on calendar.Date) {
	key := "gst_rate"
	if row[key] == nil {
		key = "rate"
	}
	rate, ok := row.amount(key)
	if !ok || on.IsZero() || row.text("against") != "" {
		return
	}
	if !c.fits(rate.String()+" "+on.String(), func() bool { return len(gst.CheckRate(rate, on)) == 0 }) {
		c.rates = append(c.rates, say(rateOn, name(of), rate.Round(rate.Decimals()).String(), on))
	}
}

// gstin checks a registration that is there.
func (c *concerns) gstin(row record, of string) {
	text := row.text("gstin")
	if text == "" {
		return
	}
	if !c.fits(text, func() bool {
		_, findings, err := gst.CheckGSTIN(text)
		return err == nil && !slices.ContainsFunc(findings, func(f gst.Finding) bool {
			return f.Code != "gstin_special"
		})
	}) {
		c.gstins = append(c.gstins, say(gstinOf, name(of), name(text)))
	}
}

// hsn checks a code. One that is missing counts where the row is a line of a document.
func (c *concerns) hsn(row record, of string, line bool) {
	code := row.first("hsn_sac", "hsn", "sac")
	switch {
	case code == "" && line:
		c.codes = append(c.codes, say(hsnNone, name(of)))
	case code != "" && len(gst.CheckHSN(code)) > 0:
		c.codes = append(c.codes, say(hsnOf, name(of), name(code)))
	}
}

// heads checks IGST against CGST and SGST for a supply between two states; either may
// be "" for unknown.
func (c *concerns) heads(row record, of, supplier, place string) {
	igst, _ := row.amount("igst")
	cgst, _ := row.amount("cgst")
	state := place
	if text, ok := gst.StateName(place); ok {
		state = text
	}
	switch {
	case !igst.IsZero() && !cgst.IsZero():
		c.both = append(c.both, say(taxOf, name(of), name(state), in("INR", igst)))
	case supplier == "" || place == "" || row.text("supply") == "sez":
	case !igst.IsZero() && supplier == place:
		c.inner = append(c.inner, say(taxOf, name(of), name(state), in("INR", igst)))
	case !cgst.IsZero() && supplier != place:
		c.outer = append(c.outer, say(taxOf, name(of), name(state), in("INR", cgst)))
	}
}

// documentCompliance checks one document with its lines.
func (b *builder) documentCompliance(d document) {
	lines, _ := d.fields["lines"].([]any)
	on, dated := d.fields.date("date")
	if !dated || len(lines) == 0 || void(d.fields) {
		return
	}
	var c concerns
	number := d.fields.first("number", "invoice_number", "bill_number")
	contact := d.fields.first("contact", "customer", "vendor", "customer_name", "vendor_name")
	c.gstin(d.fields, contact)
	taxed := false
	for _, l := range lines {
		fields, _ := l.(map[string]any)
		if fields == nil || record(fields)["account"] != nil && fields["gst_rate"] == nil && fields["hsn_sac"] == nil {
			continue
		}
		row := record(fields)
		of := row.first("description", "name", "product")
		if d.fields.text("against") == "" {
			c.rate(row, of, on)
		}
		c.hsn(row, of, row["gst_rate"] != nil)
		for _, head := range []string{"igst", "cgst"} {
			a, ok := row.amount(head)
			taxed = taxed || ok && !a.IsZero()
		}
	}
	bill := b.isBill(d.tool, d.fields)
	supplier := b.ownState()
	if bill {
		supplier = stateOf(d.fields.text("gstin"))
	}
	reverse, _ := d.fields["reverse_charge"].(bool)
	if !reverse && d.fields.text("supply") != "export" {
		c.heads(d.fields, number, supplier, d.fields.text("place_of_supply"))
	}
	b.report(d.tool, d.member, c)
	if _, told := d.fields["gstin"]; bill && told && taxed && !reverse && d.fields.text("gstin") == "" {
		b.add(Compliance, d.tool, d.member, say(billWithout, name(number), name(contact)))
	}
}

func (b *builder) isBill(tool string, fields record) bool {
	return fields.text("kind") == "bill" || fields.text("vendor_number") != "" || strings.Contains(tool, "bill") ||
		strings.Contains(tool, "vendor") || strings.Contains(tool, "payable")
}

// stateOf is the code of the state that a GSTIN begins with, "" for none.
func stateOf(gstin string) string {
	g, _, err := gst.CheckGSTIN(gstin)
	if err != nil {
		return ""
	}
	return g.State
}

// ownState is the company's own state where an answer tells it, otherwise "".
func (b *builder) ownState() string {
	for _, d := range b.docs {
		if strings.HasSuffix(d.member, "/company") || d.tool == "get_company" {
			if state := d.fields.first("state_code"); state != "" {
				return state
			}
			if state := stateOf(d.fields.text("gstin")); state != "" {
				return state
			}
		}
	}
	return ""
}

// compliance checks the rows of a table.
func (b *builder) compliance(t table) {
	b.filings(t)
	if t.noun() == "lines" && t.parent["date"] != nil {
		return // with their document
	}
	var c concerns
	var without, credit []sentence
	outward := b.outwardState(t)
	of := []string{"number", "name", "contact", "customer", "vendor", "description", "hsn_sac"}
	for _, row := range t.rows {
		if void(row) {
			continue
		}
		c.rate(row, row.first(of...), b.suppliedOn(t, row))
		c.hsn(row, row.first(of...), false)
		contact := row.first("name", "contact", "customer", "vendor", "number")
		c.gstin(row, contact)
		_, registered := row["gstin"]
		if registered && row.text("gstin") == "" {
			without = append(without, sentence{phrase{"%[1]s"}, []any{name(contact)}})
			if a, ok := row.amount("eligible"); ok && positive(a) {
				credit = append(credit, say(rankItem, name(contact), in("INR", a)))
			}
		}
		if place := row.text("place_of_supply"); place != "" && row.text("section") != "exp" {
			c.heads(row, row.first(of...), outward, place)
		}
	}
	b.report(t.tool, t.member, c)
	switch noun := t.noun(); {
	case len(credit) > 0:
		b.add(Compliance, t.tool, t.member, say(creditWithout, few(credit)))
	case len(without) > 0 && (noun == "vendors" || noun == "customers"):
		lines := []sentence{say(gstinMissing, len(without), len(t.rows), word(noun), few(without))}
		if noun == "vendors" {
			lines = append(lines, say(vendorCredit))
		}
		b.add(Compliance, t.tool, t.member, joined(lines))
	}
}

// suppliedOn is the day by which a row's rate is judged: its own date, for a product
// today, for a sum of a month a day on which the rate was in force, if there is one.
func (b *builder) suppliedOn(t table, row record) calendar.Date {
	if day, ok := row.date("date"); ok {
		return day
	}
	if row["reorder_level"] != nil || row["sale_price"] != nil {
		return b.today
	}
	p, ok := parsePeriod(t.parent.text("month"))
	days, dated := p.days()
	rate, has := row.amount("rate")
	if !ok || !dated || !has || row["hsn_sac"] == nil {
		return calendar.Date{}
	}
	last := days.To.AddDays(-1)
	if len(gst.CheckRate(rate, days.From)) == 0 {
		return days.From
	}
	return last
}

// outwardState is the state of the company whose supplies the rows are. Where no
// answer tells it, supplies with CGST do, since they are inside the company's state:
// if they all have one place of supply, that is it.
func (b *builder) outwardState(t table) string {
	if own := b.ownState(); own != "" {
		return own
	}
	state := ""
	for _, row := range t.rows {
		cgst, ok := row.amount("cgst")
		place := row.text("place_of_supply")
		if !ok || cgst.IsZero() || place == "" {
			continue
		}
		if state != "" && state != place {
			return ""
		}
		state = place
	}
	return state
}

// filings finds returns and payments of tax that are late or due soon.
func (b *builder) filings(t table) {
	var late, next []sentence
	for _, row := range t.rows {
		due, ok := row.date("due")
		form := row.first("form", "return", "title")
		status := row.text("status")
		if !ok || form == "" || row.text("filed_on") != "" || status == "filed" || status == "paid" {
			continue
		}
		var of any = name(row.text("period"))
		if p, ok := parsePeriod(row.text("period")); ok {
			of = p
		}
		switch by := due.Until(b.today); {
		case by > 0:
			late = append(late, say(returnLate, name(form), of, due, days(by)))
		case by >= -soon:
			next = append(next, say(returnSoon, name(form), of, due))
		}
	}
	if len(late) > 0 {
		b.add(Compliance, t.tool, t.member, say(notFiled, few(late)))
	}
	if len(next) > 0 {
		b.add(Alert, t.tool, t.member, say(returnsSoon, few(next)))
	}
}

// smallSuppliers finds unpaid bills of micro and small suppliers. Bills do not tell
// what their supplier is, so it is looked for in all answers of the turn.
func (b *builder) smallSuppliers() {
	small := map[string]bool{}
	note := func(r record) {
		if yes, _ := r["msme"].(bool); yes {
			for _, key := range []string{"code", "name", "vendor", "contact", "contact_code"} {
				if s := r.text(key); s != "" {
					small[s] = true
				}
			}
		}
	}
	for _, d := range b.docs {
		note(d.fields)
	}
	for _, t := range b.tables {
		for _, row := range t.rows {
			note(row)
		}
	}
	if len(small) == 0 {
		return
	}
	said := map[string]bool{}
	check := func(tool string, row record) (sentence, bool) {
		day, dated := row.date("date")
		balance, ok := row.amount("balance")
		contact := row.first("vendor", "contact", "name")
		if !dated || !ok || !positive(balance) || void(row) || !b.isBill(tool, row) ||
			!small[contact] && !small[row.text("contact_code")] {
			return sentence{}, false
		}
		number, age := row.first("number", "vendor_number"), day.Until(b.today)
		if age <= maxSmallDays || said[number] {
			return sentence{}, false
		}
		said[number] = true
		return say(smallBill, name(number), name(contact), in("INR", balance), days(age)), true
	}
	for _, t := range b.tables {
		var late []sentence
		for _, row := range t.rows {
			if s, ok := check(t.tool, row); ok {
				late = append(late, s)
			}
		}
		if len(late) > 0 {
			b.add(Compliance, t.tool, t.member, say(smallLate, few(late)))
		}
	}
	for _, d := range b.docs {
		if s, ok := check(d.tool, d.fields); ok {
			b.add(Compliance, d.tool, d.member, say(smallLate, []sentence{s}))
		}
	}
}
