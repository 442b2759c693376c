package reservations

import (
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
)

type extraInput struct {
	Extra    string `json:"extra" jsonschema:"the extra's code or name"`
	Quantity int    `json:"quantity,omitempty" jsonschema:"how many; nights and guests count by themselves"`
}

// checkExtras fills the quantities.
func checkExtras(list []extraInput) error {
	for i := range list {
		if list[i].Quantity == 0 {
			list[i].Quantity = 1
		}
		if list[i].Quantity < 1 || list[i].Quantity > 100 {
			return fault.New(fault.Invalid, "The quantity of %s must be from 1 to 100.", clip(list[i].Extra))
		}
	}
	return nil
}

// room finds the type and, where one is asked for, the unit. A unit's code in
// place of the type's is understood.
func (b Bookable) room(wanted, unit string) (BookableRoom, string, error) {
	if unit == "" {
		for _, r := range b.Rooms {
			for _, code := range r.Units {
				if code != r.Code && names.Fold(code) == names.Fold(wanted) {
					return r, code, open(r.Sold, "let")
				}
			}
		}
	}
	r, err := pick(b.Rooms, wanted, "room type", "let")
	if err != nil || unit == "" {
		return r, "", err
	}
	i := slices.IndexFunc(r.Units, func(code string) bool { return names.Fold(code) == names.Fold(unit) })
	if i < 0 {
		return r, "", fault.New(fault.NotFound, "%s (%s) has no unit %q. Its units are %s.", r.Name, r.Code,
			clip(unit), strings.Join(r.Units, ", "))
	}
	return r, r.Units[i], nil
}

func (b Bookable) extras(list []extraInput) ([]ExtraWanted, error) {
	wanted := make([]ExtraWanted, 0, len(list))
	for _, in := range list {
		x, err := pick(b.Extras, in.Extra, "extra", "sold")
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(wanted, func(w ExtraWanted) bool { return w.Code == x.Code }) {
			return nil, fault.New(fault.Invalid, "%s (%s) stands in the extras twice. Name it once with its quantity.",
				x.Name, x.Code)
		}
		wanted = append(wanted, ExtraWanted{Code: x.Code, Quantity: in.Quantity})
	}
	return wanted, nil
}

// pick finds the active item that is meant. verb is what is done with such items.
func pick[T interface {
	names.Named
	sold() Sold
}](list []T, wanted, kind, verb string) (T, error) {
	active := slices.DeleteFunc(slices.Clone(list), func(t T) bool { return !t.sold().Active })
	t, err := names.Find(active, wanted, kind)
	if err == nil || len(active) == len(list) {
		return t, err
	}
	if other, otherErr := names.Find(list, wanted, kind); otherErr == nil {
		return other, open(other.sold(), verb)
	}
	return t, err
}

func open(s Sold, verb string) error {
	if s.Active {
		return nil
	}
	return fault.New(fault.Unprocessable, "%s (%s) is not %s at present.", s.Name, s.Code, verb).WithCode("inactive")
}

func (s Sold) sold() Sold { return s }

// clip shortens user input for a message.
func clip(s string) string { return cut(s, 61) }

// cut shortens a text to so many letters.
func cut(s string, letters int) string {
	if r := []rune(s); len(r) > letters {
		return string(r[:letters-1]) + "…"
	}
	return s
}
