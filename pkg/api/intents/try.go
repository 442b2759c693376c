package intents

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/intent"
	"github.com/bellhop-ai/bellhop/pkg/intents"
)

// maxSentence bounds a sentence that is tried, in letters.
const maxSentence = 20_000

// scored is an intent with a score from 0 to 1.
type scored struct {
	agentOf
	Score float64 `json:"score"`
}

// literal is the score of S2-17, by comparing texts alone.
type literal struct {
	Intent    *agentOf `json:"intent"`
	Score     float64  `json:"score"`
	Threshold float64  `json:"threshold"`
	Accepted  bool     `json:"accepted"`
}

// found is an entity of a sentence.
type found struct {
	Kind intent.EntityKind `json:"kind"`
	Text string            `json:"text"`
	From string            `json:"from,omitempty"` // first day of a date
	To   string            `json:"to,omitempty"`   // the day after its last one
	// OrFrom and OrTo are a date's other meaning.
	OrFrom string `json:"orFrom,omitempty"`
	OrTo   string `json:"orTo,omitempty"`
	Amount string `json:"amount,omitempty"`
}

// tried is what a sentence comes to, as the first of a conversation.
type tried struct {
	Text        string        `json:"text"` // what was read of it
	Form        string        `json:"form"` // as it is compared
	Accepted    bool          `json:"accepted"`
	Reason      intent.Reason `json:"reason"`
	Intent      *agentOf      `json:"intent"` // the likeliest; null for none
	Own         string        `json:"own"`    // the organisation's intent that has it as a phrase
	Confidence  float64       `json:"confidence"`
	Threshold   float64       `json:"threshold"` // of the intent
	Literal     literal       `json:"literal"`
	Nearest     float64       `json:"nearest"`   // cosine of the likeliest intent's nearest phrase
	Votes       float64       `json:"votes"`     // its share of the ten nearest phrases
	Neighbour   *scored       `json:"neighbour"` // the intent of the one nearest phrase
	Best        []scored      `json:"best"`
	Entities    []found       `json:"entities"`
	WouldHappen string        `json:"wouldHappen"` // for people
}

func (h *Handler) try(w http.ResponseWriter, r *http.Request, by identity.Caller) (any, error) {
	var req struct {
		Assistant string `json:"assistant"`
		Text      string `json:"text"`
	}
	if _, err := httpx.ReadJSON(w, r, &req); err != nil {
		return nil, err
	}
	s, err := h.about(by, req.Assistant)
	if err != nil {
		return nil, err
	}
	if err := readable("sentence", req.Text, maxSentence); err != nil {
		return nil, err
	}
	kept, err := h.cfg.Store.Read(r.Context(), by, s.Name, "-", s.base.Threshold())
	if err != nil {
		return nil, err
	}
	zone, err := by.Entity.Location()
	if err != nil {
		zone = time.UTC
	}
	return s.tried(intents.NewMatcher(s.base, kept), req.Text, calendar.Today(h.cfg.Now(), zone)), nil
}

// shownText bounds how much of a sentence comes back, in bytes.
const shownText = 600

func (s subject) tried(m *intents.Matcher, text string, today calendar.Date) tried {
	result := m.Match(text)
	t := tried{Text: text, Form: intent.Comparable(text), Accepted: result.Accepted, Reason: result.Reason,
		Intent: s.named(m, result.Intent), Confidence: result.Confidence,
		Threshold: m.Threshold(m.Name(result.Intent)),
		Nearest:   result.Nearest, Votes: result.Votes, Best: []scored{}, Entities: []found{},
		Literal: literal{s.named(m, result.LiteralIntent), result.Literal, intent.LiteralThreshold,
			result.Literal >= intent.LiteralThreshold}}
	if len(text) > shownText {
		t.Text = strings.ToValidUTF8(text[:shownText], "") + "…"
	}
	if result.Reason == intent.Exact {
		t.Own = m.Own(text)
	}
	if a := s.named(m, result.Neighbour.Intent); a != nil {
		t.Neighbour = &scored{*a, result.Neighbour.Share}
	}
	for _, c := range result.Best {
		if a := s.named(m, c.Intent); a != nil {
			t.Best = append(t.Best, scored{*a, c.Share})
		}
	}
	for _, e := range intent.Entities(text, today) {
		f := found{Kind: e.Kind, Text: e.Text}
		switch e.Kind {
		case intent.DateEntity:
			f.From, f.To = e.Days.From.String(), e.Days.To.String()
			if e.Or != (calendar.Range{}) {
				f.OrFrom, f.OrTo = e.Or.From.String(), e.Or.To.String()
			}
		case intent.AmountEntity:
			f.Amount = e.Amount.String()
		}
		t.Entities = append(t.Entities, f)
	}
	t.WouldHappen = t.says()
	return t
}

// named returns an agent by its index in the model; nil for -1.
func (s subject) named(m *intents.Matcher, i int) *agentOf {
	if i < 0 {
		return nil
	}
	return new(s.agent(m.Name(i)))
}

// says tells people what would become of the sentence.
func (t tried) says() string {
	switch {
	case t.Accepted && t.Reason == intent.Exact:
		return fmt.Sprintf("It is a phrase: %s answers, without a router call.", t.Intent.Label)
	case t.Accepted:
		return fmt.Sprintf("%s answers, without a router call: %.1f %% of such sentences were right.", t.Intent.Label,
			100*t.Confidence)
	case t.Reason == intent.Empty:
		return "There is no word in it. The router's model is asked."
	case t.Reason == intent.TooLong:
		return "It is longer than a single wish. The router's model is asked."
	case t.Intent != nil && t.Reason == intent.Suspended:
		return fmt.Sprintf("%s is likeliest, with %.1f %%, but the router's model chose otherwise too often for such "+
			"sentences. It is asked until newer turns show better.", t.Intent.Label, 100*t.Confidence)
	case t.Intent != nil && t.Threshold >= 1:
		return fmt.Sprintf("%s is likeliest, and is matched by whole phrases alone for now. The router's model is "+
			"asked.",
			t.Intent.Label)
	case t.Intent != nil:
		return fmt.Sprintf("%s is likeliest, with %.1f %% where %.1f %% are needed. The router's model is asked.",
			t.Intent.Label, 100*t.Confidence, 100*t.Threshold)
	}
	return "The router's model is asked."
}
