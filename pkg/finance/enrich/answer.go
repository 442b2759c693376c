package enrich

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// record is an object of an answer. What it holds is untrusted.
type record map[string]any

// table is an array of objects in an answer.
type table struct {
	tool   string
	member string // JSON Pointer of the array
	args   record // of the call
	root   record // the answer
	parent record // the object that holds the array
	rows   []record
	odd    int // elements that are no objects
}

// document is an object of an answer that is not an element of an array.
type document struct {
	tool   string
	member string
	args   record
	fields record
}

// maxDepth is how deep an answer is looked into.
const maxDepth = 6

// read takes an answer apart. Members are visited in the order of their names, so
// the same answer gives the same findings.
func read(r Result) (docs []document, tables []table) {
	var answer any
	d := json.NewDecoder(bytes.NewReader(r.Answer))
	d.UseNumber()
	if d.Decode(&answer) != nil {
		return nil, nil
	}
	root, _ := answer.(map[string]any)
	member := ""
	// The client of MCP servers wraps an answer that it had to cut.
	if _, noted := root["note"].(string); noted && len(root) == 2 && root["data"] != nil {
		root, _ = root["data"].(map[string]any)
		member = "/data"
		if root != nil {
			root["more"] = true
		}
	}
	args := record{}
	d = json.NewDecoder(bytes.NewReader(r.Arguments))
	d.UseNumber()
	var given map[string]any
	if d.Decode(&given) == nil && given != nil {
		args = given
	}
	if list, ok := answer.([]any); ok {
		root = map[string]any{"rows": list}
	}
	if root == nil {
		return nil, nil
	}
	var visit func(at string, fields record, depth int)
	visit = func(at string, fields record, depth int) {
		docs = append(docs, document{tool: r.Tool, member: at, args: args, fields: fields})
		if depth == 0 {
			return
		}
		for _, key := range slices.Sorted(maps.Keys(fields)) {
			path := at + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
			switch v := fields[key].(type) {
			case map[string]any:
				visit(path, v, depth-1)
			case []any:
				t := table{tool: r.Tool, member: path, args: args, root: root, parent: fields}
				for _, e := range v {
					if row, ok := e.(map[string]any); ok {
						t.rows = append(t.rows, row)
					} else {
						t.odd++
					}
				}
				if len(t.rows) > 0 {
					tables = append(tables, t)
				}
			}
		}
	}
	visit(member, root, maxDepth)
	return docs, tables
}

// noun is the last step of the table's pointer, such as "invoices".
func (t table) noun() string { return t.member[strings.LastIndexByte(t.member, '/')+1:] }

// partial reports whether the array is a page of a longer list.
func (t table) partial() bool {
	more, _ := t.root["more"].(bool)
	return more || t.odd > 0
}

// currency is that of the table's amounts: the one that its rows or its parent
// name, otherwise rupees. It returns false where rows name different ones.
func (t table) currency() (string, bool) {
	code := t.parent.text("currency")
	for i, row := range t.rows {
		switch c := row.text("currency"); {
		case i == 0 && c != "":
			code = c
		case c != "" && c != code, c == "" && i > 0 && t.rows[0].text("currency") != "":
			return "", false
		}
	}
	if code == "" {
		code = "INR"
	}
	return code, iso.MatchString(code)
}

var iso = regexp.MustCompile(`^[A-Z]{3}$`)

// column returns the member of each row as an amount, nil where it is missing or null,
// and false where a value is there that is no exact number.
func (t table) column(key string) (values []*money.Amount, exact bool) {
	values = make([]*money.Amount, len(t.rows))
	exact = true
	for i, row := range t.rows {
		if row[key] == nil {
			continue
		}
		a, ok := figure(row[key])
		if !ok {
			exact = false
			continue
		}
		values[i] = &a
	}
	return values, exact
}

// text returns a member that is a text or a number, as it stands there.
func (r record) text(key string) string {
	switch v := r[key].(type) {
	case string:
		return strings.TrimSpace(v)
	case json.Number:
		return v.String()
	}
	return ""
}

// first returns the first of the members that has a text.
func (r record) first(keys ...string) string {
	for _, key := range keys {
		if s := r.text(key); s != "" {
			return s
		}
	}
	return ""
}

// amount returns a member as an amount.
func (r record) amount(key string) (money.Amount, bool) { return figure(r[key]) }

// whole returns a member as a whole number that is not negative.
func (r record) whole(key string) (int, bool) {
	n, err := strconv.Atoi(r.text(key))
	return n, err == nil && n >= 0
}

// date returns a member as a day; a moment counts as its day.
func (r record) date(key string) (calendar.Date, bool) {
	s := r.text(key)
	if len(s) > 10 && s[10] == 'T' {
		s = s[:10]
	}
	d, err := calendar.Parse(s)
	return d, err == nil && s != ""
}

// grouping is how people write an amount in a text.
var grouping = regexp.MustCompile(`^\(?-?(?:₹|Rs\.?|INR)? ?-?([0-9][0-9,]*)(\.[0-9]+)?\)?$`)

// figure reads a number, or a text that is one. Numbers with an exponent and those
// that 19 digits do not hold are not read, since they would not be exact.
func figure(v any) (money.Amount, bool) {
	switch v := v.(type) {
	case json.Number:
		a, err := money.Parse(v.String())
		return a, err == nil
	case string:
		s := strings.TrimSpace(v)
		m := grouping.FindStringSubmatch(s)
		if m == nil || strings.HasPrefix(s, "(") != strings.HasSuffix(s, ")") {
			return money.Zero, false
		}
		digits := strings.ReplaceAll(m[1], ",", "") + m[2]
		if strings.HasPrefix(s, "(") || strings.Contains(s, "-") {
			digits = "-" + digits
		}
		a, err := money.Parse(digits)
		return a, err == nil
	}
	return money.Zero, false
}

// sum adds the amounts up; false when one is missing or the sum is too long.
func sum(values []*money.Amount) (money.Amount, bool) {
	total := money.Zero
	for _, v := range values {
		if v == nil {
			return money.Zero, false
		}
		var err error
		if total, err = total.Add(*v); err != nil {
			return money.Zero, false
		}
	}
	return total, true
}

// percent returns 100 × part ÷ whole with one decimal; false when whole is not positive.
func percent(part, whole money.Amount) (money.Amount, bool) {
	if whole.IsZero() || whole.Negative() {
		return money.Zero, false
	}
	hundredfold, err := part.Mul(money.FromInt(100))
	if err != nil {
		return money.Zero, false
	}
	return hundredfold.Quo(whole, 1)
}

// growth returns by how many per cent is differs from was; false when was is not
// positive, since the ratio then has no meaning.
func growth(is, was money.Amount) (money.Amount, bool) {
	change, err := is.Sub(was)
	if err != nil {
		return money.Zero, false
	}
	return percent(change, was)
}
