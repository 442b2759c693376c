package checks

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// maxRows is how many rows Supabase answers with at most unless told otherwise.
const maxRows = 1000

// rows asks how tables are read.
func rows() []check {
	return []check{
		{name: "order and pages", says: "Rows come in the order asked for, and pages put together are the whole.",
			run: orderAndPages},
		{name: "embedding to one", says: "A unit brings its room type along, and a filter on it holds.",
			run: embedOne},
		{name: "embedding to many", says: "A room type brings all its units along, ordered.", run: embedMany},
		{name: "count", says: "The exact count stands in Content-Range, with and without rows.", run: count},
		{name: "range", says: "A part is a 206, and a range behind the end a 416.", run: partOfRows},
		{name: "or, in, not, contains", says: "Conditions find the rows that they describe.", run: conditions},
		{name: "arrays", says: "A list contains, and overlaps with, what it does.", run: arrays},
		{name: "one row or none", says: "One row comes as an object; none and several are a 406.", run: oneRow},
		{name: "csv", says: "Rows come as CSV when that is asked for.", run: csvRows},
		{name: "row limit", says: "No answer has more than 1,000 rows.", run: rowLimit},
	}
}

// room is what these checks look at of a room type.
type room struct {
	Code         string      `json:"code"`
	Name         string      `json:"name"`
	WeekdayPrice json.Number `json:"weekday_price"`
	Amenities    []string    `json:"amenities"`
}

const roomColumns = "code,name,weekday_price,amenities"

// rooms returns the room types by code; at least two, or the check is skipped.
func (v *visit) rooms(ctx context.Context, where ...supabase.Cond) ([]room, error) {
	all, err := supabase.Select[room](ctx, v.conn(), v.roomQuery(where...))
	if err == nil && len(where) == 0 && len(all) < 2 {
		err = skip("the property %s has fewer than two room types", v.by.Entity.Key)
	}
	return all, err
}

func (v *visit) roomQuery(where ...supabase.Cond) supabase.Query {
	return supabase.Query{
		Table: "room_types", Columns: roomColumns,
		Where: append([]supabase.Cond{supabase.Eq("entity_id", v.by.Entity.ID)}, where...),
		Order: []supabase.Order{supabase.Asc("code")},
	}
}

// path is the room types of the property for a plain request.
func (v *visit) path(columns string) string {
	return "room_types?select=" + columns + "&entity_id=eq." + v.by.Entity.ID
}

func codes(rooms []room) []string {
	all := make([]string, len(rooms))
	for i, r := range rooms {
		all[i] = r.Code
	}
	return all
}

func orderAndPages(ctx context.Context, v *visit) error {
	if _, err := v.rooms(ctx); err != nil {
		return err
	}
	q := v.roomQuery()
	q.Order = []supabase.Order{supabase.Desc("weekday_price"), supabase.Asc("code")}
	whole, err := supabase.Select[room](ctx, v.conn(), q)
	if err != nil {
		return err
	}
	var wrong error
	falling := slices.IsSortedFunc(whole, func(a, b room) int {
		x, errX := a.WeekdayPrice.Float64() // compared only
		y, errY := b.WeekdayPrice.Float64()
		wrong = cmp.Or(wrong, errX, errY)
		return cmp.Compare(y, x)
	})
	if wrong != nil || !falling {
		return fmt.Errorf("the prices do not fall: %v %w", whole, orNone(wrong))
	}
	var paged []room
	for q.Limit = 2; len(paged) < len(whole); q.Offset += 2 {
		page, err := supabase.Select[room](ctx, v.conn(), q)
		if err != nil {
			return err
		}
		if len(page) == 0 || len(page) > 2 {
			return fmt.Errorf("the page at %d has %d rows", q.Offset, len(page))
		}
		paged = append(paged, page...)
	}
	return same("the pages", codes(paged), codes(whole))
}

// unit is a room with its type.
type unit struct {
	Code string `json:"code"`
	Type *room  `json:"type"`
}

