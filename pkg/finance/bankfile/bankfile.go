// Package bankfile reads bank statements in the CSV files that Indian banks offer for
// download, checks them line by line, and hands them to the books.
//
// A file may be UTF-8 or UTF-16, separated by comma, semicolon, tab or bar, and may
// begin with lines about the account. The table starts at the first line that names a
// date and either an amount, or withdrawals and deposits. Amounts are grouped in the
// Indian or the Western way, may end with Dr or Cr, stand in parentheses when negative,
// and bear a currency sign.
package bankfile

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Limits of a file.
const (
	MaxLines    = 20_000
	maxProblems = 200
	maxField    = 500 // runes of a narration or reference
)

// Line is one transaction of a statement.
type Line struct {
	Row       int // of the file, from 1
	Date      calendar.Date
	Amount    money.Amount // what came in; negative for what went out
	Narration string       // as the bank wrote it, with single spaces: untrusted
	Reference string
	Balance   *money.Amount // after the line; nil when the file has none
	// Same numbers the lines of the file that have the same date, amount, narration
	// and reference, from 1: a bank may book an amount twice in a day.
	Same int
}

// Problem is what is wrong with one line of a file. Its text is for the person who
// sent it.
type Problem struct {
	Row    int    // of the file, from 1
	Column string // as the file names it; "" for the whole line
	Text   string // a sentence
}

// Error implements error.
func (p Problem) Error() string {
	if p.Column == "" {
		return fmt.Sprintf("Line %d: %s", p.Row, p.Text)
	}
	return fmt.Sprintf("Line %d, column %s: %s", p.Row, p.Column, p.Text)
}

// Statement is what was read of a file.
type Statement struct {
	// Text is the file as UTF-8 without a byte order mark.
	Text string
	// Account is the number of the account that the lines above the table name; ""
	// where they name none.
	Account string
	Lines   []Line
	// Problems are the lines that could not be read, in their order, at most 200 of
	// them. A statement with a problem must not be imported: something would be
	// missing.
	Problems []Problem
	// Warnings are sentences on what does not fit together, such as a running balance.
	Warnings []string
}

// Sums returns what came in and what went out, both positive.
func (s Statement) Sums() (in, out money.Amount, err error) {
	for _, l := range s.Lines {
		if l.Amount.Negative() {
			out, err = out.Sub(l.Amount)
		} else {
			in, err = in.Add(l.Amount)
		}
		if err != nil {
			return in, out, fmt.Errorf("add line %d: %w", l.Row, err)
		}
	}
	return in, out, nil
}

// Period returns the first and the last day. There must be a line.
func (s Statement) Period() (from, to calendar.Date) {
	from, to = s.Lines[0].Date, s.Lines[0].Date
	for _, l := range s.Lines {
		if l.Date.Before(from) {
			from = l.Date
		}
		if l.Date.After(to) {
			to = l.Date
		}
	}
	return from, to
}

// Repeated counts the lines that say the same as an earlier one of the file.
func (s Statement) Repeated() int {
	n := 0
	for _, l := range s.Lines {
		if l.Same > 1 {
			n++
		}
	}
	return n
}

// Parse reads a file. today is the company's local date, after which no line of a
// statement lies. It returns a fault.Unprocessable error for a file that is no
// statement at all; what is wrong with single lines is in the statement.
func Parse(file []byte, today calendar.Date) (Statement, error) {
	text, err := decode(file)
	if err != nil {
		return Statement{}, err
	}
	s := Statement{Text: text}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma = separator(text)
	r.FieldsPerRecord, r.LazyQuotes, r.ReuseRecord = -1, true, true
	var c *columns
	seen := map[string]int{}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Statement{}, unreadable("Line %d of the file is not CSV.", faultyRow(err))
		}
		row, _ := r.FieldPos(0)
		if c == nil {
			if c = header(record); c == nil && s.Account == "" {
				s.Account = account(record)
			}
			continue
		}
		line, ok, problem := c.line(record, today)
		switch {
		case problem != nil:
			problem.Row = row
			if len(s.Problems) < maxProblems {
				s.Problems = append(s.Problems, *problem)
			}
			continue
		case !ok:
			continue
		case len(s.Lines) == MaxLines:
			return Statement{}, unreadable("The file has more than %d lines. Take a shorter period.", MaxLines)
		}
		line.Row = row
		key := fmt.Sprint(line.Date, line.Amount, "\x00", line.Narration, "\x00", line.Reference)
		seen[key]++
		line.Same = seen[key]
		s.Lines = append(s.Lines, line)
	}
	switch {
	case c == nil:
		return Statement{}, unreadable("No line of the file names its columns: a date, and an amount, or " +
			"withdrawals and deposits. Download the statement as CSV.")
	case len(s.Lines) == 0 && len(s.Problems) == 0:
		return Statement{}, unreadable("The file has no transactions.")
	}
	s.Warnings = s.balances()
	return s, nil
}

