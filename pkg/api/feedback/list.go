package feedback

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/csv"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/feedback"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Bounds of a list.
const (
	usualPage = 50
	largest   = 200  // entries of a page
	maxFile   = 5000 // entries of a file
	maxFilter = 200  // letters of a filter
)

// entry is an entry as people see it.
type entry struct {
	At         string         `json:"at"`
	AnsweredAt time.Time      `json:"answeredAt"`
	Person     person         `json:"person"`
	Assistant  string         `json:"assistant"`
	Agent      string         `json:"agent"`
	Label      string         `json:"label"`
	Source     string         `json:"source"`
	Rating     *string        `json:"rating"`
	Reason     *string        `json:"reason"`
	Comment    *string        `json:"comment"`
	Signal     *string        `json:"signal"`
	Weight     int            `json:"weight"`
	Question   string         `json:"question"`
	Answer     string         `json:"answer"`
	Tools      []feedback.Use `json:"tools"`
	Path       *string        `json:"path"`
	Model      *string        `json:"model"`
}

type person struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}

// count is what was said and noticed of one agent's answers.
type count struct {
	feedback.Count
	Label string `json:"label"`
}

type totals struct {
	Up       int     `json:"up"`
	Down     int     `json:"down"`
	Rephrase int     `json:"rephrase"`
	FollowUp int     `json:"followUp"`
	Action   int     `json:"action"`
	Score    int     `json:"score"`
	Agents   []count `json:"agents"`
}

func (h *Handler) list(w http.ResponseWriter, r *http.Request) {
	by, err := h.admit(r)
	if err != nil {
		httpx.Fail(w, r, err)
		return
	}
	by, _ = by.Choose("", "") // a caller without a place counts days in UTC
	zone, err := by.Entity.Location()
	if err != nil {
		zone = time.UTC
	}
	f, err := filter(r.URL.Query(), zone)
	if err != nil {
		httpx.Fail(w, r, err)
		return
	}
	w.Header().Add("Vary", "Accept")
	if strings.Contains(r.Header.Get("Accept"), "text/csv") {
		h.file(w, r, by, f, zone)
		return
	}
	page, err := h.cfg.Store.List(r.Context(), by, f)
	if err != nil {
		httpx.Fail(w, r, err)
		return
	}
	answer := struct {
		Feedback []entry `json:"feedback"`
		Next     *string `json:"next"`
		Totals   *totals `json:"totals,omitempty"` // of the first page only
	}{Feedback: make([]entry, len(page.Entries))}
	for i, e := range page.Entries {
		answer.Feedback[i] = h.shown(e, zone)
	}
	if page.More {
		answer.Next = new(formatCursor(page.Entries[len(page.Entries)-1].Cursor()))
	}
	if f.After == (feedback.Cursor{}) {
		answer.Totals = h.sum(page.Counts)
	}
	httpx.JSON(w, http.StatusOK, answer)
}

// filter reads the query. Days are those of the zone, both included.
func filter(q url.Values, zone *time.Location) (feedback.Filter, error) {
	f := feedback.Filter{
		Rating: q.Get("rating"), Reason: q.Get("reason"), Source: q.Get("source"), Signal: q.Get("signal"),
		Assistant: q.Get("assistant"),
		Agent:     q.Get("agent"), User: strings.TrimSpace(q.Get("user")), Text: strings.TrimSpace(q.Get("text")),
		Limit: usualPage,
	}
	for name, known := range map[string][]string{
		"rating": {string(feedback.Up), string(feedback.Down)}, "reason": feedback.Reasons(),
		"source": {feedback.Explicit, feedback.Implicit},
		"signal": {string(feedback.Rephrase), string(feedback.FollowUp), string(feedback.Action)},
	} {
		if v := q.Get(name); v != "" && !slices.Contains(known, v) {
			return f, fault.New(fault.Invalid, "The %s must be one of these: %s.", name,
				strings.Join(known, ", ")).WithCode("unknown_" + name)
		}
	}
	for _, name := range []string{"assistant", "agent", "user", "text"} {
		if v := q.Get(name); utf8.RuneCountInString(v) > maxFilter || !utf8.ValidString(v) ||
			strings.Contains(v, "\x00") {
			return f, fault.New(fault.Invalid, "The filter %q may have at most %d letters.", name, maxFilter)
		}
	}
	if v := q.Get("limit"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 || n > largest {
			return f, fault.New(fault.Invalid, "The limit must be a number from 1 to %d.", largest)
		}
		f.Limit = n
	}
	for name, day := range map[string]struct {
		into *time.Time
		more int
	}{"from": {&f.From, 0}, "to": {&f.Before, 1}} {
		v := q.Get(name)
		if v == "" {
			continue
		}
		d, err := calendar.Parse(v)
		if err != nil {
			return f, fault.New(fault.Invalid, "The day %q must be written like 2026-11-21.", name)
		}
		d = d.AddDays(day.more)
		*day.into = time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, zone)
	}
	if v := q.Get("cursor"); v != "" {
		at, err := parseCursor(v)
		if err != nil {
			return f, err
		}
		f.After = at
	}
	return f, nil
}

