package ledger

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

// Roles of a member of a company.
const (
	Owner      = "owner"      // may do all
	Accountant = "accountant" // may do all but file returns
	Viewer     = "viewer"     // may read
)

// Member is a user of one or more companies.
type Member struct {
	Email string // in small letters; known users keep their name
	Name  string
	Roles map[string]string // by the company's code
}

// AddMember adds a user, or gives a known one further roles.
func (l *Ledger) AddMember(ctx context.Context, m Member) error {
	return l.Tx(ctx, m.Name, func(tx pgx.Tx) error { return addMember(ctx, tx, m) })
}

func addMember(ctx context.Context, tx pgx.Tx, m Member) error {
	var id string
	err := tx.QueryRow(ctx, `insert into ledger.users (email, name) values ($1, $2)
			on conflict (email) do update set email = excluded.email returning id::text`, m.Email, m.Name).Scan(&id)
	if err != nil {
		return fmt.Errorf("add the user %s: %w", m.Email, err)
	}
	for _, code := range slices.Sorted(maps.Keys(m.Roles)) {
		role := m.Roles[code]
		tag, err := tx.Exec(ctx, `insert into ledger.members (company_id, user_id, role)
				select id, $2, $3 from ledger.companies where code = $1
				on conflict (company_id, user_id) do update set role = excluded.role`, code, id, role)
		if err == nil && tag.RowsAffected() != 1 {
			err = errors.New("there is no such company")
		}
		if err != nil {
			return fmt.Errorf("make %s a member of %s: %w", m.Email, code, err)
		}
	}
	return nil
}

// Org is an organisation that companies belong to.
type Org struct {
	ID       string // a UUID
	Name     string
	Entities map[string]string // the companies' ids as entities, by their codes
}

// AddOrg adds an organisation. The server serves no company without one.
func (l *Ledger) AddOrg(ctx context.Context, o Org) error {
	return l.Tx(ctx, o.Name, func(tx pgx.Tx) error { return addOrg(ctx, tx, o) })
}

func addOrg(ctx context.Context, tx pgx.Tx, o Org) error {
	if _, err := tx.Exec(ctx, "insert into ledger.orgs (id, name) values ($1, $2)", o.ID, o.Name); err != nil {
		return fmt.Errorf("add the organisation %s: %w", o.Name, err)
	}
	for _, code := range slices.Sorted(maps.Keys(o.Entities)) {
		tag, err := tx.Exec(ctx, `insert into ledger.entities (company_id, entity_id, org_id)
			select id, $2, $3 from ledger.companies where code = $1`, code, o.Entities[code], o.ID)
		if err == nil && tag.RowsAffected() != 1 {
			err = errors.New("there is no such company")
		}
		if err != nil {
			return fmt.Errorf("add %s to the organisation %s: %w", code, o.Name, err)
		}
	}
	return nil
}

// SetToken makes token one of the user's, until it expires. Only its digest is
// kept. Setting it again moves its end.
func (l *Ledger) SetToken(ctx context.Context, email, token string, expires time.Time) error {
	digest := sha256.Sum256([]byte(token))
	return l.Tx(ctx, email, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `insert into ledger.tokens (digest, user_id, expires_at)
			select $1, id, $3 from ledger.users where email = $2
			on conflict (digest) do update set expires_at = excluded.expires_at`, digest[:], email, expires)
		if err == nil && tag.RowsAffected() != 1 {
			err = errors.New("there is no such user")
		}
		if err != nil {
			return fmt.Errorf("set a token of %s: %w", email, err)
		}
		return nil
	})
}

// Membership is a user's role in one company.
type Membership struct {
	Email       string `json:"email"`
	Name        string `json:"name"`
	Role        string `json:"role"`
	Company     string `json:"company"`
	CompanyCode string `json:"companyCode"`
	EntityID    string `json:"entityid"` // of the company, for the server's query parameters
	OrgID       string `json:"orgid"`
}

// Memberships lists all of them by company, role and user.
func (l *Ledger) Memberships(ctx context.Context) ([]Membership, error) {
	rows, err := l.pool.Query(ctx, `select u.email, u.name, m.role, c.name, c.code, e.entity_id::text,
			e.org_id::text
		from ledger.members m join ledger.users u on u.id = m.user_id join ledger.companies c on c.id = m.company_id
		join ledger.entities e on e.company_id = c.id
		order by c.code, array_position('{owner,accountant,viewer}', m.role), u.email`)
	if err != nil {
		return nil, fmt.Errorf("list the members: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Membership])
	if err != nil {
		return nil, fmt.Errorf("list the members: %w", err)
	}
	return list, nil
}
