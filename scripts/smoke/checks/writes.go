package checks

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// writes asks how rows are made, changed and removed. All of them are extras
// with the run's mark in their names; the last check removes what is left.
func writes() []check {
	return []check{
		{name: "insert", says: "A row comes back as it is stored, with its code and version 1.", writes: true,
			run: insert},
		{name: "duplicate", says: "A second row with the same code is a 409 with 23505.", writes: true,
			run: duplicate},
		{name: "value out of bounds", says: "What a table's checks forbid is a 400 with 23514.", writes: true,
			run: outOfBounds},
		{name: "update by version", says: "A row changes once; with its old version it changes no more.", writes: true,
			run: updateByVersion},
		{name: "update of several", says: "A change that would hit several rows hits none.", writes: true,
			run: updateSeveral},
		{name: "upsert", says: "A row that is there is merged or left alone, as asked.", writes: true, run: upsert},
		{name: "delete", says: "A removed row is gone, and removing it again is a 406.", writes: true, run: remove},
		{name: "hostile rows", says: "Whatever a name holds, it is stored and found as it is.", writes: true,
			run: hostileRows},
		{name: "effect claimed twice", says: "A write under one key happens once, and its repetition gives the " +
			"same row.", writes: true, proven: true, run: claimedTwice},
		{name: "nothing is left", says: "No row of this run is left.", writes: true, tidies: true, run: nothingLeft},
	}
}

type extra struct {
	Code    string `json:"code"`
	Name    string `json:"name"`
	Version int    `json:"version"`
}

const extraColumns = "code,name,version"

// extra is a row to insert, called by the run's mark and a word.
func (v *visit) extra(word string) map[string]any {
	return map[string]any{"org_id": v.by.OrgID, "entity_id": v.by.Entity.ID, "name": word + v.mark, "price": 1,
		"active": false}
}

func (v *visit) add(ctx context.Context, word string) (extra, error) {
	return supabase.Insert[extra](ctx, v.conn(), "extras", extraColumns, v.extra(word))
}

func (v *visit) extras(where ...supabase.Cond) supabase.Query {
	return supabase.Query{Table: "extras", Columns: extraColumns,
		Where: append(where, supabase.Eq("entity_id", v.by.Entity.ID))}
}

func (v *visit) find(ctx context.Context, where ...supabase.Cond) ([]extra, error) {
	return supabase.Select[extra](ctx, v.conn(), v.extras(where...))
}

func insert(ctx context.Context, v *visit) error {
	x, err := v.add(ctx, "Kite ")
	if err != nil {
		return err
	}
	if want := (extra{Code: "KITE-" + strings.ToUpper(v.mark), Name: "Kite " + v.mark, Version: 1}); x != want {
		return fmt.Errorf("the row is %+v and not %+v", x, want)
	}
	stored, err := supabase.One[extra](ctx, v.conn(), v.extras(supabase.Eq("code", x.Code)))
	if err == nil && stored != x {
		err = fmt.Errorf("the stored row is %+v and not %+v", stored, x)
	}
	return err
}

func duplicate(ctx context.Context, v *visit) error {
	x, err := v.add(ctx, "Twin ")
	if err != nil {
		return err
	}
	again := v.extra("Other ")
	again["code"] = x.Code
	_, err = supabase.Insert[extra](ctx, v.conn(), "extras", extraColumns, again)
	return isFault(err, fault.Conflict, "duplicate", http.StatusConflict, "23505")
}

func outOfBounds(ctx context.Context, v *visit) error {
	row := v.extra("Costly ")
	row["price"] = -1
	_, err := supabase.Insert[extra](ctx, v.conn(), "extras", extraColumns, row)
	return isFault(err, fault.Invalid, "", http.StatusBadRequest, "23514")
}

