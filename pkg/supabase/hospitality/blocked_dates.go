package hospitality

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/blockeddates"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// BlockedDates is a blockeddates.Store.
type BlockedDates struct{ client *supabase.Client }

var _ blockeddates.Store = BlockedDates{}

// NewBlockedDates returns the store in the project of client.
func NewBlockedDates(client *supabase.Client) BlockedDates { return BlockedDates{client} }

// Units returns the property's units; see blockeddates.Store.
func (s BlockedDates) Units(ctx context.Context, by identity.Caller) ([]blockeddates.Unit, error) {
	types, err := records[struct {
		Code, Name string
		Active     bool
		Rooms      []unit
	}](ctx, s.client, by, "room_type_list", supabase.Args{"p_inactive": true})
	if err != nil {
		return nil, err
	}
	var units []blockeddates.Unit
	for _, t := range types {
		first := len(units)
		for _, u := range t.Rooms {
			units = append(units, blockeddates.Unit{Code: u.Code, TypeCode: t.Code, TypeName: t.Name,
				Active: t.Active && u.Active})
		}
		slices.SortFunc(units[first:], func(a, b blockeddates.Unit) int { return strings.Compare(a.Code, b.Code) })
	}
	return units, nil
}

// List returns blocks; see blockeddates.Store.
func (s BlockedDates) List(ctx context.Context, by identity.Caller, f blockeddates.Filter) ([]blockeddates.Block,
	error) {
	if _, err := inProperty(by); err != nil {
		return nil, err
	}
	args := supabase.Args{"p_entity": by.Entity.ID}
	if !f.Nights.From.IsZero() {
		args["p_from"] = f.Nights.From
	}
	if !f.Nights.To.IsZero() {
		args["p_to"] = f.Nights.To
	}
	if len(f.Units) > 0 {
		args["p_units"] = f.Units
	}
	if f.Reason != "" {
		args["p_reason"] = string(f.Reason)
	}
	rows, err := supabase.Read[[]struct {
		blockeddates.Block
		From calendar.Date `json:"starts_on"`
		To   calendar.Date `json:"ends_on"`
	}](ctx, s.client.As(by), "block_list", args)
	if err != nil {
		return nil, err
	}
	blocks := make([]blockeddates.Block, len(rows))
	for i, r := range rows {
		blocks[i] = r.Block
		blocks[i].Nights = calendar.Range{From: r.From, To: r.To}
	}
	return blocks, nil
}

// unitNights is one unit for a stretch of nights, of one block where Code is
// known.
type unitNights struct {
	Code    string              `json:"code"`
	Unit    string              `json:"unit"`
	Reason  blockeddates.Reason `json:"reason"`
	Version int                 `json:"version"`
	From    calendar.Date       `json:"starts_on"`
	To      calendar.Date       `json:"ends_on"`
}

func spanArgs(by identity.Caller, span blockeddates.Span) supabase.Args {
	return supabase.Args{"p_entity": by.Entity.ID, "p_units": span.Units, "p_from": span.Nights.From,
		"p_to": span.Nights.To}
}

// Plan returns what is blocked already; see blockeddates.Store.
func (s BlockedDates) Plan(ctx context.Context, by identity.Caller, span blockeddates.Span) ([]blockeddates.Block,
	error) {
	if _, err := inProperty(by); err != nil {
		return nil, err
	}
	rows, err := supabase.Read[[]unitNights](ctx, s.client.As(by), "block_plan", spanArgs(by, span))
	if err != nil {
		return nil, err
	}
	return together(rows), nil
}

// Moves returns the stays that would give way; see blockeddates.Store.
func (s BlockedDates) Moves(ctx context.Context, by identity.Caller, span blockeddates.Span) ([]blockeddates.Move,
	error) {
	if _, err := inProperty(by); err != nil {
		return nil, err
	}
	return supabase.Read[[]blockeddates.Move](ctx, s.client.As(by), "block_moves", spanArgs(by, span))
}

// Block blocks nights; see blockeddates.Store.
func (s BlockedDates) Block(ctx context.Context, by identity.Caller, span blockeddates.Span,
	reason blockeddates.Reason, note string) ([]blockeddates.Block, error) {
	if _, err := inProperty(by); err != nil {
		return nil, err
	}
	args := spanArgs(by, span)
	args["p_reason"], args["p_note"] = string(reason), note
	rows, err := supabase.Call(ctx, s.client.As(by), "block_dates", args, func(did effect.Outcome) ([]unitNights,
		error) {
		return s.written(ctx, by, did, func(r effect.Row) map[string]any { return r.After })
	})
	if err != nil {
		return nil, err
	}
	blocks := together(rows)
	for i := range blocks {
		blocks[i].Reason, blocks[i].Note = reason, note
	}
	return blocks, nil
}

