package rest

import (
	"maps"
	"slices"
)

// name2 is a name within a schema.
type name2 struct{ schema, name string }

// catalogue is what the planner knows of the database. It is built once and
// never changed; Reload replaces it.
type catalogue struct {
	tables    map[name2]*table
	relations map[name2][]*relationship // of exposed tables and views, by origin
	functions map[name2][]*function
	zones     map[string]bool
	settings  map[string][]setting // by role
}

type setting struct{ name, value string }

type table struct {
	name2
	oid        uint32
	view       bool
	columns    []*column
	byName     map[string]*column
	primary    []string
	uniques    [][]string
	insertable bool
	updatable  bool
	deletable  bool
}

type column struct {
	name   string
	number int16
	kind   string // full type, schema-qualified outside pg_catalog
	base   string // the type under a domain, without modifiers
	preset string // SQL of the default, or empty
}

type cardinality int

const (
	manyToOne cardinality = iota
	oneToMany
	oneToOne
	manyToMany
)

func (c cardinality) String() string {
	return [...]string{"many-to-one", "one-to-many", "one-to-one", "many-to-many"}[c]
}

type columnPair struct{ from, to string }

// relationship leads from one table or view to another.
type relationship struct {
	from, to   *table
	kind       cardinality
	constraint string
	pairs      []columnPair // of from and to; for many-to-many of from and junction
	junction   *table
	farPairs   []columnPair // of junction and to
	farName    string       // the junction's second constraint
	self       bool

	// A computed relationship is a function from a row to rows.
	function *function
}

func (r *relationship) toOne() bool { return r.kind == manyToOne || r.kind == oneToOne }

type function struct {
	name2
	params   []parameter
	variadic bool
	volatile string // v, s, i
	setOf    bool
	void     bool
	scalar   bool   // neither a row type nor a record whose columns are declared
	table    name2  // the table whose row type it returns, if any
	kind     string // the returned type
	rows     float64
	timeout  string // statement_timeout that the function sets for itself
	unnamed  bool   // a single parameter without a name
	media    string // the media type that the returned domain is named after, if any
	binary   bool   // that domain is of bytes
}

type parameter struct {
	name     string
	kind     string
	required bool
	variadic bool
}

func (t *table) column(name string) *column { return t.byName[name] }

func (c *catalogue) table(schema, name string) *table { return c.tables[name2{schema, name}] }

func (c *catalogue) tableNames(schema string) []string {
	var names []string
	for n := range c.tables {
		if n.schema == schema {
			names = append(names, n.name)
		}
	}
	slices.Sort(names)
	return names
}

func (c *catalogue) functionNames(schema string) []string {
	var names []string
	for _, n := range slices.Collect(maps.Keys(c.functions)) {
		if n.schema == schema {
			names = append(names, n.name)
		}
	}
	slices.Sort(names)
	return names
}
