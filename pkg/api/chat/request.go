package chat

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/agent"
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

// request is the body of a chat call, in all its dialects.
type request struct {
	Messages []json.RawMessage `json:"messages"`
	Message  json.RawMessage   `json:"message"` // only the last one, as some clients send
	Query    string            `json:"query"`   // the finance front end's
	Earlier  []json.RawMessage `json:"conversationHistory"`
	ID       string            `json:"id"`
	Session  string            `json:"sessionId"`      // the id, as the portfolio front end calls it
	Talk     string            `json:"conversationId"` // the id, as the finance front end calls it
	Project  string            `json:"projectId"`      // what a recorded conversation is about
	Turn     string            `json:"turn"`
	Confirm  *confirm          `json:"confirm"`
	EntityID string            `json:"entityId"`
	Agent    string            `json:"agent"`
	Pipeline string            `json:"pipeline"` // a way of working that the assistant offers
	Deep     bool              `json:"deep"`
	// Run asks for one call of a tool in the place of an answer: a card whose arguments
	// the person changed.
	Run *rerun `json:"run"`
	// Location is where the person is now, given for this request alone: it is not kept.
	Location *struct {
		Lat float64 `json:"lat"`
		Lon float64 `json:"lon"`
	} `json:"location"`
	// MaxTokens lowers the length of the model's answers; 0 leaves it.
	MaxTokens int    `json:"maxTokens"`
	Trigger   string `json:"trigger"` // the AI SDK's: submit-message or regenerate-message
	// Resumable lets a streamed turn that has a name run on when its reader leaves, and
	// be read again; see Handler.resume.
	Resumable bool `json:"resumable"`
	// SDK is the AI SDK's major version; 0 means one that is not named below.
	SDK int `json:"sdk"`
	// MessageID names the message that is sent anew, edited, or answered anew.
	MessageID string `json:"messageId"`
	// AG-UI's names of a conversation and a turn. Resume and Props are undecoded: one
	// of another form must not make the rest unreadable.
	ThreadID   string          `json:"threadId"`
	RunID      string          `json:"runId"`
	Resume     json.RawMessage `json:"resume"`
	Props      json.RawMessage `json:"forwardedProps"`
	unanswered string          // the call of a tool without a result, in a run of AG-UI
}

// confirm answers a proposal without words.
type confirm struct {
	ID       string `json:"id"`
	Decision string `json:"decision"`
	Phrase   string `json:"phrase"`
}

const (
	approve = "approve"
	reject  = "reject"
	maxName = 200 // bytes of an id, a turn or an agent that a client chooses
	// leaseMargin is how long a turn's claim outlives the time of its request.
	leaseMargin = 5 * time.Second
	noDeadline  = 5 * time.Minute
)

// lastWithoutApprovals is the last version of the AI SDK whose stream has no
// approval requests.
const lastWithoutApprovals = 5

