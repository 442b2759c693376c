// Package invariants holds what must be true in every database of ours after
// whatever happened to it: faults, kills, hostile models. They are SQL, asked
// past all row policies, so that no code of the product judges itself.
package invariants

import (
	"context"
	_ "embed"
	"fmt"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5"
)

//go:embed invariants.sql
var text string

// Invariant is one of them. Query returns a line of text for each breach.
type Invariant struct {
	Name, Promise, Query string
}

// Breach is one way in which an invariant does not hold.
type Breach struct {
	Name, What string
}

// Querier is a connection, a transaction or a pool, as a role that sees all.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

var heading = regexp.MustCompile(`(?m)^-- (I[0-9]+) (.*)\n`)

// All returns the invariants in order.
func All() []Invariant {
	marks := heading.FindAllStringSubmatchIndex(text, -1)
	out := make([]Invariant, len(marks))
	for i, m := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		out[i] = Invariant{Name: text[m[2]:m[3]], Promise: text[m[4]:m[5]], Query: strings.TrimSpace(text[m[1]:end])}
	}
	return out
}

// Check asks all of them. Acknowledged are the turns, or ids of proposals,
// whose writes some client was told are done.
func Check(ctx context.Context, q Querier, acknowledged ...string) ([]Breach, error) {
	if acknowledged == nil {
		acknowledged = []string{}
	}
	var found []Breach
	for _, inv := range All() {
		var args []any
		if strings.Contains(inv.Query, "$1") {
			args = append(args, acknowledged)
		}
		rows, err := q.Query(ctx, inv.Query, args...)
		if err != nil {
			return found, fmt.Errorf("%s: %w", inv.Name, err)
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return found, fmt.Errorf("%s: %w", inv.Name, err)
		}
		for _, line := range lines {
			found = append(found, Breach{Name: inv.Name, What: line})
		}
	}
	return found, nil
}
