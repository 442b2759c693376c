// Package rest speaks PostgREST's dialect (version 14) over a real PostgreSQL,
// as an http.Handler. The local stack and the tests use it where production
// uses Supabase's REST API.
//
// One request becomes one SQL statement in one transaction. The way there:
//
//	catalogue   tables, columns, keys, functions and relationships, read once (catalogue*.go, relationships.go)
//	verify      the token's signature and claims, and the role in them (jwt*.go, auth.go, role_claim.go)
//	parse       query string and Prefer header into a syntax tree (parse_*.go, prefer.go)
//	plan        the tree resolved against the catalogue (plan.go, embed_match.go, call_match.go)
//	sql         the plan as SQL; values travel only as $n parameters (sql_*.go)
//	transaction role, claims, pre-request, the statement, commit or rollback (transaction.go)
//	respond     status, headers and body (respond*.go, errors*.go)
//
// README.md lists what it speaks and where it knowingly differs.
package rest
