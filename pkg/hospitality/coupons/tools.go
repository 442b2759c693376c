package coupons

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/forms"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/list_coupons.md
var listCouponsText string

//go:embed tools/get_coupon_details.md
var getCouponDetailsText string

//go:embed tools/create_coupon.md
var createCouponText string

//go:embed tools/update_coupon.md
var updateCouponText string

//go:embed tools/delete_coupon.md
var deleteCouponText string

//go:embed tools/validate_coupon.md
var validateCouponText string

type listInput struct {
	IncludeInactive bool `json:"include_inactive,omitempty" jsonschema:"with those that are out of use"`
}

type detailsInput struct {
	Coupon string `json:"coupon" jsonschema:"the coupon's code or name"`
}

type validateInput struct {
	Coupon   string        `json:"coupon" jsonschema:"the coupon's code"`
	Room     string        `json:"room,omitempty" jsonschema:"the room type's code or name"`
	CheckIn  calendar.Date `json:"check_in,omitzero" jsonschema:"the day of arrival"`
	CheckOut calendar.Date `json:"check_out,omitzero" jsonschema:"the day of departure; its night is not stayed"`
	Nights   int           `json:"nights,omitempty" jsonschema:"how many nights, where the dates are not known"`
	Package  string        `json:"package,omitempty" jsonschema:"the package's code or name"`
	Amount   *money.Amount `json:"room_total,omitempty" jsonschema:"what the rooms cost, where it is known"`
}

// Check refuses what makes no stay.
func (in *validateInput) Check() error {
	switch {
	case in.CheckIn.IsZero() != in.CheckOut.IsZero():
		return fault.New(fault.Invalid, "Give both check_in and check_out, or neither.")
	case !in.CheckIn.IsZero() && !in.CheckOut.After(in.CheckIn):
		return fault.New(fault.Invalid, "The departure %s must come after the arrival %s.", in.CheckOut.Show(),
			in.CheckIn.Show())
	case !in.CheckIn.IsZero() && in.CheckIn.Until(in.CheckOut) > 730:
		return fault.New(fault.Invalid, "A stay has at most 730 nights.")
	case in.Nights < 0 || in.Nights > 730:
		return fault.New(fault.Invalid, "nights must be from 1 to 730.")
	case in.Amount != nil:
		return forms.Price("room_total", *in.Amount)
	}
	return nil
}

// Tools returns the tools with which an assistant keeps and checks coupons. now
// decides which day a stay is booked on.
func Tools(store Store, now calendar.Clock) []tool.Tool {
	return []tool.Tool{
		tool.New(tool.Spec{Name: "list_coupons", Effect: tool.Reads, Description: listCouponsText},
			func(ctx context.Context, by identity.Caller, in listInput) (list, error) {
				all, err := store.List(ctx, by)
				l := list{Coupons: []Coupon{}}
				for _, c := range all {
					if c.Active || in.IncludeInactive {
						l.Coupons = append(l.Coupons, c)
					}
				}
				return l, err
			}),
		tool.New(tool.Spec{Name: "get_coupon_details", Effect: tool.Reads, Description: getCouponDetailsText},
			func(ctx context.Context, by identity.Caller, in detailsInput) (details, error) {
				c, err := find(ctx, store, by, in.Coupon)
				return details{c}, err
			}),
		createTool(store), updateTool(store), deleteTool(store),
		tool.New(tool.Spec{Name: "validate_coupon", Effect: tool.Reads, Description: validateCouponText},
			func(ctx context.Context, by identity.Caller, in validateInput) (validated, error) {
				return validate(ctx, store, by, now, in)
			}),
	}
}

func find(ctx context.Context, store Store, by identity.Caller, wanted string) (Coupon, error) {
	all, err := store.List(ctx, by)
	if err != nil {
		return Coupon{}, err
	}
	return names.Find(all, wanted, "coupon")
}

