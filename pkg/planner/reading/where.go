package reading

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/planner/questions"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
	"github.com/bellhop-ai/bellhop/pkg/travel/reading"
)

var (
	somewhere = lazily(`(?:(?:to|in|go|going|we|i|want|would|like|travel|for|just) ` +
		`)*(?:(?:somewhere|some place|someplace|anywhere|a (?:place|city|destination)|any (?:city|place))` +
		`(?: (?:that is|that's|which is|where it's|really|nice|and|with|by|near|the|in|not|too|far|close|` +
		`else))*(?: (warm|hot|sunny|sea|beach|sun|cold|snow(?:y)?|cool|new|nice|europe|asia|america|exotic|` +
		`cheap|quiet|different))*|where (?:should|can|could|shall|would) (?:i|we|you) (?:go|recommend|suggest|` +
		`travel)|` +
		`where to go|any ideas|(?:recommend|suggest) (?:me |us )?(?:a |some )?(?:place|places|destination|` +
		`destinations|city|cities))`)
	wishedPlace = lazily(`\ba (?:place|city)\b`)
	addCue      = lazily(`(?:\b(?:and |then )?(?:also|add|plus|as well as|after that|then|afterwards|` +
		`another stop in|continue to|go on to)(?: to| in| visit| go to)*|, and)$`)
	removeCue = lazily(`\b(?:not|drop|skip|remove|without|leave out|swap|replace|exchange|instead of|rather ` +
		`than|cancel|` +
		`except|no|forget)(?: to| in| the)*$`)
	onward = lazily(`\b(?:leaving|depart(?:ing|ure)?|start(?:ing)?|fly(?:ing)? out|coming|` +
		`travell?ing|live|based|home is|home:|origin:?|departure:|starting point:?)(?: (?:from|in|at|out ` +
		`of))?(?: the)?$`)
	beside  = lazily(`\b(?:after|before|besides|in addition to)$`)
	fromCue = lazily(`\b(?:from|leav\w+|depart\w*|start\w*|out of|live|based|ex|home(?: is)?|origin|point|in|` +
		`at)(?: the)?:?$`)
	onlyCue    = lazily(`\b(?:only|just|alone|change)\b`)
	withCue    = lazily(`\b(?:with|by|on|airline|like)$`)
	nameCue    = lazily(`\b(?:name is|name's|call me|i am called)(?: [a-z'-]+)?$`)
	lateCue    = lazily(`^(?: as well| too| also)\b`)
	backHome   = lazily(`\b(?:back|return(?:ing)?|home)(?: again)?(?: to)?$`)
	insteadCue = lazily(`\b(?:instead|rather|actually|change (?:it |the destination |that )?to|make ` +
		`(?:it|that)|not)\b`)
)

