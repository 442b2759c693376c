package users

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/mail"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

const (
	longestName  = 120
	longestEmail = 254
	longestLife  = 3650 // days

	// machineDomain is where no mail arrives, so no person can have a machine's
	// password set anew by mail.
	machineDomain = "machines.bellhop.invalid"

	// tidyWithin is how long taking back an account may take, whatever became
	// of the request.
	tidyWithin = 5 * time.Second
)

// Service manages users. An account and a membership are kept by two services, so
// its steps have an order in which whatever is left half-done gives no user
// anything, and is made whole by doing the same again.
type Service struct {
	Members  Members
	Accounts Accounts
	Keys     Keys
	Random   io.Reader
	// FirstPasswords lets administrators set the password of a new account. Such
	// an account is not proven to be that of the address's owner, and another
	// organisation may come to trust it: only for projects where all know each
	// other.
	FirstPasswords bool
}

// Create makes a user of by's organisation. For a machine it returns the API
// key, which cannot be had again.
//
// An address that has an account already, of whichever organisation, gets a
// membership, and the answer is the same as for a new one. Its password stays.
func (d *Service) Create(ctx context.Context, by identity.Caller, draft Draft) (User, identity.Secret, error) {
	draft, err := check(draft)
	if err != nil {
		return User{}, "", err
	}
	if err := Administers(by); err != nil {
		return User{}, "", err
	}
	if draft.Password != "" && !d.FirstPasswords {
		return User{}, "", fault.New(fault.Unprocessable,
			"Here people set their first password themselves, by mail.").WithCode("password_by_mail")
	}
	if draft.Kind == Machine {
		return d.createMachine(ctx, by, draft)
	}
	account, made, err := d.account(ctx, by, draft)
	if err != nil {
		return User{}, "", err
	}
	u, err := d.Members.Add(ctx, by, account, draft, "")
	if err != nil && made {
		err = d.takeBack(ctx, by, account, err)
	}
	return u, "", err
}

func (d *Service) createMachine(ctx context.Context, by identity.Caller, draft Draft) (User, identity.Secret, error) {
	secret, err := NewSecret(d.Random)
	if err != nil {
		return User{}, "", err
	}
	var label [10]byte
	if _, err := io.ReadFull(d.Random, label[:]); err != nil {
		return User{}, "", fmt.Errorf("draw an address: %w", err)
	}
	email := "m-" + hex.EncodeToString(label[:]) + "@" + machineDomain
	account, err := d.Accounts.Create(ctx, by, email, draft.Name, secret.Password())
	if err != nil {
		return User{}, "", err
	}
	u, err := d.Members.Add(ctx, by, account, draft, secret.Digest())
	if err != nil {
		// Whether or not it became a member, its secret is never known.
		return User{}, "", d.scrap(ctx, account, err)
	}
	key, err := secret.Key(account)
	return u, key, err
}

// account returns the account of a person, and whether it is new.
func (d *Service) account(ctx context.Context, by identity.Caller, draft Draft) (id string, made bool, err error) {
	// Two administrators who add the same address at once meet here: whose
	// account comes second finds that of the first.
	for range 2 {
		found, err := d.Accounts.Find(ctx, by, draft.Email)
		switch {
		case err != nil:
			return "", false, err
		case found == nil:
		case found.Member:
			return "", false, fault.New(fault.Conflict,
				"This person already belongs to your organisation.").WithCode("already_member")
		case found.Adrift:
			return found.ID, false, d.Accounts.Point(ctx, by, found.ID)
		default:
			return found.ID, false, nil
		}
		id, err = d.Accounts.Create(ctx, by, draft.Email, draft.Name, draft.Password)
		if f := fault.From(err); f == nil || f.Code != "email_exists" {
			return id, err == nil, err
		}
	}
	return "", false, fault.New(fault.Conflict,
		"Somebody else was adding the same address. Please try again.").WithCode("busy")
}

// takeBack deletes a person's new account that could not be made a member, unless
// another request has made it one meanwhile. It returns why.
func (d *Service) takeBack(ctx context.Context, by identity.Caller, account string, why error) error {
	tidy, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidyWithin)
	defer cancel()
	left, err := d.Accounts.Left(tidy, by, account)
	if err == nil && !left {
		return why
	}
	return d.scrap(ctx, account, why)
}

// scrap deletes an account and returns why. When that fails, too, the account
// is a member of nothing, so it opens nothing, and a person's is used when the
// same address is added again.
func (d *Service) scrap(ctx context.Context, account string, why error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidyWithin)
	defer cancel()
	if err := d.Accounts.Delete(ctx, account); err != nil && !fault.Is(err, fault.NotFound) {
		f := fault.From(why)
		return fault.Wrap(f.Kind, errors.Join(why, fmt.Errorf("an account was left over: %w", err)), "%s",
			f.Message).WithCode(f.Code).WithRetryAfter(f.RetryAfter)
	}
	return why
}

