package hospitality

import (
	"embed"
	"fmt"
	"sync"

	"github.com/bellhop-ai/bellhop/pkg/intent"
	"github.com/bellhop-ai/bellhop/pkg/router"
)

// phrases are what people say to each specialist, a file for each.
//
//go:embed intents/*.txt
var phrases embed.FS

// artefact is the model of phrases. A test holds it to them:
//
//	go test ./pkg/assistants/hospitality -run TestTheModelIsThatOfThePhrases -update
//
//go:embed intents/model.bin
var artefact []byte

// IntentGoal is what the model's threshold is chosen for. It is stricter than usual:
// an agent that can't help costs the user a turn, and a router call costs little.
func IntentGoal() intent.Goal { return intent.Goal{Precision: 0.99, Accepted: 0.02, Others: 0.1} }

// Phrases returns what people say to each specialist.
func Phrases() (intent.Set, error) { return intent.Read(phrases, "intents") }

// Intents returns the model that recognises what people say to each specialist. It
// is read at the first call.
func Intents() (*intent.Model, error) { return readIntents() }

var readIntents = sync.OnceValues(func() (*intent.Model, error) {
	m, err := intent.Decode(artefact)
	if err != nil {
		return nil, fmt.Errorf("hospitality: %w", err)
	}
	return m, nil
})

// intents is Intents for the router, which asks its model where there is none.
func intents() router.Intents {
	m, err := Intents()
	if err != nil {
		return nil
	}
	return m
}
