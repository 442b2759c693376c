package supabase_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
)

// F-49: the same webhook many times at once is new to exactly one, and a day
// later it is new again.
func TestAWebhookIsNewOnce(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	seen := func(conn *pgx.Conn, source, id string) (again bool, err error) {
		err = request{role: "service_role", claims: `{"role":"service_role"}`}.do(t.Context(), conn,
			func(tx pgx.Tx) error {
				return tx.QueryRow(t.Context(), `select public.webhook_seen($1, $2)`, source, id).Scan(&again)
			})
		return again, err
	}
	fresh := make(chan bool, 20)
	race(t, 20, func(_ int, conn *pgx.Conn) error {
		again, err := seen(conn, "test", "msg_1")
		fresh <- !again
		return err
	})
	close(fresh)
	n := 0
	for f := range fresh {
		if f {
			n++
		}
	}
	if n != 1 {
		t.Errorf("it was new to %d", n)
	}
	if again, err := seen(conn, "another", "msg_1"); err != nil || again {
		t.Errorf("of another sender: %v, %v", again, err)
	}
	exec(t, conn, `update public.webhook_ids set at = clock_timestamp() - interval '25 hours' where source = 'test'`)
	for _, want := range []bool{false, true} {
		if again, err := seen(conn, "test", "msg_1"); err != nil || again != want {
			t.Errorf("a day later: %v, %v", again, err)
		}
	}
	p := newOrg(t, conn, "admin")
	wantState(t, p.run(t.Context(), conn, nil, `select public.webhook_seen('test', 'msg_2')`), "42501")
}
