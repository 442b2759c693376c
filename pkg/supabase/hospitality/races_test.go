package hospitality_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/reservations"
	"github.com/bellhop-ai/bellhop/pkg/supabase/hospitality"
)

func day(month, number int) calendar.Date {
	return calendar.Date{Year: 2031, Month: 3, Day: 1}.AddDays((month-3)*31 + number - 1)
}

func order(in calendar.Date, nights int, rooms ...string) reservations.Order {
	o := reservations.Order{Today: calendar.Date{Year: 2031, Month: 1, Day: 15}, CheckIn: in,
		CheckOut: in.AddDays(nights),
		Group:    len(rooms) > 1, Guest: reservations.Guest{Name: "Racer"}}
	for _, r := range rooms {
		o.Rooms = append(o.Rooms, reservations.RoomWanted{Room: r, Adults: 1})
	}
	return o
}

const argsHash = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

// act is one write of its own.
func act(ctx context.Context) context.Context {
	return effect.With(ctx, effect.Claim{Key: uuid.NewString(), ArgsHash: argsHash, Tool: "create_reservation",
		Turn: "race", Assistant: "hospitality"})
}

// deadlocks is how many deadlocks the database has broken; every one would be
// a stall of a second and a write that was sent again.
func (h *hotel) deadlocks() int64 {
	h.t.Helper()
	return localtest.SQL(h.t, `select deadlocks from pg_stat_database where datname = current_database()`)[0]["deadlocks"].(int64)
}

// overlaps is how many pairs of active stays share a night of a unit.
func (h *hotel) overlaps() int {
	h.t.Helper()
	return len(h.sql(`select from public.stays a join public.stays b on b.org_id = a.org_id and b.room_id = a.room_id
		and b.id > a.id and b.period && a.period
		where a.org_id = $1 and a.active and b.active`))
}

