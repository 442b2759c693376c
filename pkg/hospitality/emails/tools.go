package emails

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/email"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/reservations"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/send_booking_email.md
var sendBookingEmailText string

type sendInput struct {
	Code string `json:"code" jsonschema:"the reservation's code such as K7QMPX"`
	Kind Kind   `json:"kind,omitempty" jsonschema:"by the booking's status when left out"`
	Note string `json:"note,omitempty" limits:"note" jsonschema:"what the person asked to add"`
}

// Check tidies the texts.
func (in *sendInput) Check() error {
	in.Code = strings.ToUpper(strings.TrimSpace(in.Code))
	in.Note = strings.TrimSpace(in.Note)
	switch {
	case in.Code == "":
		return fault.New(fault.Invalid, "Which reservation is meant? The code is missing.")
	case utf8.RuneCountInString(in.Note) > 1000:
		return fault.New(fault.Invalid, "The note is longer than 1,000 letters.")
	}
	return nil
}

// Tools returns the tool that writes to guests. Emails go out through the
// outbox, by the sender; where there is none, the tool says so.
func Tools(store Store, outbox effect.Outbox, sender email.Sender) []tool.Tool {
	w, err := newWriter()
	d := service{store: store, outbox: outbox, sender: sender, writer: w, broken: err}
	return []tool.Tool{
		tool.New(tool.Spec{Name: "send_booking_email", Effect: tool.Destroys, Target: tool.Outside,
			Description: sendBookingEmailText}, d.send, tool.Previewed(d.preview)),
	}
}

type service struct {
	store  Store
	outbox effect.Outbox
	sender email.Sender
	writer writer
	broken error // a template of ours that does not parse
}

func (s service) ready() error {
	if s.sender == nil {
		return fault.New(fault.Unavailable,
			"Mail is not set up here, so nothing can be sent.").WithCode("mail_not_set_up")
	}
	return s.broken
}

// compose reads the booking and writes the email about it.
func (s service) compose(ctx context.Context, by identity.Caller, in sendInput) (email.Message, Kind,
	reservations.Details, error) {
	booking, err := s.store.Details(ctx, by, in.Code)
	if err != nil {
		return email.Message{}, "", booking, err
	}
	kind := in.Kind
	if kind == "" {
		kind = Confirmation
		if booking.Status == "cancelled" {
			kind = Cancellation
		}
	}
	if err := fits(kind, booking); err != nil {
		return email.Message{}, kind, booking, err
	}
	house, err := s.store.Property(ctx, by)
	if err != nil {
		return email.Message{}, kind, booking, err
	}
	l, err := s.writer.write(kind, booking, house, in.Note)
	return l, kind, booking, err
}

func (s service) preview(ctx context.Context, by identity.Caller, in sendInput) (tool.Preview, error) {
	if err := s.ready(); err != nil {
		return tool.Preview{}, err
	}
	l, kind, booking, err := s.compose(ctx, by, in)
	if err != nil {
		return tool.Preview{}, err
	}
	rooms := make([]string, len(booking.Rooms))
	for i, r := range booking.Rooms {
		rooms[i] = r.RoomName
	}
	p := tool.Preview{Title: fmt.Sprintf("Mail the %s of %s to %s", kind, booking.Code, l.To.Mail), Lines: []tool.Line{
		{Label: "To", After: email.OneLine(l.To.String())},
		{Label: "Subject", After: l.Subject},
		{Label: "Stay", After: fmt.Sprintf("%s, %s to %s", strings.Join(rooms, ", "), booking.CheckIn.Show(),
			booking.CheckOut.Show())},
		{Label: "Total", After: booking.Total.Format(booking.Currency)},
	}}
	if kind != Cancellation {
		p.Lines = append(p.Lines, tool.Line{Label: "Still to pay", After: booking.Balance.Format(booking.Currency)})
	}
	p.Targets = []tool.Target{{Table: "reservations", Key: booking.Code, Version: booking.Version}}
	if in.Note != "" {
		p.Lines = append(p.Lines, tool.Line{Label: "Note", After: in.Note})
	}
	return p, nil
}

func (s service) send(ctx context.Context, by identity.Caller, in sendInput) (sent, error) {
	if err := s.ready(); err != nil {
		return sent{}, err
	}
	l, kind, booking, err := s.compose(ctx, by, in)
	if err != nil {
		return sent{}, err
	}
	receipt, err := effect.Once(ctx, s.outbox, by, effect.Outside{
		Kind: "mail", Payload: map[string]string{"to": l.To.Mail, "subject": l.Subject, "reservation": booking.Code,
			"kind": string(kind), "note": in.Note},
		Attempt: func(ctx context.Context, key string) (string, error) {
			l.ID = key
			err := s.sender.Send(ctx, l)
			if f := fault.From(err); f != nil && f.Code == email.CodeNotSent {
				err = effect.NotDone(err)
			}
			return key, err
		},
	})
	if err != nil {
		return sent{}, err
	}
	return sent{Code: booking.Code, Kind: kind, To: l.To.Mail, Subject: l.Subject, At: receipt.At}, nil
}

type sent struct {
	Code    string    `json:"code"`
	Kind    Kind      `json:"kind"`
	To      string    `json:"to"`
	Subject string    `json:"subject"`
	At      time.Time `json:"at"`
}

// Summarize says what was sent to whom.
func (s sent) Summarize() string {
	return fmt.Sprintf("Mailed the %s of reservation %s to %s.", s.Kind, s.Code, s.To)
}

// Count is one: the email.
func (s sent) Count() int { return 1 }
