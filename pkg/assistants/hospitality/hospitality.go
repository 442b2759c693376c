// Package hospitality makes the assistant of a cabin hotel: Bernard, a router
// in front of eight specialists.
package hospitality

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/assistants/profiles"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/email"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/flow/routed"
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
	Emails       emails.Store
}

// Config configures New.
type Config struct {
	Stores Stores
	Outbox effect.Outbox // keeps what is done outside, such as mail
	Mail   email.Sender  // takes emails to guests; nil where mail is not set up
	Now    calendar.Clock
	Model  string // of every agent; "" = the adapter's default
	// Effects moves tools up by name, for a house that wants to be asked more
	// often; see tool.Raise.
	Effects map[string]tool.Effect
	// Intents, if not nil, returns what recognises what users of by's organisation say
	// without a model, where it is sure; nil for nothing.
	Intents func(ctx context.Context, by identity.Caller) router.Intents
	// Sample, if not nil, chooses the turns routed by Intents about which the router's
	// model is asked as well.
	Sample func() bool
	// Bounds are what dates, amounts and counts may be; the clock is Now. The zero
	// Bounds are those of tool.Within.
	Bounds tool.Bounds
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
		{"inventory", "Inventory Agent", "what the hotel offers, from room types to coupons; adds, changes, " +
			"prices and deletes cabins, extras, packages, coupons", 8,
			[]string{
				"list_room_types", "get_room_type_details", "create_room_type", "update_room_type", "delete_room_type",
				"list_extras", "get_extra_details", "create_extra", "update_extra", "delete_extra",
				"list_packages", "get_package_details", "create_package", "update_package", "delete_package",
				"list_coupons", "get_coupon_details", "create_coupon", "update_coupon", "delete_coupon",
				"validate_coupon",
			}},
		{"reservations", "Reservations Agent", "new bookings, guests who arrive or leave, and what is free; " +
			"finding, confirming, cancelling and restoring bookings; payments and mail", 8,
			[]string{
				"search_reservations", "get_reservation_details", "check_availability", "check_all_availability",
				"create_reservation", "create_group_reservation", "create_package_reservation",
				"update_reservation_details", "delete_reservation", "update_reservation_status", "cancel_reservation",
				"get_today_checkins", "get_today_checkouts", "send_booking_email",
				"list_room_types", "list_extras", "list_packages", "get_package_details",
				// Beyond the source: the day of the whole house.
				"list_arrivals_departures",
				// And what follows a booking: a cancellation undone, money that came in or went back, and
				// who still owes some.
				"restore_reservation", "record_payment", "record_refund", "list_balances_due",
				// The desk's day: what is to be done, and who is here.
				"get_morning", "list_in_house",
			}},
		{"edit_reservations", "Edit Reservations Agent", "changing a booking that exists; its dates, room, " +
			"guests, requests, extras, package or coupon", 8,
			[]string{
				"get_reservation_details", "search_reservations", "edit_reservation",
				"check_availability", "check_all_availability",
				"validate_coupon", "list_extras", "list_room_types", "send_booking_email",
				// Beyond the source: who changed what.
				"get_change_history",
			}},
		{"analytics", "Analytics Agent", "figures and reports over a period; occupancy, revenue, guests, " +
			"lead time, cancellations and comparisons", 5,
			[]string{"get_occupancy_stats", "get_revenue_stats", "get_client_analytics", "compare_periods"}},
		{"pricing", "Pricing Agent", "dynamic pricing; models, tiers and seasons, and what a stay would " +
			"cost on dates, and why", 5,
			[]string{
				"list_pricing_models", "get_pricing_model_details", "simulate_pricing", "get_seasonal_pricing",
				// Beyond the source, which says that this agent manages prices and gives it only reads.
				"set_seasonal_price", "remove_seasonal_price", "set_pricing_tier", "remove_pricing_tier",
			}},
		{"chef_menu", "Chef Menu Agent", "the private chef's menu; dishes with price, ingredients and diet, " +
			"and which are on or off", 8,
			[]string{
				"list_chef_menu_items", "get_chef_menu_item_details", "create_chef_menu_item", "update_chef_menu_item",
				"delete_chef_menu_item", "toggle_chef_menu_availability",
			}},
		{"extra_selections", "Extra Selections Agent", "what guests chose for their extras; meals, " +
			"allergies, who has not chosen; what the house tells guests", 8,
			[]string{
				"list_extra_selections", "get_extra_selection_details", "update_extra_selection_status",
				"search_reservations", "get_reservation_details",
				// Beyond the source: allergies, which stand in bookings as well, how many eat, and what
				// guests are told.
				"list_guest_needs", "count_meals", "get_house_facts", "set_house_facts",
			}},
		{"blocked_dates", "Blocked Dates Agent", "blocking cabins and freeing them; closures for repair, " +
			"holiday or owner; cleaning of rooms", 8,
			[]string{"list_blocked_dates", "block_dates", "unblock_dates", "list_room_types",
				// Beyond the source: rooms against days, with what takes them.
				"get_tape_chart",
				// And which rooms are dirty, and that they are clean. The desk's own agent is at its budget.
				"list_rooms_to_clean", "set_room_clean"}},
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

// untrustedMembers are the members of tools' answers in which guests write freely,
// or in which what they wrote comes back.
func untrustedMembers() []string {
	return []string{"guest", "specialRequests", "notes", "guestNotes", "comments", "remarks", "before", "after",
		"choices", "preferences", "reference", "cancellationReason"}
}

// New returns Bernard.
func New(cfg Config) (*flow.Runtime, error) {
	if cfg.Now == nil {
		return nil, errors.New("hospitality: a clock is required")
	}
	all := slices.Concat(rooms.Tools(cfg.Stores.Rooms, cfg.Now), extras.Tools(cfg.Stores.Extras),
		chefmenu.Tools(cfg.Stores.ChefMenu),
		packages.Tools(packages.Service{Packages: cfg.Stores.Packages, Rooms: cfg.Stores.Rooms,
			Extras: cfg.Stores.Extras}),
		reservations.Tools(cfg.Stores.Reservations, cfg.Now), analytics.Tools(cfg.Stores.Analytics, cfg.Now),
		pricing.Tools(cfg.Stores.Pricing, cfg.Now), coupons.Tools(cfg.Stores.Coupons, cfg.Now),
		blockeddates.Tools(cfg.Stores.BlockedDates, cfg.Now),
		selections.Tools(cfg.Stores.Selections, cfg.Now), frontdesk.Tools(cfg.Stores.FrontDesk, cfg.Now),
		emails.Tools(cfg.Stores.Emails, cfg.Outbox, cfg.Mail))
	all, err := tool.Raise(tool.Distrust(all, untrustedMembers()...), cfg.Effects)
	if err != nil {
		return nil, fmt.Errorf("hospitality: %w", err)
	}
	cfg.Bounds.Now = cfg.Now
	all = tool.Within(all, cfg.Bounds)
	r := flow.Runtime{
		Profile: profiles.Hospitality(),
		Words:   Words(),
		Facts:   func(_ context.Context, by identity.Caller, now time.Time) (any, error) { return facts(by, now) },
	}
	warm := 0.3
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
		r.Agents = append(r.Agents, &agent.Agent{
			Name: s.name, Label: s.label, About: s.about, Persona: persona, Tools: set,
			Rounds: s.rounds, Window: specialistWindow, Budget: specialistBudget,
			Settings: llm.Settings{Model: cfg.Model, Temperature: &warm, MaxTokens: specialistTokens},
		})
	}
	whole, err := newRouter(cfg.Model)
	if err != nil {
		return nil, err
	}
	r.Flow = &routed.Flow{Router: whole, Facts: facts, Intents: cfg.Intents, Sample: cfg.Sample,
		Fewer: func(agents ...string) (routed.Router, error) { return whole.Among(agents...) }}
	return flow.New(r)
}

// newRouter returns the router in front of the specialists.
func newRouter(model string) (*router.Router, error) {
	persona, err := load("router")
	if err != nil {
		return nil, err
	}
	var routes []router.Agent
	for _, s := range plan() {
		routes = append(routes, router.Agent{Name: s.name, Label: s.label, About: s.about})
	}
	cold := 0.1
	return router.New(router.Config{Persona: persona, Agents: routes, Window: routerWindow, Budget: routerBudget,
		Settings: llm.Settings{Model: model, Temperature: &cold, MaxTokens: routerTokens}})
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
		Today: today.String(), Weekday: today.Weekday().String(),
		WeekendFrom: weekend.From.String(), WeekendTo: weekend.To.String(),
		Role: by.Role, Writes: by.Role.Writes(),
	}, nil
}
