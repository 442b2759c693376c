package supabase_test

import (
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bellhop-ai/bellhop/infra/supabase"
)

// All of a function or a table is found in one place.
func TestEverythingIsDefinedOnce(t *testing.T) {
	t.Parallel()
	// What migrations that were appended later define anew, by the file that does:
	// the newest definition is in force, and this map names its file.
	replaced := map[string]string{}
	for file, names := range map[string][]string{
		"20261122210000_model_prices.sql": {
			"function app.log_usage_of(uuid, uuid, text, text, text, jsonb, text)",
			"function public.provider_take(text, int, numeric, int)",
			"function public.usage_report(date, date)",
		},
		"20261122210100_stay_moves.sql": {
			"function app.free_units(uuid, uuid, date[], int, uuid)",
			"function app.queue_for(uuid, uuid, text[], uuid[], date, date)",
			"function app.rooms_taken()",
			"function app.stays_follow()",
			"function app.taken(uuid, date, date)",
		},
		"20261122210110_bookings_by_type.sql": {
			"function app.check_restorable(public.reservations, date)",
			"function app.edit_plan(public.reservations, jsonb, date)",
			"function app.next_free(uuid, uuid[], date, int)",
			"function app.say_taken(uuid, text, text, int, date, date, date, uuid)",
			"function public.availability(uuid, date, date)",
			"function public.booking_preview(uuid, jsonb)",
			"function public.cancel_reservation(uuid, text, text)",
			"function public.create_booking(uuid, jsonb)",
			"function public.delete_reservation(uuid, text)",
			"function public.edit_preview(uuid, text, jsonb, date)",
			"function public.edit_reservation(uuid, text, jsonb, date)",
			"function public.payment_preview(uuid, text, text, numeric, boolean)",
			"function public.restore_reservation(uuid, text, date)",
			"function public.set_reservation_status(uuid, text, text, date)",
			"function public.status_preview(uuid, text, text, date)",
		},
		"20261122210120_blocks_by_type.sql": {
			"function public.block_dates(uuid, text[], date, date, text, text)",
			"function public.block_plan(uuid, text[], date, date)",
		},
		"20261123120000_plans.sql": {
			"function app.put_items(public.trips, jsonb)",
			"function public.clean_up()",
		},
		"20261123115000_pending_orders.sql": {
			"function public.job_travel_notice(uuid, jsonb)",
		},
		"20261123130500_intent_samples.sql": {
			"function app.intent_count(public.intent_observations, boolean)",
			"function public.intent_learn(jsonb)",
			"function public.intent_report(text, int, text, numeric)",
			"function public.intents_read(text, text, numeric)",
		},
		"20261123115900_codes.sql": {"function app.human_code(int)"},
		"20261122210200_daily_figures.sql": {
			"function public.occupancy(uuid, date, date)",
			"function public.revenue(uuid, date, date, text)",
		},
		"20261123130200_booking_speed.sql": {
			"function app.arrangement(uuid, uuid[], jsonb, date, date, date, uuid)",
			"function app.figure_nights(uuid, uuid[])",
			"function app.figures_follow()",
			"function app.moves_off(uuid, uuid[], date, date)",
			"function app.pinned_in(uuid, uuid[], date, date)",
			"function app.taken_units(uuid, uuid[], date, date)",
			"function public.client_report(uuid, date, date, int)",
		},
		"20261123130000_room_cleaning.sql": {
			"function public.day_sheet(uuid, date)",
			"function public.morning(uuid, date, int)",
			"function public.tape_chart(uuid, date, date)",
		},
		"20261122210500_rows_of_reads.sql": {
			"function app.check_basis(jsonb, jsonb)",
		},
		"20261122221000_turn_budgets.sql": {"function public.turn_open(jsonb)"},
		"20261122221010_consent_plans.sql": {
			"function app.has_assistant(uuid, text)",
			"function app.proposal_json(public.proposals)",
			"function app.shown(text)",
			"function public.proposal_list(text, text, uuid)",
		},
		"20261122222001_fewer_units.sql":           {"function app.set_units(public.room_types, int, date)"},
		"20261122224000_api_key_proof.sql":         {"function public.api_key_open(uuid, text)"},
		"20261123100400_project_conversations.sql": {"function app.new_project(uuid, text)"},
		"20261122235900_outside_targets.sql":       {"function app.check_target(jsonb)"},
		"20261123130700_caller.sql":                {"function app.assistants_of(uuid)", "function public.whoami()"},
		"20261123130300_write_speed.sql": {
			"function app.audit()",
			"function app.check_proof(jsonb, text)",
			"function app.org_id()",
			"function app.org_role()",
			"function app.proposal_reads()",
			"function app.read_statement(text, jsonb)",
			"function app.target_version(uuid, jsonb)",
			"function public.chef_menu_list(uuid)",
			"function public.extra_list(uuid, boolean)",
			"function public.extra_use(uuid, text)",
		},
		"20261123100000_photo_uploads.sql": {
			"function app.forget_files(int)",
			"function app.upload_awaited(text)",
			"function app.upload_json(public.uploads, boolean)",
			"function public.upload_forget(text)",
		},
	} {
		for _, name := range names {
			replaced[name] = file
		}
	}

	defined := definitions(t, supabase.Files)
	for _, name := range []string{
		"table public.orgs", "view public.unified_conversations", "procedure app.tenant_table(text)",
		"function app.touch()", "function public.occupancy(uuid, date, date)",
		"function public.turn_finish(text, text, text, jsonb, text)",
		"function app.free_units(uuid, uuid, date[], int, uuid)",
	} {
		if len(defined[name]) == 0 {
			t.Errorf("the definition of %s was not found", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(defined)) {
		files := defined[name]
		if len(files) > 1 && replaced[name] != files[len(files)-1] {
			t.Errorf("%s is defined in %s. Before it is released, change the definition where it stands. Released "+
				"migrations are only appended to, by at most one new file for each subject and issue; name that file "+
				"in the map of this test (docs/operating.md, Migrations).",
				name, strings.Join(files, " and again in "))
		}
	}
}

func TestSecondDefinitionsAreFound(t *testing.T) {
	t.Parallel()
	const first = `
-- create table public.twice (id int) in a comment is none
create table public.twice (id int);
create function public.f(p_id uuid, p_days int default 3, out found boolean) returns boolean
language sql as $$ select true; -- create function public.g(int)
$$;
create function public.g(integer) returns int language sql as 'select 1';`
	const f, g = "function public.f(uuid, int)", "function public.g(int)"
	tests := map[string]struct {
		second string
		want   string // what is found twice, if anything is
	}{
		"another table":           {`create table public.other (id int);`, ""},
		"the same table":          {`create table if not exists public.twice (id int);`, "table public.twice"},
		"the same function":       {`create or replace function public.f(uuid, int) returns boolean …`, f},
		"other names":             {"CREATE FUNCTION public.f(\n  a uuid,\n  b integer) returns int …", f},
		"other types":             {`create function public.f(p_id text, p_days int) returns boolean …`, ""},
		"another word for a type": {`create or replace function public.g(p int = 1) returns int …`, g},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var twice []string
			files := fstest.MapFS{"migrations/1_a.sql": {Data: []byte(first)},
				"migrations/2_b.sql": {Data: []byte(tt.second)}}
			for what, files := range definitions(t, files) {
				if len(files) > 1 {
					twice = append(twice, what)
				}
			}
			if got := strings.Join(twice, ", "); got != tt.want {
				t.Errorf("found twice: %q, want %q", got, tt.want)
			}
		})
	}
}

