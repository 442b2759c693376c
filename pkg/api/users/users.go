// Package users has the HTTP handler with which administrators manage who
// belongs to their organisation, everybody asks who they are, and programs
// exchange an API key for a session.
package users

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/users"
)

// Config is what the function needs; all of it is required.
type Config struct {
	Service *users.Service
	// Identify returns the caller of a verified token, with the role that the
	// database knows now.
	Identify httpx.Identify
	// Verify returns the user of a token, who may be a member of nothing.
	Verify func(ctx context.Context, token string) (userID string, err error)
}

// Handler is the function's HTTP handler.
type Handler struct {
	cfg Config
	mux *http.ServeMux
}

// New returns the handler, or an error that names what is missing.
func New(cfg Config) (*Handler, error) {
	if cfg.Service == nil || cfg.Service.Keys == nil || cfg.Identify == nil || cfg.Verify == nil {
		return nil, errors.New("users: a service, identities and a verifier are all required")
	}
	h := &Handler{cfg: cfg, mux: http.NewServeMux()}
	h.mux.HandleFunc("GET /api/users", h.signedIn(h.list))
	h.mux.HandleFunc("POST /api/users", h.signedIn(h.create))
	h.mux.HandleFunc("GET /api/users/me", h.signedIn(h.me))
	h.mux.HandleFunc("GET /api/users/me/orgs", h.verified(h.orgs))
	h.mux.HandleFunc("PUT /api/users/me/org", h.verified(h.choose))
	h.mux.HandleFunc("PATCH /api/users/{id}", h.signedIn(h.change))
	h.mux.HandleFunc("DELETE /api/users/{id}", h.signedIn(h.remove))
	h.mux.HandleFunc("POST /api/users/token", h.exchange)
	h.serveNames()
	h.mux.HandleFunc("/", httpx.Otherwise(h.mux, httpx.Fail))
	return h, nil
}

// ServeHTTP answers at and below /api/users.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.mux.ServeHTTP(w, r) }

// signedIn lets f answer for the caller of the request's token. Nil is an
// answer without a body.
func (h *Handler) signedIn(f func(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any,
	error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		by, err := httpx.Caller(r, h.cfg.Identify)
		if err != nil {
			httpx.Fail(w, r, err)
			return
		}
		status, out, err := f(w, r, by)
		reply(w, r, status, out, err)
	}
}

// verified is signedIn for a caller with a valid token, a member or not. Of the
// caller only the user's id and the token are known.
func (h *Handler) verified(f func(w http.ResponseWriter, r *http.Request, who identity.Caller) (int, any,
	error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		token, err := httpx.Bearer(r)
		if err != nil {
			httpx.Fail(w, r, err)
			return
		}
		id, err := h.cfg.Verify(r.Context(), token)
		if err != nil {
			httpx.Fail(w, r, err)
			return
		}
		status, out, err := f(w, r, identity.Caller{UserID: id, Token: identity.Secret(token)})
		reply(w, r, status, out, err)
	}
}

func reply(w http.ResponseWriter, r *http.Request, status int, out any, err error) {
	switch {
	case err != nil:
		httpx.Fail(w, r, err)
	case out == nil:
		w.WriteHeader(status)
	default:
		httpx.JSON(w, status, out)
	}
}

func (h *Handler) list(_ http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	if err := users.Administers(by); err != nil {
		return 0, nil, err
	}
	all, err := h.cfg.Service.Members.List(r.Context(), by)
	if all == nil {
		all = []users.User{}
	}
	return http.StatusOK, map[string]any{"users": all}, err
}

// newUser is the body that makes a user.
type newUser struct {
	Kind          users.Kind    `json:"kind"`
	Email         string        `json:"email"`
	Name          string        `json:"name"`
	Role          identity.Role `json:"role"`
	Password      string        `json:"password"`
	ExpiresInDays *int          `json:"expiresInDays"`
}

// created is the answer to it. The key of a machine is shown here and never
// again.
type created struct {
	User   users.User `json:"user"`
	APIKey string     `json:"apiKey,omitempty"`
}

