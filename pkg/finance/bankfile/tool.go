package bankfile

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Name is the name of the tool.
const Name = "import_bank_file"

// Importing is the tool of the books that writes what it reads.
const Importing = "import_bank_statement"

// The tools of the books that it reads.
const (
	accounts = "get_bank_accounts"
	booked   = "get_all_transactions"
)

// Files are the files that people uploaded.
type Files interface {
	// ReadFile returns the name and the bytes of a file of by's that is ready, by the
	// id that stands beside it in the conversation. It returns fault.NotFound for one
	// that is not there or is another user's, and fault.Conflict for one that has not
	// arrived.
	ReadFile(ctx context.Context, by identity.Caller, id string) (name string, content []byte, err error)
}

const schema = `{"type":"object","additionalProperties":false,"required":["file"],"properties":{` +
	`"file":{"type":"string","minLength":1,"maxLength":100,"description":"id of the attached ` +
	`CSV file, from its attached_file mark"},` +
	`"bank_account":{"type":"string","maxLength":100,"description":"name or number of the bank ` +
	`account; may be left out when there is only one, or when the file names it"}}}`

const description = `Import an attached bank statement (CSV) into the books. The person is first shown the period, ` +
	`the number of lines, the sums, the account and what is in the books already. Lines that were imported before ` +
	`are not added again. Call suggest_bank_matches afterwards.`

type arguments struct {
	File        string `json:"file"`
	BankAccount string `json:"bank_account"`
}

// reader is a tool of the books that reads.
type reader = func(context.Context, identity.Caller, tool.Raw) (any, error)

// importer is the tool import_bank_file over the books' own tools.
type importer struct {
	files Files
	now   calendar.Clock
	reads map[string]reader
	act   *tool.Act
}

// Declare returns the tool import_bank_file, which writes by the books' tool
// import_bank_statement: at most once, with its outbox and its look-up. It returns false
// where the books, of which declared has the tools, do not offer that one.
func Declare(declared []tool.Declaration, files Files, now calendar.Clock) (tool.Declaration, bool) {
	m := importer{files: files, now: now, reads: map[string]reader{}}
	var d tool.Declaration
	for _, t := range declared {
		switch t.Spec.Name {
		case Importing:
			m.act, d = t.Act, t
		case accounts, booked:
			m.reads[t.Spec.Name] = t.Run
		}
	}
	if m.act == nil {
		return tool.Declaration{}, false
	}
	act := *m.act
	act.Attempt = m.attempt
	d.Spec.Name, d.Spec.Description = Name, description
	d.Schema, d.Act, d.Preview, d.Present = json.RawMessage(schema), &act, m.preview, present
	return d, true
}

// load reads the file of a call, whole and without a problem.
func (m importer) load(ctx context.Context, by identity.Caller, in tool.Raw) (a arguments, name string, s Statement,
	err error) {
	if err := json.Unmarshal(in, &a); err != nil {
		return a, "", s, fault.Wrap(fault.Invalid, err, "The arguments cannot be read.")
	}
	name, content, err := m.files.ReadFile(ctx, by, a.File)
	if err != nil {
		return a, "", s, err
	}
	zone, err := by.Entity.Location()
	if err != nil {
		return a, "", s, err
	}
	if s, err = Parse(content, calendar.Today(m.now(), zone)); err != nil {
		return a, name, s, err
	}
	return a, name, s, s.Refusal(name)
}

// maxTold is how many problems a refusal names.
const maxTold = 5

// Refusal returns why a statement must not be imported: a fault.Unprocessable error
// that names its first problems; nil for one that may.
func (s Statement) Refusal(file string) error {
	n := len(s.Problems)
	if n == 0 {
		return nil
	}
	var told []string
	for _, p := range s.Problems[:min(maxTold, n)] {
		told = append(told, p.Error())
	}
	count := fmt.Sprint(n)
	if n == maxProblems {
		count += " or more"
	}
	return fault.New(fault.Unprocessable, "“%s” is not imported, since lines of it cannot be read (%s): %s", file,
		count, strings.Join(told, " "))
}

