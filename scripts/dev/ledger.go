package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"text/tabwriter"

	"github.com/jackc/pgx/v5"

	"github.com/bellhop-ai/bellhop/infra/local/ledger"
	"github.com/bellhop-ai/bellhop/infra/local/ledger/demo"
	"github.com/bellhop-ai/bellhop/infra/local/stack"
)

// ledgerPart is the ledger's MCP server, which starts beside other parts. Its
// fields are set before ready is closed. Nil is one that is off.
type ledgerPart struct {
	ready  chan struct{}
	server *demo.Server
	err    error
}

// startLedger starts the ledger on a database of its own in the stack's
// PostgreSQL.
func startLedger(ctx context.Context, d *development) *ledgerPart {
	if d.opts.ledger == "off" {
		return nil
	}
	p := &ledgerPart{ready: make(chan struct{})}
	go func() {
		defer close(p.ready)
		conn, err := d.stack.Database(ctx, ledger.Database)
		if err == nil {
			p.server, err = demo.Start(ctx, demo.Config{ConnString: conn, Addr: d.opts.ledger,
				Secret: d.stack.Keys().Secret, Now: d.opts.clock, Log: d.print})
		}
		if errors.Is(err, syscall.EADDRINUSE) {
			err = fmt.Errorf("%s is taken; choose another address for the ledger with -ledger, or -ledger off",
				d.opts.ledger)
		}
		if err == nil {
			err = p.connect(ctx, d.stack)
		}
		p.err = err
	}()
	return p
}

// owners are the users of the ledger with whose tokens the demo organisations call it,
// by the name of the token in mcp_servers.
func owners() map[string]string {
	return map[string]string{"SAHYADRI": "owner@sahyadri.example", "TUNGABHADRA": "owner@tungabhadra.example"}
}

// env lets the functions reach the ledger. The tokens are known before it answers.
func (p *ledgerPart) env(s *stack.Stack) []string {
	if p == nil {
		return nil
	}
	env := []string{"MCP_HOSTS=127.0.0.1"}
	for _, org := range ledger.DemoOrgs() {
		for name, owner := range owners() {
			if strings.HasPrefix(strings.ToUpper(org.Name), name) {
				env = append(env, "MCP_SECRET_"+name+"="+org.ID+":"+demo.Token(s.Keys().Secret, owner))
			}
		}
	}
	return env
}

// connect writes where the ledger is into the demo organisations' rows.
func (p *ledgerPart) connect(ctx context.Context, s *stack.Stack) error {
	conn, err := pgx.Connect(ctx, s.ConnString("postgres"))
	if err != nil {
		return fmt.Errorf("connect the ledger: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	for _, org := range ledger.DemoOrgs() {
		if _, err := conn.Exec(ctx, `update public.mcp_servers set url = $1 where org_id = $2 and manifest = 'ledger'`,
			p.server.URL(), org.ID); err != nil {
			return fmt.Errorf("connect the ledger: %w", err)
		}
	}
	return nil
}

// wait returns when the ledger answers.
func (p *ledgerPart) wait() error {
	if p == nil {
		return nil
	}
	<-p.ready
	return p.err
}

func (p *ledgerPart) stop() error {
	if p == nil {
		return nil
	}
	<-p.ready
	return p.server.Stop()
}

// describe is the ledger's part of /dev.json, null while there is none.
func (p *ledgerPart) describe() any {
	if p == nil {
		return nil
	}
	select {
	case <-p.ready:
	default:
		return nil
	}
	if p.server == nil {
		return nil
	}
	return map[string]any{"url": p.server.URL(), "users": p.server.Users()}
}

// welcome says where the ledger is, and one token of each user.
func (p *ledgerPart) welcome(print func(string, ...any)) {
	if p == nil {
		return
	}
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 3, ' ', 0)
	last := map[string]bool{}
	for _, u := range p.server.Users() {
		token := cmp.Or(map[bool]string{true: "(as above)"}[last[u.Email]], u.Token)
		last[u.Email] = true
		fmt.Fprintf(table, "  %s\t%s\t%s\t%s\n", u.Email, u.Role, u.Company, token)
	}
	_ = table.Flush() // to memory
	print("\nthe ledger's MCP server is at %s; its users and their bearer tokens (companies' ids are in /dev.json)\n"+
		"%s",
		p.server.URL(), strings.TrimRight(text.String(), "\n"))
}
