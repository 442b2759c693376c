// Package export has the HTTP handler through which a conversation, or one
// table, leaves as a file. The messages come in the body, as for a turn of
// chat, or are those of a kept conversation; what the server sealed or kept
// says which replies are its own.
package export

import (
	"cmp"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/export"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// Config is what the function needs; all of it is required but kept
// conversations and the gate.
type Config struct {
	Assistants []assistants.Profile
	// Default is the assistant of a body that names none.
	Default string
	Keys    *history.Keys
	// Conversations are the kept conversations. Nil serves none.
	Conversations conversations.Store
	// FileStore keeps files for those who ask for an address instead of the file.
	// Nil keeps none.
	Files FileStore
	// Identify returns the caller of a verified token, with the role that the
	// database knows now.
	Identify httpx.Identify
	Now      calendar.Clock
	// Gate bounds how often people and organisations may export; the zero Gate
	// does not.
	Gate limit.Gate
}

// Handler is the function's HTTP handler.
type Handler struct {
	cfg Config
	mux *http.ServeMux
}

// New returns the handler, or an error that names what is missing.
func New(cfg Config) (*Handler, error) {
	if len(cfg.Assistants) == 0 || cfg.Keys == nil || cfg.Identify == nil || cfg.Now == nil {
		return nil, errors.New("export: assistants, keys, identities and a clock are all required")
	}
	h := &Handler{cfg: cfg, mux: http.NewServeMux()}
	if _, err := assistants.Find(cfg.Assistants, cfg.Default); err != nil {
		return nil, errors.New("export: the default assistant " + cfg.Default + " is not one of those given")
	}
	h.mux.HandleFunc("POST /api/export", h.conversation)
	h.mux.HandleFunc("POST /api/export-chat", h.chat)
	h.mux.HandleFunc("POST /api/export/table", h.table)
	if cfg.Conversations != nil {
		h.mux.HandleFunc("GET /api/export/{id}", h.stored)
	}
	h.mux.HandleFunc("/", httpx.Otherwise(h.mux, httpx.Fail))
	return h, nil
}

// ServeHTTP answers at and below /api/export.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.mux.ServeHTTP(w, r) }

func (h *Handler) assistant(by identity.Caller, name string) (assistants.Profile, error) {
	return assistants.FindOf(by, h.cfg.Assistants, name)
}

// admit returns the caller, and applies the rate limit.
func (h *Handler) admit(r *http.Request) (identity.Caller, error) {
	return httpx.Admit(r, h.cfg.Identify, h.cfg.Gate)
}

// file is a file that is ready to be written.
type file struct {
	by         identity.Caller
	name, kind string
	write      func(w io.Writer) error
}

func (h *Handler) conversation(w http.ResponseWriter, r *http.Request) {
	f, err := h.openConversation(w, r)
	h.send(w, r, f, err)
}

func (h *Handler) openConversation(w http.ResponseWriter, r *http.Request) (file, error) {
	by, err := h.admit(r)
	if err != nil {
		return file{}, err
	}
	name := cmp.Or(r.URL.Query().Get("format"), "md")
	format, err := documentFormat(name)
	if err != nil {
		return file{}, err
	}
	var req request
	if _, err := httpx.ReadJSON(w, r, &req); err != nil {
		return file{}, err
	}
	return h.file(by, req, name, format)
}

// file lays a conversation out as a file of the format.
func (h *Handler) file(by identity.Caller, req request, name string, format export.Format) (file, error) {
	t, err := h.read(by, req)
	if err != nil {
		return file{}, err
	}
	if err := t.doc.Check(); err != nil {
		return file{}, err
	}
	f := file{by: by, name: fileName(t.doc.Made, t.assistant.Title, t.agent) + "." + name, kind: format.Type}
	if name == "json" {
		f.kind = "application/json; charset=utf-8"
		f.write = t.writeJSON
		return f, nil
	}
	f.write = func(w io.Writer) error { return format.Write(w, t.doc) }
	return f, nil
}

// documentFormat returns a format of conversations; JSON is handled here.
func documentFormat(name string) (export.Format, error) {
	format, known := export.ForDocument(name)
	if !known && name != "json" {
		return format, fault.New(fault.Invalid,
			"The format must be md, html, json, csv, xlsx or pdf.").WithCode("unknown_format")
	}
	return format, nil
}

func (h *Handler) table(w http.ResponseWriter, r *http.Request) {
	f, err := h.openTable(w, r)
	h.send(w, r, f, err)
}

func (h *Handler) openTable(w http.ResponseWriter, r *http.Request) (file, error) {
	by, err := h.admit(r)
	if err != nil {
		return file{}, err
	}
	name := cmp.Or(r.URL.Query().Get("format"), "csv")
	format, known := export.ForTable(name)
	if !known {
		return file{}, fault.New(fault.Invalid,
			"The format of a table must be csv or xlsx.").WithCode("unknown_format")
	}
	var body tableBody
	if _, err := httpx.ReadJSON(w, r, &body); err != nil {
		return file{}, err
	}
	t := body.table()
	if len(t.Columns) == 0 {
		return file{}, fault.New(fault.Invalid, "There is no table to export: it needs columns and rows.")
	}
	if err := export.Check([]render.Table{t}); err != nil {
		return file{}, err
	}
	by, err = place(by, r.URL.Query().Get("entityId"), "")
	if err != nil {
		return file{}, err
	}
	made := h.now(by)
	return file{
		by: by, name: fileName(made, cmp.Or(slug(t.Title), "table"), "") + "." + name, kind: format.Type,
		write: func(w io.Writer) error { return format.WriteTable(w, t, made) },
	}, nil
}

// place chooses what the file is about. A caller without one exports, too.
func place(by identity.Caller, name, kind string) (identity.Caller, error) {
	chosen, ok := by.Choose(name, kind)
	if !ok && name != "" {
		return by, fault.New(fault.NotFound, "Your organisation has no such %s.", cmp.Or(kind, "place"))
	}
	return chosen, nil
}

// now is the time at the caller's place.
func (h *Handler) now(by identity.Caller) time.Time {
	zone, err := by.Entity.Location() // without an entity this is UTC
	if err != nil {
		zone = time.UTC
	}
	return h.cfg.Now().In(zone)
}

// send writes a file, or says why there is none. After its first byte nothing
// can fail but the connection.
func (h *Handler) send(w http.ResponseWriter, r *http.Request, f file, err error) {
	if err == nil && r.URL.Query().Get("link") == "1" {
		if err = h.link(w, r, f); err == nil {
			return
		}
	}
	if err != nil {
		httpx.Fail(w, r, err)
		return
	}
	out := &delayed{w: w, head: func() {
		head := w.Header()
		head.Set("Content-Type", f.kind)
		head.Set("Content-Disposition", `attachment; filename="`+f.name+`"`)
		head.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Cache-Control", "no-store")
	}}
	if err := f.write(out); err != nil {
		if !out.begun {
			httpx.Fail(w, r, err)
			return
		}
		httpx.Note(r.Context(), err)
	}
}

// delayed sends the head of the answer with its first bytes, so that a file
// that cannot be made is still answered with a problem.
type delayed struct {
	w     io.Writer
	head  func()
	begun bool
}

func (d *delayed) Write(b []byte) (int, error) {
	if !d.begun {
		d.begun = true
		d.head()
	}
	return d.w.Write(b)
}

// fileName is "bernard-reservations-agent-2026-01-15".
func fileName(made time.Time, names ...string) string {
	var parts []string
	for _, n := range names {
		if s := slug(n); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(append(parts, made.Format(time.DateOnly)), "-")
}

var unsafeInNames = regexp.MustCompile(`[^a-z0-9]+`)

// slug keeps what is safe in the name of a file everywhere.
func slug(s string) string {
	s = strings.Trim(unsafeInNames.ReplaceAllString(strings.ToLower(s), "-"), "-")
	return strings.TrimRight(s[:min(len(s), 60)], "-")
}
