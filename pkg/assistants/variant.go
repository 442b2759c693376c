package assistants

import (
	"errors"
	"fmt"
)

// Variant is an assistant as it answers when a request chooses another way of
// working: a pipeline of another name, or to go deep. It is made at start like
// the assistant itself, with other agents, tools or personas, and shares its
// name, so that both read each other's seals.
type Variant struct {
	Pipeline  string // "realtime" or "api"; "" is the assistant's own
	Deep      bool
	Assistant *Assistant
}

// As returns the assistant as a request chose it. It reports false for a choice
// that this assistant does not offer.
func (a *Assistant) As(pipeline string, deep bool) (*Assistant, bool) {
	if pipeline == "" && !deep {
		return a, true
	}
	for _, v := range a.Variants {
		if v.Pipeline == pipeline && v.Deep == deep {
			return v.Assistant, true
		}
	}
	return a, false
}

// checkVariants reports variants that are not of this assistant, and choices
// that two of them answer.
func (a *Assistant) checkVariants() error {
	var problems []error
	seen := map[[2]any]bool{{"", false}: true}
	for _, v := range a.Variants {
		choice := [2]any{v.Pipeline, v.Deep}
		switch {
		case seen[choice]:
			problems = append(problems, fmt.Errorf("assistant %s: two ways of working answer to %q, deep %v", a.Name, v.Pipeline, v.Deep))
		case v.Assistant == nil || v.Assistant.Name != a.Name || v.Assistant.EntityKind != a.EntityKind || len(v.Assistant.Variants) > 0:
			problems = append(problems, fmt.Errorf("assistant %s: the way of working %q, deep %v, must have its name and kind and no ways of its own", a.Name, v.Pipeline, v.Deep))
		default:
			problems = append(problems, v.Assistant.Check())
		}
		seen[choice] = true
	}
	return errors.Join(problems...)
}