func validate(ctx context.Context, store Store, by identity.Caller, now calendar.Clock, in validateInput) (validated,
	error) {
	zone, err := by.Entity.Location()
	if err != nil {
		return validated{}, err
	}
	c, err := find(ctx, store, by, in.Coupon)
	if err != nil {
		return validated{}, err
	}
	rooms, packages, err := store.Things(ctx, by)
	if err != nil {
		return validated{}, err
	}
	q := Question{Coupon: c.Code, Today: calendar.Today(now(), zone), CheckIn: in.CheckIn, CheckOut: in.CheckOut,
		Nights: in.Nights, Amount: in.Amount}
	if in.Room != "" {
		room, err := names.Find(rooms, in.Room, "room type")
		if err != nil {
			return validated{}, err
		}
		q.Room = room.Code
	}
	if in.Package != "" {
		p, err := names.Find(packages, in.Package, "package")
		if err != nil {
			return validated{}, err
		}
		q.Package = p.Code
	}
	a, err := store.Check(ctx, by, q)
	v := validated{Answer: a, Worth: c.worth(), Terms: c.terms(), currency: c.Currency}
	v.open = len(c.Rooms) > 0 && in.Room == "" || len(c.Packages) > 0 && in.Package == "" ||
		c.MinNights != nil && in.Nights == 0 && in.CheckIn.IsZero() || c.MinAmount != nil && in.Amount == nil ||
		(!c.StayFrom.IsZero() || !c.StayTo.IsZero()) && in.CheckIn.IsZero()
	return v, err
}

type validated struct {
	Answer
	Worth    string `json:"worth"`
	Terms    string `json:"terms,omitempty"`
	currency string
	open     bool // some of the terms could not be tried, since the stay is not known
}

// Summarize says whether the coupon holds, or why not. Terms that were not tried
// are named.
func (v validated) Summarize() string {
	if !v.Valid {
		return v.Reason
	}
	text := fmt.Sprintf("The coupon %s is valid: %s.", v.Code, v.Worth)
	if v.Discount != nil && v.Amount != nil {
		text = fmt.Sprintf("The coupon %s is valid: it takes %s off rooms for %s.", v.Code,
			v.Discount.Format(v.currency), v.Amount.Format(v.currency))
	}
	if v.open && v.Terms != "" {
		text += " Its terms: " + v.Terms + "."
	}
	return text
}

// Count is one: an answer.
func (v validated) Count() int { return 1 }

type list struct {
	Coupons []Coupon `json:"coupons"`
}

// Table lays the list out.
func (l list) Table() render.Table {
	t := render.Table{Title: "Coupons", Columns: []render.Column{
		render.Column{Key: "code", Label: "Coupon"}.Opens("get_coupon_details", "coupon", ""),
		render.Column{Key: "name", Label: "Name"}.Opens("get_coupon_details", "coupon", "code"),
		{Key: "worth", Label: "Takes off"},
		{Key: "terms", Label: "Conditions"},
		{Key: "used", Label: "Used", Right: true}, {Key: "active", Label: "Active"},
	}}
	for _, c := range l.Coupons {
		t.Rows = append(t.Rows, []render.Cell{render.Text(c.Code), render.Text(c.Name), render.Text(c.worth()),
			render.Text(c.terms()),
			render.Text(c.used()), render.Yes(c.Active)})
	}
	return t
}

// Summarize says how many there are.
func (l list) Summarize() string {
	switch len(l.Coupons) {
	case 0:
		return "The property has no coupons in use."
	case 1:
		return "There is one coupon."
	}
	return fmt.Sprintf("There are %d coupons.", len(l.Coupons))
}

type details struct{ Coupon }

// Table lays the facts out, one a row.
func (d details) Table() render.Table {
	t := render.Table{Title: "Coupon " + d.Code, Columns: []render.Column{{Key: "what", Label: "What"},
		{Key: "value", Label: "Value"}}}
	for _, fact := range [][2]string{{"Name", d.Name}, {"Description", d.Description}, {"Takes off", d.worth()},
		{"Conditions", d.terms()},
		{"Used", d.used()}, {"Active", forms.Yes(d.Active)}} {
		if fact[1] != "" {
			t.Rows = append(t.Rows, []render.Cell{render.Text(fact[0]), render.Text(fact[1])})
		}
	}
	return t
}

// Summarize says what it is in a sentence.
func (d details) Summarize() string {
	text := fmt.Sprintf("The coupon %s takes %s off the rooms and was used %s times.", d.Code, d.worth(), d.used())
	if !d.Active {
		text += " It is out of use."
	}
	return text
}

// Count is one: a coupon.
func (d details) Count() int { return 1 }
