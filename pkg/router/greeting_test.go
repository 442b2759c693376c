package router_test

import (
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/router"
)

// S0-61: what a router may say by itself.
func TestARouterSaysOnlyCourtesies(t *testing.T) {
	for text, want := range map[string]bool{
		"Hello! What may I do for you?": true,
		"Good day.":                     true,
		"You are welcome.":              true,
		"You're welcome!":               true,
		"Namaste! Main aapki kya madad kar sakta hoon?":                                  true,
		"I am not sure what you would like to do. Could you say it in a few more words?": true,
		"Do you mean the booking or the cabin?":                                          true,
		"":                                                                               false,
		"The cabin is free tomorrow.":                                                    false,
		"Hello! The cabin is free tomorrow.":                                             false,
		"Occupancy was 72 percent.":                                                      false,
		"Shall I book COCO?":                                                             false,
		"Do you mean GRP-12?":                                                            false,
		"क्या आप ५ कमरे चाहते हैं?":                 false,
		"Hello! How are you? What may I do?":        false,
		"I booked it for you.":                      false,
		"Hello!\n\n| a | b |":                       false,
		"Your booking is confirmed. Anything else?": false,
	} {
		if got := router.Courteous(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
