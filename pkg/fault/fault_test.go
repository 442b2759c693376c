package fault_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

func TestEveryErrorHasAKind(t *testing.T) {
	tests := map[string]struct {
		err  error
		want fault.Kind
	}{
		"none":                   {nil, ""},
		"one of ours":            {fault.New(fault.Gone, "It is over."), fault.Gone},
		"one of ours in a cause": {fmt.Errorf("load: %w", fault.New(fault.Conflict, "Taken.")), fault.Conflict},
		"the nearest of two": {fault.Wrap(fault.Upstream, fault.New(fault.NotFound, "No."), "Bad answer."),
			fault.Upstream},
		"a time that ran out":   {fmt.Errorf("query: %w", context.DeadlineExceeded), fault.Timeout},
		"a reader who has gone": {context.Canceled, fault.Canceled},
		"an error of a library": {io.ErrUnexpectedEOF, fault.Internal},
		"ours beside an ended context": {errors.Join(context.Canceled, fault.New(fault.Limited, "Later.")),
			fault.Limited},
		"a deadline that we explain": {fault.Wrap(fault.Unavailable, context.DeadlineExceeded, "No answer."),
			fault.Unavailable},
		"a bug that is named as a bug": {fault.New(fault.Internal, "Broken."), fault.Internal},
		"a refusal without a sentence": {fault.New(fault.Forbidden, ""), fault.Forbidden},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if got := fault.KindOf(tc.err); got != tc.want {
				t.Errorf("the kind is %q, want %q", got, tc.want)
			}
			if fault.Is(tc.err, tc.want) != (tc.err != nil) || fault.Is(tc.err, fault.Unprocessable) {
				t.Error("Is says otherwise")
			}
		})
	}
	if fault.From(nil) != nil {
		t.Error("no error became one")
	}
}

// The sentence is for people and the cause for the log; they never mix.
func TestTheCauseStaysBehindTheSentence(t *testing.T) {
	cause := errors.New("dial tcp 10.1.2.3: connection refused")
	for name, err := range map[string]error{
		"a wrapped cause":   fault.Wrap(fault.Unavailable, cause, "The service %s does not answer.", "books"),
		"an unknown error":  cause,
		"an ended deadline": errors.Join(context.DeadlineExceeded, cause),
		"an ended context":  errors.Join(context.Canceled, cause),
	} {
		f := fault.From(err)
		if strings.Contains(f.Message, "10.1.2.3") || f.Message == "" {
			t.Errorf("%s: people read %q", name, f.Message)
		}
		if !strings.Contains(f.Error(), "10.1.2.3") || !errors.Is(f, cause) {
			t.Errorf("%s: the log reads %q", name, f)
		}
	}
	if got := fault.New(fault.Gone, "It is over.").Error(); got != "gone: It is over." {
		t.Errorf("without a cause the log reads %q", got)
	}
}

func TestAFinerCodeTakesThePlaceOfTheKind(t *testing.T) {
	e := fault.New(fault.Gone, "It is over.")
	if e.PublicCode() != "gone" {
		t.Errorf("the code is %q", e.PublicCode())
	}
	e = e.WithCode("proposal_expired").WithRetryAfter(time.Minute)
	if e.PublicCode() != "proposal_expired" || e.RetryAfter != time.Minute || e.Kind != fault.Gone {
		t.Errorf("it became %+v", e)
	}
}

func TestALogGetsNoNames(t *testing.T) {
	missing := fault.New(fault.NotFound, "There is no guest %q.", "Asha Meadowlark")
	tests := map[string]struct {
		err  error
		want string
	}{
		"nothing":               {nil, ""},
		"an error of others":    {io.ErrUnexpectedEOF, "unexpected EOF"},
		"a plain sentence":      {fault.New(fault.Gone, "It is over."), "gone: It is over."},
		"a sentence with names": {missing, "not_found: There is no guest %q."},
		"the words around it":   {fmt.Errorf("search: %w", missing), "search: not_found: There is no guest %q."},
		"a cause of its own": {fault.Wrap(fault.Internal, io.ErrClosedPipe, "Asha %s", "Meadowlark"),
			"internal_error: Asha %s: io: read/write on closed pipe"},
		"ours within ours": {fault.Wrap(fault.Upstream, missing, "Bad."),
			"upstream: Bad.: not_found: There is no guest %q."},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if got := fault.Trace(tc.err); got != tc.want {
				t.Errorf("the log reads %q, want %q", got, tc.want)
			}
		})
	}
}
