package checks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// maxAnswer bounds what is read of one answer.
const maxAnswer = 16 << 20

// request is one plain HTTP request to the project.
type request struct {
	method string // GET when empty
	path   string // from the project's address on, with the query as it is sent
	body   any    // encoded as JSON; nil for none
	header map[string]string
	noKey  bool            // leaves the apikey out
	token  identity.Secret // "" sends no Authorization
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// ask sends a request. Redirects are not followed: a project has none.
func (v *visit) ask(ctx context.Context, q request) (answer, error) {
	var body io.Reader
	if q.body != nil {
		text, err := json.Marshal(q.body)
		if err != nil {
			return answer{}, err
		}
		body = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, q.method, v.base+q.path, body)
	if err != nil {
		return answer{}, err
	}
	if !q.noKey {
		r.Header.Set("apikey", v.target.PublishableKey.Reveal())
	}
	if q.token != "" {
		r.Header.Set("Authorization", "Bearer "+q.token.Reveal())
	}
	if q.body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for name, value := range q.header {
		r.Header.Set(name, value)
	}
	resp, err := v.http.RoundTrip(r)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	return answer{status: resp.StatusCode, header: resp.Header, body: text}, err
}

// read asks for rows as the signed-in person.
func (v *visit) read(ctx context.Context, path string, header map[string]string) (answer, error) {
	return v.ask(ctx, request{path: "/rest/v1/" + path, header: header, token: v.by.Token})
}

// rows decodes an answer that should be a list of rows with one of the statuses.
func (a answer) rows(statuses ...int) ([]map[string]any, error) {
	var all []map[string]any
	if err := a.hasStatus(statuses...); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(a.body, &all); err != nil {
		return nil, fmt.Errorf("the answer is no list of rows: %s", a.excerpt())
	}
	return all, nil
}

func (a answer) hasStatus(statuses ...int) error {
	for _, s := range statuses {
		if a.status == s {
			return nil
		}
	}
	return fmt.Errorf("the status is %d and not %v: %s", a.status, statuses, a.excerpt())
}

// isRefusal reports an answer that does not have this status and code. An empty
// code means that any will do.
func (a answer) isRefusal(status int, code string) error {
	if err := a.hasStatus(status); err != nil {
		return err
	}
	var wire struct {
		Code    any    `json:"code"`
		Message string `json:"message"`
		Msg     string `json:"msg"`
	}
	if err := json.Unmarshal(a.body, &wire); err != nil {
		return fmt.Errorf("the refusal is not JSON: %s", a.excerpt())
	}
	if code != "" && wire.Code != code {
		return fmt.Errorf("the code is %v and not %s: %s", wire.Code, code, a.excerpt())
	}
	if wire.Message+wire.Msg == "" {
		return fmt.Errorf("the refusal has no message: %s", a.excerpt())
	}
	return nil
}

func (a answer) excerpt() string {
	text := strings.Join(strings.Fields(string(a.body)), " ")
	if len(text) > 300 {
		text = text[:300] + "…"
	}
	return text
}

// isFault reports an error that is not a fault of this kind and code, or whose
// cause is not an answer with this status and code of Supabase.
func isFault(err error, kind fault.Kind, code string, status int, wireCode string) error {
	f := fault.From(err)
	if f == nil {
		return fmt.Errorf("it was done, although it should be refused with %d %s", status, wireCode)
	}
	if f.Kind != kind || f.Code != code {
		return fmt.Errorf("the fault is %s %q and not %s %q: %w", f.Kind, f.Code, kind, code, err)
	}
	e, ok := errors.AsType[*supabase.Error](err)
	if !ok || e.Status != status || e.Code != wireCode {
		return fmt.Errorf("the answer is not %d %s: %w", status, wireCode, err)
	}
	return nil
}

// all returns the first error.
func all(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
