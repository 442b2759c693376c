// Package users keeps members in the project's database and their accounts in
// its Auth.
package users

import (
	"context"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/users"
)

// Members is a users.Members. It acts with the caller's own token.
type Members struct{ client *supabase.Client }

// Accounts is a users.Accounts. It holds the secret key.
type Accounts struct{ admin *supabase.Admin }

// Keys is a users.Keys. It needs no key but the publishable one.
type Keys struct{ client *supabase.Client }

var (
	_ users.Members  = Members{}
	_ users.Accounts = Accounts{}
	_ users.Keys     = Keys{}
)

// NewMembers returns the members in the project of client.
func NewMembers(client *supabase.Client) Members { return Members{client} }

// NewAccounts returns the accounts of the project.
func NewAccounts(admin *supabase.Admin) Accounts { return Accounts{admin} }

// NewKeys returns the API keys of the project of client.
func NewKeys(client *supabase.Client) Keys { return Keys{client} }

// List returns the members; see users.Members.
func (s Members) List(ctx context.Context, by identity.Caller) ([]users.User, error) {
	return supabase.Read[[]users.User](ctx, s.client.As(by).Control(), "member_list", nil)
}

// Add makes an account a member; see users.Members.
func (s Members) Add(ctx context.Context, by identity.Caller, account string, d users.Draft,
	digest string) (users.User, error) {
	args := supabase.Args{"p_user": account, "p_name": d.Name, "p_role": d.Role, "p_kind": d.Kind}
	if d.Days > 0 {
		args["p_days"] = d.Days
	}
	if digest != "" {
		args["p_digest"] = digest
	}
	return supabase.Call[users.User](ctx, s.client.As(by).Control(), "member_add", args)
}

// Change changes a member; see users.Members.
func (s Members) Change(ctx context.Context, by identity.Caller, id string, c users.Change) (users.User, error) {
	return supabase.Call[users.User](ctx, s.client.As(by).Control(), "member_change",
		supabase.Args{"p_user": id, "p_role": c.Role, "p_name": c.Name})
}

// Remove shuts a member out; see users.Members.
func (s Members) Remove(ctx context.Context, by identity.Caller, id string) error {
	_, err := supabase.Call[any](ctx, s.client.As(by).Control(), "member_remove", supabase.Args{"p_user": id})
	return err
}

// Orgs lists organisations; see users.Members.
func (s Members) Orgs(ctx context.Context, token identity.Secret) ([]users.Org, error) {
	rows, err := supabase.Read[[]struct {
		ID string `json:"id"`
		users.Org
	}](ctx, s.client.As(identity.Caller{Token: token}).Control(), "my_orgs", nil)
	list := make([]users.Org, len(rows))
	for i, r := range rows {
		list[i] = r.Org
		list[i].ID = r.ID
	}
	return list, err
}

// Find looks an address up; see users.Accounts.
func (s Accounts) Find(ctx context.Context, by identity.Caller, email string) (*users.Account, error) {
	found, err := s.admin.FindAccount(ctx, by.OrgID, by.UserID, email)
	if err != nil || found == nil {
		return nil, err
	}
	return &users.Account{ID: found.ID, Member: found.Member, Adrift: found.Adrift}, nil
}

// Create makes an account; see users.Accounts.
func (s Accounts) Create(ctx context.Context, by identity.Caller, email, name string,
	password identity.Secret) (string, error) {
	return s.admin.CreateAccount(ctx, supabase.NewAccount{Email: email, Name: name, Password: password,
		OrgID: by.OrgID})
}

// Point directs an account to by's organisation; see users.Accounts.
func (s Accounts) Point(ctx context.Context, by identity.Caller, id string) error {
	return s.admin.PointAccount(ctx, id, by.OrgID)
}

// Left tells a deserted account; see users.Accounts.
func (s Accounts) Left(ctx context.Context, by identity.Caller, id string) (bool, error) {
	return s.admin.AccountLeft(ctx, by.OrgID, id)
}

// Delete removes an account; see users.Accounts.
func (s Accounts) Delete(ctx context.Context, id string) error {
	return s.admin.DeleteAccount(ctx, id)
}

// Open checks a secret; see users.Keys.
func (s Keys) Open(ctx context.Context, id, digest string) (string, error) {
	answer, err := s.client.OpenKey(ctx, id, digest)
	switch {
	case err != nil:
		return "", err
	case answer.Expired:
		return "", fault.New(fault.Unauthorized, "This API key has expired.").WithCode("key_expired")
	case answer.WaitMs != nil && *answer.WaitMs > 0:
		return "", fault.New(fault.Limited, "Too many wrong API keys were tried. Please try again shortly.").
			WithCode("key_rate_limited").WithRetryAfter(time.Duration(*answer.WaitMs) * time.Millisecond)
	case answer.Email == "":
		return "", users.BadKey(nil)
	}
	return answer.Email, nil
}

// SignIn opens a session with the publishable key; see users.Keys. Its
// refresh token is dropped: the API key takes its place.
func (s Keys) SignIn(ctx context.Context, email string, password identity.Secret) (users.Session, error) {
	session, err := s.client.SignIn(ctx, email, password)
	return users.Session{AccessToken: session.AccessToken, ExpiresIn: session.ExpiresIn}, err
}
