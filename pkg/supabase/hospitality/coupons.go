package hospitality

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/coupons"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Coupons is a coupons.Store.
type Coupons struct{ client *supabase.Client }

var _ coupons.Store = Coupons{}

// NewCoupons returns the store in the project of client.
func NewCoupons(client *supabase.Client) Coupons { return Coupons{client} }

type couponRow struct {
	Code        string        `json:"code"`
	Name        string        `json:"name"`
	Description string        `json:"description"`
	Kind        coupons.Kind  `json:"kind"`
	Amount      money.Amount  `json:"amount"`
	MaxDiscount *money.Amount `json:"max_discount"`
	ValidFrom   calendar.Date `json:"valid_from"`
	ValidTo     calendar.Date `json:"valid_to"`
	StayFrom    calendar.Date `json:"stay_from"`
	StayTo      calendar.Date `json:"stay_to"`
	MinNights   *int          `json:"min_nights"`
	MinAmount   *money.Amount `json:"min_amount"`
	UsageLimit  *int          `json:"usage_limit"`
	Uses        int           `json:"uses"`
	Rooms       []string      `json:"rooms"`
	Packages    []string      `json:"packages"`
	Active      bool          `json:"active"`
	Version     int           `json:"version"`
	Deleted     bool          `json:"deleted"`
}

func (r couponRow) coupon(by identity.Caller) coupons.Coupon {
	return coupons.Coupon{Code: r.Code, Name: r.Name, Description: r.Description, Kind: r.Kind, Amount: r.Amount, MaxDiscount: r.MaxDiscount,
		ValidFrom: r.ValidFrom, ValidTo: r.ValidTo, StayFrom: r.StayFrom, StayTo: r.StayTo, MinNights: r.MinNights, MinAmount: r.MinAmount,
		UsageLimit: r.UsageLimit, Uses: r.Uses, Rooms: r.Rooms, Packages: r.Packages, Active: r.Active, Currency: by.Entity.Currency, Version: r.Version}
}

// List returns the coupons; see coupons.Store.
func (s Coupons) List(ctx context.Context, by identity.Caller) ([]coupons.Coupon, error) {
	if _, err := inProperty(by); err != nil {
		return nil, err
	}
	rows, err := supabase.Read[[]couponRow](ctx, s.client.As(by), "coupon_list", supabase.Args{"p_entity": by.Entity.ID})
	all := make([]coupons.Coupon, len(rows))
	for i, r := range rows {
		all[i] = r.coupon(by)
	}
	return all, err
}

// Things returns room types and packages; see coupons.Store.
func (s Coupons) Things(ctx context.Context, by identity.Caller) (rooms, packages []coupons.Thing, err error) {
	for _, each := range []struct {
		table string
		into  *[]coupons.Thing
	}{{"room_types", &rooms}, {"packages", &packages}} {
		rows, err := Pricing(s).things(ctx, by, each.table, "id,code,name,active")
		if err != nil {
			return nil, nil, err
		}
		for _, r := range rows {
			*each.into = append(*each.into, coupons.Thing{Code: r.Code, Name: r.Name})
		}
	}
	return rooms, packages, nil
}

// Create adds a coupon; see coupons.Store.
func (s Coupons) Create(ctx context.Context, by identity.Caller, code string, f coupons.Fields) (coupons.Coupon, error) {
	fields, err := couponPatch(f, nil)
	if err != nil {
		return coupons.Coupon{}, err
	}
	fields["code"] = code
	return s.write(ctx, by, "create_coupon", supabase.Args{"p_fields": fields})
}

// Update changes a coupon; see coupons.Store.
func (s Coupons) Update(ctx context.Context, by identity.Caller, code string, f coupons.Fields, drop []string) (coupons.Coupon, error) {
	fields, err := couponPatch(f, drop)
	if err != nil {
		return coupons.Coupon{}, err
	}
	return s.write(ctx, by, "update_coupon", supabase.Args{"p_code": code, "p_fields": fields})
}

// couponPatch turns the given fields into columns, and those to drop into nulls.
func couponPatch(f coupons.Fields, drop []string) (map[string]any, error) {
	text, err := json.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("encode a coupon: %w", err)
	}
	columns := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &columns); err != nil {
		return nil, fmt.Errorf("encode a coupon: %w", err)
	}
	fields := map[string]any{}
	for _, column := range drop {
		fields[column] = nil
	}
	for column, value := range columns {
		fields[column] = value
	}
	return fields, nil
}

func (s Coupons) write(ctx context.Context, by identity.Caller, function string, args supabase.Args) (coupons.Coupon, error) {
	if _, err := inProperty(by); err != nil {
		return coupons.Coupon{}, err
	}
	args["p_entity"] = by.Entity.ID
	row, err := supabase.Call(ctx, s.client.As(by), function, args, s.again(ctx, by))
	return row.coupon(by), err
}

// again makes the answer of a repeated call: the coupon of the row that the
// first one wrote, as it is now, since its rooms are rows of their own.
func (s Coupons) again(ctx context.Context, by identity.Caller) func(effect.Outcome) (couponRow, error) {
	return func(did effect.Outcome) (couponRow, error) {
		row, err := rowIn[couponRow]("coupons")(did)
		if err != nil {
			return row, err
		}
		rows, err := supabase.Read[[]couponRow](ctx, s.client.As(by), "coupon_list", supabase.Args{"p_entity": by.Entity.ID})
		for _, r := range rows {
			if r.Code == row.Code {
				row.Rooms, row.Packages, row.Uses = r.Rooms, r.Packages, r.Uses
			}
		}
		return row, err
	}
}

// Delete removes a coupon; see coupons.Store.
func (s Coupons) Delete(ctx context.Context, by identity.Caller, code string) (coupons.Coupon, bool, error) {
	if _, err := inProperty(by); err != nil {
		return coupons.Coupon{}, false, err
	}
	row, err := supabase.Call(ctx, s.client.As(by), "delete_coupon", supabase.Args{"p_entity": by.Entity.ID, "p_code": code},
		func(did effect.Outcome) (couponRow, error) {
			for _, r := range did.Rows {
				if r.Table == "coupons" {
					return couponRow{Code: r.Key, Deleted: r.Action == "delete"}, nil
				}
			}
			return couponRow{}, doneBefore()
		})
	return row.coupon(by), row.Deleted, err
}

// Check asks whether a coupon would hold; see coupons.Store.
func (s Coupons) Check(ctx context.Context, by identity.Caller, q coupons.Question) (coupons.Answer, error) {
	if _, err := inProperty(by); err != nil {
		return coupons.Answer{}, err
	}
	request := map[string]any{"coupon": q.Coupon, "today": q.Today}
	if !q.CheckIn.IsZero() {
		request["checkIn"], request["checkOut"] = q.CheckIn, q.CheckOut
	}
	if q.Nights > 0 {
		request["nights"] = q.Nights
	}
	if q.Room != "" {
		request["rooms"] = []string{q.Room}
	}
	if q.Package != "" {
		request["package"] = q.Package
	}
	if q.Amount != nil {
		request["amount"] = q.Amount
	}
	text, err := json.Marshal(request)
	if err != nil {
		return coupons.Answer{}, fmt.Errorf("encode a question about a coupon: %w", err)
	}
	return supabase.Read[coupons.Answer](ctx, s.client.As(by), "check_coupon", supabase.Args{"p_entity": by.Entity.ID, "p_request": string(text)})
}
