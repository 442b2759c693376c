// Package profiles has the profiles of the assistants that ship, one file for
// each.
package profiles

import "github.com/bellhop-ai/bellhop/pkg/assistants"

// All returns every profile, in the order in which people see them.
func All() []assistants.Profile {
	return []assistants.Profile{Hospitality(), Finance(), Portfolio(), Travel(), Planner()}
}
