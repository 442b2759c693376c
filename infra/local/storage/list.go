package storage

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// maxList is how many entries one answer holds at most.
const maxList = 1500

// entry is an object in a listing, or a folder, which has nothing but a name.
type entry struct {
	Name           string     `json:"name"`
	ID             *uuid.UUID `json:"id"`
	UpdatedAt      *time.Time `json:"updated_at"`
	CreatedAt      *time.Time `json:"created_at"`
	LastAccessedAt *time.Time `json:"last_accessed_at"`
	Metadata       *metadata  `json:"metadata"`
}

// listSQL finds what begins with the prefix ($2) and the search text ($3),
// whatever the case, up to the next slash. Names are relative to the prefix.
const listSQL = `
with found as (
  select *, substr(name, length($2::text || $3) + 1) as rest, substr(name, length($2::text) + 1) as relative
  from storage.objects
  where bucket_id = $1 and starts_with(lower(name), lower($2::text || $3))
), entries as (
  select relative as name, id, updated_at, created_at, last_accessed_at, metadata
  from found where strpos(rest, '/') = 0
  union all
  select min(left(relative, length($3::text) + strpos(rest, '/') - 1)), null, null, null, null, null
  from found where strpos(rest, '/') > 0
  group by lower(left(relative, length($3::text) + strpos(rest, '/') - 1))
)
select * from entries order by %s limit $4 offset $5`

func (s *Server) list(w http.ResponseWriter, r *http.Request, bucket string) error {
	by, err := s.callerOf(r)
	if err != nil {
		return err
	}
	in := struct {
		Prefix *string `json:"prefix"`
		Search string  `json:"search"`
		Limit  int     `json:"limit"`
		Offset int     `json:"offset"`
		SortBy struct {
			Column string `json:"column"`
			Order  string `json:"order"`
		} `json:"sortBy"`
	}{Limit: 100}
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	if in.Prefix == nil {
		return refuse(http.StatusBadRequest, "Error", "body must have required property 'prefix'")
	}
	if in.Limit < 1 || in.Offset < 0 {
		return refuse(http.StatusBadRequest, "Error", "body/limit must be >= 1 and body/offset >= 0")
	}
	prefix := *in.Prefix
	if prefix != "" && !strings.HasSuffix(prefix, "/") {
		prefix += "/"
	}
	var entries []entry
	err = s.transact(r.Context(), by, func(db *transaction) error {
		rows, err := db.Query(r.Context(), fmt.Sprintf(listSQL, listOrder(in.SortBy.Column, in.SortBy.Order)),
			bucket, prefix, in.Search, min(in.Limit, maxList), in.Offset)
		if err != nil {
			return err
		}
		entries, err = pgx.CollectRows(rows, pgx.RowToStructByPos[entry])
		return err
	})
	if err != nil {
		return err
	}
	if entries == nil {
		entries = []entry{}
	}
	return reply(w, entries)
}

// listOrder returns an order clause made of our own words. By name, folders
// and objects mix; otherwise folders come first.
func listOrder(column, order string) string {
	direction := "asc"
	if strings.EqualFold(order, "desc") {
		direction = "desc"
	}
	byName := `lower(name) collate "C" ` + direction + `, name collate "C" ` + direction
	switch column = strings.ToLower(column); column {
	case "updated_at", "created_at", "last_accessed_at":
		return "id is not null, " + column + " " + direction + ", " + byName
	}
	return byName
}
