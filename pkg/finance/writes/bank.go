package writes

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/bankfile"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
)

// bankAccount is an account at a bank whose statements are imported.
type bankAccount struct {
	Name      string `json:"name"`
	Bank      string `json:"bank"`
	Number    string `json:"number"`
	Account   string `json:"account"`
	Unmatched int    `json:"unmatched"`
}

// bankAccount finds one by name, number or account; the only one without words.
func (d *draft) bankAccount(words string) (bankAccount, error) {
	list, err := all[bankAccount](d, "get_bank_accounts", "bank_accounts", map[string]any{})
	if err != nil {
		return bankAccount{}, err
	}
	words = strings.ToLower(strings.TrimSpace(words))
	list = slices.DeleteFunc(list, func(b bankAccount) bool {
		return words != "" && strings.ToLower(b.Name) != words && strings.ToLower(b.Number) != words &&
			strings.ToLower(b.Account) != words
	})
	switch {
	case len(list) == 1:
		return list[0], nil
	case len(list) > 1:
		return bankAccount{}, fault.New(fault.Invalid, "The company has several bank accounts: name one.")
	}
	return bankAccount{}, fault.New(fault.Unprocessable, "There is no bank account %q.", words)
}

type bankAccountArguments struct {
	Account string `json:"account"`
	Name    string `json:"name"`
	Bank    string `json:"bank"`
	Number  string `json:"number"`
	IFSC    string `json:"ifsc,omitempty"`
	Opens   string `json:"opens,omitempty"`
	Opening *paise `json:"opening,omitempty"`
}

// ending hides a number of an account but for its last four digits.
func ending(number string) string {
	if len(number) <= 4 {
		return number
	}
	return "…" + number[len(number)-4:]
}

func createBankAccount(d *draft, in bankAccountArguments) error {
	a, err := d.account(in.Account)
	if err != nil {
		return err
	}
	if !a.Cash {
		return fault.New(fault.Invalid, "%s is no bank or cash account.", a.Name)
	}
	opens, err := day("Opens", in.Opens, d.today)
	if err != nil {
		return err
	}
	list, err := all[bankAccount](d, "get_bank_accounts", "bank_accounts", map[string]any{})
	if err != nil {
		return err
	}
	for _, b := range list {
		if b.Number == strings.TrimSpace(in.Number) || b.Account == a.Code {
			return fault.New(fault.Conflict, "%s has that number or account already.", b.Name)
		}
	}
	d.p.Title = "Add the bank account " + in.Name
	d.line("Name", in.Name)
	d.line("Bank", in.Bank)
	d.line("Number", in.Number)
	d.optional("IFSC", in.IFSC)
	d.line("Account", a.Code+" "+a.Name)
	d.line("Statements from", rupees.Date(opens.AddDays(1)))
	var opening paise
	if in.Opening != nil {
		opening = *in.Opening
	}
	d.line("The bank's balance before", opening.String())
	return nil
}

type importArguments struct {
	BankAccount   string `json:"bank_account,omitempty"`
	FileName      string `json:"file_name,omitempty"`
	Content       string `json:"content,omitempty"`
	ContentBase64 string `json:"content_base64,omitempty"`
}

func importStatement(d *draft, in importArguments) error {
	if (in.Content == "") == (in.ContentBase64 == "") {
		return fault.New(fault.Invalid, "Give the file either as content or as content_base64.")
	}
	file := []byte(in.Content)
	if in.ContentBase64 != "" {
		var err error
		if file, err = base64.StdEncoding.DecodeString(in.ContentBase64); err != nil {
			return fault.New(fault.Invalid, "content_base64 is not base64.")
		}
	}
	b, err := d.bankAccount(in.BankAccount)
	if err != nil {
		return err
	}
	s, err := bankfile.Parse(file, d.today)
	if err != nil {
		return err
	}
	if err := s.Refusal(in.FileName); err != nil {
		return err
	}
	inflow, outflow, err := s.Sums()
	if err != nil {
		return fault.Wrap(fault.Unprocessable, err, "The sums of the file are too large.")
	}
	d.p.Title = "Import a statement of " + b.Name
	d.line("Bank account", fmt.Sprintf("%s, %s, %s", b.Name, b.Bank, ending(b.Number)))
	d.optional("File", in.FileName)
	from, to := s.Period()
	d.line("Period", rupees.Date(from)+" to "+rupees.Date(to))
	d.line("Lines", fmt.Sprint(len(s.Lines)))
	d.line("Money in", rupees.Format(inflow))
	d.line("Money out", rupees.Format(outflow))
	for _, w := range s.Warnings {
		d.warn("%s", w)
	}
	if s.Account != "" && ending(s.Account) != ending(b.Number) {
		d.warn("The file is of the account %s, not of %s.", ending(s.Account), ending(b.Number))
	}
	d.line("Postings", "none: lines that were imported before are not added again")
	d.target("bank_account", b.Name, 0)
	return nil
}