// Change gives a user another role or name.
func (d *Service) Change(ctx context.Context, by identity.Caller, id string, c Change) (User, error) {
	if err := Administers(by); err != nil {
		return User{}, err
	}
	if c.Role == nil && c.Name == nil {
		return User{}, fault.New(fault.Invalid, "Say which role or name the user should have.")
	}
	if c.Role != nil && !known(*c.Role) {
		return User{}, badRole()
	}
	if c.Name != nil {
		name, err := checkName(*c.Name)
		if err != nil {
			return User{}, err
		}
		c.Name = &name
	}
	if !isID(id) {
		return User{}, unknown()
	}
	return d.Members.Change(ctx, by, id, c)
}

// Delete removes a user. The membership goes first, so the user is out at once,
// whatever becomes of the account; the account goes when it was made for this
// organisation and belongs to no other. Doing it again finishes what was left.
func (d *Service) Delete(ctx context.Context, by identity.Caller, id string) error {
	if err := Administers(by); err != nil {
		return err
	}
	if !isID(id) {
		return unknown()
	}
	gone := d.Members.Remove(ctx, by, id)
	if gone != nil && !fault.Is(gone, fault.NotFound) {
		return gone
	}
	left, err := d.Accounts.Left(ctx, by, id)
	if err == nil && !left {
		return gone
	}
	if err == nil {
		err = d.Accounts.Delete(ctx, id)
	}
	if err != nil && !fault.Is(err, fault.NotFound) {
		return fault.Wrap(fault.Unavailable, err,
			"The user is shut out, but the account could not be deleted yet. Please try again.").
			WithCode("account_left")
	}
	return nil
}

// Choose lets the tokens that a user gets from now on name another of their
// organisations.
func (d *Service) Choose(ctx context.Context, userID string, token identity.Secret, slug string) error {
	orgs, err := d.Members.Orgs(ctx, token)
	if err != nil {
		return err
	}
	for _, o := range orgs {
		if o.Slug == slug {
			return d.Accounts.Point(ctx, identity.Caller{UserID: userID, OrgID: o.ID}, userID)
		}
	}
	return fault.New(fault.NotFound, "You belong to no organisation of that name.").WithCode("unknown_org")
}

// Administers refuses callers who are not administrators.
func Administers(by identity.Caller) error {
	if by.Role != identity.Admin {
		return fault.New(fault.Forbidden,
			"Only an administrator of your organisation may do that.").WithCode("admin_required")
	}
	return nil
}

// KindOf tells a machine by the address that its tokens bear.
func KindOf(by identity.Caller) Kind {
	if strings.HasSuffix(by.Email, "@"+machineDomain) {
		return Machine
	}
	return Person
}

func check(d Draft) (Draft, error) {
	var err error
	switch {
	case d.Kind != Person && d.Kind != Machine:
		return d, fault.New(fault.Invalid, `The kind must be "person" or "machine".`)
	case !known(d.Role):
		return d, badRole()
	case d.Days < 0 || d.Days > longestLife:
		return d, fault.New(fault.Invalid, "A user may end after 1 to %d days.", longestLife)
	case d.Kind == Machine && d.Role == identity.Admin:
		return d, fault.New(fault.Unprocessable, "A program cannot be an administrator.").WithCode("machine_admin")
	case d.Kind == Machine && (d.Email != "" || d.Password != ""):
		return d, fault.New(fault.Invalid, "A machine user has neither an e-mail address nor a password.")
	case d.Kind == Person && d.Days != 0 && d.Role == identity.Admin:
		return d, fault.New(fault.Unprocessable, "An administrator has no end.").WithCode("admin_ends")
	}
	if d.Kind == Person {
		if d.Email, err = checkEmail(d.Email); err != nil {
			return d, err
		}
		if strings.TrimSpace(d.Name) == "" {
			d.Name, _, _ = strings.Cut(d.Email, "@")
		}
	}
	d.Name, err = checkName(d.Name)
	return d, err
}

func checkEmail(text string) (string, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	parsed, err := mail.ParseAddress(text)
	if err != nil || parsed.Address != text || len(text) > longestEmail || strings.HasSuffix(text, "@"+machineDomain) {
		return "", fault.New(fault.Invalid, "That is not an e-mail address.")
	}
	return text, nil
}

func checkName(name string) (string, error) {
	name = strings.TrimSpace(name)
	if n := utf8.RuneCountInString(name); n < 1 || n > longestName {
		return "", fault.New(fault.Invalid, "A name has 1 to %d characters.", longestName)
	}
	return name, nil
}

func known(r identity.Role) bool {
	return r == identity.Admin || r == identity.Manager || r == identity.Viewer
}

func badRole() error {
	return fault.New(fault.Invalid, `The role must be "admin", "manager" or "viewer".`)
}

func unknown() error {
	return fault.New(fault.NotFound, "Your organisation has no such user.").WithCode("unknown_user")
}

func isID(id string) bool {
	_, err := uuid.Parse(id)
	return err == nil && len(id) == 36
}
