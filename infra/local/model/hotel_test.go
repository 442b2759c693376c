package model_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/infra/local/model"
)

// A hotel as data: eight specialists and their tools, written the way an
// application would write them. The server under test knows none of it.

const routerPrompt = `You route messages of hotel staff to one specialist. Today is 2026-11-20 (Friday).

Specialists:
- inventory: room types (cabins), extras, packages and coupons: list them, show details, create, edit, delete, change their prices such as weekend and weekday price.
- reservations: new bookings, availability of cabins (is it free?), today's check-ins and check-outs, find guests, cancel a booking.
- edit_reservations: changes to an existing reservation: check-in or check-out date, guest details, phone number, extras of the booking.
- analytics: occupancy, revenue, ADR, RevPAR, guest statistics, compare periods.
- pricing: simulate a price for a room and a date, explain pricing models, tiers and seasonal rules.
- chef_menu: dishes on the chef menu, starters, mains and sides; switch a dish on or off.
- extra_selections: meal choices and preferences that guests selected for their extras; mark them completed or submitted.
- blocked_dates: block rooms for maintenance, renovation or staff holiday; unblock; list blocked dates.

Call route_to_agent. If the message is only a greeting, greet back.`

var routerTool = object(`{
	"name":"route_to_agent","description":"Hands the message to the specialist that should answer it.",
	"parameters":{"type":"object","properties":{
		"agent":{"type":"string","enum":["inventory","reservations","edit_reservations","analytics","pricing","chef_menu","extra_selections","blocked_dates"],"description":"the specialist"},
		"reasoning":{"type":"string","description":"why, for the log"}},
	"required":["agent","reasoning"],"additionalProperties":false}}`)

const specialistPrompt = `You help the staff of a small hotel. Today is 2026-11-20 (Friday).
Place a table by writing [[table:t1]] with the reference of the result.`

// hotelWords are the synonyms of this hotel's trade.
func hotelWords() []model.Domain {
	return []model.Domain{{Name: "hotel", Synonyms: []string{
		"room cabin lodge", "reservation booking", "guest customer adults people", "extra addon", "coupon voucher",
		"dish dishes", "menu food", "selection choice chosen", "season seasonal", "capacity sleeps",
		"occupancy occupied",
		"available availability free vacant vacancy vacancies khali खाली",
		"revenue income earnings takings sales earned earn earns bikri kamai कमाई",
		"checkin arrival arrive arriving arrivals aa आ आने",
		"checkout departure depart departing departures leaving",
		"block blocked blockage close closed closure closures shut band बंद",
		"unblock reopen unblocked",
		"maintenance repair repairs",
	}}}
}

func object(s string) map[string]any {
	var out map[string]any
	if err := json.Unmarshal([]byte(s), &out); err != nil {
		panic(fmt.Sprintf("test data: %v in %s", err, s))
	}
	return out
}

// fn builds a tool from a compact line of parameters: "name:type=description",
// with "!" behind the type where the parameter is required.
func fn(name, description string, params ...string) map[string]any {
	props, required := map[string]any{}, []string{}
	var order []string
	for _, p := range params {
		head, text, _ := strings.Cut(p, "=")
		key, kind, _ := strings.Cut(head, ":")
		if strings.HasSuffix(kind, "!") {
			required = append(required, key)
			kind = strings.TrimSuffix(kind, "!")
		}
		s := map[string]any{"description": text}
		switch {
		case strings.HasPrefix(kind, "["):
			s["type"], s["enum"] = "string", strings.Split(strings.Trim(kind, "[]"), ",")
		case kind == "date":
			s["type"], s["format"] = "string", "date"
		case kind == "strings":
			s["type"], s["items"] = "array", map[string]any{"type": "string"}
		default:
			s["type"] = kind
		}
		props[key] = s
		order = append(order, key)
	}
	// Order matters to a reader of schemas, so the object is written by hand.
	var b strings.Builder
	for i, key := range order {
		raw, _ := json.Marshal(props[key])
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:%s", key, raw)
	}
	return map[string]any{"name": name, "description": description, "parameters": map[string]any{
		"type": "object", "properties": json.RawMessage("{" + b.String() + "}"), "required": required,
		"additionalProperties": false,
	}}
}

