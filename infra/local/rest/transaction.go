package rest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// longest bounds a transaction for roles without a statement_timeout.
const longest = 2 * time.Minute

// query is finished SQL with its parameters in text format.
type query struct {
	sql  string
	args [][]byte
}

// job is one request's transaction.
type job struct {
	readOnly bool
	settings []setting // in the order in which they are set
	explain  *query    // asks the planner for its estimate
	main     query
	keep     func(*result) error // an error rolls back and is answered
	rollback bool
}

// result is the one row of the main query.
type result struct {
	total    *int64
	planned  int64
	rows     int64
	body     []byte
	headers  []byte
	status   []byte
	inserted int64
	location []byte
}

// settings lists what a request's transaction knows. Role settings come before
// the role, so that a setting granted to the connecting role can be made.
func (s *Server) settings(st *state, schema string, id identity, r *http.Request, prefer *preferences) ([]setting,
	error) {
	claims, err := json.Marshal(id.claims)
	if err != nil {
		return nil, fmt.Errorf("encode claims: %w", err)
	}
	headers := map[string]string{"host": r.Host}
	for name, values := range r.Header {
		if name != "Cookie" {
			headers[strings.ToLower(name)] = strings.Join(values, ", ")
		}
	}
	cookies := map[string]string{}
	for _, c := range r.Cookies() {
		cookies[c.Name] = c.Value
	}
	headersJSON, _ := json.Marshal(headers)
	cookiesJSON, _ := json.Marshal(cookies)
	path := []string{quote(schema)}
	for _, extra := range s.cfg.ExtraSearchPath {
		path = append(path, quote(extra))
	}
	list := []setting{{"search_path", strings.Join(path, ", ")}}
	list = append(list, st.cat.settings[id.role]...)
	list = append(list, setting{"role", id.role}, setting{"request.jwt.claims", string(claims)},
		setting{"request.method", r.Method}, setting{"request.path", r.URL.Path},
		setting{"request.headers", string(headersJSON)}, setting{"request.cookies", string(cookiesJSON)})
	if prefer.timezone != "" {
		list = append(list, setting{"timezone", prefer.timezone})
	}
	return list, nil
}

// run does the job. What PostgreSQL or keep refuses is rolled back.
func (s *Server) run(ctx context.Context, st *state, j *job) (*result, error) {
	conn, err := s.cfg.Pool.Acquire(ctx)
	if err != nil {
		return nil, &Error{Status: http.StatusServiceUnavailable, Code: "PGRST000",
			Message: "Database connection error. Retrying the connection."}
	}
	defer conn.Release()
	// What has begun is finished, even when the client has gone: PostgREST does
	// so, and a client that retries must cope with a write that happened after all.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), longest)
	defer cancel()
	pg := conn.Conn().PgConn()
	out, err := s.attempt(ctx, pg, st, j)
	if err == nil && j.keep != nil {
		err = j.keep(out)
	}
	end := "COMMIT"
	if err != nil || j.rollback {
		end = "ROLLBACK"
	}
	if pg.TxStatus() != 'I' && !pg.IsClosed() {
		if _, endErr := pg.Exec(ctx, end).ReadAll(); endErr != nil && err == nil {
			err = endErr // a deferred constraint speaks only now
		}
	}
	return out, err
}

// attempt sends the whole transaction up to the main query at once.
func (s *Server) attempt(ctx context.Context, pg *pgconn.PgConn, st *state, j *job) (*result, error) {
	cache := cacheOf(pg, st.generation)
	p := &pipe{Pipeline: pg.StartPipeline(ctx), cache: cache}
	// What went wrong was said by the results; closing repeats it.
	defer func() { _ = p.Close() }()
	cache.drop(p)
	begin := "BEGIN"
	for _, set := range j.settings {
		if set.name == "default_transaction_isolation" {
			begin += " ISOLATION LEVEL " + isolation(set.value)
		}
	}
	if j.readOnly {
		begin += " READ ONLY"
	}
	p.send(query{sql: begin})
	p.send(setAll(j.settings))
	if st.preRequest != "" {
		p.send(query{sql: "SELECT " + st.preRequest + "()"})
	}
	if j.explain != nil {
		p.plain(*j.explain)
	}
	p.send(j.main)
	if j.readOnly {
		// Nothing can be lost: what is refused afterwards has changed nothing.
		p.send(query{sql: "COMMIT"})
	}
	if err := p.Sync(); err != nil {
		return nil, err
	}
	out := &result{planned: -1}
	for range 2 {
		if _, err := p.receive(); err != nil {
			return nil, err
		}
	}
	if st.preRequest != "" {
		if _, err := p.receive(); err != nil {
			return nil, err
		}
	}
	if j.explain != nil {
		rows, err := p.receive()
		if err != nil {
			return nil, err
		}
		if out.planned, err = plannedRows(rows); err != nil {
			return nil, err
		}
	}
	rows, err := p.receive()
	if err != nil {
		return nil, err
	}
	if len(rows) != 1 || len(rows[0]) != 7 {
		return nil, errors.New("the statement gave no result row")
	}
	if j.readOnly {
		if _, err := p.receive(); err != nil {
			return nil, err
		}
	}
	return out, out.read(rows[0])
}

func isolation(value string) string {
	switch strings.ToLower(value) {
	case "serializable":
		return "SERIALIZABLE"
	case "repeatable read":
		return "REPEATABLE READ"
	}
	return "READ COMMITTED"
}

func setAll(settings []setting) query {
	var q query
	parts := make([]string, len(settings))
	for i, set := range settings {
		q.args = append(q.args, []byte(set.name), []byte(set.value))
		parts[i] = fmt.Sprintf("set_config($%d, $%d, true)", 2*i+1, 2*i+2)
	}
	q.sql = "SELECT " + strings.Join(parts, ", ")
	return q
}

func (out *result) read(row [][]byte) error {
	number := func(b []byte) (int64, error) {
		if len(b) == 0 {
			return 0, nil
		}
		return strconv.ParseInt(string(b), 10, 64)
	}
	if row[0] != nil {
		n, err := number(row[0])
		if err != nil {
			return err
		}
		out.total = &n
	}
	var err error
	if out.rows, err = number(row[1]); err != nil {
		return err
	}
	out.body, out.headers, out.status = row[2], row[3], row[4]
	if out.inserted, err = number(row[5]); err != nil {
		return err
	}
	out.location = row[6]
	return nil
}

func plannedRows(rows [][][]byte) (int64, error) {
	var plans []struct {
		Plan struct {
			Rows float64 `json:"Plan Rows"`
		}
	}
	if len(rows) != 1 {
		return 0, errors.New("EXPLAIN gave no plan")
	}
	if err := json.Unmarshal(rows[0][0], &plans); err != nil || len(plans) != 1 {
		return 0, errors.New("EXPLAIN gave an unknown plan")
	}
	return int64(plans[0].Plan.Rows), nil
}
