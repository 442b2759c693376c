// Package users is who belongs to an organisation: people who sign in, and
// machines, which are users for programs. A machine's only credential is its API
// key, which is exchanged for a session; every other endpoint takes sessions
// only.
//
// What is done here is the direct act of an administrator, decided by role. No
// assistant has a tool for it.
package users

import (
	"context"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Kind says whether the user is a person or a program.
type Kind string

// The kinds of users.
const (
	Person  Kind = "person"
	Machine Kind = "machine"
)

// User is a member of an organisation. It holds nothing that opens an account.
type User struct {
	ID        string        `json:"id"` // uuid
	Name      string        `json:"name"`
	Email     string        `json:"email"` // "" for a machine
	Role      identity.Role `json:"role"`
	Kind      Kind          `json:"kind"`
	CreatedAt time.Time     `json:"createdAt"`
	ExpiresAt *time.Time    `json:"expiresAt"` // nil never
	UsedAt    *time.Time    `json:"usedAt"`    // when a machine's key was last exchanged, to the minute
}

// Draft is a user to be.
type Draft struct {
	Kind     Kind
	Name     string
	Role     identity.Role
	Email    string          // of a person
	Password identity.Secret // of a person; "" leaves it to the person to set one by mail
	Days     int             // after which it ends; 0 is no end
}

// Change is what shall be different; nil keeps what is.
type Change struct {
	Role *identity.Role
	Name *string
}

// Session is what an API key is exchanged for.
type Session struct {
	AccessToken identity.Secret
	ExpiresIn   time.Duration
}

// Org is an organisation of a user.
type Org struct {
	ID      string        `json:"-"`    // uuid
	Slug    string        `json:"slug"` // by which people choose it
	Name    string        `json:"name"`
	Role    identity.Role `json:"role"`
	Current bool          `json:"current"` // the one that the token names
}

// Members keeps who belongs to the organisation of by, with by's own rights.
// Callers who are not administrators get a fault.Forbidden error; an id that is
// no member's a fault.NotFound one.
type Members interface {
	// List returns people before machines, by name.
	List(ctx context.Context, by identity.Caller) ([]User, error)
	// Add makes an account a member. digest is that of a machine's secret. It
	// returns fault.Conflict errors with the codes "already_member" and
	// "name_taken".
	Add(ctx context.Context, by identity.Caller, account string, d Draft, digest string) (User, error)
	// Change refuses to take the last administrator's role (fault.Conflict,
	// "last_admin").
	Change(ctx context.Context, by identity.Caller, id string, c Change) (User, error)
	// Remove shuts a member out at once. It refuses by itself ("own_account").
	Remove(ctx context.Context, by identity.Caller, id string) error
	// Orgs returns the organisations of the token's owner, who need not belong
	// to the one that the token names.
	Orgs(ctx context.Context, token identity.Secret) ([]Org, error)
}

// Account is what there is at an address before it is made a member.
type Account struct {
	ID     string `json:"id"`
	Member bool   `json:"member"` // of by's organisation
	Adrift bool   `json:"adrift"` // its tokens name no organisation that it belongs to
}

// Accounts keeps what people and machines sign in with. It stands above the
// organisations, so each method says for which one it acts.
type Accounts interface {
	// Find returns the account of an address, nil when there is none.
	Find(ctx context.Context, by identity.Caller, email string) (*Account, error)
	// Create makes an account for by's organisation and returns its id. An
	// address that is taken is a fault.Conflict error with the code "email_exists".
	Create(ctx context.Context, by identity.Caller, email, name string, password identity.Secret) (id string,
		err error)
	// Point lets an account's tokens name by's organisation.
	Point(ctx context.Context, by identity.Caller, id string) error
	// Left reports whether the account was made for by's organisation and is a
	// member of none.
	Left(ctx context.Context, by identity.Caller, id string) (bool, error)
	// Delete removes an account with its sessions.
	Delete(ctx context.Context, id string) error
}

// Keys opens accounts with API keys.
type Keys interface {
	// Open returns the address of the account that a secret opens. A wrong one
	// is a fault.Unauthorized error ("bad_key", "key_expired"), and a
	// fault.Limited one when there were too many.
	Open(ctx context.Context, id, digest string) (email string, err error)
	// SignIn exchanges address and password for a session.
	SignIn(ctx context.Context, email string, password identity.Secret) (Session, error)
}