var (
	comments   = regexp.MustCompile(`--[^\n]*`)
	bodies     = regexp.MustCompile(`(?s)\$\$.*?\$\$`)
	definition = regexp.MustCompile(`(?i)\bcreate\s+(?:or\s+replace\s+)?(table|view|function|procedure)\s+` +
		`(?:if\s+not\s+exists\s+)?([a-z_]+\.[a-z0-9_]+)`)
)

// definitions finds the tables, views, functions and procedures that migrations
// create, functions with the types of their arguments, and in which files.
func definitions(t *testing.T, files fs.FS) map[string][]string {
	t.Helper()
	names, err := fs.Glob(files, "migrations/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	found := map[string][]string{}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		sql := bodies.ReplaceAllString(comments.ReplaceAllString(string(text), ""), "")
		for _, at := range definition.FindAllStringSubmatchIndex(sql, -1) {
			kind, what := strings.ToLower(sql[at[2]:at[3]]), sql[at[4]:at[5]]
			if kind == "function" || kind == "procedure" {
				what += "(" + strings.Join(argumentTypes(sql[at[5]:]), ", ") + ")"
			}
			found[kind+" "+what] = append(found[kind+" "+what], path.Base(name))
		}
	}
	return found
}

// argumentTypes reads the list of arguments with which sql begins.
func argumentTypes(sql string) []string {
	depth, begin := 0, 0
	var types []string
	for i, r := range sql {
		switch r {
		case '(':
			if depth++; depth == 1 {
				begin = i + 1
			}
		case ')':
			depth--
		}
		if depth == 0 || depth == 1 && r == ',' {
			types = append(types, argumentType(sql[begin:i])...)
			begin = i + 1
		}
		if depth == 0 {
			return types
		}
	}
	return types
}

// argumentType is the type of one argument, none where it is given out only.
func argumentType(argument string) []string {
	argument = strings.ToLower(argument)
	for _, mark := range []string{" default ", "=", ":="} {
		argument, _, _ = strings.Cut(argument, mark)
	}
	words := strings.Fields(argument)
	if len(words) > 1 && slices.Contains([]string{"in", "out", "inout", "variadic"}, words[0]) {
		if words[0] == "out" {
			return nil
		}
		words = words[1:]
	}
	if len(words) == 0 {
		return nil
	}
	if words[len(words)-1] == "integer" {
		return []string{"int"}
	}
	return []string{words[len(words)-1]}
}
