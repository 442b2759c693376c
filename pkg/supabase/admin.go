package supabase

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/google/uuid"
	"github.com/supabase-community/gotrue-go"
	"github.com/supabase-community/gotrue-go/types"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Admin is the project as its secret key sees it: above the row policies. It can
// do only what its methods say, and none of them reads or writes a table.
type Admin struct{ client *Client }

// NewAdmin returns the client of a secret key (sb_secret_…, or a legacy
// service_role JWT). The publishable key of cfg is not used. Nothing is sent yet.
func NewAdmin(cfg Config, secret identity.Secret) (*Admin, error) {
	switch {
	case secret == "":
		return nil, errors.New("supabase: the secret key is missing (SUPABASE_SECRET_KEY)")
	case !strings.HasPrefix(secret.Reveal(), "sb_secret_") && !strings.HasPrefix(secret.Reveal(), "ey"):
		return nil, errors.New("supabase: what was given as the secret key (SUPABASE_SECRET_KEY) is none")
	}
	c, err := New(cfg)
	if err != nil {
		return nil, err
	}
	c.cfg.PublishableKey = secret
	return &Admin{c}, nil
}

// conn returns the connection for definer functions that take the organisation.
// A legacy key is a token, too; a new one may not be sent as one.
func (a *Admin) conn() Conn {
	c := Conn{client: a.client, control: true}
	if key := a.client.cfg.PublishableKey; !strings.HasPrefix(key.Reveal(), "sb_") {
		c.token = key
	}
	return c
}

// auth returns Auth's client for one request.
func (a *Admin) auth(ctx context.Context) gotrue.Client {
	c := a.conn()
	return a.client.auth.WithClient(http.Client{Transport: &transport{client: a.client, ctx: ctx, token: c.token,
		accept: mediaJSON, control: true}})
}

// NewAccount is an account to be. Its address counts as confirmed.
type NewAccount struct {
	Email    string
	Password identity.Secret // "" makes an account that needs a new password by mail first
	Name     string
	OrgID    string // which its tokens name, and for which it is made
}

// CreateAccount makes an account and returns its id. It returns
// fault.Conflict with the code "email_exists", fault.Unprocessable with
// "weak_password", and fault.Invalid for an address that Auth does not take.
func (a *Admin) CreateAccount(ctx context.Context, n NewAccount) (string, error) {
	in := types.AdminCreateUserRequest{
		Email: n.Email, EmailConfirm: true,
		AppMetadata:  map[string]any{"org_id": n.OrgID, "bellhop_org": n.OrgID},
		UserMetadata: map[string]any{"name": n.Name},
	}
	if n.Password != "" {
		password := n.Password.Reveal()
		in.Password = &password
	}
	made, err := a.auth(ctx).AdminCreateUser(in)
	if err != nil {
		return "", accountFault(ctx, err)
	}
	return made.ID.String(), nil
}

// PointAccount lets the tokens of an account name an organisation from now on.
func (a *Admin) PointAccount(ctx context.Context, id, org string) error {
	user, err := uuid.Parse(id)
	if err != nil {
		return fault.New(fault.NotFound, "There is no such account.")
	}
	_, err = a.auth(ctx).AdminUpdateUser(types.AdminUpdateUserRequest{UserID: user,
		AppMetadata: map[string]any{"org_id": org}})
	return accountFault(ctx, err)
}

// DeleteAccount removes an account with its sessions and memberships.
func (a *Admin) DeleteAccount(ctx context.Context, id string) error {
	user, err := uuid.Parse(id)
	if err != nil {
		return fault.New(fault.NotFound, "There is no such account.")
	}
	return accountFault(ctx, a.auth(ctx).AdminDeleteUser(types.AdminDeleteUserRequest{UserID: user}))
}

// AccountFound is what FindAccount knows of an address.
type AccountFound struct {
	ID     string `json:"id"`
	Member bool   `json:"member"`
	Adrift bool   `json:"adrift"`
}

// FindAccount calls account_find for an administrator of an organisation; nil
// when the address has no account.
func (a *Admin) FindAccount(ctx context.Context, org, by, email string) (*AccountFound, error) {
	return Call[*AccountFound](ctx, a.conn(), "account_find", Args{"p_org": org, "p_by": by, "p_email": email})
}

// AccountLeft calls account_left.
func (a *Admin) AccountLeft(ctx context.Context, org, id string) (bool, error) {
	return Call[bool](ctx, a.conn(), "account_left", Args{"p_org": org, "p_user": id})
}

// accountFault gives the refusals of Auth's administration their kind.
func accountFault(ctx context.Context, err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return asFault(ctx, err)
	}
	switch e.Code {
	case "email_exists":
		return fault.Wrap(fault.Conflict, e, "There is already an account of that address.").WithCode("email_exists")
	case "weak_password":
		return fault.Wrap(fault.Unprocessable, e, "That password is too weak.").WithCode("weak_password")
	case "user_not_found":
		return fault.Wrap(fault.NotFound, e, "There is no such account.")
	case "validation_failed", "email_address_invalid", "email_address_not_authorized":
		return fault.Wrap(fault.Invalid, e, "That address cannot have an account.").WithCode("email_refused")
	case "not_admin", "no_authorization", "bad_jwt":
		return fault.Wrap(fault.Internal, e, "The service is not set up correctly.")
	}
	return e.fault()
}
