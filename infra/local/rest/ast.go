package rest

// field names a column, possibly with a path into its JSON value.
type field struct {
	name string
	path []jsonStep
}

// jsonStep is one arrow of a JSON path: "->" or, when text is set, "->>".
type jsonStep struct {
	text  bool
	index bool // key is an array position
	key   string
}

type itemKind int

const (
	itemColumn itemKind = iota
	itemEmbed
	itemSpread
)

// selectItem is one element of select: a column, "*", an aggregate, or an
// embedded or spread relation with items of its own.
type selectItem struct {
	kind          itemKind
	field         field
	cast          string
	alias         string
	aggregate     string // count, sum, avg, min, max
	aggregateCast string

	relation string
	hint     string
	inner    bool
	children []selectItem
}

// filter compares one field with a value.
type filter struct {
	field      field
	not        bool
	op         string // as written: eq, in, is, fts …
	quantifier string // any, all
	language   string // of the full text search operators
	value      string
	list       []string // of in
}

// logic is a tree of filters: a leaf, or children joined by and/or.
type logic struct {
	not  bool
	or   bool
	kids []logic
	leaf *filter
}

// orderTerm orders by a field, or by a field of an embedded relation.
type orderTerm struct {
	relation string
	field    field
	desc     bool
	nulls    string // "first", "last" or nothing
}

// window is a slice of the rows. limit is negative when there is none.
type window struct {
	limit  int64
	offset int64
}

// placed is something that applies at a level of the embedding, named by the
// embedded resources that lead to it; an empty path is the top.
type placed[T any] struct {
	path  []string
	value T
}

type argument struct{ name, value string }

// queryString is a parsed query string.
type queryString struct {
	selects     []selectItem
	logic       []placed[logic]
	orders      []placed[[]orderTerm]
	windows     map[string]window // by path joined with dots
	columns     []string          // nil when the parameter is absent
	onConflict  []string
	args        []argument // candidates for function arguments, in order
	filterNames []string   // names of the plain top-level filters
	canonical   string
}