// where reads the places.
func (r *reader) where() {
	u := &r.out.Update
	var asked *questions.Question
	r.Take(somewhere(), func(g []string, from, to int) bool {
		if g[1] == "" && len(r.c.Trip.Destinations) > 0 && wishedPlace().MatchString(g[0]) {
			return false // "a place with live jazz" is a wish for the city that is known
		}
		q := r.somewhere(g[1])
		asked = &q
		return true
	})
	if q := r.country(); q != nil {
		asked = q
	}
	var stops, adds, drops []trip.Place
	var ahead *trip.Place
	spots := r.ordinary(r.Spots())
	bySequence := false // the origin is the first of "Berlin to Prague"
	for i, s := range spots {
		before := strings.TrimRight(r.Low()[max(0, s.From-40):s.From], " ")
		role := s.Role
		if onward().MatchString(before) {
			role = reading.From
		}
		if role == reading.BackTo || backHome().MatchString(before) && r.c.Trip.Origin != nil {
			continue
		}
		at := placeOf(s.Candidates[0])
		if role == reading.Bare && s.Words == strings.ToLower(s.Words) &&
			(s.Candidates[0].Kind == places.Airport || !r.mentioned(s)) {
			r.spare = append(r.spare, s.Words)
			continue // an ordinary word that is the name of a place as well: "a surprise trip"
		}
		if role == reading.Bare && len(r.c.Trip.Destinations) > 0 && withCue().MatchString(before) {
			r.spare = append(r.spare, s.Words) // "with Iberia"
			continue
		}
		if role == reading.Bare && nameCue().MatchString(before) {
			continue // who they are is no part of a trip
		}
		if role == reading.Bare && len(r.c.Trip.Destinations) > 0 && !exact(s) && !r.open(trip.Destinations) &&
			!r.open(trip.Origin) {
			r.spare = append(r.spare, s.Words)
			continue // another word rather than a place that is spelled nearly so
		}
		f := trip.Destinations
		if role == reading.From || role == reading.Bare && r.originMeant() {
			f = trip.Origin
		}
		if removeCue().MatchString(before) && f == trip.Destinations {
			for _, c := range s.Candidates {
				if p := placeOf(c); slices.ContainsFunc(r.c.Trip.Destinations, p.Same) {
					drops = append(drops, p)
				}
			}
			r.give(f, s.From, s.To)
			continue
		}
		if m := beside().FindStringIndex(before); m != nil && f == trip.Destinations &&
			slices.ContainsFunc(r.c.Trip.Destinations, at.Same) {
			r.Use(max(0, s.From-40)+m[0], s.From)
			if strings.HasPrefix(before[m[0]:], "before") {
				ahead = &at
			}
			continue // where another one goes
		}
		if len(s.Candidates) > 1 {
			if p, ok := r.among(s.Candidates, f); ok {
				at = p
			} else {
				r.which(f, s)
				continue
			}
		}
		if role == reading.Bare && r.apart(spots, i) && u.Origin == nil && r.c.Trip.Origin == nil && len(stops) > 0 {
			f = trip.Origin
			r.assume("I took " + at.Name + " as where you start.")
		}
		r.give(f, s.From, s.To)
		switch {
		case f == trip.Origin && u.Origin != nil && !fromCue().MatchString(before):
			stops = append(stops, at) // "Berlin to Prague" of a trip that starts elsewhere
		case f == trip.Origin:
			if u.Origin != nil && bySequence {
				stops = slices.Insert(stops, 0, *u.Origin)
			}
			bySequence = !fromCue().MatchString(before)
			u.Origin = &at
		case len(adds) > 0, len(r.c.Trip.Destinations) > 0 &&
			(addCue().MatchString(before) || lateCue().MatchString(r.Low()[s.To:])):
			adds = append(adds, at)
		default:
			stops = append(stops, at)
		}
	}
	if start := u.Origin; len(stops) > 1 && start != nil && stops[len(stops)-1].Same(*start) {
		stops = stops[:len(stops)-1] // the way home
	}
	if r.alternatives(spots, stops) {
		return
	}
	adds = slices.DeleteFunc(adds, func(p trip.Place) bool {
		return slices.ContainsFunc(r.c.Trip.Destinations, p.Same)
	})
	if ahead != nil && len(adds)+len(stops) > 0 {
		for _, p := range r.c.Trip.Destinations {
			if p.Same(*ahead) {
				u.Destinations = append(u.Destinations, slices.Concat(adds, stops)...)
			}
			u.Destinations = append(u.Destinations, p)
		}
		return
	}
	if r.out.Update.Longer != 0 && len(r.c.Trip.Destinations) > 0 {
		adds, stops = append(adds, stops...), nil // "add a day in New York"
	}
	if len(drops) == 0 && len(stops) > 0 && len(r.c.Trip.Destinations) > len(stops) &&
		!insteadCue().MatchString(r.Low()) &&
		!onlyCue().MatchString(r.Low()) && !slices.ContainsFunc(stops, func(p trip.Place) bool {
		return !slices.ContainsFunc(r.c.Trip.Destinations, p.Same)
	}) {
		stops = nil // spoken of, and a part of the trip already
		r.ungive(trip.Destinations)
	}
	adds = slices.DeleteFunc(adds, func(p trip.Place) bool {
		return slices.ContainsFunc(r.c.Trip.Destinations, p.Same)
	})
	// "Not Rome but Florence" and "instead of Rome" name what is replaced.
	switch {
	case len(drops) > 0 && len(stops) > 0:
		u.Destinations = nil
		for _, p := range r.c.Trip.Destinations {
			if !slices.ContainsFunc(drops, p.Same) {
				u.Destinations = append(u.Destinations, p)
			} else if len(stops) > 0 {
				u.Destinations, stops = append(u.Destinations, stops...), nil
			}
		}
		u.Destinations = append(u.Destinations, stops...)
	default:
		u.Destinations, u.RemoveDestinations = stops, drops
	}
	u.AddDestinations = adds
	if u.Origin != nil && r.said[trip.Origin] != "" {
		r.said[trip.Origin] = u.Origin.Name
	}
	if list := slices.Concat(u.Destinations, adds); len(list) > 0 && r.said[trip.Destinations] != "" {
		r.said[trip.Destinations] = placeNames(list)
	}
	if asked != nil && len(stops) == 0 && len(adds) == 0 {
		r.ask(*asked)
	}
	r.more(adds)
	r.home()
}

