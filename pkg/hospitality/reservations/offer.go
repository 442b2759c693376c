package reservations

import (
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/plaintext"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// sheet collects the lines of a preview. Texts that people typed are shown with
// what they hide.
type sheet struct{ tool.Preview }

func (s *sheet) line(label, before, after string) {
	if before == after || before == "" && after == "" {
		return
	}
	shownBefore, _ := plaintext.Show(before)
	shown, hidden := plaintext.Show(after)
	s.Lines = append(s.Lines, tool.Line{Label: label, Before: shownBefore, After: shown})
	if hidden {
		s.warn("%s holds characters that can't be seen; they are shown by their numbers and kept as typed.", label)
	}
}

func (s *sheet) add(label, value string) { s.line(label, "", value) }

func (s *sheet) warn(format string, args ...any) {
	s.Warnings = append(s.Warnings, fmt.Sprintf(format, args...))
}

func (f Offer) preview(by identity.Caller, o Order) (tool.Preview, error) {
	guest, _ := plaintext.Show(o.Guest.Name)
	s := sheet{tool.Preview{Title: fmt.Sprintf("Book %s for %s", f.rooms(), guest)}}
	s.add("Property", by.Entity.Name)
	s.add("Guest", o.Guest.Name)
	s.add("Stay", stay(o.CheckIn, o.CheckOut))
	if len(f.Rooms) > 0 && f.Rooms[0].Quote.Package != nil {
		s.add("Package", f.Rooms[0].Quote.Package.Name+" ("+f.Rooms[0].Quote.Package.Code+")")
	}
	for i, r := range f.Rooms {
		label := "Room"
		if len(f.Rooms) > 1 {
			label = fmt.Sprintf("Room %d", i+1)
		}
		wanted := o.Rooms[i]
		text := fmt.Sprintf("%s (%s), ", r.RoomName, r.RoomCode)
		if r.Unit != "" {
			text += "unit " + r.Unit + ", "
		}
		text += people(wanted.Adults, wanted.Children)
		if wanted.GuestName != "" {
			text += ", for " + wanted.GuestName
		}
		if len(f.Rooms) > 1 {
			text += ": " + r.Quote.Total.Format(f.Currency)
		}
		s.add(label, text)
		for _, x := range r.Quote.Extras {
			s.add("Extra", x.show(f.Currency))
		}
	}
	if len(f.Rooms) == 1 {
		s.price(Money{}, f.Rooms[0].Quote.Money, f.Currency, f.Rooms[0].Quote.nightly(f.Currency))
	}
	s.add("Coupon", o.Coupon)
	s.add("Total", f.Total.Format(f.Currency))
	if !f.Deposit.IsZero() {
		s.add("Deposit", f.Deposit.Format(f.Currency))
	}
	s.add("Status", o.standing())
	s.add("E-mail", o.Guest.Email)
	s.add("Phone", strings.TrimSpace(o.Guest.PhoneCountryCode+" "+o.Guest.Phone))
	s.add("Country", o.Guest.Country)
	if o.Channel != "" && o.Channel != "direct" {
		s.add("Booked through", o.Channel.Words())
	}
	s.add("Special requests", o.SpecialRequests)
	s.add("Notes", o.Notes)
	for _, a := range f.Alike {
		other, _ := plaintext.Show(a.Guest)
		s.warn("%s has a booking in these nights already: %s, %s.", other, a.Code, stay(a.CheckIn, a.CheckOut))
	}
	for _, sentence := range f.SetAside {
		s.warn("Set aside: %s", sentence)
	}
	return s.Preview, nil
}

// rooms says "Coco (COCO)", or for several "3 rooms".
func (f Offer) rooms() string {
	if len(f.Rooms) == 1 {
		return f.Rooms[0].RoomName + " (" + f.Rooms[0].RoomCode + ")"
	}
	return count(len(f.Rooms), "room")
}

// standing says how the reservations begin.
func (o Order) standing() string {
	switch {
	case o.HoldHours == nil:
		return "confirmed"
	case *o.HoldHours == 0:
		return "pending"
	}
	return "pending; it lapses after " + count(*o.HoldHours, "hour")
}

// price shows what of the total differs from before; all of it for a new one.
func (s *sheet) price(before, after Money, currency, nightly string) {
	show := func(label string, was, is money.Amount, note string) {
		if was.Cmp(is) == 0 {
			return
		}
		old := ""
		if !before.Total.IsZero() {
			old = was.Format(currency)
		}
		text := is.Format(currency)
		if note != "" {
			text += " (" + note + ")"
		}
		s.line(label, old, text)
	}
	show("Nights", before.RoomTotal, after.RoomTotal, nightly)
	show("Further guests", before.ExtraGuestTotal, after.ExtraGuestTotal, "")
	show("Package, beside the room", before.PackageOtherTotal, after.PackageOtherTotal, "")
	show("Discount", before.DiscountTotal, after.DiscountTotal, "")
	show("Extras", before.ExtrasTotal, after.ExtrasTotal, "")
	show("Tax", before.TaxTotal, after.TaxTotal, "")
}

// nightly says "2 nights at ₹5,200.00, 1 night at ₹6,400.50", equal prices in a
// row together.
func (q Quote) nightly(currency string) string {
	var parts []string
	for i := 0; i < len(q.Lines); {
		j := i
		for j < len(q.Lines) && q.Lines[j].Amount.Cmp(q.Lines[i].Amount) == 0 {
			j++
		}
		parts = append(parts, count(j-i, "night")+" at "+q.Lines[i].Amount.Format(currency))
		i = j
	}
	if len(parts) > 6 {
		return count(len(q.Lines), "night") + " at different prices"
	}
	return join(parts)
}

func (x ExtraPrice) show(currency string) string {
	times := ""
	if n := x.Quantity * x.Factor; n > 1 {
		times = fmt.Sprintf(" (%d × %s)", n, x.UnitPrice.Format(currency))
	}
	return fmt.Sprintf("%s: %s%s", x.Name, x.Amount.Format(currency), times)
}

func stay(in, out calendar.Date) string {
	return fmt.Sprintf("%s to %s (%s)", in.Show(), out.Show(), count(in.Until(out), "night"))
}

func people(adults, children int) string {
	text := count(adults, "adult")
	switch children {
	case 0:
		return text
	case 1:
		return text + ", 1 child"
	}
	return fmt.Sprintf("%s, %d children", text, children)
}

func join(list []string) string { return strings.Join(list, ", ") }

func couponCode(s string) string { return strings.ToUpper(strings.TrimSpace(s)) }
