package supabase_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// facts is a quote in the form in which the oracle's answer and the database's are compared.
type facts struct {
	Lines          []string
	Room, Further  string
	Other          string
	Discount       string
	Extras, Tax    string
	Total          string
	Deposit        string
	Balance        string
	Taxes, Amounts []string
	Problems       []string
	CouponValid    bool
}

func (b bill) answer() []byte {
	f := facts{Room: show(b.room), Further: show(b.further), Other: show(b.other), Discount: show(b.discount),
		Extras: show(b.extras), Tax: show(b.tax),
		Total: show(b.total), Deposit: show(b.deposit), Balance: show(minus(b.total, b.deposit)), Taxes: b.taxes,
		Amounts:  b.extraAmounts,
		Problems: b.problems, CouponValid: b.couponValid}
	for _, l := range b.lines {
		f.Lines = append(f.Lines, fmt.Sprintln(l.night.Format(time.DateOnly), l.room, l.source, l.season, show(l.base),
			l.tier, show(l.percent),
			show(l.occupancy), show(l.amount), show(l.further), show(l.minus)))
	}
	out, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		panic(err)
	}
	return out
}

// quote is the part of the database's answer that bears on money.
type quote struct {
	Lines []struct {
		Night                         string
		Room                          int
		RoomCode, Source              string
		SeasonCode, TierCode          string
		Base, TierPercent, Occupancy  json.Number
		Amount, ExtraGuests, Discount json.Number
	}
	RoomTotal, ExtraGuestTotal, PackageOtherTotal, DiscountTotal, ExtrasTotal, TaxTotal json.Number
	Total, DepositDue, BalanceDue                                                       json.Number
	Taxes                                                                               []struct {
		Label  string
		Amount json.Number
	}
	Extras []struct {
		Code   string
		Amount json.Number
	}
	Coupon *struct {
		Valid    bool
		Discount json.Number
		Reason   string
	}
	Problems []struct{ Code, Sentence string }
}