var hotel = map[string][]map[string]any{
	"inventory": {
		fn("list_room_types", "Lists the room types (cabins) of the property, ordered by name.",
			"include_inactive:boolean=also show inactive room types"),
		fn("get_room_type_details", "Shows everything about one room type.",
			"room:string!=code or name of the room type"),
		fn("create_room_type", "Creates a room type.", "code:string!=short code, capitals", "name:string!=name",
			"capacity:integer!=how many guests it sleeps", "weekday_price:string!=price per night, decimal amount",
			"weekend_price:string!=weekend price per night, decimal amount", "min_stay:integer=minimum nights"),
		fn("update_room_type", "Changes a room type: name, capacity, prices, minimum stay, active.",
			"room:string!=code or name of the room type", "name:string=new name", "capacity:integer=guests",
			"weekday_price:string=decimal amount", "weekend_price:string=decimal amount",
			"min_stay:integer=minimum nights", "active:boolean=whether it can be booked"),
		fn("delete_room_type", "Deletes a room type that has no bookings.",
			"room:string!=code or name of the room type"),
		fn("list_extras", "Lists the extras that guests can add.",
			"include_inactive:boolean=also show inactive extras"),
		fn("get_extra_details", "Shows one extra.", "extra:string!=name of the extra"),
		fn("create_extra", "Creates an extra.", "name:string!=name of the extra",
			"price:string!=price, decimal amount", "unit:[stay,night,guest,guest_night]!=what the price is per",
			"description:string=text for guests"),
		fn("update_extra", "Changes an extra.", "extra:string!=name of the extra", "name:string=new name",
			"price:string=price, decimal amount", "unit:[stay,night,guest,guest_night]=what the price is per",
			"active:boolean=whether it is offered"),
		fn("delete_extra", "Deletes an extra.", "extra:string!=name of the extra"),
		fn("list_packages", "Lists packages of rooms and extras.", "include_inactive:boolean=also inactive ones"),
		fn("get_package_details", "Shows one package.", "package:string!=name of the package"),
		fn("list_coupons", "Lists coupons.", "include_inactive:boolean=also inactive ones"),
		fn("create_coupon", "Creates a coupon.", "code:string!=coupon code", "discount_percent:number!=per cent off",
			"valid_from:date=first day", "valid_until:date=last day"),
		fn("validate_coupon", "Checks whether a coupon is valid.", "code:string!=coupon code"),
		fn("delete_coupon", "Deletes a coupon.", "code:string!=coupon code"),
	},
	"reservations": {
		fn("list_room_types", "Lists the room types (cabins) of the property, ordered by name.",
			"include_inactive:boolean=also show inactive room types"),
		fn("search_reservations", "Finds reservations by guest, code, status or dates.",
			"query:string=guest name, e-mail or code", "status:[confirmed,cancelled,no_show,checked_in]=status",
			"from:date=arrivals from this day", "to:date=arrivals up to this day"),
		fn("get_reservation_details", "Shows one reservation.", "code:string!=reservation code"),
		fn("check_availability", "Says whether one room type is free for a stay.",
			"room:string!=code or name of the room type", "check_in:date!=first night",
			"check_out:date!=day of departure"),
		fn("check_all_availability", "Says which room types are free for a stay.", "check_in:date!=first night",
			"check_out:date!=day of departure", "guests:integer=how many guests"),
		fn("create_reservation", "Books one room for a guest.", "room:string!=code or name of the room type",
			"check_in:date!=first night", "check_out:date!=day of departure", "guest_name:string!=full name",
			"email:string=e-mail", "phone:string=phone number without country code",
			"country_code:string=dialling code such as +44", "guests:integer!=how many guests",
			"coupon:string=coupon code", "extras:strings=names of extras"),
		fn("cancel_reservation", "Cancels a reservation.", "code:string!=reservation code", "reason:string=why"),
		fn("get_today_checkins", "Lists the guests who arrive today."),
		fn("get_today_checkouts", "Lists the guests who leave today."),
		fn("send_booking_email", "Sends the booking confirmation by e-mail.", "code:string!=reservation code"),
	},
	"analytics": {
		fn("get_occupancy_stats", "Occupancy for a period.", "from:date=first day", "to:date=last day, included"),
		fn("get_revenue_stats", "Revenue, ADR and RevPAR for a period.", "from:date=first day",
			"to:date=last day, included"),
		fn("get_client_analytics", "Guests: new, returning, where from.", "from:date=first day",
			"to:date=last day, included"),
		fn("compare_periods", "Compares two periods.", "metric:[occupancy,revenue]=what to compare",
			"first_month:string!=YYYY-MM", "second_month:string!=YYYY-MM"),
	},
	"chef_menu": {
		fn("list_chef_menu_items", "Lists dishes.",
			"category:[starters,local_mains,continental_mains,local_sides,continental_sides]=one category"),
		fn("create_chef_menu_item", "Adds a dish.", "name:string!=name of the dish",
			"category:[starters,local_mains,continental_mains,local_sides,continental_sides]!=category"),
		fn("delete_chef_menu_item", "Removes a dish for good.", "item:string!=name of the dish"),
		fn("toggle_chef_menu_availability", "Switches a dish on or off without deleting it.",
			"item:string!=name of the dish", "available:boolean!=whether it is on offer"),
	},
	"blocked_dates": {
		fn("list_room_types", "Lists the room types (cabins) of the property, ordered by name.",
			"include_inactive:boolean=also show inactive room types"),
		fn("list_blocked_dates", "Lists blocked dates.", "from:date=from this day", "to:date=up to this day"),
		fn("block_dates", "Blocks rooms for some days.", `rooms:strings!=room codes, or ["ALL"] for every room`,
			"from:date!=first blocked day", "to:date!=last blocked day",
			"reason:[maintenance,staff_holiday,renovation,other]!=why"),
		fn("unblock_dates", "Removes a block.", "rooms:strings!=room codes", "from:date!=first day",
			"to:date!=last day"),
	},
}