func updateByVersion(ctx context.Context, v *visit) error {
	x, err := v.add(ctx, "Boat ")
	if err != nil {
		return err
	}
	q := v.extras(supabase.Eq("code", x.Code), supabase.Version(x.Version))
	y, err := supabase.Update[extra](ctx, v.conn(), q, map[string]any{"name": "Ship " + v.mark})
	if err != nil {
		return err
	}
	if want := (extra{Code: x.Code, Name: "Ship " + v.mark, Version: 2}); y != want {
		return fmt.Errorf("the row is %+v and not %+v", y, want)
	}
	_, err = supabase.Update[extra](ctx, v.conn(), q, map[string]any{"name": "Raft " + v.mark})
	return isFault(err, fault.Conflict, "changed", http.StatusNotAcceptable, "PGRST116")
}

func updateSeveral(ctx context.Context, v *visit) error {
	for _, word := range []string{"Pair one ", "Pair two "} {
		if _, err := v.add(ctx, word); err != nil {
			return err
		}
	}
	pair := supabase.In("name", []string{"Pair one " + v.mark, "Pair two " + v.mark})
	_, err := supabase.Update[extra](ctx, v.conn(), v.extras(pair), map[string]any{"price": 2})
	if err := isFault(err, fault.NotFound, "", http.StatusNotAcceptable, "PGRST116"); err != nil {
		return err
	}
	a, err := v.ask(ctx, request{
		method: http.MethodPatch, path: "/rest/v1/extras?name=like.Pair*" + v.mark, body: map[string]any{"price": 2},
		token:  v.by.Token,
		header: map[string]string{"Prefer": "handling=strict, max-affected=1"},
	})
	if err := all(err, a.isRefusal(http.StatusBadRequest, "PGRST124")); err != nil {
		return err
	}
	rows, err := v.find(ctx, pair)
	if err != nil {
		return err
	}
	if len(rows) != 2 || rows[0].Version != 1 || rows[1].Version != 1 {
		return fmt.Errorf("the rows are %+v", rows)
	}
	return nil
}

func upsert(ctx context.Context, v *visit) error {
	x, err := v.add(ctx, "Loft ")
	if err != nil {
		return err
	}
	row := v.extra("Attic ")
	row["code"] = x.Code
	for resolution, want := range map[string][]string{"ignore-duplicates": nil, "merge-duplicates": {"Attic " +
		v.mark}} {
		a, err := v.ask(ctx, request{
			method: http.MethodPost, path: "/rest/v1/extras?select=name&on_conflict=org_id,entity_id,code",
			body: []any{row}, token: v.by.Token,
			header: map[string]string{"Prefer": "return=representation, resolution=" + resolution},
		})
		if err != nil {
			return err
		}
		rows, err := a.rows(http.StatusOK, http.StatusCreated)
		if err != nil {
			return fmt.Errorf("%s: %w", resolution, err)
		}
		var got []string
		for _, r := range rows {
			got = append(got, fmt.Sprint(r["name"]))
		}
		if err := same(resolution, got, want); err != nil {
			return err
		}
	}
	stored, err := supabase.One[extra](ctx, v.conn(), v.extras(supabase.Eq("code", x.Code)))
	if want := (extra{Code: x.Code, Name: "Attic " + v.mark, Version: 2}); err == nil && stored != want {
		err = fmt.Errorf("the row is %+v and not %+v", stored, want)
	}
	return err
}

func remove(ctx context.Context, v *visit) error {
	x, err := v.add(ctx, "Gone ")
	if err != nil {
		return err
	}
	q := v.extras(supabase.Eq("code", x.Code))
	was, err := supabase.Delete[extra](ctx, v.conn(), q)
	if err != nil {
		return err
	}
	if was != x {
		return fmt.Errorf("the removed row is %+v and not %+v", was, x)
	}
	_, err = supabase.Delete[extra](ctx, v.conn(), q)
	return isFault(err, fault.NotFound, "", http.StatusNotAcceptable, "PGRST116")
}

