package hospitality

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/reservations"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Standing returns reservations as they are; see reservations.Lifecycle.
func (s Reservations) Standing(ctx context.Context, by identity.Caller, code, act string,
	today calendar.Date) ([]reservations.Details, error) {
	return read[[]reservations.Details](ctx, s, by, "status_preview", supabase.Args{"p_code": code, "p_act": act,
		"p_today": today})
}

// Unready returns units into which no guest can go; see reservations.Lifecycle.
func (s Reservations) Unready(ctx context.Context, by identity.Caller,
	units, reservationCodes []string) ([]reservations.UnreadyUnit, error) {
	return read[[]reservations.UnreadyUnit](ctx, s, by, "units_unready", supabase.Args{"p_units": units,
		"p_except": reservationCodes})
}

// SetStatus moves reservations on; see reservations.Lifecycle.
func (s Reservations) SetStatus(ctx context.Context, by identity.Caller, code string, to reservations.Status,
	today calendar.Date) ([]reservations.Record, error) {
	return s.actOn(ctx, by, "set_reservation_status", code, supabase.Args{"p_status": to, "p_today": today})
}

// Cancel cancels reservations; see reservations.Lifecycle.
func (s Reservations) Cancel(ctx context.Context, by identity.Caller, code, reason string) ([]reservations.Record,
	error) {
	return s.actOn(ctx, by, "cancel_reservation", code, supabase.Args{"p_reason": reason})
}

// Restore brings reservations back; see reservations.Lifecycle.
func (s Reservations) Restore(ctx context.Context, by identity.Caller, code string,
	today calendar.Date) ([]reservations.Record, error) {
	return s.actOn(ctx, by, "restore_reservation", code, supabase.Args{"p_today": today})
}

// Delete removes a reservation; see reservations.Lifecycle.
func (s Reservations) Delete(ctx context.Context, by identity.Caller, code string) error {
	_, err := s.actOn(ctx, by, "delete_reservation", code, supabase.Args{})
	return err
}

// PreviewEdit returns what changes would do; see reservations.Editor.
func (s Reservations) PreviewEdit(ctx context.Context, by identity.Caller, code string, ch reservations.Changes,
	today calendar.Date) (reservations.Edit, error) {
	changes, err := document(ch)
	if err != nil {
		return reservations.Edit{}, err
	}
	return read[reservations.Edit](ctx, s, by, "edit_preview", supabase.Args{"p_code": code, "p_changes": changes,
		"p_today": today})
}

// Edit changes a reservation; see reservations.Editor.
func (s Reservations) Edit(ctx context.Context, by identity.Caller, code string, ch reservations.Changes,
	today calendar.Date) (reservations.Record, error) {
	changes, err := document(ch)
	if err != nil {
		return reservations.Record{}, err
	}
	list, err := s.actOn(ctx, by, "edit_reservation", code, supabase.Args{"p_changes": changes, "p_today": today})
	if err == nil && len(list) != 1 {
		err = fault.New(fault.NotFound, "Reservation %s is not there any more.", code)
	}
	if err != nil {
		return reservations.Record{}, err
	}
	return list[0], nil
}

// PreviewPayment returns the reservation; see reservations.Payments.
func (s Reservations) PreviewPayment(ctx context.Context, by identity.Caller,
	p reservations.Payment) (reservations.Details, error) {
	return read[reservations.Details](ctx, s, by, "payment_preview", supabase.Args{
		"p_code": p.Reservation, "p_kind": p.Kind, "p_amount": p.Amount.String(), "p_beyond": p.Beyond})
}

// RecordPayment writes a payment down; see reservations.Payments.
func (s Reservations) RecordPayment(ctx context.Context, by identity.Caller,
	p reservations.Payment) (reservations.Receipt, error) {
	if _, err := inProperty(by); err != nil {
		return reservations.Receipt{}, err
	}
	return supabase.Call(ctx, s.client.As(by), "record_payment", supabase.Args{
		"p_entity": by.Entity.ID, "p_code": p.Reservation, "p_kind": p.Kind, "p_amount": p.Amount,
		"p_method": p.Method, "p_on": p.On,
		"p_reference": p.Reference, "p_note": p.Note, "p_beyond": p.Beyond,
	}, func(did effect.Outcome) (reservations.Receipt, error) {
		codes := keys(did, "payments", func(effect.Row) bool { return true })
		if len(codes) != 1 {
			return reservations.Receipt{},
				fault.New(fault.Conflict,
					"Something else was done under this key before, so nothing was done.").WithCode("effect_claimed")
		}
		return read[reservations.Receipt](ctx, s, by, "payment_details", supabase.Args{"p_code": codes[0]})
	})
}

// Owed lists who still owes money; see reservations.Payments.
func (s Reservations) Owed(ctx context.Context, by identity.Caller, arrivalUntil calendar.Date,
	limit, offset int) (reservations.Owed, error) {
	args := supabase.Args{"p_limit": limit, "p_offset": offset}
	if !arrivalUntil.IsZero() {
		args["p_arrival_to"] = arrivalUntil
	}
	return read[reservations.Owed](ctx, s, by, "balances_due", args)
}

// Meant finds what people mean; see reservations.Finder.
func (s Reservations) Meant(ctx context.Context, by identity.Caller, words, act string,
	today calendar.Date) ([]reservations.Candidate, error) {
	return read[[]reservations.Candidate](ctx, s, by, "reservations_meant", supabase.Args{"p_words": words,
		"p_act": act, "p_today": today})
}