// preview shows what would be imported. It reads the books and changes nothing.
func (m importer) preview(ctx context.Context, by identity.Caller, in tool.Raw) (tool.Preview, error) {
	a, name, s, err := m.load(ctx, by, in)
	if err != nil {
		return tool.Preview{}, err
	}
	account, err := m.account(ctx, by, a, s)
	if err != nil {
		return tool.Preview{}, err
	}
	inflow, outflow, err := s.Sums()
	if err != nil {
		return tool.Preview{}, fault.Wrap(fault.Unprocessable, err, "The sums of the file are too large.")
	}
	from, to := s.Period()
	p := tool.Preview{Title: "Import the bank statement " + name, Warnings: s.Warnings, Lines: []tool.Line{
		{Label: "Account", After: account},
		{Label: "Period", After: rupees.Date(from) + " to " + rupees.Date(to)},
		{Label: "Lines", After: fmt.Sprint(len(s.Lines))},
		{Label: "Money in", After: rupees.Format(inflow)},
		{Label: "Money out", After: rupees.Format(outflow)},
	}}
	if last := s.last(); last != "" {
		p.Lines = append(p.Lines, tool.Line{Label: "Closing balance", After: last})
	}
	if n := s.Repeated(); n > 0 {
		p.Lines = append(p.Lines, tool.Line{Label: "Equal lines in the file",
			After: fmt.Sprintf("%d, each counted", n)})
	}
	known, all, err := m.known(ctx, by, s, account)
	switch {
	case err != nil:
		return tool.Preview{}, err
	case !all:
		p.Warnings = append(p.Warnings, "The books have too many lines in this period to compare all of them here. "+
			"Lines that were imported before are not added again.")
	default:
		p.Lines = append(p.Lines, tool.Line{Label: "Alike in the books already",
			After: fmt.Sprintf("%d of %d lines, by day, amount and narration", known, len(s.Lines))})
	}
	return p, nil
}

// last is the balance after the newest line, "" where the file does not tell.
func (s Statement) last() string {
	l := s.Lines[len(s.Lines)-1]
	if s.Lines[0].Date.After(l.Date) {
		l = s.Lines[0]
	}
	if l.Balance == nil {
		return ""
	}
	return rupees.Format(*l.Balance)
}

// attempt hands the file to the books, once.
func (m importer) attempt(ctx context.Context, by identity.Caller, key string, in tool.Raw) (any, string, error) {
	a, name, s, err := m.load(ctx, by, in)
	if err != nil {
		return nil, "", effect.NotDone(err)
	}
	account, err := m.account(ctx, by, a, s)
	if err != nil {
		return nil, "", effect.NotDone(err)
	}
	raw, err := json.Marshal(map[string]string{"content": s.Text, "file_name": name, "bank_account": account})
	if err != nil {
		return nil, "", effect.NotDone(err)
	}
	return m.act.Attempt(ctx, by, key, raw)
}

// bankAccount is one of the books.
type bankAccount struct {
	Name   string `json:"name"`
	Number string `json:"number"`
}

// account returns the name of the account that is meant: the one of the call, the one
// whose number the file has, or the only one. Otherwise it asks.
func (m importer) account(ctx context.Context, by identity.Caller, a arguments, s Statement) (string, error) {
	var list struct {
		Accounts []bankAccount `json:"bank_accounts"`
	}
	if err := m.read(ctx, by, accounts, map[string]any{"limit": 100}, &list); err != nil {
		return "", err
	}
	for _, b := range list.Accounts {
		if a.BankAccount != "" && (strings.EqualFold(b.Name, strings.TrimSpace(a.BankAccount)) ||
			b.Number == strings.TrimSpace(a.BankAccount)) {
			if s.Account != "" && !sameNumber(s.Account, b.Number) {
				return "", fault.New(fault.Conflict, "The file is of the account %s, and %s has the number %s.",
					s.Account, b.Name, b.Number)
			}
			return b.Name, nil
		}
	}
	switch {
	case len(list.Accounts) == 0:
		return "", fault.New(fault.NotFound, "The books have no bank account. Create it first.")
	case a.BankAccount != "":
		return "", m.which(list.Accounts, a, fmt.Sprintf("There is no bank account %q. Which one is it?",
			a.BankAccount))
	case s.Account != "":
		i := slices.IndexFunc(list.Accounts, func(b bankAccount) bool { return sameNumber(s.Account, b.Number) })
		if i >= 0 {
			return list.Accounts[i].Name, nil
		}
		return "", m.which(list.Accounts, a, fmt.Sprintf("The file is of the account %s, which the books do not have."+
			" Which one is it?", s.Account))
	case len(list.Accounts) == 1:
		return list.Accounts[0].Name, nil
	}
	return "", m.which(list.Accounts, a, "Which bank account is the statement of?")
}

