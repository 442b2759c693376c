// Package consent makes significant writes of a model wait for the approval of
// a user.
//
// A tool with the effect Changes or above does not run when a model calls it.
// Its arguments are stored as a proposal, its preview is shown, and the turn
// ends. The call runs later, from the stored row, when the same user approves:
// with exactly those arguments, once, within ten minutes. No prompt and no
// model can bypass that.
package consent

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// State is the state of a proposal.
type State string

// The states. All but Pending are final.
const (
	Pending    State = "pending"
	Consumed   State = "consumed"
	Rejected   State = "rejected"
	Superseded State = "superseded" // a newer proposal of the same tool took its place
	Expired    State = "expired"
)

// Draft is a proposal before it is stored.
type Draft struct {
	ID        string // uuid
	Entity    string // uuid of the property or company that it is about
	Assistant string
	Agent     string
	Thread    string
	Turn      string
	Tool      string
	Arguments json.RawMessage // canonical; stored and executed to the byte
	Hash      string          // hex SHA-256 of Arguments
	Preview   tool.Preview
	// Notes counts the warnings of Preview that were not added by the tool;
	// they follow the tool's own.
	Notes int
	Tier  string // MEDIUM, HIGH or CRITICAL
	Code  string // what a person may type to mean this one
}

// Proposal is a stored proposal as its owner sees it. Times are the
// database's.
type Proposal struct {
	Draft
	State     State
	CreatedAt time.Time
	ExpiresAt time.Time
}

// Query selects proposals of one person; empty fields select all.
type Query struct{ ID, Thread, Code string }

// Store keeps proposals. Each method acts for by and sees only by's own.
type Store interface {
	// Propose stores a draft, which ends other pending ones of the same
	// thread that are of the same tool or show one of the same rows. In the
	// thread "tools", which is no conversation, the tool alone does not count,
	// but the same call. It returns a fault.Conflict error with the code
	// "code_taken" when another pending proposal of by has the same Code.
	Propose(ctx context.Context, by identity.Caller, d Draft) (Proposal, error)

	// Proposals returns those that match q, newest first, at most 20.
	Proposals(ctx context.Context, by identity.Caller, q Query) ([]Proposal, error)

	// Reject ends a pending proposal and returns it as it now is. Rejecting
	// twice changes nothing.
	Reject(ctx context.Context, by identity.Caller, id string) (Proposal, error)

	// Renew replaces the reads and rows of a pending proposal: a new preview
	// was built from them and is the same.
	Renew(ctx context.Context, by identity.Caller, p Proposal, found tool.Preview) error

	// Done returns when by's organisation last did an act (the tool with
	// arguments of that hash) under another key than key, if that is not
	// longer ago than within.
	Done(ctx context.Context, by identity.Caller, act Act, within time.Duration) (at time.Time, done bool, err error)
}

// Act is a tool with canonical arguments, independent of the caller. Key is the
// effect key under which it may run now.
type Act struct{ Tool, Hash, Key string }

// Service makes proposals and executes approved ones. It is immutable.
type Service struct {
	Store Store
	NewID func() string // uuids
	Code  func() string // short codes, read aloud without confusion
}

// Where identifies the conversation of a proposal.
type Where struct {
	Assistant, Agent, Thread, Turn string
	// Why tells the user the reason for the question, where it is not the
	// tool's effect.
	Why string
	// Sources, where a model called the tool, are the possible origins of its
	// arguments. nil means that the user filled them in.
	Sources func() Sources

	notes []string // of the question that this one takes the place of
}

// maxRows is how many existing rows one act may change; maxAgo is how long an
// identical act counts as a repetition.
const (
	maxRows = 100
	maxAgo  = 10 * time.Minute
)

// Propose stores the call with its preview. The error is the tool's own when
// the preview shows that the act is impossible.
func (s *Service) Propose(ctx context.Context, by identity.Caller, at Where, call tool.Call) (Proposal, error) {
	if !call.Tool.Allows(by.Role) {
		return Proposal{}, fault.New(fault.Forbidden, "Your role may look, but not change anything.")
	}
	preview, err := call.Preview(ctx, by)
	if err != nil {
		return Proposal{}, err
	}
	return s.store(ctx, by, at, call, preview)
}

