package blockeddates

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
)

// everything is the word for all rooms.
const everything = "ALL"

// named is what people may call by a code or a name: a room type with all its
// units, or one unit of several.
type named struct {
	code, name string
	units      []Unit
}

// Naming returns the code and the name.
func (n named) Naming() (code, name string) { return n.code, n.name }

// choose returns the units that the names mean, each once, ordered by code. A
// type's code or name means all its units.
func choose(wanted []string, units []Unit) ([]Unit, error) {
	if len(units) == 0 {
		return nil, fault.New(fault.NotFound, "The property has no rooms.")
	}
	var all []named
	for _, u := range units {
		if i := slices.IndexFunc(all, func(n named) bool { return n.code == u.TypeCode }); i >= 0 {
			all[i].units = append(all[i].units, u)
		} else {
			all = append(all, named{u.TypeCode, u.TypeName, []Unit{u}})
		}
	}
	for _, t := range slices.Clone(all) {
		for i, u := range t.units {
			if len(t.units) == 1 {
				break
			}
			// The first unit bears the type's own code; its number tells it apart.
			code := u.Code
			if code == t.code {
				code = fmt.Sprintf("%s-%d", code, i+1)
			}
			all = append(all, named{code, t.name + ", unit " + code, []Unit{u}})
		}
	}
	var chosen []Unit
	for _, w := range wanted {
		if names.Fold(w) == names.Fold(everything) {
			chosen = append(chosen, units...)
			continue
		}
		found, err := names.Find(all, w, "room")
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, found.units...)
	}
	slices.SortFunc(chosen, func(a, b Unit) int { return strings.Compare(a.Code, b.Code) })
	return slices.CompactFunc(chosen, func(a, b Unit) bool { return a.Code == b.Code }), nil
}

// let keeps the units that are let at present.
func let(units []Unit) []Unit {
	return slices.DeleteFunc(slices.Clone(units), func(u Unit) bool { return !u.Active })
}

func codes(units []Unit) []string {
	list := make([]string, len(units))
	for i, u := range units {
		list[i] = u.Code
	}
	return list
}

// show names units by their types: "Birch (BIRCH, BIRCH-2), Coco (COCO)".
func show(units []Unit) string {
	var order []string
	byType := map[string][]string{}
	for _, u := range units {
		if byType[u.TypeName] == nil {
			order = append(order, u.TypeName)
		}
		byType[u.TypeName] = append(byType[u.TypeName], u.Code)
	}
	slices.Sort(order)
	for i, name := range order {
		order[i] = name + " (" + strings.Join(byType[name], ", ") + ")"
	}
	return strings.Join(order, ", ")
}

// among returns the units of these codes.
func among(units []Unit, wanted []string) []Unit {
	return slices.DeleteFunc(slices.Clone(units), func(u Unit) bool { return !slices.Contains(wanted, u.Code) })
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