// turnShape is what a turn may be called: its name travels in headers.
var turnShape = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,200}$`)

// turn is one request on its way through the function.
type turn struct {
	h         *Handler
	assistant *flow.Runtime
	by        identity.Caller
	req       request
	decoded   history.Decoded
	scope     history.Scope
	sent      history.Conversation // as the client has it
	conv      history.Conversation // what is gone by: the same, or what was kept of it
	as        representation
	usage     bool  // a stream of chunks ends with the tokens
	named     bool  // the client named the turn, so it may be sent again
	unknown   error // what is said of an assistant that the organisation does not have
	known     bool  // by is as the database knows the caller, and not only as their token says
	requestID string
	began     time.Time
	start     turns.Start
	journal   *turns.Journal
	meter     *limit.TurnMeter
	done      agent.Outcome           // of a turn that came to its end
	recorded  *conversations.Recorded // where the turn is kept; nil when it is not
	unstored  *conversations.Answer   // what is to be kept there, until it is
	shorter   history.Shorter         // the summary that this turn made; the zero one for none
	cut       bool                    // such a summary was due and could not be made
	closed    bool                    // the store has answer and end
	looking   sync.Mutex              // several runs ask whether to stop
	looked    time.Time               // when the store was last asked whether it is stopped
}

// open reads and checks a request. Whatever is wrong is said here, before the
// first byte of an answer.
func (h *Handler) open(w http.ResponseWriter, r *http.Request, name string) (*turn, error) {
	return h.enter(w, r, func(t *turn) ([]byte, error) { return t.read(w, r, name) })
}

// read reads a request to the assistant of that name.
func (t *turn) read(w http.ResponseWriter, r *http.Request, name string) (body []byte, err error) {
	t.unknown = errUnknown(name)
	a, ok := flow.Find(t.candidates(), name)
	if !ok {
		return nil, t.unknown
	}
	if t.assistant, err = a.Runtime(); err != nil {
		return nil, err
	}
	return httpx.ReadJSON(w, r, &t.req, httpx.List{Name: "messages", Items: &t.req.Messages},
		httpx.List{Name: "conversationHistory", Items: &t.req.Earlier})
}

// enter admits callers with a valid token, reads the request with read, and
// checks what can be checked without the database.
func (h *Handler) enter(w http.ResponseWriter, r *http.Request, read func(*turn) ([]byte, error)) (*turn, error) {
	t := &turn{h: h, requestID: httpx.RequestID(r.Context()), began: h.cfg.Now()}
	var err error
	if h.visits(r) {
		t.by, err = h.cfg.Visitors.Admit(w, r)
		t.known = true // and counted
	} else {
		t.by, err = httpx.Caller(r, h.cfg.Verify)
	}
	if err != nil {
		return nil, err
	}
	body, err := read(t)
	if err == nil {
		err = t.prepare(r, body)
	}
	if err != nil {
		return nil, t.refuse(r.Context(), err)
	}
	return t, nil
}

// prepare checks what was read, and believes of it what can be believed.
func (t *turn) prepare(r *http.Request, body []byte) error {
	t.req.ID = cmp.Or(t.req.ID, t.req.Session, t.req.Talk)
	if t.req.isRun() {
		t.req.takeRun()
	}
	if err := t.check(); err != nil {
		return err
	}
	if t.known {
		if err := t.choose(); err != nil {
			return err
		}
	}
	var err error
	raw := t.req.messages()
	// They are read now, and a stream may be long.
	t.req.Messages, t.req.Message, t.req.Earlier = nil, nil, nil
	if t.decoded, err = history.Decode(raw); err != nil {
		return err
	}
	if t.as == "" {
		t.as = representationOf(r.Header.Get("Accept"), t.decoded.Parts, t.req.isRun())
	}
	if err := t.takeAnswer(); err != nil {
		return err
	}
	if err := t.believe(); err != nil {
		return err
	}
	return t.name(r, body)
}

// choose decides on the entity that the turn is about.
func (t *turn) choose() error {
	a := t.assistant
	var ok bool
	if t.by, ok = a.Choose(t.by, t.req.EntityID); ok {
		return nil
	}
	if t.req.EntityID == "" {
		return fault.New(fault.Forbidden, "Your organisation has no %s that %s could work for.", a.EntityKind, a.Title)
	}
	return fault.New(fault.NotFound, "Your organisation has no such %s.", a.EntityKind)
}

// believe opens the seals of the history.
func (t *turn) believe() error {
	t.scope = history.Scope{Tenant: t.by.OrgID, User: t.by.Subject(), Thread: t.req.ID, Assistant: t.assistant.Name}
	t.sent = t.h.cfg.Keys.Open(t.scope, t.decoded.Messages)
	t.conv = t.sent
	if t.approvesAlone() {
		return nil // decided when what was kept is known
	}
	return t.believed()
}

// believed refuses a conversation with anything unverified where the
// configuration is strict.
func (t *turn) believed() error {
	if _, reasons := t.conv.Doubts(); t.h.cfg.Strict && len(reasons) > 0 {
		return fault.New(fault.Unprocessable,
			"Parts of this conversation could not be verified (%s). Please start a new one.",
			strings.Join(reasons, ", ")).
			WithCode(stream.Unverified)
	}
	return nil
}

func (t *turn) check() error {
	for what, text := range map[string]string{"id": t.req.ID, "turn": t.req.Turn, "agent": t.req.Agent,
		"entityId": t.req.EntityID, "pipeline": t.req.Pipeline, "runId": t.req.RunID} {
		if len(text) > maxName {
			return fault.New(fault.Unprocessable, "The member %q is longer than %d bytes.", what, maxName)
		}
	}
	if t.req.Turn != "" && !turnShape.MatchString(t.req.Turn) {
		return fault.New(fault.Unprocessable, `The member "turn" may hold letters, digits and . _ : - only.`)
	}
	if t.req.MaxTokens < 0 {
		return fault.New(fault.Unprocessable, `The member "maxTokens" may not be below 0.`)
	}
	if r := t.req.Run; r != nil && (r.Tool == "" || len(r.Tool) > maxName) {
		return fault.New(fault.Unprocessable, `The member "run" names a tool and its arguments.`)
	}
	if l := t.req.Location; l != nil && (math.Abs(l.Lat) > 90 || math.Abs(l.Lon) > 180) {
		return fault.New(fault.Unprocessable, `The member "location" has lat from -90 to 90 and lon from -180 to 180.`)
	}
	if !t.assistant.Offers(t.req.Pipeline, t.req.Deep) {
		return fault.New(fault.Unprocessable,
			`%s does not offer this way of working: leave out "pipeline" and "deep", or choose one that it has.`,
			t.assistant.Title).
			WithCode("override_refused")
	}
	if t.req.Agent != "" {
		if _, ok := t.assistant.Agent(t.req.Agent); !ok {
			return fault.New(fault.Invalid, "There is no agent %q.", t.req.Agent)
		}
	}
	if c := t.req.Confirm; c != nil && (c.ID == "" || c.Decision != approve && c.Decision != reject) {
		return fault.New(fault.Invalid, `"confirm" needs an id and the decision "approve" or "reject".`)
	}
	return nil
}

// messages returns the list of messages of whatever dialect was sent.
func (r request) messages() []json.RawMessage {
	list := r.Messages
	if r.Query != "" {
		last, err := json.Marshal(map[string]string{"role": "user", "content": r.Query})
		if err == nil {
			list = append(r.Earlier[:len(r.Earlier):len(r.Earlier)], last)
		}
	}
	if len(list) == 0 && len(r.Message) > 0 {
		list = []json.RawMessage{r.Message}
	}
	return list
}

// takeAnswer makes sure that there is something to answer.
func (t *turn) takeAnswer() error {
	if a := t.decoded.Approval; a != nil && t.req.Confirm == nil {
		t.req.Confirm = &confirm{ID: a.ID, Decision: reject, Phrase: a.Phrase}
		if a.Approved {
			t.req.Confirm.Decision = approve
		}
	}
	if t.req.Confirm != nil {
		return nil
	}
	if n := len(t.decoded.Messages); n > 0 {
		if last := t.decoded.Messages[n-1]; last.Role == llm.User && (last.Text != "" || len(last.Files) > 0) {
			return nil
		}
	}
	return fault.New(fault.Invalid, "There is nothing to answer: the last message must be the person's and not empty.")
}

// name gives the turn its name and its lease. Without time there is no turn.
func (t *turn) name(r *http.Request, body []byte) error {
	name := t.req.Turn
	if key := r.Header.Get("Idempotency-Key"); name == "" && turnShape.MatchString(key) {
		name = key
	}
	name = cmp.Or(name, t.derivedName(body))
	t.named = name != ""
	if !t.named {
		name = t.h.cfg.NewID()
	}
	lease := noDeadline
	if deadline, ok := r.Context().Deadline(); ok {
		lease = time.Until(deadline)
	}
	if lease <= 0 {
		return fault.New(fault.Timeout, "There was no time left to begin. Please send that again.").
			WithCode("no_time_left").WithRetryAfter(time.Second)
	}
	t.looked = t.h.cfg.Now()
	t.start = turns.Start{
		Turn: name, Assistant: t.assistant.Name, Thread: t.req.ID, Lease: lease + leaseMargin,
		Fingerprint: turns.Fingerprint(t.by, r.URL.Path, string(t.as), body),
	}
	if t.named {
		t.start.Attempt = t.h.cfg.NewID()
	}
	return nil
}

// derivedName names the turn of a UI client, which names messages and no turns:
// after its last message and the whole body, so that the same request again is
// the same turn, and a message that was edited is another. A client that asks to
// regenerate wants a new answer each time.
func (t *turn) derivedName(body []byte) string {
	n := len(t.decoded.Messages)
	if !t.decoded.Parts || n == 0 || t.req.Trigger != "submit-message" || len(t.decoded.Messages[n-1].ID) > 150 ||
		!turnShape.MatchString(t.decoded.Messages[n-1].ID) {
		return ""
	}
	sum := sha256.Sum256(body)
	return shortened(t.decoded.Messages[n-1].ID) + ":" + hex.EncodeToString(sum[:8])
}

// streams reports whether the answer is sent piece by piece.
func (t *turn) streams() bool { return !t.as.whole() }

// form returns the form of an answer that is sent in one piece; nil is our own.
func (t *turn) form() func(stream.Answer) any {
	switch t.as {
	case asCompletion:
		return func(a stream.Answer) any { return t.completion().Whole(a) }
	case asResponse:
		return func(a stream.Answer) any { return t.response().Whole(a) }
	}
	return nil
}

// encoding returns the encoding of the answer's stream.
func (t *turn) encoding() stream.Encoding {
	switch t.as {
	case asEvents:
		return &stream.Encoder{Turn: t.start.Turn}
	case asChunks:
		return t.completion()
	case asResponseEvents:
		return t.response()
	case asText:
		return &stream.Text{}
	case asAGUI:
		return t.agui()
	}
	var continued *stream.Continued
	if a := t.decoded.Approval; a != nil {
		continued = &stream.Continued{MessageID: a.MessageID, CallID: a.CallID, Approved: a.Approved}
	}
	ui := stream.NewUI(t.start.Turn, t.req.ID, continued)
	ui.NoApprovals = t.req.SDK == lastWithoutApprovals
	return ui
}

// replay sends what an earlier attempt answered.
func (t *turn) replay(w http.ResponseWriter, r *http.Request, frames string) {
	var err error
	if t.streams() {
		frames, _, _ = stream.Split(frames)
		if t.as == asEvents {
			frames = stream.After(frames, r.Header.Get("Last-Event-ID"))
		}
		err = stream.Replay(w, t.encoding(), frames)
	} else {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Idempotent-Replayed", "true")
		_, err = w.Write([]byte(frames))
	}
	if err != nil {
		httpx.Note(r.Context(), err)
	}
}

func shortened(s string) string {
	if len(s) > maxName {
		return s[:maxName]
	}
	return s
}
