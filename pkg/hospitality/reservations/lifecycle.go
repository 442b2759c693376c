package reservations

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/update_reservation_status.md
var updateReservationStatusText string

//go:embed tools/cancel_reservation.md
var cancelReservationText string

//go:embed tools/restore_reservation.md
var restoreReservationText string

//go:embed tools/delete_reservation.md
var deleteReservationText string

// Lifecycle moves reservations on, ends them and brings them back. A code is a
// reservation's or a group's; a group is changed as a whole or not at all. Each
// act returns a fault.Unprocessable error with the reason when it may not be, a
// fault.NotFound one for an unknown code, and happens once under a claim.
type Lifecycle interface {
	// Standing returns the reservations of the code, in the order of their
	// codes. Its error is that of the act: "delete", "restore", or the status to come.
	Standing(ctx context.Context, by identity.Caller, code, act string, today calendar.Date) ([]Details, error)

	// Unready returns those of the units into which no guest can go now: they are to be
	// cleaned, or a guest of another reservation than these is in them.
	Unready(ctx context.Context, by identity.Caller, units, reservations []string) ([]UnreadyUnit, error)

	// SetStatus moves reservations to confirmed, checked_in, checked_out or no_show.
	SetStatus(ctx context.Context, by identity.Caller, code string, to Status, today calendar.Date) ([]Record, error)

	// Cancel frees the nights and the coupon. What is cancelled stays as it is.
	Cancel(ctx context.Context, by identity.Caller, code, reason string) ([]Record, error)

	// Restore undoes a cancellation or a no-show. It returns a fault.Conflict
	// error when the nights, or the coupon, were taken since.
	Restore(ctx context.Context, by identity.Caller, code string, today calendar.Date) ([]Record, error)

	// Delete removes one reservation.
	Delete(ctx context.Context, by identity.Caller, code string) error
}

// UnreadyUnit is a unit into which no guest can go now.
type UnreadyUnit struct {
	Unit  string
	State string // to_clean or occupied
}

// nextStatus is a status that staff set.
type nextStatus string

// Values returns the closed set.
func (nextStatus) Values() []string {
	return []string{"confirmed", "checked_in", "checked_out", "no_show"}
}

type statusInput struct {
	Code   string     `json:"code" jsonschema:"its code or its group's, the guest's name, or the room"`
	Status nextStatus `json:"status" jsonschema:"what it becomes"`
}

type cancelInput struct {
	Code   string `json:"code" jsonschema:"its code or its group's, the guest's name, or the room"`
	Reason string `json:"reason,omitempty" limits:"note" jsonschema:"why, in the person's words"`
}

type groupOrOneInput struct {
	Code string `json:"code" jsonschema:"its code or its group's, the guest's name, or the room"`
}

type oneInput struct {
	Code string `json:"code" jsonschema:"the reservation's code such as K7QMPX"`
}

// Check tidies the words.
func (in *statusInput) Check() error { return tidyWords(&in.Code) }

func (in statusInput) act() (string, call) {
	return string(in.Status), call{"update_reservation_status", map[string]any{"status": in.Status}}
}

// Check tidies the code and the reason.
func (in *cancelInput) Check() error {
	if err := checkText("reason", in.Reason, 1000); err != nil {
		return err
	}
	return tidyWords(&in.Code)
}

func (in cancelInput) act() (string, call) {
	c := call{"cancel_reservation", map[string]any{}}
	if in.Reason != "" {
		c.arguments["reason"] = in.Reason
	}
	return "cancelled", c
}

// Check tidies the words.
func (in *groupOrOneInput) Check() error { return tidyWords(&in.Code) }

// Check tidies the code and refuses a group's.
func (in *oneInput) Check() error { return single(&in.Code) }

// single tidies the code of one reservation.
func single(code *string) error {
	if err := tidyCode(code); err != nil {
		return err
	}
	if strings.HasPrefix(*code, "GRP-") {
		return fault.New(fault.Invalid, "%s is the code of a group. Search with this code to see its reservations.",
			*code)
	}
	return nil
}

func tidyCode(code *string) error {
	*code = strings.ToUpper(strings.TrimSpace(*code))
	if *code == "" || len(*code) > 12 {
		return fault.New(fault.Invalid, "The code of a reservation has six letters and digits, such as K7QMPX; that "+
			"of a group GRP- and six more.")
	}
	return nil
}

