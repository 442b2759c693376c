package invoice

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net/mail"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/email"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/email_invoice.md
var emailInvoiceText string

//go:embed tools/email_payment_reminder.md
var emailReminderText string

// Config is what the tools need.
type Config struct {
	Read   Reader
	Outbox effect.Outbox
	// Mail takes emails; nil where mail is not set up, which the tools then say.
	Mail email.Sender
	// PDF sets a document on pages; see pdf.WriteSheet.
	PDF func(io.Writer, render.Sheet) error
	Now calendar.Clock
}

type input struct {
	Number string `json:"number" jsonschema:"the invoice's number such as INV/26-27/0012"`
	To     string `json:"to,omitempty" jsonschema:"another address than the customer's, if the person named one"`
}

// Check tidies the texts.
func (in *input) Check() error {
	in.Number, in.To = strings.TrimSpace(in.Number), strings.TrimSpace(in.To)
	if in.Number == "" {
		return fault.New(fault.Invalid, "Which invoice is meant? The number is missing.")
	}
	if strings.Contains(in.To, "@") {
		return in.address()
	}
	return nil // the customer's name; see compose
}

func (in input) address() error {
	if a, err := mail.ParseAddress(in.To); err != nil || a.Name != "" || a.Address != in.To {
		return fault.New(fault.Invalid, "%s is not an e-mail address.", email.OneLine(in.To))
	}
	return nil
}

type reminderInput struct {
	Number string `json:"number" jsonschema:"the invoice's number such as INV/26-27/0012"`
}

// Check tidies the text.
func (in *reminderInput) Check() error {
	in.Number = strings.TrimSpace(in.Number)
	if in.Number == "" {
		return fault.New(fault.Invalid, "Which invoice is meant? The number is missing.")
	}
	return nil
}

// Tools returns the tools that mail invoices and reminders.
func Tools(cfg Config) []tool.Tool {
	w, err := newWriter(cfg.PDF)
	if cfg.Read == nil || cfg.PDF == nil || cfg.Now == nil {
		err = errors.New("invoice: a reader, a writer of PDF and a clock are required")
	}
	s := service{Config: cfg, writer: w, broken: err}
	return []tool.Tool{
		tool.New(tool.Spec{Name: "email_invoice", Effect: tool.Destroys, Target: tool.Outside,
			Description: emailInvoiceText, Extension: "create and send an invoice from one chat"},
			s.email, tool.Previewed(s.previewEmail)),
		tool.New(tool.Spec{Name: "email_payment_reminder", Effect: tool.Destroys, Target: tool.Outside,
			Description: emailReminderText, Extension: "remind of what is overdue"},
			s.remind, tool.Previewed(s.previewReminder)),
	}
}

type service struct {
	Config
	writer writer
	broken error // a template of ours that does not parse, or a part that is missing
}

func (s service) ready() error {
	if s.Mail == nil {
		return fault.New(fault.Unavailable,
			"Mail is not set up here, so nothing can be sent.").WithCode("mail_not_set_up")
	}
	return s.broken
}

// prepared is an email and what it is about.
type prepared struct {
	invoice Invoice
	email.Message
	source string // where the address comes from
	step   int    // of a reminder
}

