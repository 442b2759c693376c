package invoice

import (
	"context"
	"fmt"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// maxAttempts is how often one reminder is tried: again only when it is certain
// that nothing was sent.
const maxAttempts = 5

func overdue(v Invoice) (letter, error) {
	step := Step(v.DaysOverdue)
	if step == 0 || v.Balance.IsZero() || v.Balance.Negative() {
		return letter{}, fault.New(fault.Unprocessable, "Invoice %s is not overdue, so there is nothing to remind of.",
			v.Number)
	}
	return v.reminder(step), nil
}

func (s service) previewReminder(ctx context.Context, by identity.Caller, in reminderInput) (tool.Preview, error) {
	p, err := s.compose(ctx, by, input{Number: in.Number}, overdue)
	if err != nil {
		return tool.Preview{}, err
	}
	shown := p.preview("Mail a reminder of invoice %s to %s")
	days := p.invoice.DaysOverdue
	shown.Lines = append(shown.Lines, tool.Line{Label: "Overdue", After: fmt.Sprintf("%d days: %s", days,
		ordinal(Step(days)))})
	return shown, nil
}

func (s service) remind(ctx context.Context, by identity.Caller, in reminderInput) (reminded, error) {
	p, err := s.compose(ctx, by, input{Number: in.Number}, overdue)
	if err != nil {
		return reminded{}, err
	}
	p.step = Step(p.invoice.DaysOverdue)
	receipt, err := s.sendOnce(ctx, by, p)
	if err != nil {
		return reminded{}, err
	}
	return reminded{sent{Number: p.invoice.Number, To: p.To.Mail, Subject: p.Subject, At: receipt.At}, ordinal(p.step),
		receipt.Again}, nil
}

// sendOnce sends a reminder under a claim that is named after the invoice and the
// step in place of the turn, so that no turn of anyone in the organisation sends it
// again. One that was definitely not sent is tried under the next name.
func (s service) sendOnce(ctx context.Context, by identity.Caller, p prepared) (effect.Receipt, error) {
	claim, ok := effect.From(ctx)
	if !ok {
		return s.send(ctx, by, p, "reminder") // refused by the outbox: there is nothing to claim
	}
	var err error
	for attempt := range maxAttempts {
		claim.Key = effect.Key("payment_reminder", by.Entity.ID+"/"+p.invoice.Number, p.step, attempt)
		var receipt effect.Receipt
		receipt, err = s.send(effect.With(ctx, claim), by, p, "reminder")
		if err == nil {
			return receipt, nil
		}
		switch fault.From(err).Code {
		case "act_failed": // by an earlier attempt
			continue
		case "effect_claimed", "effect_mismatch":
			return receipt, fault.Wrap(fault.Conflict, err,
				"This reminder of invoice %s was asked for before and is not mailed twice.", p.invoice.Number).
				WithCode("reminder_claimed")
		}
		return receipt, err
	}
	return effect.Receipt{}, err
}

type reminded struct {
	sent
	Reminder string `json:"reminder"`
	Earlier  bool   `json:"earlier"` // it was mailed before, at the time At, and not again
}

// Summarize says what was sent to whom, or that it was sent before.
func (r reminded) Summarize() string {
	if r.Earlier {
		return fmt.Sprintf("%s of invoice %s was mailed to its customer already, on %s. It is not mailed twice.",
			r.Reminder, r.Number, r.At.Format(time.DateOnly))
	}
	return fmt.Sprintf("%s of invoice %s mailed to %s.", r.Reminder, r.Number, r.To)
}
