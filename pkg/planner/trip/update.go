package trip

import (
	"slices"
	"strings"
	"unicode"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Bounds of what is kept of a message.
const (
	// keptDestinations is how many destinations are kept, so that Check can say that they
	// are too many.
	keptDestinations = 8
	keptChildren     = 40
	// maxWishes is how many bytes all wishes of a context have together.
	maxWishes = 3 << 10
)

// Change adds to a list of wishes and takes away from it.
type Change struct {
	Add    []string `json:"add,omitempty"`
	Remove []string `json:"remove,omitempty"`
	Clear  bool     `json:"clear,omitempty"` // before anything is added
}

// Empty reports whether nothing is changed.
func (c Change) Empty() bool { return len(c.Add) == 0 && len(c.Remove) == 0 && !c.Clear }

// Update is what a message changes of what is known. The zero Update changes nothing.
type Update struct {
	// Reset clears the context before the rest is applied (S4-16).
	Reset  bool   `json:"reset,omitempty"`
	Origin *Place `json:"origin,omitempty"`
	// Destinations replace those that were known; Add and Remove keep the others.
	Destinations       []Place `json:"destinations,omitempty"`
	AddDestinations    []Place `json:"addDestinations,omitempty"`
	RemoveDestinations []Place `json:"removeDestinations,omitempty"`
	// Dates has what the message says of them. A first day without a last day and nights
	// keeps how long the trip was, nights alone keep the first day.
	Dates DateRange `json:"dateRange,omitzero"`
	// ForgetDates clears the dates before Dates is applied.
	ForgetDates bool `json:"forgetDates,omitempty"`
	// Shift moves both days, and Longer the last one, by days; both may be negative.
	Shift      int          `json:"shift,omitempty"`
	Longer     int          `json:"longer,omitempty"`
	Travellers *Travellers  `json:"travelers,omitempty"`
	Budget     Budget       `json:"budget,omitempty"`
	Most       *money.Price `json:"budgetLimit,omitempty"`
	ForgetMost bool         `json:"forgetBudgetLimit,omitempty"`
	Pace       Pace         `json:"pace,omitempty"`
	Interests  Change       `json:"interests,omitzero"`
	Dietary    Change       `json:"dietary,omitzero"`
	// HotelStyle replaces the style; a pointer to "" clears it.
	HotelStyle  *string      `json:"hotelStyle,omitempty"`
	MustDos     Change       `json:"mustDos,omitzero"`
	Constraints Change       `json:"constraints,omitzero"`
	LocalOnly   *bool        `json:"localOnly,omitempty"`
	OwnCar      *bool        `json:"ownCar,omitempty"`
	Exclude     []Specialist `json:"exclude,omitempty"`
	Include     []Specialist `json:"include,omitempty"`
}

// Fields returns the fields that the update speaks of, in the order of Fields.
func (u Update) Fields() []Field {
	said := map[Field]bool{
		Destinations: len(u.Destinations)+len(u.AddDestinations)+len(u.RemoveDestinations) > 0,
		Dates:        u.Dates != DateRange{} || u.ForgetDates || u.Shift != 0 || u.Longer != 0,
		Party:        u.Travellers != nil,
		BudgetLevel:  u.Budget != "" || u.Most != nil || u.ForgetMost,
		Origin:       u.Origin != nil || u.LocalOnly != nil,
		PaceOf:       u.Pace != "",
		Interests:    !u.Interests.Empty(),
		Dietary:      !u.Dietary.Empty(),
		HotelStyle:   u.HotelStyle != nil,
		MustDos:      !u.MustDos.Empty(),
		Constraints: !u.Constraints.Empty() || u.OwnCar != nil || len(u.Exclude) > 0 ||
			len(u.Include) > 0,
	}
	var list []Field
	for _, f := range Fields() {
		if said[f] {
			list = append(list, f)
		}
	}
	return list
}

// Empty reports whether the update changes nothing.
func (u Update) Empty() bool { return !u.Reset && len(u.Fields()) == 0 }

// Without returns the update without what it says of a field.
func (u Update) Without(f Field) Update {
	switch f {
	case Destinations:
		u.Destinations, u.AddDestinations, u.RemoveDestinations = nil, nil, nil
	case Dates:
		u.Dates, u.ForgetDates, u.Shift, u.Longer = DateRange{}, false, 0, 0
	case Party:
		u.Travellers = nil
	case BudgetLevel:
		u.Budget, u.Most, u.ForgetMost = "", nil, false
	case Origin:
		u.Origin, u.LocalOnly = nil, nil
	case PaceOf:
		u.Pace = ""
	case Interests:
		u.Interests = Change{}
	case Dietary:
		u.Dietary = Change{}
	case HotelStyle:
		u.HotelStyle = nil
	case MustDos:
		u.MustDos = Change{}
	case Constraints:
		u.Constraints, u.OwnCar, u.Exclude, u.Include = Change{}, nil, nil, nil
	}
	return u
}

// Fields returns all fields: the critical ones in the order in which they are asked, then
// the others.
func Fields() []Field {
	return []Field{Destinations, Dates, Party, BudgetLevel, Origin, PaceOf, Interests, Dietary, HotelStyle, MustDos,
		Constraints}
}

// Critical reports whether plans need the field.
func (f Field) Critical() bool {
	return slices.Contains([]Field{Destinations, Dates, Party, BudgetLevel, Origin}, f)
}

// Merge returns the context after an update, and the fields whose value is another now.
// What was known stays unless the update says otherwise. Texts are cleaned and cut, lists
// are bounded; whether values are possible says Check.
func (c Context) Merge(u Update) (Context, []Field) {
	was := c
	if u.Reset {
		c = Context{}
	}
	if u.Origin != nil {
		at := cleanPlace(*u.Origin)
		c.Origin, c.LocalOnly = &at, false
	}
	if u.LocalOnly != nil {
		if c.LocalOnly = *u.LocalOnly; c.LocalOnly {
			c.Origin = nil
		}
	}
	if u.OwnCar != nil {
		c.OwnCar = *u.OwnCar
	}
	c.Destinations = c.destinations(u)
	c.Dates = c.Dates.merge(u)
	if u.Travellers != nil {
		t := *u.Travellers
		t.Children = slices.Clone(t.Children[:min(len(t.Children), keptChildren)])
		c.Travellers = &t
	}
	if u.Budget != "" {
		c.Budget = u.Budget
	}
	switch {
	case u.Most != nil:
		most := *u.Most
		c.Most = &most
	case u.ForgetMost:
		c.Most = nil
	}
	if u.Pace != "" {
		c.Preferences.Pace = u.Pace
	}
	if u.HotelStyle != nil {
		c.Preferences.HotelStyle = Clean(*u.HotelStyle)
	}
	c.Preferences.Interests = u.Interests.apply(c.Preferences.Interests)
	c.Preferences.Dietary = u.Dietary.apply(c.Preferences.Dietary)
	c.MustDos = u.MustDos.apply(c.MustDos)
	c.Constraints = u.Constraints.apply(c.Constraints)
	c.bound()
	c.Excluded = slices.DeleteFunc(slices.Clone(c.Excluded), func(s Specialist) bool {
		return slices.Contains(u.Include, s)
	})
	for _, s := range Specialists() { // in their order, whatever that of the update
		if slices.Contains(u.Exclude, s) && !slices.Contains(c.Excluded, s) {
			c.Excluded = append(c.Excluded, s)
		}
	}
	if len(c.Excluded) == 0 {
		c.Excluded = nil
	}
	return c, changed(was, c)
}

func (c Context) destinations(u Update) []Place {
	list := slices.Clone(c.Destinations)
	if len(u.Destinations) > 0 {
		list = nil
	}
	list = slices.DeleteFunc(list, func(p Place) bool {
		return slices.ContainsFunc(u.RemoveDestinations, p.Same)
	})
	for _, p := range slices.Concat(u.Destinations, u.AddDestinations) {
		if p = cleanPlace(p); p.Name != "" && !slices.ContainsFunc(list, p.Same) && len(list) < keptDestinations {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list
}

// Same reports whether two places are the same city: of the same code, or of the same name
// and country where one has no code.
func (p Place) Same(o Place) bool {
	if p.Code != "" && o.Code != "" {
		return p.Code == o.Code
	}
	return strings.EqualFold(p.Name, o.Name) && (p.Country == o.Country || p.Country == "" || o.Country == "")
}

func (d DateRange) merge(u Update) DateRange {
	nights := d.Nights
	if d.Known() {
		nights = d.Start.Until(d.End)
	}
	if u.ForgetDates {
		d = DateRange{}
	}
	if said := u.Dates; said != (DateRange{}) {
		if said.Nights > 0 {
			nights = said.Nights
		}
		switch {
		case !said.Start.IsZero() && !said.End.IsZero():
			d.Start, d.End = said.Start, said.End
		case !said.End.IsZero():
			d.End = said.End
			if d.Start.IsZero() && nights > 0 {
				d.Start = d.End.AddDays(-nights)
			}
		case !said.Start.IsZero():
			d.Start, d.End = said.Start, calendar.Date{}
		case said.Nights > 0:
			d.End = calendar.Date{}
		}
		if !d.Start.IsZero() && d.End.IsZero() && nights > 0 {
			d.End = d.Start.AddDays(nights)
		}
		d.Nights = nights
	}
	if d.Known() {
		d.Start, d.End = d.Start.AddDays(u.Shift), d.End.AddDays(u.Shift+u.Longer)
		d.Nights = 0 // the dates say it
	} else if !d.Start.IsZero() {
		d.Start = d.Start.AddDays(u.Shift)
	}
	return d
}

// apply returns a list after the change: each text once, whatever its letters' case.
func (c Change) apply(list []string) []string {
	if c.Clear {
		list = nil
	}
	var out []string
	put := func(s string) {
		s = Clean(s)
		same := func(o string) bool { return strings.EqualFold(o, s) }
		if s != "" && len(out) < MaxWishes && !slices.ContainsFunc(out, same) {
			out = append(out, s)
		}
	}
	for _, s := range list {
		if !slices.ContainsFunc(c.Remove, func(o string) bool { return strings.EqualFold(Clean(o), s) }) {
			put(s)
		}
	}
	for _, s := range c.Add {
		put(s)
	}
	return out
}

// bound drops the last wishes of a context that has more text than is kept.
func (c *Context) bound() {
	left := maxWishes
	for _, list := range []*[]string{&c.MustDos, &c.Constraints, &c.Preferences.Dietary, &c.Preferences.Interests} {
		for i, s := range *list {
			if left -= len(s) + 3; left < 0 { // quotes and a comma
				*list = (*list)[:i]
				break
			}
		}
	}
}

// Clean returns a text of a person as it is kept: one line without control characters and
// marks of a markup language, of at most MaxText letters.
func Clean(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r), strings.ContainsRune("<>`{}\\", r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, s)
	s = strings.Trim(strings.Join(strings.Fields(s), " "), " .,;:-")
	if letters := []rune(s); len(letters) > MaxText {
		s = strings.TrimRight(string(letters[:MaxText-1]), " ") + "…"
	}
	return s
}

// maxName is how many bytes of the name of a place are kept; the longest of them that
// pkg/travel/places knows is shorter.
const maxName = 90

func cleanPlace(p Place) Place {
	p.Name = Clean(p.Name)
	for len(p.Name) > maxName {
		letters := []rune(p.Name)
		p.Name = string(letters[:len(letters)-1])
	}
	return p
}

// changed returns the fields in which two contexts differ.
func changed(a, b Context) []Field {
	samePlace := func(x, y *Place) bool { return x == nil && y == nil || x != nil && y != nil && *x == *y }
	sameParty := func(x, y *Travellers) bool {
		return x == nil && y == nil ||
			x != nil && y != nil && x.Adults == y.Adults && slices.Equal(x.Children, y.Children)
	}
	sameMost := func(x, y *money.Price) bool {
		return x == nil && y == nil ||
			x != nil && y != nil && x.Currency == y.Currency && x.Amount.Cmp(y.Amount) == 0
	}
	same := map[Field]bool{
		Destinations: slices.Equal(a.Destinations, b.Destinations),
		Dates:        a.Dates == b.Dates,
		Party:        sameParty(a.Travellers, b.Travellers),
		BudgetLevel:  a.Budget == b.Budget && sameMost(a.Most, b.Most),
		Origin:       samePlace(a.Origin, b.Origin) && a.LocalOnly == b.LocalOnly,
		PaceOf:       a.Preferences.Pace == b.Preferences.Pace,
		Interests:    slices.Equal(a.Preferences.Interests, b.Preferences.Interests),
		Dietary:      slices.Equal(a.Preferences.Dietary, b.Preferences.Dietary),
		HotelStyle:   a.Preferences.HotelStyle == b.Preferences.HotelStyle,
		MustDos:      slices.Equal(a.MustDos, b.MustDos),
		Constraints: slices.Equal(a.Constraints, b.Constraints) && a.OwnCar == b.OwnCar &&
			slices.Equal(a.Excluded, b.Excluded),
	}
	var list []Field
	for _, f := range Fields() {
		if !same[f] {
			list = append(list, f)
		}
	}
	return list
}
