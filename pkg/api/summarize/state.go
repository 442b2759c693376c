package summarize

import (
	"time"

	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/summary"
)

// state is how far a stored conversation's summary is.
type state struct {
	ID      string          `json:"id"`
	Outcome summary.Outcome `json:"outcome,omitempty"` // of a request that asked for one
	State   string          `json:"state"`             // none, queued, running, done or failed
	Reason  string          `json:"reason,omitempty"`  // the code of the last failure
	Since   *time.Time      `json:"since"`             // when the summary was made
	// Covers is how many of the conversation's messages the summary stands for.
	Covers   int        `json:"covers"`
	Messages int        `json:"messages"`
	Summary  string     `json:"summary"`
	KeyFacts []string   `json:"keyFacts"`
	Usage    *llm.Usage `json:"usage,omitempty"`
}

// state shows a summary only if this server made it.
func (h *Handler) state(by identity.Caller, s summary.Status) state {
	out := state{ID: s.ID, State: s.State, Reason: s.Reason, Since: s.Since, Covers: s.Covers, Messages: s.Messages,
		KeyFacts: []string{}}
	proof := Proof{h.cfg.Keys}
	if s.Summary != "" && proof.Summarised(summary.Claim{Org: by.OrgID, Assistant: s.Assistant, ID: s.ID,
		Summary: s.Summary, Token: s.Token}) {
		out.Summary, out.KeyFacts = s.Summary, s.KeyFacts
	}
	return out
}

// Proof is a summary.Proof with the keys that keep stored messages.
type Proof struct{ Keys *history.Keys }

var _ summary.Proof = Proof{}

func (Proof) location(c summary.Claim, message string) history.Location {
	return history.Location{Tenant: c.Org, Assistant: c.Assistant, Conversation: c.ID, Message: message}
}

// Said reports whether a stored answer is as it was kept.
func (p Proof) Said(c summary.Claim, m summary.Message) bool {
	for _, name := range []string{m.Turn, m.ID} {
		if m.Token == "" || name == "" {
			continue
		}
		// A summary is no message, even if a client put it where one stands.
		if s, _, err := p.Keys.OpenStored(p.location(c, name), m.Text, m.Token); err == nil && s.Replaces.None() {
			return true
		}
	}
	return false
}

// Summarised reports whether a stored summary is as it was kept.
func (p Proof) Summarised(c summary.Claim) bool {
	s, _, err := p.Keys.OpenStored(p.location(c, conversations.SummaryMessage), c.Summary, c.Token)
	return err == nil && !s.Replaces.None()
}

// Prove returns the token of a summary.
func (p Proof) Prove(c summary.Claim, text string, through int) (string, error) {
	return p.Keys.SealStored(p.location(c, conversations.SummaryMessage), text,
		history.State{Replaces: history.Range{From: 1, To: through}})
}
