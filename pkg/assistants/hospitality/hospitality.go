// Package hospitality makes the assistant of a cabin hotel: Bernard, a router
// in front of eight specialists.
package hospitality

import (
	"embed"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/analytics"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/blockeddates"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/chefmenu"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/coupons"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/extras"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/frontdesk"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/letters"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/packages"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/pricing"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/reservations"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/rooms"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/selections"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/letter"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/prompt"
	"github.com/bellhop-ai/bellhop/pkg/router"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed personas/*.md
var personas embed.FS

// Stores are what the assistant's tools read and write.
type Stores struct {
	Rooms        rooms.Store
	Extras       extras.Store
	ChefMenu     chefmenu.Store
	Packages     packages.Store
	Reservations reservations.Store
	Analytics    analytics.Store
	Pricing      pricing.Store
	Coupons      coupons.Store
	BlockedDates blockeddates.Store
	Selections   selections.Store
	FrontDesk    frontdesk.Store
	Letters      letters.Store
}

// Config configures New.
type Config struct {
	Stores Stores
	Outbox effect.Outbox  // keeps what is done outside, such as mail
	Mail   letter.Carrier // takes letters to guests; nil where mail is not set up
	Now    calendar.Clock
	Model  string   // of every agent; "" = the adapter's default
	Hosts  []string // to which links in replies may lead
	// Effects moves tools up by name, for a house that wants to be asked more
	// often; see tool.Raise.
	Effects map[string]tool.Effect
}

// specialist is one line of the assistant's plan.
type specialist struct {
	name, label, about string
	rounds             int
	tools              []string
}

// plan is the whole assistant on one page: who there is, what each may use,
// how often it may use it. Names, labels, rounds and sets are the source's.
func plan() []specialist {
	return []specialist{
		{"inventory", "Inventory Agent", "what the hotel offers, from room types to coupons; room types (cabins, huts, barns) with price, beds, capacity, kitchen, amenities, minimum stay, number of units, rules of arrival; extras such as tours, breakfast, picnic, walks and pets, with price and tax; packages; coupons. Lists, shows, adds, edits and deletes them, and stops or resumes offering them.", 8,
			[]string{
				"list_room_types", "get_room_type_details", "create_room_type", "update_room_type", "delete_room_type",
				"list_extras", "get_extra_details", "create_extra", "update_extra", "delete_extra",
				"list_packages", "get_package_details", "create_package", "update_package", "delete_package",
				"list_coupons", "get_coupon_details", "create_coupon", "update_coupon", "delete_coupon", "validate_coupon",
			}},
		{"reservations", "Reservations Agent", "new bookings, guests who arrive or leave, and what is free; groups (GRP codes); whether a cabin is free or full and has space for so many people; availability on dates; who is staying, arrivals, check-ins, check-outs and no-shows of a day; searching bookings and guests; holding, confirming, cancelling and restoring a booking; payments, deposits, refunds and balances; confirmation mail; deleting a booking made by mistake.", 8,
			[]string{
				"search_reservations", "get_reservation_details", "check_availability", "check_all_availability",
				"create_reservation", "create_group_reservation", "create_package_reservation",
				"update_reservation_status", "update_reservation_details", "cancel_reservation", "delete_reservation",
				"get_today_checkins", "get_today_checkouts", "send_booking_email",
				"list_room_types", "list_extras", "list_packages", "get_package_details",
				// Beyond the source: the day of the whole house, and who changed what.
				"list_arrivals_departures", "get_change_history",
				// And what follows a booking: a cancellation undone, money that came in or went back, and who still owes some.
				"restore_reservation", "record_payment", "record_refund", "list_balances_due",
			}},
		{"edit_reservations", "Edit Reservations Agent", "changing a booking that exists; editing, moving a reservation that somebody holds, extending or shortening it, a day earlier or later: its dates, nights, stay, check-in and check-out date, room, guest name, number of adults and children, phone, requests and notes, extras, package, coupon.", 8,
			[]string{
				"get_reservation_details", "search_reservations", "edit_reservation", "check_availability", "check_all_availability",
				"validate_coupon", "list_extras", "list_room_types", "send_booking_email",
			}},
		{"analytics", "Analytics Agent", "figures and reports over a period; numbers, KPIs, totals, occupancy, nights sold, revenue, earnings, discounts, ADR, RevPAR, TRevPAR, ALOS, average value, party size, lead time, length of stay, share, percentage, cancellation and no-show rates, best and repeat guests, countries and channels; comparison of months and years.", 5,
			[]string{"get_occupancy_stats", "get_revenue_stats", "get_client_analytics", "compare_periods"}},
		{"pricing", "Pricing Agent", "dynamic pricing: models, occupancy tiers, multipliers, surcharges, floors and ceilings, lead time, seasonal rules and rates; simulating and explaining what a stay or night would cost on dates, and why; price forecasts.", 5,
			[]string{
				"list_pricing_models", "get_pricing_model_details", "simulate_pricing", "get_seasonal_pricing",
				// Beyond the source, which says that this agent manages prices and gives it only reads.
				"set_seasonal_price", "remove_seasonal_price", "set_pricing_tier", "remove_pricing_tier",
			}},
		{"chef_menu", "Chef Menu Agent", "the private chef's menu: dishes and food; starters, mains, sides; soups, salads, curries, risottos, breads, rice, roasts, skewers, mash, raita, thali, fish, trout, lamb, chicken, desserts; their price, ingredients, allergens and description; dietary notes, vegetarian or vegan; which are on, off, finished or available.", 8,
			[]string{
				"list_chef_menu_items", "get_chef_menu_item_details", "create_chef_menu_item", "update_chef_menu_item",
				"delete_chef_menu_item", "toggle_chef_menu_availability",
			}},
		{"extra_selections", "Extra Selections Agent", "what guests chose for their extras; selected, picked, SEL codes, meal choices, preferences, tour dates; who has not chosen yet; pending, completed and submitted selections.", 8,
			[]string{
				"list_extra_selections", "get_extra_selection_details", "update_extra_selection_status",
				"search_reservations", "get_reservation_details",
			}},
		{"blocked_dates", "Blocked Dates Agent", "blocking cabins and freeing them; blocks, unblocking, closing and shutting them, taking them out of sale, holding them for the owner, and reopening or freeing them, for maintenance, repair, staff holiday or renovation; lists of blocks, blocked nights, closures and of what is out of order.", 8,
			[]string{"list_blocked_dates", "block_dates", "unblock_dates", "list_room_types"}},
	}
}

// Windows and settings of the source: the router decides coldly and briefly,
// the specialists write.
const (
	routerWindow     = 20
	routerTokens     = 200
	specialistWindow = 40
	specialistTokens = 4096
	// Tokens of history. The source has no such bound; this one leaves a model
	// of 64,000 tokens room for tools, results and an answer.
	routerBudget     = 8_000
	specialistBudget = 32_000
)

// strangersWords are the members of tools' answers in which guests write freely,
// or in which what they wrote comes back.
func strangersWords() []string {
	return []string{"guest", "specialRequests", "notes", "guestNotes", "comments", "remarks", "before", "after",
		"choices", "preferences", "reference", "cancellationReason"}
}

// New returns Bernard.
func New(cfg Config) (*assistants.Assistant, error) {
	if cfg.Now == nil {
		return nil, errors.New("hospitality: a clock is required")
	}
	all := slices.Concat(rooms.Tools(cfg.Stores.Rooms, cfg.Now), extras.Tools(cfg.Stores.Extras),
		chefmenu.Tools(cfg.Stores.ChefMenu),
		packages.Tools(packages.Desk{Packages: cfg.Stores.Packages, Rooms: cfg.Stores.Rooms, Extras: cfg.Stores.Extras}),
		reservations.Tools(cfg.Stores.Reservations, cfg.Now), analytics.Tools(cfg.Stores.Analytics, cfg.Now),
		pricing.Tools(cfg.Stores.Pricing, cfg.Now), coupons.Tools(cfg.Stores.Coupons, cfg.Now),
		blockeddates.Tools(cfg.Stores.BlockedDates, cfg.Now),
		selections.Tools(cfg.Stores.Selections, cfg.Now), frontdesk.Tools(cfg.Stores.FrontDesk, cfg.Now),
		letters.Tools(cfg.Stores.Letters, cfg.Outbox, cfg.Mail))
	all, err := tool.Raise(tool.Distrust(all, strangersWords()...), cfg.Effects)
	if err != nil {
		return nil, fmt.Errorf("hospitality: %w", err)
	}
	a := &assistants.Assistant{
		Name: "hospitality", Title: "Bernard", EntityKind: "property", Records: true, Prefix: "SC", Hosts: cfg.Hosts, Facts: facts,
		Greeting: "Good day, I am Bernard. I look after cabins, extras, bookings and figures. What may I do for you?",
		Public: []string{"list_room_types", "get_room_type_details", "list_extras", "get_extra_details", "list_packages", "get_package_details",
			"list_chef_menu_items", "get_chef_menu_item_details"},
		Suggestions: []string{"Which cabins do we have?", "What was occupancy this month?", "Is COCO free next weekend?", "Add an extra called Stargazing, 45 per guest"},
	}
	warm, cold := 0.3, 0.1
	var routes []router.Agent
	for _, s := range plan() {
		tools, err := tool.Pick(all, s.tools...)
		if err != nil {
			return nil, fmt.Errorf("agent %s: %w", s.name, err)
		}
		set, err := tool.NewSet(tools...)
		if err != nil {
			return nil, fmt.Errorf("agent %s: %w", s.name, err)
		}
		persona, err := load(s.name)
		if err != nil {
			return nil, err
		}
		a.Agents = append(a.Agents, &agent.Agent{
			Name: s.name, Label: s.label, About: s.about, Persona: persona, Tools: set, Rounds: s.rounds, Window: specialistWindow, Budget: specialistBudget,
			Settings: llm.Settings{Model: cfg.Model, Temperature: &warm, MaxTokens: specialistTokens},
		})
		routes = append(routes, router.Agent{Name: s.name, Label: s.label, About: s.about})
	}
	persona, err := load("router")
	if err != nil {
		return nil, err
	}
	a.Router, err = router.New(router.Config{Persona: persona, Agents: routes, Window: routerWindow, Budget: routerBudget,
		Settings: llm.Settings{Model: cfg.Model, Temperature: &cold, MaxTokens: routerTokens}})
	if err != nil {
		return nil, err
	}
	return a, a.Check()
}

// load reads a persona with the rules and facts that all share.
func load(name string) (*prompt.Template, error) {
	common, err := personas.ReadFile("personas/common.md")
	if err != nil {
		return nil, fmt.Errorf("persona %s: %w", name, err)
	}
	own, err := personas.ReadFile("personas/" + name + ".md")
	if err != nil {
		return nil, fmt.Errorf("persona %s: %w", name, err)
	}
	return prompt.Parse(name, string(common)+string(own))
}

// Facts is what the personas may say of the caller, the place and the day. It
// holds nothing personal: neither name nor e-mail address.
type Facts struct {
	Property, Organisation string
	Currency, TimeZone     string
	Today, Weekday         string
	WeekendFrom, WeekendTo string
	Role                   identity.Role
	Writes                 bool
}

func facts(by identity.Caller, now time.Time) (any, error) {
	zone, err := by.Entity.Location()
	if err != nil {
		return nil, err
	}
	today := calendar.Today(now, zone)
	weekend := calendar.NextWeekend(today)
	return Facts{
		Property: by.Entity.Name, Organisation: by.OrgName, Currency: by.Entity.Currency, TimeZone: by.Entity.TimeZone,
		Today: today.String(), Weekday: today.Weekday().String(), WeekendFrom: weekend.From.String(), WeekendTo: weekend.To.String(),
		Role: by.Role, Writes: by.Role.Writes(),
	}, nil
}
