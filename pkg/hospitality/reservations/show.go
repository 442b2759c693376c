package reservations

import (
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/hospitality/pages"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// results is a part of what was found, for the input.
type results struct {
	Found
	input searchInput
}

func (r results) page() pages.Page {
	return pages.Page{Offset: r.input.Offset, Shown: len(r.Reservations), Matches: r.Matches}
}

// Table lays the list out.
func (r results) Table() render.Table {
	t := render.Table{Title: "Reservations", Columns: []render.Column{
		render.Column{Key: "code", Label: "Code"}.Opens("get_reservation_details", "code", ""),
		render.Column{Key: "guest", Label: "Guest", Priority: 1}.Opens("get_reservation_details", "code", "code"),
		render.Column{Key: "rooms", Label: "Rooms", Priority: 1}.Opens("get_room_type_details", "room", ""),
		{Key: "in", Label: "Check-in", Priority: 1}, {Key: "out", Label: "Check-out"}, {Key: "nights", Label: "Nights",
			Right: true},
		{Key: "people", Label: "Guests", Right: true}, {Key: "status", Label: "Status", Priority: 1},
		{Key: "total", Label: "Total", Right: true}, {Key: "balance", Label: "To pay", Right: true, Priority: 1},
	}}
	for _, s := range r.Reservations {
		t.Rows = append(t.Rows, []render.Cell{
			render.Text(s.Code), render.Text(s.Guest), render.Text(strings.Join(s.Rooms, ", ")), render.Day(s.CheckIn),
			render.Day(s.CheckOut), render.Int(s.Nights), render.Int(s.Adults + s.Children),
			render.Text(s.Status.Words()),
			render.Money(s.Total, s.Currency), toPay(s.Status, s.Balance, s.Currency),
		})
	}
	t.Note = r.page().Note("by arrival")
	return t
}

// Show offers the next page, or the one reservation.
func (r results) Show() []part.Data {
	if next, more := r.page().Next("search_reservations", r.input, r.input.Limit); more {
		return part.Next(next)
	}
	if len(r.Reservations) == 1 {
		code := r.Reservations[0].Code
		return part.Next(part.Call("Show "+code, "get_reservation_details", codeOf{code}))
	}
	return nil
}

// Summarize says how many were found.
func (r results) Summarize() string {
	switch {
	case r.Matches == 0:
		return "No reservation matches."
	case !r.page().Whole():
		return fmt.Sprintf("%d reservations match. %s", r.Matches, r.page().Note("by arrival"))
	case r.Matches == 1:
		return "One reservation matches."
	}
	return fmt.Sprintf("%d reservations match.", r.Matches)
}

// Table lays the facts out, one a row.
func (d Details) Table() render.Table {
	t := render.Table{Title: "Reservation " + d.Code, Columns: []render.Column{{Key: "what", Label: "What"},
		{Key: "value", Label: "Value"}}}
	add := func(label string, value render.Cell) {
		if value.Text != "" {
			t.Rows = append(t.Rows, []render.Cell{render.Text(label), value})
		}
	}
	add("Guest", render.Text(d.Guest.Name))
	add("Status", render.Text(d.Status.Words()))
	add("Group", render.Text(d.GroupCode))
	add("Check-in", render.Day(d.CheckIn))
	add("Check-out", render.Day(d.CheckOut))
	add("Nights", render.Int(d.Nights))
	for _, r := range d.Rooms {
		add("Room", render.Text(r.RoomName+" ("+r.Unit+")"))
	}
	add("Adults", render.Int(d.Adults))
	add("Children", render.Int(d.Children))
	add("E-mail", render.Text(d.Guest.Email))
	add("Phone", render.Text(strings.TrimSpace(d.Guest.PhoneCountryCode+" "+d.Guest.Phone)))
	add("Country", render.Text(d.Guest.Country))
	add("Booked through", render.Text(strings.ReplaceAll(d.Channel, "_", " ")))
	if d.Package != nil {
		add("Package", render.Text(d.Package.Name+" ("+d.Package.Code+")"))
	}
	add("Coupon", render.Text(d.CouponCode))
	add("Special requests", render.Text(d.SpecialRequests))
	add("Notes", render.Text(d.Notes))
	for _, x := range d.Extras {
		times := ""
		if n := x.Quantity * x.Factor; n > 1 {
			times = fmt.Sprintf(" (%d × %s)", n, x.UnitPrice.Format(d.Currency))
		}
		add("Extra", render.Text(x.Name+": "+x.Amount.Format(d.Currency)+times))
	}
	for _, s := range d.Selections {
		add("Selection", render.Text(s.Extra+": "+strings.ReplaceAll(s.Status, "_", " ")))
	}
	add("Room total", render.Money(d.RoomTotal, d.Currency))
	for _, line := range []struct {
		label string
		cell  render.Cell
		none  bool
	}{
		{"Further guests", render.Money(d.ExtraGuestTotal, d.Currency), d.ExtraGuestTotal.IsZero()},
		{"Package, beside the room", render.Money(d.PackageOtherTotal, d.Currency), d.PackageOtherTotal.IsZero()},
		{"Discount", render.Money(d.DiscountTotal, d.Currency), d.DiscountTotal.IsZero()},
		{"Extras total", render.Money(d.ExtrasTotal, d.Currency), d.ExtrasTotal.IsZero()},
		{"Tax", render.Money(d.TaxTotal, d.Currency), d.TaxTotal.IsZero()},
	} {
		if !line.none {
			add(line.label, line.cell)
		}
	}
	add("Total", render.Money(d.Total, d.Currency))
	for _, p := range d.Payments {
		add(paymentLabel(p.Kind), render.Text(fmt.Sprintf("%s by %s on %s (%s)",
			p.Amount.Format(d.Currency), strings.ReplaceAll(p.Method, "_", " "), p.ReceivedOn.Show(), p.Status)))
	}
	add("To pay", toPay(d.Status, d.Balance, d.Currency))
	add("Reason of cancellation", render.Text(d.CancellationReason))
	return t
}

// Summarize says the gist in two sentences.
func (d Details) Summarize() string {
	rooms := make([]string, len(d.Rooms))
	for i, r := range d.Rooms {
		rooms[i] = r.RoomName
	}
	status := d.Status.Words()
	if d.HoldOver {
		status += ", but the hold is over"
	}
	text := fmt.Sprintf("Reservation %s of %s: %s from %s to %s (%s), %s.",
		d.Code, d.Guest.Name, strings.Join(rooms, ", "), d.CheckIn.Show(), d.CheckOut.Show(), count(d.Nights, "night"),
		status)
	if d.Status.over() {
		return text + fmt.Sprintf(" The total was %s, of which %s was paid.", d.Total.Format(d.Currency),
			d.Paid.Format(d.Currency))
	}
	return text + fmt.Sprintf(" The total is %s, of which %s is still to be paid.", d.Total.Format(d.Currency),
		d.Balance.Format(d.Currency))
}

// Count is one: a reservation.
func (d Details) Count() int { return 1 }

func paymentLabel(kind string) string {
	if kind == "refund" {
		return "Refund"
	}
	return "Payment"
}

// toPay is the cell of what a booking still owes: nothing when it is cancelled.
func toPay(s Status, balance money.Amount, currency string) render.Cell {
	if s.over() {
		return render.Text("")
	}
	return render.Money(balance, currency)
}

// over reports whether nothing is owed for the booking any more.
func (s Status) over() bool { return s == "cancelled" || s == "no_show" }
