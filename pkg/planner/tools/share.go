package tools

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/planner/plans"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// How long a link works, in days.
const (
	usualDays = 30
	MaxDays   = 180
)

type shareInput struct {
	tripArgument
	Days int `json:"days,omitempty" jsonschema:"how many days the link works, 1 to 180; left out for 30"`
}

// Check bounds the days.
func (in *shareInput) Check() error {
	if in.Days == 0 {
		in.Days = usualDays
	}
	if in.Days < 1 || in.Days > MaxDays {
		return fault.New(fault.Invalid, "A link works for 1 to %d days.", MaxDays)
	}
	return in.tripArgument.Check()
}

// shared is the answer of share_trip_plan. The address is shown this once.
type shared struct {
	Trip    string    `json:"trip"`
	Code    string    `json:"share"`
	Expires time.Time `json:"expires"`
	address string
}

// Summarize says where the plans can be seen.
func (s shared) Summarize() string {
	return fmt.Sprintf("Anyone who has this link sees the plans of %s until %s: %s\n\nKeep it: the list of links "+
		"does not show it again. Nothing was mailed.", s.Trip, s.Expires.Format("2 January 2006"), s.address)
}

func (t *set) share() tool.Tool {
	ready := func(ctx context.Context, by identity.Caller, in shareInput) (plans.Plan, error) {
		p, _, err := t.whole(ctx, by, in.Trip, 0)
		if err == nil {
			err = owned(p)
		}
		return p, err
	}
	return tool.New(tool.Spec{Name: "share_trip_plan", Effect: tool.Changes, Target: tool.Own,
		Description: text("share_trip_plan"), Extension: "a read-only link to plans", Category: "plans"},
		func(ctx context.Context, by identity.Caller, in shareInput) (shared, error) {
			p, err := ready(ctx, by, in)
			if err != nil {
				return shared{}, err
			}
			token := t.Token()
			s, err := t.Plans.Share(ctx, by, p.Trip, token, t.Now().AddDate(0, 0, in.Days))
			if err != nil {
				return shared{}, err
			}
			return shared{p.Trip, s.Code, s.Expires, strings.TrimSuffix(t.Base, "/") + "/t/" + token}, nil
		},
		tool.Previewed(func(ctx context.Context, by identity.Caller, in shareInput) (tool.Preview, error) {
			p, err := ready(ctx, by, in)
			if err != nil {
				return tool.Preview{}, err
			}
			return tool.Preview{Title: "Make a link to the plans of " + p.Title, Targets: []tool.Target{target(p)},
				Lines: []tool.Line{{Label: "Works", After: fmt.Sprintf("%d days", in.Days)}},
				Warnings: []string{"Anyone who has the link sees the plans: places, dates, how many travel and what " +
					"it costs. It shows no names, and nothing can be changed by it."}}, nil
		}))
}

func (t *set) shares() tool.Tool {
	return tool.New(tool.Spec{Name: "list_trip_shares", Effect: tool.Reads, Description: text("list_trip_shares"),
		Extension: "links to plans", Category: "plans"},
		func(ctx context.Context, by identity.Caller, in tripArgument) (shareList, error) {
			p, err := t.plan(ctx, by, in.Trip)
			if err != nil {
				return shareList{}, err
			}
			list, err := t.Plans.Shares(ctx, by, p.Trip)
			return shareList{p.Trip, list}, err
		})
}

// shareList is the answer of list_trip_shares.
type shareList struct {
	Trip   string        `json:"trip"`
	Shares []plans.Share `json:"shares"`
}

// Summarize says how many links work.
func (l shareList) Summarize() string {
	live := 0
	for _, s := range l.Shares {
		if !s.Revoked {
			live++
		}
	}
	switch live {
	case 0:
		return "No link shows the plans of " + l.Trip + "."
	case 1:
		return "One link shows the plans of " + l.Trip + "."
	}
	return fmt.Sprintf("%d links show the plans of %s.", live, l.Trip)
}

// Table lists the links.
func (l shareList) Table() render.Table {
	table := render.Table{Title: "Links", Columns: []render.Column{{Key: "share", Label: "Link", Priority: 1},
		{Key: "made", Label: "Made"}, {Key: "expires", Label: "Works until"}, {Key: "state", Label: "State"}}}
	for _, s := range l.Shares {
		state := "works"
		if s.Revoked {
			state = "ended"
		}
		table.Rows = append(table.Rows, []render.Cell{render.Text(s.Code), render.Text(s.Made.Format("2 Jan 2006")),
			render.Text(s.Expires.Format("2 Jan 2006")), render.Text(state)})
	}
	return table
}

type revokeInput struct {
	tripArgument
	Share string `json:"share" jsonschema:"code of the link, such as SH-1"`
}

// Check tidies the code.
func (in *revokeInput) Check() error {
	in.Share = strings.ToUpper(strings.TrimSpace(in.Share))
	return in.tripArgument.Check()
}

// revoked is the answer of revoke_trip_share.
type revoked struct {
	Share string `json:"share"`
}

// Summarize says what holds now.
func (r revoked) Summarize() string { return "The link " + r.Share + " shows nothing any more." }

func (t *set) revoke() tool.Tool {
	return tool.New(tool.Spec{Name: "revoke_trip_share", Effect: tool.Writes, Target: tool.Own, Repeatable: true,
		Description: text("revoke_trip_share"), Extension: "a link ended", Category: "plans"},
		func(ctx context.Context, by identity.Caller, in revokeInput) (revoked, error) {
			p, err := t.plan(ctx, by, in.Trip)
			if err != nil {
				return revoked{}, err
			}
			s, err := t.Plans.Revoke(ctx, by, p.Trip, in.Share)
			return revoked{s.Code}, err
		})
}
