package supabase_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
)

// F-13: bookings and blocks of the same nights at once, in rooms named in
// either order: one wins, the others are told who was there, no one deadlocks.
func TestABookingAndABlockDoNotMeet(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	p := newOrg(t, conn, "manager")
	a, b := p.room(t, conn, "COCO"), p.room(t, conn, "OAK")
	for round, nights := range [][2]string{{"2027-05-01", "2027-05-04"}, {"2027-06-01", "2027-06-09"},
		{"2027-07-01", "2027-07-02"}} {
		counts := race(t, 16, func(i int, conn *pgx.Conn) error {
			units, codes := []string{a, b}, []string{"COCO", "OAK"}
			if i%4 > 1 {
				units, codes = []string{b, a}, []string{"OAK", "COCO"}
			}
			return request{claims: p.claims()}.do(t.Context(), conn, func(tx pgx.Tx) error {
				if i%2 == 0 {
					_, err := p.book(context.Background(), tx, nights[0], nights[1], "confirmed", units...)
					return err
				}
				_, err := tx.Exec(context.Background(),
					`select block_dates($1, $2, $3::date, $4::date, 'maintenance')`, p.entity, codes, nights[0],
					nights[1])
				return err
			})
		})
		lost := counts["23P01"] + counts["PT409 booked"] + counts["PT409 already_blocked"]
		if counts[""] != 1 || lost != 15 {
			t.Errorf("round %d: %v", round, counts)
		}
		if n := ask[int](t, conn, `select count(*) from stays where org_id = $1 and period && daterange($2::date,
			$3::date)`, p.org, nights[0], nights[1]); n != 2 {
			t.Errorf("round %d: %d stays", round, n)
		}
	}
}

func TestStrangersAndViewersBlockNothing(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	p := newOrg(t, conn, "manager")
	p.room(t, conn, "COCO")
	const sql = `select block_dates($1, '{COCO}', '2027-05-01', '2027-05-04', 'other')`
	wantState(t, p.colleague(t, conn, "viewer").run(t.Context(), conn, nil, sql, p.entity), "PT403 role_required")
	wantState(t, newOrg(t, conn, "admin").run(t.Context(), conn, nil, sql, p.entity), "PT404 unknown_room")
	wantState(t, p.run(t.Context(), conn, nil, sql, p.entity), "")
	const free = `select unblock_dates($1, '{COCO}', '2027-05-01', '2027-05-04')`
	wantState(t, p.colleague(t, conn, "viewer").run(t.Context(), conn, nil, free, p.entity), "PT403 role_required")
	wantState(t, newOrg(t, conn, "admin").run(t.Context(), conn, nil, free, p.entity), "PT404 unknown_room")
}
