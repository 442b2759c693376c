// Package chat is the chat function: one turn of a conversation with an
// assistant per request. It keeps nothing between requests that it must trust.
package chat

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	v1 "github.com/bellhop-ai/bellhop/pkg/api/v1"
	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/business"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/stream"
	"github.com/bellhop-ai/bellhop/pkg/turns"
)

// Config is what the function needs; all of it is required but the switches.
type Config struct {
	Assistants []*flow.Assistant
	// Default answers at /api/chat.
	Default string
	// Model answers everybody, unless Models is set, which gives each caller
	// those of their organisation.
	Model  llm.Model
	Models llm.Models
	Keys   *history.Keys
	// Strict refuses a request whose history claims what cannot be verified,
	// instead of going on without it.
	Strict  bool
	Turns   turns.Store
	Consent *consent.Service
	// Recorder, if not nil, keeps the turns of assistants whose conversations
	// are kept, where the client names the conversation.
	Recorder Recorder
	// Identify returns the caller of a verified token, with the role that the
	// database knows now.
	Identify httpx.Identify
	// Verify returns the caller as a token says, when it is good: their UserID,
	// OrgID and Token. Opening a turn says who they are now.
	Verify httpx.Identify
	// Opener opens and closes turns.
	Opener conversations.Turns
	Now    calendar.Clock
	NewID  func() string
	// Visitors, if not nil, says who asks without a token, and ForVisitors are
	// the assistants as they see them. Without it everybody has to sign in.
	Visitors    Visitors
	ForVisitors []*flow.Assistant
	// Sessions opens a session with an API key, for clients of OpenAI's API: they
	// have one static credential. nil takes access tokens only.
	Sessions v1.Sessions
	// Files reads what people attach; nil reads nothing.
	Files Files
	// Suggestions, if not nil, has the questions that organisations let new
	// conversations offer.
	Suggestions business.Suggestions
	// Gate bounds how often people and organisations may ask.
	Gate limit.Gate
	// Meter bounds what the model may cost them.
	Meter limit.Meter
	// Leaving ends when the process must: calls of the model are cut off then,
	// and turns end with a word on it. nil never does.
	Leaving context.Context
	// Reserve is kept back of a request's time for ending well.
	Reserve time.Duration
	// Report, if not nil, is told of tools that failed, with the cause that
	// is not shown elsewhere.
	Report func(ctx context.Context, tool string, err error)
	// Ended, if not nil, hears of each turn that came to its end. It works beside the
	// storing of the turn; wait is called after that.
	Ended func(ctx context.Context, by identity.Caller, e Ended) (wait func())
}

// Ended is a turn that came to its end.
type Ended struct {
	Assistant, Thread string
	History           history.Conversation // that it answered
	Outcome           agent.Outcome
	Took              time.Duration
	// Retried says that it answers a message again that was answered before.
	Retried bool
}

// Visitors admits requests without a token. It may set headers of the answer,
// and refuses with a fault.
type Visitors interface {
	Admit(w http.ResponseWriter, r *http.Request) (identity.Caller, error)
}

// Handler is the function's HTTP handler.
type Handler struct {
	cfg  Config
	mux  *http.ServeMux
	live *live
	// journalKeys mark what turns keep of their steps.
	journalKeys turns.Seals
}

