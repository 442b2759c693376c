package chat

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/stream"
	"github.com/bellhop-ai/bellhop/pkg/users"
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
	MaxTokens           int `json:"max_tokens"` // the older name
	MaxCompletionTokens int `json:"max_completion_tokens"`
	// Bellhop holds what only this API knows; see request.
	Bellhop struct {
		ID       string   `json:"id"`
		Turn     string   `json:"turn"`
		Confirm  *confirm `json:"confirm"`
		EntityID string   `json:"entityId"`
		Agent    string   `json:"agent"`
		Pipeline string   `json:"pipeline"`
		Deep     bool     `json:"deep"`
	} `json:"bellhop"`

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

// badMember is a fault of one member of a request.
type badMember struct {
	error
	name string
}

// Unwrap returns the fault.
func (b badMember) Unwrap() error { return b.error }

func unsupported(name, why string) error {
	return badMember{fault.New(fault.Invalid, "%s", why).WithCode("unsupported_parameter"), name}
}

// check refuses what is asked for and would not come.
func (c completionRequest) check() error {
	switch {
	case c.N != nil && *c.N != 1:
		return unsupported("n", "There is one answer to a request.")
	case len(c.Tools) > 0:
		return unsupported("tools", "An assistant uses the tools of its own server; a client cannot bring any.")
	case len(c.Functions) > 0:
		return unsupported("functions", "An assistant uses the tools of its own server; a client cannot bring any.")
	case c.Logprobs:
		return unsupported("logprobs", "An answer is made by several calls of a model; there are no log "+
			"probabilities of it.")
	case c.ResponseFormat != nil && c.ResponseFormat.Type != "" && c.ResponseFormat.Type != "text":
		return unsupported("response_format", "An assistant answers in Markdown, not in a format of the client's.")
	case slices.ContainsFunc(c.Modalities, func(m string) bool { return m != "text" }):
		return unsupported("modalities", "An assistant answers in text.")
	case len(c.Stop) > 0 && !slices.Contains([]string{"null", "[]", `""`}, string(c.Stop)):
		return unsupported("stop", "An answer cannot be cut off at a text: what was done must be said.")
	case c.StreamOptions != nil && !c.Stream:
		return badMember{fault.New(fault.Invalid, `"stream_options" is for streamed answers only.`), "stream_options"}
	case c.MaxTokens < 0 || c.MaxCompletionTokens < 0:
		return badMember{fault.New(fault.Invalid, "An answer may not have fewer than no tokens."),
			"max_completion_tokens"}
	}
	return nil
}

// keyed lets f answer requests whose bearer is an API key as those of the key's
// user. Other bearers are left as they are.
func (h *Handler) keyed(f http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		key, err := httpx.Bearer(r)
		if h.cfg.Sessions == nil || err != nil || !users.IsKey(key) {
			f(w, r)
			return
		}
		token, err := h.cfg.Sessions.Token(r.Context(), identity.Secret(key))
		if err != nil {
			failCompletion(w, r, err)
			return
		}
		r.Header.Set("Authorization", "Bearer "+token.Reveal())
		f(w, r)
	}
}

// completions answers POST /api/v1/chat/completions: a turn as any other, in
// the form of OpenAI's Chat Completions. The model is the assistant's name.
func (h *Handler) completions(w http.ResponseWriter, r *http.Request) {
	t, err := h.openCompletion(w, r)
	if err != nil {
		failCompletion(w, r, err)
		return
	}
	h.serve(w, r, t, failCompletion)
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
	t.unknown = unknownModel(req.Model)
	a, ok := flow.Find(t.candidates(), req.Model)
	if !ok {
		return t.unknown
	}
	var err error
	if t.assistant, err = a.Runtime(); err != nil {
		return err
	}
	if err := req.check(); err != nil {
		return err
	}
	b := req.Bellhop
	t.as = asCompletion
	t.req = request{Messages: req.Messages, ID: b.ID, Turn: b.Turn, Confirm: b.Confirm, EntityID: b.EntityID,
		Agent: b.Agent, Pipeline: b.Pipeline, Deep: b.Deep,
		MaxTokens: cmp.Or(req.MaxCompletionTokens, req.MaxTokens)}
	if prompt := req.task(); prompt != "" {
		// It is about a conversation and no part of one, nor of an open question.
		t.assistant, t.req.ID = taskRuntime(t.assistant, prompt), "task"
	}
	if req.Stream {
		t.as = asChunks
		t.usage = req.StreamOptions != nil && req.StreamOptions.IncludeUsage
	}
	return nil
}

func unknownModel(name string) error {
	f := fault.New(fault.NotFound, "There is no model %q here. GET /api/v1/models lists those that there are.",
		shortened(name)).WithCode("model_not_found")
	return badMember{f, "model"}
}

// failCompletion refuses a request in OpenAI's form.
func failCompletion(w http.ResponseWriter, r *http.Request, err error) {
	httpx.FailAs(w, r, err, "application/json; charset=utf-8", func(f *fault.Error, _ int) any {
		name := ""
		if bad, ok := errors.AsType[badMember](err); ok {
			name = bad.name
		}
		return stream.NewAPIError(f, name, httpx.RequestID(r.Context()))
	})
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
}

// modelsSince is when there were models first, in seconds since 1970: clients
// want a time, and assistants have none.
const modelsSince = 1795219200

func modelOf(p assistants.Profile, by identity.Caller) modelObject {
	suggestions := append([]string{}, p.Suggestions...)
	if by.Role.Writes() {
		suggestions = append(suggestions, p.Changes...)
	}
	return modelObject{
		ID: p.Name, Object: "model", Created: modelsSince, OwnedBy: "bellhop",
		Bellhop: presentation{p.Title, p.Greeting, suggestions, by.Role.Writes(), p.Opening},
	}
}

// models answers GET /api/v1/models.
func (h *Handler) models(w http.ResponseWriter, r *http.Request) {
	by, err := h.caller(w, r)
	if err != nil {
		failCompletion(w, r, err)
		return
	}
	list := []modelObject{}
	for _, a := range h.assistants(by) {
		list = append(list, modelOf(a.Profile, by))
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
		failCompletion(w, r, err)
		return
	}
	httpx.JSON(w, http.StatusOK, modelOf(a.Profile, by))
}

// completion returns the encoding of an answer in OpenAI's form.
func (t *turn) completion() *stream.Completions {
	return &stream.Completions{ID: "chatcmpl-" + t.start.Turn, Model: t.assistant.Name, Created: t.h.cfg.Now(),
		Usage: t.usage}
}
