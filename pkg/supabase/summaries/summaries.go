// Package summaries keeps summaries of conversations in the project's database,
// and who is making one.
package summaries

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/summary"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// People is a summary.Store for those who take part in a conversation: it acts
// with the caller's own token.
type People struct{ client *supabase.Client }

// Jobs is a summary.Store and a summary.Due for jobs: it acts with the secret
// key for the caller's organisation.
type Jobs struct{ admin *supabase.Admin }

var (
	_ summary.Store = People{}
	_ summary.Store = Jobs{}
	_ summary.Due   = Jobs{}
)

// NewPeople returns the store in the project of client.
func NewPeople(client *supabase.Client) People { return People{client} }

// NewJobs returns the store in the project of admin.
func NewJobs(admin *supabase.Admin) Jobs { return Jobs{admin} }

// terms are the arguments of a claim.
func terms(ref summary.Ref, t summary.Terms) map[string]any {
	p := map[string]any{"id": ref.ID, "projectId": ref.Project, "leaseMs": t.For.Milliseconds(), "overTokens": t.Over}
	if t.Again != "" {
		p["lease"], p["anew"] = t.Again, true
	}
	return p
}

// made are the arguments with which a summary is stored.
func made(c summary.Claim, m summary.Made, lease time.Duration) map[string]any {
	return map[string]any{
		"id": c.ID, "lease": c.Lease, "leaseMs": lease.Milliseconds(), "anew": m.Anew, "from": m.From,
		"through": m.Through,
		"summary": m.Text, "keyFacts": m.Facts, "token": m.Token, "model": m.Model, "usage": m.Usage,
	}
}

func ended(c summary.Claim, reason string, wait time.Duration) map[string]any {
	return map[string]any{"id": c.ID, "lease": c.Lease, "reason": reason, "waitMs": wait.Milliseconds()}
}

// Claim takes the lease; see summary.Store.
func (s People) Claim(ctx context.Context, by identity.Caller, ref summary.Ref, t summary.Terms) (summary.Claim,
	error) {
	return supabase.Call[summary.Claim](ctx, s.client.As(by).Control(), "summary_claim",
		supabase.Args{"p": terms(ref, t)})
}

// Put stores a summary; see summary.Store.
func (s People) Put(ctx context.Context, by identity.Caller, c summary.Claim, m summary.Made,
	lease time.Duration) (summary.Batch, error) {
	return supabase.Call[summary.Batch](ctx, s.client.As(by).Control(), "summary_put",
		supabase.Args{"p": made(c, m, lease)})
}

// End gives the lease back; see summary.Store.
func (s People) End(ctx context.Context, by identity.Caller, c summary.Claim, reason string,
	wait time.Duration) error {
	_, err := supabase.Call[any](ctx, s.client.As(by).Control(), "summary_end",
		supabase.Args{"p": ended(c, reason, wait)})
	return err
}

// Status is how far the summary of a conversation is.
func (s People) Status(ctx context.Context, by identity.Caller, id string) (summary.Status, error) {
	return supabase.Read[summary.Status](ctx, s.client.As(by).Control(), "summary_status", supabase.Args{"p_id": id})
}

// Claim takes the lease; see summary.Store.
func (s Jobs) Claim(ctx context.Context, by identity.Caller, ref summary.Ref, t summary.Terms) (c summary.Claim,
	err error) {
	raw, err := s.admin.SummaryClaim(ctx, by.OrgID, terms(ref, t))
	return read(raw, c, err)
}

// Put stores a summary; see summary.Store.
func (s Jobs) Put(ctx context.Context, by identity.Caller, c summary.Claim, m summary.Made,
	lease time.Duration) (b summary.Batch, err error) {
	raw, err := s.admin.SummaryPut(ctx, by.OrgID, made(c, m, lease))
	return read(raw, b, err)
}

// End gives the lease back; see summary.Store.
func (s Jobs) End(ctx context.Context, by identity.Caller, c summary.Claim, reason string, wait time.Duration) error {
	return s.admin.SummaryEnd(ctx, by.OrgID, ended(c, reason, wait))
}

// Due finds what is due; see summary.Due.
func (s Jobs) Due(ctx context.Context, r summary.Rule) (due []summary.Ticket, err error) {
	raw, err := s.admin.SummaryDue(ctx, supabase.Args{
		"p_limit": r.Limit, "p_idle": int(r.Idle.Minutes()), "p_tokens": r.Tokens, "p_messages": r.Messages,
		"p_hold": int(r.Held.Minutes()),
	})
	return read(raw, due, err)
}

// Want notes a wish; see summary.Due.
func (s Jobs) Want(ctx context.Context, t summary.Ticket) error {
	return s.admin.SummaryWant(ctx, t.Org, t.ID)
}

func read[T any](raw json.RawMessage, into T, err error) (T, error) {
	if err != nil {
		return into, err
	}
	if err := json.Unmarshal(raw, &into); err != nil {
		return into, fmt.Errorf("read what a job's function answered: %w", err)
	}
	return into, nil
}
