package planner

import (
	"context"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/travel/preferences"
)

// Facts is what the persona may say: nothing about who asks.
type Facts struct {
	Today   string // Friday 27-Nov-2026
	Trip    string // code of the trip whose plans are shown, "" for none
	Title   string
	Known   string // the trip in one line
	Options []shownOption
}

type factsKey struct{}

// withState returns the context of a turn in which facts are read.
func withState(ctx context.Context, s state) context.Context {
	return context.WithValue(ctx, factsKey{}, s)
}

// factsOf returns the facts of the turn whose state the context carries.
func factsOf(ctx context.Context, by identity.Caller, now time.Time) Facts {
	f := Facts{Today: today(by, now).Time().Format("Monday 02-Jan-2006")}
	if s, ok := ctx.Value(factsKey{}).(state); ok && s.Run > 0 {
		f.Trip, f.Title, f.Options = s.Trip, s.Context.Title(), s.Options
		f.Known = strings.ReplaceAll(s.Context.Summary(), "\n", "; ")
	}
	return f
}

// today is the day where the person is, as far as that is known.
func today(by identity.Caller, now time.Time) calendar.Date { return calendar.Today(now, zoneOf(by)) }

// zoneOf is the time zone of the person, as far as it is known.
func zoneOf(by identity.Caller) *time.Location {
	if zone, err := by.Entity.Location(); err == nil && zone != nil {
		return zone
	}
	return time.UTC
}

// liked returns what may be said to a model of what the person likes, one line; "" where
// they have not agreed that it is remembered. It is an allow-list: no airport of home, no
// accessibility needs, nothing that names anybody (S4-35).
func liked(p preferences.Preferences) string {
	if !p.Learn {
		return ""
	}
	var list []string
	for _, l := range []struct {
		label  string
		values []string
	}{{"food", p.Dietary}, {"interests", p.Interests}, {"hotels", p.HotelChains}} {
		var clean []string
		for _, v := range l.values[:min(len(l.values), 6)] {
			if v = plainLine(v, 40); v != "" {
				clean = append(clean, v)
			}
		}
		if len(clean) > 0 {
			list = append(list, l.label+": "+strings.Join(clean, ", "))
		}
	}
	return strings.Join(list, "; ")
}

// plainLine returns letters, digits and the marks of words of a text, cut.
func plainLine(s string, most int) string {
	var b strings.Builder
	n := 0
	for _, r := range strings.Join(strings.Fields(s), " ") {
		if strings.ContainsRune("<>{}[]`|\\", r) || r < ' ' {
			continue
		}
		if n++; n > most {
			break
		}
		b.WriteRune(r)
	}
	return strings.TrimSpace(b.String())
}
