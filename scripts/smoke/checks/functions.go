package checks

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// functions asks how SQL functions are called and how they refuse.
func functions() []check {
	return []check{
		{name: "function by GET", says: "A reading function gives the rows of the property's room types.",
			run: functionByGet},
		{name: "function by POST", says: "The same function gives the same by POST.", run: functionByPost},
		{name: "function without rows", says: "A null comes as a null, and a list that is empty as an empty list.",
			run: emptyResults},
		{name: "unknown function", says: "It is a 404 with PGRST202, by GET and by POST.", run: unknownFunction},
		{name: "wrong argument name", says: "It is a 404 with PGRST202, by GET and by POST.", run: wrongName},
		{name: "wrong argument value", says: "It is a 400 with the SQLSTATE of the conversion.", run: wrongValue},
		{name: "raised 422", says: "SQLSTATE PT422 sets the status, and message and detail arrive.", run: raised422},
		{name: "raised 404", says: "SQLSTATE PT404 sets the status.", run: raised404},
		{name: "no proof", says: "What the project keeps for functions is closed to a member's own token: 403 " +
			"with PT403.", run: noProof},
		{name: "proof", says: "The functions' keys open it, and a used proof does not.", proven: true, run: proof},
		{name: "writing by GET", says: "A function that writes is stopped by GET with 405.", run: writingByGet},
		{name: "private function", says: "What is not in the exposed schema does not exist.", run: privateFunction},
	}
}

// stay is one row of availability.
type stay struct {
	RoomCode string          `json:"room_code"`
	RoomName string          `json:"room_name"`
	Units    int             `json:"units"`
	Free     int             `json:"free_units"`
	Bookings json.RawMessage `json:"bookings"`
}

func (v *visit) nights(from, to string) supabase.Args {
	return supabase.Args{"p_entity": v.by.Entity.ID, "p_from": from, "p_to": to}
}

func functionByGet(ctx context.Context, v *visit) error {
	if _, err := v.rooms(ctx); err != nil {
		return err
	}
	got, err := supabase.Read[[]stay](ctx, v.conn(), "availability", v.nights("2035-03-01", "2035-03-04"))
	if err != nil {
		return err
	}
	want, err := v.rooms(ctx, supabase.IsTrue("active"))
	if err != nil {
		return err
	}
	if len(got) != len(want) {
		return fmt.Errorf("there are %d room types, and availability tells of %d", len(want), len(got))
	}
	for _, s := range got {
		if s.RoomCode == "" || s.Free > s.Units || len(s.Bookings) == 0 || s.Bookings[0] != '[' {
			return fmt.Errorf("a row is %+v", s)
		}
	}
	return nil
}

func functionByPost(ctx context.Context, v *visit) error {
	args := v.nights("2035-03-01", "2035-03-04")
	byGet, err := supabase.Read[[]stay](ctx, v.conn(), "availability", args)
	if err != nil {
		return err
	}
	a, err := v.ask(ctx, request{method: http.MethodPost,
		path: "/rest/v1/rpc/availability?select=room_code&limit=1000", token: v.by.Token, body: args})
	if err != nil {
		return err
	}
	byPost, err := a.rows(http.StatusOK)
	if err != nil {
		return err
	}
	var one, other []string
	for _, s := range byGet {
		one = append(one, s.RoomCode)
	}
	for _, r := range byPost {
		other = append(other, fmt.Sprint(r["room_code"]))
	}
	return same("by POST", other, one)
}

func emptyResults(ctx context.Context, v *visit) error {
	did, err := v.client.Outcome(ctx, v.by, v.mark+"-never-done")
	if err != nil {
		return err
	}
	if did != nil {
		return fmt.Errorf("something was done under a key that nobody used: %+v", did)
	}
	rows, err := supabase.Read[[]stay](ctx, v.conn(), "availability", supabase.Args{"p_entity": uuid.NewString(),
		"p_from": "2035-03-01", "p_to": "2035-03-04"})
	if err != nil {
		return err
	}
	if rows == nil || len(rows) > 0 {
		return fmt.Errorf("a property that nobody has gives %v", rows)
	}
	return nil
}

// bothWays calls a function by GET and by POST and wants the same refusal.
func (v *visit) bothWays(ctx context.Context, function string, args map[string]string, status int, code string) error {
	query := url.Values{}
	for name, value := range args {
		query.Set(name, value)
	}
	for _, q := range []request{
		{method: http.MethodGet, path: "/rest/v1/rpc/" + function + "?" + query.Encode(), token: v.by.Token},
		{method: http.MethodPost, path: "/rest/v1/rpc/" + function, body: args, token: v.by.Token},
	} {
		a, err := v.ask(ctx, q)
		if err := all(err, a.isRefusal(status, code)); err != nil {
			return fmt.Errorf("by %s: %w", q.method, err)
		}
	}
	return nil
}

func unknownFunction(ctx context.Context, v *visit) error {
	if err := v.bothWays(ctx, "no_such_function", nil, http.StatusNotFound, "PGRST202"); err != nil {
		return err
	}
	_, err := supabase.Call[any](ctx, v.conn().Control(), "no_such_function", supabase.Args{})
	return isFault(err, fault.Internal, "", http.StatusNotFound, "PGRST202")
}