func (h *Handler) create(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	body := newUser{Kind: users.Person, Role: identity.Viewer}
	if err := read(w, r, &body); err != nil {
		return 0, nil, err
	}
	draft := users.Draft{Kind: body.Kind, Email: body.Email, Name: body.Name, Role: body.Role,
		Password: identity.Secret(body.Password)}
	if body.ExpiresInDays != nil {
		if draft.Days = *body.ExpiresInDays; draft.Days == 0 {
			draft.Days = -1 // said, and so not left out
		}
	}
	u, key, err := h.cfg.Service.Create(r.Context(), by, draft)
	return http.StatusCreated, created{u, key.Reveal()}, err
}

// newRole is the body that changes a user.
type newRole struct {
	Role *identity.Role `json:"role"`
	Name *string        `json:"name"`
}

func (h *Handler) change(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	var body newRole
	if err := read(w, r, &body); err != nil {
		return 0, nil, err
	}
	u, err := h.cfg.Service.Change(r.Context(), by, r.PathValue("id"), users.Change{Role: body.Role, Name: body.Name})
	return http.StatusOK, map[string]any{"user": u}, err
}

func (h *Handler) remove(_ http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	return http.StatusNoContent, nil, h.cfg.Service.Delete(r.Context(), by, r.PathValue("id"))
}

// self is what a caller may know of themselves.
type self struct {
	ID      string        `json:"id"`
	Name    string        `json:"name"`
	Email   string        `json:"email"` // "" for a machine
	Kind    users.Kind    `json:"kind"`
	Role    identity.Role `json:"role"`
	Admin   bool          `json:"admin"`
	Writes  bool          `json:"writes"` // may change business records
	OrgName string        `json:"orgName"`
	// Entities are what the organisation owns: properties, companies.
	Entities []entity `json:"entities"`
}

type entity struct {
	Key  string `json:"key"`
	Kind string `json:"kind"`
	Name string `json:"name"`
}

func (h *Handler) me(_ http.ResponseWriter, _ *http.Request, by identity.Caller) (int, any, error) {
	out := self{by.UserID, by.Name, by.Email, users.KindOf(by), by.Role, by.Role == identity.Admin, by.Role.Writes(),
		by.OrgName, []entity{}}
	if out.Kind == users.Machine {
		out.Email = ""
	}
	for _, e := range by.Entities {
		out.Entities = append(out.Entities, entity{e.Key, e.Kind, e.Name})
	}
	return http.StatusOK, out, nil
}

func (h *Handler) orgs(_ http.ResponseWriter, r *http.Request, who identity.Caller) (int, any, error) {
	list, err := h.cfg.Service.Members.Orgs(r.Context(), who.Token)
	return http.StatusOK, map[string]any{"orgs": list}, err
}

// choice is the body that chooses an organisation.
type choice struct {
	Org string `json:"org"`
}

func (h *Handler) choose(w http.ResponseWriter, r *http.Request, who identity.Caller) (int, any, error) {
	var body choice
	if err := read(w, r, &body); err != nil {
		return 0, nil, err
	}
	return http.StatusNoContent, nil, h.cfg.Service.Choose(r.Context(), who.UserID, who.Token, body.Org)
}

// session is named as OAuth names it, which clients of tokens expect.
type session struct {
	AccessToken string `json:"access_token"`
	TokenType   string `json:"token_type"`
	ExpiresIn   int    `json:"expires_in"` // seconds
}

func (h *Handler) exchange(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Key string `json:"key"`
	}
	if err := read(w, r, &body); err != nil {
		httpx.Fail(w, r, err)
		return
	}
	s, err := users.Exchange(r.Context(), h.cfg.Service.Keys, identity.Secret(body.Key))
	if err != nil {
		httpx.Fail(w, r, err)
		return
	}
	httpx.JSON(w, http.StatusOK, session{s.AccessToken.Reveal(), "bearer", int(s.ExpiresIn.Seconds())})
}

// read decodes a body and refuses members that mean nothing here: a misspelt
// expiry would make a key that never ends.
func read(w http.ResponseWriter, r *http.Request, into any) error {
	var whole json.RawMessage
	if _, err := httpx.ReadJSON(w, r, &whole); err != nil {
		return err
	}
	strict := json.NewDecoder(bytes.NewReader(whole))
	strict.DisallowUnknownFields()
	if err := strict.Decode(into); err != nil {
		return fault.Wrap(fault.Invalid, errors.New("the body has other members"),
			"The request's body is not the JSON that this address takes.")
	}
	return nil
}
