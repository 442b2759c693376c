package consent

import (
	"context"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Changed is the error of an act that was not done because its preview is no
// longer true. A new proposal has replaced the old one.
type Changed struct{ Proposal Proposal }

// Error returns a message for users.
func (c *Changed) Error() string { return c.Unwrap().Error() }

// Unwrap returns a fault.Conflict error with the code "proposal_changed".
func (c *Changed) Unwrap() error {
	return fault.New(fault.Conflict,
		"It was changed by somebody since the preview, so nothing was done. Please look again.").
		WithCode("proposal_changed")
}

// maxRenewals is how often an act is retried because something changed that its
// preview does not show.
const maxRenewals = 3

// Execute runs a proposal: the stored arguments, under the proposal's own
// effect key. The database consumes the proposal in the transaction that
// writes, so a second call changes nothing and returns a fault.Conflict error.
//
// In that transaction the database checks that all data that the preview was
// built from is unchanged. Otherwise the preview is built again. If it is the
// same, and the rows are unchanged, it is what the user approved, and the act
// continues; otherwise a new proposal is made and returned as the error
// (*Changed). The error is the tool's own when the act has become impossible.
//
// What a third party's tool does rests on data that the database does not have.
// Its preview is built again in any case.
func (s *Service) Execute(ctx context.Context, by identity.Caller, p Proposal, t tool.Tool) (tool.Result, error) {
	call, err := t.Prepare(p.Arguments)
	if err != nil {
		return tool.Result{}, err
	}
	if call.Hash != p.Hash {
		return tool.Result{}, fault.New(fault.Conflict,
			"What was shown is not what would be done, so nothing was done.").
			WithCode("proposal_mismatch")
	}
	if t.Outside() && p.State == Pending {
		if err := s.again(ctx, by, p, call); err != nil {
			return tool.Result{}, err
		}
	}
	claim := effect.Claim{Key: p.ID, ArgsHash: p.Hash, Tool: p.Tool, Turn: p.Turn, Assistant: p.Assistant,
		Proposal: p.ID}
	for renewals := 0; ; renewals++ {
		// The act uses the data that was shown, not what may be read now.
		acting := tool.WithApproved(effect.Known(effect.With(ctx, claim), p.Preview.Reads), p.Preview)
		r, err := call.Run(acting, by)
		if f := fault.From(err); f == nil || f.Code != "proposal_changed" {
			return r, err
		}
		found, lookErr := call.Preview(ctx, by)
		if lookErr != nil {
			return tool.Result{}, lookErr
		}
		if !p.shows(found) {
			return tool.Result{}, s.askAgain(ctx, by, p, call, found)
		}
		if renewals == maxRenewals {
			return tool.Result{}, err
		}
		if err := s.Store.Renew(ctx, by, p, found); err != nil {
			return tool.Result{}, err
		}
		p.Preview.Reads, p.Preview.Targets = found.Reads, found.Targets
	}
}

// again builds the preview of a third party's act once more. The error is nil where
// it is the one that was approved, and where the proposal is no longer pending:
// another approval was quicker, so that the data may differ by the act itself.
func (s *Service) again(ctx context.Context, by identity.Caller, p Proposal, call tool.Call) error {
	found, lookErr := call.Preview(ctx, by)
	if lookErr == nil {
		seen := visible(found)
		seen.Warnings = seen.Warnings[:len(found.Warnings)]
		if p.shows(seen) {
			return nil
		}
	}
	list, err := s.Store.Proposals(ctx, by, Query{ID: p.ID})
	switch {
	case err != nil:
		return err
	case len(list) == 1 && list[0].State != Pending:
		return nil
	case lookErr != nil:
		return lookErr
	}
	return s.askAgain(ctx, by, p, call, found)
}

// askAgain stores a proposal whose preview differs from the one of p.
func (s *Service) askAgain(
	ctx context.Context, by identity.Caller, p Proposal, call tool.Call, found tool.Preview,
) error {
	found.Changed = p.Differences(found)
	found.Lines = slices.Clone(found.Lines)
	for i, l := range found.Lines {
		j := slices.IndexFunc(p.Preview.Lines, func(old tool.Line) bool {
			return old.Label == l.Label && old.After == l.After
		})
		if j >= 0 {
			found.Lines[i].Origin = p.Preview.Lines[j].Origin
		}
	}
	_, notes := p.warnings()
	at := Where{Assistant: p.Assistant, Agent: p.Agent, Thread: p.Thread, Turn: p.Turn, notes: notes}
	asked, err := s.store(ctx, by, at, call, found)
	if err != nil {
		return err
	}
	return &Changed{asked}
}

// warnings returns the tool's own warnings and those of others.
func (p Proposal) warnings() (own, notes []string) {
	n := max(0, len(p.Preview.Warnings)-p.Notes)
	return p.Preview.Warnings[:n], p.Preview.Warnings[n:]
}

// shows reports whether a new preview is the same as that of p, with unchanged
// rows.
func (p Proposal) shows(found tool.Preview) bool {
	own, _ := p.warnings()
	return p.Preview.Title == found.Title && slices.Equal(own, found.Warnings) &&
		slices.Equal(p.Preview.Targets, found.Targets) &&
		slices.EqualFunc(p.Preview.Lines, found.Lines, func(a, b tool.Line) bool {
			return a.Label == b.Label && a.Before == b.Before && a.After == b.After
		})
}

// Differences returns the differences of a new preview from that of p: in each
// line Before is the old and After the new value, "" for none.
func (p Proposal) Differences(found tool.Preview) []tool.Line {
	var list []tool.Line
	add := func(label, before, after string) {
		if before != after {
			list = append(list, tool.Line{Label: label, Before: before, After: after})
		}
	}
	add("Title", p.Preview.Title, found.Title)
	// The lines of one label are compared in their order.
	seen := map[string]int{}
	nth := func(lines []tool.Line, label string, n int) tool.Line {
		for _, l := range lines {
			if l.Label != label {
				continue
			}
			if n == 0 {
				return l
			}
			n--
		}
		return tool.Line{}
	}
	for _, l := range p.Preview.Lines {
		now := nth(found.Lines, l.Label, seen[l.Label])
		if l.After == now.After {
			add(l.Label, l.Before, now.Before)
		} else {
			add(l.Label, says(l), says(now))
		}
		seen[l.Label]++
	}
	for _, l := range found.Lines {
		if seen[l.Label] > 0 {
			seen[l.Label]--
			continue
		}
		add(l.Label, "", says(l))
	}
	own, _ := p.warnings()
	for _, w := range own {
		if !slices.Contains(found.Warnings, w) {
			add("Note", w, "")
		}
	}
	for _, w := range found.Warnings {
		if !slices.Contains(own, w) {
			add("Note", "", w)
		}
	}
	if len(list) == 0 {
		for _, t := range found.Targets {
			if !slices.Contains(p.Preview.Targets, t) {
				add(t.Key, "as you were asked", "changed in what is not shown here")
			}
		}
	}
	return list
}

// says is what a line shows of its value.
func says(l tool.Line) string {
	if l.Before == "" {
		return l.After
	}
	return l.Before + " → " + l.After
}
