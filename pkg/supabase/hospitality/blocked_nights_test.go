package hospitality_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// S0-35, S0-46: whatever is blocked and freed in whatever order, exactly the
// nights are blocked that a set of (room, night) says.
func TestBlocksAreASetOfNights(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	for _, c := range []string{"ASH", "ELM", "FIR"} {
		h.cabin(c, c+" cabin", 1)
	}
	h.book("2031-02-10", "2031-02-12", "confirmed", 100, 0, "ELM")
	booked := map[string]bool{"ELM 2031-02-10": true, "ELM 2031-02-11": true}
	blocked := map[string]bool{}
	random := rand.New(rand.NewPCG(35, 46))
	first := mustDate(t, "2031-02-01")
	for step := range 120 {
		var units, wanted []string
		for _, c := range []string{"ASH", "ELM", "FIR"} {
			if random.IntN(2) == 0 {
				units = append(units, c)
			}
		}
		wanted = units
		if len(units) == 0 {
			units, wanted = []string{"ASH", "ELM", "FIR"}, []string{"ALL"}
		}
		from := first.AddDays(random.IntN(20))
		last := from.AddDays(random.IntN(6))
		name, clash, changes := "block_dates", false, 0
		if random.IntN(2) == 0 {
			name = "unblock_dates"
		}
		var nights []string
		for _, u := range units {
			for d := from; !d.After(last); d = d.AddDays(1) {
				night := u + " " + d.String()
				nights = append(nights, night)
				clash = clash || booked[night]
				if blocked[night] != (name == "block_dates") {
					changes++
				}
			}
		}
		arguments := map[string]any{"rooms": wanted, "start_date": from.String(), "end_date": last.String()}
		if name == "block_dates" {
			arguments["reason"] = "maintenance"
		}
		raw, _ := json.Marshal(arguments)
		_, shown := h.preview(name, string(raw))
		_, err := h.run(name, string(raw))
		possible := changes > 0 && !(name == "block_dates" && clash)
		if (err == nil) != possible || (shown == nil) != possible {
			t.Fatalf("step %d: %s %s: preview %v, run %v; possible is %v", step, name, raw, shown, err, possible)
		}
		if possible {
			for _, night := range nights {
				blocked[night] = name == "block_dates"
			}
		}
		var want []string
		for night, is := range blocked {
			if is {
				want = append(want, night)
			}
		}
		slices.Sort(want)
		var got []string
		for _, row := range h.sql(`select u.code || ' ' || n::date as night from public.stays s
			join public.rooms u on u.id = s.room_id
			join public.blocked_dates b on b.id = s.block_id and daterange(b.starts_on, b.ends_on) = s.period,
			generate_series(lower(s.period)::timestamp, upper(s.period)::timestamp - interval '1 day', interval
				'1 day') n
			where s.org_id = $1 and s.kind = 'block' and s.active order by 1`) {
			got = append(got, row["night"].(string))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("step %d: %s %s (-want +got):\n%s", step, name, raw, diff)
		}
	}
	if n := h.sql(`select from public.blocked_dates b where org_id = $1 and not exists (select from public.stays s
		where s.block_id = b.id)`); len(n) != 0 {
		t.Errorf("%d blocks hold no room", len(n))
	}
}

// F-13: people book and block the same nights at once, each with consent. One
// of them gets the nights; the others are told that they are taken.
func TestBookingAndBlockingAtOnce(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	for round := range 4 {
		in := mustDate(t, "2031-03-03").AddDays(10 * round)
		type act struct {
			call tool.Call
			ctx  context.Context
		}
		var acts []act
		for i := range 8 {
			name, arguments := "block_dates",
				fmt.Sprintf(`{"rooms":["COCO"],"start_date":"%s","end_date":"%s","reason":"other"}`, in, in.AddDays(2))
			if i%2 == 0 {
				name = "create_reservation"
				arguments = fmt.Sprintf(`{"room":"COCO","check_in":"%s","check_out":"%s","guest_name":"Guest %d",`+
					`"adults":2}`, in.AddDays(1), in.AddDays(3), i)
			}
			call, err := h.prepare(name, arguments)
			if err != nil {
				t.Fatal(err)
			}
			acts = append(acts, act{call, h.consented(call)})
		}
		errs := make([]error, len(acts))
		var wait sync.WaitGroup
		for i, a := range acts {
			wait.Go(func() { _, errs[i] = a.call.Run(a.ctx, h.by) })
		}
		wait.Wait()
		done := 0
		for _, err := range errs {
			if err == nil {
				done++
			} else if !fault.Is(err, fault.Conflict) {
				t.Errorf("round %d: %v", round, err)
			}
		}
		taken := h.sql(`select kind from public.stays where org_id = $1 and active and period &&
			daterange($2::text::date, $2::text::date + 4)`, in.String())
		if done != 1 || len(taken) != 1 {
			t.Errorf("round %d: %d were done, and %v take the nights", round, done, taken)
		}
	}
}
