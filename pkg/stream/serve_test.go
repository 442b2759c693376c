package stream_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/stream"
)

func chunk(text string) stream.Event {
	return stream.Event{Name: "response_chunk", Data: map[string]string{"text": text}}
}

func complete(reply string) stream.Event {
	return stream.Event{Name: stream.Complete, Data: stream.Completed{Answer: stream.Answer{Reply: reply}}}
}

func names(t *testing.T, raw []byte) string {
	t.Helper()
	var out []string
	for _, f := range frames(t, raw) {
		out = append(out, f.name)
	}
	return strings.Join(out, " ")
}

// S2-13: however a turn ends, one terminal event says so and nothing follows.
func TestAStreamEndsInExactlyOneTerminalEvent(t *testing.T) {
	refused := fault.Wrap(fault.Conflict, errors.New("canary"), "It is taken.").WithCode("taken")
	tests := map[string]struct {
		produce stream.Produce
		names   string
		code    string // of the error event
		failed  bool
	}{
		"it completes": {func(_ context.Context, send func(stream.Event) error) error {
			return errors.Join(send(chunk("a")), send(complete("a")))
		}, "response_chunk complete", "", false},
		"it fails at once": {func(context.Context, func(stream.Event) error) error { return refused }, "error",
			"taken", true},
		"it fails in the middle": {func(_ context.Context, send func(stream.Event) error) error {
			return errors.Join(send(chunk("a")), refused)
		}, "response_chunk error", "taken", true},
		"it panics": {func(_ context.Context, send func(stream.Event) error) error {
			_ = send(chunk("a"))
			panic("canary")
		}, "response_chunk error", "internal_error", true},
		"it fails after it completed": {func(_ context.Context, send func(stream.Event) error) error {
			return errors.Join(send(complete("a")), refused)
		}, "complete", "", true},
		"it panics after it completed": {func(_ context.Context, send func(stream.Event) error) error {
			_ = send(complete("a"))
			panic("canary")
		}, "complete", "", true},
		"it goes on after it completed": {func(_ context.Context, send func(stream.Event) error) error {
			return errors.Join(send(complete("a")), send(chunk("b")), send(complete("b")))
		}, "complete", "", false},
		"it ends without a word": {func(_ context.Context, send func(stream.Event) error) error {
			return send(chunk("a"))
		}, "response_chunk error", "internal_error", true},
		"it sends what cannot be encoded": {func(_ context.Context, send func(stream.Event) error) error {
			_ = send(stream.Event{Name: "part", Data: func() {}})
			return send(complete("a"))
		}, "error", "internal_error", true},
		"its time runs out": {func(context.Context, func(stream.Event) error) error {
			return fmt.Errorf("ask the model: %w", context.DeadlineExceeded)
		}, "error", "timeout", true},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			w := httptest.NewRecorder()
			raw, err := stream.Serve(t.Context(), w, &stream.Encoder{Turn: "t1"}, "request-1",
				stream.Keep{Frames: true}, tc.produce)
			if (err != nil) != tc.failed {
				t.Errorf("the error is %v", err)
			}
			if !bytes.Equal(raw, w.Body.Bytes()) {
				t.Errorf("kept\n%s\nsent\n%s", raw, w.Body)
			}
			if got := names(t, raw); got != tc.names {
				t.Fatalf("the events are %s, want %s", got, tc.names)
			}
			if bytes.Contains(raw, []byte("canary")) || bytes.Contains(raw, []byte("goroutine")) {
				t.Errorf("a cause shows in %s", raw)
			}
			if tc.code != "" {
				var data struct{ Error stream.Problem }
				last := frames(t, raw)
				if err := json.Unmarshal([]byte(last[len(last)-1].data), &data); err != nil ||
					data.Error.Code != tc.code || data.Error.RequestID != "request-1" || data.Error.Message == "" {
					t.Errorf("the error event is %+v, %v", data, err)
				}
			}
			for header, want := range map[string]string{"Content-Type": "text/event-stream; charset=utf-8",
				"Cache-Control": "no-store", "X-Accel-Buffering": "no"} {
				if got := w.Header().Get(header); got != want {
					t.Errorf("%s is %q, want %q", header, got, want)
				}
			}
			if !w.Flushed {
				t.Error("nothing was flushed")
			}
		})
	}
}

