package reservations

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/create_reservation.md
var createReservationText string

//go:embed tools/create_group_reservation.md
var createGroupReservationText string

//go:embed tools/create_package_reservation.md
var createPackageReservationText string

// stayInput is what every kind of booking asks for.
type stayInput struct {
	CheckIn            calendar.Date `json:"check_in" jsonschema:"the day of arrival"`
	CheckOut           calendar.Date `json:"check_out" jsonschema:"the day of departure; its night is not stayed"`
	GuestName          string        `json:"guest_name" jsonschema:"as the guest writes it"`
	GuestEmail         string        `json:"guest_email,omitempty" jsonschema:"the guest's e-mail address"`
	PhoneCountryCode   string        `json:"phone_country_code,omitempty" jsonschema:"such as +91"`
	Phone              string        `json:"phone,omitempty" jsonschema:"without the country code"`
	Country            string        `json:"country,omitempty" jsonschema:"two letters, such as IN"`
	Coupon             string        `json:"coupon,omitempty" jsonschema:"a coupon's code"`
	Status             newStatus     `json:"status,omitempty" jsonschema:"pending when only held"`
	HoldHours          int           `json:"hold_hours,omitempty" jsonschema:"hours until a pending booking lapses"`
	Channel            string        `json:"channel,omitempty" jsonschema:"direct, website, phone, email, walk_in, booking_com, airbnb, expedia, agent or other"`
	SpecialRequests    string        `json:"special_requests,omitempty" limits:"note" jsonschema:"what the guest asks for"`
	Notes              string        `json:"notes,omitempty" limits:"note" jsonschema:"of the staff; guests do not see them"`
	IgnoreRestrictions bool          `json:"ignore_restrictions,omitempty" jsonschema:"only on the person's word: sets aside stay limits, closed days, notice"`
}

// newStatus is a status with which a booking may begin.
type newStatus string

// Values returns the closed set.
func (newStatus) Values() []string { return []string{"confirmed", "pending"} }

type createInput struct {
	Room string `json:"room" jsonschema:"the room type's code or name"`
	Unit string `json:"unit,omitempty" jsonschema:"one unit's code, where it must be this one"`
	stayInput
	Adults   int          `json:"adults" jsonschema:"how many adults"`
	Children int          `json:"children,omitempty" jsonschema:"how many children"`
	Extras   []extraInput `json:"extras,omitempty" jsonschema:"extras to book along"`
}

type createPackageInput struct {
	Package string `json:"package" jsonschema:"the package's code or name"`
	Room    string `json:"room,omitempty" jsonschema:"the room type's code or name"`
	Unit    string `json:"unit,omitempty" jsonschema:"one unit's code, where it must be this one"`
	stayInput
	Adults   int          `json:"adults" jsonschema:"how many adults"`
	Children int          `json:"children,omitempty" jsonschema:"how many children"`
	Extras   []extraInput `json:"extras,omitempty" jsonschema:"extras to book along"`
}

type groupRoomInput struct {
	Room      string       `json:"room" jsonschema:"the room type's code or name"`
	Unit      string       `json:"unit,omitempty" jsonschema:"one unit's code, where it must be this one"`
	Adults    int          `json:"adults" jsonschema:"how many adults"`
	Children  int          `json:"children,omitempty" jsonschema:"how many children"`
	GuestName string       `json:"guest_name,omitempty" jsonschema:"who sleeps in it, if not the group's contact"`
	Extras    []extraInput `json:"extras,omitempty" jsonschema:"extras to book along"`
}

type createGroupInput struct {
	Rooms []groupRoomInput `json:"rooms" jsonschema:"one entry for each room"`
	stayInput
}

// Check refuses what no booking can have.
func (in *createInput) Check() error {
	if err := in.stayInput.check(); err != nil {
		return err
	}
	if err := checkPeople(in.Adults, in.Children); err != nil {
		return err
	}
	return checkExtras(in.Extras)
}

// Check refuses what no booking can have.
func (in *createPackageInput) Check() error {
	single := createInput{stayInput: in.stayInput, Adults: in.Adults, Children: in.Children, Extras: in.Extras}
	err := single.Check()
	in.stayInput, in.Extras = single.stayInput, single.Extras
	return err
}

// Check refuses what no group can have.
func (in *createGroupInput) Check() error {
	if err := in.check(); err != nil {
		return err
	}
	if len(in.Rooms) < 2 || len(in.Rooms) > 50 {
		return fault.New(fault.Invalid, "A group has 2 to 50 rooms, not %d. Book a single one by itself.",
			len(in.Rooms))
	}
	for i := range in.Rooms {
		r := &in.Rooms[i]
		if err := checkPeople(r.Adults, r.Children); err != nil {
			return err
		}
		if r.GuestName != "" {
			if err := checkName(r.GuestName); err != nil {
				return err
			}
		}
		if err := checkExtras(r.Extras); err != nil {
			return err
		}
	}
	return nil
}

func (in *stayInput) check() error {
	dates := datesInput{CheckIn: in.CheckIn, CheckOut: in.CheckOut}
	if err := dates.Check(); err != nil {
		return err
	}
	if err := checkName(in.GuestName); err != nil {
		return err
	}
	if in.Status == "" {
		in.Status = "confirmed"
	}
	switch {
	case in.HoldHours != 0 && in.Status != "pending":
		return fault.New(fault.Invalid, "hold_hours is for a booking with the status pending.")
	case in.HoldHours < 0 || in.HoldHours > 720:
		return fault.New(fault.Invalid, "hold_hours must be from 1 to 720.")
	case in.Status == "pending" && in.HoldHours == 0:
		in.HoldHours = 24
	}
	if err := checkText("special_requests", in.SpecialRequests, 4000); err != nil {
		return err
	}
	if err := checkText("notes", in.Notes, 4000); err != nil {
		return err
	}
	from, err := channel(in.Channel)
	if err != nil {
		return err
	}
	in.Channel = string(from)
	g := in.guest()
	err = g.tidy()
	in.GuestEmail, in.PhoneCountryCode, in.Phone, in.Country = g.Email, g.PhoneCountryCode, g.Phone, g.Country
	return err
}

