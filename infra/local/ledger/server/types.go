package server

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// Date is a day, YYYY-MM-DD, or empty.
type Date string

// Month is a month, YYYY-MM.
type Month string

// Money is an amount in rupees with up to two decimals, as a JSON number or a
// string. It keeps the digits that it was given; empty is none.
type Money string

// Quantity is a positive or negative number with up to three decimals, as a
// JSON number or a string.
type Quantity string

// Rate is a percentage from 0 to 100.
type Rate string

// UnmarshalJSON takes a number or a string.
func (m *Money) UnmarshalJSON(b []byte) error { return unmarshalNumber(b, (*string)(m)) }

// UnmarshalJSON takes a number or a string.
func (q *Quantity) UnmarshalJSON(b []byte) error { return unmarshalNumber(b, (*string)(q)) }

// UnmarshalJSON takes a number or a string.
func (r *Rate) UnmarshalJSON(b []byte) error { return unmarshalNumber(b, (*string)(r)) }

func unmarshalNumber(b []byte, into *string) error {
	if bytes.Equal(b, []byte("null")) {
		return nil
	}
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, into)
	}
	*into = string(b)
	return nil
}

// orNil is what a value that was left out is in SQL.
func orNil[S ~string](s S) any {
	if strings.TrimSpace(string(s)) == "" {
		return nil
	}
	return strings.TrimSpace(string(s))
}

// or is d, or def when it was left out.
func (d Date) or(def time.Time) string {
	if d == "" {
		return def.Format(time.DateOnly)
	}
	return string(d)
}

// typeSchemas says what the types above are in an input schema. That a date
// exists and an amount has two decimals is checked by [call.date] and the
// database.
func typeSchemas() map[reflect.Type]*jsonschema.Schema {
	number := func(pattern string) *jsonschema.Schema {
		return &jsonschema.Schema{Types: []string{"number", "string"}, Pattern: pattern}
	}
	return map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[Date]():     {Type: "string", Format: "date", Pattern: `^(\d{4}-\d{2}-\d{2})?$`},
		reflect.TypeFor[Month]():    {Type: "string", Pattern: `^\d{4}-(0[1-9]|1[0-2])$`},
		reflect.TypeFor[Money]():    number(`^-?\d{1,13}(\.\d{1,2})?$`),
		reflect.TypeFor[Quantity](): number(`^-?\d{1,10}(\.\d{1,3})?$`),
		reflect.TypeFor[Rate]():     number(`^\d{1,3}(\.\d{1,3})?$`),
	}
}

// days is the first and the last day of the month.
func (m Month) days() (first, last string, err error) {
	t, err := time.Parse("2006-01", string(m))
	if err != nil {
		return "", "", refuse("The month is to be written as 2026-04, not %q.", string(m))
	}
	return t.Format(time.DateOnly), t.AddDate(0, 1, -1).Format(time.DateOnly), nil
}

// checkDate refuses a date that the calendar lacks.
func checkDate(name string, d Date) error {
	if d == "" {
		return nil
	}
	if _, err := time.Parse(time.DateOnly, string(d)); err != nil {
		return refuse("%s is to be a date such as 2026-04-01, not %q.", name, string(d))
	}
	return nil
}

// Period is the days of a report.
type Period struct {
	From Date `json:"from,omitempty" jsonschema:"first day, YYYY-MM-DD; default the start of the financial year (1 April)"`
	To   Date `json:"to,omitempty" jsonschema:"last day, YYYY-MM-DD; default today"`
}

// Span narrows a list to days; both ends may be open.
type Span struct {
	From Date `json:"from,omitempty" jsonschema:"only from this day on, YYYY-MM-DD"`
	To   Date `json:"to,omitempty" jsonschema:"only up to this day, YYYY-MM-DD"`
}

func (s Span) check() error {
	if err := checkDate("from", s.From); err != nil {
		return err
	}
	return checkDate("to", s.To)
}

// Reference makes a write repeatable.
type Reference struct {
	Key string `json:"reference,omitempty" jsonschema:"your own key of this write, at most 200 characters; the same write with it again records nothing and gets the first answer"`
}

func (r Reference) reference() string { return strings.TrimSpace(r.Key) }

// referenced is an input with a Reference.
type referenced interface{ reference() string }
