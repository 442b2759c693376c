package hospitality_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// priced makes a hotel with COCO (one unit, 5,200 and 6,400.50) and a default
// model whose only tier takes 10 % off nights of an empty house.
func priced(t *testing.T) *hotel {
	t.Helper()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.sql(`insert into public.pricing_models (org_id, entity_id, code, name, is_default) values ($1, $2, 'TIERS',
		'Occupancy tiers', true)`, h.by.Entity.ID)
	h.must("set_pricing_tier", `{"name":"Quiet","min_occupancy":0,"max_occupancy":50,"adjustment_percent":-10}`)
	return h
}

// previewOf asks for what a person would see.
func (h *hotel) previewOf(name, arguments string) (tool.Preview, error) {
	h.t.Helper()
	call, err := h.prepare(name, arguments)
	if err != nil {
		return tool.Preview{}, err
	}
	return call.Preview(h.t.Context(), h.by)
}

// S0-32 S0-43: a Thursday and the Friday after it, which a season makes dearer.
func TestASimulationSaysWhichRuleSetEachNight(t *testing.T) {
	t.Parallel()
	h := priced(t)
	h.must("set_seasonal_price", `{"name":"Kite Festival","room":"coco","start_date":"2031-01-17",`+
		`"end_date":"2031-01-19","weekend_price":7000}`)
	h.sql(`update public.room_types set ceiling_price = 6200 where org_id = $1`)
	r := h.must("simulate_pricing", `{"room":"Coco","check_in":"2031-01-16","check_out":"2031-01-18"}`)
	want := [][]string{
		{"16-Jan-2031", "COCO", "weekday price of the room ₹5,200.00; tier Quiet at 0 % occupancy: −10 %", "₹4,680.00",
			"₹0.00", "₹0.00"},
		{"17-Jan-2031", "COCO", "weekend price of the season Kite Festival ₹7,000.00; tier Quiet at 0 % occupancy: " +
			"−10 % makes ₹6,300.00, lowered to the ceiling", "₹6,200.00", "₹0.00", "₹0.00"},
	}
	if got := rows(r); !cmp.Equal(got, want) {
		t.Errorf("the nights are\n%s", cmp.Diff(want, got))
	}
	if want := "Coco from 16-Jan-2031 to 18-Jan-2031 (2 nights, 2 guests) costs ₹10,880.00: rooms ₹10,880.00."; !strings.HasPrefix(r.Text, want) {
		t.Errorf("it says %q", r.Text)
	}
	// With a user in the house that night, no tier holds and there is a gap.
	h.book("2031-01-16", "2031-01-17", "confirmed", 1, 0, "COCO")
	r = h.must("simulate_pricing", `{"room":"COCO","check_in":"2031-01-16"}`)
	if got := rows(r); got[0][2] != "weekday price of the room ₹5,200.00; no tier at 100 % occupancy" ||
		got[0][3] != "₹5,200.00" {
		t.Errorf("a night in a gap: %v", got)
	}
}

// S0-32: rooms and arrivals side by side, and what speaks against a stay.
func TestSimulationsAreCompared(t *testing.T) {
	t.Parallel()
	h := priced(t)
	h.cabin("OAK", "Oak", 1)
	h.sql(`update public.room_types set weekday_price = 4000, min_stay = 2 where org_id = $1 and code = 'OAK'`)
	h.sql(`insert into public.extras (org_id, entity_id, code, name, price, per, tax_rate) values ($1, $2, 'SAUNA',
		'Sauna', 100, 'guest', 18)`, h.by.Entity.ID)
	r := h.must("simulate_pricing", `{"check_in":"2031-01-16","compare_days":2,"extras":[{"extra":"sauna",`+
		`"quantity":2}]}`)
	want := [][]string{
		{"Coco", "16-Jan-2031", "1", "₹4,680.00", "₹400.00", "₹72.00", "₹5,152.00", ""},
		{"Coco", "17-Jan-2031", "1", "₹5,760.45", "₹400.00", "₹72.00", "₹6,232.45", ""},
		{"Oak", "16-Jan-2031", "1", "₹3,600.00", "₹400.00", "₹72.00", "₹4,072.00",
			"Oak is let for at least 2 nights from 16-Jan-2031 on."},
		{"Oak", "17-Jan-2031", "1", "₹5,760.45", "₹400.00", "₹72.00", "₹6,232.45",
			"Oak is let for at least 2 nights from 17-Jan-2031 on."},
	}
	if got := rows(r); !cmp.Equal(got, want) {
		t.Errorf("the stays are\n%s", cmp.Diff(want, got))
	}
	if want := "Compared 4 stays. The cheapest is Coco, arriving on 16-Jan-2031: ₹5,152.00."; r.Text != want {
		t.Errorf("it says %q", r.Text)
	}
	tests := map[string]struct {
		arguments, says string
		kind            fault.Kind
	}{
		"an unknown room": {`{"room":"Cocoa","check_in":"2031-01-16"}`, "Did you mean Coco (COCO)?",
			fault.NotFound},
		"an unknown extra": {`{"room":"COCO","check_in":"2031-01-16","extras":[{"extra":"saunas"}]}`,
			"Did you mean Sauna (SAUNA)?", fault.NotFound},
		"an unknown coupon": {`{"room":"COCO","check_in":"2031-01-16","coupon":"NOPE"}`,
			"There is no coupon with the code NOPE.", fault.NotFound},
		"leaving on arrival": {`{"room":"COCO","check_in":"2031-01-16","check_out":"2031-01-16"}`,
			"must come after the arrival", fault.Invalid},
		"too many at once": {`{"check_in":"2031-01-16","compare_days":31}`, "at most 60 can be compared",
			fault.Invalid},
		"more than two years": {`{"room":"COCO","check_in":"2031-01-16","check_out":"2033-01-17"}`,
			"at most 730 nights", fault.Invalid},
	}
	for name, tc := range tests {
		_, err := h.run("simulate_pricing", tc.arguments)
		t.Run(name, func(t *testing.T) { sentence(t, err, tc.kind, tc.says) })
	}
}

