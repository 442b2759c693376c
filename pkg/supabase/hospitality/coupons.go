package hospitality

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/coupons"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Coupons is a coupons.Store.
type Coupons struct{ client *supabase.Client }

var _ coupons.Store = Coupons{}

// NewCoupons returns the store in the project of client.
func NewCoupons(client *supabase.Client) Coupons { return Coupons{client} }

func coupon(r row[coupons.Coupon], by identity.Caller) coupons.Coupon {
	r.Value.Currency, r.Value.Version = by.Entity.Currency, r.Version
	return r.Value
}

// List returns the coupons; see coupons.Store.
func (s Coupons) List(ctx context.Context, by identity.Caller) ([]coupons.Coupon, error) {
	return listed(ctx, s.client, by, "coupon_list", nil, coupon)
}

// Things returns room types and packages; see coupons.Store.
func (s Coupons) Things(ctx context.Context, by identity.Caller) (rooms, packages []coupons.Thing, err error) {
	for _, each := range []struct {
		function string
		into     *[]coupons.Thing
	}{{"room_type_list", &rooms}, {"package_list", &packages}} {
		rows, err := Pricing(s).sold(ctx, by, each.function)
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
func (s Coupons) Create(ctx context.Context, by identity.Caller, code string, f coupons.Fields) (coupons.Coupon,
	error) {
	return s.write(ctx, by, "create_coupon", supabase.Args{"p_fields": struct {
		Code string `json:"code"`
		coupons.Fields
	}{code, f}})
}

// Update changes a coupon; see coupons.Store.
func (s Coupons) Update(
	ctx context.Context, by identity.Caller, code string, f coupons.Fields, drop []coupons.Field,
) (coupons.Coupon, error) {
	return s.write(ctx, by, "update_coupon",
		supabase.Args{"p_code": code, "p_fields": columns{of: f, clear: words(drop)}})
}

func (s Coupons) write(ctx context.Context, by identity.Caller, function string, args supabase.Args) (coupons.Coupon,
	error) {
	if _, err := inProperty(by); err != nil {
		return coupons.Coupon{}, err
	}
	args["p_entity"] = by.Entity.ID
	r, err := supabase.Call(ctx, s.client.As(by), function, args, s.again(ctx, by))
	return coupon(r, by), err
}

// again makes the answer of a repeated call: the coupon of the row that the
// first one wrote, as it is now, since its rooms are rows of their own.
func (s Coupons) again(ctx context.Context, by identity.Caller) func(effect.Outcome) (row[coupons.Coupon], error) {
	return func(did effect.Outcome) (row[coupons.Coupon], error) {
		r, err := rowIn[row[coupons.Coupon]]("coupons")(did)
		if err != nil {
			return r, err
		}
		all, err := s.List(ctx, by)
		for _, c := range all {
			if c.Code == r.Value.Code {
				r.Value.Rooms, r.Value.Packages, r.Value.Uses = c.Rooms, c.Packages, c.Uses
			}
		}
		return r, err
	}
}

// Delete removes a coupon; see coupons.Store.
func (s Coupons) Delete(
	ctx context.Context, by identity.Caller, code string,
) (removed string, deleted bool, err error) {
	if _, err := inProperty(by); err != nil {
		return "", false, err
	}
	type answer struct {
		Code    string
		Deleted bool
	}
	args := supabase.Args{"p_entity": by.Entity.ID, "p_code": code}
	a, err := supabase.Call(ctx, s.client.As(by), "delete_coupon", args,
		func(did effect.Outcome) (answer, error) {
			for _, r := range did.Rows {
				if r.Table == "coupons" {
					return answer{Code: r.Key, Deleted: r.Action == "delete"}, nil
				}
			}
			return answer{}, doneBefore()
		})
	return a.Code, a.Deleted, err
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
	return supabase.Read[coupons.Answer](ctx, s.client.As(by), "check_coupon", supabase.Args{"p_entity": by.Entity.ID,
		"p_request": string(text)})
}
