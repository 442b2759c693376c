package selections

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

func (d service) previewUpdate(ctx context.Context, by identity.Caller, in updateInput) (tool.Preview, error) {
	s, err := d.find(ctx, by, in.which)
	if err != nil {
		return tool.Preview{}, err
	}
	if err := in.allowed(s); err != nil {
		return tool.Preview{}, err
	}
	menu, err := d.store.Dishes(ctx, by)
	if err != nil {
		return tool.Preview{}, err
	}
	choices, err := in.choose(s, menu)
	if err != nil {
		return tool.Preview{}, err
	}
	p := tool.Preview{
		Title: fmt.Sprintf("Set the selection %s for %s to %s", s.Code, s.Extra, in.Status.Words()),
		Lines: []tool.Line{
			{Label: "Property", After: by.Entity.Name},
			{Label: "Reservation", After: s.reservation()},
			{Label: "Status", Before: s.Status.Words(), After: in.Status.Words()},
		},
		Targets: []tool.Target{{Table: "extra_selections", Key: s.Code, Version: s.Version}},
	}
	if !in.ServiceDate.IsZero() {
		p.Lines = append(p.Lines, tool.Line{Label: "Served on", Before: s.ServiceDate.Show(),
			After: in.ServiceDate.Show()})
	}
	if in.Preferences != "" {
		p.Lines = append(p.Lines, tool.Line{Label: "Preferences", Before: s.Preferences, After: in.Preferences})
	}
	for _, c := range choices {
		p.Lines = append(p.Lines, tool.Line{Label: c.label(), After: c.dishes(menu)})
		for _, code := range c.Dishes {
			p.Targets = addDish(p.Targets, menu, code)
		}
	}
	if len(choices) > 0 && len(s.Choices) > 0 {
		p.Warnings = append(p.Warnings, fmt.Sprintf("The %s recorded so far are replaced.",
			count(len(s.Choices), "meal")))
	}
	if (in.Status == Completed || in.Status == Submitted) && len(choices) == 0 && len(s.Choices) == 0 {
		p.Warnings = append(p.Warnings, "No meals are recorded for it.")
	}
	if s.ReservationStatus == "cancelled" || s.ReservationStatus == "no_show" {
		p.Warnings = append(p.Warnings, "The reservation is "+strings.ReplaceAll(s.ReservationStatus, "_", "-")+".")
	}
	return p, nil
}

// update does what the preview allowed. It does not ask again whether the
// step is allowed: a repeated call would meet its own result. The store does,
// in the same statement that writes.
func (d service) update(ctx context.Context, by identity.Caller, in updateInput) (updated, error) {
	s, err := d.find(ctx, by, in.which)
	if err != nil {
		return updated{}, err
	}
	menu, err := d.store.Dishes(ctx, by)
	if err != nil {
		return updated{}, err
	}
	choices, err := in.choose(s, menu)
	if err != nil {
		return updated{}, err
	}
	from := in.Status.before()
	if !in.details() {
		from = slices.DeleteFunc(from, func(f Status) bool { return f == in.Status })
	}
	now, err := d.store.Update(ctx, by, s.Code, from, Change{
		To: in.Status, Choices: choices, Preferences: in.Preferences, ServiceDate: in.ServiceDate, At: d.now(),
	})
	if err != nil {
		return updated{}, err
	}
	s.Status, s.Choices, s.Preferences, s.ServiceDate = now.Status, now.Choices, now.Preferences, now.ServiceDate
	return updated{newDetails(s, menu)}, nil
}

// details reports whether more than the status is given.
func (in updateInput) details() bool {
	return len(in.Choices) > 0 || in.Preferences != "" || !in.ServiceDate.IsZero()
}

// allowed explains why a selection cannot become what is asked for.
func (in updateInput) allowed(s Selection) error {
	name := fmt.Sprintf("The selection %s for %s", s.Code, s.Extra)
	switch {
	case s.Status == in.Status && !in.details():
		return fault.New(fault.Conflict, "%s is %s already.", name, s.Status.Words()).WithCode("unchanged")
	case s.Status.reaches(in.Status):
		return nil
	case s.Status == Submitted:
		return fault.New(fault.Conflict, "%s is submitted: it is being prepared by what it says and cannot be "+
			"changed any more.", name).WithCode("bad_step")
	case s.Status == NotRequired:
		return fault.New(fault.Conflict, "%s is not required. Set it to pending first, if the guest is to choose "+
			"after all.", name).WithCode("bad_step")
	case in.Status == Submitted:
		return fault.New(fault.Conflict, "%s is pending. It has to be completed before it can be submitted.",
			name).WithCode("bad_step")
	case in.Status == NotRequired:
		return fault.New(fault.Conflict, "%s is completed. Only a pending one can be set to not required.",
			name).WithCode("bad_step")
	}
	return fault.New(fault.Conflict, "%s is completed. It can be submitted, or changed by giving new choices with "+
		"the status completed; it does not become pending again.", name).WithCode("bad_step")
}

// choose finds the dishes and days that are meant and refuses what the kitchen
// or the stay does not allow.
func (in updateInput) choose(s Selection, menu []Dish) ([]Choice, error) {
	within := func(d calendar.Date) error {
		if d.Before(s.CheckIn) || d.After(s.CheckOut) {
			return fault.New(fault.Invalid, "%s lies outside of the stay, which is from %s to %s.", d.Show(),
				s.CheckIn.Show(), s.CheckOut.Show())
		}
		return nil
	}
	service := s.ServiceDate
	if !in.ServiceDate.IsZero() {
		service = in.ServiceDate
		if err := within(service); err != nil {
			return nil, err
		}
	}
	var choices []Choice
	for _, c := range in.Choices {
		chosen := Choice{Date: c.Date, Meal: c.Meal, Guest: c.Guest, Dishes: []string{}}
		if chosen.Date.IsZero() {
			chosen.Date = service
		} else if err := within(chosen.Date); err != nil {
			return nil, err
		}
		for _, wanted := range c.Dishes {
			dish, err := names.Find(menu, wanted, "dish")
			if err != nil {
				return nil, err
			}
			if !dish.Available {
				return nil, fault.New(fault.Conflict, "%s (%s) is not available at present.%s", dish.Name, dish.Code,
					instead(menu)).WithCode("dish_unavailable")
			}
			if !slices.Contains(chosen.Dishes, dish.Code) {
				chosen.Dishes = append(chosen.Dishes, dish.Code)
			}
		}
		choices = append(choices, chosen)
	}
	return choices, nil
}

// instead names some dishes that can be had.
func instead(menu []Dish) string {
	var available []string
	for _, d := range menu {
		if d.Available && len(available) < 5 {
			available = append(available, d.Name)
		}
	}
	if len(available) == 0 {
		return ""
	}
	return " Available are, among others: " + strings.Join(available, ", ") + "."
}

// addDish adds a dish once.
func addDish(targets []tool.Target, menu []Dish, code string) []tool.Target {
	for _, t := range targets {
		if t.Table == "chef_menu_items" && t.Key == code {
			return targets
		}
	}
	for _, d := range menu {
		if d.Code == code {
			return append(targets, tool.Target{Table: "chef_menu_items", Key: code, Version: d.Version})
		}
	}
	return targets
}