// transaction is a line of a bank statement.
type transaction struct {
	BankAccount string        `json:"bank_account"`
	Date        calendar.Date `json:"date"`
	Amount      paise         `json:"amount"`
	Narration   string        `json:"narration"`
	Status      string        `json:"status"`
	Note        string        `json:"note"`
	Matches     []posted      `json:"matches"`
}

// posted is a posting that a line of a statement may be.
type posted struct {
	Number    string        `json:"number"`
	Date      calendar.Date `json:"date"`
	Narration string        `json:"narration"`
	Amount    paise         `json:"amount"`
	Score     int           `json:"score"`
}

func (p posted) String() string {
	return fmt.Sprintf("%s of %s, %s, %s", p.Number, rupees.Date(p.Date), p.Narration, p.Amount)
}

// transaction reads a line and shows it. It has no name but its id, which people do
// not see.
func (d *draft) transaction(id string) (transaction, error) {
	found, err := ask[struct{ Transaction transaction }](d, "get_transaction", map[string]any{"id": id})
	t := found.Transaction
	if err != nil {
		return t, err
	}
	d.line("Bank account", t.BankAccount)
	d.line("Date", rupees.Date(t.Date))
	d.line("Amount", t.Amount.String())
	d.line("Narration", t.Narration)
	d.target("bank_line", fmt.Sprintf("%s %s %s %.80s", t.BankAccount, t.Date, t.Amount.plain(), t.Narration), 0)
	return t, nil
}

type lineMatch struct {
	ID      string   `json:"id"`
	Numbers []string `json:"numbers,omitempty"`
}

func matchTransaction(d *draft, in lineMatch) error {
	t, err := d.transaction(in.ID)
	if err != nil {
		return err
	}
	d.p.Title = fmt.Sprintf("Match the line of the bank of %s over %s", rupees.Date(t.Date), t.Amount)
	if t.Status == "matched" {
		return fault.New(fault.Conflict, "The line is matched already; undo that first.")
	}
	if len(in.Numbers) > 0 {
		d.line("It is", strings.Join(in.Numbers, ", "))
		return nil
	}
	suggested, err := d.suggestions(t.BankAccount)
	if err != nil {
		return err
	}
	for _, s := range suggested {
		if s.ID != in.ID {
			continue
		}
		best := s.best()
		switch len(best) {
		case 0:
			return fault.New(fault.Unprocessable,
				"No posting fits this line: record the payment or the expense first.")
		case 1:
			d.line("It is", best[0].String())
		default:
			return fault.New(fault.Invalid,
				"Several postings fit equally well, such as %s and %s: name one by its number.",
				best[0].Number, best[1].Number)
		}
	}
	return nil
}

func unmatchTransaction(d *draft, in lineMatch) error {
	t, err := d.transaction(in.ID)
	if err != nil {
		return err
	}
	d.p.Title = fmt.Sprintf("Undo the match of the line of the bank of %s over %s", rupees.Date(t.Date), t.Amount)
	if t.Status != "matched" {
		return fault.New(fault.Conflict, "The line is not matched.")
	}
	for _, m := range t.Matches {
		d.change("Match", m.String(), "none")
	}
	return nil
}

// suggestion is a line of a statement with the postings that fit, best first.
type suggestion struct {
	ID        string        `json:"id"`
	Date      calendar.Date `json:"date"`
	Amount    paise         `json:"amount"`
	Narration string        `json:"narration"`
	Postings  []posted      `json:"postings"`
}

