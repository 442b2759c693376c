package writes

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/gst"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// collects returns what collects the arguments of a tool, nil for one that is not
// known.
func collects(name string) func(*form) error {
	switch name {
	case "create_invoice":
		return collectInvoice
	case "create_bill":
		return collectBill
	case "create_payment":
		return collectPayment
	case "create_expense":
		return collectExpense
	case "create_customer":
		return func(f *form) error { return collectContact(f, "customer") }
	case "create_vendor":
		return func(f *form) error { return collectContact(f, "vendor") }
	case "create_sales_credit_note":
		return func(f *form) error { return collectNote(f, "CN", "invoice", "Invoice") }
	case "create_purchase_debit_note":
		return func(f *form) error { return collectNote(f, "DN", "bill", "Bill") }
	case "create_journal_entry":
		return collectJournal
	case "create_product":
		return collectProduct
	}
	if verb, noun, _ := strings.Cut(name, "_"); verb == "update" && shows(name) != nil {
		return func(f *form) error { return collectChange(f, strings.ReplaceAll(noun, "_", " ")) }
	}
	return nil
}

func collectInvoice(f *form) error {
	f.Params.Title = "New invoice"
	c, found, err := f.party("customer", "customer")
	if err != nil {
		return err
	}
	if err := f.lines("What was sold, how many, and at which price?", true); err != nil {
		return err
	}
	date, err := f.date()
	if err != nil {
		return err
	}
	if err := f.dueBy(date, c, found); err != nil {
		return err
	}
	f.placeOf(c, found)
	f.or("notes", "Notes", "")
	f.numbering("INV", date)
	return nil
}

func collectBill(f *form) error {
	f.Params.Title = "New bill"
	c, found, err := f.party("vendor", "vendor")
	if err != nil {
		return err
	}
	f.words("vendor_number", "Vendor's number", "The number on the vendor's bill.")
	if err := f.lines("What was bought, how many, and at which price?", false); err != nil {
		return err
	}
	date, err := f.date()
	if err != nil {
		return err
	}
	if err := f.dueBy(date, c, found); err != nil {
		return err
	}
	switch {
	case f.text("tds_section") != "":
		f.apply("tds_section", "TDS", f.text("tds_section"), part.Said)
	case c.TDSSection != "":
		f.apply("tds_section", "TDS", c.TDSSection, part.LookedUp)
	default:
		f.apply("tds_section", "TDS", "none", part.Default)
	}
	reverse, source := "no", part.Default
	if f.text("reverse_charge") != "" {
		reverse, source = yesNo(f.text("reverse_charge") == "true"), part.Said
	}
	f.apply("reverse_charge", "Reverse charge", reverse, source)
	f.or("notes", "Notes", "")
	f.numbering("BILL", date)
	return nil
}

func collectPayment(f *form) error {
	kind, prefix := "receipt", "RCT"
	if f.text("kind") == "payment" {
		kind, prefix = "payment", "PAY"
	}
	f.Params.Title = "New " + kind
	source := part.Said
	if f.text("kind") == "" {
		source = part.Default
	}
	f.apply("kind", "Kind", kind, source)
	p := payment{kind: kind}
	document, party, _, _, _ := p.kinds()
	if err := f.settles(document, party); err != nil {
		return err
	}
	if err := f.amount("amount", "Amount", "How much money moved?", true); err != nil {
		return err
	}
	if err := f.amount("tds", "TDS that was deducted", "", false); err != nil {
		return err
	}
	date, err := f.date()
	if err != nil {
		return err
	}
	f.or("mode", "Mode", "NEFT")
	account := "bank"
	if strings.EqualFold(f.text("mode"), "cash") {
		account = "cash"
	}
	if s := f.text("account"); s != "" {
		f.apply("account", "Account", s, part.Said)
	} else if a, err := f.account(account); err == nil {
		f.apply("account", "Account", a.Name, part.Default)
	} else if fault.KindOf(err) != fault.Unprocessable {
		return err
	}
	f.or("bank_reference", "Bank reference", "")
	f.numbering(prefix, date)
	return nil
}

