package reading

import (
	"slices"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/reading"
)

const (
	moneyNames = `euros?|eur|pounds?|gbp|quid|dollars?|usd|bucks|rupees?|inr|yen|jpy|aed|dirhams?|chf|francs?`
	manyText   = `(?: ?(?:k|lakhs?|lac|thousand|grand|hazaar|hazar))?`
	amountText = `(?:(?:us\$|[£$€₹¥]|rs\.? ?|inr ?|eur ?|usd ?|gbp ?|chf ?)\d[\d,]*(?:\.\d{1,2})?` + manyText + `|` +
		`\d[\d,]*(?:\.\d{1,2})?` + manyText + ` ?(?:` + moneyNames + `|[€£$₹]))`
)

var (
	limits = lazily(`(?:(?:my |our |the |a |total |with )*budget(?: is| of|:)?|at most|` +
		`max(?:imum)?(?: of)?|up to|under|below|less than|` +
		`no more than|not more than|(?:don't|do not) want to (?:spend|pay) more than|within|around|about|` +
		`roughly|for|we have|i have|spend(?:ing)?|costs?|can ` +
		`spend|to spend|not over| )*(` + amountText + `)` +
		`((?: (?:in total|total|all in|altogether|overall|for (?:all|both|everything|the (?:two|three|four|` +
		`whole|trip|lot)(?: of us| trip| thing)?)|max(?:imum)?|or less|tops|budget|` +
		`each|(?:per|a) (?:person|head|day|night)|pp|p\.p\.))*)`)
	bareLimit = lazily(`(?:(?:my |our |the |a |total )*budget(?: is| of|:)?|at most|max(?:imum)?(?: ` +
		`of)?|up to)(?: (?:about|around|roughly))? (\d[\d,]{2,}(?:\.\d{1,2})?(?: ?k)?)`)
	noLimit = lazily(`(?:no|without (?:a|any)) (?:budget )?limit|money (?:is no object|doesn't ` +
		`matter)|forget the limit`)

	cheaperWord = lazily(`(?:(?:something|a bit|a little|much|make it|somewhat|please|even) )*(?:(cheaper|less ` +
		`expensive|` +
		`more affordable|lower budget|smaller budget|sasta|save (?:some )?money|` +
		`(?:all of (?:them|these) |they |these |it |that |this |everything |all )*(?:are |is |'re |'s )?(?:all ` +
		`)?(?:much |way |far )?too ` +
		`(?:expensive|pricey|dear|costly))|` +
		`(more (?:luxur(?:y|ious)|expensive|comfort(?:able)?|upmarket)|fancier|nicer hotels?|higher budget|` +
		`bigger budget|` +
		`treat ourselves|more budget|(?:raise|increase|double) (?:the |our |my )?budget|too (?:cheap|basic|` +
		`simple)))`)
	middling = lazily(`(?:but |and )?(?:it )?(?:should |must )?(?:(?:not|nothing|isn't|not be|no|` +
		`without being|neither) (?:be |all )?(?:(?:too|very|so|overly|that|super|crazy) )?(?:expensive|pricey|` +
		`cheap|fancy|costly|dear|luxur(?:y|ious)|posh)|` +
		`reasonabl[ey](?:[- ]priced)?(?: price)?|affordable|average(?: price)?|comfortable budget|(?:something ` +
		`)?(?:in between|in the middle)|normal(?: budget)?|theek thaak)`)
	levels = lazily(`(?:(?:with|on|a|an|the|at|our|my|budget|is|of|:|very|rather|quite|make it|it) ` +
		`)*?(?:` +
		`(kam|low(?:[- ](?:cost|budget|end))?|cheap(?:ly)?|economy|economical|shoestring|backpack(?:er|ers|ing)|` +
		`inexpensive|thrifty|` +
		`tight budget|small budget|tight|budget[- ](?:friendly|conscious|trip|travel|holiday|option)|on a ` +
		`budget|as (?:cheap|little) as possible|sasta|saste)|` +
		`(mid(?:dle)?(?:[- ]?(?:range|level|budget|price|tier))?|medium(?: budget)?|moderate(?:ly priced| ` +
		`budget)?|standard)|` +
		`(high(?:[- ](?:end|budget))?|luxur(?:y|ious)|lavish|splurge|premium|no expense spared|upscale|upmarket|` +
		`posh|fancy|first[- ]class|big budget))` +
		`(?: (?:budget|range|level|price|prices|trip|end|one|class))*`)
	perPersonWord = lazily(`each|person|head|pp|p\.p`)
	bareBudget    = lazily(`(?:a )?budget (?:trip|holiday|travel|break|vacation|hotels?)`)
)

