// Package entry makes entries of books from what a person says over several messages,
// without a model: it reads the words, says which look-ups settle names, asks for what
// no words filled, and ends in the complete call of a tool that writes. It writes
// nothing: its caller shows the call's preview and asks for consent.
//
//	d, ok := entry.Begin("create_invoice", c)
//	for ok {
//		s := d.Next(results)
//		d = s.Draft
//		// make s.Calls and go on with their results, or say s.Ask.Question and go on
//		// with d.Add of the next message, or propose s.Ready
//	}
package entry

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/finance/resolution"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/intent"
)

// Draft is an entry in the making. It is a value, can be kept as JSON, and is at most
// about 4 KB long.
type Draft struct {
	Intent   string            `json:"intent"`
	Tool     string            `json:"tool"` // that will write
	Language language.Language `json:"language,omitempty"`
	Party    Name              `json:"party,omitzero"` // customer or vendor
	Account  Name              `json:"account,omitzero"`
	Bank     Name              `json:"bank,omitzero"` // the account that money comes from
	Lines    []Line            `json:"lines,omitempty"`
	// Documents are numbers of invoices or bills.
	Documents []string `json:"documents,omitempty"`
	// Values are further values by the name of the argument.
	Values map[string]string `json:"values,omitempty"`
	// Asked is what was asked for last, and Offered the choices that were given.
	Asked   string              `json:"asked,omitempty"`
	Offered []resolution.Choice `json:"offered,omitempty"`
	// Ended says that the person called it off.
	Ended bool `json:"ended,omitempty"`
	// Send says that the person also wants what is made to be sent afterwards.
	Send bool `json:"send,omitempty"`
}

// Name is what a name stands for: Code is empty until it has been looked up.
type Name struct {
	Said  string `json:"said,omitempty"`
	Code  string `json:"code,omitempty"`
	Label string `json:"label,omitempty"`
}

// Line is a line of an invoice, or what the stock is changed of. Numbers are decimals,
// "" for none.
type Line struct {
	Name
	Quantity string `json:"quantity,omitempty"`
	Rate     string `json:"rate,omitempty"`  // price of one
	Loose    string `json:"loose,omitempty"` // a number that is a price or a part of the name
	Unit     string `json:"unit,omitempty"`
	HSN      string `json:"hsn,omitempty"`
	GST      string `json:"gst,omitempty"`
	Gross    bool   `json:"gross,omitempty"`   // the price has GST in it
	Settled  bool   `json:"settled,omitempty"` // it was looked up
}

// Context is one message.
type Context struct {
	Text     string
	Today    calendar.Date // the company's
	Language language.Language
	Entities []intent.Entity // not needed: they are read from the text
}

// Step is what comes next: one of Calls, Ask and Ready, or neither when the draft has
// ended.
type Step struct {
	Calls []resolution.Call   // look-ups to make first
	Ask   *resolution.Missing // one question, in the person's language
	Ready *resolution.Call    // the complete call of the tool that writes
	Say   string              // a sentence for a draft that has ended
	Draft Draft               // with what the look-ups settled; to be kept
	// Applied is what is settled and Pending what the books fill in or is still to be
	// said, for people.
	Applied, Pending map[string]string
}

// Bounds of a draft.
const (
	maxText  = 1000 // bytes of a message
	maxLines = 10
	maxDocs  = 10
)

// tools are the intents that are covered and what they call.
func toolOf(intentName string) string {
	switch intentName {
	case "create_invoice", "create_expense", "create_customer", "create_vendor", "adjust_stock", "void_invoice":
		return intentName
	case "record_payment", "pay_vendor":
		return "create_payment"
	case "send_reminder":
		return "send_payment_reminders"
	case "send_invoice":
		return "email_invoice"
	case "create_credit_note":
		return "create_sales_credit_note"
	case "file_return":
		return "file_gstr1"
	case "reconcile_bank":
		return "reconcile_bank_account"
	}
	return ""
}

var (
	negation = lazily(`(?i)(?:^|[\s,])(?:mat|don'?t|don’t|do not|never|nahi|nahin|na banao|na karo|na bhejo|` +
		`मत|नहीं)(?:$|[\s,.!])`)
	asking = lazily(`(?i)^(?:what|which|how|why|when|who|show|list|tell)\b|` +
		`(?:^|[\s,])(?:kaise|kyun|kyon|kab|kitna|kitne|kitni|kya|kaun|kaunsa|dikhao|dikha|batao|bata|` +
		`कैसे|क्यों|कब|कितना|कितने|कितनी|क्या|कौन|दिखाओ|बताओ)(?:$|[\s,.!?])`)
	pointing = lazily(`(?i)(?:^|\s)(?:same|last|latest|previous|wahi|wohi|waisa|pichhla|pichla|aakhri|` +
		`वही|पिछला|आखिरी)\s+(?:invoice|bill|entry|payment|to|वाला|invoices?|बिल|इनवॉइस|one)`)
	calledOff = lazily(`(?i)^(?:please |ok |nahi,? |no,? )?(?:cancel|cancel it|cancel that|cancel karo|` +
		`cancel kar do|` +
		`stop|never ?mind|forget it|leave it|discard|abort|no|nahi|nahin|rehne do|rahne do|rehne dijiye|chhodo|` +
		`chodo|` +
		`chhod do|jaane do|jane do|mat karo|mat banao|mat bhejo|don'?t|do not|band karo|radd karo|` +
		`रहने दो|छोड़ो|छोड़ दो|जाने दो|मत करो|मत बनाओ|रद्द करो|नहीं)[.!]*$`)
	elsewhere = lazily(`(?i)\b(?:whats ?app|sms|telegram|text message)\b|व्हाट्सएप`)
	hasYear   = lazily(`\b20[0-9]{2}\b|[/.-][0-9]{1,2}[/.-][0-9]{2}\b`)
	wantsSent = lazily(`(?i)\b(?:send|mail|email|bhej|bhejo|bhejna)\b|भेज`)
)

