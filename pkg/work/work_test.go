package work_test

import (
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/work"
)

// F-68: a budget gives what it has and not one step more, whatever is asked.
func TestABudgetIsNeverOverspent(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string][2]int{"steps": {3, 0}, "bytes": {0, 70}, "both": {1, 1},
		"all at once": {1 << 60, 1 << 60}} {
		b := work.New(t.Context(), work.Amount{Steps: 100, Bytes: 1000})
		var err error
		for n := 0; err == nil; n++ {
			if err = b.Spend(ask[0], ask[1]); n > 1000 {
				t.Fatalf("%s: there is no end", name)
			}
		}
		f := fault.From(err)
		if f.Kind != fault.Unprocessable || f.PublicCode() != work.Code || f.Message == "" {
			t.Errorf("%s: %v", name, err)
		}
		if spent := b.Spent(); spent.Steps > 100 || spent.Bytes > 1000 {
			t.Errorf("%s: %+v were spent", name, spent)
		}
		if again := b.Spend(1, 0); !errors.Is(again, err) {
			t.Errorf("%s: afterwards there is more: %v", name, again)
		}
	}
}

// source gives zeros for ever, and calls stop when it gave so many.
type source struct {
	given, after int64
	stop         func()
}

func (s *source) Read(p []byte) (int, error) {
	clear(p)
	if s.given += int64(len(p)); s.given >= s.after {
		s.stop()
	}
	return len(p), nil
}

// F-68: what cannot be stopped reads from a reader that can.
func TestAReaderEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	b := work.New(ctx, work.Amount{Steps: 1 << 40, Bytes: 1 << 40})
	in := &source{after: 1 << 20, stop: cancel}
	n, err := io.Copy(io.Discard, b.Reader(in))
	if !errors.Is(err, context.Canceled) || in.given > 1<<20+64<<10 || n != b.Spent().Bytes {
		t.Errorf("%d bytes of %d, %+v, %v", n, in.given, b.Spent(), err)
	}
}

// F-68: what a packed stream unfolds to is paid for as it comes.
func TestAReaderEndsWithItsBudget(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, 9)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(w, strings.NewReader(strings.Repeat("a", 8<<20)))
	_ = w.Close()
	b := work.New(t.Context(), work.Amount{Steps: 1000, Bytes: 1 << 20})
	n, err := io.Copy(io.Discard, b.Reader(flate.NewReader(&packed)))
	if fault.From(err).PublicCode() != work.Code || n > 1<<20 || b.Spent().Bytes > 1<<20 {
		t.Errorf("%d bytes, %+v, %v", n, b.Spent(), err)
	}
}