// New returns the handler, or an error that names what is missing.
func New(cfg Config) (*Handler, error) {
	h := &Handler{cfg: cfg, mux: http.NewServeMux(), live: newLive()}
	if cfg.Model == nil && cfg.Models == nil || cfg.Keys == nil || cfg.Turns == nil || cfg.Opener == nil ||
		cfg.Consent == nil ||
		cfg.Identify == nil || cfg.Verify == nil || cfg.Now == nil || cfg.NewID == nil {
		return nil, errors.New("chat: a model, keys, stores, a consent service, identities, a clock and ids are all " +
			"required")
	}
	h.cfg.Turns = turns.PerVisitor(cfg.Turns)
	var err error
	if h.journalKeys, err = cfg.Keys.Derive("steps of turns"); err != nil {
		return nil, err
	}
	for _, a := range slices.Concat(cfg.Assistants, cfg.ForVisitors) {
		if err := a.Check(); err != nil {
			return nil, err
		}
	}
	if _, ok := flow.Find(cfg.Assistants, cfg.Default); !ok {
		return nil, errors.New("chat: the default assistant " + cfg.Default + " is not one of those given")
	}
	h.mux.HandleFunc("POST /api/chat", func(w http.ResponseWriter, r *http.Request) { h.chat(w, r, cfg.Default) })
	h.mux.HandleFunc("POST /api/chat/{assistant}", func(w http.ResponseWriter, r *http.Request) {
		h.chat(w, r,
			r.PathValue("assistant"))
	})
	h.mux.HandleFunc("GET /api/chat/{assistant}/{thread}/stream", h.resume)
	h.mux.HandleFunc("POST /api/chat/{assistant}/{thread}/stop", h.stop)
	h.serveNames()
	keyed := func(f http.HandlerFunc) http.HandlerFunc { return v1.Keyed(cfg.Sessions, f) }
	h.mux.HandleFunc("POST /api/v1/chat/completions", keyed(h.completions))
	h.mux.HandleFunc("POST /api/v1/responses", keyed(h.responses))
	h.mux.HandleFunc("GET /api/v1/models", keyed(h.models))
	h.mux.HandleFunc("GET /api/v1/models/{model}", keyed(h.model))
	h.mux.HandleFunc("/api/v1/", httpx.Otherwise(h.mux, v1.Fail))
	h.mux.HandleFunc("/", httpx.Otherwise(h.mux, httpx.Fail))
	return h, nil
}

// ServeHTTP answers below /api/chat and /api/v1.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.mux.ServeHTTP(w, r) }

// assistants are those that the caller may use.
func (h *Handler) assistants(by identity.Caller) []*flow.Assistant {
	all := h.cfg.Assistants
	if by.Visitor != "" {
		all = h.cfg.ForVisitors
	}
	return assistants.Of(by, all, func(a *flow.Assistant) string { return a.Name })
}

// find returns the assistant of that name as the caller may use it.
func (h *Handler) find(by identity.Caller, name string) (*flow.Assistant, error) {
	if a, ok := flow.Find(h.assistants(by), name); ok {
		return a, nil
	}
	return nil, errUnknown(name)
}

func errUnknown(name string) error {
	return fault.New(fault.NotFound, "There is no assistant %q here.", shortened(name)).WithCode("unknown_assistant")
}

// candidates are the assistants that the caller may use as far as it is known by
// now; see turn.admit.
func (t *turn) candidates() []*flow.Assistant {
	if t.known {
		return t.h.assistants(t.by)
	}
	return t.h.cfg.Assistants
}

// asks says who asks of the assistant that the address names.
func (h *Handler) asks(w http.ResponseWriter, r *http.Request) (identity.Caller, error) {
	by, err := h.caller(w, r)
	if err == nil {
		_, err = h.find(by, r.PathValue("assistant"))
	}
	return by, err
}

// caller says who asks.
func (h *Handler) caller(w http.ResponseWriter, r *http.Request) (identity.Caller, error) {
	if h.visits(r) {
		return h.cfg.Visitors.Admit(w, r)
	}
	return httpx.Caller(r, h.cfg.Identify)
}

// visits reports whether the request is a visitor's.
func (h *Handler) visits(r *http.Request) bool {
	return h.cfg.Visitors != nil && r.Header.Get("Authorization") == ""
}

func (h *Handler) chat(w http.ResponseWriter, r *http.Request, name string) {
	t, err := h.open(w, r, name)
	if err != nil {
		httpx.Fail(w, r, err)
		return
	}
	h.serve(w, r, t, httpx.Fail)
}

