package intents

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/intents"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// suggested is a suggestion as administrators see it.
type suggested struct {
	intents.Suggestion
	Label string `json:"label"` // of its agent
}

func (h *Handler) suggestions(_ http.ResponseWriter, r *http.Request, by identity.Caller) (any, error) {
	s, err := h.about(by, r.URL.Query().Get("assistant"))
	if err != nil {
		return nil, err
	}
	status := intents.Status(cmp.Or(r.URL.Query().Get("status"), string(intents.Pending)))
	switch status {
	case intents.Pending, intents.Approved, intents.Rejected:
	default:
		return nil, fault.New(fault.Invalid, "The status is one of these: pending, approved, rejected.").
			WithCode("unknown_status")
	}
	all, err := h.cfg.Store.Suggestions(r.Context(), by, s.Name, status)
	if err != nil {
		return nil, err
	}
	list := make([]suggested, len(all))
	for i, one := range all {
		list[i] = suggested{one, s.agent(one.Agent).Label}
	}
	return struct {
		Suggestions []suggested `json:"suggestions"`
	}{list}, nil
}

// decision is what an administrator makes of a suggestion. What an approval leaves out
// is the suggestion's: its phrase, its agent, and the intent of the agent's name.
type decision struct {
	Assistant string `json:"assistant"`
	Decision  string `json:"decision"`
	Intent    string `json:"intent"`
	Agent     string `json:"agent"`
	Phrase    string `json:"phrase"`
}

func (h *Handler) decide(w http.ResponseWriter, r *http.Request, by identity.Caller) (any, error) {
	var req decision
	if _, err := httpx.ReadJSON(w, r, &req); err != nil {
		return nil, err
	}
	s, err := h.about(by, req.Assistant)
	if err != nil {
		return nil, err
	}
	code := strings.ToUpper(r.PathValue("code"))
	if req.Decision != "approve" && req.Decision != "reject" {
		return nil, fault.New(fault.Unprocessable, `The decision must be "approve" or "reject".`).
			WithCode("unknown_decision")
	}
	if err := readable("code", code, maxName); err != nil || strings.ContainsRune(code, 0) {
		return nil, fault.New(fault.NotFound, "There is no such suggestion.").WithCode("suggestion_not_found")
	}
	d := intents.Decision{Code: code}
	if req.Decision == "approve" {
		if d, err = h.approval(r, by, s, code, req); err != nil {
			return nil, err
		}
	}
	return h.cfg.Store.Decide(r.Context(), by, s.Name, d)
}

// approval returns the decision that adds a suggestion's phrase to an intent, if the
// intent may have it.
func (h *Handler) approval(r *http.Request, by identity.Caller, s subject, code string,
	req decision) (intents.Decision, error) {
	var none intents.Decision
	all, err := h.cfg.Store.Suggestions(r.Context(), by, s.Name, intents.Pending)
	if err != nil {
		return none, err
	}
	d := intents.Decision{Code: code, Approve: true, Intent: req.Intent, Agent: req.Agent, Phrase: req.Phrase}
	for _, one := range all {
		if one.Code == code {
			d.Agent, d.Phrase = cmp.Or(d.Agent, one.Agent), cmp.Or(d.Phrase, one.Phrase)
		}
	}
	if d.Phrase == "" || d.Agent == "" {
		// It is decided, or there is none; the store says which.
		return intents.Decision{Code: code}, nil
	}
	d.Intent = cmp.Or(d.Intent, d.Agent)
	kept, err := h.cfg.Store.Read(r.Context(), by, s.Name, "-", s.base.Threshold())
	if err != nil {
		return none, err
	}
	for _, in := range kept.Intents {
		if in.Name == d.Intent {
			d.Agent = in.Agent // the intent's agent counts
		}
	}
	in, err := intents.Check(intents.Intent{Name: d.Intent, Agent: d.Agent,
		Phrases: []intents.Phrase{{Text: d.Phrase, Source: intents.Suggested}}}, s.base, kept.Intents)
	if err != nil {
		return none, err
	}
	d.Phrase = in.Phrases[0].Text
	return d, nil
}

// days of a report, unless told.
const (
	usualDays = 30
	mostDays  = 90
)

func (h *Handler) analytics(_ http.ResponseWriter, r *http.Request, by identity.Caller) (any, error) {
	s, err := h.about(by, r.URL.Query().Get("assistant"))
	if err != nil {
		return nil, err
	}
	days := usualDays
	if v := r.URL.Query().Get("days"); v != "" {
		if days, err = strconv.Atoi(v); err != nil || days < 1 || days > mostDays {
			return nil, fault.New(fault.Invalid, "The days are a number from 1 to %d.", mostDays).WithCode("bad_days")
		}
	}
	report, err := h.cfg.Store.Report(r.Context(), by, s.Name, days, s.base.Threshold())
	if err != nil {
		return nil, err
	}
	turns, matched, right := report.Sums()
	answer := struct {
		intents.Report
		Turns     int       `json:"turns"`
		Matched   int       `json:"matched"`
		Coverage  *float64  `json:"coverage"`  // the share of Turns that was matched
		Precision *float64  `json:"precision"` // the share of Matched that was not corrected
		Threshold float64   `json:"threshold"`
		Agents    []agentOf `json:"agents"`
		// Charts are parts of the kind chart: coverage with precision, and the
		// sentences that needed a model.
		Charts []part.Part `json:"charts"`
	}{Charts: charts(report), Report: report, Turns: turns, Matched: matched, Coverage: share(matched, turns),
		Precision: share(right, matched),
		Threshold: s.base.Threshold()}
	for _, name := range s.base.Intents() {
		answer.Agents = append(answer.Agents, s.agent(name))
	}
	return answer, nil
}

func share(part, whole int) *float64 {
	if whole == 0 {
		return nil
	}
	return new(float64(part) / float64(whole))
}
