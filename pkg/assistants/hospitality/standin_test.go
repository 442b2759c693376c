package hospitality_test

import (
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// session is a conversation with the real router, personas and tools, answered by
// the built-in model. Tools are not run: each call gets the same result.
type session struct {
	t         *testing.T
	assistant *flow.Runtime
	model     llm.Model
	talk      history.Conversation
	result    string
}

// say hands over what a person says and returns who answered and how: each
// call with its arguments, then the text.
func (d *session) say(text string) (agent, calls, reply string) {
	d.t.Helper()
	facts, err := d.assistant.Facts(d.t.Context(), manager, friday)
	if err != nil {
		d.t.Fatal(err)
	}
	d.talk.Entries = append(d.talk.Entries, history.Entry{Role: llm.User, Text: text})
	route, settled, err := routerOf(d.t).Settled("", d.talk)
	if err == nil && !settled {
		route, err = routerOf(d.t).Route(d.t.Context(), d.model, facts, d.talk)
	}
	if err != nil {
		d.t.Fatal(err)
	}
	state := &history.State{Agent: route.Agent}
	reply = route.Text
	for _, a := range d.assistant.Agents {
		if a.Name != route.Agent {
			continue
		}
		system, err := a.Persona.Fill(facts)
		if err != nil {
			d.t.Fatal(err)
		}
		messages := append([]llm.Message{{Role: llm.System, Text: system}}, d.talk.Prompt(a.Reads())...)
		var made []string
		for {
			answer, err := d.model.Answer(d.t.Context(), llm.Request{Settings: a.Settings, Messages: messages,
				Tools: a.Tools.Model()}, nil)
			if err != nil {
				d.t.Fatal(err)
			}
			if reply = answer.Text; len(answer.Calls) == 0 {
				break
			}
			step := history.Step{Text: answer.Text, Calls: answer.Calls}
			messages = append(messages, llm.Message{Role: llm.Assistant, Text: answer.Text, Calls: answer.Calls})
			for _, c := range answer.Calls {
				made = append(made, c.Name+" "+c.Arguments)
				step.Results = append(step.Results, history.Result{CallID: c.ID, Text: d.result})
				messages = append(messages, llm.Message{Role: llm.ToolRole, CallID: c.ID, Text: d.result})
			}
			state.Steps = append(state.Steps, step)
		}
		calls = strings.Join(made, " + ")
	}
	state.Asked = strings.HasSuffix(reply, "?")
	d.talk.Entries = append(d.talk.Entries, history.Entry{Role: llm.Assistant, Text: reply, State: state})
	return route.Agent, calls, reply
}

func newSession(t *testing.T) *session {
	t.Helper()
	return &session{t: t, assistant: bernard(t), model: builtIn(t),
		result: `{"table":"t1a","said":"Here it is.","data":{}}`}
}

// S0-5: what a newcomer without a key sees first. Each line
// is what the person says, then the agent and what it calls or, without a
// call, a part of what it answers.
func TestTheFirstHalfHourWithoutAKey(t *testing.T) {
	type turn struct{ said, want string }
	for name, turns := range map[string][]turn{
		"a month, then the one before": {
			{"What was occupancy this month?",
				`analytics: get_occupancy_stats {"start_date":"2026-11-01","end_date":"2026-11-30"}`},
			{"and last month?", `analytics: get_occupancy_stats {"start_date":"2026-10-01","end_date":"2026-10-31"}`},
		},
		"the month before, with other words": {
			{"occupancy this month", `analytics: get_occupancy_stats {"start_date":"2026-11-01",` +
				`"end_date":"2026-11-30"}`},
			{"what about October?", `analytics: get_occupancy_stats {"start_date":"2026-10-01",` +
				`"end_date":"2026-10-31"}`},
		},
		"a period of a report lies in this year": {
			{"occupancy from 1 November to 15 November",
				`analytics: get_occupancy_stats {"start_date":"2026-11-01","end_date":"2026-11-15"}`},
		},
		"a month of a report too": {
			{"occupancy in March", `analytics: get_occupancy_stats {"start_date":"2026-03-01",` +
				`"end_date":"2026-03-31"}`},
		},
		"a report of what is to come": {
			{"what will occupancy be in December?",
				`analytics: get_occupancy_stats {"start_date":"2026-12-01","end_date":"2026-12-31"}`},
		},
		"a report without dates": {
			{"what is our occupancy?", `analytics: get_occupancy_stats {}`},
		},
		"a guest": {
			{"find the bookings of Meera", `reservations: search_reservations {"query":"Meera"}`},
		},
		"a guest with a full name": {
			{"find the reservation of Maria Lopez", `reservations: search_reservations {"query":"Maria Lopez"}`},
		},
		"a code": {
			{"show me reservation QWERTY", `reservations: get_reservation_details {"code":"QWERTY"}`},
		},
		"who comes": {
			{"who arrives tomorrow?", `reservations: get_today_checkins {"date":"2026-11-21"}`},
		},
		"who comes today": {
			{"who checks in today?", `reservations: get_today_checkins {"date":"2026-11-20"}`},
		},
		"one status": {
			{"show all cancelled bookings", `reservations: search_reservations {"statuses":["cancelled"]}`},
		},
		"one cabin on a weekend": {
			{"Is COCO free next weekend?",
				`reservations: check_availability {"room":"COCO","check_in":"2026-11-27","check_out":"2026-11-29"}`},
		},
		"one cabin for a night": {
			{"is Juniper free tomorrow?",
				`reservations: check_availability {"room":"Juniper","check_in":"2026-11-21",` +
					`"check_out":"2026-11-22"}`},
		},
		"all cabins for a party": {
			{"which cabins are free from 1 to 5 December for 4 guests?",
				`reservations: check_all_availability {"check_in":"2026-12-01","check_out":"2026-12-05","guests":4}`},
		},
		"a stay in a month that has passed is next year's": {
			{"which cabins are free from 1 to 5 March?",
				`reservations: check_all_availability {"check_in":"2027-03-01","check_out":"2027-03-05"}`},
		},
		"one of the readings that were offered": {
			{"occupancy per channel in October", `analytics: I am not sure what to do with “per channel”`},
			{"report the occupancy of a period per room type and in total",
				`analytics: get_occupancy_stats {"start_date":"2026-10-01","end_date":"2026-10-31"}`},
		},
		"a question changes nothing": {
			{"who paid in cash yesterday", `reservations: I am not sure what`},
		},
		"a guest's new name is no room": {
			{"set the guest of K7QMPX to Ms Rina Das",
				`edit_reservations: edit_reservation {"code":"K7QMPX","guest_name":"Ms Rina Das"}`},
		},
		"a note": {
			{"add a note to K7QMPX: arrives late",
				`edit_reservations: edit_reservation {"code":"K7QMPX","notes":"arrives late"}`},
		},
		"a coupon's own days": {
			{"WELCOME10 valid until 31 January",
				`inventory: update_coupon {"coupon":"WELCOME10","valid_to":"2027-01-31"}`},
		},
		"a step is no price": {
			{"raise JUNIPER's weekend price by 500", `inventory: What is the change for the room type?`},
		},
		"figures by what no tool has them": {
			{"occupancy per channel in October", `analytics: I am not sure what to do with “per channel”`},
		},
		"the cabins": {
			{"Which cabins do we have?", `inventory: list_room_types {}`},
		},
		"about one cabin": {
			{"tell me about Deodar", `inventory: get_room_type_details {"room":"Deodar"}`},
		},
		"the extras": {
			{"list the extras", `inventory: list_extras {}`},
		},
		"the extras with hidden ones": {
			{"list extras including inactive ones", `inventory: list_extras {"include_inactive":true}`},
		},
		"an extra per guest and night": {
			{"Add an extra called Night Walk, 15 per guest and night",
				`inventory: create_extra {"name":"Night Walk","price":15,"per":"guest_night"}`},
		},
		"an extra without the word called": {
			{"add an extra Breakfast 12.50 per guest",
				`inventory: create_extra {"name":"Breakfast","price":12.50,"per":"guest"}`},
		},
		"an extra, one question at a time": {
			{"create an extra", `inventory: What is the name for the new extra?`},
			{"Night Walk", `inventory: What is the price for the new extra?`},
			{"15", `inventory: Could you tell me what the price counts for (stay, night, guest or guest night)?`},
			{"per guest", `inventory: create_extra {"name":"Night Walk","price":15,"per":"guest"}`},
		},
		"the chef's menu": {
			{"which dishes are on the menu?", `chef_menu: list_chef_menu_items {}`},
		},
		"a block without a reason": {
			{"block COCO tomorrow", `blocked_dates: What is the reason`},
		},
		"a block": {
			{"block COCO from 1 December to 3 December for maintenance",
				`blocked_dates: block_dates {"rooms":["COCO"],"start_date":"2026-12-01","end_date":"2026-12-03",` +
					`"reason":"maintenance"}`},
			{"which dates are blocked?", `blocked_dates: list_blocked_dates {}`},
		},
		"coupons": {
			{"is the coupon WELCOME10 valid?", `inventory: validate_coupon {"coupon":"WELCOME10"}`},
			{"list the coupons", `inventory: list_coupons {}`},
		},
		"revenue": {
			{"revenue from 1 October to 31 October",
				`analytics: get_revenue_stats {"start_date":"2026-10-01","end_date":"2026-10-31"}`},
		},
		"a booking, one question at a time": {
			{"book DEODAR from 1 December for two nights",
				`reservations: What is the guest name for the new reservation?`},
			{"Asha Rao", `reservations: What is the adults for the new reservation?`},
			{"2 adults", `reservations: create_reservation {"room":"DEODAR","check_in":"2026-12-01",` +
				`"check_out":"2026-12-03","guest_name":"Asha Rao","adults":2}`},
		},
		"a price that depends on the day": {
			{"simulate the dynamic price for next Saturday", `pricing: simulate_pricing {"check_in":"2026-11-28"}`},
		},
		"a booking changed": {
			{"change the check-in date of reservation ABC123 to 2 December",
				`edit_reservations: edit_reservation {"code":"ABC123","check_in":"2026-12-02"}`},
			{"change the phone of reservation ABC123 to 98765 43210",
				`edit_reservations: edit_reservation {"code":"ABC123","phone":"98765 43210"}`},
			{"cancel reservation ABC123", `reservations: cancel_reservation {"code":"ABC123"}`},
		},
		"a new price": {
			{"change the weekend price of COCO to 200",
				`inventory: update_room_type {"room":"COCO","weekend_price":200}`},
		},
		"another cabin for the same nights": {
			{"Is COCO free next weekend?",
				`reservations: check_availability {"room":"COCO","check_in":"2026-11-27","check_out":"2026-11-29"}`},
			{"and Juniper?", `reservations: check_availability {"room":"Juniper","check_in":"2026-11-27",` +
				`"check_out":"2026-11-29"}`},
		},
		"the same cabin on other nights": {
			{"is Juniper free tomorrow?",
				`reservations: check_availability {"room":"Juniper","check_in":"2026-11-21",` +
					`"check_out":"2026-11-22"}`},
			{"and next weekend?", `reservations: check_availability {"room":"Juniper","check_in":"2026-11-27",` +
				`"check_out":"2026-11-29"}`},
		},
		"from a list to one booking": {
			{"find the bookings of Meera", `reservations: search_reservations {"query":"Meera"}`},
			{"show me K7QMPX", `reservations: get_reservation_details {"code":"K7QMPX"}`},
		},
		"one subject after another": {
			{"Is COCO free next weekend?",
				`reservations: check_availability {"room":"COCO","check_in":"2026-11-27","check_out":"2026-11-29"}`},
			{"find the bookings of Meera", `reservations: search_reservations {"query":"Meera"}`},
			{"who arrives tomorrow?", `reservations: get_today_checkins {"date":"2026-11-21"}`},
			{"show all cancelled bookings", `reservations: search_reservations {"statuses":["cancelled"]}`},
			{"show me reservation QWERTY", `reservations: get_reservation_details {"code":"QWERTY"}`},
			{"tell me about Deodar", `inventory: get_room_type_details {"room":"Deodar"}`},
			{"is Juniper free tomorrow?",
				`reservations: check_availability {"room":"Juniper","check_in":"2026-11-21",` +
					`"check_out":"2026-11-22"}`},
			{"occupancy from 1 November to 15 November",
				`analytics: get_occupancy_stats {"start_date":"2026-11-01","end_date":"2026-11-15"}`},
			{"list the extras", `inventory: list_extras {}`},
			{"add an extra Breakfast 12.50 per guest",
				`inventory: create_extra {"name":"Breakfast","price":12.50,"per":"guest"}`},
			{"create an extra", `inventory: What is the name for the new extra?`},
		},
		"a cabin without dates after dates": {
			{"which cabins are free from 1 to 5 December?",
				`reservations: check_all_availability {"check_in":"2026-12-01","check_out":"2026-12-05"}`},
			{"is COCO available?", `reservations: check_availability {"room":"COCO","check_in":"2026-12-01",` +
				`"check_out":"2026-12-05"}`},
		},
		"a cabin without dates": {
			{"is COCO available?", `reservations: What is the check in date?`},
			{"tomorrow", `reservations: check_availability {"room":"COCO","check_in":"2026-11-21",` +
				`"check_out":"2026-11-22"}`},
		},
		"a stay over the turn of the year": {
			{"which cabins are free from 28 December to 3 January?",
				`reservations: check_all_availability {"check_in":"2026-12-28","check_out":"2027-01-03"}`},
		},
		"two months of which one is not over": {
			{"how was occupancy from 1 October to 30 November?",
				`analytics: get_occupancy_stats {"start_date":"2026-10-01","end_date":"2026-11-30"}`},
		},
		"bookings of two statuses": {
			{"list pending and confirmed reservations",
				`reservations: search_reservations {"statuses":["pending","confirmed"]}`},
		},
		"a price is a cabin's": {
			{"price of Deodar", `inventory: get_room_type_details {"room":"Deodar"}`},
			{"how much is Coco?", `inventory: get_room_type_details {"room":"Coco"}`},
			{"how much is our occupancy?", `analytics: get_occupancy_stats {}`},
		},
		"guests of a night": {
			{"how many guests do we have tonight?", `reservations: list_arrivals_departures {"date":"2026-11-20"}`},
		},
		"two rooms at once": {
			{"book COCO and BIRCH from 1 December to 3 December for Asha Rao, 2 adults each",
				`reservations: create_group_reservation {"rooms":[{"adults":2,"room":"COCO"},{"adults":2,` +
					`"room":"BIRCH"}],"check_in":"2026-12-01","check_out":"2026-12-03","guest_name":"Asha Rao"}`},
		},
		"a package for a guest": {
			{"book the honeymoon package for Asha Rao from 3 February to 6 February, 2 adults",
				`reservations: create_package_reservation {"package":"honeymoon","check_in":"2027-02-03",` +
					`"check_out":"2027-02-06","guest_name":"Asha Rao","adults":2}`},
		},
		"one month against another": {
			{"compare this month with last month",
				`analytics: compare_periods {"start_date":"2026-11-01","end_date":"2026-11-30",` +
					`"other_start_date":"2026-10-01","other_end_date":"2026-10-31"}`},
		},
		"a dish is off": {
			{"the trout is off today", `chef_menu: toggle_chef_menu_availability {"item":"trout","available":false}`},
		},
		"a price night by night": {
			{"simulate the price of COCO from 24 December to 26 December",
				`pricing: simulate_pricing {"room":"COCO","check_in":"2026-12-24","check_out":"2026-12-26"}`},
		},
		"a room's name is no guest's": {
			{"Book Birch 3 January to 5 January for Noor Khan",
				`reservations: What is the adults for the new reservation?`},
			{"2 adults", `reservations: create_reservation {"room":"Birch","check_in":"2027-01-03",` +
				`"check_out":"2027-01-05","guest_name":"Noor Khan","adults":2}`},
		},
		"nobody is the guest who was not named": {
			{"Book Birch 3 January to 5 January, 2 adults",
				`reservations: What is the guest name for the new reservation?`},
		},
		"a price for more people, of what was looked at": {
			{"Is COCO free from 10 to 12 January 2027?",
				`reservations: check_availability {"room":"COCO","check_in":"2027-01-10","check_out":"2027-01-12"}`},
			{"What would it cost for 4 people?",
				`pricing: simulate_pricing {"room":"COCO","check_in":"2027-01-10","check_out":"2027-01-12",` +
					`"adults":4}`},
		},
		"a price of all rooms, of the days that were looked at": {
			{"which cabins are free from 10 to 12 January 2027?",
				`reservations: check_all_availability {"check_in":"2027-01-10","check_out":"2027-01-12"}`},
			{"What would it cost for 4 people?",
				`pricing: simulate_pricing {"check_in":"2027-01-10","check_out":"2027-01-12","adults":4}`},
		},
		"a feast is a day": {
			{"Rate of COCO on Christmas", `pricing: simulate_pricing {"room":"COCO","check_in":"2026-12-25"}`},
		},
		"arrivals of several days": {
			{"Arrivals between 24 and 30 November",
				`reservations: search_reservations {"from":"2026-11-24","to":"2026-11-30"}`},
		},
		"kal, by the verb": {
			{"kal kaun aayega?", `reservations: get_today_checkins {"date":"2026-11-21"}`},
			{"kal kaun aaya tha?", `reservations: get_today_checkins {"date":"2026-11-19"}`},
		},
		"a coupon for a room": {
			{"Is STAY3 valid for COCO?", `inventory: validate_coupon {"coupon":"STAY3","room":"COCO"}`},
		},
		"the front desk, by name or room": {
			{"check in Tilda", `reservations: update_reservation_status {"code":"Tilda","status":"checked_in"}`},
			{"check out Saffron", `reservations: update_reservation_status {"code":"Saffron","status":"checked_out"}`},
			{"Who is staying right now?", `reservations: list_in_house {}`},
			{"who still owes us", `reservations: list_balances_due {}`},
			{"which cabin takes five people from 27 to 30 November?",
				`reservations: check_all_availability {"check_in":"2026-11-27","check_out":"2026-11-30","guests":5}`},
			{"breakfast heads tomorrow", `extra_selections: count_meals {"date":"2026-11-21"}`},
			{"who has allergies this week?",
				`extra_selections: list_guest_needs {"from":"2026-11-16","to":"2026-11-22"}`},
			{"which cabins have a kitchen?", `inventory: list_room_types {"amenity":"kitchen"}`},
			{"what is our check-in time?", `extra_selections: get_house_facts {}`},
		},
		"a list goes on": {
			{"show all cancelled bookings", `reservations: search_reservations {"statuses":["cancelled"]}`},
			{"next 20", `reservations: search_reservations {"statuses":["cancelled"],"limit":20,"offset":20}`},
			{"more", `reservations: search_reservations {"statuses":["cancelled"],"limit":20,"offset":40}`},
		},
		"what is not to be done": {
			{"don't cancel K7QMPX", `reservations: All right, I leave it as it is.`},
			{"K7QMPX cancel mat karo", `reservations: All right, I leave it as it is.`},
			{"COCO ko kal band mat karo", `blocked_dates: All right, I leave it as it is.`},
		},
		"what nobody can tell": {
			{"change it", `: I am not sure`},
		},
		"what there is": {
			{"what can you do?", `: new bookings`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newSession(t)
			for _, one := range turns {
				agent, calls, reply := d.say(one.said)
				who, want, _ := strings.Cut(one.want, ": ")
				got := calls
				if got == "" {
					got = reply
				}
				fits := got == want
				if calls == "" {
					fits = strings.Contains(got, want)
				}
				if agent != who || !fits {
					t.Errorf("%s\n got %s: %s\nwant %s", one.said, agent, got, one.want)
				}
			}
		})
	}
}

// What a tool reports is said without names of tools, and with what was asked
// for and not done.
func TestAnswersWithoutAKeyAreInPlainWords(t *testing.T) {
	for name, tt := range map[string]struct{ said, result, want string }{
		"an error": {"show me reservation QWERTY",
			`Error: There is no reservation "QWERTY" here. search_reservations finds it by name.`,
			`That did not work: There is no reservation "QWERTY" here.`},
		"a table": {"list the extras", `{"table":"t1a","said":"The property has 2 extras.","data":{}}`,
			"The property has 2 extras.\n\n[[table:t1a]]"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newSession(t)
			d.result = tt.result
			if _, _, got := d.say(tt.said); got != tt.want {
				t.Errorf("%s\n got %s\nwant %s", tt.said, got, tt.want)
			}
		})
	}
}