func unreadable(format string, args ...any) error {
	return fault.New(fault.Unprocessable, format, args...)
}

func faultyRow(err error) int {
	if p, ok := errors.AsType[*csv.ParseError](err); ok {
		return p.StartLine
	}
	return 0
}

// columns are the positions of what is read, -1 for none, and the names of all.
type columns struct {
	date, narration, reference, balance int
	out, in                             int // withdrawals and deposits
	amount, sign                        int // or one amount, and a Dr/Cr column
	names                               []string
}

// header reads a line as the names of the columns; nil when it is none.
func header(record []string) *columns {
	c := &columns{-1, -1, -1, -1, -1, -1, -1, -1, nil}
	take := func(at *int, i int) {
		if *at < 0 {
			*at = i
		}
	}
	for i, title := range record {
		c.names = append(c.names, field(title))
		words := " " + strings.Join(strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < '0' || r > '9')
		}), " ") + " "
		has := func(list ...string) bool {
			for _, w := range list {
				if strings.Contains(words, " "+w+" ") {
					return true
				}
			}
			return false
		}
		switch {
		case has("balance"):
			take(&c.balance, i)
		case has("dr cr", "cr dr", "type", "debit credit", "credit debit"):
			take(&c.sign, i)
		case has("value date", "value dt"):
			// The day of the transaction is the other date.
		case has("date", "dt"):
			take(&c.date, i)
		case has("withdrawal", "withdrawals", "debit", "debits", "dr", "paid out"):
			take(&c.out, i)
		case has("deposit", "deposits", "credit", "credits", "cr", "paid in"):
			take(&c.in, i)
		case has("narration", "description", "particulars", "details", "remarks"):
			take(&c.narration, i)
		case has("chq", "cheque", "ref", "reference", "utr"):
			take(&c.reference, i)
		case has("amount", "amt"):
			take(&c.amount, i)
		}
	}
	if c.date < 0 || c.amount < 0 && (c.out < 0 || c.in < 0) {
		return nil
	}
	return c
}

// field returns the text of a field with single spaces, cut where it is long.
func field(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > maxField {
		return string(r[:maxField])
	}
	return s
}

// at returns a field of a record.
func at(record []string, i int) string {
	if i < 0 || i >= len(record) {
		return ""
	}
	return field(record[i])
}

// line reads a record below the header. It is not ok for a line without a date or
// an amount, such as a total, a remark or an opening balance.
func (c *columns) line(record []string, today calendar.Date) (l Line, ok bool, problem *Problem) {
	text := at(record, c.date)
	if text == "" || text[0] < '0' || text[0] > '9' {
		return l, false, nil
	}
	day, err := date(text)
	if err != nil {
		return l, false, c.problem(c.date, fault.From(err).Message)
	}
	l = Line{Date: day, Narration: at(record, c.narration), Reference: at(record, c.reference)}
	if l.Amount, problem = c.movement(record); problem != nil || l.Amount.IsZero() {
		return l, false, problem
	}
	if day.After(today) {
		return l, false, c.problem(c.date, fmt.Sprintf("%s is in the future.", rupees.Date(day)))
	}
	if text := at(record, c.balance); text != "" {
		balance, _, err := entry(text)
		if err != nil {
			return l, false, c.problem(c.balance, fault.From(err).Message)
		}
		l.Balance = &balance
	}
	return l, true, nil
}

func (c *columns) problem(column int, sentence string) *Problem {
	return &Problem{Column: at(c.names, column), Text: sentence}
}