var oneThing = lazily(`\b(?:hotel|stay|flights?|trains?|restaurants?|dinner|lunch|breakfast|room)\b`)

var levelWords = map[trip.Budget]string{trip.Low: "low", trip.Mid: "mid-range", trip.High: "high"}

// limit is an amount for each person or each day that is not a limit for all yet.
type limit struct {
	set       bool
	words     string
	price     money.Price
	perPerson bool
	perDay    bool
	perNight  bool // of a room
}

// budget makes of the amounts what the trip may cost. It comes after who, when and where:
// an amount for each is multiplied, and has the currency of where they start.
func (r *reader) budget() {
	r.most()
	r.derive()
}

// levels reads how much the trip may cost where no amount is said.
func (r *reader) levels() {
	u := &r.out.Update
	r.Take(noLimit(), func(_ []string, from, to int) bool {
		u.ForgetMost, u.Most, u.Budget = true, nil, trip.High
		r.give(trip.BudgetLevel, from, to)
		return true
	})
	r.Take(middling(), func(_ []string, from, to int) bool {
		if u.Budget == "" {
			u.Budget = trip.Mid
			r.assume("I took “" + strings.TrimSpace(r.Plain()[from:to]) + "” as a mid-range budget.")
		}
		r.give(trip.BudgetLevel, from, to)
		return true
	})
	r.Take(cheaperWord(), func(g []string, from, to int) bool {
		all := []trip.Budget{trip.Low, trip.Mid, trip.High}
		if oneThing().MatchString(r.clause(from, to)) {
			return false // "something cheaper for the hotel" is no other budget
		}
		i := slices.Index(all, r.c.Trip.Budget)
		step := 1
		if g[1] != "" {
			step = -1
		}
		switch {
		case i < 0 && step < 0:
			u.Budget = trip.Low
		case i < 0:
			u.Budget = trip.High
		case i+step < 0 || i+step > 2:
			already := "The plans are for the highest budget already."
			if step < 0 {
				already = "The plans are for the lowest budget already. Fewer nights or another month " +
					"make it cheaper."
			}
			r.out.Refused = append(r.out.Refused, already)
			return true
		default:
			u.Budget = all[i+step]
		}
		r.assume("I took it as a " + levelWords[u.Budget] + " budget.")
		r.give(trip.BudgetLevel, from, to)
		return true
	})
	r.Take(bareBudget(), func(_ []string, from, to int) bool {
		u.Budget = trip.Low
		r.give(trip.BudgetLevel, from, to)
		return true
	})
	r.Take(levels(), func(g []string, from, to int) bool {
		for i, b := range []trip.Budget{trip.Low, trip.Mid, trip.High} {
			if g[i+1] != "" {
				u.Budget = b
			}
		}
		r.give(trip.BudgetLevel, from, to)
		return true
	})
}

// amounts reads "€1,500 in total", "500 euros each", "budget 2000".
func (r *reader) amounts() {
	put := func(words, per string, from, to int) bool {
		value, currency := reading.Amount(strings.TrimSpace(words))
		a, err := money.Parse(value)
		if err != nil {
			return false
		}
		r.limit = limit{set: true, words: words, price: money.Price{Amount: a, Currency: currency},
			perPerson: perPersonWord().MatchString(per), perDay: strings.Contains(per, "day"),
			perNight: strings.Contains(per, "night")}
		r.give(trip.BudgetLevel, from, to)
		return true
	}
	r.Take(limits(), func(g []string, from, to int) bool { return put(g[1], g[2], from, to) })
	r.Take(bareLimit(), func(g []string, from, to int) bool { return !r.limit.set && put(g[1], "", from, to) })
}

