package effect

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// Read is one question to the database and its answer: a function that changes
// nothing, its arguments by name as text, and what it returned.
type Read struct {
	Function  string            `json:"function"`
	Arguments map[string]string `json:"arguments"`
	Answer    json.RawMessage   `json:"answer"`
	// Codes, if any, are the members "code" of the rows that matter: Answer has
	// only these rows of the list that was returned.
	Codes []string `json:"codes,omitempty"`
}

// The most that a preview may rest on.
const (
	maxReads     = 64
	maxReadBytes = 256 << 10
)

// Recorder keeps what is read while a preview is made. It is safe for
// concurrent use.
type Recorder struct {
	mu    sync.Mutex
	reads []Read
	bytes int
	err   error
}

type recorderKey struct{}

// Record returns a context in which adapters add whatever they read to the
// recorder, and refuse reads that cannot be repeated by it.
func Record(ctx context.Context) (context.Context, *Recorder) {
	r := &Recorder{}
	return context.WithValue(ctx, recorderKey{}, r), r
}

// Recording returns the recorder of the context, nil when there is none.
func Recording(ctx context.Context) *Recorder {
	r, _ := ctx.Value(recorderKey{}).(*Recorder)
	return r
}

// Add keeps a read. It takes ownership of its parts.
func (r *Recorder) Add(read Read) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bytes += len(read.Function) + len(read.Answer)
	for name, value := range read.Arguments {
		r.bytes += len(name) + len(value)
	}
	if len(r.reads) == maxReads || r.bytes > maxReadBytes {
		r.fail(fault.New(fault.Unprocessable,
			"This rests on more records than one question can hold. Please ask for a smaller part.").
			WithCode("preview_too_large"))
		return
	}
	r.reads = append(r.reads, read)
}

// Only says that of the list that was read last and has a row of that code,
// nothing but this row matters to the preview: it does not become untrue by a
// change of another row. Without a recorder in the context it does nothing.
func Only(ctx context.Context, code string) {
	if r := Recording(ctx); r != nil {
		r.only(code)
	}
}

func (r *Recorder) only(code string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, read := range slices.Backward(r.reads) {
		var rows []json.RawMessage
		if json.Unmarshal(read.Answer, &rows) != nil {
			continue // no list
		}
		for _, row := range rows {
			var its struct {
				Code string `json:"code"`
			}
			if json.Unmarshal(row, &its) == nil && its.Code == code {
				r.reads[i].Codes = []string{code}
				r.reads[i].Answer = slices.Concat([]byte{'['}, row, []byte{']'})
				return
			}
		}
	}
}

// Fail says that something was read, or should have been, on which no preview
// can rest.
func (r *Recorder) Fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fail(err)
}

func (r *Recorder) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// Reads returns what was read, in order, or why no preview can rest on it.
func (r *Recorder) Reads() ([]Read, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reads, r.err
}

type knownKey struct{}

// known are answers that hold until the context's first write is sent.
type known struct {
	mu    sync.Mutex
	reads []Read
}

// Known returns a context in which adapters answer these questions from what
// was read before, until the first write is sent. An act that follows a preview
// is so made of what was shown, and the write is refused when that no longer
// holds.
func Known(ctx context.Context, reads []Read) context.Context {
	return context.WithValue(ctx, knownKey{}, &known{reads: reads})
}

// Answer returns what is known to answer a function with these arguments.
func Answer(ctx context.Context, function string, arguments map[string]string) (json.RawMessage, bool) {
	k, ok := ctx.Value(knownKey{}).(*known)
	if !ok {
		return nil, false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, r := range k.reads {
		if r.Function == function && maps.Equal(r.Arguments, arguments) {
			return r.Answer, true
		}
	}
	return nil, false
}

// Forget ends what is known in the context. Adapters call it before a write.
func Forget(ctx context.Context) {
	if k, ok := ctx.Value(knownKey{}).(*known); ok {
		k.mu.Lock()
		k.reads = nil
		k.mu.Unlock()
	}
}
