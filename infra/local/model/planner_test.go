package model_test

import (
	"context"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"

	"github.com/bellhop-ai/bellhop/infra/local/model"
)

// friday is the injected now; prompts that state a date agree with it.
func friday() time.Time { return time.Date(2026, 11, 20, 15, 4, 5, 0, time.UTC) }

// serve starts the stand-in and returns the official client for it.
func serve(t *testing.T) openai.Client {
	t.Helper()
	srv := httptest.NewServer(model.New(model.Config{Now: friday, Domains: hotelWords()}))
	t.Cleanup(srv.Close)
	return openai.NewClient(option.WithBaseURL(srv.URL+"/v1/"), option.WithAPIKey("none"), option.WithMaxRetries(0))
}

func offer(tools ...map[string]any) []openai.ChatCompletionToolUnionParam {
	var out []openai.ChatCompletionToolUnionParam
	for _, one := range tools {
		out = append(out, openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
			Name: one["name"].(string), Description: openai.String(one["description"].(string)),
			Parameters: one["parameters"].(map[string]any),
		}))
	}
	return out
}

// ask sends one request and returns the answering message.
func ask(t *testing.T, c openai.Client, tools []map[string]any,
	messages ...openai.ChatCompletionMessageParamUnion) openai.ChatCompletionMessage {
	t.Helper()
	got, err := c.Chat.Completions.New(context.Background(), openai.ChatCompletionNewParams{Model: "any",
		Messages: messages, Tools: offer(tools...)})
	if err != nil {
		t.Fatalf("ask: %v", err)
	}
	if got.Model != model.Name {
		t.Errorf("the answer is said to be of %q, want who gave it, %q", got.Model, model.Name)
	}
	return got.Choices[0].Message
}

// said renders an answer as one line: the call, or the text.
func said(m openai.ChatCompletionMessage) string {
	if len(m.ToolCalls) == 0 {
		return m.Content
	}
	line := ""
	for i, c := range m.ToolCalls {
		if i > 0 {
			line += " + "
		}
		line += c.Function.Name + " " + c.Function.Arguments
	}
	return line
}

func TestRoutesByTheWordsOfThePrompt(t *testing.T) {
	c := serve(t)
	// S0-4, S0-8
	tests := map[string]string{
		"edit COCO cabin":                                   "inventory",
		"edit reservation ABC123":                           "edit_reservations",
		"change weekend price":                              "inventory",
		"change check-in date":                              "edit_reservations",
		"Which cabins do we have?":                          "inventory",
		"What was occupancy this month?":                    "analytics",
		"Is COCO free next weekend?":                        "reservations",
		"Add an extra called Stargazing, 45 per guest":      "inventory",
		"Who checks in today?":                              "reservations",
		"Block COCO for maintenance from 3 to 5 December":   "blocked_dates",
		"How much would LODGE cost on 24 December?":         "pricing",
		"Take the lamb curry off the menu":                  "chef_menu",
		"Which meal choices did the guests of ABC123 make?": "extra_selections",
		"How much revenue did we make last month?":          "analytics",
		"cancel booking ABC123":                             "reservations",
		"Delete the coupon SUMMER10":                        "inventory",
		"cabin dikhao":                                      "inventory",
	}
	for text, want := range tests {
		t.Run(text, func(t *testing.T) {
			m := ask(t, c, []map[string]any{routerTool}, openai.SystemMessage(routerPrompt), openai.UserMessage(text))
			if len(m.ToolCalls) != 1 {
				t.Fatalf("answered %q, want a call", m.Content)
			}
			if got := object(m.ToolCalls[0].Function.Arguments)["agent"]; got != want {
				t.Errorf("routed to %v, want %s", got, want)
			}
		})
	}
}

// A question that begins with "and" leans on the question before it, unless it
// says itself what it is about, and never on a request to do something.
func TestAQuestionDoesNotRepeatARequest(t *testing.T) {
	c := serve(t)
	for _, tt := range []struct{ first, answer, then, want string }{
		{"Add an extra called Stargazing, 45 per guest", "Shall I do this? Answer yes or no. (K7QM)",
			"And which extras do we have?", `list_extras {}`},
		{"Add an extra called Stargazing, 45 per guest", "Shall I do this? Answer yes or no. (K7QM)",
			"and which extras?", `list_extras {}`},
		{"Which cabins do we have?", "The property has 7 room types.", "And which extras?", `list_extras {}`},
	} {
		got := said(ask(t, c, hotel["inventory"], openai.SystemMessage(specialistPrompt), openai.UserMessage(tt.first),
			openai.AssistantMessage(tt.answer), openai.UserMessage(tt.then)))
		if got != tt.want {
			t.Errorf("%s, then %s\n got %s\nwant %s", tt.first, tt.then, got, tt.want)
		}
	}
}

