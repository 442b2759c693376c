package emails

import (
	"embed"
	"fmt"
	htmltemplate "html/template"
	"strings"
	texttemplate "text/template"

	"github.com/bellhop-ai/bellhop/pkg/email"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/reservations"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

//go:embed templates/booking.txt templates/booking.html
var templates embed.FS

// writer holds the parsed templates.
type writer struct {
	text *texttemplate.Template
	html *htmltemplate.Template
}

func newWriter() (writer, error) {
	text, err := texttemplate.ParseFS(templates, "templates/booking.txt")
	if err != nil {
		return writer{}, fmt.Errorf("emails: %w", err)
	}
	html, err := htmltemplate.ParseFS(templates, "templates/booking.html")
	if err != nil {
		return writer{}, fmt.Errorf("emails: %w", err)
	}
	return writer{text, html}, nil
}

// pair is a name and what stands beside it.
type pair struct{ Name, Amount string }

// content is what the templates say, in words already.
type content struct {
	Subject, Guest, Opening, Closing, Note string
	Code, GroupCode                        string
	Arrival, Departure                     string
	CheckInTime, CheckOutTime              string
	Nights                                 int
	Guests, Package, Requests              string
	Rooms                                  []string
	Extras, Money, Facts                   []pair
	Property                               string
	Contact                                []string
}

// fits refuses an email that would say what is not so.
func fits(kind Kind, d reservations.Details) error {
	switch {
	case d.Guest.Email == "":
		return fault.New(fault.Unprocessable, "Reservation %s has no e-mail address. Add it to the booking first.",
			d.Code)
	case kind == Cancellation && d.Status != "cancelled":
		return fault.New(fault.Unprocessable,
			"Reservation %s is %s, not cancelled, so there is no cancellation to write about.", d.Code,
			d.Status.Words())
	case kind != Cancellation && d.Status == "cancelled":
		return fault.New(fault.Unprocessable, "Reservation %s is cancelled. Only the cancellation can be sent.",
			d.Code)
	case d.Status == "no_show" || d.Status == "checked_out":
		return fault.New(fault.Unprocessable, "Reservation %s is %s; there is no letter for that.", d.Code,
			d.Status.Words())
	}
	return nil
}

// write makes the email.
func (w writer) write(kind Kind, d reservations.Details, p Property, note string) (email.Message, error) {
	c := contentOf(kind, d, p, note)
	var text, html strings.Builder
	if err := w.text.Execute(&text, c); err != nil {
		return email.Message{}, fmt.Errorf("write an email: %w", err)
	}
	if err := w.html.Execute(&html, c); err != nil {
		return email.Message{}, fmt.Errorf("write an email: %w", err)
	}
	return email.Message{
		To: email.Address{Name: d.Guest.Name, Mail: d.Guest.Email}, From: p.Name, ReplyTo: p.Email, Subject: c.Subject,
		Text: strings.TrimRight(text.String(), "\n") + "\n", HTML: html.String(),
	}, nil
}

func contentOf(kind Kind, d reservations.Details, p Property, note string) content {
	c := content{
		Guest: email.OneLine(d.Guest.Name), Code: d.Code, GroupCode: d.GroupCode, Arrival: d.CheckIn.Show(),
		Departure:   d.CheckOut.Show(),
		CheckInTime: p.CheckInTime, CheckOutTime: p.CheckOutTime, Nights: d.Nights,
		Guests:   people(d.Adults, d.Children),
		Requests: email.OneLine(d.SpecialRequests), Note: strings.TrimSpace(note), Property: p.Name,
	}
	for _, line := range []string{p.Address, p.Phone, p.Email} {
		if line != "" {
			c.Contact = append(c.Contact, email.OneLine(line))
		}
	}
	for _, r := range d.Rooms {
		c.Rooms = append(c.Rooms, r.RoomName)
	}
	if d.Package != nil {
		c.Package = d.Package.Name
	}
	for _, x := range d.Extras {
		c.Extras = append(c.Extras, pair{x.Name, x.Amount.Format(d.Currency)})
	}
	c.say(kind, d)
	c.count(kind, d)
	c.Facts = c.facts()
	return c
}

// say fills in the sentences.
func (c *content) say(kind Kind, d reservations.Details) {
	switch kind {
	case Cancellation:
		c.Subject = "Cancelled: your booking " + d.Code + " at " + c.Property
		c.Opening = "Your booking with us is cancelled. You need not do anything else."
		c.Closing = "We would be glad to welcome you another time."
	case Change:
		c.Subject = "Changed: your booking " + d.Code + " at " + c.Property
		c.Opening = "Your booking was changed. This is how it stands now."
		c.Closing = "If something is not as you wished, simply answer this letter."
	default:
		c.Subject = "Your booking " + d.Code + " at " + c.Property
		c.Opening = "Thank you for your booking. This is what we have noted for you."
		if d.Status == "pending" {
			c.Opening = "Thank you for your request. We hold this for you; it is not confirmed yet."
		}
		c.Closing = "We look forward to your stay. If something is not as you wished, simply answer this letter."
	}
}

// count fills in the money lines: the parts that are not zero, the total, and
// what was paid and is still to be paid.
func (c *content) count(kind Kind, d reservations.Details) {
	less := func(from, what money.Amount) money.Amount {
		rest, err := from.Sub(what)
		if err != nil {
			return money.Amount{} // beyond all measure; the database keeps amounts far below
		}
		return rest
	}
	add := func(name string, a money.Amount, always bool) {
		if always || !a.IsZero() {
			c.Money = append(c.Money, pair{name, a.Format(d.Currency)})
		}
	}
	if kind != Cancellation {
		add("Rooms", d.RoomTotal, false)
		add("Further guests", d.ExtraGuestTotal, false)
		add("Package, beside the room", d.PackageOtherTotal, false)
		add("Discount", less(money.Amount{}, d.DiscountTotal), false)
		add("Extras", d.ExtrasTotal, false)
		add("Tax", d.TaxTotal, false)
	}
	add("Total", d.Total, kind != Cancellation)
	add("Paid", less(d.Total, d.Balance), false)
	if kind != Cancellation {
		add("Still to pay", d.Balance, true)
	}
}

// facts are the lines above the money, for the form that has columns.
func (c *content) facts() []pair {
	list := []pair{{"Reservation", c.Code}}
	add := func(name, value, more string) {
		if value != "" {
			list = append(list, pair{name, value + more})
		}
	}
	add("Group", c.GroupCode, "")
	from, until := "", ""
	if c.CheckInTime != "" {
		from = ", from " + c.CheckInTime
	}
	if c.CheckOutTime != "" {
		until = ", until " + c.CheckOutTime
	}
	add("Arrival", c.Arrival, from)
	add("Departure", c.Departure, until)
	add("Nights", fmt.Sprint(c.Nights), "")
	add("Guests", c.Guests, "")
	for _, r := range c.Rooms {
		add("Room", r, "")
	}
	add("Package", c.Package, "")
	for _, x := range c.Extras {
		add("Extra", x.Name, ": "+x.Amount)
	}
	add("Your wishes", c.Requests, "")
	return list
}

func people(adults, children int) string {
	s := fmt.Sprintf("%d adults", adults)
	if adults == 1 {
		s = "1 adult"
	}
	switch children {
	case 0:
		return s
	case 1:
		return s + ", 1 child"
	}
	return fmt.Sprintf("%s, %d children", s, children)
}