func embedOne(ctx context.Context, v *visit) error {
	types, err := v.rooms(ctx)
	if err != nil {
		return err
	}
	q := supabase.Query{
		Table: "rooms", Columns: "code,type:room_types!inner(" + roomColumns + ")",
		Where: []supabase.Cond{supabase.Eq("entity_id", v.by.Entity.ID)},
	}
	units, err := supabase.Select[unit](ctx, v.conn(), q)
	if err != nil {
		return err
	}
	if len(units) == 0 {
		return skip("there are no units")
	}
	for _, u := range units {
		if u.Type == nil || !slices.Contains(codes(types), u.Type.Code) {
			return fmt.Errorf("unit %s is of the type %+v", u.Code, u.Type)
		}
	}
	a, err := v.read(ctx, "rooms?select=code,type:room_types!inner(code)&type.code=eq."+units[0].Type.Code+
		"&entity_id=eq."+v.by.Entity.ID, nil)
	if err != nil {
		return err
	}
	some, err := a.rows(http.StatusOK)
	if err != nil {
		return err
	}
	want := 0
	for _, u := range units {
		if u.Type.Code == units[0].Type.Code {
			want++
		}
	}
	if len(some) != want {
		return fmt.Errorf("%d units are of type %s, and the filter on the type finds %d", want, units[0].Type.Code,
			len(some))
	}
	return nil
}

func embedMany(ctx context.Context, v *visit) error {
	if _, err := v.rooms(ctx); err != nil {
		return err
	}
	a, err := v.read(ctx, v.path("code,rooms(code,sort)")+"&rooms.order=sort.desc,code", nil)
	if err != nil {
		return err
	}
	if _, err := a.rows(http.StatusOK); err != nil {
		return err
	}
	var types []struct {
		Code  string
		Rooms []struct {
			Code string
			Sort int
		}
	}
	if err := json.Unmarshal(a.body, &types); err != nil {
		return err
	}
	embedded := 0
	for _, t := range types {
		if t.Rooms == nil {
			return fmt.Errorf("type %s brings no list of units", t.Code)
		}
		embedded += len(t.Rooms)
		for i := 1; i < len(t.Rooms); i++ {
			if t.Rooms[i].Sort > t.Rooms[i-1].Sort {
				return fmt.Errorf("the units of %s are not in order: %v", t.Code, t.Rooms)
			}
		}
	}
	a, err = v.read(ctx, "rooms?select=code&entity_id=eq."+v.by.Entity.ID, nil)
	if err != nil {
		return err
	}
	units, err := a.rows(http.StatusOK)
	if err == nil && embedded != len(units) {
		err = fmt.Errorf("the types bring %d units along, and there are %d", embedded, len(units))
	}
	return err
}

func count(ctx context.Context, v *visit) error {
	types, err := v.rooms(ctx)
	if err != nil {
		return err
	}
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		a, err := v.ask(ctx, request{method: method, path: "/rest/v1/" + v.path("code"), token: v.by.Token,
			header: map[string]string{"Prefer": "count=exact"}})
		if err := all(err, a.hasStatus(http.StatusOK)); err != nil {
			return err
		}
		if got, want := a.header.Get("Content-Range"), fmt.Sprintf("0-%d/%d", len(types)-1, len(types)); got != want {
			return fmt.Errorf("%s says Content-Range: %s, and not %s", method, got, want)
		}
		if method == http.MethodHead && len(a.body) > 0 {
			return fmt.Errorf("HEAD has a body: %s", a.excerpt())
		}
	}
	return nil
}

func partOfRows(ctx context.Context, v *visit) error {
	types, err := v.rooms(ctx)
	if err != nil {
		return err
	}
	exact := map[string]string{"Prefer": "count=exact"}
	for query, header := range map[string]map[string]string{
		"&offset=1&limit=1": exact,
		"":                  {"Prefer": "count=exact", "Range": "1-1", "Range-Unit": "items"},
	} {
		want := http.StatusPartialContent
		a, err := v.read(ctx, v.path("code")+"&order=code"+query, header)
		if err != nil {
			return err
		}
		part, err := a.rows(want)
		if err != nil {
			return err
		}
		if got, want := a.header.Get("Content-Range"), fmt.Sprintf("1-1/%d", len(types)); len(part) != 1 ||
			part[0]["code"] != types[1].Code || got != want {
			return fmt.Errorf("the second row is %v with Content-Range: %s, and not %s with %s", part, got,
				types[1].Code, want)
		}
	}
	a, err := v.read(ctx, v.path("code")+"&limit=5&offset="+strconv.Itoa(len(types)+10), exact)
	return all(err, a.isRefusal(http.StatusRequestedRangeNotSatisfiable, "PGRST103"))
}

