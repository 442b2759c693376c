// Package phrases has what people say to the agents of the assistants that ship, and
// the models that recognise it: a folder for each assistant, in it a file of phrases
// for each agent, others.txt with what belongs to none, and model.bin.
package phrases

import (
	"embed"
	"fmt"
	"io/fs"
	"sync"

	"github.com/bellhop-ai/bellhop/pkg/intent"
)

//go:embed hospitality/*.txt
var texts embed.FS

// artefact is the model of hospitality's phrases. A test holds it to them:
//
//	go test ./pkg/assistants/hospitality -run TestTheModelIsThatOfThePhrases -update
//
//go:embed hospitality/model.bin
var artefact []byte

// Goal is what the models' thresholds are chosen for. It is stricter than usual: an
// agent that can't help costs the user a turn, and a router call costs little.
func Goal() intent.Goal { return intent.Goal{Precision: 0.99, Accepted: 0.02, Others: 0.1} }

// Set returns what people say to each agent of an assistant. It reports false for an
// assistant without phrases.
func Set(assistant string) (set intent.Set, ok bool, err error) {
	if _, err := fs.Stat(texts, assistant); err != nil {
		return set, false, nil
	}
	set, err = intent.Read(texts, assistant)
	return set, true, err
}

// Model returns the model of an assistant's phrases, nil for an assistant without
// any. It is read at the first call.
func Model(assistant string) (*intent.Model, error) {
	if assistant != "hospitality" {
		return nil, nil
	}
	return hospitality()
}

var hospitality = sync.OnceValues(func() (*intent.Model, error) {
	m, err := intent.Decode(artefact)
	if err != nil {
		return nil, fmt.Errorf("phrases of hospitality: %w", err)
	}
	return m, nil
})