func (c service) lifecycleTools() []tool.Tool {
	return []tool.Tool{
		tool.New(tool.Spec{Name: "update_reservation_status", Effect: tool.Changes,
			Description: updateReservationStatusText},
			func(ctx context.Context, by identity.Caller, in statusInput) (moved, error) {
				today, err := c.today(by)
				if err != nil {
					return moved{}, err
				}
				act, call := in.act()
				code, err := c.meant(ctx, by, in.Code, act, call)
				if err != nil {
					return moved{}, err
				}
				list, err := c.store.SetStatus(ctx, by, code, Status(in.Status), today)
				return moved{recorded{list}}, err
			},
			tool.Previewed(c.previewStatus)),
		tool.New(tool.Spec{Name: "cancel_reservation", Effect: tool.Destroys, Description: cancelReservationText},
			func(ctx context.Context, by identity.Caller, in cancelInput) (cancelled, error) {
				act, call := in.act()
				code, err := c.meant(ctx, by, in.Code, act, call)
				if err != nil {
					return cancelled{}, err
				}
				list, err := c.store.Cancel(ctx, by, code, in.Reason)
				return cancelled{recorded{list}}, err
			},
			tool.Previewed(c.previewCancel)),
		tool.New(tool.Spec{Name: "restore_reservation", Effect: tool.Changes, Description: restoreReservationText,
			Extension: "a cancellation by mistake must be undone without booking anew at another price"},
			func(ctx context.Context, by identity.Caller, in groupOrOneInput) (restored, error) {
				today, err := c.today(by)
				if err != nil {
					return restored{}, err
				}
				code, err := c.meant(ctx, by, in.Code, "restore", call{tool: "restore_reservation"})
				if err != nil {
					return restored{}, err
				}
				list, err := c.store.Restore(ctx, by, code, today)
				return restored{recorded{list}}, err
			},
			tool.Previewed(c.previewRestore)),
		tool.New(tool.Spec{Name: "delete_reservation", Effect: tool.Destroys, Description: deleteReservationText},
			func(ctx context.Context, by identity.Caller, in oneInput) (deleted, error) {
				return deleted(in), c.store.Delete(ctx, by, in.Code)
			},
			tool.Previewed(c.previewDelete)),
	}
}

func (c service) standing(ctx context.Context, by identity.Caller, code, act string) ([]Details, calendar.Date,
	error) {
	today, err := c.today(by)
	if err != nil {
		return nil, today, err
	}
	list, err := c.store.Standing(ctx, by, code, act, today)
	return list, today, err
}

func (c service) previewStatus(ctx context.Context, by identity.Caller, in statusInput) (tool.Preview, error) {
	act, call := in.act()
	code, err := c.meant(ctx, by, in.Code, act, call)
	if err != nil {
		return tool.Preview{}, err
	}
	list, today, err := c.standing(ctx, by, code, act)
	if err != nil {
		return tool.Preview{}, err
	}
	to := Status(in.Status)
	s := sheet{tool.Preview{Title: fmt.Sprintf("Set %s to %s", code, to.Words())}}
	for _, d := range list {
		s.show(d)
		s.line("Status", d.Status.Words(), to.Words())
		switch {
		case to == "checked_in" && d.CheckIn.Before(today):
			s.warn("The guest of %s was expected on %s.", d.Code, d.CheckIn.Show())
		case to == "checked_out" && today.Before(d.CheckOut):
			s.warn("The guest of %s leaves before %s. The nights until then stay taken and charged; change the "+
				"departure first to free them.", d.Code, d.CheckOut.Show())
		case to == "no_show":
			s.warn("The nights of %s become free for others.", d.Code)
		}
		if (to == "checked_in" || to == "checked_out") && !d.Balance.IsZero() && !d.Balance.Negative() {
			s.warn("%s is still to be paid for %s.", d.Balance.Format(d.Currency), d.Code)
		}
	}
	if to == "checked_in" {
		return s.Preview, c.warnUnready(ctx, by, &s, list)
	}
	return s.Preview, nil
}

// warnUnready says of the guests' units which are not clean or not empty.
func (c service) warnUnready(ctx context.Context, by identity.Caller, s *sheet, list []Details) error {
	var units, codes []string
	for _, d := range list {
		codes = append(codes, d.Code)
		for _, r := range d.Rooms {
			if r.Unit != "" {
				units = append(units, r.Unit)
			}
		}
	}
	if len(units) == 0 {
		return nil
	}
	unready, err := c.store.Unready(ctx, by, units, codes)
	for _, u := range unready {
		if u.State == "occupied" {
			s.warn("The guest before is still in %s.", u.Unit)
			continue
		}
		s.warn("%s is not clean yet.", u.Unit)
	}
	return err
}

func (c service) previewCancel(ctx context.Context, by identity.Caller, in cancelInput) (tool.Preview, error) {
	act, call := in.act()
	code, err := c.meant(ctx, by, in.Code, act, call)
	if err != nil {
		return tool.Preview{}, err
	}
	list, today, err := c.standing(ctx, by, code, act)
	if err != nil {
		return tool.Preview{}, err
	}
	s := sheet{tool.Preview{Title: "Cancel " + code}}
	open := 0
	for _, d := range list {
		if d.Status == "cancelled" {
			s.add("Already cancelled", d.Code+" of "+d.Guest.Name)
			continue
		}
		open++
		s.show(d)
		s.terms(d, today)
	}
	if open == 0 {
		return tool.Preview{}, fault.New(fault.Conflict,
			"%s is cancelled already, so there is nothing to do. It can be restored.", code).
			WithCode("already_cancelled")
	}
	s.add("Reason", in.Reason)
	return s.Preview, nil
}

