package checks

import (
	"context"
	"fmt"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// refusals asks how the project says no.
func refusals() []check {
	return []check{
		{name: "no key", says: "Without an API key every part answers 401.", alone: true, run: noKey},
		{name: "wrong key", says: "A key that nobody gave out is a 401.", alone: true, run: wrongKey},
		{name: "nobody", says: "The publishable key alone sees no table and calls no function: 401 with 42501.",
			alone: true, run: nobody},
		{name: "public page", says: "The publishable key alone may ask for public pages: 404 with PT404 where there " +
			"is none.", alone: true, run: publicPage},
		{name: "forged token", says: "A token with another signature is a 401 with PGRST301.", run: forgedToken},
		{name: "unknown table", says: "It is a 404 with PGRST205.", run: unknownTable},
		{name: "unknown column", says: "It is a 400 with 42703, in the columns and in a condition.",
			run: unknownColumn},
		{name: "unknown embedding", says: "A table without a relationship is a 400 with PGRST200.",
			run: unknownEmbedding},
		{name: "forbidden write", says: "A table that is read only for members refuses a row with 403 and 42501.",
			writes: true, run: forbiddenWrite},
		{name: "unknown file", says: "Storage answers, and has no file in a bucket that is not there, by " +
			"whatever path.", run: unknownFile},
		{name: "foreign row", says: "A row for another organisation is refused with 403 and 42501.", writes: true,
			run: foreignRow},
		{name: "write without filter", says: "A change of a whole table is stopped with 21000.", writes: true,
			run: wholeTable},
	}
}

func noKey(ctx context.Context, v *visit) error {
	for _, path := range []string{"/rest/v1/orgs?select=id", "/rest/v1/rpc/whoami", "/auth/v1/user"} {
		a, err := v.ask(ctx, request{path: path, noKey: true})
		if err := all(err, a.isRefusal(http.StatusUnauthorized, "")); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

func wrongKey(ctx context.Context, v *visit) error {
	a, err := v.ask(ctx, request{path: "/rest/v1/orgs?select=id", noKey: true,
		header: map[string]string{"apikey": "sb_publishable_nobody_gave_this_out"}})
	return all(err, a.isRefusal(http.StatusUnauthorized, ""))
}

func nobody(ctx context.Context, v *visit) error {
	for _, table := range append(tenantTables(), "orgs") {
		a, err := v.ask(ctx, request{path: "/rest/v1/" + table + "?select=*&limit=1"})
		if err := all(err, a.isRefusal(http.StatusUnauthorized, "42501")); err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
	}
	a, err := v.ask(ctx, request{path: "/rest/v1/rpc/whoami"})
	return all(err, a.isRefusal(http.StatusUnauthorized, "42501"))
}

func publicPage(ctx context.Context, v *visit) error {
	for _, path := range []string{"public_page?p_site=" + v.mark + "&p_slug=none", "public_site?p_site=" + v.mark} {
		a, err := v.ask(ctx, request{path: "/rest/v1/rpc/" + path})
		if err := all(err, a.isRefusal(http.StatusNotFound, "PT404")); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

func forgedToken(ctx context.Context, v *visit) error {
	by := identity.Caller{Token: forged(v.by.Token)}
	_, err := supabase.Select[room](ctx, v.client.As(by), v.roomQuery())
	return isFault(err, fault.Unauthorized, "", http.StatusUnauthorized, "PGRST301")
}

func unknownTable(ctx context.Context, v *visit) error {
	_, err := supabase.Select[room](ctx, v.conn(), supabase.Query{Table: "no_such_table", Columns: "*"})
	return isFault(err, fault.Internal, "", http.StatusNotFound, "PGRST205")
}

func unknownColumn(ctx context.Context, v *visit) error {
	q := v.roomQuery(supabase.Eq("no_such_column", "x"))
	_, err := supabase.Select[room](ctx, v.conn(), q)
	if err := isFault(err, fault.Internal, "", http.StatusBadRequest, "42703"); err != nil {
		return err
	}
	q = v.roomQuery()
	q.Columns = "code,no_such_column"
	_, err = supabase.Select[room](ctx, v.conn(), q)
	return isFault(err, fault.Internal, "", http.StatusBadRequest, "42703")
}

func unknownEmbedding(ctx context.Context, v *visit) error {
	a, err := v.read(ctx, "room_types?select=code,coupon_uses(code)&limit=1", nil)
	return all(err, a.isRefusal(http.StatusBadRequest, "PGRST200"))
}

// forbiddenWrite asks for what no member is ever granted, so that nothing can
// come of it.
func forbiddenWrite(ctx context.Context, v *visit) error {
	_, err := supabase.Insert[any](ctx, v.conn(), "orgs", "id", map[string]any{"slug": v.mark, "name": v.mark})
	return isFault(err, fault.Forbidden, "", http.StatusForbidden, "42501")
}

func unknownFile(ctx context.Context, v *visit) error {
	for _, path := range []string{"a.txt", "../a.txt", "..%2f..%2fa.txt", "%2e%2e/%2e%2e/bucket"} {
		a, err := v.ask(ctx, request{path: "/storage/v1/object/authenticated/no-such-bucket/" + path,
			token: v.by.Token})
		if err := all(err, a.hasStatus(http.StatusBadRequest, http.StatusNotFound)); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	a, err := v.ask(ctx, request{path: "/storage/v1/bucket", token: v.by.Token})
	if err == nil {
		_, err = a.rows(http.StatusOK)
	}
	return err
}

func foreignRow(ctx context.Context, v *visit) error {
	row := v.extra("foreign")
	row["org_id"] = "00000000-0000-4000-8000-00000000dead"
	_, err := supabase.Insert[extra](ctx, v.conn(), "extras", extraColumns, row)
	return isFault(err, fault.Forbidden, "", http.StatusForbidden, "42501")
}

// wholeTable tries a table that members may not change at all: should the guard
// be missing, the grants still stop it.
func wholeTable(ctx context.Context, v *visit) error {
	for _, method := range []string{http.MethodPatch, http.MethodDelete} {
		q := request{method: method, path: "/rest/v1/orgs", token: v.by.Token}
		if method == http.MethodPatch {
			q.body = map[string]any{"name": v.mark}
		}
		a, err := v.ask(ctx, q)
		if err := all(err, a.isRefusal(http.StatusBadRequest, "21000")); err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
	}
	return nil
}