// Codes are random: whichever digit one begins with, and whatever its letters look like,
// the sentence about it goes to the same agent and is understood.
func TestACodeThatBeginsWithADigitIsNoNumber(t *testing.T) {
	for _, code := range []string{"2RPYZK", "3AAAAA", "5P7TT5", "5QGTSS", "7UGTGT", "7RPYZK", "9BCDEF", "BCDFGH",
		"MRHDFM",
		"WPYVLE", "ELLHA6", "EQPUKF", "JH2ADR"} {
		if agent, calls, reply := newSession(t).say("change the check-out of " + code +
			" to 5 March 2030"); agent != "edit_reservations" ||
			calls != `edit_reservation {"code":"`+code+`","check_out":"2030-03-05"}` {
			t.Errorf("%s is for %s: %s %s", code, agent, calls, reply)
		}
		if _, calls, _ := newSession(t).say("restore " + code); calls != `restore_reservation {"code":"`+code+`"}` {
			t.Errorf("restore %s: %s", code, calls)
		}
		if _, calls, _ := newSession(t).say("cancel " + code + " because the guest is ill"); calls !=
			`cancel_reservation {"code":"`+code+`","reason":"the guest is ill"}` {
			t.Errorf("cancel %s: %s", code, calls)
		}
	}
}
