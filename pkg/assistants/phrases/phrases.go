// Package phrases has what people say to the assistants that ship, and the models that
// recognise it: a folder for each assistant, in it files of phrases, others.txt with
// what belongs to no intent, and model.bin. The intents of hospitality are its agents,
// a file for each; those of finance are questions and orders, a file for each module.
package phrases

import (
	"embed"
	"fmt"
	"io/fs"
	"sync"

	"github.com/bellhop-ai/bellhop/pkg/intent"
)

//go:embed hospitality/*.txt finance/*.txt
var texts embed.FS

// hospitalityBin and financeBin are the models of the phrases. A test holds them to
// them:
//
//	go test ./pkg/assistants/phrases -run TestTheModelIsThatOfThePhrases -update
//
//go:embed hospitality/model.bin
var hospitalityBin []byte

//go:embed finance/model.bin
var financeBin []byte

// Goal is what the threshold of an assistant's model is chosen for, in cross-validation.
//
// Hospitality's is stricter than usual: an agent that can't help costs the user a turn,
// and a router call costs little. Finance has ten times as many intents, many of them
// neighbours that are left out whole in cross-validation, so that its figures there lie
// well below those of sentences of other people (TestOwnersQuestions).
func Goal(assistant string) intent.Goal {
	if assistant == "finance" {
		return intent.Goal{Precision: 0.95, Accepted: 0.06, Others: 0.1}
	}
	return intent.Goal{Precision: 0.99, Accepted: 0.02, Others: 0.1}
}

// Assistants returns the assistants with phrases.
func Assistants() []string { return []string{"finance", "hospitality"} }

// Set returns the intents of an assistant with their phrases. It reports false for an
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
	switch assistant {
	case "hospitality":
		return hospitality()
	case "finance":
		return finance()
	}
	return nil, nil
}

var (
	hospitality = read("hospitality", hospitalityBin)
	finance     = read("finance", financeBin)
)

func read(assistant string, artefact []byte) func() (*intent.Model, error) {
	return sync.OnceValues(func() (*intent.Model, error) {
		m, err := intent.Decode(artefact)
		if err != nil {
			return nil, fmt.Errorf("phrases of %s: %w", assistant, err)
		}
		return m, nil
	})
}
