package reservations

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/plaintext"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// preview shows the old beside the new, and what it means in money.
func (e Edit) preview(ch Changes) (tool.Preview, error) {
	d := e.Before
	guest, _ := plaintext.Show(d.Guest.Name)
	s := sheet{tool.Preview{Title: fmt.Sprintf("Change reservation %s of %s", d.Code, guest)}}
	s.show(d)
	shown := len(s.Lines)
	s.line("Check-in", d.CheckIn.Show(), e.CheckIn.Show())
	s.line("Check-out", d.CheckOut.Show(), e.CheckOut.Show())
	if was, is := count(d.Nights, "night"), count(e.CheckIn.Until(e.CheckOut), "night"); was != is {
		s.line("Length", was, is)
	}
	s.line("Room", d.units(), e.units())
	s.line("Guests", people(d.Adults, d.Children), people(e.Adults, e.Children))
	if d.Package != nil || e.Package != "" {
		was := ""
		if d.Package != nil {
			was = d.Package.Code
		}
		s.change("Package", was, e.Package)
	}
	s.change("Coupon", d.CouponCode, e.Coupon)
	if e.Scope != "none" {
		s.change("Extras", d.extras(), e.extras())
	}
	s.texts(d, ch)
	if len(s.Lines) == shown {
		return tool.Preview{}, fault.New(fault.Conflict,
			"Reservation %s is like that already, so there is nothing to change.", d.Code).WithCode("unchanged")
	}
	if e.Scope != "none" {
		s.price(d.money(), e.Money, d.Currency, "")
		s.line("Total", d.Total.Format(d.Currency), e.Money.Total.Format(d.Currency))
		if diff, err := e.Money.Total.Sub(d.Total); err == nil {
			switch {
			case diff.IsZero():
				s.add("Difference", "none")
			case diff.Negative():
				s.add("Difference", diff.Format(d.Currency))
			default:
				s.add("Difference", "+"+diff.Format(d.Currency))
			}
		}
		s.line("Deposit", d.DepositDue.Format(d.Currency), e.Money.DepositDue.Format(d.Currency))
		if e.Money.Total.Cmp(d.Paid) < 0 {
			s.warn("%s was paid already, more than the new total.", d.Paid.Format(d.Currency))
		}
	}
	for _, sentence := range e.SetAside {
		s.warn("Set aside: %s", sentence)
	}
	for _, choice := range d.Selections {
		if e.Scope != "none" && (choice.Status == "completed" || choice.Status == "submitted") &&
			!e.has(choice.ExtraCode) {
			s.warn("What the guest chose for %s is lost.", choice.Extra)
		} else if days := e.outside(choice.ServiceDate, choice.Choices); len(days) > 0 {
			s.warn("%s is set for %s, outside of the new stay; another day can be set.",
				choice.Extra, join(days))
		}
	}
	if d.HoldOver {
		s.warn("The hold of this reservation is over; its nights may be given to somebody else at any moment.")
	}
	return s.Preview, nil
}

// change is line, with "none" for what is taken away or was not there.
func (s *sheet) change(label, before, after string) {
	if before == after {
		return
	}
	if before == "" {
		before = "none"
	}
	if after == "" {
		after = "none"
	}
	s.line(label, before, after)
}

func (s *sheet) texts(d Details, ch Changes) {
	for _, t := range []struct {
		label, before string
		after         *string
	}{
		{"Guest", d.Guest.Name, ch.GuestName},
		{"E-mail", d.Guest.Email, ch.GuestEmail},
		{"Phone country code", d.Guest.PhoneCountryCode, ch.PhoneCountryCode},
		{"Phone", d.Guest.Phone, ch.Phone},
		{"Country", d.Guest.Country, ch.Country},
		{"Special requests", d.SpecialRequests, ch.SpecialRequests},
		{"Notes", d.Notes, ch.Notes},
	} {
		if t.after != nil {
			s.change(t.label, t.before, *t.after)
		}
	}
	if ch.Channel != "" {
		s.change("Booked through", Channel(d.Channel).Words(), ch.Channel.Words())
	}
}

func (d Details) money() Money {
	return Money{
		RoomTotal: d.RoomTotal, ExtraGuestTotal: d.ExtraGuestTotal, PackageOtherTotal: d.PackageOtherTotal,
		DiscountTotal: d.DiscountTotal,
		ExtrasTotal:   d.ExtrasTotal, TaxTotal: d.TaxTotal, Total: d.Total, DepositDue: d.DepositDue,
	}
}

func (d Details) units() string {
	list := make([]string, len(d.Rooms))
	for i, r := range d.Rooms {
		list[i] = inUnit(r.RoomName, r.Unit)
	}
	return strings.Join(list, "; ")
}

func (e Edit) units() string {
	list := make([]string, len(e.Units))
	for i, r := range e.Units {
		list[i] = inUnit(r.RoomName, r.Unit)
	}
	return strings.Join(list, "; ")
}

// inUnit names a unit only where it is pinned: others may change until check-in.
func inUnit(room, unit string) string {
	if unit == "" {
		return room
	}
	return room + ", unit " + unit
}

func (d Details) extras() string {
	list := make([]string, len(d.Extras))
	for i, x := range d.Extras {
		list[i] = fmt.Sprintf("%d × %s", x.Quantity, x.Name)
	}
	return join(list)
}

func (e Edit) extras() string {
	list := make([]string, len(e.Extras))
	for i, x := range e.Extras {
		list[i] = fmt.Sprintf("%d × %s", x.Quantity, x.Name)
	}
	return join(list)
}

func (e Edit) has(extra string) bool {
	for _, x := range e.Extras {
		if x.Code == extra {
			return true
		}
	}
	return false
}

// outside lists the days of a selection on which the guests are not there.
func (e Edit) outside(service calendar.Date, choices json.RawMessage) []string {
	var meals []struct {
		Date calendar.Date `json:"date"`
	}
	// What cannot be read has no days; the selection's own tools tell of it.
	_ = json.Unmarshal(choices, &meals)
	days := []calendar.Date{service}
	for _, m := range meals {
		days = append(days, m.Date)
	}
	var out []string
	for _, d := range days {
		if !d.IsZero() && (e.CheckIn.After(d) || d.After(e.CheckOut)) && !slices.Contains(out, d.Show()) {
			out = append(out, d.Show())
		}
	}
	return out
}
