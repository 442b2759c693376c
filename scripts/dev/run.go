package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/mail"
	"github.com/bellhop-ai/bellhop/infra/local/stack"
)

// development is all that runs, in the order in which it starts.
type development struct {
	opts   options
	print  func(format string, args ...any)
	origin string
	http   *http.Server
	stack  *stack.Stack
	mail   *mail.Server
	calls  *journal
	ledger *ledgerPart
	duffel *duffelPart
	server *server
	lambda *functions
	jobs   jobSecrets
	visits []string // the environment of functions that let visitors in
}

// run starts everything, says so, and returns when ctx is over or a part has
// ended by itself. Nothing is left running.
func run(ctx context.Context, opts options, out io.Writer) (err error) {
	d := &development{opts: opts, print: printer(out), jobs: newJobSecrets()}
	defer func() {
		if stopErr := d.stop(); err == nil {
			err = stopErr
		}
		if ctx.Err() != nil && errors.Is(err, context.Canceled) {
			err = nil // stopped while it started, as asked
		}
	}()
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	build, err := newBuilder(root, opts.data)
	if err != nil {
		return err
	}
	listener, err := listen(opts.addr)
	if err != nil {
		return err
	}
	defer listener.Close()
	d.origin = originOf(listener)

	d.stack, err = stack.Start(ctx, stack.Config{
		Data: opts.data, Fresh: opts.fresh, Seed: true, Origin: d.origin,
		OpenAI: opts.openAI.endpoint, Now: opts.clock, Log: d.print,
	})
	if err != nil {
		return err
	}
	if d.mail, err = mail.Start(mail.Config{Now: opts.clock}); err != nil {
		return err
	}
	d.print("mail: caught, not delivered; see %s/dev/mail", d.origin)
	d.print("model: %s", opts.openAI.describe(d.stack.ModelURL()))

	if d.calls, err = startJournal(opts.openAI.url(d.stack.ModelURL()), time.Now); err != nil {
		return err
	}

	if d.visits, err = opts.visits.env(ctx, d.stack); err != nil {
		return err
	}

	if d.duffel, err = startDuffel(d); err != nil {
		return err
	}

	// Its books take a moment to fill, the server takes as long to build.
	d.ledger = startLedger(ctx, d)

	// From here on the functions can reach Supabase; what is for them waits.
	door := newDoor(d)
	d.http = &http.Server{Handler: door, ReadHeaderTimeout: 10 * time.Second}
	failed := make(chan error, 1)
	go func() { failed <- d.http.Serve(listener) }()

	if d.server, err = startServer(ctx, build, d); err != nil {
		return err
	}
	if opts.lambda {
		if d.lambda, err = startFunctions(ctx, build, d); err != nil {
			return err
		}
	}
	if err := d.ledger.wait(); err != nil {
		return err
	}
	door.open(d.server.host, d.lambda)
	door.mux.HandleFunc("POST /dev/jobs/summarize", d.summarize)
	if err := d.welcome(ctx); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		d.print("stopping")
		return nil
	case <-d.server.done:
		return fmt.Errorf("%s has ended (%s), so everything stops; its last lines tell why", opts.serverPackage,
			d.server.state())
	case <-d.stack.Done():
		return errors.New("PostgreSQL has ended by itself, so everything stops; start again")
	case err := <-failed:
		return fmt.Errorf("serve %s: %w", d.origin, err)
	}
}

// stop ends what runs, the functions before what they depend on.
func (d *development) stop() error {
	d.server.stop()
	d.lambda.stop()
	if d.http != nil {
		_ = d.http.Close()
	}
	err := errors.Join(d.calls.stop(), d.ledger.stop(), d.duffel.stop())
	if d.mail != nil {
		err = errors.Join(err, d.mail.Stop())
	}
	if d.stack == nil {
		return err
	}
	return errors.Join(err, d.stack.Stop())
}

// env is the environment of the functions, which BELLHOP_LOCAL tells that only
// this machine reaches them. A clock of our own is handed over as the time it
// shows now.
func (d *development) env() []string {
	env := append(d.stack.Env(), "BELLHOP_LOCAL=true", "SMTP_URL="+d.mail.URL(),
		"MAIL_FROM=Bellhop <desk@bellhop.example>", "PAGES_URL="+d.origin)
	env = slices.Concat(env, d.opts.openAI.through(d.calls.url), d.visits, d.ledger.env(d.stack),
		d.duffel.env())
	if d.opts.clock != nil {
		env = append(env, "BELLHOP_NOW="+d.opts.clock().UTC().Format(time.RFC3339))
	}
	return env
}

// secretEnv is what the users function and jobs need beside it. The stand-in of Auth
// sends no mail by which new people could set a password.
func (d *development) secretEnv() []string {
	return []string{
		"SUPABASE_SECRET_KEY=" + d.stack.Keys().Secret, "FIRST_PASSWORDS=true", "CRON_SECRET=" + d.jobs.cron,
		"WEBHOOK_SECRETS=" + d.jobs.webhook,
	}
}

// welcome says where to go and as whom.
func (d *development) welcome(ctx context.Context) error {
	users, err := d.stack.Users(ctx)
	if err != nil {
		return err
	}
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 3, ' ', 0)
	for _, u := range users {
		fmt.Fprintf(table, "  %s\t%s\t%s\t%s\t%s\n", u.Email, u.Password, u.Role, u.Org, u.Name)
	}
	_ = table.Flush() // to memory
	d.ledger.welcome(d.print)
	d.print("\nBellhop is at %s\n\nsign in as (the second column is the password)\n%s\nCtrl-C stops.", d.origin,
		text.String())
	return nil
}

// printer writes lines; parts of the stack may print at the same time.
func printer(out io.Writer) func(string, ...any) {
	var mu sync.Mutex
	return func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(out, format+"\n", args...)
	}
}

func listen(addr string) (net.Listener, error) {
	listener, err := net.Listen("tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s is taken, perhaps by another run of this program; stop that one or choose "+
			"another address, such as -addr 127.0.0.1:8788", addr)
	case errors.Is(err, os.ErrPermission):
		return nil, fmt.Errorf("this user may not listen at %s; choose a port above 1023 with -addr", addr)
	case err != nil:
		return nil, fmt.Errorf("cannot listen at %s (%w); choose another address with -addr", addr, err)
	}
	return listener, nil
}

// originOf is the address for a page. A listener on all addresses of this
// machine is reached at the nearest.
func originOf(listener net.Listener) string {
	addr := listener.Addr().(*net.TCPAddr)
	if addr.IP.IsUnspecified() {
		return fmt.Sprintf("http://127.0.0.1:%d", addr.Port)
	}
	return "http://" + addr.String()
}
