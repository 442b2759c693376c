package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bellhop-ai/bellhop/infra/local/ledger"
)

// CategoryKey is where a tool's _meta names its category.
const CategoryKey = "ledger.example/category"

// effect is what a tool does to the books.
type effect int

const (
	reads    effect = iota
	writes          // adds or changes
	destroys        // deletes, voids, or tells an authority
)

// tool is one entry of the catalogue.
type tool struct {
	name, category string
	effect         effect
	add            func(*mcp.Server, *Server)
}

// call is one use of a tool. Everything it does is one transaction.
type call struct {
	access
	tx    pgx.Tx
	today time.Time // the company's date, at midnight UTC
}

// result is the answer of a tool: data is encoded as an object.
type result struct {
	text string
	data any
}

// refusal is an error whose text is for the caller.
type refusal struct{ text string }

func (r *refusal) Error() string { return r.text }

func refuse(format string, args ...any) error { return &refusal{fmt.Sprintf(format, args...)} }

// handler does what a tool is for.
type handler[In any] func(ctx context.Context, c *call, in In) (result, error)

// define makes a tool. Its input schema comes from In: a field with omitempty
// may be left out, and nothing but the fields is accepted.
func define[In any](name, category string, e effect, description string, do handler[In]) tool {
	schema, err := jsonschema.For[In](&jsonschema.ForOptions{TypeSchemas: typeSchemas()})
	if err != nil {
		panic(fmt.Sprintf("tool %s: %v", name, err)) // the catalogue is fixed; a test makes it
	}
	no := false
	t := &mcp.Tool{
		Name: name, Description: description, InputSchema: schema, Meta: mcp.Meta{CategoryKey: category},
		Annotations: &mcp.ToolAnnotations{Title: title(name), ReadOnlyHint: e == reads, OpenWorldHint: &no},
	}
	if e != reads {
		destructive := e == destroys
		t.Annotations.DestructiveHint = &destructive
	}
	return tool{name: name, category: category, effect: e, add: func(m *mcp.Server, s *Server) {
		mcp.AddTool(m, t, func(ctx context.Context, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any,
			error) {
			r, err := run(ctx, s, req, e, in, do)
			if err != nil {
				return nil, nil, s.explain(name, err)
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: r.text}}}, r.data, nil
		})
	}}
}