// A cursor names the last entry of a page. It is no secret, and of no use to
// anybody who may not see what follows.
func formatCursor(p feedback.Cursor) string {
	return base64.RawURLEncoding.EncodeToString([]byte(p.At + " " + p.ID))
}

var idShape = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

func parseCursor(cursor string) (feedback.Cursor, error) {
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	at, id, _ := strings.Cut(string(raw), " ")
	if _, bad := time.Parse(time.RFC3339Nano, at); err != nil || bad != nil || !idShape.MatchString(id) {
		return feedback.Cursor{}, fault.New(fault.Invalid,
			"This cursor is none of ours. Please begin with the first page.").WithCode("bad_cursor")
	}
	return feedback.Cursor{At: at, ID: id}, nil
}

func (h *Handler) shown(e feedback.Entry, zone *time.Location) entry {
	return entry{
		At: local(e.At, zone).Format(time.RFC3339), AnsweredAt: e.AnsweredAt.In(zone), Person: person{e.Name, e.Email},
		Assistant: e.Assistant, Agent: e.Agent, Label: h.label(e.Assistant, e.Agent), Source: e.Source,
		Rating: said(string(e.Rating)), Reason: said(e.Reason), Comment: said(e.Comment),
		Signal: said(string(e.Signal)), Weight: e.Weight,
		Question: e.Question, Answer: e.Answer, Tools: e.Tools, Path: said(e.Path), Model: said(e.Model),
	}
}

func local(at string, zone *time.Location) time.Time {
	t, _ := time.Parse(time.RFC3339Nano, at) // the database writes no other form
	return t.In(zone)
}

// said is null where nothing was.
func said(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// label is what people call an agent. One that is gone keeps its name.
func (h *Handler) label(assistant, agent string) string {
	for _, a := range h.cfg.Assistants {
		if a.Name != assistant {
			continue
		}
		if agent == "" {
			return a.Title
		}
		if label, ok := a.Label(agent); ok {
			return cmp.Or(label, agent)
		}
	}
	return cmp.Or(agent, assistant)
}

func (h *Handler) sum(counts []feedback.Count) *totals {
	t := &totals{Agents: make([]count, len(counts))}
	for i, c := range counts {
		t.Up, t.Down, t.Rephrase, t.FollowUp, t.Action, t.Score = t.Up+c.Up, t.Down+c.Down, t.Rephrase+c.Rephrase,
			t.FollowUp+c.FollowUp, t.Action+c.Action, t.Score+c.Score
		t.Agents[i] = count{c, h.label(c.Assistant, c.Agent)}
	}
	return t
}

// file writes all that the filter leaves. It is complete before its first byte
// is sent, so a file never ends in the middle.
func (h *Handler) file(w http.ResponseWriter, r *http.Request, by identity.Caller, f feedback.Filter,
	zone *time.Location) {
	f.Limit, f.After = largest, feedback.Cursor{}
	var body bytes.Buffer
	out := csv.New(&body, 0)
	out.Text("When", "Person", "E-mail", "Assistant", "Agent", "Source", "Rating", "Reason", "Comment", "Signal",
		"Weight", "Question", "Answer", "Tools", "Path", "Model")
	for written, more := 0, true; more; {
		page, err := h.cfg.Store.List(r.Context(), by, f)
		if written += len(page.Entries); err == nil && written > maxFile {
			e := fault.New(fault.TooLarge, "A file holds at most %d entries. Please choose fewer days.", maxFile)
			e.Limit, err = "feedback_entries", e
		}
		if err != nil {
			httpx.Fail(w, r, err)
			return
		}
		for _, e := range page.Entries {
			h.record(out, e, zone)
			f.After = e.Cursor()
		}
		more = page.More
	}
	_ = out.Flush() // to memory
	head := w.Header()
	head.Set("Content-Type", "text/csv; charset=utf-8")
	head.Set("Content-Disposition", `attachment; filename="feedback-`+h.cfg.Now().In(zone).Format(time.DateOnly)+
		`.csv"`)
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Cache-Control", "no-store")
	if _, err := w.Write(body.Bytes()); err != nil {
		httpx.Note(r.Context(), err)
	}
}

func (h *Handler) record(out csv.Writer, e feedback.Entry, zone *time.Location) {
	var tools []string
	for _, t := range e.Tools {
		name := t.Name
		if !t.OK {
			name += " (failed)"
		}
		tools = append(tools, name)
	}
	fields := []string{local(e.At, zone).Format("2006-01-02 15:04")}
	for _, text := range []string{e.Name, e.Email, e.Assistant, h.label(e.Assistant, e.Agent), e.Source,
		string(e.Rating), e.Reason, e.Comment, string(e.Signal)} {
		fields = append(fields, csv.Field(text))
	}
	fields = append(fields, strconv.Itoa(e.Weight)) // a figure, which may be below zero
	for _, text := range []string{e.Question, e.Answer, strings.Join(tools, ", "), e.Path, e.Model} {
		fields = append(fields, csv.Field(text))
	}
	out.Record(fields)
}
