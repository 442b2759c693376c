package reservations

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/edit_reservation.md
var editReservationText string

//go:embed tools/update_reservation_details.md
var updateReservationDetailsText string

// Changes is what shall be otherwise in a reservation. What is nil or zero stays
// as it is; an empty text behind a pointer takes the value away.
type Changes struct {
	CheckIn          calendar.Date  `json:"checkIn,omitzero"`
	CheckOut         calendar.Date  `json:"checkOut,omitzero"`
	Room             string         `json:"room,omitempty"` // code of the type
	Unit             string         `json:"unit,omitempty"` // code of the unit
	Adults           *int           `json:"adults,omitempty"`
	Children         *int           `json:"children,omitempty"`
	Extras           *[]ExtraWanted `json:"extras,omitempty"` // the whole list
	Coupon           *string        `json:"coupon,omitempty"`
	Package          *string        `json:"package,omitempty"`
	GuestName        *string        `json:"guestName,omitempty"`
	GuestEmail       *string        `json:"guestEmail,omitempty"`
	PhoneCountryCode *string        `json:"phoneCountryCode,omitempty"`
	Phone            *string        `json:"phone,omitempty"`
	Country          *string        `json:"country,omitempty"`
	Channel          Channel        `json:"channel,omitempty"`
	SpecialRequests  *string        `json:"specialRequests,omitempty"`
	Notes            *string        `json:"notes,omitempty"`
	Override         bool           `json:"override,omitempty"`
}

// Edit is what changes would make of a reservation.
type Edit struct {
	Before   Details       `json:"before"`
	Scope    string        `json:"scope"` // what is priced anew: none, extras or all
	CheckIn  calendar.Date `json:"checkIn"`
	CheckOut calendar.Date `json:"checkOut"`
	Adults   int           `json:"adults"`
	Children int           `json:"children"`
	Package  string        `json:"package"`
	Coupon   string        `json:"coupon"`
	Extras   []ExtraPrice  `json:"extras"`
	Money    Money         `json:"money"`
	SetAside []string      `json:"setAside"`
	Units    []struct {
		Unit     string `json:"unit"`
		RoomCode string `json:"roomCode"`
		RoomName string `json:"roomName"`
	} `json:"units"`
}

// Editor changes reservations.
type Editor interface {
	// PreviewEdit returns what Edit would do. Its errors are those of Edit.
	PreviewEdit(ctx context.Context, by identity.Caller, code string, ch Changes, today calendar.Date) (Edit, error)

	// Edit changes one reservation and returns it. It is priced anew only when
	// something that prices changed, and otherwise keeps the price as agreed.
	// Errors are those of Booker.Book, and fault.Unprocessable where the status
	// forbids the change. Under a claim it happens once.
	Edit(ctx context.Context, by identity.Caller, code string, ch Changes, today calendar.Date) (Record, error)
}

type editInput struct {
	Code               string        `json:"code" jsonschema:"the reservation's code such as K7QMPX"`
	CheckIn            calendar.Date `json:"check_in,omitzero" jsonschema:"the day of arrival"`
	CheckOut           calendar.Date `json:"check_out,omitzero" jsonschema:"the day of departure; its night is not stayed"`
	Room               string        `json:"room,omitempty" jsonschema:"the room type's code or name"`
	Unit               string        `json:"unit,omitempty" jsonschema:"one unit's code, where it must be this one"`
	Adults             *int          `json:"adults,omitempty" jsonschema:"how many adults"`
	Children           *int          `json:"children,omitempty" jsonschema:"how many children"`
	Extras             *[]extraInput `json:"extras,omitempty" jsonschema:"the whole new list: repeat what shall stay; an empty list removes all"`
	Coupon             *string       `json:"coupon,omitempty" jsonschema:"a coupon's code; an empty text removes it"`
	Package            *string       `json:"package,omitempty" jsonschema:"the package's code or name; an empty text removes it"`
	Channel            string        `json:"channel,omitempty" jsonschema:"direct, website, phone, email, walk_in, booking_com, airbnb, expedia, agent or other"`
	IgnoreRestrictions bool          `json:"ignore_restrictions,omitempty" jsonschema:"only on the person's word: sets aside stay limits, closed days, notice"`
	guestInput
}

