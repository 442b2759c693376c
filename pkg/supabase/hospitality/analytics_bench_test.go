package hospitality_test

import (
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/analytics"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/hospitality"
)

// manyBookings fills an org's property with 120,000 bookings of three nights
// each, back to back in 200 rooms of 20 types from 2028 to 2032, one in twenty
// of them cancelled.
const manyBookings = `
alter table public.room_types disable trigger user;
alter table public.rooms disable trigger user;
alter table public.reservations disable trigger user;
alter table public.reservation_rooms disable trigger user;
alter table public.reservation_nights disable trigger user;
alter table public.stays disable trigger user;
insert into public.room_types (org_id, entity_id, code, name, capacity, weekday_price, weekend_price)
select ORG, ENTITY, 'T' || t, 'Type ' || t, 4, 5000, 6000 from generate_series(1, 20) t;
insert into public.rooms (org_id, entity_id, room_type_id, code)
select org_id, entity_id, id, code || '-' || n from public.room_types, generate_series(1, 10) n where org_id = ORG;
create temporary table made on commit drop as
select gen_random_uuid() as id, u.id as room_id, date '2028-01-01' + (3 * n + i % 3)::int as first, n, i,
       case when (n + i) % 20 = 0 then 'cancelled' else 'confirmed' end as status
from (select id, row_number() over (order by code) as i from public.rooms where org_id = ORG) u, generate_series(0,
	599) n;
insert into public.reservations (org_id, entity_id, id, code, status, channel, check_in, check_out, guest_name,
	guest_email, guest_phone, currency,
  room_total, extras_total, tax_total, created_at)
select ORG, ENTITY, id, translate(upper(lpad(to_hex(row_number() over ()), 6, '0')), '01', 'GH'), status,
	(array['direct', 'website', 'agent'])[1 + n % 3],
       first, first + 3, 'Guest ' || n, 'guest' || (n * 7 + i) % 40000 || '@guests.example', null, 'INR', 15000,
       	1000, 800, first - 20
from made;
insert into public.reservation_rooms (org_id, entity_id, reservation_id, room_id) select ORG, ENTITY, id, room_id
	from made;
insert into public.reservation_nights (org_id, entity_id, reservation_id, room_id, night, base_amount, amount)
select ORG, ENTITY, id, room_id, first + d, 5000, 5000 from made, generate_series(0, 2) d;
insert into public.stays (org_id, entity_id, room_id, kind, reservation_id, period, active)
select ORG, ENTITY, room_id, 'booking', id, daterange(first, first + 3), status <> 'cancelled' from made;
select app.figure_nights(ORG, array_agg(id)) from made;
`

// The clock of these tests stands at noon of 15 January 2031.
func BenchmarkReports(b *testing.B) {
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
	tools := map[string]int{}
	all := analytics.Tools(hospitality.NewAnalytics(client), noon)
	for i, t := range all {
		tools[t.Name()] = i
	}
	for _, each := range []struct{ name, tool, arguments string }{
		{"occupancy of a month", "get_occupancy_stats", `{}`},
		{"occupancy of 29 months", "get_occupancy_stats", `{"start_date":"2029-01-01","end_date":"2031-05-31"}`},
		{"revenue of a month by room", "get_revenue_stats", `{}`},
		{"revenue of a month by day", "get_revenue_stats", `{"by":"day"}`},
		{"revenue of a year by day", "get_revenue_stats",
			`{"by":"day","start_date":"2030-01-01","end_date":"2030-12-31"}`},
		{"guests of a month", "get_client_analytics", `{}`},
		{"guests of a year", "get_client_analytics", `{"start_date":"2030-01-01","end_date":"2030-12-31"}`},
		{"two months compared", "compare_periods", `{"compare_with":"last_year"}`},
		{"two years compared", "compare_periods",
			`{"compare_with":"last_year","start_date":"2030-01-01","end_date":"2030-12-31"}`},
	} {
		b.Run(each.name, func(b *testing.B) {
			call, err := all[tools[each.tool]].Prepare([]byte(each.arguments))
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				r, err := call.Run(b.Context(), by)
				if err != nil {
					b.Fatal(err)
				}
				if r.Records < 3 {
					b.Fatalf("%s: %s", each.name, r.Text)
				}
			}
		})
	}
}