// settles applies the contact of a payment and what it settles.
func (f *form) settles(document, party string) error {
	var given []allocationArguments
	raw, named := f.in["allocations"]
	if named {
		if err := json.Unmarshal(raw, &given); err != nil {
			return fault.Wrap(fault.Invalid, err, "What is to be settled could not be read.")
		}
	}
	if len(given) > 0 && f.text("contact") == "" {
		o, err := f.record(document, given[0].Document)
		if err != nil {
			return err
		}
		f.apply("contact", title(party), o.Contact+" ("+o.Code+")", part.LookedUp)
	} else if _, _, err := f.party(party, "contact"); err != nil {
		return err
	}
	switch {
	case len(given) > 0:
		var list []string
		for _, a := range given {
			list = append(list, a.Document)
		}
		f.apply("allocations", "Settles", strings.Join(list, ", "), part.Said)
	case named:
		f.apply("allocations", "Settles", "nothing: it is an advance", part.Said)
	default:
		f.apply("allocations", "Settles", "what is due first", part.Default)
	}
	return nil
}

func collectExpense(f *form) error {
	f.Params.Title = "New expense"
	f.words("description", "For", "What was it for?")
	if err := f.amount("amount", "Amount", "How much, without GST?", true); err != nil {
		return err
	}
	if s := f.text("account"); s != "" {
		a, err := f.account(s)
		if err == nil {
			f.apply("account", "Account", a.Name, part.Said)
		} else if fault.KindOf(err) != fault.Unprocessable {
			return err
		} else if err := f.chooseAccount(s); err != nil {
			return err
		}
	} else if err := f.chooseAccount(""); err != nil {
		return err
	}
	date, err := f.date()
	if err != nil {
		return err
	}
	from := "bank"
	if s := f.text("paid_from"); s != "" {
		from = s
	}
	a, err := f.account(from)
	if err != nil {
		return err
	}
	source := part.Said
	if f.text("paid_from") == "" {
		source = part.Default
	}
	f.apply("paid_from", "Paid from", a.Name, source)
	if f.text("vendor") != "" {
		if _, _, err := f.party("vendor", "vendor"); err != nil {
			return err
		}
	}
	rate, source := "0", part.Default
	if s := f.text("gst_rate"); s != "" {
		rate, source = s, part.Said
	}
	f.apply("gst_rate", "GST", rate+" %", source)
	f.numbering("EXP", date)
	return nil
}

// chooseAccount asks for an expense account: those with a word of what was said, or
// all.
func (f *form) chooseAccount(said string) error {
	if _, err := f.account("bank"); err != nil && fault.KindOf(err) != fault.Unprocessable {
		return err
	}
	var fits, every []string
	for _, a := range f.accounts {
		if a.Type != "expense" || !a.Active || a.Role == "round_off" || a.Role == "inventory_change" {
			continue
		}
		every = append(every, a.Name)
		for w := range strings.FieldsSeq(strings.ToLower(said)) {
			if len(w) > 3 && strings.Contains(strings.ToLower(a.Name), w) && !slices.Contains(fits, a.Name) {
				fits = append(fits, a.Name)
			}
		}
	}
	question := "Which account does the expense belong to?"
	if said != "" {
		question = fmt.Sprintf("There is no account “%s”. Which one is it?", oneLine(said, 80))
	}
	if len(fits) < 2 {
		fits = every
	}
	f.choose(question, fits...)
	return nil
}

func collectContact(f *form, kind string) error {
	f.Params.Title = "New " + kind
	f.words("name", "Name", "The name of the business or person.")
	code := ""
	if s := strings.ToUpper(f.text("gstin")); s != "" {
		g, _, err := gst.CheckGSTIN(s)
		if err != nil {
			return err
		}
		f.apply("gstin", "GSTIN", s, part.Said)
		code = g.State
		if g.PAN != "" && f.text("pan") == "" {
			f.apply("pan", "PAN", gst.MaskPAN(g.PAN), part.LookedUp)
		}
	}
	switch s := f.text("state"); {
	case s != "":
		c, ok := gst.StateCode(s)
		if !ok {
			return fault.New(fault.Invalid, "There is no state %q.", s)
		}
		f.apply("state", "State", state(c), part.Said)
	case code != "":
		f.apply("state", "State", state(code), part.LookedUp)
	default:
		f.want("gstin", "GSTIN or state", "15 characters; of one without a GSTIN the state, which decides the tax.")
	}
	if s := f.text("pan"); s != "" {
		f.apply("pan", "PAN", gst.MaskPAN(s), part.Said)
	}
	for _, x := range [][2]string{{"email", "E-mail"}, {"phone", "Phone"}, {"address", "Address"},
		{"tds_section", "Usual TDS"}, {"notes", "Notes"}} {
		f.or(x[0], x[1], "")
	}
	terms, source := "30 days", part.Default
	if s := f.text("terms_days"); s != "" {
		terms, source = s+" days", part.Said
	}
	f.apply("terms_days", "Payment terms", terms, source)
	f.apply("code", "Code", "the next one", part.Default)
	return f.amount("credit_limit", "Credit limit", "", false)
}

