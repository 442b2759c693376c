package bankfile

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// bankFee finds narrations of what banks charge for their own services. Charges of
// others, such as freight, are no such thing.
var bankFee = regexp.MustCompile(`(?i)\b(?:neft|rtgs|imps|upi|sms|atm|chq|cheque|demand draft|dd|debit card|account|` +
	`a/c|ac|min(?:imum)? bal(?:ance)?|service|folio|ledger|locker|cash handling|processing|annual|amc)\b.*` +
	`\b(?:charges?|chgs?|chrgs?|fees?|commission)\b`)

// maxDrafts is how many drafts are offered at once.
const maxDrafts = 6

// suggestion is a line of a statement that is not matched, as the books' tool
// suggest_bank_matches answers it.
type suggestion struct {
	Date      calendar.Date     `json:"date"`
	Amount    money.Amount      `json:"amount"`
	Narration string            `json:"narration"` // untrusted
	Reference string            `json:"bank_reference"`
	Postings  []json.RawMessage `json:"postings"`
	Documents []struct {
		Number  string `json:"number"`
		Contact string `json:"contact"`
	} `json:"open_documents"`
}

// Drafts returns, for lines of a statement that the books have no posting for, the
// calls that would make one: a receipt or a payment for the one open document of that
// amount, an expense for what the bank charged. Lines that could be several things get
// none. answer is that of the books' tool suggest_bank_matches; each call is shown
// before it is made.
func Drafts(answer json.RawMessage) []part.Choice {
	var list struct {
		Suggestions []suggestion `json:"suggestions"`
	}
	if json.Unmarshal(answer, &list) != nil {
		return nil
	}
	// A document is settled once: two lines that could be it are both left alone.
	could := map[string]int{}
	for _, s := range list.Suggestions {
		if len(s.Postings) == 0 {
			for _, d := range s.Documents {
				could[d.Number]++
			}
		}
	}
	var out []part.Choice
	for _, s := range list.Suggestions {
		if len(out) == maxDrafts {
			break
		}
		if c, ok := s.draft(could); ok && len(s.Postings) == 0 {
			out = append(out, c)
		}
	}
	return out
}

func (s suggestion) draft(could map[string]int) (part.Choice, bool) {
	amount := s.Amount
	if amount.Negative() {
		amount = negative(amount)
	}
	shown := rupees.Format(amount)
	switch {
	case amount.IsZero() || s.Date.IsZero():
	case len(s.Documents) == 1 && could[s.Documents[0].Number] == 1 && s.Documents[0].Number != "":
		kind, label := "receipt", "Receipt "
		if s.Amount.Negative() {
			kind, label = "payment", "Payment "
		}
		in := map[string]any{"kind": kind, "amount": amount, "date": s.Date,
			"allocations": []map[string]string{{"document": s.Documents[0].Number}}}
		if s.Reference != "" {
			in["bank_reference"] = field(s.Reference)
		}
		label += shown + " for " + s.Documents[0].Number + ", " + s.Documents[0].Contact
		return part.Call(label, "create_payment", in), true
	case s.Amount.Negative() && len(s.Documents) == 0 && bankFee.MatchString(s.Narration):
		return part.Call("Bank charges "+shown+" of "+rupees.Date(s.Date), "create_expense", map[string]any{
			"account": "Bank charges", "amount": amount, "date": s.Date,
			"description": strings.TrimSpace(field(s.Narration))}), true
	}
	return part.Choice{}, false
}

// WithDrafts returns the presentation of suggest_bank_matches with the drafts as
// choices.
func WithDrafts(present func(arguments, answer json.RawMessage) tool.Presentation) func(arguments,
	answer json.RawMessage) tool.Presentation {
	return func(arguments, answer json.RawMessage) tool.Presentation {
		p := present(arguments, answer)
		if drafts := Drafts(answer); len(drafts) > 0 {
			p.Parts = append(p.Parts, part.Choices{Title: "Not in the books yet", Choices: drafts})
		}
		return p
	}
}
