package supabase

import (
	"encoding"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	postgrest "github.com/supabase-community/postgrest-go"
)

// Query says which rows of a table are meant and what is wanted of them.
type Query struct {
	Table   string
	Columns string // as in PostgREST's select; "*" must be said
	Where   []Cond // all of them must hold
	Order   []Order
	Limit   int // 0 = the project's own limit
	Offset  int
}

// Cond is a condition on rows. Make one with Eq, In and the others.
type Cond struct {
	text    string
	version bool
	err     error
}

// Eq holds where the column equals the value.
func Eq(column string, value any) Cond { return compare(column, "eq", value) }

// Neq holds where the column differs from the value.
func Neq(column string, value any) Cond { return compare(column, "neq", value) }

// Lt holds where the column is less than the value.
func Lt(column string, value any) Cond { return compare(column, "lt", value) }

// Lte holds where the column is at most the value.
func Lte(column string, value any) Cond { return compare(column, "lte", value) }

// Gt holds where the column is more than the value.
func Gt(column string, value any) Cond { return compare(column, "gt", value) }

// Gte holds where the column is at least the value.
func Gte(column string, value any) Cond { return compare(column, "gte", value) }

// Version holds for the row as it was read: an Update or Delete that finds
// another version changes nothing and returns a fault.Conflict error with the
// code "changed".
func Version(n int) Cond {
	c := Eq("version", n)
	c.version = true
	return c
}

// IsNull holds where the column has no value.
func IsNull(column string) Cond {
	return Cond{text: column + ".is.null", err: checkColumn(column)}
}

// IsTrue holds where the column is true.
func IsTrue(column string) Cond {
	return Cond{text: column + ".is.true", err: checkColumn(column)}
}

// In holds where the column equals one of the values; with no values it holds
// nowhere.
func In[V any](column string, values []V) Cond {
	c := Cond{err: checkColumn(column)}
	quoted := make([]string, len(values))
	for i, v := range values {
		text, err := plain(v)
		if err != nil {
			c.err = err
		}
		quoted[i] = quote(text)
	}
	c.text = column + ".in.(" + strings.Join(quoted, ",") + ")"
	return c
}

// Contains holds where the column contains the text, letters in any case. Every
// sign of the text stands for itself.
func Contains(column, text string) Cond {
	c := Cond{err: checkColumn(column)}
	if strings.Contains(text, "*") {
		// PostgREST reads * as a wildcard of LIKE and offers no way to escape
		// it. In a regular expression it can be escaped.
		c.text = column + ".imatch." + quote(regexp.QuoteMeta(text))
		return c
	}
	escaped := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text)
	c.text = column + ".ilike." + quote("*"+escaped+"*")
	return c
}

// Or holds where at least one of the conditions does.
func Or(conds ...Cond) Cond {
	text, err := join(conds)
	if err == nil && text == "" {
		err = fmt.Errorf("supabase: an Or without conditions")
	}
	return Cond{text: "or(" + text + ")", err: err}
}

// Not holds where the condition does not. It does not hold for a null either.
func Not(c Cond) Cond {
	inner, twice := strings.CutPrefix(c.text, "not.or(")
	switch column, rest, _ := strings.Cut(c.text, "."); {
	case twice:
		c.text = "or(" + inner
	case strings.HasPrefix(c.text, "or("):
		c.text = "not." + c.text
	case strings.HasPrefix(rest, "not."):
		c.text = column + strings.TrimPrefix(rest, "not")
	default:
		c.text = column + ".not." + rest
	}
	return c
}

// Order is one key of an ordering. Nulls come last.
type Order struct {
	column string
	desc   bool
}

// Asc orders by the column, least first.
func Asc(column string) Order { return Order{column: column} }

// Desc orders by the column, greatest first.
func Desc(column string) Order { return Order{column: column, desc: true} }

func compare(column, operator string, value any) Cond {
	text, err := plain(value)
	if err == nil {
		err = checkColumn(column)
	}
	return Cond{text: column + "." + operator + "." + quote(text), err: err}
}

// quote makes one value of any text: whatever it holds, it can neither end the
// value nor be read as syntax.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// plain returns a value as the database reads it.
func plain(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return storable(v), nil
	case int:
		return strconv.Itoa(v), nil
	case bool:
		return strconv.FormatBool(v), nil
	case []string:
		quoted := make([]string, len(v))
		for i, s := range v {
			quoted[i] = quote(storable(s))
		}
		return "{" + strings.Join(quoted, ",") + "}", nil
	case encoding.TextMarshaler:
		text, err := v.MarshalText()
		return string(text), err
	case fmt.Stringer:
		return v.String(), nil
	}
	return "", fmt.Errorf("supabase: a value of type %T in a request", value)
}

// storable replaces what no text of the database can hold: what is looked for by
// such a text is not there, but the database would refuse the whole request.
func storable(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\x00", "\ufffd")
}

func checkColumn(name string) error {
	for i, r := range name {
		if !(r >= 'a' && r <= 'z' || r == '_' || i > 0 && r >= '0' && r <= '9') {
			return fmt.Errorf("supabase: %q is not the name of a table, column or function", name)
		}
	}
	if name == "" {
		return fmt.Errorf("supabase: a name is missing")
	}
	return nil
}

// join writes the conditions as the inside of and=(…) or or(…).
func join(conds []Cond) (string, error) {
	parts := make([]string, len(conds))
	for i, c := range conds {
		if c.err != nil {
			return "", c.err
		}
		if c.text == "" {
			return "", fmt.Errorf("supabase: an empty condition")
		}
		parts[i] = c.text
	}
	return strings.Join(parts, ","), nil
}

// check reports a query that must not be sent.
func (q Query) check() error {
	if q.Columns == "" {
		return fmt.Errorf("supabase: a query of %s names no columns", q.Table)
	}
	for _, o := range q.Order {
		if err := checkColumn(o.column); err != nil {
			return err
		}
	}
	return checkColumn(q.Table)
}

// checkWrite reports a change that names no rows.
func (q Query) checkWrite() error {
	if len(q.Where) == 0 {
		return fmt.Errorf("supabase: a change of %s without a condition would hit every row", q.Table)
	}
	return q.check()
}

func (q Query) versioned() bool {
	for _, c := range q.Where {
		if c.version {
			return true
		}
	}
	return false
}

// narrow adds conditions, order and limits. All conditions travel in one and=(…),
// because the builder keeps one condition per column only.
func (q Query) narrow(f *postgrest.FilterBuilder) (*postgrest.FilterBuilder, error) {
	if len(q.Where) > 0 {
		text, err := join(q.Where)
		if err != nil {
			return nil, err
		}
		f = f.And(text, "")
	}
	for _, o := range q.Order {
		f = f.Order(o.column, &postgrest.OrderOpts{Ascending: !o.desc})
	}
	switch {
	case q.Offset > 0 && q.Limit > 0:
		f = f.Range(q.Offset, q.Offset+q.Limit-1, "")
	case q.Limit > 0:
		f = f.Limit(q.Limit, "")
	}
	return f, nil
}