// Begin begins the entry of an intent with its first message. It reports false for an
// intent or a message that is left to a model: one that says not to do it, asks how,
// points back to another document, or is too long.
func Begin(intentName string, c Context) (Draft, bool) {
	d := Draft{Intent: intentName, Tool: toolOf(intentName)}
	text := resolution.Normal(c.Text)
	d.Language = languageOf(text, c.Language)
	order := text
	if d.takesReason() {
		order = because().ReplaceAllString(text, "")
	}
	if d.Tool == "" || text == "" || len(text) > maxText || negation().MatchString(order) ||
		asking().MatchString(order) || pointing().MatchString(order) || elsewhere().MatchString(order) {
		return Draft{}, false
	}
	d.Send = intentName == "create_invoice" && wantsSent().MatchString(text)
	if !d.read(text, c) {
		return Draft{}, false
	}
	d.retool()
	return d, true
}

// Add adds a further message. It reports false, and leaves the draft as it was, for
// one that neither answers what was asked nor says anything about the entry.
func (d Draft) Add(c Context) (Draft, bool) {
	n, ok := d.add(c)
	if ok {
		n.retool()
	}
	return n, ok
}

// retool keeps the tool that what was said so far leads to.
func (d *Draft) retool() {
	switch {
	case d.Intent == "file_return" && d.Values["return"] != "":
		d.Tool = d.Values["return"]
	case d.Intent == "send_reminder" && len(d.Documents) > 0:
		d.Tool = "email_payment_reminder"
	case d.Intent == "send_reminder":
		d.Tool = "send_payment_reminders"
	}
}

func (d Draft) add(c Context) (Draft, bool) {
	text := resolution.Normal(c.Text)
	if d.Ended || text == "" || len(text) > maxText {
		return d, false
	}
	n := d.clone()
	if l := languageOf(text, c.Language); l != language.English || english().MatchString(text) {
		n.Language = l // "10 cooker" is of no language
	}
	slot, _ := n.slot()
	words := slot == "reason" || slot == "description" || slot == "registration" || slot == "gstin"
	if words && skipped().MatchString(text) && slot[0] != 'd' && slot != "reason" && n.answered(text, c) {
		n.Asked, n.Offered = "", nil
		return n, true
	}
	if calledOff().MatchString(text) {
		n.Ended, n.Asked, n.Offered = true, "", nil
		return n, true
	}
	if n.chosen(c.Text) || n.chosen(text) {
		return n, true
	}
	if asking().MatchString(text) || strings.HasSuffix(text, "?") || negation().MatchString(text) && !words {
		return d, false
	}
	if n.answered(text, c) {
		n.Asked, n.Offered = "", nil
		return n, true
	}
	if newParty().MatchString(text) || !n.read(text, c) {
		return d, false
	}
	if n.Values["date"] != d.Values["date"] && !onlyDay(text, c) {
		rest := n.clone()
		delete(rest.Values, "date")
		old := d.clone()
		delete(old.Values, "date")
		rest.Language = old.Language
		if len(rest.Values) == 0 {
			rest.Values = old.Values
		}
		if reflect.DeepEqual(rest, old) {
			return d, false // "aaj ki bikri": only the day was understood
		}
	}
	same := n
	same.Language = d.Language
	if reflect.DeepEqual(same, d.clone()) {
		return d, false
	}
	n.Asked, n.Offered = "", nil
	return n, true
}

var (
	english  = lazily(`(?i)\b(?:the|is|are|to|for|please|of|it|from|with|by|was|they|this|my|we|i)\b`)
	hinglish = lazily(`(?i)\b(?:ne|ko|ka|ki|ke|se|mein|karo|kar|do|banao|bhejo|likho|diye|diya|hai|hain|hazaar|` +
		`bhar|bana|aaya|mile)\b`)
)

// languageOf is the language of a message, where two words of grammar make a short
// order Hinglish.
func languageOf(text string, given language.Language) language.Language {
	if (given == language.English || given == "") && len(hinglish().FindAllString(text, 2)) == 2 {
		return language.Hinglish
	}
	return given
}