// which asks for the account.
func (m importer) which(list []bankAccount, a arguments, sentence string) error {
	choices := part.Choices{Title: sentence}
	for _, b := range list[:min(8, len(list))] {
		choices.Choices = append(choices.Choices, part.Call(b.Name, Name, arguments{a.File, b.Name}))
	}
	return tool.Ask(choices, sentence)
}

// sameNumber compares account numbers, of which a file may hide the first digits.
func sameNumber(file, books string) bool {
	digits := strings.TrimLeft(file, "Xx*")
	if digits == file {
		return strings.TrimLeft(file, "0") == strings.TrimLeft(books, "0")
	}
	return len(digits) >= 4 && strings.HasSuffix(books, digits)
}

// maxPages is how many pages of the books a preview compares the file with.
const maxPages = 10

// known counts the lines of the file of which the books have one with the same day,
// amount and narration; all is false where there are too many to compare. The books
// decide by themselves, by the reference too, which lines they had before.
func (m importer) known(ctx context.Context, by identity.Caller, s Statement, account string) (n int, all bool,
	err error) {
	if m.reads[booked] == nil {
		return 0, false, nil
	}
	from, to := s.Period()
	there := map[string]int{}
	in := map[string]any{"from": from, "to": to, "bank_account": account, "limit": 100}
	for page := 0; ; page++ {
		if page == maxPages {
			return 0, false, nil
		}
		var list struct {
			More         bool   `json:"more"`
			Cursor       string `json:"cursor"`
			Transactions []struct {
				Date      calendar.Date `json:"date"`
				Amount    json.Number   `json:"amount"`
				Narration string        `json:"narration"`
			} `json:"transactions"`
		}
		if err := m.read(ctx, by, booked, in, &list); err != nil {
			return 0, false, err
		}
		for _, t := range list.Transactions {
			if a, _, err := entry(t.Amount.String()); err == nil {
				there[key(t.Date, a.Round(2).String(), t.Narration)]++
			}
		}
		if !list.More || list.Cursor == "" {
			break
		}
		in["cursor"] = list.Cursor
	}
	for _, l := range s.Lines {
		if k := key(l.Date, l.Amount.Round(2).String(), l.Narration); there[k] > 0 {
			there[k]--
			n++
		}
	}
	return n, true, nil
}

func key(day calendar.Date, amount, narration string) string {
	return day.String() + " " + amount + " " + strings.ToLower(field(narration))
}

// read asks a tool of the books.
func (m importer) read(ctx context.Context, by identity.Caller, name string, in, out any) error {
	run := m.reads[name]
	if run == nil {
		return fault.New(fault.Unavailable, "The books cannot be asked for bank accounts.")
	}
	raw, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("encode the arguments of %s: %w", name, err)
	}
	answer, err := run(ctx, by, raw)
	if err != nil {
		return err
	}
	text, ok := answer.(json.RawMessage)
	if !ok {
		if text, err = json.Marshal(answer); err != nil {
			return fmt.Errorf("encode the answer of %s: %w", name, err)
		}
	}
	if err := json.Unmarshal(text, out); err != nil {
		return fault.Wrap(fault.Upstream, err, "The books gave an answer that cannot be read.")
	}
	return nil
}

// present says what was imported, and offers to match it.
func present(_, answer json.RawMessage) tool.Presentation {
	var a struct {
		Account string `json:"bank_account"`
		Lines   int    `json:"lines"`
		Added   int    `json:"added"`
		Known   int    `json:"known"`
	}
	if json.Unmarshal(answer, &a) != nil || a.Lines == 0 {
		return tool.Presentation{Text: "The bank statement is imported.", Parts: next()}
	}
	return tool.Presentation{Records: a.Added, Parts: next(), Text: fmt.Sprintf(
		"%d of %d lines were added to %s; %d were in the books already.", a.Added, a.Lines,
		render.Escape(a.Account), a.Known)}
}

func next() []part.Data {
	return part.Next(part.Call("Suggest matches", "suggest_bank_matches", nil))
}