// store adds notes to a tool's own preview, and stores it as a proposal.
func (s *Service) store(
	ctx context.Context, by identity.Caller, at Where, call tool.Call, preview tool.Preview,
) (Proposal, error) {
	if n := len(preview.Targets); n > maxRows {
		return Proposal{}, fault.New(fault.Unprocessable,
			"This would change %d records at once; at most %d are allowed. Please ask for a smaller part.", n,
			maxRows).
			WithCode("too_many_rows")
	}
	tier := max(call.Tool.Effect(), tool.Changes).Tier()
	id, own := s.NewID(), len(preview.Warnings)
	if at.Sources != nil {
		at.Sources().Mark(call, tier, &preview)
	}
	again, err := s.Repeats(ctx, by, Act{Tool: call.Tool.Name(), Hash: call.Hash, Key: id})
	if err != nil {
		return Proposal{}, err
	}
	for _, why := range append(slices.Clone(at.notes), at.Why, again) {
		if why != "" && !slices.Contains(preview.Warnings, why) {
			preview.Warnings = append(slices.Clone(preview.Warnings), why)
		}
	}
	preview = visible(preview)
	draft := Draft{
		ID: id, Entity: by.Entity.ID, Assistant: at.Assistant, Agent: at.Agent, Thread: at.Thread, Turn: at.Turn,
		Tool: call.Tool.Name(), Arguments: call.Arguments, Hash: call.Hash,
		Preview: preview, Notes: len(preview.Warnings) - own, Tier: tier,
	}
	// Two pending proposals of one person must not answer to the same code;
	// with four letters a second draw is rare and a fourth all but impossible.
	for range 4 {
		draft.Code = s.Code()
		p, err := s.Store.Propose(ctx, by, draft)
		if f := fault.From(err); f == nil || f.Code != "code_taken" {
			return p, err
		}
	}
	return Proposal{}, fault.New(fault.Unavailable, "No free code was found for the question. Please try again.")
}

// Repeats returns a note for users that the same was done a moment ago; "" when
// it was not.
func (s *Service) Repeats(ctx context.Context, by identity.Caller, act Act) (string, error) {
	at, done, err := s.Store.Done(ctx, by, act, maxAgo)
	if err != nil || !done {
		return "", err
	}
	zone, err := by.Entity.Location()
	if err != nil {
		zone = time.UTC
	}
	return "The same was done at " + at.In(zone).Format("15:04") + ". This would do it again.", nil
}

// Find returns the caller's proposal of that id, of an assistant that the
// caller's organisation has, or a fault.NotFound error with the code
// "proposal_unknown".
func (s *Service) Find(ctx context.Context, by identity.Caller, id string) (Proposal, error) {
	if uuid.Validate(id) != nil {
		return Found(by, nil)
	}
	list, err := s.Store.Proposals(ctx, by, Query{ID: id})
	if err != nil {
		return Proposal{}, err
	}
	return Found(by, list)
}

// Found returns the first of the proposals that a store found for an id, or the error
// of Find.
func Found(by identity.Caller, list []Proposal) (Proposal, error) {
	if len(list) == 0 || !by.Has(list[0].Assistant) {
		return Proposal{}, fault.New(fault.NotFound, "There is no such question to answer.").
			WithCode("proposal_unknown")
	}
	return list[0], nil
}

// Phrase checks the phrase that a critical act needs: "yes" and the code. For
// the other tiers any phrase is accepted.
func (p Proposal) Phrase(typed string) error {
	if p.Tier != "CRITICAL" || strings.EqualFold(strings.Join(strings.Fields(typed), " "), "yes "+p.Code) {
		return nil
	}
	return fault.New(fault.Unprocessable, "Please type “yes %s” to confirm this.", p.Code).WithCode("phrase_needed")
}

// Usable returns nil for a pending proposal, or the error that says why it
// cannot be answered any more.
func (p Proposal) Usable() error {
	switch p.State {
	case Pending:
		return nil
	case Expired:
		return fault.New(fault.Gone, "The time to answer has passed, so nothing was done. Ask again for a new "+
			"preview.").WithCode("proposal_expired")
	case Superseded:
		return fault.New(fault.Conflict, "A newer preview has taken the place of this one.").
			WithCode("proposal_superseded")
	case Rejected:
		return fault.New(fault.Conflict, "This was turned down or left behind, so nothing was done.").
			WithCode("proposal_rejected")
	}
	return fault.New(fault.Conflict, "This was done before and is not done twice.").WithCode("proposal_consumed")
}

// CodeLength is how many letters and digits a proposal's code has.
const CodeLength = 4

// codeAlphabet leaves out characters that are easily confused: I and 1, O and
// 0.
const codeAlphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

// Codes returns a source of codes that draws from random, such as crypto/rand.
// No code is a word that is itself an answer.
func Codes(random io.Reader) func() string {
	draw := codes(random)
	return func() string {
		for {
			if code := draw(); !grammar().words[strings.ToLower(code)] {
				return code
			}
		}
	}
}

func codes(random io.Reader) func() string {
	return func() string {
		var b [CodeLength]byte
		if _, err := io.ReadFull(random, b[:]); err != nil {
			// Only a broken operating system gets here; the code is no secret,
			// and the store refuses one that is taken.
			return "AAAA"
		}
		for i := range b {
			// 256 is a multiple of the alphabet's 32, so no letter is favoured.
			b[i] = codeAlphabet[int(b[i])%len(codeAlphabet)]
		}
		return string(b[:])
	}
}