// movement is what came in or, negative, went out; zero for nothing.
func (c *columns) movement(record []string) (money.Amount, *Problem) {
	read := func(column int) (money.Amount, bool, *Problem) {
		a, signed, err := entry(at(record, column))
		if err != nil {
			return a, signed, c.problem(column, fault.From(err).Message)
		}
		return a, signed, nil
	}
	if c.out >= 0 && c.in >= 0 {
		out, _, problem := read(c.out)
		if problem != nil {
			return money.Zero, problem
		}
		in, _, problem := read(c.in)
		switch {
		case problem != nil:
			return money.Zero, problem
		case !out.IsZero() && !in.IsZero():
			return money.Zero, &Problem{Text: "It has both a withdrawal and a deposit."}
		case out.IsZero():
			return in, nil
		case out.Negative():
			return out, nil // some banks write withdrawals with a sign
		}
		return negative(out), nil
	}
	amount, signed, problem := read(c.amount)
	kind := strings.ToLower(at(record, c.sign))
	switch {
	case problem != nil || signed || kind == "" || amount.IsZero():
		return amount, problem
	case strings.HasPrefix(kind, "d"), strings.HasPrefix(kind, "w"):
		return negative(amount), nil
	case strings.HasPrefix(kind, "c"):
		return amount, nil
	}
	return money.Zero, c.problem(c.sign, fmt.Sprintf("%q is neither Dr nor Cr.", kind))
}

func negative(a money.Amount) money.Amount {
	n, err := money.Zero.Sub(a)
	if err != nil {
		return a // a sign needs no digit
	}
	return n
}

// unit finds letters that are no part of an amount in a statement: "2.5 lakh" is said,
// not booked.
var unit = regexp.MustCompile(`(?i)^[^\pL]*(?:(?:rs|inr|dr|cr)[^\pL]*)*$`)

// entry reads the amount of a line; "", "-" and "NIL" are nothing.
func entry(text string) (a money.Amount, signed bool, err error) {
	switch strings.ToLower(text) {
	case "", "-", "--", "nil":
		return money.Zero, false, nil
	}
	if !unit.MatchString(text) {
		return money.Zero, false, fault.New(fault.Invalid, "%q is not an amount.", text)
	}
	a, signed, err = rupees.ParseEntry(text)
	if err == nil && a.Round(2).Cmp(a) != 0 {
		return money.Zero, false, fault.New(fault.Invalid, "%q has more than two decimals.", text)
	}
	return a, signed, err
}

// date reads a day, behind which a time may stand.
func date(text string) (calendar.Date, error) {
	parts := strings.Fields(text)
	if len(parts) >= 3 && len(parts[0]) <= 2 {
		return rupees.ParseDate(strings.Join(parts[:3], " "))
	}
	day, _, _ := strings.Cut(parts[0], "T")
	return rupees.ParseDate(day)
}

var (
	accountLine   = regexp.MustCompile(`(?i)\b(?:account|a/c|acct)\b`)
	accountNumber = regexp.MustCompile(`\b[0-9Xx*]{2,}[0-9]{4,16}\b|\b[0-9]{6,18}\b`)
)

// account returns the number of an account that a line above the table names.
func account(record []string) string {
	line := field(strings.Join(record, " "))
	if place := accountLine.FindStringIndex(line); place != nil {
		return accountNumber.FindString(line[place[1]:])
	}
	return ""
}

// balances checks that each line's balance is that of the line before it, changed by
// its amount. Files begin with the oldest line or with the newest.
func (s Statement) balances() []string {
	up, down, pairs, firstUp, firstDown := 0, 0, 0, 0, 0
	for i := 1; i < len(s.Lines); i++ {
		a, b := s.Lines[i-1], s.Lines[i]
		if a.Balance == nil || b.Balance == nil {
			continue
		}
		pairs++
		if after, err := a.Balance.Add(b.Amount); err != nil || after.Cmp(*b.Balance) != 0 {
			if up++; firstUp == 0 {
				firstUp = b.Row
			}
		}
		if after, err := b.Balance.Add(a.Amount); err != nil || after.Cmp(*a.Balance) != 0 {
			if down++; firstDown == 0 {
				firstDown = b.Row
			}
		}
	}
	wrong, first := up, firstUp
	if down < up {
		wrong, first = down, firstDown
	}
	if wrong == 0 || pairs == 0 {
		return nil
	}
	return []string{fmt.Sprintf("The balance does not follow from the line before it in %d of %d places, first "+
		"at line %d: lines may be missing, or a column may be read wrongly.", wrong, pairs, first)}
}