// F-11: 64 people book 3 rooms for 21 days; no night is sold twice, no one
// meets a deadlock, and who comes too late hears what is free instead.
func TestNoNightIsSoldTwice(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	for _, code := range []string{"COCO", "BIRCH", "ELM"} {
		h.cabin(code, code, 1)
	}
	store := hospitality.NewReservations(h.client)
	rooms := []string{"COCO", "BIRCH", "ELM"}
	before := h.deadlocks()
	var wait sync.WaitGroup
	var mu sync.Mutex
	booked, refused := 0, 0
	for i := range 64 {
		wait.Go(func() {
			dice := rand.New(rand.NewPCG(64, uint64(i)))
			for range 4 {
				o := order(day(3, 1+dice.IntN(19)), 1+dice.IntN(3), rooms[dice.IntN(3)])
				list, err := store.Book(act(t.Context()), h.by, o)
				mu.Lock()
				switch f := fault.From(err); {
				case err == nil && len(list) == 1:
					booked++
				case f.Code == "not_available" && strings.Contains(f.Message, " is taken from ") &&
					strings.Contains(f.Message, "ree "):
					refused++
				default:
					t.Errorf("a booking ends with %v, %v", list, err)
				}
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	if booked+refused != 64*4 || booked < 21 {
		t.Errorf("%d booked, %d refused", booked, refused)
	}
	if n := len(h.sql(`select from public.reservations where org_id = $1`)); n != booked {
		t.Errorf("%d reservations of %d bookings", n, booked)
	}
	if n := h.overlaps(); n != 0 {
		t.Errorf("%d nights are sold twice", n)
	}
	if n := h.deadlocks() - before; n != 0 {
		t.Errorf("%d deadlocks", n)
	}
}

// F-12: groups that name the same rooms in another order: each has all of its
// rooms or none.
func TestGroupsInAnyOrderDoNotMeet(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	var rooms []string
	for i := range 6 {
		rooms = append(rooms, fmt.Sprintf("ROOM-%d", i))
		h.cabin(rooms[i], rooms[i], 1)
	}
	store := hospitality.NewReservations(h.client)
	before := h.deadlocks()
	var wait sync.WaitGroup
	var mu sync.Mutex
	booked := 0
	for i := range 24 {
		wait.Go(func() {
			turned := append(append([]string{}, rooms[i%6:]...), rooms[:i%6]...)
			if i%2 == 1 {
				turned[0], turned[5] = turned[5], turned[0]
			}
			_, err := store.Book(act(t.Context()), h.by, order(day(3, 1+i%3), 3, turned...))
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				booked++
			} else if fault.From(err).Code != "not_available" {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	// Three nights from one of three days: any two share a night, so only one group fits.
	groups := h.sql(`select group_code, count(*)::int as rooms from public.reservations where org_id = $1 group by
		group_code`)
	if booked != 1 || len(groups) != 1 || groups[0]["rooms"] != int32(6) {
		t.Errorf("%d groups booked, stored are %v", booked, groups)
	}
	if n := h.deadlocks() - before; n != 0 {
		t.Errorf("%d deadlocks", n)
	}
}

// F-13: a block and a booking of the same nights: one of them wins.
func TestABookingAndABlockExcludeEachOther(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	store := hospitality.NewReservations(h.client)
	before := h.deadlocks()
	for i := range 8 {
		var wait sync.WaitGroup
		var bookErr, blockErr error
		in := day(3, 1+3*i)
		call, err := h.prepare("block_dates",
			fmt.Sprintf(`{"rooms":["COCO"],"start_date":"%s","end_date":"%s","reason":"maintenance"}`, in,
				in.AddDays(1)))
		if err != nil {
			t.Fatal(err)
		}
		ctx := h.consented(call)
		wait.Go(func() { _, bookErr = store.Book(act(t.Context()), h.by, order(in, 2, "COCO")) })
		wait.Go(func() { _, blockErr = call.Run(ctx, h.by) })
		wait.Wait()
		if (bookErr == nil) == (blockErr == nil) {
			t.Errorf("booking: %v, block: %v", bookErr, blockErr)
		}
		for _, err := range []error{bookErr, blockErr} {
			if err != nil && !fault.Is(err, fault.Conflict) {
				t.Error(err)
			}
		}
	}
	if n := h.overlaps(); n != 0 {
		t.Errorf("%d nights are taken twice", n)
	}
	if n := h.deadlocks() - before; n != 0 {
		t.Errorf("%d deadlocks", n)
	}
}

// The last use of a coupon is given once, by however many callers.
func TestTheLastUseOfACouponIsGivenOnce(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 100)
	h.coupon("LAST", 10, 1)
	store := hospitality.NewReservations(h.client)
	var wait sync.WaitGroup
	var mu sync.Mutex
	given := 0
	for range 100 {
		wait.Go(func() {
			o := order(day(3, 1), 2, "COCO")
			o.Coupon = "LAST"
			_, err := store.Book(act(t.Context()), h.by, o)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				given++
			} else if !strings.Contains(fault.From(err).Message, "used as often as it may be") {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	uses := len(h.sql(`select from public.coupon_uses where org_id = $1`))
	if n := len(h.sql(`select from public.reservations where org_id = $1`)); given != 1 || uses != 1 || n != 1 {
		t.Errorf("given %d times, used %d times by %d bookings", given, uses, n)
	}
}

// F-37: fifty clicks on one yes are one booking, and everybody gets its receipt.
func TestOneYesIsOneBooking(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 3)
	a := h.ask("create_reservation", asha+`}`)
	var wait sync.WaitGroup
	data := make([]string, 50)
	for i := range data {
		wait.Go(func() {
			r, err := a.yes()
			if err != nil {
				t.Error(err)
			}
			data[i] = r.Text + string(r.Data)
		})
	}
	wait.Wait()
	for _, each := range data {
		if each != data[0] {
			t.Errorf("one answer is %s, another %s", data[0], each)
		}
	}
	if n := len(h.sql(`select from public.reservations where org_id = $1`)); n != 1 {
		t.Errorf("there are %d bookings", n)
	}
}

// Everything at once on the same rooms: bookings, moves, cancellations and lapsed
// holds wait for each other in one order and never for ever.
func TestWritersOfAllKindsQueue(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 2)
	h.cabin("BIRCH", "Birch", 2)
	store := hospitality.NewReservations(h.client)
	before := h.deadlocks()
	var wait sync.WaitGroup
	for i := range 16 {
		wait.Go(func() {
			dice := rand.New(rand.NewPCG(16, uint64(i)))
			var mine []string
			for range 6 {
				in := day(3, 1+dice.IntN(12))
				var err error
				switch kind := dice.IntN(4); {
				case kind == 0 || len(mine) == 0:
					o := order(in, 2, []string{"COCO", "BIRCH"}[dice.IntN(2)])
					if dice.IntN(2) == 0 {
						o = order(in, 2, "BIRCH", "COCO")
					}
					hours := 1
					o.HoldHours = &hours
					var list []reservations.Record
					if list, err = store.Book(act(t.Context()), h.by, o); err == nil {
						mine = append(mine, list[0].Code)
					}
				case kind == 1:
					_, err = store.Edit(act(t.Context()), h.by, mine[0], reservations.Changes{CheckIn: in,
						CheckOut: in.AddDays(2), Room: "BIRCH"}, calendar.Date{Year: 2031, Month: 1, Day: 15})
				case kind == 2:
					_, err = store.Cancel(act(t.Context()), h.by, mine[0], "")
					mine = mine[1:]
				default:
					h.sql(`update public.reservations set hold_until = now() - interval '1 second' where org_id =
						$1 and code = $2`, mine[0])
				}
				// Cancelled, lapsed or taken: all of these are answers.
				if err != nil && !fault.Is(err, fault.Conflict) && !fault.Is(err, fault.Unprocessable) {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if n := h.overlaps(); n != 0 {
		t.Errorf("%d nights are sold twice", n)
	}
	if n := h.deadlocks() - before; n != 0 {
		t.Errorf("%d deadlocks", n)
	}
	// I7: what hangs on a booking adds up to it.
	if off := h.sql(`select code from public.reservations r where org_id = $1 and room_total is distinct from
		(select sum(amount) from public.reservation_nights n where n.org_id = r.org_id and n.reservation_id = r.id)`); len(off) != 0 {
		t.Errorf("the nights of %v do not add up", off)
	}
}
