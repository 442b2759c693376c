package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"syscall"

	"github.com/bellhop-ai/bellhop/infra/local/duffel"
)

// duffelToken is what the functions call the stand-in with.
const duffelToken = "duffel_test_local"

// duffelPart is the stand-in for Duffel. Nil is one that is off.
type duffelPart struct {
	server *duffel.Server
	secret string // signs its events
}

// startDuffel starts the stand-in, unless functions are to reach Duffel itself. Its orders
// end with it; the database keeps what it says of them.
func startDuffel(d *development) (*duffelPart, error) {
	switch {
	case d.opts.duffelKey:
		d.print("duffel: DUFFEL_API_KEY is set, so flights and stays are those of Duffel")
		return nil, nil
	case d.opts.duffel == "off":
		return nil, nil
	}
	p := &duffelPart{secret: rand.Text()}
	var err error
	p.server, err = duffel.Start(duffel.Config{Addr: d.opts.duffel, Token: duffelToken, Now: d.opts.clock,
		WebhookURL: d.origin + "/api/webhooks/duffel", WebhookSecret: p.secret})
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is taken; choose another address for the stand-in for Duffel with -duffel, "+
			"or -duffel off", d.opts.duffel)
	}
	if err != nil {
		return nil, err
	}
	d.print("duffel: invented flights and hotels at %s", p.server.URL())
	return p, nil
}

// env lets the functions reach the stand-in.
func (p *duffelPart) env() []string {
	if p == nil {
		return nil
	}
	return []string{"DUFFEL_API_KEY=" + duffelToken, "DUFFEL_URL=" + p.server.URL(),
		"DUFFEL_WEBHOOK_SECRET=" + p.secret}
}

// describe is its part of /dev.json, null while there is none.
func (p *duffelPart) describe() any {
	if p == nil {
		return nil
	}
	return map[string]string{"url": p.server.URL(), "token": duffelToken, "webhookSecret": p.secret}
}

func (p *duffelPart) stop() error {
	if p == nil {
		return nil
	}
	return p.server.Close()
}
