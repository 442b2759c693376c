package blockeddates

import (
	"context"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/plaintext"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// toBlock finds the units that are to be blocked.
func toBlock(ctx context.Context, store Store, by identity.Caller, in blockInput) (all, chosen []Unit, span Span,
	err error) {
	all, err = store.Units(ctx, by)
	if err != nil {
		return nil, nil, Span{}, err
	}
	all = let(all)
	if chosen, err = choose(in.Rooms, all); err != nil {
		return nil, nil, Span{}, err
	}
	return all, chosen, Span{Units: codes(chosen), Nights: nights(in.Start, in.End)}, nil
}

func previewBlock(ctx context.Context, store Store, by identity.Caller, now calendar.Clock,
	in blockInput) (tool.Preview, error) {
	day, err := today(by, now)
	if err != nil {
		return tool.Preview{}, err
	}
	all, chosen, span, err := toBlock(ctx, store, by, in)
	if err != nil {
		return tool.Preview{}, err
	}
	already, err := store.Plan(ctx, by, span)
	if err != nil {
		return tool.Preview{}, err
	}
	moves, err := store.Moves(ctx, by, span)
	if err != nil {
		return tool.Preview{}, err
	}
	left := span.nights()
	p := tool.Preview{Title: fmt.Sprintf("Block %s from %s to %s", short(chosen), in.Start.Show(), in.End.Show())}
	for _, b := range already {
		left -= b.nights()
		p.Warnings = append(p.Warnings, fmt.Sprintf("%s is blocked already %s (%s, %s); that stays as it is.",
			strings.Join(b.Units, ", "), stretch(b.Nights), b.Reason.Words(), b.Code))
		p.Targets = addTarget(p.Targets, b)
	}
	if in.Start.Before(day) {
		p.Warnings = append(p.Warnings, "The first night lies in the past.")
	}
	if len(chosen) == len(all) {
		p.Warnings = append(p.Warnings, "These are all rooms: nobody can book any of these nights.")
	}
	p.Lines = []tool.Line{
		{Label: "Property", After: by.Entity.Name},
		{Label: "Rooms", After: show(chosen)},
		{Label: "First night", After: in.Start.Show()},
		{Label: "Last night", After: in.End.Show()},
		{Label: "Can be booked again from", After: span.Nights.To.Show()},
		{Label: "Nights to block", After: roomNights(left, span)},
		{Label: "Reason", After: in.Reason.Words()},
	}
	for _, m := range moves {
		guest, _ := plaintext.Show(m.Guest)
		p.Lines = append(p.Lines, tool.Line{
			Label:  fmt.Sprintf("%s of %s, %s to %s", m.Code, guest, m.CheckIn.Show(), m.CheckOut.Show()),
			Before: m.From, After: m.To,
		})
	}
	switch len(moves) {
	case 0:
	case 1:
		p.Warnings = append(p.Warnings, "1 stay moves to another unit of its room type.")
	default:
		p.Warnings = append(p.Warnings, fmt.Sprintf("%d stays move to other units of their room types.", len(moves)))
	}
	if in.Note != "" {
		p.Lines = append(p.Lines, tool.Line{Label: "Note", After: in.Note})
	}
	return p, nil
}

func block(ctx context.Context, store Store, by identity.Caller, in blockInput) (blocked, error) {
	_, chosen, span, err := toBlock(ctx, store, by, in)
	if err != nil {
		return blocked{}, err
	}
	made, err := store.Block(ctx, by, span, in.Reason, in.Note)
	if err != nil {
		return blocked{}, err
	}
	b := blocked{Blocks: []line{}, Before: span.nights(), rooms: show(chosen), span: span, reason: in.Reason}
	for _, each := range made {
		b.Blocks = append(b.Blocks, newLine(each))
		b.RoomNights += each.nights()
	}
	b.Before -= b.RoomNights
	if b.RoomNights == 0 {
		return blocked{}, fault.New(fault.Internal, "The database blocked nothing and did not say why.")
	}
	return b, nil
}

// blocked is what was done.
type blocked struct {
	Blocks     []line `json:"blocks"`
	RoomNights int    `json:"roomNights"`
	Before     int    `json:"blockedBefore"` // room-nights that were blocked already

	rooms  string
	span   Span
	reason Reason
}

// Summarize says what is blocked now.
func (b blocked) Summarize() string {
	var codes []string
	for _, l := range b.Blocks {
		codes = append(codes, l.Code)
	}
	text := fmt.Sprintf("Blocked %s %s for %s: %s. The code is %s.", b.rooms, stretch(b.span.Nights), b.reason.Words(),
		count(b.RoomNights, "room-night"), strings.Join(codes, ", "))
	if len(codes) > 1 {
		text = strings.Replace(text, "The code is", "The codes are", 1)
	}
	if b.Before > 0 {
		text += fmt.Sprintf(" The other %s had been blocked before.", count(b.Before, "room-night"))
	}
	return text
}

// Count is the number of blocks made.
func (b blocked) Count() int { return len(b.Blocks) }

// stretch says nights as people do: "from 26-Jan-2031 to 29-Jan-2031 (4 nights)".
func stretch(n calendar.Range) string {
	last := n.To.AddDays(-1)
	if n.Days() == 1 {
		return "on " + last.Show() + " (1 night)"
	}
	return fmt.Sprintf("from %s to %s (%d nights)", n.From.Show(), last.Show(), n.Days())
}

func roomNights(left int, span Span) string {
	text := fmt.Sprintf("%s in %s", count(span.Nights.Days(), "night"), count(len(span.Units), "room"))
	if left != span.nights() {
		text += fmt.Sprintf(", of which %s not blocked yet", count(left, "room-night"))
	}
	return text
}

// short names up to three rooms, more by their number.
func short(units []Unit) string {
	if len(units) > 3 {
		return count(len(units), "room")
	}
	return strings.Join(codes(units), ", ")
}

// addTarget adds a block once.
func addTarget(targets []tool.Target, b Block) []tool.Target {
	for _, t := range targets {
		if t.Key == b.Code {
			return targets
		}
	}
	return append(targets, tool.Target{Table: "blocked_dates", Key: b.Code, Version: b.Version})
}