func (d Draft) clone() Draft {
	d.Lines = slices.Clone(d.Lines)
	d.Documents = slices.Clone(d.Documents)
	d.Offered = slices.Clone(d.Offered)
	d.Values = maps.Clone(d.Values)
	return d
}

func (d *Draft) set(name, value string) {
	if value == "" {
		return
	}
	if d.Values == nil {
		d.Values = map[string]string{}
	}
	d.Values[name] = cut(value)
}

// say returns the sentence in the language of the person.
func (d Draft) say(english, hinglish, hindi string) string {
	switch d.Language {
	case language.Hinglish:
		return hinglish
	case language.Hindi:
		return hindi
	}
	return english
}

// chosen applies an answer that is one of the choices: its label, or its place.
func (d *Draft) chosen(text string) bool {
	if len(d.Offered) == 0 {
		return false
	}
	low := strings.ToLower(strings.Trim(text, " .!"))
	var choice *resolution.Choice
	for i, c := range d.Offered {
		if strings.EqualFold(strings.Trim(c.Label, " .!"), low) || strings.EqualFold(c.Value, low) {
			choice = &d.Offered[i]
		}
	}
	if i := place(low); choice == nil && i > 0 && i <= len(d.Offered) && !d.wantsNumber() {
		choice = &d.Offered[i-1]
	}
	if len(d.Offered) == 1 && choice == nil && accepts().MatchString(low) && d.Asked != "whom" {
		choice = &d.Offered[0]
	}
	if choice == nil {
		if d.wantsNumber() {
			return false
		}
		var left []resolution.Choice
		for _, c := range d.Offered {
			left = append(left, resolution.Choice{Label: c.Label, Value: c.Value})
		}
		if strings.Count(low, " ") < 6 {
			if fit, _ := resolution.Match(low, left); len(fit) == 1 {
				choice = &fit[0]
			}
		}
	}
	if choice == nil {
		return false
	}
	ok := d.choose(*choice)
	if ok {
		d.Asked, d.Offered = "", nil
	}
	return ok
}

// wantsNumber reports whether a number that is said is the answer, not the place of one.
func (d *Draft) wantsNumber() bool {
	switch slot, _ := d.slot(); slot {
	case "rate", "quantity", "gst_rate":
		return true
	}
	return false
}

func place(low string) int {
	for i, forms := range []string{"1 1st first pehla pahla pehle पहला", "2 2nd second dusra doosra दूसरा",
		"3 3rd third teesra tisra तीसरा", "4 4th fourth chautha चौथा", "5 5th fifth paanchva पाँचवा", "6 sixth",
		"7", "8"} {
		if slices.Contains(strings.Fields(forms), strings.TrimSuffix(strings.TrimSuffix(low, " wala"),
			" one")) {
			return i + 1
		}
	}
	return 0
}

// slot returns what was asked for, and the line that it was asked for, from 0.
func (d *Draft) slot() (string, int) {
	name, at, _ := strings.Cut(d.Asked, ":")
	return name, atoi(at)
}

// choose applies a choice.
func (d *Draft) choose(c resolution.Choice) bool {
	slot, i := d.slot()
	name := Name{Said: c.Label, Code: c.Value, Label: c.Label}
	switch slot {
	case "customer", "vendor":
		d.Party = name
	case "account":
		name.Said = d.Account.Said
		d.Account = name
	case "bank":
		d.Bank = name
	case "product":
		if i >= len(d.Lines) {
			return false
		}
		d.Lines[i].Code, d.Lines[i].Settled = c.Value, false
	case "price":
		if i >= len(d.Lines) {
			return false
		}
		d.Lines[i].Rate, d.Lines[i].Loose = c.Value, ""
	case "number":
		d.Documents = []string{c.Value}
	case "whom":
		d.set("whom", c.Value)
	case "again":
	default:
		d.set(slot, c.Value)
	}
	return true
}

// readDates reads the day of the entry and the day on which it is due.
func (d *Draft) readDates(text string, all []token, c Context) {
	if bad := resolution.NoSuchDay(text); bad != "" {
		d.set("bad_date", bad)
		return
	}
	explicit := hasYear().MatchString(text)
	for i, t := range all {
		if t.kind != day {
			continue
		}
		due := i > 0 && slices.ContainsFunc(all[max(0, i-3):i], func(b token) bool { return b.form == "due" })
		on := t.days.From
		switch {
		case due && !c.Today.Before(on) && !t.or.From.IsZero():
			on = t.or.From
		case !due && on.After(c.Today) && !t.or.From.IsZero():
			on = t.or.From
		case !due && on.After(c.Today) && !explicit:
			on = calendar.Of(on.Time().AddDate(-1, 0, 0))
		}
		delete(d.Values, "bad_date")
		if due {
			d.set("due_date", on.String())
		} else {
			d.set("date", on.String())
		}
	}
}

func arguments(values map[string]any) json.RawMessage {
	raw, err := json.Marshal(values)
	if err != nil {
		return nil // values are strings, booleans and lists of them
	}
	return raw
}

func shownDate(iso string) string {
	d, err := calendar.Parse(iso)
	if err != nil {
		return iso
	}
	return rupees.Date(d)
}