// guestInput is what can be changed without a price.
type guestInput struct {
	GuestName        *string `json:"guest_name,omitempty" jsonschema:"as the guest writes it"`
	GuestEmail       *string `json:"guest_email,omitempty" jsonschema:"the guest's e-mail address"`
	PhoneCountryCode *string `json:"phone_country_code,omitempty" jsonschema:"such as +91"`
	Phone            *string `json:"phone,omitempty" jsonschema:"without the country code"`
	Country          *string `json:"country,omitempty" jsonschema:"two letters, such as IN"`
	SpecialRequests  *string `json:"special_requests,omitempty" limits:"note" jsonschema:"what the guest asks for"`
	Notes            *string `json:"notes,omitempty" limits:"note" jsonschema:"of the staff; guests do not see them"`
}

type updateDetailsInput struct {
	Code string `json:"code" jsonschema:"the reservation's code such as K7QMPX"`
	guestInput
}

// Check refuses what no reservation can have.
func (in *editInput) Check() error {
	if err := single(&in.Code); err != nil {
		return err
	}
	if !in.CheckIn.IsZero() && !in.CheckOut.IsZero() {
		dates := datesInput{CheckIn: in.CheckIn, CheckOut: in.CheckOut}
		if err := dates.Check(); err != nil {
			return err
		}
	}
	adults, children := 1, 0
	if in.Adults != nil {
		adults = *in.Adults
	}
	if in.Children != nil {
		children = *in.Children
	}
	if err := checkPeople(adults, children); err != nil {
		return err
	}
	if in.Extras != nil {
		if err := checkExtras(*in.Extras); err != nil {
			return err
		}
	}
	from, err := channel(in.Channel)
	if err != nil {
		return err
	}
	in.Channel = string(from)
	if *in == (editInput{Code: in.Code, IgnoreRestrictions: in.IgnoreRestrictions}) {
		return fault.New(fault.Invalid, "What should change in reservation %s: the dates, the room, the guests, the "+
			"guest's data, extras, coupon or package?", in.Code)
	}
	return in.tidy()
}

// Check refuses a call that changes nothing.
func (in *updateDetailsInput) Check() error {
	if err := single(&in.Code); err != nil {
		return err
	}
	if in.guestInput == (guestInput{}) {
		return fault.New(fault.Invalid, "What should change in reservation %s: the guest's name, e-mail, phone or "+
			"country, the requests or the notes?", in.Code)
	}
	return in.tidy()
}

func (in *guestInput) tidy() error {
	if in.GuestName != nil {
		if err := checkName(*in.GuestName); err != nil {
			return err
		}
	}
	for what, text := range map[string]*string{"special_requests": in.SpecialRequests, "notes": in.Notes} {
		if text != nil {
			if err := checkText(what, *text, 4000); err != nil {
				return err
			}
		}
	}
	g := Guest{Email: value(in.GuestEmail), PhoneCountryCode: value(in.PhoneCountryCode), Phone: value(in.Phone),
		Country: value(in.Country)}
	err := g.tidy()
	set(in.GuestEmail, g.Email)
	set(in.PhoneCountryCode, g.PhoneCountryCode)
	set(in.Phone, g.Phone)
	set(in.Country, g.Country)
	return err
}

func (in guestInput) changes() Changes {
	return Changes{
		GuestName: in.GuestName, GuestEmail: in.GuestEmail, PhoneCountryCode: in.PhoneCountryCode, Phone: in.Phone,
		Country: in.Country, SpecialRequests: in.SpecialRequests, Notes: in.Notes,
	}
}

