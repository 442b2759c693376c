package invoice

import (
	"bytes"
	"embed"
	"fmt"
	htmltemplate "html/template"
	"io"
	"strings"
	texttemplate "text/template"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/email"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

//go:embed templates/mail.txt templates/mail.html
var templates embed.FS

// writer writes emails with the invoice in them and as a PDF beside them.
type writer struct {
	text *texttemplate.Template
	html *htmltemplate.Template
	pdf  func(io.Writer, render.Sheet) error
}

func newWriter(pdf func(io.Writer, render.Sheet) error) (writer, error) {
	text, err := texttemplate.ParseFS(templates, "templates/mail.txt")
	if err != nil {
		return writer{}, fmt.Errorf("invoice: %w", err)
	}
	html, err := htmltemplate.ParseFS(templates, "templates/mail.html")
	if err != nil {
		return writer{}, fmt.Errorf("invoice: %w", err)
	}
	return writer{text, html, pdf}, nil
}

// letter is what an email says of an invoice beside the invoice.
type letter struct {
	Subject, Opening, Closing string
	Facts                     []render.Field
}

// content is what the templates say.
type content struct {
	letter
	Customer, Supplier string
	Contact            []string
	Plain              string
	Sheet              htmltemplate.HTML // of render.Sheet, which escapes
}

// write makes an email to an address.
func (w writer) write(v Invoice, l letter, to string, made time.Time) (email.Message, error) {
	sheet, err := v.Sheet(made)
	if err != nil {
		return email.Message{}, err
	}
	c := content{letter: l, Customer: email.OneLine(v.Customer.Name), Supplier: email.OneLine(v.Supplier.Name),
		Plain: sheet.Plain(), Sheet: htmltemplate.HTML(sheet.HTML())}
	for _, line := range []string{v.Supplier.Address, v.Supplier.Phone, v.Supplier.Email} {
		if line = email.OneLine(line); line != "" {
			c.Contact = append(c.Contact, line)
		}
	}
	var text, html strings.Builder
	var file bytes.Buffer
	if err := w.text.Execute(&text, c); err != nil {
		return email.Message{}, fmt.Errorf("write an email: %w", err)
	}
	if err := w.html.Execute(&html, c); err != nil {
		return email.Message{}, fmt.Errorf("write an email: %w", err)
	}
	if err := w.pdf(&file, sheet); err != nil {
		return email.Message{}, fmt.Errorf("write %s as PDF: %w", v.Number, err)
	}
	return email.Message{
		To: email.Address{Name: v.Customer.Name, Mail: to}, From: v.Supplier.Name, ReplyTo: v.Supplier.Email,
		Subject: l.Subject, Text: strings.TrimRight(text.String(), "\n") + "\n", HTML: html.String(),
		Attachments: []email.Attachment{{Name: v.fileName(), Type: "application/pdf", Content: file.Bytes()}},
	}, nil
}

// fileName is the number with what no file may be called replaced.
func (v Invoice) fileName() string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '-'
	}, v.Number), "-") + ".pdf"
}

// enclosed is the letter with which an invoice is sent.
func (v Invoice) enclosed() letter {
	l := letter{
		Subject: fmt.Sprintf("%s %s of %s", v.Title(), v.Number, v.Supplier.Name),
		Opening: fmt.Sprintf("Please find our invoice %s of %s below and as a PDF.", v.Number, rupees.Date(v.Date)),
		Closing: "Thank you for your business.",
		Facts: []render.Field{{Label: "Total", Text: rupees.Format(v.Total)},
			{Label: "Due", Text: rupees.Date(v.Due)}},
	}
	if v.Balance.Cmp(v.Total) != 0 {
		l.Facts = append(l.Facts, render.Field{Label: "Open", Text: rupees.Format(v.Balance)})
	}
	return l
}

// reminder is the letter of a step, which is a number of days overdue.
func (v Invoice) reminder(step int) letter {
	return letter{
		Subject: fmt.Sprintf("%s: invoice %s of %s is overdue", ordinal(step), v.Number, v.Supplier.Name),
		Opening: fmt.Sprintf("Our invoice %s of %s was due on %s and is not paid in full yet.", v.Number,
			rupees.Date(v.Date), rupees.Date(v.Due)),
		Closing: "Please arrange the payment. If you have paid in the meantime, please tell us when and how, so " +
			"that we can find it.",
		Facts: []render.Field{{Label: "Open", Text: rupees.Format(v.Balance)},
			{Label: "Total", Text: rupees.Format(v.Total)},
			{Label: "Overdue", Text: fmt.Sprintf("%d days", v.DaysOverdue)}},
	}
}

// Steps are the days overdue at which a reminder is due, ascending.
func Steps() []int { return []int{1, 7, 15, 30, 60} }

// Step returns the step of an invoice so many days overdue; 0 for one that is not.
func Step(days int) int {
	step := 0
	for _, s := range Steps() {
		if days >= s {
			step = s
		}
	}
	return step
}

func ordinal(step int) string {
	names := map[int]string{1: "Reminder", 7: "Second reminder", 15: "Third reminder", 30: "Fourth reminder",
		60: "Last reminder"}
	return names[step]
}
