package boot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
	_ "time/tzdata" // hotels have time zones; the platforms' images need not

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/pkg/api/openapi"
	"github.com/bellhop-ai/bellhop/pkg/boot/lambda"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
)

// drain is how long running requests may take to end after SIGTERM; the
// platforms kill a process soon after.
const drain = 8 * time.Second

// grace is how much of that they may take to end by themselves. Then calls of
// the model are cut off, and the rest is for saying so and storing it.
const grace = 4 * time.Second

// Service is what a function's main gets to build with.
type Service struct {
	Config
	Name string
	Env  Lookup
	Log  zerolog.Logger
	Now  calendar.Clock
	// Leaving ends when what still runs must come to its end.
	Leaving context.Context
}

// NewID returns a new random id.
func (s *Service) NewID() string { return uuid.NewString() }

// Options configure how a function answers on Lambda.
type Options struct{ Streaming bool }

// Worker is a handler that also works without anybody asking: for a schedule,
// and for the messages of a queue. What build returns may be one; on Lambda it
// then takes such events (see lambda.Work).
type Worker interface {
	http.Handler
	// Schedule runs once and returns what is worth telling of it.
	Schedule(ctx context.Context) (any, error)
	// Message takes one message; an error means that it should come again.
	Message(ctx context.Context, body []byte) error
}

// Run builds a function and serves it until the process ends. What keeps it
// from starting is one line in the log and exit status 1.
func Run(name string, opt Options, build func(ctx context.Context, s *Service) (http.Handler, error)) {
	if err := run(name, opt, os.LookupEnv, build); err != nil {
		log := newLog(name, "info")
		log.Error().Err(err).Msg("this function cannot start")
		os.Exit(1)
	}
}

func run(name string, opt Options, env Lookup, build func(context.Context, *Service) (http.Handler, error)) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	leaving, leave := context.WithCancel(context.Background())
	defer leave()
	s := &Service{Name: name, Env: env, Leaving: leaving}
	if err := env.Decode(ctx, &s.Config); err != nil {
		return err
	}
	s.Log = newLog(name, s.LogLevel)
	LimitMemory(env, os.ReadFile)
	PaceCollector(env)
	var err error
	if s.Now, err = clock(s.Config.Now); err != nil {
		return err
	}
	h, err := build(ctx, s)
	if err != nil {
		return err
	}
	worker, works := h.(Worker)
	h = httpx.Wrap(withCommon(h, name), httpx.Config{Log: s.Log, NewID: s.NewID, Now: s.Now, Origins: s.Origins,
		Timeout: s.TurnTimeout, AtOnce: int(s.MaxRequests)})
	if _, onLambda := env("AWS_LAMBDA_RUNTIME_API"); onLambda {
		door := lambda.Options{Streaming: opt.Streaming, Panicked: func(_ context.Context, value any, stack []byte) {
			s.Log.Error().Interface("panic", value).Bytes("stack", stack).Msg("the door caught a panic")
		}}
		if works {
			door.Direct = direct(s, worker, door.Panicked)
		}
		lambda.Start(h, door)
		return nil
	}
	return serve(ctx, s, h, leave)
}

// direct returns what takes the events that are no requests, each within the
// time of a request and with a line in the log.
func direct(s *Service, w Worker, panicked func(context.Context, any, []byte)) func(context.Context,
	json.RawMessage) (any, error) {
	work := lambda.Work{Schedule: w.Schedule, Message: w.Message, Panicked: panicked}
	return func(ctx context.Context, event json.RawMessage) (any, error) {
		began := s.Now()
		ctx, cancel := context.WithTimeout(ctx, s.TurnTimeout)
		defer cancel()
		answer, err := work.Direct(ctx, event)
		line := s.Log.Info()
		if err != nil {
			line = s.Log.Error().Str("cause", fault.Trace(err))
		}
		line.Interface("answer", answer).Dur("took", s.Now().Sub(began)).Msg("event")
		return answer, err
	}
}

// serve answers on the port until a signal, then lets running requests end.
func serve(ctx context.Context, s *Service, h http.Handler, leave func()) error {
	host := ""
	if s.Local {
		host = "127.0.0.1"
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(host, s.Port))
	if err != nil {
		return fmt.Errorf("listen on port %s: %w", s.Port, err)
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	s.Log.Info().Str("address", listener.Addr().String()).Msg("listening")
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	ctx, cancel := context.WithTimeout(context.Background(), drain)
	defer cancel()
	defer time.AfterFunc(grace, leave).Stop()
	if err := server.Shutdown(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

// newLog writes JSON lines with the field names that CloudWatch and its kin
// expect.
func newLog(service, level string) zerolog.Logger {
	lvl, err := zerolog.ParseLevel(level)
	if err != nil {
		lvl = zerolog.InfoLevel
	}
	return zerolog.New(os.Stderr).Level(lvl).With().Timestamp().Str("service", service).Logger()
}

// clock returns the real clock, or one that starts at the given moment.
func clock(start string) (calendar.Clock, error) {
	if start == "" {
		return time.Now, nil
	}
	t, err := time.Parse(time.RFC3339, start)
	if err != nil {
		return nil, errors.New("BELLHOP_NOW is not of the form 2026-01-15T12:00:00Z")
	}
	began := time.Now()
	return func() time.Time { return t.Add(time.Since(began)) }, nil
}

// withCommon answers what every function has, and leaves the rest to h.
func withCommon(h http.Handler, name string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/health", func(w http.ResponseWriter, _ *http.Request) {
		httpx.JSON(w, http.StatusOK, map[string]string{"status": "ok", "function": name})
	})
	mux.Handle("GET /api/openapi.json", openapi.Handler())
	mux.Handle("/", h)
	return mux
}
