package supabase

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/rawjson"
)

// Args are the arguments of a SQL function by name. Leave out what has a
// default: Read cannot send a null.
type Args map[string]any

// Read calls a SQL function that changes nothing: it must be declared stable or
// immutable. It is sent again when the trouble looks passing. Values are
// strings, numbers, truths, dates, lists of strings and json.RawMessage.
//
// While a preview is made (effect.Record) the question is kept with its answer.
// In an act that follows a preview (effect.Known) the same question has the same
// answer, without a request.
func Read[T any](ctx context.Context, c Conn, function string, args Args) (T, error) {
	var out T
	texts := make(map[string]string, len(args))
	looksLikeFilter := false
	for name, value := range args {
		document, whole := value.(json.RawMessage)
		if whole {
			texts[name], looksLikeFilter = string(document), true // a document may hold anything
			continue
		}
		text, err := plain(value)
		if err != nil {
			return out, fmt.Errorf("argument %s of %s: %w", name, function, err)
		}
		texts[name] = text
		looksLikeFilter = looksLikeFilter || strings.Contains(text, ".")
	}
	d := c.transport(ctx, mediaJSON)
	record := effect.Recording(ctx)
	if answer, ok := effect.Answer(ctx, function, texts); ok && !c.control {
		err := d.decode(answer, function, &out)
		return out, err
	}
	if record == nil || c.control {
		err := d.ask(function, args, texts, looksLikeFilter, &out)
		return out, err
	}
	d.recorded = true
	var answer json.RawMessage
	err := d.ask(function, args, texts, looksLikeFilter, &answer)
	if err == nil {
		record.Add(effect.Read{Function: function, Arguments: texts, Answer: answer})
		err = d.decode(answer, function, &out)
	}
	if err != nil {
		record.Fail(err)
	}
	return out, err
}

// ask sends the request of Read.
func (t *transport) ask(function string, args Args, texts map[string]string, byPost bool, v any) error {
	// By GET the database runs any function in a read-only transaction. But
	// there PostgREST takes an argument such as "eq.5" for a filter on the
	// result, and nothing can quote it. Such a text goes by POST, which runs a
	// stable function in a read-only transaction just the same.
	if !byPost {
		query := url.Values{}
		for name, text := range texts {
			query.Set(name, text)
		}
		return t.function(http.MethodGet, function, query, nil, v)
	}
	body, err := encode(args)
	if err != nil {
		return fmt.Errorf("encode the arguments of %s: %w", function, err)
	}
	t.reads = true
	return t.function(http.MethodPost, function, nil, body, v)
}

// Call calls a SQL function that changes something, by POST. Under a claim it
// happens once; a second call is a fault.Conflict error with the code
// "effect_claimed", unless again says how to make the result of what the first
// one wrote.
func Call[T any](ctx context.Context, c Conn, function string, args Args, again ...func(effect.Outcome) (T, error)) (T,
	error) {
	var out T
	body, err := encode(args)
	if err != nil {
		return out, fmt.Errorf("encode the arguments of %s: %w", function, err)
	}
	d := c.transport(ctx, mediaJSON)
	err = d.function(http.MethodPost, function, nil, body, &out)
	return settle(ctx, d, out, err, func(did outcome) (T, error) {
		var zero T
		if len(again) == 0 {
			return zero, fault.New(fault.Conflict,
				"This was done before and is not done twice.").WithCode("effect_claimed")
		}
		whole, err := did.effect()
		if err != nil {
			return zero, err
		}
		return again[0](whole)
	}, false)
}

// CallAgain is Call for a function that does no more when it is called twice. It
// is called again, as a Read is, when the trouble looks passing or the answer was
// lost.
func CallAgain[T any](ctx context.Context, c Conn, function string, args Args) (T, error) {
	return backoff.Retry(ctx, func() (T, error) {
		out, err := Call[T](ctx, c, function, args)
		if err != nil && (ctx.Err() != nil || !passed(err)) {
			return out, backoff.Permanent(err)
		}
		return out, err
	}, backoff.WithBackOff(newBackOff()), backoff.WithMaxTries(maxAttempts), backoff.WithMaxElapsedTime(0))
}

// passed reports whether the same request may succeed in a moment.
func passed(err error) bool {
	if e, ok := errors.AsType[*Error](err); ok {
		return passing(e.Status) && e.RetryAfter <= time.Second
	}
	return fault.Is(err, fault.Unavailable)
}

// encode writes the arguments in the order of their names, with the markup in
// them as it is: escaped, the tables of an answer would become twice as long.
// What is JSON already is checked and not written anew.
func encode(args Args) ([]byte, error) {
	size := 2
	for name, value := range args {
		size += len(name) + 8
		switch value := value.(type) {
		case string:
			size += len(value) + len(value)/8
		case json.RawMessage:
			size += len(value)
		default:
			size += 120
		}
	}
	b := append(make([]byte, 0, size), '{')
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(rawjson.AppendText(b, name), ':')
		switch value := args[name].(type) {
		case string:
			b = rawjson.AppendText(b, value)
		case json.RawMessage:
			if value == nil {
				value = json.RawMessage("null")
			}
			whole, err := rawjson.Parse(value)
			if err != nil {
				return nil, err
			}
			b = append(b, whole...)
		default:
			more := bytes.NewBuffer(b)
			enc := json.NewEncoder(more)
			enc.SetEscapeHTML(false)
			if err := enc.Encode(value); err != nil {
				return nil, err
			}
			b = bytes.TrimRight(more.Bytes(), "\n")
		}
	}
	return append(b, '}'), nil
}

