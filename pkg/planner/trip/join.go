package trip

import "slices"

// And returns the update with what another one says of fields that it says nothing of. What
// the other one adds to lists of wishes is added in any case.
func (u Update) And(more Update) Update {
	for _, l := range []struct{ ours, theirs *Change }{{&u.Interests, &more.Interests}, {&u.Dietary, &more.Dietary},
		{&u.MustDos, &more.MustDos}, {&u.Constraints, &more.Constraints}} {
		if !l.ours.Empty() {
			l.ours.Add = append(slices.Clip(l.ours.Add), l.theirs.Add...)
		}
	}
	for _, f := range u.Fields() {
		more = more.Without(f)
	}
	u.Reset = u.Reset || more.Reset
	for _, f := range more.Fields() {
		switch f {
		case Destinations:
			u.Destinations, u.AddDestinations = more.Destinations, more.AddDestinations
			u.RemoveDestinations = more.RemoveDestinations
		case Dates:
			u.Dates, u.ForgetDates, u.Shift, u.Longer = more.Dates, more.ForgetDates, more.Shift, more.Longer
		case Party:
			u.Travellers = more.Travellers
		case BudgetLevel:
			u.Budget, u.Most, u.ForgetMost = more.Budget, more.Most, more.ForgetMost
		case Origin:
			u.Origin, u.LocalOnly = more.Origin, more.LocalOnly
		case PaceOf:
			u.Pace = more.Pace
		case Interests:
			u.Interests = more.Interests
		case Dietary:
			u.Dietary = more.Dietary
		case HotelStyle:
			u.HotelStyle = more.HotelStyle
		case MustDos:
			u.MustDos = more.MustDos
		case Constraints:
			u.Constraints, u.OwnCar = more.Constraints, more.OwnCar
			u.Exclude, u.Include = more.Exclude, more.Include
		}
	}
	return u
}