func (s suggestion) best() []posted {
	var out []posted
	for _, p := range s.Postings {
		if len(out) == 0 || p.Score == out[0].Score {
			out = append(out, p)
		}
	}
	return out
}

func (d *draft) suggestions(bank string) ([]suggestion, error) {
	return all[suggestion](d, "suggest_bank_matches", "suggestions", map[string]any{"bank_account": bank})
}

// leastScore is from where on the books match by themselves.
const leastScore = 60

func reconcile(d *draft, in struct {
	BankAccount string `json:"bank_account,omitempty"`
}) error {
	b, err := d.bankAccount(in.BankAccount)
	if err != nil {
		return err
	}
	lines, err := d.suggestions(b.Name)
	if err != nil {
		return err
	}
	d.p.Title = "Match the statement of " + b.Name + " with the books"
	d.line("Bank account", fmt.Sprintf("%s, %s, %s", b.Name, b.Bank, ending(b.Number)))
	// A posting that fits two lines equally well is left to people.
	type key struct {
		number, narration string
		date              calendar.Date
		amount            paise
	}
	of := func(p posted) key { return key{p.Number, p.Narration, p.Date, p.Amount} }
	scores := map[key][]int{}
	for _, l := range lines {
		for _, p := range l.Postings {
			if p.Score >= leastScore {
				scores[of(p)] = append(scores[of(p)], p.Score)
			}
		}
	}
	var matched []tellLine
	for _, l := range lines {
		best := l.best()
		if len(best) != 1 || best[0].Score < leastScore {
			continue
		}
		rivals := slices.DeleteFunc(slices.Clone(scores[of(best[0])]), func(s int) bool { return s < best[0].Score })
		if len(rivals) > 1 {
			continue
		}
		matched = append(matched, tellLine{fmt.Sprintf("%s, %s, %.60s", rupees.Date(l.Date), l.Amount, l.Narration),
			best[0].String()})
	}
	d.line("Unmatched lines", fmt.Sprint(len(lines)))
	d.line("Of these, one posting fits clearly", fmt.Sprint(len(matched)))
	for _, m := range matched {
		d.line(m.label, m.text)
	}
	d.target("bank_account", b.Name, 0)
	return nil
}

type tellLine struct{ label, text string }

type updateTransactionArguments struct {
	ID        string `json:"id"`
	Note      string `json:"note,omitempty"`
	Status    string `json:"status,omitempty"`
	Account   string `json:"account,omitempty"`
	Narration string `json:"narration,omitempty"`
}

func updateTransaction(d *draft, in updateTransactionArguments) error {
	t, err := d.transaction(in.ID)
	if err != nil {
		return err
	}
	d.p.Title = fmt.Sprintf("Change the line of the bank of %s over %s", rupees.Date(t.Date), t.Amount)
	if in.Note == "" && in.Status == "" && in.Account == "" {
		return fault.New(fault.Invalid, "Nothing is to be changed: give a note, a status or an account.")
	}
	if in.Note != "" {
		d.change("Note", t.Note, in.Note)
	}
	if in.Status != "" {
		d.change("Status", t.Status, in.Status)
	}
	if in.Account == "" {
		return nil
	}
	if t.Status != "unmatched" {
		return fault.New(fault.Conflict, "The line is %s already.", t.Status)
	}
	b, err := d.bankAccount(t.BankAccount)
	if err != nil {
		return err
	}
	a, err := d.account(in.Account)
	if err != nil {
		return err
	}
	if a.Code == b.Account {
		return fault.New(fault.Invalid, "The other account cannot be the bank's own.")
	}
	d.p.Title = fmt.Sprintf("Post the line of the bank of %s over %s to %s", rupees.Date(t.Date), t.Amount, a.Name)
	if in.Narration != "" {
		d.line("Narration of the posting", in.Narration)
	}
	if err := d.on(t.Date); err != nil {
		return err
	}
	return d.post(&d.new, post{b.Account, t.Amount}, post{a.Code, -t.Amount})
}
