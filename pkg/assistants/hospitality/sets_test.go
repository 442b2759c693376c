package hospitality_test

import (
	"strings"
	"testing"
)

// source is the source's own table: each tool with the agents that have it. I is
// inventory, R reservations, E edit_reservations, A analytics, P pricing, M
// chef_menu, X extra_selections, B blocked_dates.
const source = `
list_room_types IREB, get_room_type_details I, create_room_type I, update_room_type I, delete_room_type I
list_extras IRE, get_extra_details I, create_extra I, update_extra I, delete_extra I
list_packages IR, get_package_details IR, create_package I, update_package I, delete_package I
list_coupons I, get_coupon_details I, create_coupon I, update_coupon I, delete_coupon I, validate_coupon IE
search_reservations REX, get_reservation_details REX, check_availability RE, check_all_availability RE
create_reservation R, create_group_reservation R, create_package_reservation R, update_reservation_status R
update_reservation_details R, cancel_reservation R, delete_reservation R, get_today_checkins R, get_today_checkouts R
send_booking_email RE, edit_reservation E
get_occupancy_stats A, get_revenue_stats A, get_client_analytics A, compare_periods A
list_pricing_models P, get_pricing_model_details P, simulate_pricing P, get_seasonal_pricing P
list_chef_menu_items M, get_chef_menu_item_details M, create_chef_menu_item M, update_chef_menu_item M, delete_chef_menu_item M
toggle_chef_menu_availability M
list_extra_selections X, get_extra_selection_details X, update_extra_selection_status X
list_blocked_dates B, block_dates B, unblock_dates B`

// S0-16, S0-19, S0-25, S0-28, S0-32, S0-33, S0-34, S0-35, S0-47: 56 tools in
// sets of 21, 18, 9, 4, 4, 6, 5 and 4, shared as the source shares them. What an
// agent has beyond them says why.
func TestEachAgentHasItsToolsOfTheSource(t *testing.T) {
	t.Parallel()
	letters := map[string]string{} // the agents of each tool
	for line := range strings.FieldsFuncSeq(source, func(r rune) bool { return r == ',' || r == '\n' }) {
		name, agents, _ := strings.Cut(strings.TrimSpace(line), " ")
		letters[name] = agents
	}
	if len(letters) != 56 {
		t.Errorf("%d tools in the table, want 56", len(letters))
	}
	agents := bernard(t).Agents
	for i, want := range []struct {
		letter, name string
		tools        int
	}{
		{"I", "inventory", 21}, {"R", "reservations", 18}, {"E", "edit_reservations", 9}, {"A", "analytics", 4},
		{"P", "pricing", 4}, {"M", "chef_menu", 6}, {"X", "extra_selections", 5}, {"B", "blocked_dates", 4},
	} {
		if i >= len(agents) || agents[i].Name != want.name {
			t.Fatalf("agent %d is not %s", i+1, want.name)
		}
		named := 0
		for name, of := range letters {
			if !strings.Contains(of, want.letter) {
				continue
			}
			named++
			if _, has := agents[i].Tools.Find(name); !has {
				t.Errorf("%s misses %s", want.name, name)
			}
		}
		if named != want.tools {
			t.Errorf("the table gives %s %d tools, want %d", want.name, named, want.tools)
		}
		for _, each := range agents[i].Tools.All() {
			if !strings.Contains(letters[each.Name()], want.letter) && each.Spec().Extension == "" {
				t.Errorf("%s has %s, which is not in its set, and nothing says why", want.name, each.Name())
			}
		}
	}
}