// gone is a reader who leaves after so many writes.
type gone struct {
	*httptest.ResponseRecorder
	writes int
}

func (g *gone) Write(b []byte) (int, error) {
	if g.writes--; g.writes < 0 {
		return 0, errors.New("broken pipe")
	}
	return g.ResponseRecorder.Write(b)
}

// F-05: a reader who leaves ends the run at its next event, and nothing is
// left running. The bubble fails when a goroutine stays behind.
func TestAReaderWhoLeavesEndsTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &gone{httptest.NewRecorder(), 1}
		sent := 0
		raw, err := stream.Serve(t.Context(), w, &stream.Encoder{Turn: "t1"}, "r", stream.Keep{Frames: true},
			func(_ context.Context, send func(stream.Event) error) error {
				for {
					if err := send(chunk("a")); err != nil {
						return err
					}
					sent++
				}
			})
		if !fault.Is(err, fault.Canceled) || sent > 3 {
			t.Errorf("after %d events: %v", sent, err)
		}
		if got := strings.Fields(names(t, raw)); got[len(got)-1] != stream.Failure ||
			strings.Count(names(t, raw), stream.Failure) != 1 {
			t.Errorf("the events are %v", got)
		}
		if got := names(t, w.Body.Bytes()); got != "response_chunk" {
			t.Errorf("the reader got %s", got)
		}
	})
}

// F-05: the answer was made before the reader's leaving was noticed, so it is
// kept for the next attempt.
func TestAReaderWhoLeavesAtTheEndDoesNotUndoTheTurn(t *testing.T) {
	w := &gone{httptest.NewRecorder(), 1}
	raw, err := stream.Serve(t.Context(), w, &stream.Encoder{Turn: "t1"}, "r", stream.Keep{Frames: true},
		func(_ context.Context, send func(stream.Event) error) error {
			return errors.Join(send(chunk("a")), send(complete("a")))
		})
	if err != nil || names(t, raw) != "response_chunk complete" {
		t.Errorf("got %s, %v", names(t, raw), err)
	}
}

func TestARequestThatEndsEndsTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		raw, err := stream.Serve(ctx, httptest.NewRecorder(), &stream.Encoder{Turn: "t1"}, "r",
			stream.Keep{Frames: true},
			func(ctx context.Context, _ func(stream.Event) error) error {
				<-ctx.Done()
				return ctx.Err()
			})
		if !fault.Is(err, fault.Timeout) || names(t, raw) != stream.Failure {
			t.Errorf("got %s, %v", names(t, raw), err)
		}
	})
}

func TestASilentStreamIsKeptOpenByComments(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := httptest.NewRecorder()
		quiet := make(chan struct{})
		time.AfterFunc(25*time.Second, func() { close(quiet) })
		raw, err := stream.Serve(t.Context(), w, &stream.Encoder{Turn: "t1"}, "r", stream.Keep{Frames: true},
			func(_ context.Context, send func(stream.Event) error) error {
				<-quiet
				return send(complete("a"))
			})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(w.Body.String(), ": still here\n\n"); got != 2 {
			t.Errorf("in 25 seconds of silence %d comments were sent", got)
		}
		// A comment is for the connection, not for a replay.
		if bytes.Contains(raw, []byte("still here")) || names(t, raw) != stream.Complete ||
			names(t, w.Body.Bytes()) != stream.Complete {
			t.Errorf("kept %s", raw)
		}
	})
}

func TestAReaderWhoLeavesInSilenceIsNoticed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		_, err := stream.Serve(t.Context(), &gone{httptest.NewRecorder(), 0}, &stream.Encoder{Turn: "t1"}, "r",
			stream.Keep{Frames: true},
			func(ctx context.Context, _ func(stream.Event) error) error {
				<-ctx.Done()
				return ctx.Err()
			})
		if !fault.Is(err, fault.Canceled) || time.Since(began) > 15*time.Second {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
	})
}

// plain is a platform's writer that cannot flush.
type plain struct{ w http.ResponseWriter }

func (p plain) Header() http.Header         { return p.w.Header() }
func (p plain) Write(b []byte) (int, error) { return p.w.Write(b) }
func (p plain) WriteHeader(status int)      { p.w.WriteHeader(status) }

