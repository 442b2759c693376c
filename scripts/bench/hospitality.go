package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/reservations"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	hotel "github.com/bellhop-ai/bellhop/pkg/supabase/hospitality"
)

// hospitality is the scenario of the hotel's assistant.
func hospitality() scenario {
	return scenario{
		assistant: "hospitality",
		said: []string{
			"Hello",
			"Which extras do we have?",
			"Which room types do we have?",
			"Who arrives today?",
			"Show me the bookings of this week",
			"Add an extra called Bench Lamp for 300 per stay",
			"yes",
			"Thank you",
		},
		question: "Which extras do we have?", agent: "inventory", tool: "list_extras",
		writes: &writes{
			rows: `with made as (insert into public.extras (org_id, entity_id, name, price, per)
				select e.org_id, e.id, 'Bench extra ' || n, 100, 'stay'
				from public.entities e, generate_series(1, $1) n where e.name = 'Sojourn Cabins' returning 1)
				select count(*) from made`,
			tool: "update_extra",
			arguments: func(row, i int) map[string]any {
				return map[string]any{"extra": "Bench extra " + strconv.Itoa(row), "price": 101 + i}
			},
		},
		contest: &contest{
			name: "tries to book one of three rooms", enter: bookRooms,
			overlaps: `select count(*) from public.stays a join public.stays b on b.org_id = a.org_id
				and b.room_id = a.room_id and b.id > a.id and b.period && a.period where a.active and b.active`,
		},
	}
}

// bookRooms tries to book one of three rooms of the demo hotel for one to three
// nights, through the adapter. Every 256 tries move on to the next three weeks, so
// that about one in eight succeeds and the rest hear what is free instead.
func bookRooms(client *supabase.Client) func(ctx context.Context, by identity.Caller, i int) (bool, error) {
	rooms := [...]string{"BURANSH", "WALNUT", "SAFFRON"}
	today := calendar.Date{Year: 2031, Month: 1, Day: 15}
	store := hotel.NewReservations(client)
	return func(ctx context.Context, by identity.Caller, i int) (bool, error) {
		dice := rand.New(rand.NewPCG(7, uint64(i)))
		in := today.AddDays(14 + 21*(i/256) + dice.IntN(19))
		nights, room := 1+dice.IntN(3), rooms[dice.IntN(len(rooms))]
		claim := effect.Claim{Key: uuid.NewString(), ArgsHash: fmt.Sprintf("%064x", i), Tool: "create_reservation",
			Turn: "bench", Assistant: "hospitality"}
		_, err := store.Book(effect.With(ctx, claim), by, reservations.Order{
			Today: today, CheckIn: in, CheckOut: in.AddDays(nights), Guest: reservations.Guest{Name: "Bench Racer"},
			Rooms: []reservations.RoomWanted{{Room: room, Adults: 1}},
		})
		if f := fault.From(err); f != nil && f.Code == "not_available" {
			return false, nil
		}
		return err == nil, err
	}
}
