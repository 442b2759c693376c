// Package visitors admits visitors without sign-in, where an operator allows
// it. They share one read-only account of the organisation, and a signed cookie
// distinguishes them: seals and named turns belong to one visitor.
package visitors

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
)

// Config is what a Authenticator needs; all of it but the last four.
type Config struct {
	Org string // uuid; the account that visitors share must belong to it
	// SignIn signs that account in, and says how long its token lasts.
	SignIn func(ctx context.Context) (token identity.Secret, lasts time.Duration, err error)
	// Identify returns the caller of a token, with the role that the database
	// knows now.
	Identify func(ctx context.Context, token string) (identity.Caller, error)
	// Keys sign cookies: the first signs, all are accepted. They are used for
	// nothing else.
	Keys [][]byte
	Now  calendar.Clock

	Lasts   time.Duration // how long a visitor is known; default 30 days
	Random  io.Reader     // nil means crypto/rand
	Counter limit.Counter // nil lets all through
	Rates   Rates
	// Origins are those of other sites whose pages may ask; "*" means all.
	Origins []string
}

// Rates bound the requests per minute; 0 is no bound. A visitor who throws the
// cookie away is another one, so the bound of all is the one that holds.
type Rates struct{ Each, All int }

// Authenticator admits requests that carry no token. It is safe for concurrent use.
type Authenticator struct {
	cfg     Config
	account account
	cross   *http.CrossOriginProtection // nil where all origins may ask
}

// New returns an Authenticator, or says in one sentence what is wrong.
func New(cfg Config) (*Authenticator, error) {
	if cfg.SignIn == nil || cfg.Identify == nil || cfg.Now == nil || len(cfg.Keys) == 0 {
		return nil, errors.New("visitors: an account, identities, a clock and keys are all required")
	}
	if _, err := uuid.Parse(cfg.Org); err != nil {
		return nil, errors.New("ANONYMOUS_ORG is not the id of an organisation")
	}
	if cfg.Lasts <= 0 {
		cfg.Lasts = 30 * 24 * time.Hour
	}
	if cfg.Random == nil {
		cfg.Random = rand.Reader
	}
	d := &Authenticator{cfg: cfg, account: account{signIn: cfg.SignIn, now: cfg.Now}}
	if !slices.Contains(cfg.Origins, "*") {
		d.cross = http.NewCrossOriginProtection()
		for _, origin := range cfg.Origins {
			if err := d.cross.AddTrustedOrigin(origin); err != nil {
				return nil, errors.New("ALLOWED_ORIGINS holds something that is no origin, such as " +
					"https://www.example.com")
			}
		}
	}
	return d, nil
}

// Admit returns who asks without a token: the account that visitors share, and
// the visitor in it. A visitor who is not known becomes a new one, and the
// cookie that says so is put into the answer's header.
//
// A page of another site is refused, as is who asks too often. An account that
// may do more than look, or is another organisation's, is a fault.Unavailable
// error: the operator set it up wrongly.
func (a *Authenticator) Admit(w http.ResponseWriter, r *http.Request) (identity.Caller, error) {
	if a.cross != nil && a.cross.Check(r) != nil {
		return identity.Caller{}, fault.New(fault.Forbidden,
			"Pages of other sites may not ask here.").WithCode("cross_origin")
	}
	by, err := a.shared(r.Context())
	if err != nil {
		return identity.Caller{}, err
	}
	visitor, fresh, err := a.visitor(w, r)
	if err != nil {
		return identity.Caller{}, err
	}
	by.Visitor = visitor
	if err := httpx.Claim(r.Context(), by); err != nil {
		return identity.Caller{}, err
	}
	return by, a.count(r.Context(), by, fresh)
}

// shared returns the account that visitors share.
func (a *Authenticator) shared(ctx context.Context) (identity.Caller, error) {
	token, err := a.account.token(ctx)
	if err != nil {
		return identity.Caller{}, unavailable(err)
	}
	by, err := a.cfg.Identify(ctx, token.Reveal())
	if fault.Is(err, fault.Unauthorized) {
		// Its session was ended somewhere else; a new one may be had.
		a.account.forget(token)
		if token, err = a.account.token(ctx); err == nil {
			by, err = a.cfg.Identify(ctx, token.Reveal())
		}
	}
	switch {
	case fault.Is(err, fault.Unauthorized), fault.Is(err, fault.Forbidden):
		return identity.Caller{}, unavailable(err)
	case err != nil:
		return identity.Caller{}, err
	case by.OrgID != a.cfg.Org:
		return identity.Caller{}, unavailable(errors.New("the account of ANONYMOUS_EMAIL is not of the organisation " +
			"ANONYMOUS_ORG"))
	case by.Role != identity.Viewer:
		return identity.Caller{}, unavailable(errors.New("the account of ANONYMOUS_EMAIL may do more than look: its " +
			"role must be viewer"))
	}
	by.Name, by.Email = "", "" // the account's; a visitor has none
	return by, nil
}

func unavailable(cause error) error {
	return fault.Wrap(fault.Unavailable, cause,
		"Visitors cannot be let in at the moment. Please try again later, or sign in.").
		WithCode("visitors_unavailable")
}

// count counts a request against the bounds of all visitors and of this one.
func (a *Authenticator) count(ctx context.Context, by identity.Caller, fresh bool) error {
	if a.cfg.Counter == nil {
		return nil
	}
	if all := a.cfg.Rates.All; all > 0 {
		took, err := a.cfg.Counter.Take(ctx, by, "visitors", identity.Rate{User: all})
		if err != nil {
			return err
		}
		if took.Wait > 0 {
			return fault.New(fault.Limited,
				"Many people are asking at the moment. Please try again shortly.").WithCode("org_rate_limited").
				WithRetryAfter(took.Wait)
		}
	}
	// No request of a new visitor was counted before.
	if each := a.cfg.Rates.Each; each > 0 && !fresh {
		took, err := a.cfg.Counter.Take(ctx, by, "visitor "+by.Visitor, identity.Rate{User: each})
		if err != nil {
			return err
		}
		if took.Wait > 0 {
			return fault.New(fault.Limited,
				"That was a lot at once. Please try again shortly.").WithCode("user_rate_limited").
				WithRetryAfter(took.Wait)
		}
	}
	return nil
}
