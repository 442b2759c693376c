package hospitality_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// What the desk asks all day, of the 120,000 bookings of manyBookings.
func BenchmarkTheDesksQuestions(b *testing.B) {
	s := localtest.Clone(b)
	org := localtest.NewOrgOn(b, s)
	localtest.Script(b, s, strings.NewReplacer("ORG", "'"+org.ID+"'::uuid", "ENTITY", "'"+org.Entity.ID+
		"'::uuid").Replace(manyBookings))
	localtest.Script(b, s, `analyze`)
	client, err := supabase.New(localtest.Config(b, s))
	if err != nil {
		b.Fatal(err)
	}
	by, err := client.Whoami(b.Context(), identity.Secret(org.Manager.Token))
	if err != nil {
		b.Fatal(err)
	}
	by, _ = by.Choose("", "property")
	all := catalogue(client)
	for _, each := range []struct{ name, tool, arguments string }{
		{"availability, taken", "check_availability",
			`{"room":"T3","check_in":"2031-02-01","check_out":"2031-02-04"}`},
		{"availability, all", "check_all_availability", `{"check_in":"2031-02-01","check_out":"2031-02-04"}`},
		{"availability, free", "check_all_availability", `{"check_in":"2033-02-01","check_out":"2033-02-04"}`},
		{"search by name", "search_reservations", `{"query":"Guest 599"}`},
		{"search by dates", "search_reservations", `{"from":"2031-02-01","to":"2031-02-01"}`},
		{"search by code", "search_reservations", `{"query":"GGGGA2"}`},
		{"search by phone", "search_reservations", `{"query":"5550001"}`},
		{"search by a letter", "search_reservations", `{"query":"e"}`},
		{"search that finds all", "search_reservations", `{"query":"Guest"}`},
		{"search, misspelt", "search_reservations", `{"query":"Gest 599"}`},
		{"everything", "search_reservations", `{}`},
		{"details", "get_reservation_details", `{"code":"GGGGA2"}`},
		{"a price", "simulate_pricing", `{"room":"T3","check_in":"2031-02-01","check_out":"2031-02-04"}`},
		{"all prices", "simulate_pricing", `{"check_in":"2031-02-01","check_out":"2031-02-04"}`},
		{"arriving today", "get_today_checkins", `{}`},
		{"the day's list", "list_arrivals_departures", `{}`},
		{"the morning", "get_morning", `{}`},
		{"the chart of rooms", "get_tape_chart", `{}`},
		{"in house", "list_in_house", `{}`},
		{"meals", "count_meals", `{}`},
		{"wishes of a week", "list_guest_needs", `{}`},
		{"a check-in by room", "update_reservation_status", `{"code":"T3","status":"checked_in"}`},
		{"owed", "list_balances_due", `{}`},
		{"blocked", "list_blocked_dates", `{}`},
		{"selections", "list_extra_selections", `{}`},
		{"a booking's preview", "create_reservation",
			`{"room":"T3","check_in":"2033-02-01","check_out":"2033-02-04","guest_name":"A","adults":2}`},
		{"a refusal with alternatives", "create_reservation",
			`{"room":"T3","check_in":"2031-02-01","check_out":"2031-02-04","guest_name":"A","adults":2}`},
		{"a block's preview", "block_dates",
			`{"rooms":["T3"],"start_date":"2033-02-01","end_date":"2033-02-04","reason":"other"}`},
	} {
		b.Run(each.name, func(b *testing.B) {
			i := slices.IndexFunc(all, func(t tool.Tool) bool { return t.Name() == each.tool })
			call, err := all[i].Prepare([]byte(each.arguments))
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if !all[i].Effect().Asks() {
					_, err = call.Run(b.Context(), by)
				} else if _, err = call.Preview(b.Context(), by); fault.KindOf(err) == fault.Conflict ||
					fault.From(err) != nil && fault.From(err).Code == "ambiguous" {
					err = nil
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