// terms says what cancelling means in money. No money moves by itself.
func (s *sheet) terms(d Details, today calendar.Date) {
	paid := d.Paid.Format(d.Currency)
	switch {
	case d.Paid.IsZero() || d.Paid.Negative():
		s.add("Paid", "nothing")
	case d.FreeCancelUntil.IsZero() || !today.After(d.FreeCancelUntil):
		s.add("Paid", paid+", all of it to be given back")
	default:
		kept := d.DepositDue
		if kept.Cmp(d.Paid) > 0 {
			kept = d.Paid
		}
		back, err := d.Paid.Sub(kept)
		if err != nil {
			back = d.Paid
		}
		s.add("Paid", fmt.Sprintf("%s, of which the deposit of %s is kept and %s given back", paid,
			kept.Format(d.Currency), back.Format(d.Currency)))
	}
	switch {
	case d.FreeCancelUntil.IsZero():
	case today.After(d.FreeCancelUntil):
		s.warn("%s could be cancelled free of charge until %s.", d.Code, d.FreeCancelUntil.Show())
	default:
		s.add("Free of charge until", d.FreeCancelUntil.Show())
	}
	if d.CouponCode != "" {
		s.add("Coupon", d.CouponCode+" can be used again")
	}
}

func (c service) previewRestore(ctx context.Context, by identity.Caller, in groupOrOneInput) (tool.Preview, error) {
	code, err := c.meant(ctx, by, in.Code, "restore", call{tool: "restore_reservation"})
	if err != nil {
		return tool.Preview{}, err
	}
	list, _, err := c.standing(ctx, by, code, "restore")
	if err != nil {
		return tool.Preview{}, err
	}
	s := sheet{tool.Preview{Title: "Restore " + code}}
	found := false
	for _, d := range list {
		if d.Status != "cancelled" && d.Status != "no_show" {
			continue
		}
		found = true
		s.show(d)
		s.line("Status", d.Status.Words(), "as it was before")
		s.add("Total, as agreed", d.Total.Format(d.Currency))
	}
	if !found {
		return tool.Preview{}, fault.New(fault.Unprocessable,
			"%s is neither cancelled nor a no-show, so there is nothing to restore.", code).WithCode("wrong_status")
	}
	return s.Preview, nil
}

func (c service) previewDelete(ctx context.Context, by identity.Caller, in oneInput) (tool.Preview, error) {
	list, _, err := c.standing(ctx, by, in.Code, "delete")
	if err != nil {
		return tool.Preview{}, err
	}
	s := sheet{tool.Preview{Title: "Delete " + in.Code}}
	for _, d := range list {
		s.show(d)
		s.add("Status", d.Status.Words())
		if d.Status == "pending" || d.Status == "confirmed" {
			s.warn("It has not been cancelled. Cancelling keeps the record and can be undone; deleting can't.")
		}
	}
	return s.Preview, nil
}

// show adds what a reservation is, and makes its row a target: when it changes
// before the yes, nothing is done.
func (s *sheet) show(d Details) {
	rooms := make([]string, len(d.Rooms))
	for i, r := range d.Rooms {
		rooms[i] = r.RoomName + " (" + cmp.Or(r.Unit, r.RoomCode) + ")"
	}
	parts := append(append([]string{d.Guest.Name}, rooms...), stay(d.CheckIn, d.CheckOut))
	s.add("Reservation "+d.Code, join(parts))
	s.Targets = append(s.Targets, tool.Target{Table: "reservations", Key: d.Code, Version: d.Version})
}

type moved struct{ recorded }

// Summarize says how they stand now.
func (m moved) Summarize() string {
	if len(m.Reservations) == 0 {
		return "Nothing was changed."
	}
	status := m.Reservations[0].Status
	text := upper(m.names()) + " " + isAre(len(m.Reservations)) + " " + status.Words() + " now."
	owing, due := m.due()
	if status != "checked_in" && status != "checked_out" || len(owing) == 0 {
		return text
	}
	return text + " Still to pay: " + due + "."
}

type cancelled struct{ recorded }

// Summarize says what was cancelled.
func (c cancelled) Summarize() string {
	if len(c.Reservations) == 0 {
		return "Nothing was left to cancel."
	}
	if len(c.Reservations) > 1 { // some of a group may have been cancelled before
		return upper(c.names()) + " are cancelled now. Their nights are free."
	}
	return "Cancelled " + c.names() + ". The nights are free again."
}

type restored struct{ recorded }

// Summarize says what is back.
func (r restored) Summarize() string {
	if len(r.Reservations) == 0 {
		return "Nothing was restored."
	}
	return "Restored " + r.names() + ", " + r.Reservations[0].Status.Words() + " as before."
}

type deleted struct {
	Code string `json:"code"`
}

// Summarize says what is gone.
func (d deleted) Summarize() string { return "Deleted reservation " + d.Code + "." }

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
