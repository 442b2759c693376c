// Package planner keeps plans of trips in the project's database, each for the owner of its
// trip and the companions who may read it, and shows the shared ones.
package planner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/plans"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
)

// Plans is a plans.Store. It acts with the caller's own token. Select, Revise, Share and
// Revoke happen once under the claim of the context where it has one, and are the server's
// own affair otherwise, as for an endpoint that a person called. Record and Reset are always
// that.
type Plans struct{ client *supabase.Client }

var _ plans.Store = Plans{}

// NewPlans returns the store in the project of client.
func NewPlans(client *supabase.Client) Plans { return Plans{client} }

// What a run may hold, in bytes of JSON, as the database bounds it.
const (
	maxOptions = 384 << 10 // three of 30 days in four cities have 220 KiB
	maxOutput  = 64 << 10  // of the master
	maxFound   = 128 << 10 // of a specialist; restaurants of four cities have 60 KiB
	maxMessage = 8000      // letters of what the person wrote
)

// Record stores a run; see plans.Store. Where options are too long, alternatives of them are
// left out, of messages of specialists the last recommendations, and an output is left out
// as a whole.
func (s Plans) Record(ctx context.Context, by identity.Caller, key, code string, r plans.Run) (plans.Plan, error) {
	set, err := bounded(r.Options)
	if err != nil {
		return plans.Plan{}, err
	}
	messages := make([]plans.Message, len(r.Messages))
	for i, m := range r.Messages {
		m.Output = shortened(m.Output)
		messages[i] = m
	}
	p := supabase.Args{"key": key, "trip": code, "title": r.Context.Title(), "from": "", "to": "",
		"context": r.Context, "userMessage": cut(r.UserMessage, maxMessage), "mode": r.Mode, "status": r.Status,
		"error": cut(r.Error, 1000)}
	if d := r.Context.Dates; d.Known() && !d.End.Before(d.Start) {
		p["from"], p["to"] = d.Start.String(), d.End.String()
	}
	args := supabase.Args{"p": p, "p_output": nil, "p_options": set, "p_messages": messages}
	if len(r.Output) <= maxOutput && json.Valid(r.Output) {
		args["p_output"] = r.Output
	}
	return supabase.CallAgain[plans.Plan](ctx, s.client.As(by).BookKeeping(), "trip_plan_record", args)
}

// cut returns at most n letters of a text that PostgreSQL can store.
func cut(s string, n int) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n])
	}
	return s
}

// bounded returns a set as JSON of at most maxOptions, nil for none.
func bounded(set *options.Set) (json.RawMessage, error) {
	if set == nil {
		return nil, nil
	}
	list, most := set.Options, 32
	for {
		whole := *set
		whole.Options = make([]options.Option, len(list))
		for i, o := range list {
			for _, found := range []*[]specialists.Recommendation{&o.Itinerary.AlternativeOptions.Transport,
				&o.Itinerary.AlternativeOptions.Stays, &o.Itinerary.AlternativeOptions.Dining} {
				*found = (*found)[:min(len(*found), most)]
			}
			whole.Options[i] = o
		}
		raw, err := json.Marshal(whole)
		if err != nil || len(raw) <= maxOptions {
			return raw, err
		}
		if most == 0 {
			return nil, fault.New(fault.TooLarge, "These plans are too long to be kept. Plan fewer days at once.").
				WithCode("plans_too_long")
		}
		most /= 2
	}
}

// shortened returns an output of at most maxFound.
func shortened(o specialists.Output) specialists.Output {
	for len(o.Recommendations) > 0 {
		if raw, err := json.Marshal(o); err == nil && len(raw) <= maxFound {
			return o
		}
		o.Recommendations = o.Recommendations[:len(o.Recommendations)/2]
	}
	return o
}

// Plans returns the caller's plans and those of trips that the caller accompanies, the
// newest first; see plans.Store.
func (s Plans) Plans(ctx context.Context, by identity.Caller) ([]plans.Plan, error) {
	return supabase.Read[[]plans.Plan](ctx, s.client.As(by), "trip_plan_list", nil)
}

// Plan returns a plan; see plans.Store.
func (s Plans) Plan(ctx context.Context, by identity.Caller, code string) (plans.Plan, error) {
	return supabase.Read[plans.Plan](ctx, s.client.As(by), "trip_plan_get", supabase.Args{"p_trip": code})
}

// Runs returns the runs of a plan; see plans.Store.
func (s Plans) Runs(ctx context.Context, by identity.Caller, code string) ([]plans.Run, error) {
	return read[[]plans.Run](ctx, s, by, "trip_plan_runs", supabase.Args{"p_trip": code})
}

// Run returns a run with all of it; see plans.Store.
func (s Plans) Run(ctx context.Context, by identity.Caller, code string, number int) (plans.Run, error) {
	r, err := read[plans.Run](ctx, s, by, "trip_plan_run", supabase.Args{"p_trip": code, "p_number": number})
	if string(r.Output) == "null" {
		r.Output = nil
	}
	return r, err
}

// read calls a function that reads, with the proof.
func read[T any](ctx context.Context, s Plans, by identity.Caller, function string, args supabase.Args) (T, error) {
	return supabase.CallAgain[T](ctx, s.client.As(by).BookKeeping(), function, args)
}

