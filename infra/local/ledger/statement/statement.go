// Package statement reads bank statements in the CSV files that Indian banks
// offer for download.
//
// A file may be UTF-8 or UTF-16 (with a byte order mark, or recognisable
// without), separated by comma, semicolon, tab or bar, and may begin with lines
// about the account. The table starts at the first line that names a date and
// an amount. Amounts are one column with a sign or a Dr/Cr column, or two
// columns of withdrawals and deposits; they may be grouped in the Indian or the
// Western way, end with Dr or Cr, stand in parentheses when negative, and bear
// a currency sign.
package statement

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxLines is how many lines a file may have.
const MaxLines = 100_000

// Line is one line of a statement.
type Line struct {
	// Row is the line's number in the file, from 1.
	Row int
	// Date is the day of the transaction, at midnight UTC.
	Date time.Time
	// Amount is in paise: positive for money that came in.
	Amount int64
	// Narration and Reference are as the bank wrote them, with single spaces.
	Narration, Reference string
	// Balance is that after the line, in paise; nil when the file has none.
	Balance *int64
	// Digest identifies the line's date, amount, narration and reference.
	Digest [sha256.Size]byte
	// Occurrence numbers the lines with the same digest in a file, from 1: a
	// bank may book the same amount twice in a day. With Digest it tells lines
	// of overlapping files that are the same from those that are not.
	Occurrence int
}

// Error is what is wrong with a file, for the person who sent it.
type Error struct {
	Row  int // of the file, from 1; 0 is the whole file
	Text string
}

// Error implements error.
func (e *Error) Error() string {
	if e.Row == 0 {
		return e.Text
	}
	return fmt.Sprintf("line %d: %s", e.Row, e.Text)
}

// Parse reads a file. Errors are of type *Error: a file with a line that
// cannot be read is refused as a whole.
func Parse(file []byte) ([]Line, error) {
	text, err := decode(file)
	if err != nil {
		return nil, err
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma = separator(text)
	r.FieldsPerRecord, r.LazyQuotes, r.ReuseRecord = -1, true, true
	var c *columns
	var lines []Line
	seen := map[[sha256.Size]byte]int{}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		row, _ := r.FieldPos(0)
		if err != nil {
			return nil, &Error{row, "it is not CSV"}
		}
		if c == nil {
			c = header(record)
			continue
		}
		line, ok, err := c.line(record)
		if err != nil {
			return nil, &Error{row, err.Error()}
		}
		if !ok {
			continue
		}
		if len(lines) == MaxLines {
			return nil, &Error{0, fmt.Sprintf("the file has more than %d lines", MaxLines)}
		}
		line.Row = row
		line.Digest = digest(line)
		seen[line.Digest]++
		line.Occurrence = seen[line.Digest]
		lines = append(lines, line)
	}
	switch {
	case c == nil:
		return nil, &Error{0, "no line of the file names its columns: a date, and an amount or withdrawals and " +
			"deposits"}
	case len(lines) == 0:
		return nil, &Error{0, "the file has no transactions"}
	}
	return lines, nil
}

// decode returns the file as text without a byte order mark.
func decode(file []byte) (string, error) {
	switch {
	case bytes.HasPrefix(file, []byte{0xEF, 0xBB, 0xBF}):
		file = file[3:]
	case bytes.HasPrefix(file, []byte{0xFF, 0xFE}):
		return decode16(file[2:], binary.LittleEndian)
	case bytes.HasPrefix(file, []byte{0xFE, 0xFF}):
		return decode16(file[2:], binary.BigEndian)
	case len(file) > 3 && file[1] == 0 && file[3] == 0:
		return decode16(file, binary.LittleEndian)
	case len(file) > 3 && file[0] == 0 && file[2] == 0:
		return decode16(file, binary.BigEndian)
	}
	if !utf8.Valid(file) || bytes.IndexByte(file, 0) >= 0 {
		return "", &Error{0, "the file is not text in UTF-8 or UTF-16"}
	}
	return string(file), nil
}

func decode16(b []byte, order binary.ByteOrder) (string, error) {
	if len(b)%2 != 0 {
		return "", &Error{0, "the file ends in the middle of a character"}
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = order.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units)), nil
}

// separator is the one of which the first line that could be the header has
// the most.
func separator(text string) rune {
	for line := range strings.Lines(text) {
		best, most := ',', 1
		for _, sep := range ",;\t|" {
			if n := strings.Count(line, string(sep)); n > most {
				best, most = sep, n
			}
		}
		low := strings.ToLower(line)
		if most > 1 && strings.Contains(low, "date") {
			return best
		}
	}
	return ','
}

// columns are the positions of what is read, -1 for none.
type columns struct {
	date, narration, reference, balance int
	out, in                             int // withdrawals and deposits
	amount, sign                        int // or one amount, and a Dr/Cr column
}