func TestPicksAndFillsATool(t *testing.T) {
	c := serve(t)
	tests := map[string]struct{ agent, text, want string }{
		"lists":              {"inventory", "Which cabins do we have?", `list_room_types {}`},
		"lists what is sold": {"inventory", "Which extras do we sell?", `list_extras {}`},
		"lists hidden ones too": {"inventory", "Show all room types, also the inactive ones",
			`list_room_types {"include_inactive":true}`},
		"reads amount and unit": {"inventory", "Add an extra called Stargazing, 45 per guest",
			`create_extra {"name":"Stargazing","price":"45","unit":"guest"}`},
		"prefers the longer unit": {"inventory", `Create a new extra "Sauna evening" for $12.50 per guest per night`,
			`create_extra {"name":"Sauna evening","price":"12.50","unit":"guest_night"}`},
		"changes one of two prices": {"inventory", "Raise the weekend price of COCO from 180 to 195",
			`update_room_type {"room":"COCO","weekend_price":"195"}`},
		"renames": {"inventory", "Rename the extra Stargazing to Night Sky",
			`update_extra {"extra":"Stargazing","name":"Night Sky"}`},
		"takes a name in small letters": {"inventory", "delete the stargazing extra",
			`delete_extra {"extra":"stargazing"}`},
		"asks about one": {"inventory", "Show me the details of the LODGE cabin",
			`get_room_type_details {"room":"LODGE"}`},
		"reads a percentage": {"inventory", "Create coupon SUMMER10 with 10% off, valid from 1 June to 31 August",
			`create_coupon {"code":"SUMMER10","discount_percent":10,"valid_from":"2027-06-01",` +
				`"valid_until":"2027-08-31"}`},
		"checks one room": {"reservations", "Is COCO free next weekend?",
			`check_availability {"room":"COCO","check_in":"2026-11-27","check_out":"2026-11-29"}`},
		"checks all rooms": {"reservations", "What is free from 12 to 14 March for 2 guests?",
			`check_all_availability {"check_in":"2027-03-12","check_out":"2027-03-14","guests":2}`},
		"books": {"reservations", "Book COCO for John Smith from 2026-12-01 for 3 nights, 2 guests, " +
			"john@example.com, +44 7700 900123",
			`create_reservation {"room":"COCO","check_in":"2026-12-01","check_out":"2026-12-04",` +
				`"guest_name":"John Smith","email":"john@example.com","phone":"7700 900123",` +
				`"country_code":"+44","guests":2}`},
		"cancels": {"reservations", "Please cancel reservation ABC123 because the guest is ill",
			`cancel_reservation {"code":"ABC123","reason":"the guest is ill"}`},
		"looks up by code": {"reservations", "Show reservation ABC123",
			`get_reservation_details {"code":"ABC123"}`},
		"lists arrivals": {"reservations", "Who is arriving today?", `get_today_checkins {}`},
		"searches by name": {"reservations", "Find the booking of Maria Lopez",
			`search_reservations {"query":"Maria Lopez"}`},
		"reports a month": {"analytics", "What was occupancy this month?",
			`get_occupancy_stats {"from":"2026-11-01","to":"2026-11-30"}`},
		"reports without dates": {"analytics", "How is our revenue?", `get_revenue_stats {}`},
		"switches off": {"chef_menu", "Switch the lamb curry off",
			`toggle_chef_menu_availability {"item":"lamb curry","available":false}`},
		"lists one category": {"chef_menu", "Which starters are there?",
			`list_chef_menu_items {"category":"starters"}`},
		"blocks every room": {"blocked_dates", "Block all rooms from 3 to 5 December for maintenance",
			`block_dates {"rooms":["ALL"],"from":"2026-12-03","to":"2026-12-05","reason":"maintenance"}`},
		"blocks two": {"blocked_dates", "Block COCO and LODGE tomorrow, staff holiday",
			`block_dates {"rooms":["COCO","LODGE"],"from":"2026-11-21","to":"2026-11-21","reason":"staff_holiday"}`},
		"understands Hinglish": {"inventory", "sab cabin dikhao", `list_room_types {}`},
		"asks what is missing": {"inventory", "Add an extra called Stargazing",
			`What is the price for the new extra?`},
		"asks with the options": {"chef_menu", "Add a dish called Dal Tadka",
			`What is the category for the new chef menu item (starters, local mains, continental mains, local sides ` +
				`or continental sides)?`},
		"leaves what is denied": {"reservations", "Don't cancel reservation ABC123",
			`All right, I leave it as it is.`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := said(ask(t, c, hotel[tt.agent], openai.SystemMessage(specialistPrompt),
				openai.UserMessage(tt.text)))
			if got != tt.want {
				t.Errorf("%s\n got %s\nwant %s", tt.text, got, tt.want)
			}
		})
	}
}
