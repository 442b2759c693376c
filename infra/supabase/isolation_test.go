package supabase_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

var controlTables = []string{"api_keys", "audit", "budget_holds", "budget_use", "budgets", "business_profiles",
	"chat_counters",
	"companions", "custom_tools", "effects", "intent_observations", "intent_phrases", "intent_routing_stats",
	"intents",
	"llm_path_patterns", "llm_usage_logs", "model_prices", "org_assistants", "outbox",
	"project_images", "project_pages", "project_revisions", "project_slugs", "proposals", "rate_buckets",
	"rate_limits", "response_cache", "response_generations", "suggested_intents", "summary_jobs", "tool_usage",
	"travel_bookings", "travel_codes", "travel_counters", "travel_decisions", "travel_notices", "travel_searches",
	"travellers", "trip_items", "trip_messages", "trip_plans", "trip_runs", "trip_selections", "trip_shares", "trips",
	"turn_steps", "turns", "uploads", "user_preferences", "webhook_ids"}

func names(t *testing.T, q querier, sql string, args ...any) []string {
	t.Helper()
	rows, err := q.Query(t.Context(), sql, args...)
	if err != nil {
		t.Fatal(err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return list
}

const allTables = `select relname::text from pg_class where relnamespace = 'public'::regnamespace and relkind in
	('r', 'p') order by 1`

func TestEveryTableIsGuarded(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	tables := names(t, conn, allTables)
	// S0-52: the source's tables exist under the source's names.
	for _, name := range strings.Fields(`room_types reservations extras packages packages_rooms coupons blocked_dates
		chef_menu_items pricing_models pricing_tiers seasonal_pricing extra_selections reservation_extras`) {
		if !slices.Contains(tables, name) {
			t.Errorf("table %s is missing", name)
		}
	}
	for _, table := range tables {
		if !ask[bool](t, conn, `select relrowsecurity and relforcerowsecurity from pg_class where oid =
			$1::text::regclass`, "public."+table) {
			t.Errorf("%s: row level security is not both enabled and forced", table)
		}
		can := func(role, privilege string) bool {
			return ask[bool](t, conn, `select has_table_privilege($1, $2, $3)`, role, "public."+table, privilege)
		}
		for _, privilege := range []string{"select", "insert", "update", "delete", "truncate", "references",
			"trigger"} {
			if can("anon", privilege) {
				t.Errorf("%s: anon may %s", table, privilege)
			}
			if slices.Contains(controlTables, table) && (can("authenticated", privilege) ||
				can("service_role", privilege)) {
				t.Errorf("%s: a control table lets somebody %s", table, privilege)
			}
		}
		if can("authenticated", "truncate") {
			t.Errorf("%s: authenticated may truncate", table)
		}
		if slices.Contains(controlTables, table) || table == "orgs" {
			continue
		}
		if !ask[bool](t, conn, `select exists (select from pg_trigger where tgrelid = $1::text::regclass and tgfoid
			in ('app.audit'::regproc, 'app.audit_conversation'::regproc))`, "public."+table) &&
			table != "chat_messages" { // it is its own record: rows are added, and never changed or deleted singly
			t.Errorf("%s: changes are not audited", table)
		}
		// A key without the org would tell a user of another organisation that a value is taken.
		for _, index := range names(t, conn,
			`select indexrelid::regclass::text from pg_index i join pg_attribute a on a.attrelid = i.indrelid and
				a.attnum = i.indkey[0]
			where i.indrelid = $1::text::regclass and (i.indisunique or i.indisexclusion) and a.attname <> 'org_id'`,
			"public."+table) {
			t.Errorf("%s: unique index %s does not begin with org_id", table, index)
		}
		for _, key := range names(t, conn,
			`select c.conname::text from pg_constraint c where c.conrelid = $1::text::regclass and c.contype = 'f'
			and not exists (select from pg_attribute a where a.attrelid = c.conrelid and a.attnum = any (c.conkey)
				and a.attname = 'org_id')`, "public."+table) {
			if key != "memberships_user_id_fkey" {
				t.Errorf("%s: foreign key %s does not carry org_id", table, key)
			}
		}
	}
}

func TestEveryFunctionIsGuarded(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	for _, f := range names(t, conn, `select oid::regprocedure::text from pg_proc where pronamespace in
		('app'::regnamespace, 'public'::regnamespace)
		and (proconfig is null or not 'search_path=""' = any (proconfig))`) {
		t.Errorf("%s has no fixed search path", f)
	}
	for _, f := range names(t, conn, `select oid::regprocedure::text from pg_proc where pronamespace in
		('app'::regnamespace, 'public'::regnamespace)
		and (has_function_privilege('anon', oid, 'execute') or exists (select from aclexplode(coalesce(proacl,
			acldefault('f', proowner))) where grantee = 0))`) {
		// It has to run first in everybody's request, and refuses users of other organisations' effects. API keys are
		// opened before it is known whose they are, by requests with a proof.
		// Pages of projects are for everybody, and so are their photos in Storage. Shared plans are shown by our
		// functions to all who have the link.
		if f != "app.pre_request()" && f != "app.begin_request()" && f != "api_key_open(uuid,text)" &&
			f != "public_page(text,text)" && f != "public_site(text)" && f != "public_photo(text,text)" &&
			f != "app.is_public_photo(text)" && f != "trip_plan_shared(text)" {
			t.Errorf("%s can be executed by anon or public", f)
		}
	}
	want := strings.Fields(`app.claim_name app.counted app.folded app.no_such create_extra delete_extra extra_use update_extra
		app.package_json app.set_package_parts create_package delete_package package_use update_package
		chef_menu_item_use create_chef_menu_item delete_chef_menu_item toggle_chef_menu_item update_chef_menu_item
		app.busy_units app.room_type_json app.set_units create_room_type delete_room_type room_type_use update_room_type
		app.add_block app.hold_units app.units_named app.moves_off app.pinned_in app.units_to_go app.say_units_in_use unit_moves block_dates block_list block_moves block_plan unblock_dates selection_list day_sheet morning tape_chart guest_needs meals_of_day reservations_meant house_facts set_house_facts unit_states units_unready set_unit_states change_history client_report revenue
		app.balance app.history_count app.org_id app.org_role app.pre_request
		app.lock_rooms app.show_money app.for_reason app.taken app.takes_nights app.reservations_called app.group_code app.human_code app.nights app.free_units app.say_taken app.queue_for app.end_holds
		app.check_price app.staff_org app.current_proposal app.proposal_reads app.check_reads app.shown entity_facts entity_contact
		extra_list chef_menu_list room_type_list package_list pricing_model_list season_list proposal_renew app.begin_request app.check_problems app.booking_quotes app.store_nights app.store_extras app.use_coupon
		app.arrangement app.lock_types_of app.move_stays app.nightly_free app.nights_sold app.places_for app.plan_units app.rearranged app.say_gone app.sellable app.sold
		app.held_units app.shifted app.taken_units app.without_units create_booking booking_preview bookable reservation_summaries
		app.take_reservations app.status_refused app.status_before app.check_restorable app.check_deletable
		set_reservation_status cancel_reservation restore_reservation delete_reservation status_preview
		summary_claim summary_put summary_end summary_status
		app.extras_tax app.own_extras app.stored_extras app.edit_plan edit_reservation edit_preview
		app.check_payment record_payment payment_details payment_preview balances_due
		app.coupon_refusal app.currency_digits app.further_guests app.next_free app.night_occupancy app.number_setting app.package_problems app.price_extras app.price_lines app.problem app.quote
		app.show_date app.stay_problems quote quotes
		app.coupon_held app.coupon_is_for app.coupon_shown check_coupon coupon_list create_coupon delete_coupon update_coupon
		quick_suggestions_set response_cache_drop response_cache_read response_cache_write tool_use_list tool_used
		budget_prolong budget_reserve budget_settle provider_take rate_take usage_log usage_report
		member_add member_change member_list member_remove my_orgs
		app.upload_awaited app.upload_kept upload_begin upload_forget upload_read upload_settle
		project_get project_list project_begin project_change project_undo project_versions project_attach project_archive project_photo
		project_publish project_unpublish business_profile_get business_profile_save business_logo app.is_own_photo
		custom_tool_delete custom_tool_list custom_tool_save preferences_get preferences_update preferences_forget decision_list decision_save decision_delete
		traveller_delete traveller_list traveller_people traveller_save traveller_summaries
		feedback_give feedback_list feedback_notice
		intent_decide intent_delete intent_learn intent_report intent_save intent_suggestions intents_read
		trip_plan_get trip_plan_list trip_plan_record trip_plan_reset trip_plan_revise trip_plan_revoke
		trip_plan_run trip_plan_runs trip_plan_select trip_plan_share trip_plan_shares
		trip_create trip_delete trip_get trip_list trip_put trip_remove trip_rename trip_share trip_unshare
		travel_booking_add travel_booking_get travel_booking_list travel_booking_open travel_booking_rate
		travel_booking_settle travel_search_get travel_search_keep travel_search_list
		companion_set app.companion_rows app.personal_rows app.chat_code app.my_assistants app.my_conversations conversation_answer conversation_append conversation_change conversation_context conversation_delete
		conversation_details conversation_list conversation_messages conversation_open conversation_people conversation_people_add
		conversation_people_remove conversation_restore conversation_say
		availability effect_outcome effect_recent occupancy occupancy_days outbox_begin outbox_read outbox_settle proposal_create proposal_list
		proposal_open proposal_reject app.extra_list app.chef_menu_list
		reservation_details reservation_search turn_begin turn_close turn_latest turn_open turn_stop turn_stopped turn_finish turn_release turn_save whoami`)
	got := names(t, conn, `select oid::regproc::text from pg_proc where pronamespace in ('app'::regnamespace,
		'public'::regnamespace)
		and has_function_privilege('authenticated', oid, 'execute')`)
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("authenticated may execute\n%v, want\n%v", got, want)
	}
	if got := ask[string](t, conn, `select string_agg(s, ',') from pg_db_role_setting d join pg_roles r on r.oid =
		d.setrole, unnest(d.setconfig) s
		where r.rolname = 'authenticator' and s like 'pgrst.%'`); got != "pgrst.db_pre_request=app.pre_request" {
		t.Errorf("authenticator's settings: %s", got)
	}
}

// The demo data fills every business table of both orgs, so here one person of
// one meets all rows of the other.
func TestNoTenantReachesAnother(t *testing.T) {
	t.Parallel()
	conn := connect(t, "seeded")
	const ours, theirs = "b0000000-0000-4000-8000-000000000001", "a0000000-0000-4000-8000-000000000001"
	us := person{org: ours, entity: "b0000000-0000-4000-8000-0000000000e1",
		user: "b0000000-0000-4000-8000-0000000000b1"}
	readOnly := []string{"orgs", "memberships", "feedback_log", "chat_sessions", "chat_people", "chat_messages",
		"projects"}
	for _, table := range names(t, conn, allTables) {
		if slices.Contains(controlTables, table) {
			continue
		}
		org := "org_id"
		if table == "orgs" {
			org = "id"
		}
		if n := ask[int](t, conn, fmt.Sprintf(`select count(*) from public.%s where %s = $1`, table, org),
			theirs); n == 0 && table != "coupon_packages" && table != "model_configs" &&
			table != "mcp_servers" && table != "country_settings" && table != "quick_suggestions" &&
			table != "business_contexts" { // TestTheSourcesTables shows these
			t.Errorf("%s: the demo data has no row to hide", table)
		}
		us.see(t, conn, func(tx pgx.Tx) {
			if n := ask[int](t, tx, fmt.Sprintf(`select count(*) from public.%s where %s <> $1`, table, org),
				ours); n != 0 {
				t.Errorf("%s: %d rows of another org are visible", table, n)
			}
			if slices.Contains(readOnly, table) {
				return
			}
			for _, sql := range []string{`update public.%s set org_id = org_id where org_id = $1`,
				`delete from public.%s where org_id = $1`} {
				if table == "entities" && strings.HasPrefix(sql, "delete") {
					continue
				}
				tag, err := tx.Exec(t.Context(), fmt.Sprintf(sql, table), theirs)
				if err != nil || tag.RowsAffected() != 0 {
					t.Errorf("%s: %s touched %d rows (%v)", table, sql, tag.RowsAffected(), err)
				}
			}
		})
		// A copy of another user's row, as theirs and as ours: the answer must
		// not depend on whether the row exists.
		if slices.Contains(readOnly, table) || table == "entities" {
			wantState(t, us.run(t.Context(), conn, nil,
				fmt.Sprintf(`insert into public.%s select * from public.%[1]s limit 0`, table)), "42501")
			continue
		}
		columns := ask[string](t, conn, `select string_agg(quote_ident(attname), ', ' order by attnum) from
			pg_attribute
			where attrelid = $1::text::regclass and attnum > 0 and not attisdropped and attgenerated = ''`, "public."+
			table)
		for _, row := range names(t, conn,
			fmt.Sprintf(`select to_jsonb(x)::text from (select * from public.%s where org_id = $1 limit 3) x`, table),
			theirs) {
			insert := fmt.Sprintf(`insert into public.%s (%s) select %[2]s from
				jsonb_populate_record(null::public.%[1]s, $1::jsonb || $2::jsonb)`, table, columns)
			wantState(t, us.run(t.Context(), conn, nil, insert, row, `{}`), "42501")
			err := us.run(t.Context(), conn, nil, insert, row, fmt.Sprintf(`{"org_id": %q}`, ours))
			if got := state(err); got != "23503" && !(table == "stays" && got == "42501") {
				t.Errorf("%s: a row that points to another org's: %q (%v)", table, got, err)
			}
		}
	}
	us.see(t, conn, func(tx pgx.Tx) {
		for _, sql := range []string{
			`select count(*) from availability('a0000000-0000-4000-8000-0000000000e1', current_date, current_date +
				2)`,
			`select count(*) from occupancy('a0000000-0000-4000-8000-0000000000e1', current_date - 30, current_date)`,
			`select count(*) from reservation_search('a0000000-0000-4000-8000-0000000000e1')`,
			`select count(reservation_details('a0000000-0000-4000-8000-0000000000e1', r.code)) from
				reservation_search('b0000000-0000-4000-8000-0000000000e1') r`,
		} {
			if n := ask[int](t, tx, sql); n != 0 {
				t.Errorf("%s: %d", sql, n)
			}
		}
	})
}

// Without org_id in the exclusion constraint, a user of another organisation would learn from
// 23P01 instead of 23503 that a night is taken.
func TestOccupiedNightsCannotBeProbed(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	them, us := newOrg(t, conn, "manager"), newOrg(t, conn, "manager")
	unit := them.room(t, conn, "COCO")
	them.mustBook(t, conn, "2027-03-01", "2027-03-05", "confirmed", unit)
	blockID := ask[string](t, conn, `insert into public.blocked_dates (org_id, entity_id, reason, starts_on, ends_on)
		values ($1, $2, 'other', '2027-03-01', '2027-04-01') returning id`, us.org, us.entity)
	for _, from := range []string{"2027-03-02", "2027-03-20"} {
		err := us.run(t.Context(), conn, nil,
			`insert into public.stays (org_id, entity_id, room_id, kind, block_id, period)
			values ($1, $2, $3, 'block', $4, daterange($5::date, $5::date + 1))`, us.org, us.entity, unit, blockID,
			from)
		wantState(t, err, "23503")
	}
}

func TestRolesDecideWhoWrites(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	manager := newOrg(t, conn, "manager")
	viewer, admin := manager.colleague(t, conn, "viewer"), manager.colleague(t, conn, "admin")
	stranger := newOrg(t, conn, "admin")
	stranger.org, stranger.entity = manager.org, manager.entity // a token may say anything
	unit := manager.room(t, conn, "COCO")
	const newExtra = `insert into public.extras (org_id, entity_id, name, price) values ($1, $2, 'Bike', 10)`
	const newBooking = `insert into public.stays (org_id, entity_id, room_id, kind, reservation_id, period)
		values ($1, $2, $3, 'booking', gen_random_uuid(), '[2027-01-01,2027-01-02)')`
	tests := map[string]struct {
		by   person
		sql  string
		args []any
		want string
	}{
		"a manager adds an extra": {manager, newExtra, []any{manager.org, manager.entity}, ""},
		"a viewer adds nothing":   {viewer, newExtra, []any{manager.org, manager.entity}, "42501"},
		"a stranger adds nothing": {stranger, newExtra, []any{manager.org, manager.entity}, "42501"},
		"an admin makes nobody a member": {admin,
			`insert into public.memberships (org_id, user_id, role) values ($1, $2, 'admin')`,
			[]any{manager.org, stranger.user}, "42501"},
		"a manager does not promote himself": {manager,
			`update public.memberships set role = 'admin' where user_id = $1`, []any{manager.user}, "42501"},
		"nobody writes the audit": {admin, `delete from public.audit`, nil, "42501"},
		"nobody claims an effect past the request": {admin,
			`insert into public.effects (org_id, key, user_id, args_hash) values ($1, 'key-12345', $2, repeat('a',
				64))`, []any{admin.org, admin.user}, "42501"},
		"nobody writes a booking's stay by hand": {admin, newBooking, []any{manager.org, manager.entity, unit},
			"42501"},
		"a row never changes its org": {manager, `update public.rooms set org_id = $1`,
			[]any{stranger.user}, "PT422 identity_is_fixed"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			wantState(t, tt.by.run(t.Context(), conn, nil, tt.sql, tt.args...), tt.want)
		})
	}
	count := func(p person, sql string) (n int) {
		p.see(t, conn, func(tx pgx.Tx) { n = ask[int](t, tx, sql) })
		return n
	}
	if n := count(viewer, `select count(*) from public.room_types`); n != 1 {
		t.Errorf("a viewer sees %d room types, want 1", n)
	}
	if n := count(stranger, `select count(*) from public.room_types`); n != 0 {
		t.Errorf("a stranger sees %d room types", n)
	}
	for by, want := range map[*person]int{&manager: 0, &viewer: 0, &admin: 1} {
		var n int64
		by.see(t, conn, func(tx pgx.Tx) {
			tag, err := tx.Exec(t.Context(), `update public.entities set name = 'Renamed Inn'`)
			if err != nil {
				t.Error(err)
			}
			n = tag.RowsAffected()
		})
		if int(n) != want {
			t.Errorf("renamed %d entities, want %d", n, want)
		}
	}
	// Removing the membership revokes at once, whatever the token still says.
	exec(t, conn, `delete from public.memberships where user_id = $1`, manager.user)
	if n := count(manager, `select count(*) from public.room_types`); n != 0 {
		t.Errorf("a former member sees %d room types", n)
	}
	err := request{role: "anon", claims: `{"role":"anon"}`}.do(t.Context(), conn, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), `select * from public.room_types`)
		return err
	})
	wantState(t, err, "42501")
}
