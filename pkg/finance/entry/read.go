package entry

import (
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/finance/resolution"
	"github.com/bellhop-ai/bellhop/pkg/intent"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

var (
	newParty = lazily(`(?i)\b(?:new|naya|nayi|another) (?:customer|vendor|supplier|party|client|grahak)\b|` +
		`नया (?:ग्राहक|सप्लायर|वेंडर)|नई पार्टी`)
	inclusive = lazily(`(?i)\b(?:incl(?:usive|uding|\.)?(?: of)? (?:gst|tax|taxes)|(?:gst|tax) (?:incl(?:usive|` +
		`uded|\.)?|samet|` +
		`sahit|ke saath|ke sath|mila ?ke))|जीएसटी (?:सहित|समेत|के साथ)`)
	exclusive = lazily(`(?i)(?:\bplus|\+|\bbefore|\bexcl(?:uding|usive)?(?: of)?|\bexcl\.)\s*(?:gst|taxe?s?)\b|` +
		`\b(?:gst|tax)\s*(?:extra|alag|excluded|exclusive)\b|(?:gst|tax) ke bina|\bjama gst\b|जीएसटी (?:अलग|` +
		`अतिरिक्त)`)
	discountSaid = lazily(`(?i)\b(?:discount|off|chhoot|chhut|chut)\b|छूट|डिस्काउंट`)
	modes        = lazily(`(?i)\b(upi|g ?pay|google pay|phone ?pe|paytm|bhim|neft|rtgs|imps|cash|nakad|naqad|` +
		`cheque|check|chq|` +
		`card|bank transfer|net ?banking|online)\b|(यूपीआई|नकद|कैश|चेक|एनईएफटी|आरटीजीएस)`)
	bankReference = lazily(`(?i)\b(?:utr|ref(?:erence)?|cheque|chq|check|txn|transaction)(?: ?(?:no\.?|number|` +
		`id))?\s*[:#]?\s*` +
		`([A-Z0-9]*[0-9][A-Z0-9]{4,21})\b`)
	because = lazily(`(?i)(?:\bbecause\b|\bbecoz\b|\breason(?: is)?\b:?|\bkyunki\b|\bkyonki\b|` +
		`\bwajah(?: hai)?\b:?|\bkaran\b:?|` +
		`\bas it (?:is|was)\b|क्योंकि|कारण)\s*(.{3,})`)
	harm = lazily(`(?i)\b(?:damaged?|broken|broke|toot\w*|tut\w*|kharab|lost|stolen|chori|expired|counted|` +
		`ginti)\b|` +
		`टूट\S*|खराब|ख़राब|चोरी|गिनती`)
	everybody = lazily(`(?i)\b(?:all|everyone|everybody|sab|sabko|sabhi|sabse|overdue|late walon|jinka|` +
		`customers|who are late)\b|` +
		`सबको|सभी|जिनका`)
	dueIn = lazily(`(?i)\b(?:due|payable|payment)(?: in| after| within)? ([0-9]{1,3}) ?(?:days?|din)\b|` +
		`\b([0-9]{1,3}) (?:days?|din)(?: (?:mein|me|ka|ki|ke|ko))? (?:payment|udhaar|udhar|credit|due)\b`)
	codeSaid    = lazily(`(?i)\b(?:hsn|sac)(?: code)?[ :#]*([0-9]{4,8})\b`)
	tdsSaid     = lazily(`(?i)\btds\b|टीडीएस`)
	taxAtSource = lazily(`(?i)\btds\b(?: of| ka| kata| deducted|:)* ?(?:rs\.? ?|₹ ?)?([0-9][0-9,]*(?:\.[0-9]+)?` +
		`(?: ?(?:lakh|hazaar|hazar|thousand|k))?)(?: (?:kata|deducted|rupees|rupaye))?(?:$|[ ,.](?:[^%0-9]|$))|` +
		`([0-9][0-9,]*(?:\.[0-9]+)?(?: ?(?:lakh|hazaar|hazar|thousand|k))?) (?:ka |rupaye |rupees )?tds(?: kata|` +
		` deducted)?\b`)
	phoneLike = lazily(`(?:\+91[ -]?)?\b[6-9][0-9]{4} ?[0-9]{5}\b`)
)

// read adds what a message says to the draft. It reports false for a message that it
// could only read in part.
func (d *Draft) read(text string, c Context) bool {
	switch d.Intent {
	case "create_customer", "create_vendor":
		d.readParty(text, c)
		return true
	}
	docs := d.Intent != "create_invoice" && d.Intent != "create_expense" && d.Intent != "adjust_stock"
	clean := text
	if d.Intent == "create_invoice" {
		switch {
		case exclusive().MatchString(text):
			d.set("gst", "plus")
		case inclusive().MatchString(text):
			d.set("gst", "inclusive")
		}
		clean = exclusive().ReplaceAllString(inclusive().ReplaceAllString(clean, " , "), " , ")
	}
	if d.Tool == "create_payment" || d.Intent == "create_expense" {
		if m := bankReference().FindStringSubmatchIndex(clean); m != nil && d.Tool == "create_payment" {
			d.set("bank_reference", strings.ToUpper(clean[m[2]:m[3]]))
			if low := strings.ToLower(clean[m[0]:m[2]]); strings.HasPrefix(low, "ch") {
				d.set("mode", "Cheque")
			}
			clean = clean[:m[0]] + " , " + clean[m[1]:]
		}
		if at := modes().FindStringIndex(clean); at != nil {
			d.set("mode", modeOf(clean[at[0]:at[1]]))
			clean = clean[:at[0]] + " , " + clean[at[1]:]
		}
	}
	if m := taxAtSource().FindStringSubmatchIndex(clean); m != nil && d.Tool == "create_payment" {
		at := 2
		if m[at] < 0 {
			at = 4
		}
		a, ok := intent.Amount(strings.TrimSpace(clean[m[at]:m[at+1]]))
		if !ok {
			return false
		}
		d.set("tds", plain(a))
		clean = clean[:m[0]] + " , " + clean[m[1]:]
	} else if d.Tool == "create_payment" && tdsSaid().MatchString(clean) {
		return false // a rate, whose amount is to be computed
	}
	if m := dueIn().FindStringSubmatchIndex(clean); m != nil && d.Intent == "create_invoice" {
		at := 2
		if m[at] < 0 {
			at = 4
		}
		d.set("due_days", clean[m[at]:m[at+1]])
		clean = clean[:m[0]] + " , " + clean[m[1]:]
	}
	if m := codeSaid().FindStringSubmatchIndex(clean); m != nil && d.Intent == "create_invoice" {
		d.set("hsn_sac", clean[m[2]:m[3]])
		clean = clean[:m[0]] + " , " + clean[m[1]:]
	}
	if m := because().FindStringSubmatchIndex(clean); m != nil && d.takesReason() {
		d.set("reason", strings.Trim(clean[m[2]:m[3]], " .!"))
		clean = clean[:m[0]]
	}
	if bad := resolution.NoSuchDay(text); bad != "" {
		clean = strings.Replace(clean, bad, " , ", 1)
	}
	all := lex(clean, c.Today, docs)
	d.readDates(text, all, c)
	if days := d.Values["due_days"]; days != "" { // they count from the invoice
		from, err := calendar.Parse(d.Values["date"])
		if err != nil {
			from = c.Today
		}
		d.set("due_date", from.AddDays(atoi(days)).String())
	}
	d.readNumbers(all, text)
	list := phrases(all)
	for _, t := range all {
		if t.kind == gstin && d.Party.Code == "" {
			d.Party = Name{Said: strings.ToUpper(t.text)}
		}
	}
	switch d.Intent {
	case "create_invoice":
		d.readInvoice(list, all, clean)
		return len(d.Lines) <= maxLines
	case "record_payment", "pay_vendor":
		d.readPayment(list)
	case "create_expense":
		d.readExpense(list)
	case "send_reminder":
		if everybody().MatchString(text) {
			d.set("whom", "all")
		} else if p, ok := d.partyOf(list); ok {
			d.Party = Name{Said: p}
		}
	case "send_invoice":
		for _, t := range all {
			if t.kind == address {
				d.set("to", t.text)
			}
		}
		if p, ok := d.partyOf(list); ok {
			d.Party = Name{Said: p}
		}
	case "void_invoice":
		if p, ok := d.partyOf(list); ok {
			d.Party = Name{Said: p}
		}
	case "create_credit_note":
		if slices.ContainsFunc(all, func(t token) bool {
			return t.kind == amount || t.kind == figure &&
				len(t.text) > 3
		}) {
			return false // of an amount, not of items: the lines are to be computed
		}
		d.readReturned(list, text)
	case "adjust_stock":
		d.readStock(list, text)
	case "file_return":
		d.readReturn(all, text, c)
	case "reconcile_bank":
		if p, ok := d.partyOf(list); ok {
			d.Bank = Name{Said: p}
		}
	}
	return len(d.Documents) <= maxDocs
}

func (d *Draft) takesReason() bool {
	return d.Intent == "void_invoice" || d.Intent == "create_credit_note" || d.Intent == "adjust_stock"
}

// readNumbers reads what stands for itself: percentages and numbers of documents.
func (d *Draft) readNumbers(all []token, text string) {
	for _, t := range all {
		switch t.kind {
		case percent:
			if discountSaid().MatchString(text) {
				d.set("discount_percent", plain(t.amount))
			} else {
				d.set("gst_rate", plain(t.amount))
			}
		case number:
			if n := strings.ToUpper(t.text); !slices.Contains(d.Documents, n) {
				d.Documents = append(d.Documents, n)
			}
		}
	}
}

// plain returns a number without zeros at its end.
func plain(a money.Amount) string {
	s := a.String()
	if strings.Contains(s, ".") {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	return s
}

func modeOf(said string) string {
	switch low := strings.ReplaceAll(strings.ToLower(said), " ", ""); low {
	case "neft", "rtgs", "imps":
		return strings.ToUpper(low)
	case "एनईएफटी":
		return "NEFT"
	case "आरटीजीएस":
		return "RTGS"
	case "cash", "nakad", "naqad", "नकद", "कैश":
		return "Cash"
	case "cheque", "check", "chq", "चेक":
		return "Cheque"
	case "card":
		return "Card"
	case "banktransfer", "netbanking", "online":
		return "Bank transfer"
	}
	return "UPI"
}

// readInvoice reads who is invoiced, and for what.
func (d *Draft) readInvoice(list []phrase, all []token, text string) {
	if d.Party.Code == "" && (d.Party.Said == "" || d.Asked == "customer") {
		var name string
		if name, list = party(list); name != "" {
			d.Party = Name{Said: name}
		}
	}
	for _, p := range list {
		last := len(d.Lines) - 1
		if p.plain() && p.pre == "" && (len(p.tokens) == 1 || d.Asked != "") && ordinary(p.tokens) &&
			(last < 0 ||
				d.Lines[last].Said != "") {
			continue // "please make out a bill"
		}
		if p.plain() && p.pre == "for" && last >= 0 && d.Lines[last].Said != "" && d.Lines[last].priced() {
			note := strings.TrimSpace(text[p.start:p.tokens[len(p.tokens)-1].to])
			d.set("notes", upper("for "+note)) // "10 cookers at 1250, for their new kitchen"
			continue
		}
		d.readItem(p)
	}
	for _, t := range all {
		if t.kind == month && len(d.Lines) > 0 {
			d.set("period", t.text)
		}
	}
	for i := range d.Lines {
		l := &d.Lines[i]
		l.Gross = l.Gross || d.Values["gst"] == "inclusive" && (l.Rate != "" || l.Loose != "")
	}
	delete(d.Values, "gst")
}

// pieces are words between a quantity and what is counted.
var pieces = set(`pcs pc piece pieces nos no units unit nag adad number x पीस नग`)

// unitOf returns the code of a unit of quantity, as returns have it.
func unitOf(form string) string {
	switch form {
	case "kg", "kgs", "kilo", "kilogram", "किलो":
		return "KGS"
	case "litre", "liter", "litres", "liters", "ltr", "लीटर":
		return "LTR"
	case "meter", "metre", "meters", "metres", "mtr", "मीटर":
		return "MTR"
	case "box", "boxes", "dibba", "peti":
		return "BOX"
	}
	return ""
}

// readItem reads one line, or the price of the line before.
func (d *Draft) readItem(p phrase) {
	last := len(d.Lines) - 1
	t := p.tokens
	if p.only() {
		value := t[0].amount
		if !positive(value) {
			return
		}
		switch {
		case last == 0 && d.Lines[0].Settled && d.Lines[0].Rate != "" && p.pre == "at":
			d.Lines[0].Rate = plain(value) // another price
		case last >= 0 && d.Lines[last].Rate == "" && d.Lines[last].Loose == "":
			if p.pre == "at" || p.post == "each" || d.Lines[last].Quantity == "" {
				d.Lines[last].Rate = plain(value)
			} else {
				d.Lines[last].Loose = plain(value)
			}
		case t[0].kind == amount || value.Cmp(money.FromInt(100)) >= 0:
			d.Lines = append(d.Lines, Line{Rate: plain(value)})
		}
		return
	}
	var l Line
	if hasNumber(t[:1]) {
		count := t[0].amount
		if value := t[0].amount; t[0].kind == amount {
			l.Rate = plain(value)
		} else if positive(value) {
			l.Quantity = plain(value)
		} else {
			return
		}
		t = t[1:]
		for len(t) > 1 && t[0].kind == word && pieces()[t[0].form] {
			t = t[1:]
		}
		if unit := unitOf(t[0].form); len(t) > 1 && unit != "" && l.Quantity != "" {
			l.Unit, t = unit, t[1:]
		}
		if len(t) > 1 && (t[0].form == "dozen" || t[0].form == "darjan" || t[0].form == "दर्जन") {
			if n, err := count.Mul(money.FromInt(12)); err == nil && l.Quantity != "" {
				l.Quantity = plain(n)
			}
			t = t[1:]
		}
	}
	if n := len(t) - 1; n > 0 && hasNumber(t[n:]) {
		value := t[n].amount
		switch {
		case !positive(value):
		case p.post == "each", l.Quantity == "" && t[n].kind == amount && l.Rate == "":
			l.Rate = plain(value)
		default:
			l.Loose = plain(value)
		}
		t = t[:n]
	}
	if len(t) == 1 && pieces()[t[0].form] {
		t = nil // "30 pieces" of what is still to be said
	}
	l.Said = textOf(t)
	if l.Said == "" && l.Quantity == "" {
		return
	}
	if last >= 0 && d.Lines[last].Said == "" && l.Quantity == "" && l.Rate == "" && l.Loose == "" {
		d.Lines[last].Said = l.Said // "50,000 for consulting"
		return
	}
	if d.corrected(l) {
		return
	}
	d.Lines = append(d.Lines, l)
}

// priced reports whether a line says how many or how much.
func (l Line) priced() bool { return l.Quantity != "" || l.Rate != "" || l.Loose != "" }

// corrected applies what is said again of a line that is there.
func (d *Draft) corrected(l Line) bool {
	for i := range d.Lines {
		old := &d.Lines[i]
		same := resolution.Choice{Label: old.Label + " " + old.Said, Value: "same"}
		if fit, _ := resolution.Match(l.Said, []resolution.Choice{same}); len(fit) != 1 || l.Said == "" ||
			!old.Settled {
			continue
		}
		if l.Quantity != "" {
			old.Quantity = l.Quantity
		}
		if l.Rate != "" || l.Loose != "" {
			old.Rate, old.Loose = l.Rate, l.Loose
		}
		return true
	}
	return false
}

var (
	returned = lazily(`(?i)\b(?:returned|sales return|wapas|vaapas|lautaya|lautaye)\b|वापस`)
	whole    = lazily(`(?i)\b(?:whole|full|entire|poora|poore|pura|pure)\b|पूरा|पूरे`)
	taken    = lazily(`(?i)\b(?:reduce|decrease|remove|less|minus|kam|ghatao|ghata|write off|nikal\w*)\b|कम|घटा\S*`)
	given    = lazily(`(?i)\b(?:add|increase|jod\w*|badha\w*|plus|daal\w*)\b|जोड़\S*|बढ़ा\S*`)
	counted  = lazily(`(?i)\b(?:counted|count|ginti)\b|गिनती`)
	exactly  = lazily(`(?i)\b(?:correct|set|actual|theek)\b.*\bto\b|\bto [0-9]+\b|\b(?:kar do|karo) [0-9]+\b`)
)

var (
	partyWords = set(`
	add create register save a an the new naya nayi customer customers vendor vendors supplier client party
	grahak vyapari buyer mein min ko naam nam ka ki ke with gstin gst number no email mail phone mobile state
	from in as called named jodo jod banao bana do karo kar karna karni please and aur hai i have we open
	account for is its se by wala ग्राहक वेंडर सप्लायर पार्टी नया नई जोड़ो बनाओ में को का की के नाम दो कर और है
	`)
	partyRest = lazily(`(?i)(?:\b(?:with|having|gstin|gst no\.?|email|mail id|phone|mobile|state)\b|जीएसटी).*$`)
)
