package conversations

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/api/conversations/stored"
	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

const (
	maxThread = 200 // bytes of what a client calls a conversation
	maxPhase  = 80  // letters
	maxData   = 256 << 10
)

// view is a conversation without its messages.
type view struct {
	conversations.Conversation
	ExtractedData json.RawMessage `json:"extractedData"`
	Summary       *summaryView    `json:"summary"`
	SummaryState  string          `json:"summaryState"`
}

type summaryView struct {
	Text     string          `json:"text"`
	KeyFacts json.RawMessage `json:"keyFacts"`
	Through  int             `json:"through"`
	At       *time.Time      `json:"at"`
}

// viewOf shows a summary only if the server made it: for people it has no mark.
func (h *Handler) viewOf(by identity.Caller, d conversations.Detail) view {
	v := view{Conversation: d.Conversation, ExtractedData: d.ExtractedData, SummaryState: d.Summary.State}
	if l, ok := stored.Summary(h.cfg.Keys, by, d, nil); ok && l.State != nil {
		v.Summary = &summaryView{d.Summary.Text, d.Summary.KeyFacts, d.Summary.Through, d.Summary.At}
	}
	return v
}

// opened is the answer of the endpoints that get or create a conversation. Some
// clients know it as a session.
type opened struct {
	Conversation view `json:"conversation"`
	Session      view `json:"session"`
	IsNew        bool `json:"isNew"`
}

// only is a conversation as an answer of its own.
type only struct {
	Conversation view `json:"conversation"`
}

// opening is the body that asks for a conversation.
type opening struct {
	Assistant string `json:"assistant"`
	EntityID  string `json:"entityId"`
	ProjectID string `json:"projectId"`
	Title     string `json:"title"`
	ID        string `json:"id"`
}

func (h *Handler) open(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	var body opening
	if err := read(w, r, &body); err != nil {
		return 0, nil, err
	}
	out, err := h.enter(r, by, body)
	status := http.StatusOK
	if out.IsNew {
		status = http.StatusCreated
	}
	return status, out, err
}

func (h *Handler) byProject(_ http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	q := r.URL.Query()
	out, err := h.enter(r, by, opening{Assistant: q.Get("assistant"), EntityID: q.Get("entityId"),
		ProjectID: r.PathValue("projectId")})
	return http.StatusOK, out, err
}

func (h *Handler) enter(r *http.Request, by identity.Caller, o opening) (opened, error) {
	a, err := h.assistant(by, o.Assistant)
	if err != nil {
		return opened{}, err
	}
	if !a.Records {
		return opened{}, fault.New(fault.Unprocessable, "Conversations with %s are not kept.",
			a.Title).WithCode("not_recorded")
	}
	if len(o.ID) > maxThread {
		return opened{}, fault.New(fault.Unprocessable, "An id may have at most %d bytes.", maxThread)
	}
	place, err := entity(by, o.EntityID, a.EntityKind)
	if err != nil {
		return opened{}, err
	}
	if o.EntityID == "" {
		// Numbers run by place: without a choice it is the one that chat takes.
		if chosen, ok := a.Choose(by, ""); ok {
			place = chosen.Entity.ID
		}
	}
	if o.Title, err = title(o.Title); err != nil {
		return opened{}, err
	}
	d, isNew, err := h.cfg.Store.Open(r.Context(), by, conversations.Opening{
		Assistant: a.Name, Prefix: a.Prefix, EntityID: place, ProjectID: o.ProjectID, Thread: o.ID, Title: o.Title,
	})
	if err != nil {
		return opened{}, err
	}
	return opened{h.viewOf(by, d), h.viewOf(by, d), isNew}, nil
}

func (h *Handler) details(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	d, err := h.cfg.Store.Details(r.Context(), by, r.PathValue("id"))
	return h.single(w, by, d, err)
}

func (h *Handler) restore(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	d, err := h.cfg.Store.Restore(r.Context(), by, r.PathValue("id"))
	return h.single(w, by, d, err)
}

func (h *Handler) remove(_ http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	return http.StatusNoContent, nil, h.cfg.Store.Delete(r.Context(), by, r.PathValue("id"))
}

// single answers with a conversation and its version, for If-Match.
func (h *Handler) single(w http.ResponseWriter, by identity.Caller, d conversations.Detail, err error) (int, any,
	error) {
	if err != nil {
		return 0, nil, err
	}
	w.Header().Set("ETag", tag(d.Version))
	return http.StatusOK, only{h.viewOf(by, d)}, nil
}

// changes is the body that changes a conversation.
type changes struct {
	Version       int             `json:"version"`
	Title         *string         `json:"title"`
	Phase         *string         `json:"phase"`
	ExtractedData json.RawMessage `json:"extractedData"`
	Extracted     json.RawMessage `json:"extracted_data"` // as some clients call it
}

