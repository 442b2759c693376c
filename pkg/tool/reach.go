package tool

import "github.com/bellhop-ai/bellhop/pkg/identity"

// Reach is whose records a tool writes.
type Reach uint8

// The reaches. The zero Reach is Shared, a safe default for tools that state
// none.
const (
	Shared  Reach = iota // records that others see and work with
	Own                  // the caller's own drafts and settings
	Outside              // what leaves the house: mail, orders, pages for everybody
)

// String returns the name of the reach as the documentation has it.
func (r Reach) String() string {
	switch r {
	case Own:
		return "own"
	case Outside:
		return "outside"
	}
	return "shared"
}

// Cautious reports whether the tool needs consent because untrusted text was
// read before it was called. A tool that always asks needs no other reason, and
// a small write to the caller's own records affects no one else.
func (t Tool) Cautious() bool {
	return t.spec.Effect == Writes && t.spec.Target != Own
}

// Allows reports whether a user with the role may run the tool: every role may
// run tools that read, and tools that write only the caller's own records.
func (t Tool) Allows(role identity.Role) bool {
	return role.Writes() || t.spec.Effect == Reads || t.spec.Target == Own
}