func title(name string) string {
	words := strings.ReplaceAll(name, "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

func run[In any](ctx context.Context, s *Server, req *mcp.CallToolRequest, e effect, in In, do handler[In]) (result,
	error) {
	name := req.Params.Name
	if req.Extra == nil || req.Extra.TokenInfo == nil {
		return result{}, errors.New("the request has no token")
	}
	a, ok := req.Extra.TokenInfo.Extra["access"].(access)
	if !ok {
		return result{}, errors.New("the request has no access")
	}
	if e != reads && a.role == ledger.Viewer {
		return result{}, refuse("Your role in this company is viewer, which allows reading only.")
	}
	c := &call{access: a}
	var r result
	work := func(tx pgx.Tx) error {
		c.tx = tx
		if err := tx.QueryRow(ctx, "select ledger.today($1)", a.companyID).Scan(&c.today); err != nil {
			return fmt.Errorf("read the company's date: %w", err)
		}
		var err error
		if w, ok := any(in).(referenced); ok && e != reads && w.reference() != "" {
			r, err = c.once(ctx, name, w.reference(), in, func() (result, error) { return do(ctx, c, in) })
		} else {
			r, err = do(ctx, c, in)
		}
		return err
	}
	if e == reads {
		err := s.cfg.Ledger.Read(ctx, work)
		return r, err
	}
	err := s.cfg.Ledger.Tx(ctx, a.user, work)
	return r, err
}

// once does a write with a reference, or answers as it answered before.
func (c *call) once(ctx context.Context, name, reference string, in any, do func() (result, error)) (result, error) {
	text, err := json.Marshal(in)
	if err != nil {
		return result{}, fmt.Errorf("encode the input: %w", err)
	}
	sum := sha256.Sum256(text)
	fingerprint := hex.EncodeToString(sum[:])
	// Waits for a transaction that is using the reference.
	tag, err := c.tx.Exec(ctx, `insert into ledger.calls (company_id, reference, tool, fingerprint)
		values ($1, $2, $3, $4) on conflict do nothing`, c.companyID, reference, name, fingerprint)
	if err != nil {
		return result{}, fmt.Errorf("claim a reference: %w", err)
	}
	if tag.RowsAffected() == 0 {
		var tool, print, said string
		var data json.RawMessage
		err := c.tx.QueryRow(ctx, `select tool, fingerprint, text, data from ledger.calls
			where company_id = $1 and reference = $2`, c.companyID, reference).Scan(&tool, &print, &said, &data)
		if err != nil {
			return result{}, fmt.Errorf("read what a reference did: %w", err)
		}
		if tool != name || print != fingerprint {
			return result{}, refuse("The reference %s was used for something else.", reference)
		}
		return result{said, data}, nil
	}
	r, err := do()
	if err != nil {
		return result{}, err
	}
	data, err := json.Marshal(r.data)
	if err != nil {
		return result{}, fmt.Errorf("encode an answer: %w", err)
	}
	_, err = c.tx.Exec(ctx, "update ledger.calls set text = $3, data = $4 where company_id = $1 and reference = $2",
		c.companyID, reference, r.text, data)
	if err != nil {
		return result{}, fmt.Errorf("note what a reference did: %w", err)
	}
	return r, nil
}

// explain is what the caller is told of an error.
func (s *Server) explain(name string, err error) error {
	if r, ok := errors.AsType[*refusal](err); ok {
		return r
	}
	if e, ok := errors.AsType[*ledger.Error](err); ok {
		return errors.New(e.Sentence)
	}
	s.cfg.Log("ledger: %s: %v", name, err)
	return refuse("The books could not be reached or changed just now. Nothing was recorded.")
}

// object runs a query that returns one JSON value; null is a refusal with the
// words of missing.
func (c *call) object(ctx context.Context, missing, query string, args ...any) (json.RawMessage, error) {
	var v json.RawMessage
	err := c.tx.QueryRow(ctx, query, args...).Scan(&v)
	if errors.Is(err, pgx.ErrNoRows) || (err == nil && v == nil) {
		return nil, refuse("%s", missing)
	}
	return v, err
}

// rows is a query's rows as an array of objects.
func (c *call) rows(ctx context.Context, query string, args ...any) (json.RawMessage, error) {
	return c.object(ctx, "", "select coalesce(jsonb_agg(to_jsonb(r)), '[]') from ("+query+") r", args...)
}

// make calls a function of schema ledger that takes the company and the input
// as JSON, and answers with an object.
func (c *call) make(ctx context.Context, function string, in any) (json.RawMessage, error) {
	text, err := json.Marshal(in)
	if err != nil {
		return nil, fmt.Errorf("encode the input: %w", err)
	}
	return c.object(ctx, "There is no such thing.", "select ledger."+function+"($1, $2)", c.companyID, text)
}

// change calls a function of schema ledger that takes the company, an id and
// the input as JSON, and answers with an object.
func (c *call) change(ctx context.Context, function string, id uuid.UUID, in any) (json.RawMessage, error) {
	text, err := json.Marshal(in)
	if err != nil {
		return nil, fmt.Errorf("encode the input: %w", err)
	}
	return c.object(ctx, "There is no such thing.", "select ledger."+function+"($1, $2, $3)", c.companyID, id, text)
}

// id is the one value of a query.
func (c *call) id(ctx context.Context, query string, args ...any) (uuid.UUID, error) {
	var id uuid.UUID
	err := c.tx.QueryRow(ctx, query, args...).Scan(&id)
	return id, err
}

// period is the days from and to; without them the financial year up to today.
func (c *call) period(p Period) (from, to string, err error) {
	year := c.today.Year()
	if c.today.Month() < time.April {
		year--
	}
	from, to = p.From.or(time.Date(year, time.April, 1, 0, 0, 0, 0, time.UTC)), p.To.or(c.today)
	if err := errors.Join(checkDate("from", p.From), checkDate("to", p.To)); err != nil {
		return "", "", err
	}
	if from > to {
		return "", "", refuse("The period ends (%s) before it begins (%s).", to, from)
	}
	return from, to, nil
}

// day is a date, or today.
func (c *call) day(name string, d Date) (string, error) { return d.or(c.today), checkDate(name, d) }

// field is a member of an object as text, empty when it has none.
func field(object json.RawMessage, name string) string {
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil {
		return ""
	}
	var s string
	if json.Unmarshal(members[name], &s) == nil {
		return s
	}
	return string(members[name])
}

// one is an answer with one record under its noun.
func one(noun string, object json.RawMessage, format string, args ...any) result {
	return result{fmt.Sprintf(format, args...), map[string]any{noun: object}}
}
