package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"text/tabwriter"

	"github.com/bellhop-ai/bellhop/infra/local/ledger"
	"github.com/bellhop-ai/bellhop/infra/local/ledger/demo"
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
			err = fmt.Errorf("%s is taken; choose another address for the ledger with -ledger, or -ledger off", d.opts.ledger)
		}
		p.err = err
	}()
	return p
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
	print("\nthe ledger's MCP server is at %s; its users and their bearer tokens (companies' ids are in /dev.json)\n%s",
		p.server.URL(), strings.TrimRight(text.String(), "\n"))
}
