// Package supabase holds what a Supabase project is made of: the migrations in
// the official tool's layout and the demo data. The local stack and the tests
// apply the same files.
package supabase

import "embed"

// Files contains migrations/*.sql, to be applied in the order of their names,
// each in one transaction and as the role postgres, and seeds/*.sql, the demo
// data of one domain each, to be applied once after them by the same role, in
// the order of their names.
//
//go:embed migrations/*.sql seeds/*.sql
var Files embed.FS