// change calls a function that writes: under the claim of the context, else as the server's
// own affair. A claim that was used before leads to again.
func change[T any](ctx context.Context, s Plans, by identity.Caller, function string, args supabase.Args,
	again func(effect.Outcome) (T, error)) (T, error) {
	c := s.client.As(by)
	if _, ok := effect.From(ctx); !ok {
		c = c.Control()
	}
	return supabase.Call(ctx, c, function, args, again)
}

// Select records a choice; see plans.Store.
func (s Plans) Select(ctx context.Context, by identity.Caller, code string, version, run int, option string,
	items []itinerary.Item) (plans.Plan, error) {
	list, err := fitting(items)
	if err != nil {
		return plans.Plan{}, err
	}
	return change(ctx, s, by, "trip_plan_select", supabase.Args{"p_trip": code, "p_version": version, "p_run": run,
		"p_option": option, "p_items": list}, s.again(ctx, by, code))
}

// Revise replaces the options of the current run; see plans.Store.
func (s Plans) Revise(ctx context.Context, by identity.Caller, code string, version, run int, set options.Set,
	items []itinerary.Item) (plans.Plan, error) {
	raw, err := bounded(&set)
	if err != nil {
		return plans.Plan{}, err
	}
	args := supabase.Args{"p_trip": code, "p_version": version, "p_run": run, "p_options": raw,
		"p_items": nil}
	if items != nil {
		if args["p_items"], err = fitting(items); err != nil {
			return plans.Plan{}, err
		}
	}
	return change(ctx, s, by, "trip_plan_revise", args, s.again(ctx, by, code))
}

// again returns the plan as it is now: what was asked for was done before.
func (s Plans) again(ctx context.Context, by identity.Caller, code string) func(effect.Outcome) (plans.Plan, error) {
	return func(effect.Outcome) (plans.Plan, error) { return s.Plan(ctx, by, code) }
}

// fitting returns items as the database takes them: with zones that both know, texts that are
// cut, and an end that is not before the start. One item must not keep a choice from being
// made.
func fitting(list []itinerary.Item) ([]itinerary.Item, error) {
	items := make([]itinerary.Item, len(list))
	for n, i := range list {
		from, to, err := i.Moments()
		if err != nil {
			return nil, fault.Wrap(fault.Unprocessable, err, "%q or %q is no time zone such as Europe/London.",
				i.StartZone, i.EndZone).WithCode("bad_zone")
		}
		if to.Before(from) {
			i.Ends, i.EndZone = i.Starts, i.StartZone
		}
		i.Title, i.Place, i.Notes = cut(i.Title, 200), cut(i.Place, 300), cut(i.Notes, 2000)
		i.Origin, i.Destination, i.Number = cut(i.Origin, 200), cut(i.Destination, 200), cut(i.Number, 20)
		items[n] = i
	}
	return items, nil
}

// Reset forgets the context; see plans.Store.
func (s Plans) Reset(ctx context.Context, by identity.Caller, code string) (plans.Plan, error) {
	return supabase.CallAgain[plans.Plan](ctx, s.client.As(by).BookKeeping(), "trip_plan_reset",
		supabase.Args{"p_trip": code})
}

// Share makes a link; see plans.Store. Under a claim that was used before, with another
// token, it is a fault.Conflict error with the code link_made: the address of the link that
// was made then is not known any more.
func (s Plans) Share(ctx context.Context, by identity.Caller, code, token string, expires time.Time) (plans.Share,
	error) {
	hash := hashOf(token)
	made, err := change(ctx, s, by, "trip_plan_share", supabase.Args{"p_trip": code, "p_hash": hash,
		"p_expires": expires.UTC().Format(time.RFC3339Nano)}, func(effect.Outcome) (plans.Share, error) {
		return s.find(ctx, by, code, hash, func(l share) bool { return l.Known })
	})
	if err == nil {
		made.Token = token
	}
	return made, err
}

// share is a link, and whether its token is the one that was asked about.
type share struct {
	plans.Share
	Known bool `json:"known"`
}

// find returns the first link that fits.
func (s Plans) find(ctx context.Context, by identity.Caller, trip, hash string, fits func(share) bool) (plans.Share,
	error) {
	list, err := read[[]share](ctx, s, by, "trip_plan_shares", supabase.Args{"p_trip": trip, "p_hash": hash})
	for _, l := range list {
		if fits(l) {
			return l.Share, nil
		}
	}
	if err == nil {
		err = fault.New(fault.Conflict, "This link was made before, and its address is shown only once. End it, "+
			"and make another.").WithCode("link_made")
	}
	return plans.Share{}, err
}

// Shares lists the links; see plans.Store.
func (s Plans) Shares(ctx context.Context, by identity.Caller, code string) ([]plans.Share, error) {
	return read[[]plans.Share](ctx, s, by, "trip_plan_shares", supabase.Args{"p_trip": code})
}

// Revoke ends a link; see plans.Store.
func (s Plans) Revoke(ctx context.Context, by identity.Caller, trip, code string) (plans.Share, error) {
	return change(ctx, s, by, "trip_plan_revoke", supabase.Args{"p_trip": trip, "p_code": code},
		func(effect.Outcome) (plans.Share, error) {
			return s.find(ctx, by, trip, "", func(l share) bool { return strings.EqualFold(l.Code, code) })
		})
}

// hashOf returns what is kept of a token.
func hashOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
