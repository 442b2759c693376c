package conversations

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/turns"
)

// Turns opens and closes turns, each with one request to the database.
type Turns interface {
	// OpenTurn does all that comes before a model is asked, in the order of the
	// members of TurnOpening: all of it, or nothing when it returns an error. by is
	// the caller as a verified token says; only its UserID, OrgID and Token are
	// used. Opened again by the same attempt, the turn is resumed and the message
	// is recorded once. It returns a fault.Forbidden error with the code
	// "not_a_member" for a user whose membership has ended; of the message, the
	// errors are those of Recorder.RecordMessage.
	OpenTurn(ctx context.Context, by identity.Caller, o TurnOpening) (OpenedTurn, error)
	// CloseTurn keeps the answer, ends its turn and settles its model calls: all or
	// nothing. Closed again, nothing changes.
	CloseTurn(ctx context.Context, by identity.Caller, turn string, a Answer, f turns.Finish) error
}

// TurnOpening says what a turn needs. What is not asked for stays zero.
type TurnOpening struct {
	// Door is the endpoint group at which the request is counted, by the rates that the organisation
	// has of its own there, else by Rate. "" counts nothing.
	Door string
	Rate identity.Rate
	// Entity and Kind choose what it is about, as identity.Caller.Choose does.
	Entity, Kind string
	// Assistant is that of the turn, by name.
	Assistant string
	// FirstCall is reserved for the turn's first model call where the organisation
	// has a budget with much more left, and the opening writes anything else. The
	// zero Estimate reserves nothing.
	FirstCall limit.Estimate
	// Turn is begun if it is not nil.
	Turn *turns.Start
	// Message is recorded if it is not nil. Its EntityID is not read: the
	// chosen entity's is taken.
	Message *UserMessage
}

// OpenedTurn is what came of an opening. It ends where it was refused: nothing is
// begun where Rate has a Wait or there is no such entity, and nothing is
// recorded of a turn that is not the caller's to run.
type OpenedTurn struct {
	By       identity.Caller // as the database knows the caller now; no entity is chosen yet
	Rate     limit.Take
	Turn     turns.Begun // the zero Begun of a turn that was not to be begun
	Recorded *Recorded   // nil when nothing was to be recorded
	Hold     limit.Hold  // of FirstCall; "" where it is not reserved
}
