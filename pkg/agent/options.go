package agent

import (
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/vocabulary"
)

// Offered returns the options of a reply that ends with a list and a question as choices to
// press, named by name. Pressing one sends its words as if typed, so an option that
// could be read as an answer to a proposal makes the reply offer none. shows, if not
// nil, reports whether answers may have parts of a kind.
func Offered(reply string, shows func(kind string) bool, name func() string) (part.Part, bool) {
	choices, ok := part.Options(reply)
	if !ok || shows != nil && !shows(choices.Kind()) {
		return part.Part{}, false
	}
	for _, c := range choices.Choices {
		if answer, _ := consent.Words(c.Words, "", "", vocabulary.Words{}); answer != consent.Neither {
			return part.Part{}, false
		}
	}
	p, err := part.New(choices, "", nil)
	if err != nil {
		return part.Part{}, false // the reply asks the same
	}
	p.ID = name()
	return p, true
}

// PartName names a part of an answer at this position of its conversation, counted
// from 0.
func PartName(position, n int) string {
	name := fmt.Sprintf("t%d%c", position+1, 'a'+rune(n%26))
	if n >= 26 {
		name += fmt.Sprint(n / 26)
	}
	return name
}

// FirstName names the first part of a reply at this position of its conversation.
func FirstName(position int) string { return fmt.Sprintf("t%da", position+1) }
