package chat

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"

	v1 "github.com/bellhop-ai/bellhop/pkg/api/v1"
	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/business"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/stream"
)

// completionRequest is the body of OpenAI's Chat Completions, as far as it
// means something here. Members that only change how a model samples, or are
// notes of the client, are not read: agents have settings of their own. Those
// that promise something which would not come are refused.
type completionRequest struct {
	Model         string            `json:"model"`
	Messages      []json.RawMessage `json:"messages"`
	Stream        bool              `json:"stream"`
	StreamOptions *struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	MaxTokens           int       `json:"max_tokens"` // the older name
	MaxCompletionTokens int       `json:"max_completion_tokens"`
	Bellhop             extension `json:"bellhop"`

	N              *int              `json:"n"`
	Tools          []json.RawMessage `json:"tools"`
	Functions      []json.RawMessage `json:"functions"`
	Stop           json.RawMessage   `json:"stop"`
	Logprobs       bool              `json:"logprobs"`
	Modalities     []string          `json:"modalities"`
	ResponseFormat *struct {
		Type string `json:"type"`
	} `json:"response_format"`
}

// extension holds what only our own API knows; see request.
type extension struct {
	ID       string   `json:"id"`
	Turn     string   `json:"turn"`
	Confirm  *confirm `json:"confirm"`
	EntityID string   `json:"entityId"`
	Agent    string   `json:"agent"`
	Pipeline string   `json:"pipeline"`
	Deep     bool     `json:"deep"`
}

// The sentences of what OpenAI's API has and an assistant has not.
const (
	sayNoTools    = "An assistant uses the tools of its own server; a client cannot bring any."
	sayNoLogprobs = "An answer is made by several calls of a model; there are no log probabilities of it."
	sayNoFormat   = "An assistant answers in Markdown, not in a format of the client's."
	sayNegative   = "An answer may not have fewer than no tokens."
)

// check refuses what is asked for and would not come.
func (c completionRequest) check() error {
	switch {
	case c.N != nil && *c.N != 1:
		return v1.Unsupported("n", "There is one answer to a request.")
	case len(c.Tools) > 0:
		return v1.Unsupported("tools", sayNoTools)
	case len(c.Functions) > 0:
		return v1.Unsupported("functions", sayNoTools)
	case c.Logprobs:
		return v1.Unsupported("logprobs", sayNoLogprobs)
	case c.ResponseFormat != nil && c.ResponseFormat.Type != "" && c.ResponseFormat.Type != "text":
		return v1.Unsupported("response_format", sayNoFormat)
	case slices.ContainsFunc(c.Modalities, func(m string) bool { return m != "text" }):
		return v1.Unsupported("modalities", "An assistant answers in text.")
	case len(c.Stop) > 0 && !slices.Contains([]string{"null", "[]", `""`}, string(c.Stop)):
		return v1.Unsupported("stop", "An answer cannot be cut off at a text: what was done must be said.")
	case c.StreamOptions != nil && !c.Stream:
		return v1.Member("stream_options", fault.New(fault.Invalid, `"stream_options" is for streamed answers only.`))
	case c.MaxTokens < 0 || c.MaxCompletionTokens < 0:
		return v1.Member("max_completion_tokens", fault.New(fault.Invalid, sayNegative))
	}
	return nil
}

// completions answers POST /api/v1/chat/completions: a turn as any other, in
// the form of OpenAI's Chat Completions. The model is the assistant's name.
func (h *Handler) completions(w http.ResponseWriter, r *http.Request) {
	t, err := h.openCompletion(w, r)
	if err != nil {
		v1.Fail(w, r, err)
		return
	}
	h.serve(w, r, t, v1.Fail)
}

func (h *Handler) openCompletion(w http.ResponseWriter, r *http.Request) (*turn, error) {
	return h.enter(w, r, func(t *turn) ([]byte, error) {
		var req completionRequest
		body, err := httpx.ReadJSON(w, r, &req, httpx.List{Name: "messages", Items: &req.Messages})
		if err != nil {
			return nil, err
		}
		return body, t.take(req)
	})
}

// take fills the turn with what was asked.
func (t *turn) take(req completionRequest) error {
	if err := t.findModel(req.Model); err != nil {
		return err
	}
	if err := req.check(); err != nil {
		return err
	}
	t.as = asCompletion
	if req.Stream {
		t.as = asChunks
		t.usage = req.StreamOptions != nil && req.StreamOptions.IncludeUsage
	}
	t.takeExtension(req.Bellhop, req.Messages, cmp.Or(req.MaxCompletionTokens, req.MaxTokens))
	return nil
}

