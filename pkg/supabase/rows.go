package supabase

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	postgrest "github.com/supabase-community/postgrest-go"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/rawjson"
)

// Select returns the rows that q means. In a preview it is refused: those read
// through functions (see Read), since a yes has to find the same answers again.
func Select[T any](ctx context.Context, c Conn, q Query) ([]T, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	d := c.transport(ctx, mediaJSON)
	f, err := q.narrow(d.table(q.Table).Select(q.Columns, "", false))
	if err != nil {
		return nil, err
	}
	var rows []T
	err = d.execute(f, q.Table, &rows)
	return rows, err
}

// One returns the only row that q means. None, or more than one, is a
// fault.NotFound error.
func One[T any](ctx context.Context, c Conn, q Query) (T, error) {
	var row T
	if err := q.check(); err != nil {
		return row, err
	}
	d := c.transport(ctx, mediaObject)
	f, err := q.narrow(d.table(q.Table).Select(q.Columns, "", false))
	if err != nil {
		return row, err
	}
	err = d.execute(f, q.Table, &row)
	return row, err
}

// Insert adds one row and returns the columns of it as they now are. Under a
// claim it happens once: a second call returns what the first one wrote.
func Insert[T any](ctx context.Context, c Conn, table, columns string, row any) (T, error) {
	return change[T](ctx, c, Query{Table: table, Columns: columns}, "insert", row)
}

// Update changes the only row that q means and returns the columns of it. None,
// or more than one, is a fault.NotFound error and changes nothing; see also
// Version. Under a claim it happens once, as with Insert.
func Update[T any](ctx context.Context, c Conn, q Query, changes any) (T, error) {
	return change[T](ctx, c, q, "update", changes)
}

// Delete removes the only row that q means and returns the columns of it as
// they were. None, or more than one, is a fault.NotFound error and removes
// nothing. Under a claim it happens once; the row of a repeated call is the
// zero T, since it is gone.
func Delete[T any](ctx context.Context, c Conn, q Query) (T, error) {
	return change[T](ctx, c, q, "delete", nil)
}

func change[T any](ctx context.Context, c Conn, q Query, action string, value any) (T, error) {
	var row T
	check := q.checkWrite
	if action == "insert" {
		check = q.check
	}
	if err := check(); err != nil {
		return row, err
	}
	// Encoded here, because the builder panics on what it cannot encode.
	body, err := json.Marshal(value)
	if err != nil {
		return row, fmt.Errorf("encode a row of %s: %w", q.Table, err)
	}
	d := c.transport(ctx, mediaObject)
	table := d.table(q.Table)
	// Select leaves its columns in the parameters that the next call shares; the
	// builder has no other way to choose the columns of a write's answer.
	table.Select(q.Columns, "", false)
	var f *postgrest.FilterBuilder
	switch action {
	case "insert":
		f = table.Insert(json.RawMessage(body), false, "", "representation", "")
	case "update":
		f = table.Update(json.RawMessage(body), "representation", "")
	default:
		f = table.Delete("representation", "")
	}
	if f, err = q.narrow(f); err != nil {
		return row, err
	}
	err = d.execute(f, q.Table, &row)
	return settle(ctx, d, row, err, func(did outcome) (T, error) {
		var again T
		for _, r := range did.Rows {
			if r.Table != q.Table || r.Action != action {
				continue
			}
			if action == "delete" {
				return again, nil
			}
			if err := json.Unmarshal(r.After, &again); err != nil {
				return again, fmt.Errorf("read what was written to %s: %w", q.Table, err)
			}
			return again, nil
		}
		return again, fault.New(fault.Conflict,
			"Something else was done under this key before, so nothing was done.").WithCode("effect_claimed")
	}, q.versioned())
}

func (c Conn) transport(ctx context.Context, accept string) *transport {
	return &transport{client: c.client, ctx: ctx, user: c.user, org: c.org, token: c.token, accept: accept,
		control: c.control, books: c.books, ours: c.ours}
}

// table returns a builder of a postgrest-go client that lives for this request
// only: such a client remembers its first error for ever.
func (t *transport) table(name string) *postgrest.QueryBuilder {
	client := postgrest.NewClient(t.client.base.String()+"/rest/v1", "public", nil)
	client.Transport.Parent = t
	return client.From(name)
}

// execute sends the request and decodes the answer into v.
func (t *transport) execute(f *postgrest.FilterBuilder, table string, v any) error {
	body, _, err := f.Execute()
	if err != nil {
		return asFault(t.ctx, err)
	}
	return t.decode(body, table, v)
}

// decode reads an answer. A write whose answer makes no sense was most likely
// done: it is looked up like one whose answer was lost.
func (t *transport) decode(body []byte, what string, v any) error {
	if len(body) == 0 {
		return nil // a function without a result
	}
	var err error
	if r, ok := v.(Reader); ok {
		var answer rawjson.Value
		if answer, err = rawjson.Parse(body); err == nil {
			err = r.Read(answer)
		}
	} else {
		err = json.Unmarshal(body, v)
	}
	if err != nil {
		t.ambiguous = t.ambiguous || t.wrote
		return fault.Wrap(fault.Upstream, fmt.Errorf("decode the answer for %s: %w", what, err),
			"The database gave an answer that makes no sense.")
	}
	return nil
}

// settle decides what a write's error means once its effect is taken into
// account: a write that was done before, or whose answer was lost, is looked up
// by its claim.
func settle[T any](ctx context.Context, d *transport, row T, err error, again func(outcome) (T, error),
	versioned bool) (T, error) {
	if err == nil {
		return row, nil
	}
	f := fault.From(err)
	claim, claimed := effect.From(ctx)
	claimed = claimed && !d.control
	switch {
	case claimed && f.Code == "effect_claimed":
		did, found, lookErr := d.client.lookUp(ctx, d.token, claim.Key)
		if lookErr != nil {
			return row, lookErr
		}
		if !found || did.Tool != claim.Tool {
			return row, f
		}
		if did.ArgsHash != claim.ArgsHash {
			return row, fault.New(fault.Conflict,
				"Something else was done under this name before, so nothing was done.").WithCode("effect_mismatch")
		}
		return again(did)
	case d.ambiguous && claimed:
		did, found, lookErr := d.client.lookUp(ctx, d.token, claim.Key)
		d.client.cfg.Log(ctx, "supabase_outcome", map[string]any{"effect": claim.Key, "found": found,
			"known": lookErr == nil})
		if lookErr == nil && found {
			return again(did)
		}
		// Not found does not mean never: the lost request may still be on its
		// way, or waiting for a lock.
		return row, unknown(errors.Join(err, lookErr))
	case d.ambiguous:
		return row, unknown(err)
	case f.Kind == fault.NotFound && versioned:
		return row, fault.Wrap(fault.Conflict, err,
			"It was changed or removed by somebody in the meantime, so nothing was done.").WithCode("changed")
	}
	return row, err
}

func unknown(cause error) error {
	return fault.Wrap(fault.Unavailable, cause,
		"The connection was lost and it is not known whether this was done. Please look before you "+
			"try again.").WithCode("outcome_unknown")
}