func askQuote(t *testing.T, q querier, p person, request []byte) quote {
	t.Helper()
	var out quote
	if err := json.Unmarshal(ask[[]byte](t, q, `select app.quote($1, $2)`, p.entity, request), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// quoted returns the facts of a quote, after holding its sums against its parts.
func quoted(t *testing.T, q querier, p person, w wish) []byte {
	t.Helper()
	a := askQuote(t, q, p, w.json())
	f := facts{Room: a.RoomTotal.String(), Further: a.ExtraGuestTotal.String(), Other: a.PackageOtherTotal.String(),
		Discount: a.DiscountTotal.String(),
		Extras:   a.ExtrasTotal.String(), Tax: a.TaxTotal.String(), Total: a.Total.String(),
		Deposit: a.DepositDue.String(), Balance: a.BalanceDue.String()}
	room, further, discount, extras, tax := new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat)
	for _, l := range a.Lines {
		f.Lines = append(f.Lines, fmt.Sprintln(l.Night, l.Room, l.Source, l.SeasonCode, l.Base, l.TierCode,
			padded(l.TierPercent), padded(l.Occupancy),
			l.Amount, l.ExtraGuests, padded(l.Discount)))
		amount, more, less := rat(l.Amount.String()), rat(l.ExtraGuests.String()), rat(l.Discount.String())
		room, further, discount = plus(room, amount), plus(further, more), plus(discount, less)
		if less.Sign() < 0 || less.Cmp(plus(amount, more)) > 0 {
			t.Errorf("%s: a discount of %s on %s + %s", l.Night, l.Discount, l.Amount, l.ExtraGuests)
		}
		if code := w.rooms[l.Room-1]; l.RoomCode != code {
			t.Errorf("room %d is %s, want %s", l.Room, l.RoomCode, code)
		}
	}
	for _, x := range a.Extras {
		f.Amounts = append(f.Amounts, x.Code+" "+x.Amount.String())
		extras = plus(extras, rat(x.Amount.String()))
	}
	for _, x := range a.Taxes {
		f.Taxes = append(f.Taxes, strings.TrimPrefix(x.Label, "Extra ")+" "+x.Amount.String())
		tax = plus(tax, rat(x.Amount.String()))
	}
	for _, each := range []struct {
		parts *big.Rat
		total json.Number
	}{{room, a.RoomTotal}, {further, a.ExtraGuestTotal}, {discount, a.DiscountTotal}, {extras, a.ExtrasTotal},
		{tax, a.TaxTotal},
		{plus(minus(plus(room, further, rat(a.PackageOtherTotal.String())), discount), extras, tax), a.Total},
		{plus(rat(a.DepositDue.String()), rat(a.BalanceDue.String())), a.Total}} {
		if each.parts.Cmp(rat(each.total.String())) != 0 {
			t.Errorf("the parts make %s, the total says %s", show(each.parts), each.total)
		}
	}
	for _, each := range a.Problems {
		f.Problems = append(f.Problems, each.Code)
		if !strings.HasSuffix(each.Sentence, ".") || strings.Contains(each.Sentence, "<NULL>") {
			t.Errorf("%s says %q", each.Code, each.Sentence)
		}
	}
	if a.Coupon != nil {
		f.CouponValid = a.Coupon.Valid
	}
	out, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func padded(n json.Number) string { return show(rat(n.String())) }

// row inserts one row of p's property; zero times and empty texts are null.
func (p person) row(t *testing.T, q querier, table string, values map[string]any) {
	t.Helper()
	columns, marks, args := "org_id, entity_id", "$1, $2", []any{p.org, p.entity}
	for column, value := range values {
		switch v := value.(type) {
		case time.Time:
			if v.IsZero() {
				continue
			}
			value = v.Format(time.DateOnly)
		case string:
			if v == "" {
				continue
			}
		}
		args = append(args, value)
		columns += ", " + column
		marks += fmt.Sprintf(", $%d", len(args))
	}
	exec(t, q, fmt.Sprintf("insert into public.%s (%s) values (%s)", table, columns, marks), args...)
}

// id makes the same id of the same words in one property.
func (p person) id(words string) string {
	return uuid.NewSHA1(uuid.MustParse(p.entity), []byte(words)).String()
}

// store writes the house into the property of p.
func (h house) store(t *testing.T, q *pgx.Conn, p person, currency string) {
	t.Helper()
	settings, err := json.Marshal(map[string]any{"weekendNights": append([]int{}, h.weekend...),
		"depositPercent": json.Number(h.deposit), "roomTaxRate": json.Number(h.tax), "advanceNoticeDays": h.notice})
	if err != nil {
		t.Fatal(err)
	}
	exec(t, q, `update public.entities set currency = $2, settings = $3 where id = $1`, p.entity, currency, settings)
	optional := func(n, none int) any {
		if n == none {
			return nil
		}
		return n
	}
	for _, code := range []string{"M0", "M1"} {
		active := true
		for _, r := range h.tiers {
			active = active && (r.model != code || r.active)
		}
		p.row(t, q, "pricing_models", map[string]any{"id": p.id(code), "code": code, "name": code,
			"is_default": code == "M0", "active": active})
	}
	for _, r := range h.tiers {
		p.row(t, q, "pricing_tiers", map[string]any{"model_id": p.id(r.model), "code": r.code, "name": r.code,
			"min_occupancy": r.low, "max_occupancy": r.high,
			"adjustment_percent": r.percent, "lead_days_min": r.leadMin, "lead_days_max": optional(r.leadMax, -1)})
	}
	for _, k := range h.types {
		model := ""
		if k.model != "" {
			model = p.id(k.model)
		}
		p.row(t, q, "room_types", map[string]any{"id": p.id(k.code), "code": k.code, "name": k.code,
			"capacity": k.capacity, "included_guests": k.included,
			"extra_guest_price": k.further, "weekday_price": k.weekday, "weekend_price": k.weekend,
			"floor_price": k.floor, "ceiling_price": k.ceiling,
			"min_stay": k.minStay, "max_stay": k.maxStay, "closed_arrival_days": append([]int{}, k.noArrival...),
			"closed_departure_days": append([]int{}, k.noDeparture...),
			"advance_notice_days":   optional(k.notice, -1), "pricing_model_id": model, "active": k.active})
	}
	for _, u := range h.units {
		if u.code == u.kind {
			exec(t, q, `update public.rooms set active = $3 where org_id = $1 and code = $2`, p.org, u.code, u.active)
			continue
		}
		p.row(t, q, "rooms", map[string]any{"room_type_id": p.id(u.kind), "code": u.code, "active": u.active})
	}
	for i, s := range h.seasons {
		kind := ""
		if s.kind != "" {
			kind = p.id(s.kind)
		}
		p.row(t, q, "seasonal_pricing", map[string]any{"code": s.code, "name": s.code, "room_type_id": kind,
			"starts_on": s.from, "ends_on": s.to,
			"weekday_price": s.weekday, "weekend_price": s.weekend, "min_stay": optional(s.minStay, 0),
			"priority": s.priority, "closed_arrival": s.noArrival,
			"closed_departure": s.noExit, "active": s.active, "created_at": fmt.Sprintf("2031-01-01 00:00:%02d+00",
				i)})
	}
	h.storeSales(t, q, p, optional)
	for _, s := range h.stays {
		unit := ask[string](t, q, `select id from public.rooms where org_id = $1 and code = $2`, p.org, s.unit)
		if s.reservation == "" {
			p.block(t, q, s.from.Format(time.DateOnly), s.to.Format(time.DateOnly), unit)
			continue
		}
		p.row(t, q, "reservations", map[string]any{"id": s.reservation, "check_in": s.from, "check_out": s.to,
			"guest_name": "Guest", "currency": currency})
		exec(t, q, `insert into public.reservation_rooms (org_id, entity_id, reservation_id, room_id) values ($1,
			$2, $3, $4)`, p.org, p.entity, s.reservation, unit)
	}
	for _, c := range h.coupons {
		for _, id := range c.uses {
			exec(t, q, `insert into public.coupon_uses (org_id, entity_id, coupon_id, reservation_id, amount)
				values ($1, $2, $3, $4, 0)`, p.org, p.entity, p.id(c.code), id)
		}
	}
}

func (h house) storeSales(t *testing.T, q *pgx.Conn, p person, optional func(n, none int) any) {
	t.Helper()
	for _, x := range h.extras {
		p.row(t, q, "extras", map[string]any{"id": p.id(x.code), "code": x.code, "name": x.code, "price": x.price,
			"per": x.per, "tax_rate": x.tax, "active": x.active})
	}
	for _, k := range h.bundles {
		p.row(t, q, "packages", map[string]any{"id": p.id(k.code), "code": k.code, "name": k.code, "price": k.price,
			"per": k.per, "room_share_percent": k.share,
			"min_nights": k.minNights, "max_nights": optional(k.maxNights, 0), "included_guests": k.guests,
			"valid_from": k.from, "valid_to": k.to, "active": k.active})
		for _, kind := range k.kinds {
			p.row(t, q, "packages_rooms", map[string]any{"package_id": p.id(k.code), "room_type_id": p.id(kind)})
		}
		for code, quantity := range k.extras {
			p.row(t, q, "packages_extras", map[string]any{"package_id": p.id(k.code), "extra_id": p.id(code),
				"quantity": quantity})
		}
	}
	for _, c := range h.coupons {
		p.row(t, q, "coupons", map[string]any{"id": p.id(c.code), "code": c.code, "kind": c.kind, "amount": c.amount,
			"max_discount": c.most, "valid_from": c.from,
			"valid_to": c.to, "stay_from": c.stayFrom, "stay_to": c.stayTo, "min_nights": optional(c.minNights, 0),
			"min_amount":  c.minAmount,
			"usage_limit": optional(c.limit, 0), "active": c.active})
		for _, kind := range c.kinds {
			p.row(t, q, "coupon_rooms", map[string]any{"coupon_id": p.id(c.code), "room_type_id": p.id(kind)})
		}
		for _, code := range c.bundles {
			p.row(t, q, "coupon_packages", map[string]any{"coupon_id": p.id(c.code), "package_id": p.id(code)})
		}
	}
}
