package users

import (
	"cmp"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/users"
)

// serveNames answers at the names that the finance front end knows.
func (h *Handler) serveNames() {
	h.mux.HandleFunc("POST /api/create-user", h.signedIn(h.createNamed))
	h.mux.HandleFunc("POST /api/delete-user", h.signedIn(h.removeNamed))
	h.mux.HandleFunc("DELETE /api/delete-user", h.signedIn(h.removeNamed))
	h.mux.HandleFunc("GET /api/check-super-admin", h.signedIn(h.checkAdmin))
	h.mux.HandleFunc("POST /api/check-super-admin", h.signedIn(h.checkAdmin))
}

// namedUser is a person as the finance front end sends one.
type namedUser struct {
	ID       string `json:"userId"`
	Email    string `json:"email"`
	Name     string `json:"fullName"`
	Short    string `json:"name"`
	Role     string `json:"role"` // admin, manager or viewer; "user", as the source says, is a viewer
	Password string `json:"password"`
}

func (h *Handler) createNamed(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	var body namedUser
	if _, err := httpx.ReadJSON(w, r, &body); err != nil {
		return 0, nil, err
	}
	if body.Role == "" || body.Role == "user" {
		body.Role = string(identity.Viewer)
	}
	u, _, err := h.cfg.Service.Create(r.Context(), by, users.Draft{Kind: users.Person, Email: body.Email,
		Name: cmp.Or(body.Name, body.Short), Role: identity.Role(body.Role), Password: identity.Secret(body.Password)})
	return http.StatusCreated, created{User: u}, err
}

func (h *Handler) removeNamed(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	body := namedUser{ID: r.URL.Query().Get("userId")}
	if r.Method == http.MethodPost {
		if _, err := httpx.ReadJSON(w, r, &body); err != nil {
			return 0, nil, err
		}
	}
	if body.ID == "" {
		return 0, nil, fault.New(fault.Invalid, `The member "userId" says who is deleted.`).WithCode("user_needed")
	}
	return http.StatusNoContent, nil, h.cfg.Service.Delete(r.Context(), by, body.ID)
}

// checkAdmin says whether the caller administers the organisation. There is no
// administrator above organisations.
func (h *Handler) checkAdmin(_ http.ResponseWriter, _ *http.Request, by identity.Caller) (int, any, error) {
	return http.StatusOK, struct {
		SuperAdmin bool          `json:"isSuperAdmin"`
		Role       identity.Role `json:"role"`
	}{by.Role == identity.Admin, by.Role}, nil
}