func wrongName(ctx context.Context, v *visit) error {
	return v.bothWays(ctx, "availability", map[string]string{"p_property": v.by.Entity.ID}, http.StatusNotFound,
		"PGRST202")
}

func wrongValue(ctx context.Context, v *visit) error {
	args := v.nights("the day after tomorrow", "2035-03-04")
	_, err := supabase.Read[[]stay](ctx, v.conn(), "availability", args)
	if err := isFault(err, fault.Invalid, "", http.StatusBadRequest, "22007"); err != nil {
		return fmt.Errorf("a date: %w", err)
	}
	args = v.nights("2035-03-01", "2035-03-04")
	args["p_entity"] = "my hotel"
	_, err = supabase.Call[[]stay](ctx, v.conn(), "availability", args)
	if err := isFault(err, fault.Invalid, "", http.StatusBadRequest, "22P02"); err != nil {
		return fmt.Errorf("a uuid: %w", err)
	}
	return nil
}

func raised422(ctx context.Context, v *visit) error {
	_, err := supabase.Read[[]stay](ctx, v.conn(), "availability", v.nights("2035-03-04", "2035-03-01"))
	if err := isFault(err, fault.Unprocessable, "invalid_dates", http.StatusUnprocessableEntity, "PT422"); err != nil {
		return err
	}
	if f := fault.From(err); f.Message != "The departure must be 1 to 730 nights after the arrival." {
		return fmt.Errorf("the detail arrives as %q", f.Message)
	}
	return nil
}

func raised404(ctx context.Context, v *visit) error {
	_, err := supabase.Read[json.RawMessage](ctx, v.conn(), "conversation_details",
		supabase.Args{"p_id": uuid.NewString()})
	return isFault(err, fault.NotFound, "conversation_not_found", http.StatusNotFound, "PT404")
}

func noProof(ctx context.Context, v *visit) error {
	a, err := v.ask(ctx, request{method: http.MethodPost, path: "/rest/v1/rpc/turn_begin", token: v.by.Token,
		body: turn(v.mark, 0)})
	return all(err, a.isRefusal(http.StatusForbidden, "PT403"))
}

func proof(ctx context.Context, v *visit) error {
	// Refused for its lease, before anything is written.
	_, err := supabase.Call[any](ctx, v.conn().Control(), "turn_begin", turn(v.mark, 0))
	if err := isFault(err, fault.Unprocessable, "no_time_left", http.StatusUnprocessableEntity, "PT422"); err != nil {
		return err
	}
	prover, err := supabase.NewProver(v.target.ProofKeys, time.Now, rand.Reader)
	if err != nil {
		return err
	}
	once, err := prover.Prove(v.by.UserID, v.by.OrgID, http.MethodPost, "/rpc/turn_stop", nil)
	if err != nil {
		return err
	}
	stop := request{
		method: http.MethodPost, path: "/rest/v1/rpc/turn_stop", token: v.by.Token,
		body:   map[string]string{"p_thread": v.mark},
		header: map[string]string{supabase.ProofHeader: once},
	}
	a, err := v.ask(ctx, stop)
	if err := all(err, a.hasStatus(http.StatusOK)); err != nil {
		return err
	}
	a, err = v.ask(ctx, stop)
	return all(err, a.isRefusal(http.StatusForbidden, "PT403"))
}

func writingByGet(ctx context.Context, v *visit) error {
	if !v.by.Role.Writes() {
		return skip("a %s may not write", v.by.Role)
	}
	query := url.Values{"p_entity": {v.by.Entity.ID}, "p_extra": {fmt.Sprintf(`{"name":%q,"price":1}`, v.mark)}}
	a, err := v.read(ctx, "rpc/create_extra?"+query.Encode(), nil)
	if err := all(err, a.isRefusal(http.StatusMethodNotAllowed, "25006")); err != nil {
		return err
	}
	_, err = supabase.Call[any](effect.ReadOnly(ctx), v.conn(), "turn_begin", turn(v.mark, 1000))
	if !fault.Is(err, fault.Internal) {
		return fmt.Errorf("in a reading context the adapter ends with: %w", orNone(err))
	}
	return nil
}

func turn(mark string, lease int) supabase.Args {
	return supabase.Args{"p_turn": mark, "p_fingerprint": mark, "p_assistant": "smoke", "p_thread": mark,
		"p_lease_ms": lease}
}

func privateFunction(ctx context.Context, v *visit) error {
	if err := v.bothWays(ctx, "pre_request", nil, http.StatusNotFound, "PGRST202"); err != nil {
		return err
	}
	a, err := v.ask(ctx, request{method: http.MethodPost, path: "/rest/v1/rpc/pre_request", token: v.by.Token,
		body: struct{}{}, header: map[string]string{"Content-Profile": "app"}})
	return all(err, a.isRefusal(http.StatusNotAcceptable, "PGRST106"))
}
