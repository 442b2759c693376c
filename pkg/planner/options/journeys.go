package options

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// Clocks in minutes of the local day.
const (
	hour        = 60
	dayBegins   = 8 * hour
	dayEnds     = 22*hour + 30
	setOff      = 9 * hour  // of a journey whose time can be chosen
	noTimeIn    = 14 * hour // from when a day is planned on which nothing is known of the arrival
	noTimeOut   = 14 * hour // until when one is planned with nothing known of the departure
	dayTripIn   = 10 * hour // the same of a trip of one day
	dayTripOut  = 20 * hour
	ownTimeIn   = 12 * hour // the same where the person arranges the journey
	ownTimeOut  = 15 * hour
	latestTrain = 16 * hour // of a journey home whose time can be chosen
	afterFlight = 90        // from landing to the first thing of the day
	afterRide   = 30
	beforeGo    = 180 // from the last thing of the day to a flight's departure
	beforeRide  = 45
)

// suggestedTime marks a journey whose times are our own.
const suggestedTime = "suggested time"

// journey is what was chosen for a leg.
type journey struct {
	leg   leg
	rec   *specialists.Recommendation // nil where nothing was found
	paid  bool                        // its cost is in that of the way there
	homed bool                        // the times are those of the way back
}

// chooseJourneys takes one recommendation for each leg: the cheapest for the lowest tier,
// the fastest for the highest, and else the one that is good in both. fixed has codes that
// are taken whatever they cost, by leg; "" where there is none.
func (f *facts) chooseJourneys(tier trip.Budget, fixed []string) []journey {
	list := make([]journey, len(f.legs))
	returns := slices.ContainsFunc(f.legs, func(l leg) bool { return l.back })
	for i, l := range f.legs {
		list[i].leg = l
		if l.back && len(list) > 1 && list[0].rec != nil && list[0].rec.Back && !f.legs[0].back {
			list[i].rec, list[i].paid, list[i].homed = list[0].rec, true, true
			continue
		}
		list[i].rec = f.chooseJourney(l, tier, returns && i == 0)
		for n := range l.recs {
			if i < len(fixed) && fixed[i] != "" && l.recs[n].Code == fixed[i] {
				list[i].rec = &l.recs[n]
			}
		}
	}
	return list
}

func (f *facts) chooseJourney(l leg, tier trip.Budget, returns bool) *specialists.Recommendation {
	if len(l.recs) == 0 {
		return nil
	}
	costs := make([]money.Amount, len(l.recs))
	var least money.Amount
	quickest := 0
	for i, r := range l.recs {
		costs[i] = f.fare(r, returns)
		if r.Cost != nil && (least.IsZero() || costs[i].Cmp(least) < 0) {
			least = costs[i]
		}
		if m := r.Minutes; m > 0 && (quickest == 0 || m < quickest) {
			quickest = m
		}
	}
	// How many times the least a recommendation costs and takes; what is not known counts
	// as three times.
	weigh := func(i int) float64 {
		money, time := 3.0, 3.0
		if l.recs[i].Cost != nil && !least.IsZero() {
			money = share(costs[i], least)
		}
		if m := l.recs[i].Minutes; m > 0 {
			time = float64(m) / float64(quickest)
		}
		switch tier {
		case trip.Low:
			return 4*money + time
		case trip.High:
			return money + 4*time
		case trip.Mid:
		}
		return money + time
	}
	best := 0
	for i := range l.recs {
		surer := sourceRank(l.recs[i].Source) - sourceRank(l.recs[best].Source)
		if cmp.Or(cmp.Compare(weigh(i), weigh(best)), surer) < 0 {
			best = i
		}
	}
	return &l.recs[best]
}

// sourceRank orders sources by how far they can be relied on.
func sourceRank(s specialists.Source) int {
	return slices.Index([]specialists.Source{specialists.Live, specialists.Listed, specialists.Model}, s) & 3
}

// fare returns about what a recommendation costs all travellers, there and back where the
// trip returns.
func (f *facts) fare(r specialists.Recommendation, returns bool) money.Amount {
	if r.Cost == nil {
		return money.Amount{}
	}
	n := 1
	if r.Cost.Per == specialists.PerPerson {
		n = f.people
	}
	if returns && !r.Back {
		n *= 2
	}
	return times(f.rough(r.Cost.From, r.Cost.To, r.Cost.Currency), n)
}

// window is the part of a day that can be planned, in minutes. Nothing can be where to is
// before from.
type window struct {
	from, to int
	away     bool // the day is spent on the way, without a night in the city
}

