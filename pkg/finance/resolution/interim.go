// Package resolution turns matched intents into calls of tools.
package resolution

// Flows are all resolution flows.
type Flows struct{}

// Load returns the flows.
func Load() (*Flows, error) { return &Flows{}, nil }

// Intents returns the names of the intents that have a flow.
func (f *Flows) Intents() []string { return nil }

// Described is what people read of an intent.
type Described struct{ Name, Module, Description string }

// Describe describes an intent.
func (f *Flows) Describe(string) (Described, bool) { return Described{}, false }