// compose reads the invoice and writes the email; the letter depends on it.
func (s service) compose(ctx context.Context, by identity.Caller, in input,
	say func(Invoice) (letter, error)) (prepared, error) {
	if err := s.ready(); err != nil {
		return prepared{}, err
	}
	v, err := Read(ctx, by, s.Read, in.Number)
	if err != nil {
		return prepared{}, err
	}
	if v.State == "void" {
		return prepared{}, fault.New(fault.Unprocessable, "Invoice %s is void, so it is not sent.", v.Number)
	}
	p := prepared{invoice: v, source: "the customer's record in the books"}
	to := v.Customer.Email
	// "Send it to Konkan" means the customer of that name.
	if in.To != "" && strings.Contains(strings.ToLower(v.Customer.Name), strings.ToLower(in.To)) {
		in.To = ""
	}
	if in.To != "" {
		if err := in.address(); err != nil {
			return prepared{}, err
		}
	}
	switch {
	case in.To != "" && !strings.EqualFold(in.To, to):
		p.source, to = "named in this chat", in.To
	case to == "":
		return prepared{}, fault.New(fault.Unprocessable,
			"%s has no e-mail address in the books. Add it to the customer first, or name one.", v.Customer.Name)
	}
	l, err := say(v)
	if err != nil {
		return prepared{}, err
	}
	p.Message, err = s.writer.write(v, l, to, s.Now())
	return p, err
}

func (p prepared) preview(title string) tool.Preview {
	v := p.invoice
	shown := tool.Preview{Title: fmt.Sprintf(title, v.Number, p.To.Mail), Lines: []tool.Line{
		{Label: "To", After: email.OneLine(p.To.String())},
		{Label: "Address from", After: p.source},
		{Label: "Subject", After: email.OneLine(p.Subject)},
		{Label: "Invoice", After: fmt.Sprintf("%s of %s, due %s", v.Number, rupees.Date(v.Date), rupees.Date(v.Due))},
		{Label: "Total", After: rupees.Format(v.Total)},
		{Label: "Open", After: rupees.Format(v.Balance)},
		{Label: "Place of supply", After: place(v.Place)},
		{Label: "Attached", After: p.Attachments[0].Name},
	}}
	if p.To.Mail != v.Customer.Email {
		before := v.Customer.Email
		if before == "" {
			before = "no address"
		}
		shown.Warnings = append(shown.Warnings, fmt.Sprintf("The books have %s for %s.", before, v.Customer.Name))
	}
	for _, f := range v.Check() {
		shown.Warnings = append(shown.Warnings, f.Text)
	}
	return shown
}

func (s service) previewEmail(ctx context.Context, by identity.Caller, in input) (tool.Preview, error) {
	p, err := s.compose(ctx, by, in, enclosed)
	if err != nil {
		return tool.Preview{}, err
	}
	return p.preview("Mail invoice %s to %s"), nil
}

func enclosed(v Invoice) (letter, error) { return v.enclosed(), nil }

func (s service) email(ctx context.Context, by identity.Caller, in input) (sent, error) {
	p, err := s.compose(ctx, by, in, enclosed)
	if err != nil {
		return sent{}, err
	}
	receipt, err := s.send(ctx, by, p, "invoice")
	if err != nil {
		return sent{}, err
	}
	return sent{Number: p.invoice.Number, To: p.To.Mail, Subject: p.Subject, At: receipt.At}, nil
}

// send takes an email to the sender, once under the claim of the context.
func (s service) send(ctx context.Context, by identity.Caller, p prepared, kind string) (effect.Receipt, error) {
	return effect.Once(ctx, s.Outbox, by, effect.Outside{
		Kind: "mail", Payload: map[string]any{"to": p.To.Mail, "subject": p.Subject, "invoice": p.invoice.Number,
			"kind": kind, "step": p.step, "total": p.invoice.Total, "open": p.invoice.Balance},
		Attempt: func(ctx context.Context, key string) (string, error) {
			p.ID = key
			err := s.Mail.Send(ctx, p.Message)
			if f := fault.From(err); f != nil && f.Code == email.CodeNotSent {
				err = effect.NotDone(err)
			}
			return key, err
		},
	})
}

type sent struct {
	Number  string    `json:"number"`
	To      string    `json:"to"`
	Subject string    `json:"subject"`
	At      time.Time `json:"at"`
}

// Summarize says what was sent to whom.
func (s sent) Summarize() string { return fmt.Sprintf("Mailed invoice %s to %s.", s.Number, s.To) }

// Count is one: the email.
func (s sent) Count() int { return 1 }