// S0-43
func TestModelsAndSeasonsAreShown(t *testing.T) {
	t.Parallel()
	h := priced(t)
	h.must("set_pricing_tier", `{"name":"Last minute","min_occupancy":60,"max_occupancy":100,`+
		`"adjustment_percent":12.5,"lead_days_max":3}`)
	want := [][]string{
		{"Quiet", "QUIET", "0 % to under 50 %", "any", "−10 %"},
		{"Last minute", "LAST-MINUTE", "60 % and more", "0 to 3", "+12.5 %"},
	}
	if got := rows(h.must("get_pricing_model_details", `{}`)); !cmp.Equal(got, want) {
		t.Errorf("the tiers are\n%s", cmp.Diff(want, got))
	}
	if got := rows(h.must("list_pricing_models", `{}`)); len(got) != 1 ||
		got[0][4] != "Quiet −10 %, Last minute +12.5 %" {
		t.Errorf("the models are %v", got)
	}
	h.must("set_seasonal_price", `{"name":"Monsoon","start_date":"2031-07-01","end_date":"2031-08-31",`+
		`"weekday_price":3000,"min_stay":2}`)
	h.must("set_seasonal_price", `{"name":"Diwali","room":"COCO","start_date":"2031-11-10","end_date":"2031-11-16",`+
		`"weekend_price":9000,"priority":5,"closed_arrival":true}`)
	want = [][]string{
		{"Monsoon", "MONSOON", "all rooms", "01-Jul-2031", "31-Aug-2031", "₹3,000.00", "the room's own",
			"at least 2 nights", "0", "yes"},
		{"Diwali", "DIWALI", "Coco", "10-Nov-2031", "16-Nov-2031", "the room's own", "₹9,000.00", "no arrival", "5",
			"yes"},
	}
	if got := rows(h.must("get_seasonal_pricing", `{"room":"coco"}`)); !cmp.Equal(got, want) {
		t.Errorf("the seasons are\n%s", cmp.Diff(want, got))
	}
	if r := h.must("get_seasonal_pricing",
		`{"start_date":"2031-09-01","end_date":"2031-11-09"}`); r.Text != "No season holds there: nights cost the "+
		"rooms' own prices." {
		t.Errorf("between the seasons: %q", r.Text)
	}
}