// most makes a limit of what was read by amounts, once it is known how many travel and for
// how long.
func (r *reader) most() {
	if !r.limit.set {
		return
	}
	if r.limit.price.Currency == "" {
		r.limit.price.Currency = r.currency()
		r.assume("I took " + r.limit.words + " as " + r.limit.price.Currency + ".")
	}
	if p := &r.limit.price; p.Amount.Decimals() > money.Digits(p.Currency) {
		p.Amount = p.Amount.Round(money.Digits(p.Currency))
	}
	next, _ := r.c.Trip.Merge(r.out.Update)
	times := 1
	if r.limit.perPerson {
		if next.Travellers == nil || next.Travellers.Count() < 1 {
			times = 0
		} else {
			times *= next.Travellers.Count()
		}
	}
	if r.limit.perDay {
		times *= next.Dates.Days()
	}
	if r.limit.perNight {
		times = 0 // a price of rooms
	}
	if times <= 0 {
		text := "at most " + r.limit.price.String()
		if r.limit.perPerson {
			text += " a person"
		}
		if r.limit.perDay {
			text += " a day"
		}
		if r.limit.perNight {
			text = "hotel " + text + " a night"
		}
		r.out.Update.Constraints.Add = append(r.out.Update.Constraints.Add, text)
		r.ungive(trip.BudgetLevel)
		return
	}
	total, err := r.limit.price.Amount.Mul(money.FromInt(times))
	if err != nil {
		return
	}
	most := money.Price{Amount: total, Currency: r.limit.price.Currency}
	r.out.Update.Most = &most
	if times > 1 {
		r.assume("That is " + most.String() + " for all.")
	}
}

// currency is that in which people pay where they start, or else where they go.
func (r *reader) currency() string {
	next, _ := r.c.Trip.Merge(r.out.Update)
	places := next.Destinations
	if next.Origin != nil {
		places = slices.Concat([]trip.Place{*next.Origin}, places)
	}
	for _, p := range places {
		switch p.Country {
		case "GB":
			return "GBP"
		case "US":
			return "USD"
		case "IN":
			return "INR"
		case "JP":
			return "JPY"
		case "CH":
			return "CHF"
		case "AE":
			return "AED"
		case "CA":
			return "CAD"
		case "AU":
			return "AUD"
		}
	}
	return "EUR"
}

// steps are what a person spends in a day on everything, in the currency: up to the first a
// trip is low, above the second high. They are rounded from 100 and 250 euros at the rates of November 2026.
var steps = map[string][2]int{"EUR": {100, 250}, "GBP": {85, 215}, "USD": {110, 275}, "CHF": {95, 240},
	"INR": {10000, 25000}, "JPY": {16000, 40000}, "AED": {400, 1000}, "CAD": {155, 390}, "AUD": {170, 425}}

// derive takes the level of the budget from the limit where it was not said.
func (r *reader) derive() {
	next, _ := r.c.Trip.Merge(r.out.Update)
	if next.Budget != "" || next.Most == nil || next.Travellers == nil || next.Travellers.Count() < 1 ||
		next.Dates.Days() < 1 {
		if r.out.Update.Most != nil && next.Budget == "" {
			r.ungive(trip.BudgetLevel)
		}
		return
	}
	bounds, ok := steps[next.Most.Currency]
	if !ok {
		r.ungive(trip.BudgetLevel)
		return
	}
	each := next.Travellers.Count() * next.Dates.Days()
	level := trip.High
	switch {
	case next.Most.Amount.Cmp(money.FromInt(bounds[0]*each)) <= 0:
		level = trip.Low
	case next.Most.Amount.Cmp(money.FromInt(bounds[1]*each)) <= 0:
		level = trip.Mid
	}
	r.out.Update.Budget = level
	r.assume("I took " + next.Most.String() + " for " + strconv.Itoa(next.Travellers.Count()) + " and " +
		strconv.Itoa(next.Dates.Days()) + " days as a " + levelWords[level] + " budget.")
}
