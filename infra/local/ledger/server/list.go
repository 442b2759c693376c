package server

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
)

// Page is what all lists take.
type Page struct {
	Limit  int    `json:"limit,omitempty" jsonschema:"how many records to return, 1 to 100; default 25"`
	Cursor string `json:"cursor,omitempty" jsonschema:"cursor of the previous answer, for the records after it"`
}

// listing is a query for a page of records: its columns are key, a text that
// is unique and sorts the records, and row, a jsonb object.
type listing struct {
	noun      string // the field that holds the records, in the plural
	query     string
	args      []any
	ascending bool   // else the greatest key comes first
	total     string // optional: an aggregate over row, such as sum((row->>'total')::numeric)
}

const defaultLimit, maxLimit = 25, 100

// list answers with a page: the records, their number in all, whether there
// are more, and the cursor of those.
func (c *call) list(ctx context.Context, p Page, l listing) (result, error) {
	limit := p.Limit
	if limit == 0 {
		limit = defaultLimit
	}
	if limit < 1 || limit > maxLimit {
		return result{}, refuse("limit is to be between 1 and %d.", maxLimit)
	}
	after, err := base64.RawURLEncoding.DecodeString(p.Cursor)
	if err != nil || !strings.HasPrefix(string(after), l.noun+" ") && p.Cursor != "" {
		return result{}, refuse("The cursor is not one of this list. Leave it out to begin anew.")
	}
	key := strings.TrimPrefix(string(after), l.noun+" ")
	compare, order := "<", "desc"
	if l.ascending {
		compare, order = ">", "asc"
	}
	total := l.total
	if total == "" {
		total = "max(null::numeric)"
	}
	n := len(l.args)
	query := fmt.Sprintf(`
		with records as materialized (%s)
		select (select count(*) from records), (select %s from records),
			coalesce((select jsonb_agg(jsonb_build_object('key', key, 'row', row) order by key collate "C" %s) from (
				select key, row from records where $%d = '' or key collate "C" %s $%d
				order by key collate "C" %s limit $%d) page), '[]')`,
		l.query, total, order, n+1, compare, n+1, order, n+2)
	var count int
	var sum *json.Number
	var page []struct {
		Key string
		Row json.RawMessage
	}
	var text []byte
	err = c.tx.QueryRow(ctx, query, append(append([]any{}, l.args...), key, limit+1)...).Scan(&count, scanNumber{&sum},
		&text)
	if err != nil {
		return result{}, err
	}
	if err := json.Unmarshal(text, &page); err != nil {
		return result{}, fmt.Errorf("read a page of %s: %w", l.noun, err)
	}
	more := len(page) > limit
	if more {
		page = page[:limit]
	}
	rows := make([]json.RawMessage, len(page))
	for i, r := range page {
		rows[i] = r.Row
	}
	data := map[string]any{l.noun: rows, "count": len(rows), "total": count, "more": more}
	said := fmt.Sprintf("%d of %d %s.", len(rows), count, strings.ReplaceAll(l.noun, "_", " "))
	if more {
		data["cursor"] = base64.RawURLEncoding.EncodeToString([]byte(l.noun + " " + page[len(page)-1].Key))
		said += " There are more: ask again with the cursor."
	}
	if sum != nil {
		data["total_amount"] = *sum
		said += fmt.Sprintf(" Total ₹%s.", *sum)
	}
	return result{said, data}, nil
}

// scanNumber reads a numeric with its digits.
type scanNumber struct{ into **json.Number }

// Scan implements sql.Scanner.
func (s scanNumber) Scan(v any) error {
	switch v := v.(type) {
	case nil:
		*s.into = nil
	case string:
		n := json.Number(v)
		*s.into = &n
	default:
		return fmt.Errorf("a numeric came as %T", v)
	}
	return nil
}