// S0-43: what the extensions show before they act, and what they refuse.
func TestPricesAreChangedAfterOldAndNewWereSeen(t *testing.T) {
	t.Parallel()
	h := priced(t)
	call, err := h.prepare("set_seasonal_price",
		`{"name":"Holi","room":"COCO","start_date":"2031-03-01","end_date":"2031-03-09","weekday_price":6000}`)
	if err != nil {
		t.Fatal(err)
	}
	ctx := h.consented(call)
	for range 3 { // the same consent, sent again and again
		if _, err := call.Run(ctx, h.by); err != nil {
			t.Fatal(err)
		}
	}
	if got := h.sql(`select count(*) as n from public.seasonal_pricing where org_id = $1`); got[0]["n"] != int64(1) {
		t.Errorf("there are %v seasons", got[0]["n"])
	}
	p, err := h.previewOf("set_seasonal_price",
		`{"season":"holi","weekday_price":6500,"end_date":"2031-03-12","room":"all"}`)
	if err != nil {
		t.Fatal(err)
	}
	want := []tool.Line{
		{Label: "Room", Before: "Coco", After: "all rooms"},
		{Label: "Last night", Before: "09-Mar-2031", After: "12-Mar-2031"},
		{Label: "Weekday night", Before: "₹6,000.00", After: "₹6,500.00"},
	}
	if !cmp.Equal(p.Lines, want) || !cmp.Equal(p.Targets,
		[]tool.Target{{Table: "seasonal_pricing", Key: "HOLI", Version: 1}}) {
		t.Errorf("the preview shows %+v for %+v", p.Lines, p.Targets)
	}
	r := h.must("set_seasonal_price", `{"season":"holi","weekday_price":6500,"end_date":"2031-03-12","room":"all"}`)
	var s struct {
		Room    *struct{}
		EndsOn  string
		Weekday json.Number `json:"weekdayPrice"`
	}
	if err := json.Unmarshal(r.Data, &s); err != nil || s.Room != nil || s.EndsOn != "2031-03-12" ||
		s.Weekday != "6500.00" {
		t.Errorf("it became %s (%v)", r.Data, err)
	}
	tests := map[string]struct {
		tool, arguments, says string
		kind                  fault.Kind
	}{
		"the same again": {"set_seasonal_price", `{"season":"HOLI","weekday_price":6500}`,
			"Nothing would change", fault.Invalid},
		"ending before it starts": {"set_seasonal_price", `{"season":"HOLI","end_date":"2031-02-01"}`,
			"before it starts on 01-Mar-2031", fault.Invalid},
		"a season without a price": {"set_seasonal_price",
			`{"name":"Void","start_date":"2031-03-01","end_date":"2031-03-09"}`, "needs a price or a restriction",
			fault.Invalid},
		"a price below zero": {"set_seasonal_price", `{"season":"HOLI","weekday_price":-1}`,
			"must not be below zero", fault.Invalid},
		"thousandths of a rupee": {"set_seasonal_price", `{"season":"HOLI","weekday_price":1.005}`,
			"at most 2 decimals", fault.Invalid},
		"an unknown season": {"remove_seasonal_price", `{"season":"Holis"}`, "Did you mean Holi (HOLI)?",
			fault.NotFound},
		"a tier over another": {"set_pricing_tier",
			`{"name":"Half","min_occupancy":49.99,"max_occupancy":60,"adjustment_percent":5}`,
			"overlap with the tier Quiet (QUIET): 0 % to under 50 %", fault.Conflict},
		"a tier that ends too soon": {"set_pricing_tier", `{"tier":"QUIET","min_occupancy":50}`,
			"it must begin below its end", fault.Invalid},
		"a tier of 600 percent": {"set_pricing_tier", `{"tier":"QUIET","adjustment_percent":600}`,
			"from -90 to 500", fault.Invalid},
		"a tier without figures": {"set_pricing_tier", `{"name":"Busy"}`, "needs a name, min_occupancy",
			fault.Invalid},
	}
	for name, tc := range tests {
		_, err := h.previewOf(tc.tool, tc.arguments)
		t.Run(name, func(t *testing.T) { sentence(t, err, tc.kind, tc.says) })
	}
	// Two who add at once: the database refuses the overlap that no preview saw.
	if _, err := h.run("set_pricing_tier",
		`{"name":"Half","min_occupancy":40,"max_occupancy":60,"adjustment_percent":5}`); !fault.Is(err,
		fault.Conflict) {
		t.Errorf("an overlapping tier: %v", err)
	}
	h.must("set_pricing_tier", `{"tier":"Quiet","adjustment_percent":-5}`)
	h.must("remove_pricing_tier", `{"tier":"Quiet"}`)
	h.must("remove_seasonal_price", `{"season":"HOLI"}`)
	if got := h.sql(`select (select count(*) from public.seasonal_pricing where org_id = $1) + (select count(*)
		from public.pricing_tiers where org_id = $1) as n`); got[0]["n"] != int64(0) {
		t.Errorf("%v rows are left", got[0]["n"])
	}
	h.by = h.as(h.org.Viewer.Token)
	if _, err := h.run("set_seasonal_price",
		`{"name":"Mine","start_date":"2031-03-01","end_date":"2031-03-09","weekday_price":1}`); !fault.Is(err,
		fault.Forbidden) {
		t.Errorf("a viewer sets a price: %v", err)
	}
}
