package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/bellhop-ai/bellhop/infra/local/invariants"
	"github.com/bellhop-ai/bellhop/infra/local/stack"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/reservations"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/hospitality"
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

// measureBookings lets 64 clients try to book three rooms of the demo hotel for
// one to three nights, through the adapter and the REST stand-in. Every 256
// tries move on to the next three weeks, so that about one in eight succeeds and
// the rest hear what is free instead.
func (l *lab) measureBookings(ctx context.Context) error {
	project, err := l.local(ctx)
	if err != nil {
		return err
	}
	client, err := supabase.New(supabase.Config{URL: project.URL(), PublishableKey: identity.Secret(project.Keys().Publishable)})
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
	by, _ = by.Choose("", "property")
	const deadlocks = `select deadlocks from pg_stat_database where datname = current_database()`
	before, err := count(ctx, project, deadlocks)
	if err != nil {
		return err
	}
	n := 3000
	if l.opt.short {
		n = 200
	}
	rooms := [...]string{"BURANSH", "WALNUT", "SAFFRON"}
	today := calendar.Date{Year: 2031, Month: 1, Day: 15}
	store := hospitality.NewReservations(client)
	var booked atomic.Int64
	try := func(i int) error {
		dice := rand.New(rand.NewPCG(7, uint64(i)))
		in := today.AddDays(14 + 21*(i/256) + dice.IntN(19))
		nights, room := 1+dice.IntN(3), rooms[dice.IntN(len(rooms))]
		claim := effect.Claim{Key: uuid.NewString(), ArgsHash: fmt.Sprintf("%064x", i), Tool: "create_reservation", Turn: "bench", Assistant: "hospitality"}
		_, err := store.Book(effect.With(ctx, claim), by, reservations.Order{
			Today: today, CheckIn: in, CheckOut: in.AddDays(nights), Guest: reservations.Guest{Name: "Bench Racer"},
			Rooms: []reservations.RoomWanted{{Room: room, Adults: 1}},
		})
		if f := fault.From(err); f != nil && f.Code == "not_available" {
			return nil
		}
		if err == nil {
			booked.Add(1)
		}
		return err
	}
	warm, err := timed(64, 64, try)
	if err != nil {
		return err
	}
	booked.Store(0)
	tries, err := timed(n, 64, func(i int) error { return try(i + 256) })
	if err != nil {
		return fmt.Errorf("after %d tries: %w", len(warm.walls), err)
	}
	row := bookingRow{rateRow: tries.row("tries to book one of three rooms", 64), Booked: float64(booked.Load()) / tries.all.Seconds()}
	row.Aim = 500
	if row.Deadlocks, err = count(ctx, project, deadlocks); err != nil {
		return err
	}
	row.Deadlocks -= before
	row.Overlaps, err = count(ctx, project, `select count(*) from public.stays a join public.stays b
		on b.org_id = a.org_id and b.room_id = a.room_id and b.id > a.id and b.period && a.period where a.active and b.active`)
	if err != nil {
		return err
	}
	err = inDatabase(ctx, project, func(q querier) error {
		breaches, err := invariants.Check(ctx, q)
		row.Breaches = len(breaches)
		return err
	})
	l.out.Bookings = &row
	return err
}
