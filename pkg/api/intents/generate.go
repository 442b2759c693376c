package intents

import (
	"context"
	_ "embed"
	"encoding/json"
	"net/http"
	"sync"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/intents"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/prompt"
)

//go:embed generate.md
var generateText string

// Bounds of what a model is asked for.
const (
	mostBatch    = 10 // intents in one request (S2-64)
	mostAsked    = 40 // phrases of one intent
	usualAsked   = 12
	shownKnown   = 20
	atOnce       = 3 // calls of the model
	answerTokens = 1500
)

// asked is an intent for which phrases are written.
type asked struct {
	Assistant   string `json:"assistant"`
	Name        string `json:"name"`
	Agent       string `json:"agent"`
	Description string `json:"description"`
	Count       int    `json:"count"`
}

// written is what a model wrote for an intent. Nothing of it is kept.
type written struct {
	Name    string           `json:"name"`
	Agent   string           `json:"agent"`
	Phrases []intents.Phrase `json:"phrases"`
	// Refused are the phrases that the intent may not have, with the reasons.
	Refused []refused `json:"refused"`
	Error   string    `json:"error,omitempty"` // of one of a batch
}

type refused struct {
	Phrase string `json:"phrase"`
	Reason string `json:"reason"`
}

func (h *Handler) generate(w http.ResponseWriter, r *http.Request, by identity.Caller) (any, error) {
	var req asked
	if _, err := httpx.ReadJSON(w, r, &req); err != nil {
		return nil, err
	}
	s, err := h.about(by, req.Assistant)
	if err != nil {
		return nil, err
	}
	kept, err := h.cfg.Store.Read(r.Context(), by, s.Name, "-", s.base.Threshold())
	if err != nil {
		return nil, err
	}
	return h.write(r.Context(), by, s, kept.Intents, req)
}

func (h *Handler) generateBatch(w http.ResponseWriter, r *http.Request, by identity.Caller) (any, error) {
	var req struct {
		Assistant string  `json:"assistant"`
		Intents   []asked `json:"intents"`
	}
	if _, err := httpx.ReadJSON(w, r, &req); err != nil {
		return nil, err
	}
	s, err := h.about(by, req.Assistant)
	if err != nil {
		return nil, err
	}
	if n := len(req.Intents); n == 0 || n > mostBatch {
		return nil, fault.New(fault.Unprocessable, "Phrases are written for 1 to %d intents at a time, not for %d.",
			mostBatch, n).WithCode("batch_size")
	}
	kept, err := h.cfg.Store.Read(r.Context(), by, s.Name, "-", s.base.Threshold())
	if err != nil {
		return nil, err
	}
	answer := struct {
		Intents []written `json:"intents"`
	}{make([]written, len(req.Intents))}
	var wg sync.WaitGroup
	room := make(chan struct{}, atOnce)
	for i, one := range req.Intents {
		wg.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			// One that fails does not take the others with it.
			out, err := h.write(r.Context(), by, s, kept.Intents, one)
			if err != nil {
				httpx.Note(r.Context(), err)
				out = written{Name: one.Name, Agent: one.Agent, Phrases: []intents.Phrase{}, Refused: []refused{},
					Error: fault.From(err).Message}
			}
			answer.Intents[i] = out
		})
	}
	wg.Wait()
	return answer, nil
}

// write lets the organisation's cheap model write phrases, and returns those that the
// intent may have.
func (h *Handler) write(ctx context.Context, by identity.Caller, s subject, kept []intents.Intent,
	a asked) (written, error) {
	out := written{Name: a.Name, Agent: a.Agent, Phrases: []intents.Phrase{}, Refused: []refused{}}
	if a.Count == 0 {
		a.Count = usualAsked
	}
	if a.Count < 1 || a.Count > mostAsked {
		return out, fault.New(fault.Unprocessable, "From 1 to %d phrases can be written at a time.", mostAsked).
			WithCode("count")
	}
	// The intent is checked as if it had a phrase that is surely its own.
	in := intents.Intent{Name: a.Name, Agent: a.Agent, Description: a.Description,
		Phrases: []intents.Phrase{{Text: "generate phrases for " + a.Name}}}
	in, err := intents.Check(in, s.base, nil)
	if err != nil {
		return out, err
	}
	texts, err := h.ask(ctx, by, s, in, known(kept, in.Name), a.Count)
	if err != nil {
		return out, err
	}
	seen := map[string]bool{}
	for _, text := range texts[:min(len(texts), 2*mostAsked)] {
		in.Phrases = []intents.Phrase{{Text: text, Source: intents.Generated}}
		checked, err := intents.Check(in, s.base, kept)
		if err != nil {
			out.Refused = append(out.Refused, refused{text, fault.From(err).Message})
			continue
		}
		form, _ := intents.Form(checked.Phrases[0].Text)
		if !seen[form] && len(out.Phrases) < a.Count {
			seen[form] = true
			out.Phrases = append(out.Phrases, checked.Phrases[0])
		}
	}
	if len(out.Phrases) == 0 {
		return out, fault.New(fault.Upstream, "The model wrote no phrase that the intent %q could have.", in.Name).
			WithCode("no_phrases_written")
	}
	return out, nil
}

// known returns phrases that an intent has.
func known(kept []intents.Intent, name string) (list []string) {
	for _, in := range kept {
		for _, p := range in.Phrases {
			if in.Name == name && len(list) < shownKnown {
				list = append(list, p.Text)
			}
		}
	}
	return list
}

// ask returns what the model wrote.
func (h *Handler) ask(ctx context.Context, by identity.Caller, s subject, in intents.Intent, known []string,
	count int) ([]string, error) {
	template, err := prompt.Parse("generate", generateText)
	if err != nil {
		return nil, err
	}
	text, err := template.Fill(struct {
		Assistant, Name, Agent, Description string
		Known                               []string
		Count                               int
	}{s.Title, in.Name, s.agent(in.Agent).Label, in.Description, known, count})
	if err != nil {
		return nil, err
	}
	m, err := h.cfg.Models.For(ctx, by, s.Name, llm.Cheap)
	if err != nil {
		return nil, err
	}
	warm := 0.7
	a, err := h.cfg.Meter.For(by, m).Answer(ctx, llm.Request{
		Settings: llm.Settings{Temperature: &warm, MaxTokens: answerTokens, JSON: true,
			Schema: &llm.Schema{Name: "phrases",
				JSON: json.RawMessage(`{"type":"object","properties":{"phrases":{"type":"array",` +
					`"items":{"type":"string"}}},"required":["phrases"],"additionalProperties":false}`)}},
		Messages: []llm.Message{{Role: llm.User, Text: text}},
	}, nil)
	if err != nil {
		return nil, err
	}
	var wrote struct{ Phrases []string }
	if err := json.Unmarshal([]byte(a.Text), &wrote); err != nil {
		return nil, fault.Wrap(fault.Upstream, err, "The model's answer cannot be read. Please try again.").
			WithCode("no_phrases_written")
	}
	return wrote.Phrases, nil
}