func TestAWriterThatCannotFlushStillGetsEverything(t *testing.T) {
	w := httptest.NewRecorder()
	_, err := stream.Serve(t.Context(), plain{w}, &stream.Encoder{Turn: "t1"}, "r", stream.Keep{Frames: true},
		func(_ context.Context, send func(stream.Event) error) error {
			return errors.Join(send(chunk("a")), send(complete("a")))
		})
	if err != nil || names(t, w.Body.Bytes()) != "response_chunk complete" {
		t.Errorf("got %s, %v", w.Body, err)
	}
}

// F-01
func TestAReplaySendsTheFramesAsTheyWere(t *testing.T) {
	w := httptest.NewRecorder()
	raw := encode(t, "t1", turnEvents(t)...)
	if err := stream.Replay(w, &stream.Encoder{}, string(raw)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(w.Body.Bytes(), raw) || w.Header().Get("Idempotent-Replayed") != "true" ||
		w.Header().Get("Content-Type") != "text/event-stream; charset=utf-8" {
		t.Errorf("header %v, body\n%s", w.Header(), w.Body)
	}
	if err := stream.Replay(&gone{httptest.NewRecorder(), 0}, &stream.Encoder{}, "x"); err == nil {
		t.Error("nobody was there, and nobody noticed")
	}
}

// S2-14: both representations say the same.
func TestThePlainAnswerIsThatOfTheCompleteEvent(t *testing.T) {
	events := turnEvents(t)
	produce := func(_ context.Context, send func(stream.Event) error) error {
		for _, e := range events {
			if err := send(e); err != nil {
				return err
			}
		}
		return nil
	}
	got, err := stream.Collect(t.Context(), nil, produce)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := stream.Serve(t.Context(), httptest.NewRecorder(), &stream.Encoder{Turn: "t1"}, "r",
		stream.Keep{Frames: true}, produce)
	if err != nil {
		t.Fatal(err)
	}
	list := frames(t, raw)
	var fromStream, plainly map[string]json.RawMessage
	if err := json.Unmarshal([]byte(list[len(list)-1].data), &fromStream); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(got, &plainly); err != nil {
		t.Fatal(err)
	}
	if len(plainly) < 11 || !bytes.HasSuffix(got, []byte("}\n")) {
		t.Errorf("the plain answer is %s", got)
	}
	for key, value := range plainly {
		if !bytes.Equal(fromStream[key], value) {
			t.Errorf("%s is %s plainly and %s in the stream", key, value, fromStream[key])
		}
	}
}

func TestAPlainAnswerThatFailsIsAnError(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	refused := fault.New(fault.Conflict, "It is taken.")
	tests := map[string]struct {
		ctx     context.Context
		produce stream.Produce
		want    fault.Kind
	}{
		"it fails": {t.Context(),
			func(context.Context, func(stream.Event) error) error { return refused }, fault.Conflict},
		"it panics": {t.Context(), func(context.Context, func(stream.Event) error) error { panic("x") },
			fault.Internal},
		"it ends without a word": {t.Context(),
			func(_ context.Context, send func(stream.Event) error) error { return send(chunk("a")) }, fault.Internal},
		"nobody waits for it": {ended,
			func(_ context.Context, send func(stream.Event) error) error { return send(chunk("a")) }, fault.Canceled},
		"it completes, and fails": {t.Context(), func(_ context.Context, send func(stream.Event) error) error {
			return errors.Join(send(complete("a")), refused)
		}, fault.Conflict},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if got, err := stream.Collect(tc.ctx, nil, tc.produce); fault.KindOf(err) != tc.want || got != nil {
				t.Errorf("got %s, %v, want %s", got, err, tc.want)
			}
		})
	}
}

func TestTheWaitBeforeAnotherTryIsNeverRoundedToNothing(t *testing.T) {
	for wait, want := range map[time.Duration]int{0: 0, time.Millisecond: 1, time.Second: 1,
		1500 * time.Millisecond: 2} {
		e := stream.Fail(fault.New(fault.Limited, "Later.").WithRetryAfter(wait), "r")
		if got := e.Data.(map[string]stream.Problem)["error"].RetryAfter; got != want {
			t.Errorf("%s is said as %d seconds, want %d", wait, got, want)
		}
	}
}