// header reads a line as the names of the columns; nil when it is none.
func header(record []string) *columns {
	c := &columns{-1, -1, -1, -1, -1, -1, -1, -1}
	take := func(at *int, i int) {
		if *at < 0 {
			*at = i
		}
	}
	for i, name := range record {
		name = strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < '0' || r > '9')
		}), " ")
		has := func(words ...string) bool {
			for _, w := range words {
				if strings.Contains(" "+name+" ", " "+w+" ") {
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
	if c.date < 0 || (c.amount < 0 && (c.out < 0 || c.in < 0)) {
		return nil
	}
	return c
}

// line reads a record below the header. It is not ok for a line that has no
// date and no amount, such as a total, a remark or an opening balance.
func (c *columns) line(record []string) (l Line, ok bool, err error) {
	field := func(i int) string {
		if i < 0 || i >= len(record) {
			return ""
		}
		return strings.Join(strings.Fields(record[i]), " ")
	}
	day, found := date(field(c.date))
	if !found {
		first := field(c.date)
		if first != "" && first[0] >= '0' && first[0] <= '9' {
			return l, false, fmt.Errorf("%q is not a date", first)
		}
		return l, false, nil
	}
	l = Line{Date: day, Narration: field(c.narration), Reference: field(c.reference)}
	if l.Amount, ok, err = c.movement(field); err != nil || !ok {
		return l, false, err
	}
	if text := field(c.balance); text != "" {
		balance, _, err := Amount(text)
		if err != nil {
			return l, false, err
		}
		l.Balance = &balance
	}
	return l, true, nil
}

// movement is what came in or, negative, went out.
func (c *columns) movement(field func(int) string) (amount int64, ok bool, err error) {
	if c.out >= 0 && c.in >= 0 {
		out, _, err := Amount(field(c.out))
		if err != nil {
			return 0, false, err
		}
		in, _, err := Amount(field(c.in))
		if err != nil {
			return 0, false, err
		}
		if out != 0 && in != 0 {
			return 0, false, errors.New("it has both a withdrawal and a deposit")
		}
		if out < 0 { // some banks write withdrawals with a sign
			out = -out
		}
		return in - out, out != 0 || in != 0, nil
	}
	amount, signed, err := Amount(field(c.amount))
	if err != nil || amount == 0 {
		return 0, false, err
	}
	if kind := strings.ToLower(field(c.sign)); kind != "" && !signed {
		switch {
		case strings.HasPrefix(kind, "d") || strings.HasPrefix(kind, "w"):
			return -amount, true, nil
		case !strings.HasPrefix(kind, "c"):
			return 0, false, fmt.Errorf("%q is neither Dr nor Cr", field(c.sign))
		}
	}
	return amount, true, nil
}

// Amount reads an amount as paise: "1,23,456.78", "(1,234.00)", "1,234.00 Dr",
// "₹ 500", "-500". An empty text, "-" and "NIL" are 0. Signed says that the
// text itself told the direction.
func Amount(text string) (paise int64, signed bool, err error) {
	s := strings.ToLower(strings.TrimSpace(text))
	for _, mark := range []string{"₹", "inr", "rs.", "rs"} {
		s = strings.TrimSpace(strings.ReplaceAll(s, mark, ""))
	}
	if s == "" || s == "-" || s == "--" || s == "nil" {
		return 0, false, nil
	}
	bad := fmt.Errorf("%q is not an amount", text)
	negative := false
	if inner, ok := strings.CutPrefix(s, "("); ok {
		if s, ok = strings.CutSuffix(inner, ")"); !ok {
			return 0, false, bad
		}
		negative, signed = true, true
	}
	for suffix, out := range map[string]bool{"dr": true, "cr": false} {
		cut, ok := strings.CutSuffix(strings.TrimSuffix(s, "."), suffix)
		if !ok {
			continue
		}
		if signed {
			return 0, false, bad
		}
		s, negative, signed = strings.TrimSpace(cut), out, true
		break
	}
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		if signed {
			return 0, false, bad
		}
		s, negative, signed = rest, true, true
	} else if rest, ok := strings.CutPrefix(s, "+"); ok {
		s, signed = rest, true
	}
	whole, fraction, dotted := strings.Cut(strings.TrimSpace(s), ".")
	if dotted && (fraction == "" || len(fraction) > 2) || !grouped(whole) {
		return 0, false, bad
	}
	digits := strings.ReplaceAll(whole, ",", "")
	fraction = (fraction + "00")[:2]
	if len(digits) > 13 || strings.Trim(fraction, "0123456789") != "" {
		return 0, false, bad
	}
	paise, err = strconv.ParseInt(digits+fraction, 10, 64)
	if err != nil {
		return 0, false, bad
	}
	if negative {
		paise = -paise
	}
	return paise, signed, nil
}

// grouped reports whether s is digits, plain or grouped in the Indian (last
// three, then twos) or the Western way (threes).
func grouped(s string) bool {
	if s == "" {
		return false
	}
	groups := strings.Split(s, ",")
	for i, g := range groups {
		if strings.Trim(g, "0123456789") != "" || g == "" {
			return false
		}
		last := i == len(groups)-1
		switch {
		case len(groups) == 1:
		case last && len(g) != 3, i == 0 && len(g) > 3, !last && i > 0 && len(g) != 2 && len(g) != 3:
			return false
		}
	}
	// One file groups in one way.
	for i := 2; i < len(groups)-1; i++ {
		if len(groups[i]) != len(groups[1]) {
			return false
		}
	}
	return true
}

// date reads a day as Indian banks write it: the day comes before the month.
func date(s string) (time.Time, bool) {
	parts := strings.Fields(s)
	if len(parts) == 0 {
		return time.Time{}, false
	}
	s = parts[0] // a time may follow
	if len(parts) >= 3 && len(s) <= 2 {
		s = strings.Join(parts[:3], "-")
	}
	s = strings.NewReplacer("/", "-", ".", "-").Replace(s)
	for _, layout := range []string{"02-01-2006", "02-01-06", "2006-01-02", "02-Jan-2006", "02-Jan-06", "2-1-2006",
		"2-Jan-2006"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// digest is of what banks write alike in all their files. The balance is not
// part of it: some files lack it.
func digest(l Line) [sha256.Size]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%s\x00%s", l.Date.Format(time.DateOnly), l.Amount,
		strings.ToLower(l.Narration), strings.ToLower(l.Reference)))
}