func (in *stayInput) guest() Guest {
	return Guest{Name: in.GuestName, Email: in.GuestEmail, PhoneCountryCode: in.PhoneCountryCode, Phone: in.Phone,
		Country: in.Country}
}

// order starts an order with what all kinds have.
func (in *stayInput) order(today calendar.Date) Order {
	o := Order{
		Today: today, CheckIn: in.CheckIn, CheckOut: in.CheckOut, Guest: in.guest(), Coupon: couponCode(in.Coupon),
		Channel:         Channel(in.Channel),
		SpecialRequests: in.SpecialRequests, Notes: in.Notes, Override: in.IgnoreRestrictions,
	}
	if in.Status == "pending" {
		o.HoldHours = &in.HoldHours
	}
	return o
}

// service takes bookings: it turns what people say into orders.
type service struct {
	store Store
	now   calendar.Clock
}

func (c service) today(by identity.Caller) (calendar.Date, error) {
	zone, err := by.Entity.Location()
	if err != nil {
		return calendar.Date{}, err
	}
	return calendar.Today(c.now(), zone), nil
}

func (c service) single(ctx context.Context, by identity.Caller, in createInput) (Order, error) {
	return c.order(ctx, by, &in.stayInput, func(o *Order, b Bookable) error {
		return o.add(b, groupRoomInput{Room: in.Room, Unit: in.Unit, Adults: in.Adults, Children: in.Children,
			Extras: in.Extras})
	})
}

func (c service) group(ctx context.Context, by identity.Caller, in createGroupInput) (Order, error) {
	return c.order(ctx, by, &in.stayInput, func(o *Order, b Bookable) error {
		o.Group = true
		for _, room := range in.Rooms {
			if err := o.add(b, room); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c service) ofPackage(ctx context.Context, by identity.Caller, in createPackageInput) (Order, error) {
	return c.order(ctx, by, &in.stayInput, func(o *Order, b Bookable) error {
		p, err := pick(b.Packages, in.Package, "package", "sold")
		if err != nil {
			return err
		}
		o.Package = p.Code
		if in.Room == "" {
			if len(p.Rooms) != 1 {
				return fault.New(fault.Invalid, "Which room shall it be? The package %s is for %s.", p.Name,
					listed(p.Rooms, "every room type"))
			}
			in.Room = p.Rooms[0]
		}
		return o.add(b, groupRoomInput{Room: in.Room, Unit: in.Unit, Adults: in.Adults, Children: in.Children,
			Extras: in.Extras})
	})
}

// order fills an order with the codes of what is asked for by name.
func (c service) order(ctx context.Context, by identity.Caller, in *stayInput,
	fill func(*Order, Bookable) error) (Order, error) {
	today, err := c.today(by)
	if err != nil {
		return Order{}, err
	}
	b, err := c.store.Bookable(ctx, by)
	if err != nil {
		return Order{}, err
	}
	o := in.order(today)
	return o, fill(&o, b)
}

func (o *Order) add(b Bookable, in groupRoomInput) error {
	room, unit, err := b.room(in.Room, in.Unit)
	if err != nil {
		return err
	}
	extras, err := b.extras(in.Extras)
	o.Rooms = append(o.Rooms, RoomWanted{Room: room.Code, Unit: unit, Adults: in.Adults, Children: in.Children,
		GuestName: in.GuestName, Extras: extras})
	return err
}

func (c service) createTools() []tool.Tool {
	return []tool.Tool{
		booking(c, tool.Spec{Name: "create_reservation", Effect: tool.Changes, Description: createReservationText},
			c.single),
		booking(c, tool.Spec{Name: "create_group_reservation", Effect: tool.Changes,
			Description: createGroupReservationText}, c.group),
		booking(c, tool.Spec{Name: "create_package_reservation", Effect: tool.Changes,
			Description: createPackageReservationText}, c.ofPackage),
	}
}

// booking makes a tool that books what order makes of its input.
func booking[In any](c service, spec tool.Spec, order func(context.Context, identity.Caller, In) (Order,
	error)) tool.Tool {
	return tool.New(spec,
		func(ctx context.Context, by identity.Caller, in In) (booked, error) {
			o, err := order(ctx, by, in)
			if err != nil {
				return booked{}, err
			}
			list, err := c.store.Book(ctx, by, o)
			return newBooked(list, o.Guest.Name), err
		},
		tool.Previewed(func(ctx context.Context, by identity.Caller, in In) (tool.Preview, error) {
			o, err := order(ctx, by, in)
			if err != nil {
				return tool.Preview{}, err
			}
			offer, err := c.store.Offer(ctx, by, o)
			if err != nil {
				return tool.Preview{}, err
			}
			return offer.preview(by, o)
		}))
}

func listed(list []string, none string) string {
	switch len(list) {
	case 0:
		return none
	case 1:
		return list[0]
	}
	return fmt.Sprintf("%s and %s", join(list[:len(list)-1]), list[len(list)-1])
}
