// Package structured asks a model for one JSON object of a strict form. What the model
// answers is checked against the form and by the caller; it may correct itself twice.
package structured

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Ask makes one model call. It is safe for concurrent use.
type Ask func(ctx context.Context, r llm.Request) (llm.Answer, error)

// Bounds of an exchange.
const (
	Corrections = 2        // S4-28
	MaxAnswer   = 64 << 10 // bytes of an answer that is read
	maxEcho     = 8 << 10  // bytes of a wrong answer that the model reads again
)

// Codes of the errors of Answer.
const (
	CodeInvalid = "ai_output_invalid"
	CodeEmpty   = "ai_output_empty"
	CodeLimited = "ai_rate_limited"
	CodeAway    = "ai_unreachable"
)

// Form is the form of an answer: its schema as the provider gets it, and resolved for the
// check. Make it once with NewForm and share it.
type Form struct {
	schema   *llm.Schema
	resolved *jsonschema.Resolved
}

// NewForm returns the form of a JSON Schema in the strict form: every property is required
// and additionalProperties is false. name has letters, digits, _ and -.
func NewForm(name string, schema []byte) (*Form, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal(schema, &s); err != nil {
		return nil, fmt.Errorf("schema of %s: %w", name, err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", name, err)
	}
	return &Form{schema: &llm.Schema{Name: name, JSON: schema}, resolved: resolved}, nil
}

// Question is what a model is asked.
type Question struct {
	Form        *Form
	System      string
	Messages    []llm.Message // after System
	MaxTokens   int           // of the answer
	Temperature float64
	// Read takes an answer that has the form. It returns what is wrong with it, for the
	// model, "" for nothing.
	Read func(object []byte) (wrong string)
}

// Answer asks, and lets the model correct itself at most Corrections times. Errors are
// fault errors whose sentences are those of the source document (S4-28 to S4-31); nothing
// of a wrong answer stands in them.
func Answer(ctx context.Context, ask Ask, q Question) error {
	r := llm.Request{
		Settings: llm.Settings{MaxTokens: q.MaxTokens, Temperature: &q.Temperature, JSON: true, Schema: q.Form.schema},
		Messages: append([]llm.Message{{Role: llm.System, Text: q.System}}, q.Messages...),
	}
	given := len(r.Messages)
	var failed *fault.Error
	for range 1 + Corrections {
		a, err := ask(ctx, r)
		if err != nil {
			return Friendly(err)
		}
		wrong := q.check(a)
		if wrong == "" {
			return nil
		}
		failed = invalid(a, wrong)
		r.Messages = r.Messages[:given:given]
		if text := strings.TrimSpace(a.Text); text != "" {
			r.Messages = append(r.Messages, llm.Message{Role: llm.Assistant,
				Text: strings.ToValidUTF8(text[:min(len(text), maxEcho)], "")})
		}
		r.Messages = append(r.Messages, llm.Message{Role: llm.User, Text: "ERROR: " + wrong +
			" Write the whole JSON object again, and nothing else."})
	}
	return failed
}

// check returns what is wrong with an answer.
func (q Question) check(a llm.Answer) string {
	text := strings.TrimSpace(a.Text)
	text = strings.TrimPrefix(strings.TrimPrefix(text, "```json"), "```")
	text = strings.TrimSpace(strings.TrimSuffix(text, "```"))
	switch {
	case text == "":
		return "There was no answer."
	case a.Refusal != "" || a.Finish == llm.Filtered:
		return "The answer was withheld. Keep to the form."
	case a.Finish == llm.Length || len(text) > MaxAnswer:
		return "The answer was too long. Write it shorter."
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return "That was not text."
	}
	var value any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&value); err != nil || d.More() {
		return "That was not one JSON object."
	}
	value = plain(value)
	if err := q.Form.resolved.Validate(value); err != nil {
		return "That does not have the form: " + short(err.Error()) + "."
	}
	return q.Read([]byte(text))
}

// plain replaces json.Number by what the validator reads.
func plain(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return float64(n)
		}
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = plain(v[k])
		}
	}
	return v
}

// short returns the end of a validator's message, which names what is wrong.
func short(s string) string {
	const most = 300
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > most {
		s = strings.ToValidUTF8(s[len(s)-most:], "")
	}
	return s
}

// invalid is the error of an answer that stayed wrong.
func invalid(a llm.Answer, wrong string) *fault.Error {
	if strings.TrimSpace(a.Text) == "" && a.Refusal == "" {
		return fault.Wrap(fault.Internal, errors.New("the model's answer was empty"), "No response from OpenAI").
			WithCode(CodeEmpty)
	}
	return fault.Wrap(fault.Internal, fmt.Errorf("the model's answer stayed wrong: %s", wrong),
		"Failed to process message").WithCode(CodeInvalid).WithDetails("AI output validation failed")
}

// Friendly returns the error of a model call with the sentences of S4-31 where one fits.
// What the context or the budget ended stays as it is.
func Friendly(err error) error {
	f := fault.From(err)
	switch {
	case f.Kind == fault.Limited && f.Code != llm.Exhausted:
		return fault.Wrap(fault.Limited, err, "OpenAI API rate limit exceeded. Please try again in a moment.").
			WithCode(CodeLimited).WithRetryAfter(f.RetryAfter)
	case f.Kind == fault.Unavailable && f.Code != llm.Restarting:
		return fault.Wrap(fault.Unavailable, err,
			"Unable to connect to OpenAI. Please check your internet connection.").WithCode(CodeAway)
	}
	return err
}

// Decode reads an object of a form; unknown members are an error.
func Decode(object []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(object))
	d.DisallowUnknownFields()
	return d.Decode(into)
}