func collectNote(f *form, prefix, argument, label string) error {
	f.Params.Title = map[string]string{"CN": "New credit note", "DN": "New debit note"}[prefix]
	if s := f.text(argument); s == "" {
		f.want(argument, label, fmt.Sprintf("Which %s does it correct? Its number.", argument))
	} else {
		r, err := f.record(argument, s)
		if err != nil {
			return err
		}
		f.apply(argument, label, fmt.Sprintf("%s of %s over %s", r.Number, r.Contact, r.Total), part.LookedUp)
	}
	if _, ok := f.in["lines"]; ok {
		f.apply("lines", "Takes back", "the lines that were named", part.Said)
	} else {
		f.apply("lines", "Takes back", "all of it", part.Default)
	}
	f.or("reason", "Reason", "Return")
	date, err := f.date()
	if err != nil {
		return err
	}
	f.numbering(prefix, date)
	return nil
}

func collectJournal(f *form) error {
	f.Params.Title = "New journal entry"
	f.words("narration", "Narration", "What is the entry for?")
	var in journalArguments
	if raw, ok := f.in["lines"]; ok {
		if err := json.Unmarshal(raw, &in.Lines); err != nil {
			return fault.Wrap(fault.Invalid, err, "The lines could not be read.")
		}
	}
	var sum paise
	for i, l := range in.Lines {
		var amount paise
		if l.Debit != nil {
			amount += *l.Debit
		}
		if l.Credit != nil {
			amount -= *l.Credit
		}
		sum += amount
		f.apply(fmt.Sprintf("lines.%d", i+1), fmt.Sprintf("Line %d", i+1), l.Account+" "+side(amount), part.Said)
	}
	switch {
	case len(in.Lines) < 2:
		f.want("lines", "Accounts", "Which account is debited, which credited, and how much?")
	case sum != 0:
		f.want("lines", "Balance", fmt.Sprintf("The debits and credits differ by %s.", max(sum, -sum)))
	}
	date, err := f.date()
	if err != nil {
		return err
	}
	f.numbering("JV", date)
	return nil
}

func collectProduct(f *form) error {
	f.Params.Title = "New product"
	f.words("name", "Name", "What is it called?")
	f.or("kind", "Kind", "goods")
	f.or("unit", "Unit", "NOS")
	f.words("hsn_sac", "HSN or SAC", "4, 6 or 8 digits; the law wants it on an invoice.")
	rate, source := "18", part.Default
	if s := f.text("gst_rate"); s != "" {
		rate, source = s, part.Said
	}
	f.apply("gst_rate", "GST", rate+" %", source)
	for _, x := range [][2]string{{"sale_price", "Sale price"}, {"purchase_price", "Purchase price"},
		{"opening_cost", "Cost of the opening stock"}} {
		if err := f.amount(x[0], x[1], "", false); err != nil {
			return err
		}
	}
	f.or("opening_quantity", "Opening stock", "")
	f.or("code", "Code", "the next one")
	return nil
}

// collectChange applies what is changed, and asks what, where that was not said.
func collectChange(f *form, noun string) error {
	f.Params.Title = "Change the " + noun
	which := ""
	for _, name := range []string{"number", "customer", "vendor", "product"} {
		if which == "" && f.text(name) != "" && (name == "number" || strings.HasSuffix(noun, name)) {
			which = name
			f.apply(name, title(name), f.text(name), part.Said)
		}
	}
	if which == "" && f.text("id") == "" {
		f.want("number", title(strings.Fields(noun)[0]), fmt.Sprintf("Which %s? Its number or name.", noun))
	}
	changed := 0
	var names []string
	for name := range f.in {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if name == which || name == "id" || name == "version" {
			continue
		}
		value := f.text(name)
		if s, ok := strings.CutSuffix(name, "date"); ok && (s == "" || s == "due_") && value != "" {
			d, err := day(title(name), value, f.today)
			if err != nil {
				return err
			}
			value = fmt.Sprintf("%02d/%02d/%04d", d.Day, d.Month, d.Year)
		}
		if value == "" {
			value = "as you said"
		}
		f.apply(name, title(name), value, part.Said)
		changed++
	}
	if changed == 0 {
		f.want("change", "What changes", "What is to be different?")
	}
	return nil
}
