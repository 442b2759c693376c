package profiles

import "github.com/bellhop-ai/bellhop/pkg/assistants"

// Hospitality is the profile of Bernard, the assistant of a cabin hotel.
func Hospitality() assistants.Profile {
	return assistants.Profile{
		Name: "hospitality", Title: "Bernard", EntityKind: "property", Records: true, Prefix: "SC",
		Greeting: "Good day, I am Bernard. I look after cabins, extras, bookings and figures. What may I do for you?",
		Suggestions: []string{
			"Which cabins do we have?", "What was occupancy this month?", "Is COCO free next weekend?",
		},
		Changes: []string{"Add an extra called Stargazing, 45 per guest"},
		Choices: map[string]string{
			"room": "list_room_types", "rooms": "list_room_types", "extra": "list_extras",
			"package": "list_packages", "packages": "list_packages", "coupon": "list_coupons",
			"item": "list_chef_menu_items", "model": "list_pricing_models", "season": "get_seasonal_pricing",
		},
		Opening: "get_morning",
		AgentNames: []assistants.AgentName{
			{Name: "inventory", Label: "Inventory Agent"},
			{Name: "reservations", Label: "Reservations Agent"},
			{Name: "edit_reservations", Label: "Edit Reservations Agent"},
			{Name: "analytics", Label: "Analytics Agent"},
			{Name: "pricing", Label: "Pricing Agent"},
			{Name: "chef_menu", Label: "Chef Menu Agent"},
			{Name: "extra_selections", Label: "Extra Selections Agent"},
			{Name: "blocked_dates", Label: "Blocked Dates Agent"},
		},
		Parts: []string{"table", "chart", "gallery", "choices", "tape", "morning"},
		Public: []string{"list_room_types", "get_room_type_details", "list_extras", "get_extra_details",
			"list_packages", "get_package_details",
			"list_chef_menu_items", "get_chef_menu_item_details"},
	}
}
