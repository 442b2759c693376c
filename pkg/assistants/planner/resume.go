package planner

import (
	"context"
	"regexp"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/planner/modes"
	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/reading"
)

var (
	tripCode = regexp.MustCompile(`(?i)\bTR-\d{4,}\b`)
	ofTrip   = regexp.MustCompile(`(?i)\b(?:(?:of|for|in|from)\s+)?(?:(?:the|my)\s+)?(?:trip\s+)?TR-\d{4,}\b`)
)

// resume takes up a trip of an earlier conversation: the one whose code the message says,
// else the last one where the message is about plans and this conversation has none. It
// reports whether there is one with plans.
func (w *way) resume(ctx context.Context) (bool, error) {
	code := strings.ToUpper(tripCode.FindString(w.text))
	if code == "" && (w.state.Mode != "" || !w.aboutPlans()) || code == w.state.Trip && code != "" {
		return false, nil
	}
	if code == "" {
		list, err := w.f.cfg.Plans.Plans(ctx, w.t.By)
		if err != nil || len(list) == 0 {
			return false, err
		}
		code = list[0].Trip
	}
	p, err := w.f.cfg.Plans.Plan(ctx, w.t.By, code)
	if fault.Is(err, fault.NotFound) || err == nil && p.Run == 0 {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	r, err := w.f.cfg.Plans.Run(ctx, w.t.By, p.Trip, p.Run)
	if err != nil || r.Options == nil {
		return false, err
	}
	w.state = state{Mode: modes.Finalize, Trip: p.Trip, Run: p.Run, Context: r.Context}
	w.state.show(*r.Options)
	return true, w.t.SetMode(w.state)
}

// show keeps which options are shown.
func (s *state) show(set options.Set) {
	s.Options = nil
	for _, o := range set.Options {
		s.Options = append(s.Options, shownOption{o.ID, o.Title, o.Tier})
	}
}

// aboutPlans reports whether the message is about plans that are shown.
func (w *way) aboutPlans() bool {
	switch w.read.Intent {
	case reading.Select, reading.SwapStay, reading.SwapGo, reading.SwapDay, reading.SwapMeal, reading.Show,
		reading.Compare, reading.Why, reading.Calendar, reading.PDF, reading.Share, reading.Unshare:
		return true
	}
	return false
}