func hostileRows(ctx context.Context, v *visit) error {
	for _, value := range hostileValues() {
		name := value + v.mark
		x, err := v.add(ctx, value)
		if err != nil {
			return fmt.Errorf("insert %q: %w", name, err)
		}
		for what, where := range map[string]supabase.Cond{
			"eq": supabase.Eq("name", name), "in": supabase.In("name", []string{"absent", name}),
			"or": supabase.Or(supabase.Eq("name", name), supabase.Eq("name", "absent")),
		} {
			rows, err := v.find(ctx, where)
			if err != nil {
				return fmt.Errorf("%s %q: %w", what, name, err)
			}
			if len(rows) != 1 || rows[0] != x || x.Name != name {
				return fmt.Errorf("%s %q finds %+v", what, name, rows)
			}
		}
		// A shorter name may be the end of a longer one, so others may be found too.
		rows, err := v.find(ctx, supabase.Contains("name", name))
		if err != nil {
			return fmt.Errorf("contains %q: %w", name, err)
		}
		for _, row := range rows {
			if !strings.Contains(strings.ToLower(row.Name), strings.ToLower(name)) {
				return fmt.Errorf("contains %q finds %q", name, row.Name)
			}
		}
		if len(rows) == 0 {
			return fmt.Errorf("contains %q finds nothing", name)
		}
	}
	return nil
}

func claimedTwice(ctx context.Context, v *visit) error {
	const hash = "5e0c1d2b3a49586776859493a2b1c0df5e0c1d2b3a49586776859493a2b1c0df"
	if len(v.by.Assistants) == 0 {
		return skip("the organisation has no assistant that could act")
	}
	claim := effect.Claim{Key: "act-" + v.mark, ArgsHash: hash, Tool: "smoke", Turn: v.mark,
		Assistant: v.by.Assistants[0]}
	claimed := effect.With(ctx, claim)
	x, err := v.add(claimed, "Once ")
	if err != nil {
		return err
	}
	again, err := v.add(claimed, "Once ")
	if err != nil || again != x {
		return fmt.Errorf("the repetition gives %+v and not %+v: %w", again, x, orNone(err))
	}
	rows, err := v.find(ctx, supabase.Contains("name", "Once "+v.mark))
	if err != nil || len(rows) != 1 {
		return fmt.Errorf("there are %d such rows: %w", len(rows), orNone(err))
	}
	did, err := v.client.Outcome(ctx, v.by, claim.Key)
	if err != nil {
		return err
	}
	if did == nil || did.Tool != "smoke" || len(did.Rows) != 1 || did.Rows[0].Key != x.Code ||
		did.Rows[0].Action != "insert" {
		return fmt.Errorf("what is recorded is %+v", did)
	}
	claim.ArgsHash = strings.Repeat("0", len(hash))
	_, err = v.add(effect.With(ctx, claim), "Other ")
	if f := fault.From(err); f == nil || f.Kind != fault.Conflict || f.Code != "effect_mismatch" {
		return fmt.Errorf("other arguments under the same key end with: %w", orNone(err))
	}
	// An effect without the proof belongs to no caller.
	a, err := v.ask(ctx, request{
		method: http.MethodPost, path: "/rest/v1/extras", body: v.extra("Other "), token: v.by.Token,
		header: map[string]string{"x-bellhop-effect": "own-" + v.mark, "x-bellhop-args": hash,
			"x-bellhop-tool": "smoke"},
	})
	return all(err, a.isRefusal(http.StatusForbidden, "PT403"))
}

// nothingLeft removes every row with the run's mark, also after failures.
func nothingLeft(ctx context.Context, v *visit) error {
	mine := supabase.Contains("name", v.mark)
	left, err := v.find(ctx, mine)
	if err != nil {
		return err
	}
	var failed error
	for _, x := range left {
		if _, err := supabase.Delete[extra](ctx, v.conn(), v.extras(supabase.Eq("code", x.Code), mine)); err != nil {
			failed = errors.Join(failed, fmt.Errorf("remove %s: %w", x.Code, err))
		}
	}
	if left, err = v.find(ctx, mine); err == nil && len(left) > 0 {
		failed = errors.Join(failed, fmt.Errorf("these are left: %+v", left))
	}
	return errors.Join(failed, err)
}