// function sends one RPC request and decodes the answer into v.
func (t *transport) function(method, name string, query url.Values, body []byte, v any) error {
	if err := checkColumn(name); err != nil {
		return err
	}
	address := t.client.functions + name
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	var content io.Reader
	if body != nil {
		content = bytes.NewReader(body)
	}
	r, err := http.NewRequestWithContext(t.ctx, method, address, content)
	if err != nil {
		return fmt.Errorf("build a call of %s: %w", name, err)
	}
	if body != nil {
		r.Header.Set("Content-Type", mediaJSON)
	}
	resp, err := t.send(r)
	if err != nil {
		return asFault(t.ctx, err)
	}
	defer resp.Body.Close()
	return t.decode(t.answer, name, v)
}

// outcome is effect_outcome's answer with the rows still encoded, so that
// amounts stay exact.
type outcome struct {
	Key      string       `json:"key"`
	ArgsHash string       `json:"argsHash"`
	Tool     string       `json:"tool"`
	Turn     string       `json:"turn"`
	Proposal string       `json:"proposal"`
	At       time.Time    `json:"at"`
	Rows     []outcomeRow `json:"rows"`
}

type outcomeRow struct {
	Table  string          `json:"table"`
	Key    string          `json:"key"`
	Action string          `json:"action"`
	Before json.RawMessage `json:"before"`
	After  json.RawMessage `json:"after"`
}

// effect returns the outcome with its rows decoded; numbers in them are
// json.Number.
func (o outcome) effect() (effect.Outcome, error) {
	e := effect.Outcome{Key: o.Key, Tool: o.Tool, Turn: o.Turn, Proposal: o.Proposal, At: o.At}
	for _, r := range o.Rows {
		row := effect.Row{Table: r.Table, Key: r.Key, Action: r.Action}
		for _, side := range []struct {
			raw  json.RawMessage
			into *map[string]any
		}{{r.Before, &row.Before}, {r.After, &row.After}} {
			if len(side.raw) == 0 {
				continue
			}
			dec := json.NewDecoder(bytes.NewReader(side.raw))
			dec.UseNumber()
			if err := dec.Decode(side.into); err != nil {
				return e, fmt.Errorf("read what effect %s did to %s: %w", o.Key, r.Table, err)
			}
		}
		e.Rows = append(e.Rows, row)
	}
	return e, nil
}

// lookUp asks what a claim did. The caller's time may be over: the answer
// matters more than the two seconds that it may take.
func (c *Client) lookUp(ctx context.Context, token identity.Secret, key string) (outcome, bool, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	did, err := Read[*outcome](ctx, Conn{client: c, token: token}, "effect_outcome", Args{"p_key": key})
	if err != nil || did == nil {
		return outcome{}, false, err
	}
	return *did, true, nil
}

// Outcome returns what was recorded under an effect key; nil when nothing was.
// Numbers in its rows are json.Number.
func (c *Client) Outcome(ctx context.Context, by identity.Caller, key string) (*effect.Outcome, error) {
	did, err := Read[*outcome](ctx, c.As(by), "effect_outcome", Args{"p_key": key})
	if err != nil || did == nil {
		return nil, err
	}
	e, err := did.effect()
	return &e, err
}

// Whoami returns the person behind a verified token: name, organisation, role,
// entities and assistants as they are now. It returns a fault.Forbidden error with the
// code "not_a_member" for a user whose membership has ended, and a
// fault.Unavailable one with the code "not_guarded" for a project that does not
// call the pre-request function: there, writes would go unclaimed.
func (c *Client) Whoami(ctx context.Context, token identity.Secret) (identity.Caller, error) {
	who, err := Read[Who](ctx, Conn{client: c, token: token}, "whoami", nil)
	if err != nil {
		return identity.Caller{}, err
	}
	return c.Caller(who, token)
}

// Caller returns the person that an answer names, with the token that was asked
// with; its errors are those of Whoami.
func (c *Client) Caller(who Who, token identity.Secret) (identity.Caller, error) {
	if !who.Guarded {
		return identity.Caller{}, fault.Wrap(fault.Unavailable,
			errors.New("the project does not call app.pre_request before each request (pgrst.db_pre_request)"),
			"This service is not set up completely, so nothing can be done here yet.").WithCode("not_guarded")
	}
	c.zones.Fill(who.Entities)
	return identity.Caller{
		UserID: who.User, Name: who.Name, Email: who.Email, OrgID: who.Org, OrgName: who.OrgName,
		Role: who.Role, Entities: who.Entities, Assistants: who.Assistants,
		Plan: identity.Plan{Rates: who.Rates, Budgeted: who.Budgeted}, Token: token,
	}, nil
}