// stale is the refusal of a change to a version that is gone. It shows what is
// there now.
type stale struct {
	error
	now view
}

// Unwrap returns the refusal itself.
func (s *stale) Unwrap() error { return s.error }

// conflict is its body.
type conflict struct {
	httpx.Problem
	Conversation view `json:"conversation"`
}

// fail refuses a request.
func fail(w http.ResponseWriter, r *http.Request, err error) {
	s, ok := errors.AsType[*stale](err)
	if !ok {
		httpx.Fail(w, r, err)
		return
	}
	w.Header().Set("ETag", tag(s.now.Version))
	httpx.FailAs(w, r, s.error, httpx.MediaProblem,
		func(f *fault.Error, status int) any { return conflict{httpx.ProblemOf(r, f, status), s.now} })
}

// tag is a version as If-Match takes it.
func tag(version int) string { return strconv.Quote(strconv.Itoa(version)) }

func (h *Handler) change(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	var body changes
	if err := read(w, r, &body); err != nil {
		return 0, nil, err
	}
	version, err := versionOf(r, body)
	if err != nil {
		return 0, nil, err
	}
	c, err := body.change()
	if err != nil {
		return 0, nil, err
	}
	d, err := h.cfg.Store.Change(r.Context(), by, r.PathValue("id"), version, c)
	if err != nil && fault.From(err).Code == "changed" {
		err = &stale{err, h.viewOf(by, d)}
	}
	return h.single(w, by, d, err)
}

// versionOf returns the version that the client saw.
func versionOf(r *http.Request, body changes) (int, error) {
	version := body.Version
	if match := r.Header.Get("If-Match"); match != "" {
		n, err := strconv.Atoi(strings.Trim(strings.TrimPrefix(match, "W/"), `"`))
		if err != nil || version != 0 && version != n {
			return 0, fault.New(fault.Invalid,
				"If-Match must be the version of the conversation.").WithCode("version_required")
		}
		version = n
	}
	if version <= 0 {
		return 0, fault.New(fault.Invalid,
			"Say which version you saw, as version or in If-Match, so that nobody's change is lost.").
			WithCode("version_required")
	}
	return version, nil
}

func (b changes) change() (conversations.Change, error) {
	c := conversations.Change{Phase: b.Phase, ExtractedData: b.ExtractedData}
	if len(c.ExtractedData) == 0 {
		c.ExtractedData = b.Extracted
	}
	if string(c.ExtractedData) == "null" {
		c.ExtractedData = nil
	}
	if len(c.ExtractedData) > 0 && c.ExtractedData[0] != '{' || len(c.ExtractedData) > maxData {
		return c, fault.New(fault.Unprocessable, "Extracted data are an object of at most %d KiB.",
			maxData>>10).WithCode("bad_data")
	}
	if c.Phase != nil && utf8.RuneCountInString(*c.Phase) > maxPhase {
		return c, fault.New(fault.Unprocessable, "A phase may have at most %d letters.",
			maxPhase).WithCode("bad_phase")
	}
	if b.Title != nil {
		t, err := title(*b.Title)
		if err == nil && t == "" {
			err = fault.New(fault.Unprocessable, "A title needs a letter that can be seen.").WithCode("bad_title")
		}
		if err != nil {
			return c, err
		}
		c.Title = &t
	}
	if c.Title == nil && c.Phase == nil && len(c.ExtractedData) == 0 {
		return c, fault.New(fault.Invalid, "There is nothing to change: neither title, phase nor extractedData.")
	}
	return c, nil
}

// title is what a person chose, in one line.
func title(text string) (string, error) {
	text = conversations.Line(text)
	if utf8.RuneCountInString(text) > conversations.MaxTitle {
		return "", fault.New(fault.Unprocessable, "A title may have at most %d letters.",
			conversations.MaxTitle).WithCode("bad_title")
	}
	return text, nil
}

// persons is who takes part.
type persons struct {
	People []conversations.Person `json:"people"`
}

// invitation is the body that adds a participant.
type invitation struct {
	Email string `json:"email"`
}

func (h *Handler) people(_ http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	list, err := h.cfg.Store.People(r.Context(), by, r.PathValue("id"))
	return http.StatusOK, persons{list}, err
}

func (h *Handler) addPerson(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	var body invitation
	if err := read(w, r, &body); err != nil {
		return 0, nil, err
	}
	list, err := h.cfg.Store.Add(r.Context(), by, r.PathValue("id"), body.Email)
	return http.StatusOK, persons{list}, err
}

func (h *Handler) removePerson(_ http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	_, err := h.cfg.Store.Remove(r.Context(), by, r.PathValue("id"), r.PathValue("email"))
	return http.StatusNoContent, nil, err
}