// serve runs a turn that was opened, or sends its answer again. fail refuses a
// request in the form that its client reads.
func (h *Handler) serve(w http.ResponseWriter, r *http.Request, t *turn, fail func(http.ResponseWriter, *http.Request,
	error)) {
	begun, err := t.begin(r.Context())
	if err != nil {
		fail(w, r, t.refuse(r.Context(), err))
		return
	}
	if begun.Outcome == turns.Replay {
		t.replay(w, r, begun.Frames)
		return
	}
	defer t.meter.Close(r.Context())
	t.journal = turns.NewJournal(h.cfg.Turns, h.journalKeys, t.by, t.start, begun)
	if err := t.goOn(r.Context()); err != nil {
		fail(w, r, err)
		t.finish(r.Context(), nil, err)
		return
	}
	ctx, keep := r.Context(), stream.Keep{Frames: t.named}
	run := &running{assistant: t.assistant.Name, turn: t.start.Turn}
	if t.req.Resumable && t.named && t.streams() {
		var end context.CancelFunc
		ctx, end = lasting(ctx)
		defer end()
		w, keep.Feed = stream.Detach(w), stream.NewFeed()
		run.feed, run.as, run.encoding, run.end = keep.Feed, t.as, t.encoding, end
		defer context.AfterFunc(r.Context(), run.leave)()
		if t.as != asEvents {
			keep.Native, keep.Form = &stream.Encoder{Turn: t.start.Turn}, string(t.as)
		}
	}
	ctx, done := h.live.enter(ctx, liveName(t.by, t.req.ID), run)
	defer done()
	var frames []byte
	if t.streams() {
		// Of a turn without a name nothing is sent again.
		frames, err = stream.Serve(ctx, w, t.encoding(), httpx.RequestID(r.Context()), keep, t.run)
	} else if frames, err = stream.Collect(ctx, t.form(), t.run); err == nil {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		// The answer is complete and kept, whether or not it arrives.
		if _, lost := w.Write(frames); lost != nil {
			httpx.Note(r.Context(), lost)
		}
	} else {
		fail(w, r, err)
	}
	if err != nil {
		httpx.Note(r.Context(), err)
	}
	t.finish(r.Context(), frames, err)
}

// stop ends the caller's running turns of a thread between two steps. Turns of
// another process end if their client named them.
func (h *Handler) stop(w http.ResponseWriter, r *http.Request) {
	by, err := h.asks(w, r)
	if err != nil {
		httpx.Fail(w, r, err)
		return
	}
	h.live.stop(liveName(by, r.PathValue("thread")))
	if err := h.cfg.Turns.Stop(r.Context(), by, r.PathValue("thread")); err != nil {
		httpx.Fail(w, r, err)
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

// representation is the form of an answer.
type representation string

const (
	asJSON   representation = "json"
	asEvents representation = "events"
	asUI     representation = "ui" // the AI SDK's stream
	// OpenAI's Chat Completions, in one piece and in chunks.
	asCompletion representation = "completion"
	asChunks     representation = "chunks"
	// OpenAI's Responses, in one piece and as events.
	asResponse       representation = "response"
	asResponseEvents representation = "response_events"
	// The reply alone, as it comes.
	asText representation = "text"
	asAGUI representation = "agui" // the events of AG-UI
)

// markdown reports whether tables in an answer's text are Markdown, not HTML.
func (r representation) markdown() bool { return r != asJSON && r != asEvents && r != asUI }

// whole reports whether an answer is sent in one piece.
func (r representation) whole() bool { return r == asJSON || r == asCompletion || r == asResponse }

// representationOf decides: an explicit wish for JSON or plain text wins; a run of
// AG-UI gets events of AG-UI; a client that speaks in parts, which says nothing of
// what it accepts, gets parts.
func representationOf(accept string, parts, run bool) representation {
	switch {
	case strings.Contains(accept, "application/json"):
		return asJSON
	case strings.Contains(accept, "text/plain"):
		return asText
	case run:
		return asAGUI
	case parts:
		return asUI
	case strings.Contains(accept, "text/event-stream"):
		return asEvents
	}
	return asJSON
}