// changes finds the codes of what is asked for by name.
func (c service) changes(ctx context.Context, by identity.Caller, in editInput) (Changes, error) {
	ch := in.guestInput.changes()
	ch.CheckIn, ch.CheckOut, ch.Adults, ch.Children = in.CheckIn, in.CheckOut, in.Adults, in.Children
	ch.Channel, ch.Override = Channel(in.Channel), in.IgnoreRestrictions
	if in.Coupon != nil {
		code := couponCode(*in.Coupon)
		ch.Coupon = &code
	}
	if in.Room == "" && in.Unit == "" && in.Extras == nil && in.Package == nil {
		return ch, nil
	}
	b, err := c.store.Bookable(ctx, by)
	if err != nil {
		return ch, err
	}
	switch {
	case in.Room != "":
		room, unit, err := b.room(in.Room, in.Unit)
		if err != nil {
			return ch, err
		}
		ch.Room, ch.Unit = room.Code, unit
	case in.Unit != "":
		ch.Unit = strings.ToUpper(strings.TrimSpace(in.Unit))
	}
	if in.Extras != nil {
		extras, err := b.extras(*in.Extras)
		if err != nil {
			return ch, err
		}
		ch.Extras = &extras
	}
	if in.Package != nil {
		code := ""
		if strings.TrimSpace(*in.Package) != "" {
			p, err := pick(b.Packages, *in.Package, "package", "sold")
			if err != nil {
				return ch, err
			}
			code = p.Code
		}
		ch.Package = &code
	}
	return ch, nil
}

func (c service) editTools() []tool.Tool {
	return []tool.Tool{
		editing(c, tool.Spec{Name: "edit_reservation", Effect: tool.Changes, Description: editReservationText},
			func(ctx context.Context, by identity.Caller, in editInput) (string, Changes, error) {
				ch, err := c.changes(ctx, by, in)
				return in.Code, ch, err
			}),
		editing(c, tool.Spec{Name: "update_reservation_details", Effect: tool.Changes,
			Description: updateReservationDetailsText},
			func(_ context.Context, _ identity.Caller, in updateDetailsInput) (string, Changes, error) {
				return in.Code, in.changes(), nil
			}),
	}
}

// editing makes a tool that changes a reservation by what changes makes of its input.
func editing[In any](c service, spec tool.Spec, changes func(context.Context, identity.Caller, In) (string, Changes,
	error)) tool.Tool {
	return tool.New(spec,
		func(ctx context.Context, by identity.Caller, in In) (edited, error) {
			code, ch, err := changes(ctx, by, in)
			if err != nil {
				return edited{}, err
			}
			today, err := c.today(by)
			if err != nil {
				return edited{}, err
			}
			r, err := c.store.Edit(ctx, by, code, ch, today)
			return edited{recorded{[]Record{r}}}, err
		},
		tool.Previewed(func(ctx context.Context, by identity.Caller, in In) (tool.Preview, error) {
			code, ch, err := changes(ctx, by, in)
			if err != nil {
				return tool.Preview{}, err
			}
			today, err := c.today(by)
			if err != nil {
				return tool.Preview{}, err
			}
			e, err := c.store.PreviewEdit(ctx, by, code, ch, today)
			if err != nil {
				return tool.Preview{}, err
			}
			return e.preview(ch)
		}))
}

type edited struct{ recorded }

// Summarize says how the reservation is now.
func (e edited) Summarize() string {
	r := e.Reservations[0]
	facts := append(slices.Clone(r.Rooms), stay(r.CheckIn, r.CheckOut), people(r.Adults, r.Children))
	return "Changed reservation " + r.Code + " of " + r.Guest + ": " + join(facts) + ". The total is " +
		r.Total.Format(r.Currency) + ", of which " + r.Balance.Format(r.Currency) + " is still to be paid."
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func set(s *string, to string) {
	if s != nil {
		*s = to
	}
}