// Unblock frees nights; see blockeddates.Store.
func (s BlockedDates) Unblock(ctx context.Context, by identity.Caller, span blockeddates.Span) ([]blockeddates.Span,
	error) {
	if _, err := inProperty(by); err != nil {
		return nil, err
	}
	rows, err := supabase.Call(ctx, s.client.As(by), "unblock_dates", spanArgs(by, span),
		func(did effect.Outcome) ([]unitNights, error) {
			// What was blocked before of the span is free now.
			rows, err := s.written(ctx, by, did, func(r effect.Row) map[string]any { return r.Before })
			for i, r := range rows {
				hit := calendar.Range{From: r.From, To: r.To}.Clip(span.Nights)
				rows[i].From, rows[i].To = hit.From, hit.To
			}
			return rows, err
		})
	if err != nil {
		return nil, err
	}
	for i := range rows {
		rows[i].Code = "" // freed nights belong together whatever blocked them
	}
	var spans []blockeddates.Span
	for _, b := range together(rows) {
		spans = append(spans, b.Span)
	}
	return spans, nil
}

// written reads one side of the rows of stays that an earlier call wrote, with
// the codes of units and blocks in place of ids.
func (s BlockedDates) written(ctx context.Context, by identity.Caller, did effect.Outcome,
	side func(effect.Row) map[string]any) ([]unitNights, error) {
	blocks := map[string]string{}
	var rows []unitNights
	var rooms []string
	for _, r := range did.Rows {
		row := side(r)
		id, _ := row["id"].(string)
		switch r.Table {
		case "blocked_dates":
			blocks[id] = r.Key
		case "stays":
			if row == nil || row["block_id"] == nil {
				continue // of a stay that made room
			}
			n, err := readStay(row)
			if err != nil {
				return nil, err
			}
			rows, rooms = append(rows, n), append(rooms, n.Unit)
		}
	}
	if len(rows) == 0 {
		return nil, nil
	}
	units, err := supabase.Select[struct {
		ID   string `json:"id"`
		Code string `json:"code"`
	}](ctx, s.client.As(by), supabase.Query{Table: "rooms", Columns: "id,code",
		Where: []supabase.Cond{supabase.In("id", rooms)}})
	if err != nil {
		return nil, err
	}
	codes := map[string]string{}
	for _, u := range units {
		codes[u.ID] = u.Code
	}
	for i := range rows {
		rows[i].Unit, rows[i].Code = codes[rows[i].Unit], blocks[rows[i].Code]
	}
	return rows, nil
}

// readStay reads a row of stays as the audit keeps it, with the ids of its unit
// and block where their codes belong.
func readStay(row map[string]any) (unitNights, error) {
	var n unitNights
	n.Unit, _ = row["room_id"].(string)
	n.Code, _ = row["block_id"].(string)
	text, _ := row["period"].(string)
	from, to, _ := strings.Cut(strings.Trim(text, "[)"), ",")
	if err := n.From.UnmarshalText([]byte(from)); err != nil {
		return n, fmt.Errorf("read the period %q of a stay: %w", text, err)
	}
	if err := n.To.UnmarshalText([]byte(to)); err != nil {
		return n, fmt.Errorf("read the period %q of a stay: %w", text, err)
	}
	return n, nil
}

// together joins the units that share a block and a stretch, ordered by nights,
// block and unit.
func together(rows []unitNights) []blockeddates.Block {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b unitNights) int {
		return cmp.Or(strings.Compare(a.From.String(), b.From.String()), strings.Compare(a.To.String(), b.To.String()),
			strings.Compare(a.Code, b.Code), strings.Compare(a.Unit, b.Unit))
	})
	var blocks []blockeddates.Block
	for _, r := range rows {
		nights := calendar.Range{From: r.From, To: r.To}
		if n := len(blocks); n > 0 && blocks[n-1].Code == r.Code && blocks[n-1].Nights == nights {
			blocks[n-1].Units = append(blocks[n-1].Units, r.Unit)
			continue
		}
		blocks = append(blocks, blockeddates.Block{
			Code: r.Code, Reason: r.Reason, Version: r.Version,
			Span: blockeddates.Span{Units: []string{r.Unit}, Nights: nights},
		})
	}
	return blocks
}
