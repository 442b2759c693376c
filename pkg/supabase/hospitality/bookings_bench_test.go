package hospitality_test

import (
	"context"
	cryptorand "crypto/rand"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/http"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/reservations"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/hospitality"
)

// contended tries bookings of one to three nights in three rooms. Every 256
// tries move on to the next three weeks, so that about one in eight succeeds and
// the rest hear what is free instead.
func contended(b *testing.B, book func(ctx context.Context, o reservations.Order) (bool, error)) {
	b.Helper()
	rooms := []string{"COCO", "BIRCH", "ELM"}
	var tries, booked atomic.Int64
	took := make(chan time.Duration, b.N)
	b.SetParallelism(max(1, 64/runtime.GOMAXPROCS(0)))
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			i := tries.Add(1)
			dice := rand.New(rand.NewPCG(7, uint64(i)))
			start := time.Now()
			ok, err := book(b.Context(), order(day(3, 1+21*int(i/256)+dice.IntN(19)), 1+dice.IntN(3),
				rooms[dice.IntN(3)]))
			took <- time.Since(start)
			if err != nil {
				b.Error(err)
			}
			if ok {
				booked.Add(1)
			}
		}
	})
	b.StopTimer()
	close(took)
	var all []time.Duration
	for d := range took {
		all = append(all, d)
	}
	slices.Sort(all)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "tries/s")
	b.ReportMetric(float64(booked.Load())/b.Elapsed().Seconds(), "booked/s")
	b.ReportMetric(float64(all[len(all)*99/100].Milliseconds()), "p99-ms")
}

func benchHotel(b *testing.B) (*supabase.Client, localtest.Org, identity.Caller) {
	b.Helper()
	s := localtest.Stack(b)
	client, err := supabase.New(localtest.Config(b, s))
	if err != nil {
		b.Fatal(err)
	}
	org := localtest.NewOrg(b)
	by, err := client.Whoami(b.Context(), identity.Secret(org.Manager.Token))
	if err != nil {
		b.Fatal(err)
	}
	by, _ = by.Choose("", "property")
	for _, code := range []string{"COCO", "BIRCH", "ELM"} {
		localtest.SQL(b, `insert into public.room_types (org_id, entity_id, code, name, capacity, weekday_price,
			weekend_price)
			values ($1, $2, $3, $3, 2, 5200, 6400.50)`, org.ID, org.Entity.ID, code)
	}
	return client, org, by
}

// 64 clients through the adapter and the REST stand-in, under effect headers.
func BenchmarkBookingOverREST(b *testing.B) {
	client, _, by := benchHotel(b)
	store := hospitality.NewReservations(client)
	contended(b, func(ctx context.Context, o reservations.Order) (bool, error) {
		_, err := store.Book(act(ctx), by, o)
		if f := fault.From(err); f != nil && f.Code == "not_available" {
			return false, nil
		}
		return err == nil, err
	})
}

// proven is the JSON of a request's headers with the proof of our functions.
func proven(p *supabase.Prover, by identity.Caller, headers map[string]string) (string, error) {
	h := http.Header{}
	for name, value := range headers {
		h.Set(name, value)
	}
	var err error
	if headers["x-bellhop-proof"], err = p.Prove(by.UserID, by.OrgID, "POST", "/rpc/create_booking", h); err != nil {
		return "", err
	}
	text, err := json.Marshal(headers)
	return string(text), err
}

// 64 clients straight on PostgreSQL: what the database itself can do.
func BenchmarkBookingInTheDatabase(b *testing.B) {
	_, org, by := benchHotel(b)
	cfg, err := pgxpool.ParseConfig(localtest.Stack(b).ConnString("postgres"))
	if err != nil {
		b.Fatal(err)
	}
	cfg.MaxConns = 64
	pool, err := pgxpool.NewWithConfig(b.Context(), cfg)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(pool.Close)
	claims, err := json.Marshal(map[string]any{"sub": by.UserID, "role": "authenticated",
		"app_metadata": map[string]string{"org_id": org.ID}})
	if err != nil {
		b.Fatal(err)
	}
	prove, err := supabase.NewProver(identity.Secret(localtest.Stack(b).ProofKeys()), time.Now, cryptorand.Reader)
	if err != nil {
		b.Fatal(err)
	}
	contended(b, func(ctx context.Context, o reservations.Order) (bool, error) {
		request, err := json.Marshal(o)
		if err != nil {
			return false, err
		}
		err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			headers, err := proven(prove, by, map[string]string{"x-bellhop-effect": uuid.NewString(),
				"x-bellhop-args": argsHash, "x-bellhop-tool": "create_reservation"})
			if err != nil {
				return err
			}
			_, err = tx.Exec(ctx, `select set_config('role', 'authenticated', true), set_config('request.jwt.claims',
				$1, true),
				set_config('request.headers', $2, true), set_config('request.method', 'POST', true),
					set_config('request.path', '/rpc/create_booking', true)`,
				string(claims), headers)
			if err != nil {
				return err
			}
			if _, err = tx.Exec(ctx, `select app.pre_request()`); err != nil {
				return err
			}
			_, err = tx.Exec(ctx, `select public.create_booking($1, $2)`, by.Entity.ID, request)
			return err
		})
		if pg, ok := errors.AsType[*pgconn.PgError](err); ok && pg.Message == "not_available" {
			return false, nil
		}
		return err == nil, err
	})
}
