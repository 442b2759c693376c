package assistants

import (
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Of returns those of a deployment's assistants that the caller's organisation
// has, in their order; name tells what one is called. To an organisation, the
// others do not exist.
func Of[A any](by identity.Caller, all []A, name func(A) string) []A {
	var has []A
	for _, a := range all {
		if by.Has(name(a)) {
			has = append(has, a)
		}
	}
	return has
}

// FindOf returns the profile of that name if the caller's organisation has the
// assistant. Otherwise it returns what Find does for an unknown name.
func FindOf(by identity.Caller, all []Profile, name string) (Profile, error) {
	p, err := Find(all, name)
	if err != nil || !by.Has(name) {
		return Profile{}, Unknown()
	}
	return p, nil
}

// Unknown returns the fault.NotFound error with the code "unknown_assistant" for
// a name that is unknown, or unknown in the caller's organisation.
func Unknown() error {
	return fault.New(fault.NotFound, "There is no such assistant here.").WithCode("unknown_assistant")
}
