package main

import (
	"context"
	crand "crypto/rand"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/bellhop-ai/bellhop/infra/local/invariants"
	"github.com/bellhop-ai/bellhop/infra/local/stack"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// querier is what is asked in a database.
type querier interface {
	QueryRow(ctx context.Context, query string, args ...any) pgx.Row
	Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
}

// inDatabase hands out a connection that no policy narrows.
func inDatabase(ctx context.Context, s *stack.Stack, ask func(querier) error) error {
	conn, err := pgx.Connect(ctx, s.ConnString("supabase_admin"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	return ask(conn)
}

// contenders is how many clients take part in a contest.
const contenders = 64

// measureContests lets many clients try at once to get the same few things,
// through the adapter and the REST stand-in.
func (l *lab) measureContests(ctx context.Context) error {
	for _, s := range scenarios() {
		if s.contest == nil {
			continue
		}
		if err := l.measureContest(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s.assistant, err)
		}
	}
	return nil
}

func (l *lab) measureContest(ctx context.Context, s scenario) error {
	project, err := l.local(ctx)
	if err != nil {
		return err
	}
	proof, err := supabase.NewProver(identity.Secret(project.ProofKeys()), time.Now, crand.Reader)
	if err != nil {
		return err
	}
	client, err := supabase.New(supabase.Config{URL: project.URL(),
		PublishableKey: identity.Secret(project.Keys().Publishable), Proof: proof})
	if err != nil {
		return err
	}
	token, err := project.Token(ctx, demoManager)
	if err != nil {
		return err
	}
	by, err := client.Whoami(ctx, identity.Secret(token))
	if err != nil {
		return err
	}
	profile, err := s.profile()
	if err != nil {
		return err
	}
	by, _ = profile.Choose(by, "")
	const deadlocks = `select deadlocks from pg_stat_database where datname = current_database()`
	before, err := count(ctx, project, deadlocks)
	if err != nil {
		return err
	}
	n := 3000
	if l.opt.short {
		n = 200
	}
	var won atomic.Int64
	enter := s.contest.enter(client)
	try := func(i int) error {
		got, err := enter(ctx, by, i)
		if got {
			won.Add(1)
		}
		return err
	}
	warm, err := timed(contenders, contenders, try)
	if err != nil {
		return err
	}
	won.Store(0)
	tries, err := timed(n, contenders, func(i int) error { return try(i + 256) })
	if err != nil {
		return fmt.Errorf("after %d tries: %w", len(warm.walls), err)
	}
	row := contestRow{rateRow: tries.row(s.contest.name, contenders), Won: float64(won.Load()) / tries.all.Seconds()}
	row.Aim = 500
	if row.Deadlocks, err = count(ctx, project, deadlocks); err != nil {
		return err
	}
	row.Deadlocks -= before
	if row.Overlaps, err = count(ctx, project, s.contest.overlaps); err != nil {
		return err
	}
	err = inDatabase(ctx, project, func(q querier) error {
		breaches, err := invariants.Check(ctx, q)
		row.Breaches = len(breaches)
		return err
	})
	l.out.Contests = append(l.out.Contests, row)
	return err
}
