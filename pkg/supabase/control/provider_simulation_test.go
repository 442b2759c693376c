package control_test

import (
	"slices"
	"strconv"
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
)

// S1-18: a hundred instances that call Duffel as often as they may, over ten minutes, never
// make more calls than its bucket holds and has been given since. Each place is reserved
// ahead, so that ten minutes of places are looked at in a second.
func TestAHundredInstancesKeepASuppliersRate(t *testing.T) {
	t.Parallel()
	const capacity, perSecond, minutes, instances = 10, 5, 10, 100
	org := localtest.NewOrg(t)
	var mu sync.Mutex
	var places []float64 // seconds
	var group errgroup.Group
	group.SetLimit(6)
	for range instances {
		group.Go(func() error {
			for _, row := range localtest.SQL(t,
				`select (extract(epoch from at) + (take ->> 'waitMs')::numeric / 1000)::text as place
				from (select clock_timestamp() as at, app.take_provider($1, 'duffel', 10, 5, 600000) as take
				      from generate_series(1, 32)) s where (take ->> 'taken')::boolean`, org.ID) {
				place, err := strconv.ParseFloat(row["place"].(string), 64)
				if err != nil {
					return err
				}
				mu.Lock()
				places = append(places, place)
				mu.Unlock()
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(places)
	if n := len(places); n < capacity+perSecond*60*minutes || n > instances*32-1 {
		t.Fatalf("%d places were given", n)
	}
	for i, place := range places {
		// A call may be counted where the one before began, a hundredth of a second earlier.
		if most := capacity + perSecond*(place-places[0]+0.01); float64(i+1) > most+1 {
			t.Fatalf("after %.3f s there are %d calls, more than %.1f", place-places[0], i+1, most)
		}
	}
	if last := places[len(places)-1] - places[0]; last < 60*minutes-1 {
		t.Errorf("the last place is after %.0f s", last)
	}
}