// findModel finds the assistant of that name.
func (t *turn) findModel(name string) (err error) {
	t.unknown = unknownModel(name)
	a, ok := flow.Find(t.candidates(), name)
	if !ok {
		return t.unknown
	}
	t.assistant, err = a.Runtime()
	return err
}

// takeExtension fills the request of our own API.
func (t *turn) takeExtension(b extension, messages []json.RawMessage, tokens int) {
	t.req = request{Messages: messages, ID: b.ID, Turn: b.Turn, Confirm: b.Confirm, EntityID: b.EntityID,
		Agent: b.Agent, Pipeline: b.Pipeline, Deep: b.Deep, MaxTokens: tokens}
	if prompt := t.req.task(); prompt != "" {
		// It is about a conversation and no part of one, nor of an open question.
		t.assistant, t.req.ID = taskRuntime(t.assistant, prompt), "task"
	}
}

func unknownModel(name string) error {
	f := fault.New(fault.NotFound, "There is no model %q here. GET /api/v1/models lists those that there are.",
		shortened(name)).WithCode("model_not_found")
	return v1.Member("model", f)
}

// modelObject is an assistant in the list of models.
type modelObject struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int64  `json:"created"`
	OwnedBy string `json:"owned_by"`
	// Bellhop is for clients that present the assistant, such as the page.
	Bellhop presentation `json:"bellhop"`
}

// presentation is how people meet an assistant.
type presentation struct {
	Title       string   `json:"title"`
	Greeting    string   `json:"greeting"`
	Suggestions []string `json:"suggestions"` // questions that a new conversation offers
	MayChange   bool     `json:"mayChange"`   // whether the caller may change data
	// Opening is the tool whose parts a new conversation shows.
	Opening string `json:"opening,omitempty"`
	// Projects says that each conversation is about a project.
	Projects bool `json:"projects,omitempty"`
}

// modelsSince is when there were models first, in seconds since 1970: clients
// want a time, and assistants have none.
const modelsSince = 1795219200

func modelOf(p assistants.Profile, by identity.Caller, entity string, own []business.OwnSuggestion) modelObject {
	at, _ := p.Choose(by, entity) // without such an entity, the questions are those for all
	suggestions, has := business.Offered(at, p.Name, own)
	if !has {
		suggestions = append([]string{}, p.Suggestions...)
		if by.Role.Writes() {
			suggestions = append(suggestions, p.Changes...)
		}
	}
	return modelObject{
		ID: p.Name, Object: "model", Created: modelsSince, OwnedBy: "bellhop",
		Bellhop: presentation{p.Title, p.Greeting, suggestions, by.Role.Writes(), p.Opening, p.Projects},
	}
}

// suggestions returns the organisation's own questions, none where they cannot be
// read: the assistant's are offered then.
func (h *Handler) suggestions(r *http.Request, by identity.Caller) []business.OwnSuggestion {
	if h.cfg.Suggestions == nil {
		return nil
	}
	own, err := h.cfg.Suggestions.Own(r.Context(), by)
	if err != nil && h.cfg.Report != nil {
		h.cfg.Report(r.Context(), "quick suggestions", err)
	}
	return own
}

// models answers GET /api/v1/models.
func (h *Handler) models(w http.ResponseWriter, r *http.Request) {
	by, err := h.caller(w, r)
	if err != nil {
		v1.Fail(w, r, err)
		return
	}
	list, own := []modelObject{}, h.suggestions(r, by)
	for _, a := range h.assistants(by) {
		list = append(list, modelOf(a.Profile, by, r.URL.Query().Get("entityId"), own))
	}
	httpx.JSON(w, http.StatusOK, map[string]any{"object": "list", "data": list})
}

// model answers GET /api/v1/models/{model}.
func (h *Handler) model(w http.ResponseWriter, r *http.Request) {
	by, err := h.caller(w, r)
	name := r.PathValue("model")
	a, ok := flow.Find(h.assistants(by), name)
	if err == nil && !ok {
		err = unknownModel(name)
	}
	if err != nil {
		v1.Fail(w, r, err)
		return
	}
	httpx.JSON(w, http.StatusOK, modelOf(a.Profile, by, r.URL.Query().Get("entityId"), h.suggestions(r, by)))
}

// completion returns the encoding of an answer in OpenAI's form.
func (t *turn) completion() *stream.Completions {
	return &stream.Completions{ID: "chatcmpl-" + t.start.Turn, Model: t.assistant.Name, Created: t.h.cfg.Now(),
		Usage: t.usage}
}
