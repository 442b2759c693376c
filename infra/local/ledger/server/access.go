package server

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/modelcontextprotocol/go-sdk/auth"
)

// access is what a request may do: for one user in one company.
type access struct {
	userID, companyID uuid.UUID
	user, role        string
}

// denial is an answer to a request that may do nothing.
type denial struct {
	status        int
	code, message string
}

func (d *denial) Error() string { return d.message }

type accessKey struct{}

// admit looks up the token and the company, and answers itself when there is
// none for the request.
func (s *Server) admit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, err := s.look(r)
		if d, ok := errors.AsType[*denial](err); ok {
			deny(w, d)
			return
		}
		if err != nil {
			s.cfg.Log("ledger: look up a token: %v", err)
			deny(w, &denial{http.StatusInternalServerError, "internal", "The request could not be served."})
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), accessKey{}, a)))
	})
}

func deny(w http.ResponseWriter, d *denial) {
	if d.status == http.StatusUnauthorized {
		challenge := `Bearer realm="ledger"`
		if d.code != "missing_token" {
			challenge += fmt.Sprintf(`, error="invalid_token", error_description=%q`, d.message)
		}
		w.Header().Set("WWW-Authenticate", challenge)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(d.status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": d.code, "message": d.message})
}

// look finds the user of the token and the company that the query parameters
// choose.
func (s *Server) look(r *http.Request) (access, error) {
	kind, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(kind, "bearer") || strings.TrimSpace(token) == "" {
		return access{}, &denial{http.StatusUnauthorized, "missing_token", "A bearer token is needed."}
	}
	digest := sha256.Sum256([]byte(strings.TrimSpace(token)))
	type membership struct {
		access
		entityID, orgID uuid.UUID
	}
	// A token without a company is still a valid token: one row, company null.
	rows, err := s.cfg.Ledger.Pool().Query(r.Context(), `
		select u.id, u.name, m.company_id, m.role, e.entity_id, e.org_id
		from ledger.tokens t join ledger.users u on u.id = t.user_id
		left join (ledger.members m join ledger.entities e using (company_id)) on m.user_id = u.id
		where t.digest = $1 and t.revoked_at is null and t.expires_at > $2`, digest[:], s.cfg.Ledger.Now())
	if err != nil {
		return access{}, fmt.Errorf("read memberships: %w", err)
	}
	known := false
	memberships, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (membership, error) {
		known = true
		var m membership
		var company, entity, org *uuid.UUID
		var role *string
		err := row.Scan(&m.userID, &m.user, &company, &role, &entity, &org)
		if company != nil {
			m.companyID, m.role, m.entityID, m.orgID = *company, *role, *entity, *org
		}
		return m, err
	})
	if err != nil {
		return access{}, fmt.Errorf("read memberships: %w", err)
	}
	if !known {
		return access{}, &denial{http.StatusUnauthorized, "invalid_token",
			"The token is unknown, has expired or was revoked."}
	}
	entity, err := choice(r, "entityid")
	if err != nil {
		return access{}, err
	}
	org, err := choice(r, "orgid")
	if err != nil {
		return access{}, err
	}
	var found []access
	for _, m := range memberships {
		if m.companyID != uuid.Nil && (entity == uuid.Nil || entity == m.entityID) &&
			(org == uuid.Nil || org == m.orgID) {
			found = append(found, m.access)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0:
		return access{}, &denial{http.StatusForbidden, "forbidden", "The user is no member of that company."}
	default:
		return access{}, &denial{http.StatusBadRequest, "company_needed",
			"The user has several companies: choose one by the query parameter entityid."}
	}
}

// choice reads a query parameter that is a UUID; the zero UUID when it is left
// out.
func choice(r *http.Request, name string) (uuid.UUID, error) {
	values := r.URL.Query()[name]
	if len(values) == 0 || values[0] == "" {
		return uuid.Nil, nil
	}
	id, err := uuid.Parse(values[0])
	if err != nil || len(values) > 1 {
		return uuid.Nil, &denial{http.StatusBadRequest, "invalid_" + name,
			"The query parameter " + name + " is to be one UUID."}
	}
	return id, nil
}

// tokenInfo hands the access that admit found to the SDK, which ties sessions
// to the user and passes it on to tools.
func tokenInfo(ctx context.Context, _ string, _ *http.Request) (*auth.TokenInfo, error) {
	a, ok := ctx.Value(accessKey{}).(access)
	if !ok {
		return nil, auth.ErrInvalidToken
	}
	return &auth.TokenInfo{UserID: a.userID.String(), Extra: map[string]any{"access": a}}, nil
}
