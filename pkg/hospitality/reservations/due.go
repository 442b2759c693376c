package reservations

import (
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// due returns the reservations that still owe money, and how much that is in all.
func (r recorded) due() ([]Record, string) {
	var owing []Record
	var sum money.Amount
	for _, each := range r.Reservations {
		if each.Status.over() || each.Balance.IsZero() || each.Balance.Negative() {
			continue
		}
		owing = append(owing, each)
		sum, _ = sum.Add(each.Balance) // amounts of a business do not reach the digits at which a sum fails
	}
	if len(owing) == 0 {
		return nil, ""
	}
	return owing, sum.Format(owing[0].Currency)
}

// codeOf are the arguments of a tool that takes a reservation's code.
type codeOf struct {
	Code string `json:"code"`
}

// pays is the choice that writes down what a reservation still owes.
func pays(code, guest string, balance money.Amount, currency string) part.Choice {
	return part.Call("Record "+balance.Format(currency)+" from "+guest, "record_payment",
		map[string]any{"code": code, "amount": balance})
}

// Show offers what follows an arrival or a departure: the payment that is due.
func (m moved) Show() []part.Data {
	owing, _ := m.due()
	if len(m.Reservations) > 0 && m.Reservations[0].Status == "confirmed" {
		owing = nil
	}
	var list []part.Choice
	for _, r := range owing[:min(3, len(owing))] {
		list = append(list, pays(r.Code, r.Guest, r.Balance, r.Currency))
	}
	if len(m.Reservations) == 1 && len(list) == 0 {
		list = append(list, part.Call("Show "+m.Reservations[0].Code, "get_reservation_details",
			codeOf{m.Reservations[0].Code}))
	}
	return part.Next(list...)
}

// Show offers the mail to the guest, the deposit, and the booking itself.
func (b booked) Show() []part.Data {
	if len(b.Reservations) != 1 {
		return nil
	}
	r := b.Reservations[0]
	var list []part.Choice
	if r.Email != "" {
		list = append(list, part.Call("Send the confirmation mail", "send_booking_email", codeOf{r.Code}))
	}
	if !r.Deposit.IsZero() {
		list = append(list, part.Call("Record the deposit of "+r.Deposit.Format(r.Currency), "record_payment",
			map[string]any{"code": r.Code, "amount": r.Deposit}))
	}
	return part.Next(append(list, part.Call("Show "+r.Code, "get_reservation_details", codeOf{r.Code}))...)
}

// Show offers to bring it back.
func (c cancelled) Show() []part.Data {
	if len(c.Reservations) != 1 {
		return nil
	}
	code := c.Reservations[0].Code
	return part.Next(part.Call("Restore "+code, "restore_reservation", codeOf{code}))
}

// Show offers what is usually next: to confirm it, what is owed, and who changed
// it.
func (d Details) Show() []part.Data {
	var list []part.Choice
	switch d.Status {
	case "pending":
		list = append(list, part.Call("Confirm "+d.Code, "update_reservation_status",
			map[string]string{"code": d.Code, "status": "confirmed"}))
	case "cancelled", "no_show":
		list = append(list, part.Call("Restore "+d.Code, "restore_reservation", codeOf{d.Code}))
	case "checked_in":
		list = append(list, part.Call("Check out "+d.Guest.Name, "update_reservation_status",
			map[string]string{"code": d.Code, "status": "checked_out"}))
	}
	if !d.Status.over() && !d.Balance.IsZero() && !d.Balance.Negative() {
		list = append(list, pays(d.Code, d.Guest.Name, d.Balance, d.Currency))
	}
	return part.Next(append(list, part.Call("Who changed it", "get_change_history", codeOf{d.Code}))...)
}

// next offers to book what is free, at most two rooms, and its prices.
func (a availability) next() []part.Data {
	if a.InPast {
		return nil
	}
	var list []part.Choice
	for _, v := range a.Rooms {
		if !v.Available || len(list) == 2 {
			continue
		}
		arguments := map[string]any{"room": v.Code, "check_in": a.CheckIn, "check_out": a.CheckOut}
		if a.Guests > 0 {
			arguments["adults"] = a.Guests
		}
		list = append(list, part.Call("Book "+v.Name, "create_reservation", arguments))
	}
	prices := map[string]any{"check_in": a.CheckIn, "check_out": a.CheckOut}
	if len(a.Rooms) == 1 {
		prices["room"] = a.Rooms[0].Code
	}
	return part.Next(append(list, part.Call("What it would cost", "simulate_pricing", prices))...)
}
