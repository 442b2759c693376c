// Package csv writes records that spreadsheets and programs read alike, and in
// which no text is taken for a formula.
package csv

import (
	"bufio"
	"io"
	"strings"
	"unicode"
)

// mark tells spreadsheets that a file is UTF-8; without it they garble ₹.
const mark = "\ufeff"

// Writer writes records of one width. What fails is told by Flush.
type Writer struct {
	out   *bufio.Writer
	width int
}

// New begins a file whose records have at least so many fields.
func New(w io.Writer, width int) Writer {
	c := Writer{bufio.NewWriter(w), width}
	_, _ = c.out.WriteString(mark)
	return c
}

// Text writes a record of texts.
func (c Writer) Text(fields ...string) {
	values := make([]string, len(fields))
	for i, f := range fields {
		values[i] = Field(f)
	}
	c.Record(values)
}

// Record writes fields as they are: each a Field, a figure or a day.
func (c Writer) Record(fields []string) {
	for len(fields) < c.width {
		fields = append(fields, "")
	}
	_, _ = c.out.WriteString(strings.Join(fields, ",") + "\r\n") // Flush tells
}

// Flush writes what is left and returns the first error of all that was written.
func (c Writer) Flush() error { return c.out.Flush() }

// Field returns a text as a field: quoted where some reader could see the end
// of a field (some cut at semicolons and tabs), and never a formula.
func Field(s string) string {
	s = strings.ReplaceAll(Guarded(s), "\x00", "")
	if !strings.ContainsAny(s, ",;\t\"\r\n") {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

// Guarded returns a text that no spreadsheet reads as a formula: one that could
// begin one gets an apostrophe. What stands before it without ink is looked
// through, since some readers drop it.
func Guarded(s string) string {
	for _, r := range s {
		switch {
		case r == '\t' || r == '\r' || r == '\n' || r == 0:
			return "'" + s
		case strings.ContainsRune("=+-@\uff1d\uff0b\uff0d\uff20\u2212\ufe62\ufe63\ufe66\ufe6b", r):
			return "'" + s
		case !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r):
			return s
		}
	}
	return s
}