// more makes the trip longer by the days that are said of a city that is added: "also
// Washington for two days".
func (r *reader) more(adds []trip.Place) {
	d := &r.out.Update.Dates
	if len(adds) == 0 || !r.c.Trip.Dates.Known() || d.Nights == 0 || !d.Start.IsZero() || !d.End.IsZero() {
		return
	}
	days := d.Nights
	if !strings.Contains(r.said[trip.Dates], "night") && !strings.Contains(r.said[trip.Dates], "week") {
		days++ // "two days" were read as one night
	}
	*d = trip.DateRange{}
	r.out.Update.Longer = days
	r.assume("I took it as " + strconv.Itoa(days) + " more days.")
}

// alternatives asks which of two cities is meant that stand on both sides of "or".
func (r *reader) alternatives(spots []reading.Spot, stops []trip.Place) bool {
	if len(stops) < 2 {
		return false
	}
	for i := 1; i < len(spots); i++ {
		if strings.Trim(r.Low()[spots[i-1].To:spots[i].From], " ,") != "or" &&
			strings.Trim(r.Low()[spots[i-1].To:spots[i].From], " ,") != "ya" {
			continue
		}
		q := questions.Question{Field: trip.Destinations, Text: "Which of them?"}
		for _, p := range stops[:min(len(stops), 4)] {
			q.Choices = append(q.Choices, p.Name)
		}
		r.ask(q)
		r.ungive(trip.Destinations)
		return true
	}
	return false
}

// apart reports whether other words than commas and "and" stand between a place and the
// one before it, which is where the trip goes.
func (r *reader) apart(spots []reading.Spot, i int) bool {
	if i == 0 || spots[i-1].Role == reading.Bare || spots[i-1].Role == reading.From {
		return false
	}
	between := strings.Trim(r.Low()[spots[i-1].To:spots[i].From], " ,&+")
	return !slices.Contains([]string{"", "and", "then", "and then", "or", "plus", "via", "aur"}, between)
}

func placeNames(list []trip.Place) string {
	names := make([]string, len(list))
	for i, p := range list {
		names[i] = p.Name
	}
	return strings.Join(names, ", ")
}

var ordinaryName = lazily(`(?:\b(in|to|visit|from|near) |^)(Nice|Reading|Bath)(?:$|[.!?;]| (?:for|from|in|on|` +
	`with|and|next|this)\b)`)