// windows returns that of each day, and puts the journeys into the days.
func (b *builder) windows() []window {
	f := b.f
	begins := b.beginsAt()
	list := make([]window, f.days)
	for i := range list {
		list[i] = window{from: begins, to: dayEnds}
	}
	if !f.c.LocalOnly && len(f.legs) == 0 {
		list[0].from = max(list[0].from, ownTimeIn)
		list[f.days-1].to = ownTimeOut
	}
	for i := range b.journeys {
		b.place(&b.journeys[i], list)
	}
	return list
}

// place puts a journey into its day and takes its time out of the windows.
func (b *builder) place(j *journey, list []window) {
	f := b.f
	at := j.leg.day
	out, in := noTimeOut, noTimeIn
	if f.days == 1 {
		out, in = dayTripOut, dayTripIn
	}
	if j.rec == nil {
		if j.leg.back {
			list[at].to = min(list[at].to, out)
		} else {
			list[at].from = max(list[at].from, in)
		}
		return
	}
	r := *j.rec
	entry := Entry{Code: r.Code, Name: journeyName(r, j.leg), Kind: r.Mode, Detail: journeyDetail(r),
		Number: r.Numbers, Source: r.Source}
	after, before := afterRide, beforeRide
	if r.Mode == "flight" {
		after, before = afterFlight, beforeGo
	}
	departs, arrives := r.Departs, r.Arrives
	if j.homed {
		departs, arrives = r.BackDeparts, r.BackArrives
		entry.Number = r.BackNumbers
	}
	from, errFrom := calendar.ParseDateTime(departs)
	to, errTo := calendar.ParseDateTime(arrives)
	nights := 0
	switch {
	case errFrom == nil && errTo == nil:
		at = min(max(f.c.Dates.Start.Until(from.Date), 0), f.days-1)
		entry.Starts, entry.Ends = from.Clock(), to.Clock()
		out, in = from.Hour*hour+from.Minute, to.Hour*hour+to.Minute
		nights = max(0, from.Date.Until(to.Date))
	case r.Minutes > 0:
		out = setOff
		if j.leg.back {
			out = min(latestTrain, max(setOff, 21*hour-r.Minutes))
		}
		in = out + r.Minutes
		nights = in / (24 * hour)
		in %= 24 * hour
		if r.Mode != "flight" {
			entry.Starts, entry.Ends = clock(out), clock(in)
			entry.Detail = sentence(entry.Detail, suggestedTime)
		}
	}
	entry.Nights = nights
	b.o.Itinerary.Days[at].Transport = append(b.o.Itinerary.Days[at].Transport, entry)
	if j.leg.back {
		list[at].to = min(list[at].to, out-before)
		for i := at + 1; i < f.days; i++ {
			list[i] = window{away: true}
		}
		return
	}
	arrival := min(at+nights, f.days-1)
	for i := at; i < arrival; i++ { // on the way over night
		list[i].to = min(list[i].to, out-before)
		list[i].away = true
		if at == 0 {
			list[i].to = 0
		}
	}
	list[arrival].from = max(list[arrival].from, in+after)
}

// journeyName returns "Flight London → Boston, British Airways".
func journeyName(r specialists.Recommendation, l leg) string {
	what := upper(strings.TrimSpace(cmp.Or(r.Option, r.Mode, "Journey")))
	name := what + " " + l.from + " → " + l.to
	if p := strings.TrimSpace(r.Provider); p != "" && !strings.Contains(name, p) {
		name += ", " + p
	}
	return name
}

func journeyDetail(r specialists.Recommendation) string {
	duration := strings.TrimSpace(r.Duration)
	if duration == "" && r.Minutes > 0 {
		duration = minutesText(r.Minutes)
	}
	return duration
}

// minutesText returns "45 min", "2 h 5 min".
func minutesText(m int) string {
	switch {
	case m < hour:
		return itoa(m) + " min"
	case m%hour == 0:
		return itoa(m/hour) + " h"
	}
	return itoa(m/hour) + " h " + itoa(m%hour) + " min"
}

// sentence joins parts of a detail: "2 h 5 min · suggested time".
func sentence(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}

// clock returns minutes of a day as "09:30".
func clock(m int) string {
	m = max(0, m) % (24 * hour)
	return itoa(m/hour/10) + itoa(m/hour%10) + ":" + itoa(m%hour/10) + itoa(m%10)
}
