package hospitality_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/email"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/analytics"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/blockeddates"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/chefmenu"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/coupons"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/emails"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/extras"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/frontdesk"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/packages"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/pricing"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/reservations"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/rooms"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/selections"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
	"github.com/bellhop-ai/bellhop/pkg/supabase/hospitality"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

var update = flag.Bool("update", false, "write the snapshots in testdata anew")

func TestMain(m *testing.M) { localtest.Main(m) }

// noon is the clock of these tests: 15 January 2031 in India.
func noon() time.Time { return time.Date(2031, 1, 15, 6, 30, 0, 0, time.UTC) }

func newClient(t *testing.T) *supabase.Client {
	t.Helper()
	s := localtest.Stack(t)
	client, err := supabase.New(localtest.Config(t, s))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func catalogue(client *supabase.Client) []tool.Tool {
	return catalogueWith(client, nil)
}

// catalogueWith is the catalogue of a house whose emails the sender takes.
func catalogueWith(client *supabase.Client, sender email.Sender) []tool.Tool {
	return slices.Concat(
		rooms.Tools(hospitality.NewRooms(client), noon),
		extras.Tools(hospitality.NewExtras(client)),
		chefmenu.Tools(hospitality.NewChefMenu(client)),
		packages.Tools(packages.Service{Packages: hospitality.NewPackages(client), Rooms: hospitality.NewRooms(client),
			Extras: hospitality.NewExtras(client)}),
		reservations.Tools(hospitality.NewReservations(client), noon),
		analytics.Tools(hospitality.NewAnalytics(client), noon),
		pricing.Tools(hospitality.NewPricing(client), noon),
		coupons.Tools(hospitality.NewCoupons(client), noon),
		blockeddates.Tools(hospitality.NewBlockedDates(client), noon),
		selections.Tools(hospitality.NewSelections(client), noon),
		frontdesk.Tools(hospitality.NewFrontDesk(client), noon),
		emails.Tools(hospitality.NewEmails(client), control.NewOutbox(client), sender),
	)
}

// hotel is a hotel of one test, seen by one person.
type hotel struct {
	t      *testing.T
	client *supabase.Client
	org    localtest.Org
	by     identity.Caller
	made   string // when book's bookings were made; now when empty
}

// newHotel makes an empty hotel, seen by its manager.
func newHotel(t *testing.T) *hotel {
	h := &hotel{t: t, client: newClient(t), org: localtest.NewOrg(t)}
	h.by = h.as(h.org.Manager.Token)
	return h
}

// demo is the hotel of the demo data, seen by its viewer.
func demo(t *testing.T) *hotel {
	h := &hotel{t: t, client: newClient(t)}
	h.by = h.as(localtest.Token(t, "viewer@sojourn.example"))
	return h
}

func (h *hotel) as(token string) identity.Caller {
	h.t.Helper()
	by, err := h.client.Whoami(h.t.Context(), identity.Secret(token))
	if err != nil {
		h.t.Fatal(err)
	}
	by, ok := by.Choose("", "property")
	if !ok {
		h.t.Fatal("no property to choose")
	}
	return by
}

func (h *hotel) prepare(name, arguments string) (tool.Call, error) {
	h.t.Helper()
	i := slices.IndexFunc(catalogue(h.client), func(t tool.Tool) bool { return t.Name() == name })
	if i < 0 {
		h.t.Fatalf("there is no tool %s", name)
	}
	return catalogue(h.client)[i].Prepare([]byte(arguments))
}

// run calls a tool as a model does.
func (h *hotel) run(name, arguments string) (tool.Result, error) {
	h.t.Helper()
	call, err := h.prepare(name, arguments)
	if err != nil {
		return tool.Result{}, err
	}
	return call.Run(h.consented(call), h.by)
}

// must is run for what has to succeed; it refuses answers that hold a UUID.
func (h *hotel) must(name, arguments string) tool.Result {
	h.t.Helper()
	r, err := h.run(name, arguments)
	if err != nil {
		h.t.Fatalf("%s %s: %v", name, arguments, err)
	}
	for _, id := range []string{h.by.Entity.ID, h.by.OrgID} {
		if bytes.Contains(r.Data, []byte(id)) {
			h.t.Errorf("%s shows the id %s: %s", name, id, r.Data)
		}
	}
	h.offered(r)
	return r
}

// consented returns a context in which the person has said yes to the call: a
// proposal of it is stored, and its claim is there.
func (h *hotel) consented(call tool.Call) context.Context {
	h.t.Helper()
	claim := effect.Claim{Key: uuid.NewString(), ArgsHash: call.Hash, Tool: call.Tool.Name(), Turn: "turn-1",
		Assistant: "hospitality"}
	if call.Tool.Effect().Asks() {
		claim.Proposal = claim.Key
		_, err := control.NewProposals(h.client).Propose(h.t.Context(), h.by, consent.Draft{
			ID: claim.Key, Entity: h.by.Entity.ID, Assistant: claim.Assistant, Agent: "inventory", Turn: claim.Turn,
			Tool:      claim.Tool,
			Arguments: call.Arguments, Hash: call.Hash, Tier: call.Tool.Effect().Tier(), Code: claim.Key[:8],
		})
		// A user who may not ask must not be able to act either.
		if err != nil && !fault.Is(err, fault.Forbidden) {
			h.t.Fatal(err)
		}
	}
	return effect.With(h.t.Context(), claim)
}

func (h *hotel) sql(query string, args ...any) []map[string]any {
	h.t.Helper()
	return localtest.SQL(h.t, query, append([]any{h.by.OrgID}, args...)...)
}

// cabin adds a room type; further units get its code with a number.
func (h *hotel) cabin(code, name string, units int) {
	h.t.Helper()
	h.sql(`insert into public.room_types (org_id, entity_id, code, name, description, capacity, weekday_price,
		weekend_price)
		values ($1, $2, $3, $4, 'A cabin.', 2, 5200, 6400.50)`, h.by.Entity.ID, code, name)
	for n := 2; n <= units; n++ {
		h.sql(`insert into public.rooms (org_id, entity_id, room_type_id, code)
			select org_id, entity_id, id, code || '-' || $3::int from public.room_types where org_id = $1 and code =
				$2`, code, n)
	}
}

// book takes units for a price per night and other revenue, and returns the code.
func (h *hotel) book(in, out, status string, price, other int, units ...string) string {
	h.t.Helper()
	id := uuid.NewString()
	made := h.sql(`insert into public.reservations (org_id, entity_id, id, status, check_in, check_out, guest_name,
		currency, room_total, extras_total, created_at)
		values ($1, $2, $3, $4, $5::text::date, $6::text::date, 'Test Guest', 'INR', $7::int, $8::int,
			coalesce(nullif($9, '')::timestamptz, now())) returning code`,
		h.by.Entity.ID, id, status, in, out, price, other, h.made)
	h.sql(`insert into public.reservation_rooms (org_id, entity_id, reservation_id, room_id)
		select org_id, entity_id, $2, id from public.rooms where org_id = $1 and code = any ($3)`, id, units)
	h.sql(`insert into public.reservation_nights (org_id, entity_id, reservation_id, room_id, night, base_amount,
		amount)
		select q.org_id, q.entity_id, q.reservation_id, q.room_id, n::date, $3::int, $3::int
		from public.reservation_rooms q join public.reservations r on r.org_id = q.org_id and r.id = q.reservation_id
		cross join generate_series(r.check_in::timestamp, r.check_out::timestamp - interval '1 day', interval
			'1 day') n
		where q.org_id = $1 and q.reservation_id = $2`, id, price)
	return made[0]["code"].(string)
}

// block takes a unit out of order; to is the first night that is free again.
func (h *hotel) block(from, to, unit string) {
	h.t.Helper()
	id := uuid.NewString()
	h.sql(`insert into public.blocked_dates (org_id, entity_id, id, reason, starts_on, ends_on)
		values ($1, $2, $3, 'maintenance', $4::text::date, $5::text::date)`, h.by.Entity.ID, id, from, to)
	h.sql(`insert into public.stays (org_id, entity_id, room_id, kind, block_id, period)
		select org_id, entity_id, id, 'block', $2, daterange($3::text::date, $4::text::date) from public.rooms where
			org_id = $1 and code = $5`,
		id, from, to, unit)
}

func sentence(t *testing.T, err error, kind fault.Kind, says string) {
	t.Helper()
	if !fault.Is(err, kind) {
		t.Fatalf("got %v, want a fault of kind %s", err, kind)
	}
	if got := fault.From(err).Message; !strings.Contains(got, says) {
		t.Errorf("the sentence is %q, want it to say %q", got, says)
	}
}

// rows returns a table as its cells' texts.
func rows(r tool.Result) [][]string {
	if r.Table == nil {
		return nil
	}
	var out [][]string
	for _, row := range r.Table.Rows {
		var texts []string
		for _, c := range row {
			texts = append(texts, c.Text)
		}
		out = append(out, texts)
	}
	return out
}

// What a model is told of each tool is reviewed as a whole. Change a tool on
// purpose with -update and read the difference.
func TestWhatModelsAreToldIsAsReviewed(t *testing.T) {
	set, err := tool.NewSet(catalogue(newClient(t))...)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, each := range set.All() {
		names = append(names, each.Name()+".json")
		if err := each.Check(); err != nil {
			t.Error(err)
		}
		m := each.Model()
		told, err := json.MarshalIndent(map[string]any{
			"name": m.Name, "description": m.Description, "parameters": m.Parameters, "effect": each.Effect().String(),
		}, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", "tools", each.Name()+".json")
		if *update {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, append(told, '\n'), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(want) != string(told)+"\n" {
			t.Errorf("%s is told as\n%s\nbut reviewed as\n%s", each.Name(), told, want)
		}
	}
	// No snapshot outlives its tool.
	kept, err := filepath.Glob(filepath.Join("testdata", "tools", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range kept {
		if !slices.Contains(names, filepath.Base(path)) {
			t.Errorf("%s belongs to no tool", path)
		}
	}
}

// Each tool answers on an empty hotel, or says what it misses: none goes
// untested, and none fails where there is nothing.
func TestEveryToolWorksInAnEmptyHotel(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	calls := map[string]struct {
		arguments string
		kind      fault.Kind
	}{
		"list_room_types":         {`{}`, ""},
		"get_room_type_details":   {`{"room":"COCO"}`, fault.NotFound},
		"list_extras":             {`{}`, ""},
		"create_extra":            {`{"name":"Stargazing","price":45,"per":"guest"}`, ""},
		"search_reservations":     {`{}`, ""},
		"get_reservation_details": {`{"code":"ABCDEF"}`, fault.NotFound},
		"create_reservation": {`{"room":"COCO","check_in":"2031-02-01","check_out":"2031-02-03","adults":2,` +
			`"guest_name":"Asha Rao"}`, fault.NotFound},
		"create_group_reservation": {`{"rooms":[{"room":"COCO","adults":1},{"room":"COCO","adults":1}],"check_in":"2031-02-01","check_out":"2031-02-03",
			"guest_name":"Asha Rao"}`, fault.NotFound},
		"create_package_reservation": {`{"package":"HONEYMOON","check_in":"2031-02-01","check_out":"2031-02-03",` +
			`"adults":2,"guest_name":"Asha Rao"}`, fault.NotFound},
		"edit_reservation":           {`{"code":"ABCDEF","adults":2}`, fault.NotFound},
		"update_reservation_details": {`{"code":"ABCDEF","notes":"VIP"}`, fault.NotFound},
		"update_reservation_status":  {`{"code":"ABCDEF","status":"confirmed"}`, fault.NotFound},
		"cancel_reservation":         {`{"code":"ABCDEF"}`, fault.NotFound},
		"restore_reservation":        {`{"code":"ABCDEF"}`, fault.NotFound},
		"delete_reservation":         {`{"code":"ABCDEF"}`, fault.NotFound},
		"record_payment":             {`{"code":"ABCDEF","amount":1,"method":"cash"}`, fault.NotFound},
		"record_refund":              {`{"code":"ABCDEF","amount":1,"method":"cash"}`, fault.NotFound},
		"list_balances_due":          {`{}`, ""},
		"check_availability": {`{"room":"COCO","check_in":"2031-02-01","check_out":"2031-02-03"}`,
			fault.NotFound},
		"check_all_availability":    {`{"check_in":"2031-02-01","check_out":"2031-02-03"}`, ""},
		"get_occupancy_stats":       {`{}`, ""},
		"get_revenue_stats":         {`{}`, ""},
		"get_client_analytics":      {`{}`, ""},
		"compare_periods":           {`{}`, ""},
		"list_blocked_dates":        {`{}`, ""},
		"list_pricing_models":       {`{}`, ""},
		"list_coupons":              {`{}`, ""},
		"get_coupon_details":        {`{"coupon":"TEN"}`, fault.NotFound},
		"create_coupon":             {`{"code":"TEN","kind":"percent","amount":10}`, ""},
		"update_coupon":             {`{"coupon":"TEN","amount":5}`, fault.NotFound},
		"delete_coupon":             {`{"coupon":"TEN"}`, fault.NotFound},
		"validate_coupon":           {`{"coupon":"TEN"}`, fault.NotFound},
		"get_pricing_model_details": {`{}`, fault.NotFound},
		"simulate_pricing":          {`{"check_in":"2031-02-01"}`, fault.NotFound},
		"get_seasonal_pricing":      {`{}`, ""},
		"set_seasonal_price": {`{"name":"Holi","start_date":"2031-03-01","end_date":"2031-03-09",` +
			`"weekday_price":90}`, ""},
		"remove_seasonal_price":         {`{"season":"HOLI"}`, fault.NotFound},
		"set_pricing_tier":              {`{"tier":"BUSY","adjustment_percent":10}`, fault.NotFound},
		"remove_pricing_tier":           {`{"tier":"BUSY"}`, fault.NotFound},
		"get_today_checkins":            {`{}`, ""},
		"get_today_checkouts":           {`{}`, ""},
		"list_arrivals_departures":      {`{}`, ""},
		"get_tape_chart":                {`{}`, ""},
		"get_morning":                   {`{}`, ""},
		"list_in_house":                 {`{}`, ""},
		"list_rooms_to_clean":           {`{}`, ""},
		"set_room_clean":                {`{"rooms":["COCO"]}`, fault.NotFound},
		"list_guest_needs":              {`{}`, ""},
		"count_meals":                   {`{}`, ""},
		"get_house_facts":               {`{}`, ""},
		"set_house_facts":               {`{"fact":"directions","value":"By the mill."}`, fault.Forbidden},
		"get_change_history":            {`{"code":"ABCDEF"}`, fault.NotFound},
		"list_extra_selections":         {`{}`, ""},
		"get_extra_selection_details":   {`{"reservation":"ABCDEF"}`, fault.NotFound},
		"update_extra_selection_status": {`{"selection":"SEL-ABCDEF","status":"completed"}`, fault.NotFound},
		"block_dates": {`{"rooms":["ALL"],"start_date":"2031-02-01","end_date":"2031-02-03",` +
			`"reason":"renovation"}`, fault.NotFound},
		"unblock_dates": {`{"rooms":["COCO"],"start_date":"2031-02-01","end_date":"2031-02-03"}`,
			fault.NotFound},
		"create_room_type":              {`{"name":"Oak","capacity":2,"weekday_price":100}`, ""},
		"update_room_type":              {`{"room":"PINE","capacity":3}`, fault.NotFound},
		"delete_room_type":              {`{"room":"PINE"}`, fault.NotFound},
		"get_extra_details":             {`{"extra":"SAUNA"}`, fault.NotFound},
		"update_extra":                  {`{"extra":"SAUNA","price":45}`, fault.NotFound},
		"list_chef_menu_items":          {`{}`, ""},
		"get_chef_menu_item_details":    {`{"item":"SOUP"}`, fault.NotFound},
		"create_chef_menu_item":         {`{"name":"Soup","category":"starter","price":1}`, ""},
		"update_chef_menu_item":         {`{"item":"SOUP","price":2}`, fault.NotFound},
		"delete_chef_menu_item":         {`{"item":"SOUP"}`, fault.NotFound},
		"toggle_chef_menu_availability": {`{"item":"SOUP"}`, fault.NotFound},
		"list_packages":                 {`{}`, ""},
		"get_package_details":           {`{"package":"HONEYMOON"}`, fault.NotFound},
		"create_package":                {`{"name":"Honeymoon","price":1,"per":"stay"}`, ""},
		"update_package":                {`{"package":"HONEYMOON","price":2}`, fault.NotFound},
		"delete_package":                {`{"package":"HONEYMOON"}`, fault.NotFound},
		"send_booking_email":            {`{"code":"ABCDEF"}`, fault.Unavailable},
		"delete_extra":                  {`{"extra":"SAUNA"}`, fault.NotFound},
	}
	for _, each := range catalogue(h.client) {
		call, listed := calls[each.Name()]
		if !listed {
			t.Errorf("%s is not tested", each.Name())
			continue
		}
		r, err := newHotel(t).run(each.Name(), call.arguments)
		if got := fault.KindOf(err); got != call.kind {
			t.Errorf("%s: %v, want the kind %q", each.Name(), err, call.kind)
		}
		if err == nil && r.Text == "" {
			t.Errorf("%s says nothing", each.Name())
		}
	}
}
