// Package checks asks a Supabase project whether it answers as Bellhop relies
// on: who may sign in, who sees what, how values, pages and errors look, and
// how often a write is done. It goes through pkg/supabase, as the functions do,
// and by plain HTTP where that has no call.
//
// The same list runs against a project in the cloud (scripts/smoke) and against
// the local stack (the tests of this package). Where the two differ, the local
// stack is wrong.
package checks

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Target is the project that is asked, and the person who asks. The person must
// be a member of an organisation; the writing checks need the role manager or
// admin.
type Target struct {
	URL            string
	PublishableKey identity.Secret
	Email          string
	Password       identity.Secret

	// ProofKeys are PROOF_KEYS as the functions have them. Without them what the
	// project keeps for functions is tried only as a member may try it.
	ProofKeys identity.Secret

	// Write runs the writing checks as well. They work on extras that they make
	// under a random name and remove again. What stays is what no one can
	// remove: lines in the journals of changes and effects. Without it no table
	// is written to; the functions that are called either read, or refuse what
	// they are given.
	Write bool

	// HTTP carries the requests. Nil means http.DefaultTransport.
	HTTP http.RoundTripper
}

// Status says how a check ended.
type Status string

// The ends of a check.
const (
	OK      Status = "ok"
	Failed  Status = "failed"
	Skipped Status = "skipped"
)

// Result is one line of the report.
type Result struct {
	Check  string
	Status Status
	// Says is a sentence: what holds, what was wrong, or why it was not tried.
	Says string
}

// check is one question to the project.
type check struct {
	name   string
	says   string // what holds when it is ok
	writes bool
	alone  bool // needs no user to be signed in
	proven bool // needs the functions' keys
	tidies bool // runs after an interruption too
	run    func(context.Context, *visit) error
}

// oneCheck bounds a check; the slowest asks some hundred things.
const oneCheck = 2 * time.Minute

// Run runs the checks one after the other and hands each result to report as
// soon as it is there. The error says that the target itself is unusable; what
// a project answers is never an error.
func Run(ctx context.Context, t Target, report func(Result)) error {
	v, err := newVisit(t)
	if err != nil {
		return err
	}
	for _, c := range list() {
		if ctx.Err() != nil && !c.tidies {
			continue
		}
		// Who interrupts a run wants it to end, and not to find its rows later.
		report(v.try(context.WithoutCancel(ctx), c))
	}
	return ctx.Err()
}

// list is everything that is asked, in order. Signing in comes first and
// signing out last.
func list() []check {
	var all []check
	for _, part := range [][]check{people(), policies(), rows(), functions(), hostile(), refusals(), writes(),
		farewell()} {
		all = append(all, part...)
	}
	return all
}

// visit is one run.
type visit struct {
	target  Target
	base    string // the project's address without a slash at its end
	http    http.RoundTripper
	client  *supabase.Client
	session supabase.Session
	by      identity.Caller // zero until the sign-in
	mark    string          // in the name of every row that this run makes
}

func newVisit(t Target) (*visit, error) {
	if t.Email == "" || t.Password == "" {
		return nil, errors.New("an e-mail address and a password are needed to sign in with")
	}
	if t.HTTP == nil {
		t.HTTP = http.DefaultTransport
	}
	cfg := supabase.Config{URL: t.URL, PublishableKey: t.PublishableKey, HTTP: t.HTTP, UserAgent: "bellhop-smoke"}
	if t.ProofKeys != "" {
		var err error
		if cfg.Proof, err = supabase.NewProver(t.ProofKeys, time.Now, rand.Reader); err != nil {
			return nil, err
		}
	}
	client, err := supabase.New(cfg)
	if err != nil {
		return nil, err
	}
	return &visit{
		target: t, base: strings.TrimRight(t.URL, "/"), http: t.HTTP, client: client,
		mark: "smoke-" + strings.ToLower(rand.Text()[:10]),
	}, nil
}

func (v *visit) try(ctx context.Context, c check) Result {
	ctx, cancel := context.WithTimeout(ctx, oneCheck)
	defer cancel()
	r := Result{Check: c.name, Status: OK, Says: c.says}
	var err error
	switch {
	case c.writes && !v.target.Write:
		err = skip("it writes; ask for it with -write or SMOKE_WRITE=true")
	case !c.alone && v.by.UserID == "":
		err = skip("nobody is signed in")
	case c.proven && v.target.ProofKeys == "":
		err = skip("it needs PROOF_KEYS as the functions have them")
	case c.writes && !v.by.Role.Writes():
		err = skip("a %s may not write", v.by.Role)
	default:
		err = c.run(ctx, v)
	}
	if why, ok := errors.AsType[skipped](err); ok {
		r.Status, r.Says = Skipped, string(why)
	} else if err != nil {
		r.Status, r.Says = Failed, err.Error()
	}
	return r
}

// skipped is the reason why a check could not be tried on this project.
type skipped string

func (s skipped) Error() string { return string(s) }

func skip(format string, args ...any) error { return skipped(fmt.Sprintf(format, args...)) }

// conn is the project as the signed-in person sees it.
func (v *visit) conn() supabase.Conn { return v.client.As(v.by) }