// ordinary adds a city whose name is a word of English as well, where it is written as a
// name behind a preposition or at the beginning.
func (r *reader) ordinary(list []reading.Spot) []reading.Spot {
	m := ordinaryName().FindStringSubmatchIndex(r.Plain())
	if m == nil || !r.Free(m[4], m[5]) {
		return list
	}
	name := r.Plain()[m[4]:m[5]]
	s := reading.Spot{From: m[4], To: m[5], Role: reading.Within, Words: name, Candidates: places.Lookup(name)}
	if m[2] >= 0 && r.Plain()[m[2]:m[3]] == "from" {
		s.Role = reading.From
	}
	if len(s.Candidates) == 0 {
		return list
	}
	r.Use(s.From, s.To)
	list = append(list, s)
	slices.SortFunc(list, func(a, b reading.Spot) int { return cmp.Compare(a.From, b.From) })
	return list
}

// mentioned reports whether the words of a place are taken for one in their sentence.
func (r *reader) mentioned(s reading.Spot) bool {
	return slices.ContainsFunc(places.Find(r.Plain()), func(m places.Mention) bool {
		return m.Start < s.To && s.From < m.End
	})
}

// exact reports whether a place is written as it is called.
func exact(s reading.Spot) bool {
	p, name := s.Candidates[0], places.Fold(s.Words)
	head, _, _ := strings.Cut(name, ",")
	return strings.EqualFold(s.Words, p.Code) || head == places.Fold(p.Name) || head == places.Fold(p.City) ||
		strings.Contains(name, places.Fold(p.Name)) || strings.Contains(places.Fold(p.Name), name)
}

// originMeant reports whether a place without a word before it answers where they start.
func (r *reader) originMeant() bool {
	if r.open(trip.Destinations) || len(r.c.Trip.Destinations) == 0 {
		return false
	}
	return r.open(trip.Origin) && r.c.Trip.Origin == nil && !insteadCue().MatchString(r.Low())
}

// among returns the place that is known already of several with one name.
func (r *reader) among(list []places.Place, f trip.Field) (trip.Place, bool) {
	for _, c := range list {
		p := placeOf(c)
		if f == trip.Destinations && slices.ContainsFunc(r.c.Trip.Destinations, p.Same) ||
			f == trip.Origin && r.c.Trip.Origin != nil && r.c.Trip.Origin.Same(p) {
			return p, true
		}
	}
	return trip.Place{}, false
}

// which asks which of several places with one name is meant.
func (r *reader) which(f trip.Field, s reading.Spot) {
	q := questions.Question{Field: f, Text: "Which " + s.Words + " do you mean?"}
	for _, c := range s.Candidates[:min(len(s.Candidates), 4)] {
		q.Choices = append(q.Choices, choice(c, f))
	}
	r.ask(q)
}

// choice is a place as the person would answer it.
func choice(p places.Place, f trip.Field) string {
	name := p.Name
	if p.Region != "" && p.Region != p.Name {
		name += ", " + p.Region
	}
	if found := places.Lookup(name); len(found) != 1 || found[0].Code != p.Code {
		if name = p.Name; p.Country != "" && p.Name != places.CountryName(p.Country) {
			name += ", " + places.CountryName(p.Country)
		}
	}
	if f == trip.Origin {
		return "From " + name
	}
	return name
}

// home fills in where the person usually starts.
func (r *reader) home() {
	next, _ := r.c.Trip.Merge(r.out.Update)
	if r.c.Home == "" || next.Origin != nil || !next.WantsOrigin() || len(next.Destinations) == 0 ||
		slices.ContainsFunc(r.out.Ask, func(q questions.Question) bool { return q.Field == trip.Origin }) {
		return
	}
	p, ok := places.ByCode(r.c.Home)
	if !ok || slices.ContainsFunc(next.Destinations, placeOf(p).Same) {
		return
	}
	at := placeOf(p)
	r.out.Update.Origin = &at
	r.assume("I took " + at.Name + ", your home airport, as where you start.")
}

func placeOf(p places.Place) trip.Place {
	name := p.Name
	if p.Kind == places.Airport && p.City != "" && !strings.Contains(p.Name, p.City) {
		name = p.City + " " + p.Name
	}
	return trip.Place{Name: name, Code: p.Code, Country: p.Country, Zone: p.Zone, Lat: p.Lat, Lon: p.Lon}
}