func conditions(ctx context.Context, v *visit) error {
	types, err := v.rooms(ctx)
	if err != nil {
		return err
	}
	every := codes(types)
	first, last := every[0], every[len(every)-1]
	for what, tc := range map[string]struct {
		where supabase.Cond
		want  []string
	}{
		"or":             {supabase.Or(supabase.Eq("code", first), supabase.Eq("code", last)), []string{first, last}},
		"in":             {supabase.In("code", []string{last, first, "NO-SUCH-CODE"}), []string{first, last}},
		"in of nothing":  {supabase.In("code", []string{}), nil},
		"not in":         {supabase.Not(supabase.In("code", every[1:])), every[:1]},
		"differs":        {supabase.Neq("code", first), every[1:]},
		"is not null":    {supabase.Not(supabase.IsNull("code")), every},
		"is null":        {supabase.IsNull("code"), nil},
		"an or in a not": {supabase.Not(supabase.Or(supabase.Eq("code", first), supabase.In("code", every[1:]))), nil},
	} {
		got, err := v.rooms(ctx, tc.where)
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		if err := same(what, codes(got), tc.want); err != nil {
			return err
		}
	}
	name := []rune(types[0].Name)
	got, err := v.rooms(ctx, supabase.Contains("name", strings.ToUpper(string(name[1:]))))
	if err == nil && !slices.Contains(codes(got), first) {
		err = fmt.Errorf("no name contains %q", string(name[1:]))
	}
	return err
}

func arrays(ctx context.Context, v *visit) error {
	types, err := v.rooms(ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(types, func(r room) bool { return len(r.Amenities) > 0 })
	if i < 0 {
		return skip("no room type lists amenities")
	}
	wanted := types[i].Amenities[0]
	var want []string
	for _, r := range types {
		if slices.Contains(r.Amenities, wanted) {
			want = append(want, r.Code)
		}
	}
	quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(wanted) + `"`
	for operator, list := range map[string]string{"cs": "{" + quoted + "}", "ov": "{" + quoted +
		`,"no such amenity"}`} {
		a, err := v.read(ctx, v.path("code")+"&order=code&amenities="+operator+"."+url.QueryEscape(list), nil)
		if err != nil {
			return err
		}
		found, err := a.rows(http.StatusOK)
		if err != nil {
			return err
		}
		var got []string
		for _, r := range found {
			got = append(got, fmt.Sprint(r["code"]))
		}
		if err := same(operator+" "+list, got, want); err != nil {
			return err
		}
	}
	return nil
}

func oneRow(ctx context.Context, v *visit) error {
	types, err := v.rooms(ctx)
	if err != nil {
		return err
	}
	one, err := supabase.One[room](ctx, v.conn(), v.roomQuery(supabase.Eq("code", types[0].Code)))
	if err != nil {
		return err
	}
	if one.Name != types[0].Name {
		return fmt.Errorf("the one row is %+v and not %+v", one, types[0])
	}
	for what, where := range map[string]supabase.Cond{"none": supabase.Eq("code", "NO-SUCH-CODE"),
		"several": supabase.Not(supabase.IsNull("code"))} {
		_, err = supabase.One[room](ctx, v.conn(), v.roomQuery(where))
		if err := isFault(err, fault.NotFound, "", http.StatusNotAcceptable, "PGRST116"); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	return nil
}

func csvRows(ctx context.Context, v *visit) error {
	types, err := v.rooms(ctx)
	if err != nil {
		return err
	}
	a, err := v.read(ctx, v.path("code")+"&order=code", map[string]string{"Accept": "text/csv"})
	if err := all(err, a.hasStatus(http.StatusOK)); err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSpace(string(a.body)), "\n")
	if !strings.HasPrefix(a.header.Get("Content-Type"), "text/csv") || lines[0] != "code" {
		return fmt.Errorf("it is %s and begins with %q", a.header.Get("Content-Type"), lines[0])
	}
	return same("the lines", lines[1:], codes(types))
}

// rowLimit looks for a table with more rows than one answer may have.
func rowLimit(ctx context.Context, v *visit) error {
	for _, table := range tenantTables() {
		a, err := v.read(ctx, table+"?select=org_id&limit=5000", map[string]string{"Prefer": "count=exact"})
		if err != nil {
			return err
		}
		got, err := a.rows(http.StatusOK, http.StatusPartialContent)
		if err != nil {
			return err
		}
		_, text, _ := strings.Cut(a.header.Get("Content-Range"), "/")
		total, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("the Content-Range of %s is %q", table, a.header.Get("Content-Range"))
		}
		if len(got) != min(total, maxRows) {
			return fmt.Errorf("%s has %d rows, and an answer brought %d", table, total, len(got))
		}
		if total > maxRows {
			return nil
		}
	}
	return skip("no table has more than %d rows", maxRows)
}

func same(what string, got, want []string) error {
	if !slices.Equal(got, want) {
		return fmt.Errorf("%s: got %q and not %q", what, got, want)
	}
	return nil
}
