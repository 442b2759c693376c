package rest

import (
	"errors"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"
)

// statementCache holds the prepared statements of one connection. Statements
// of an older catalogue are dropped, since types may have changed.
type statementCache struct {
	generation uint64
	names      map[string]string
	order      []string
	next       int
	stale      []string
}

const (
	cacheKey  = "bellhop.rest.statements"
	cacheSize = 200
)

func cacheOf(pg *pgconn.PgConn, generation uint64) *statementCache {
	c, ok := pg.CustomData()[cacheKey].(*statementCache)
	if !ok {
		c = &statementCache{generation: generation, names: map[string]string{}}
		pg.CustomData()[cacheKey] = c
	}
	if c.generation != generation {
		for _, name := range c.names {
			c.stale = append(c.stale, name)
		}
		c.generation, c.names, c.order = generation, map[string]string{}, nil
	}
	return c
}

// drop closes what is no longer needed, on the way to the next transaction.
func (c *statementCache) drop(p *pipe) {
	for _, name := range c.stale {
		p.SendDeallocate(name)
		p.waiting = append(p.waiting, waiting{closed: true})
	}
	c.stale = nil
}

func (c *statementCache) add(sql, name string) {
	if len(c.order) >= cacheSize {
		oldest := c.order[0]
		c.order = c.order[1:]
		c.stale = append(c.stale, c.names[oldest])
		delete(c.names, oldest)
	}
	c.names[sql] = name
	c.order = append(c.order, sql)
}

// waiting is something sent whose answer was not read yet.
type waiting struct {
	closed   bool
	prepares string // the SQL text
	name     string
}

// pipe sends queries without waiting and reads their answers in order.
type pipe struct {
	*pgconn.Pipeline
	cache   *statementCache
	waiting []waiting
}

func (p *pipe) send(q query) {
	name, ok := p.cache.names[q.sql]
	w := waiting{}
	if !ok {
		p.cache.next++
		name = "pgrst_" + strconv.Itoa(p.cache.next)
		p.SendPrepare(name, q.sql, nil)
		w = waiting{prepares: q.sql, name: name}
	}
	p.SendQueryPrepared(name, q.args, nil, nil)
	p.waiting = append(p.waiting, w)
}

// plain sends a query that is not worth preparing.
func (p *pipe) plain(q query) {
	p.SendQueryParams(q.sql, q.args, nil, nil, nil)
	p.waiting = append(p.waiting, waiting{})
}

func (p *pipe) receive() ([][][]byte, error) {
	for len(p.waiting) > 0 && p.waiting[0].closed {
		p.waiting = p.waiting[1:]
		if _, err := p.GetResults(); err != nil {
			return nil, err
		}
	}
	w := p.waiting[0]
	p.waiting = p.waiting[1:]
	if w.prepares != "" {
		if _, err := p.GetResults(); err != nil {
			return nil, err
		}
		p.cache.add(w.prepares, w.name)
	}
	results, err := p.GetResults()
	if err != nil {
		return nil, err
	}
	reader, ok := results.(*pgconn.ResultReader)
	if !ok {
		return nil, errors.New("PostgreSQL answered out of order")
	}
	res := reader.Read()
	return res.Rows, res.Err
}
