// Package runtimes builds what runs the turns and tools of the assistants that
// ship. Only functions that run these carry it.
package runtimes

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"

	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/assistants/finance"
	"github.com/bellhop-ai/bellhop/pkg/assistants/hospitality"
	"github.com/bellhop-ai/bellhop/pkg/assistants/phrases"
	"github.com/bellhop-ai/bellhop/pkg/assistants/portfolio"
	"github.com/bellhop-ai/bellhop/pkg/assistants/profiles"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/remote"
	"github.com/bellhop-ai/bellhop/pkg/email"
	"github.com/bellhop-ai/bellhop/pkg/export/pdf"
	"github.com/bellhop-ai/bellhop/pkg/finance/billfile"
	"github.com/bellhop-ai/bellhop/pkg/finance/cache"
	"github.com/bellhop-ai/bellhop/pkg/finance/gst"
	"github.com/bellhop-ai/bellhop/pkg/finance/invoice"
	"github.com/bellhop-ai/bellhop/pkg/finance/tally"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/intents"
	"github.com/bellhop-ai/bellhop/pkg/mail"
	"github.com/bellhop-ai/bellhop/pkg/router"
	"github.com/bellhop-ai/bellhop/pkg/supabase/business"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
	accounts "github.com/bellhop-ai/bellhop/pkg/supabase/finance"
	hotel "github.com/bellhop-ai/bellhop/pkg/supabase/hospitality"
	pages "github.com/bellhop-ai/bellhop/pkg/supabase/portfolio"
)

// options are what functions may choose of the assistants.
type options struct {
	intents bool
	sample  uint32
	wording string
	none    bool
}

// Option chooses something of the assistants.
type Option func(*options)

// MatchingIntents says whether routers recognise clear sentences without a model, with
// the assistants' phrases and those of the caller's organisation. Otherwise they ask
// their model about each sentence.
func MatchingIntents(on bool) Option { return func(o *options) { o.intents = on } }

// Sampling says that of n turns that were matched without a model, one asks the router's
// model as well, so that its choice can be compared; 0 is none.
func Sampling(n uint32) Option { return func(o *options) { o.sample = n } }

// Wording says who words the finance assistant's answers that need no model: "code",
// which is the default, or "model".
func Wording(by string) Option { return func(o *options) { o.wording = by } }

// Unmodelled says that the model is a stand-in that follows rules.
func Unmodelled(yes bool) Option { return func(o *options) { o.none = yes } }

// samples returns what chooses the turns whose route is checked; nil for none.
func (o options) samples() func() bool {
	if o.sample == 0 {
		return nil
	}
	return func() bool { return rand.Uint32N(o.sample) == 0 }
}

// New returns the assistants on the stores of the backend. The environment is
// read now; agents, tools and stores are built when an assistant is first used.
func New(ctx context.Context, b *backend.Backend, chosen ...Option) ([]*flow.Assistant, error) {
	var o options
	for _, choose := range chosen {
		choose(&o)
	}
	if o.wording != "" && o.wording != "code" && o.wording != "model" {
		return nil, fmt.Errorf("FINANCE_WORDING is %q; it may be code or model", o.wording)
	}
	sender, err := newSender(ctx, b.Service)
	if err != nil {
		return nil, err
	}
	matching := func(assistants.Profile) func(context.Context, identity.Caller) router.Intents { return nil }
	recognised := matchers(b)
	if o.intents {
		matching = recognised
	}
	books, err := remote.New(ctx, b)
	if err != nil {
		return nil, err
	}
	origin, err := originOfPages(ctx, b.Service)
	if err != nil {
		return nil, err
	}
	return []*flow.Assistant{
		flow.Lazy(profiles.Hospitality(), func() (*flow.Runtime, error) {
			return newHospitality(b, sender, matching(profiles.Hospitality()), o.samples())
		}),
		flow.Lazy(profiles.Finance(), func() (*flow.Runtime, error) {
			return newFinance(b, books, sender, recognised(profiles.Finance()), o)
		}),
		flow.Lazy(profiles.Portfolio(), func() (*flow.Runtime, error) {
			return portfolio.New(portfolio.Config{Projects: pages.New(b.Client), Base: origin, Unmodelled: o.none,
				Now: b.Now, Report: func(ctx context.Context, what string, err error) { b.Warn(ctx, err, what) }})
		}).LinkingTo(hostsOf(origin)...),
		flow.Lazy(profiles.Travel(), func() (*flow.Runtime, error) { return newTravel(ctx, b, o) }),
		flow.Lazy(profiles.Planner(), func() (*flow.Runtime, error) { return newPlanner(ctx, b, o, origin) }).
			LinkingTo(hostsOf(origin)...),
	}, nil
}

// originOfPages returns where people find the public pages of projects, "" for the host
// that is asked.
func originOfPages(ctx context.Context, s *boot.Service) (string, error) {
	var cfg boot.PagesConfig
	if err := s.Env.Decode(ctx, &cfg); err != nil {
		return "", err
	}
	return cfg.Origin()
}

// hostsOf returns the host of an origin, for links in answers; none for "".
func hostsOf(origin string) []string {
	if u, err := url.Parse(origin); err == nil && u.Host != "" {
		return []string{u.Host}
	}
	return nil
}

// newFinance returns Munimji with the books that organisations have connected.
func newFinance(b *backend.Backend, books *remote.Servers, sender email.Sender,
	matching func(context.Context, identity.Caller) router.Intents, o options) (*flow.Runtime, error) {
	c := finance.Config{Now: b.Now, Worded: o.wording == "model", Unmodelled: o.none,
		Business: business.New(b.Client).Sentence, Intents: matching,
		Cache:  cache.New(accounts.NewResponses(b.Client), 0),
		Report: func(ctx context.Context, what string, err error) { b.Warn(ctx, err, what) }}
	if books != nil {
		c.Books = books
		c.Files = b.Files
		c.Own = append(invoice.Tools(invoice.Config{Read: books.Read, Outbox: control.NewOutbox(b.Client),
			Mail: sender, PDF: pdf.WriteSheet, Now: b.Now}), tally.Tools(books.Read, b.Files)...)
		c.Own = append(c.Own, gst.Tools(b.Now)...)
		c.Own = append(c.Own, billfile.Tools(b.Files, books.Read, b.Now)...)
	}
	return finance.New(c)
}

// matchers returns what recognises what an organisation's people say to an assistant.
func matchers(b *backend.Backend) func(assistants.Profile) func(context.Context, identity.Caller) router.Intents {
	library := &intents.Library{Store: b.Intents, Base: phrases.Model, Now: b.Now,
		Report: func(ctx context.Context, err error) { b.Warn(ctx, err, "the organisation's phrases were not read") }}
	return func(p assistants.Profile) func(context.Context, identity.Caller) router.Intents {
		return func(ctx context.Context, by identity.Caller) router.Intents {
			if m := library.For(ctx, by, p.Name); m != nil {
				return m
			}
			return nil
		}
	}
}

func newHospitality(b *backend.Backend, sender email.Sender,
	matching func(context.Context, identity.Caller) router.Intents, sample func() bool) (*flow.Runtime, error) {
	client := b.Client
	return hospitality.New(hospitality.Config{
		Now: b.Now, Outbox: control.NewOutbox(client), Mail: sender, Intents: matching, Sample: sample,
		Stores: hospitality.Stores{
			Rooms: hotel.NewRooms(client), Extras: hotel.NewExtras(client), ChefMenu: hotel.NewChefMenu(client),
			Packages: hotel.NewPackages(client), Reservations: hotel.NewReservations(client),
			Analytics: hotel.NewAnalytics(client),
			Pricing:   hotel.NewPricing(client), Coupons: hotel.NewCoupons(client),
			BlockedDates: hotel.NewBlockedDates(client),
			Selections:   hotel.NewSelections(client), FrontDesk: hotel.NewFrontDesk(client),
			Emails: hotel.NewEmails(client),
		},
	})
}

// newSender returns what sends emails, nil where mail is not set up.
func newSender(ctx context.Context, s *boot.Service) (email.Sender, error) {
	var cfg boot.MailConfig
	if err := s.Env.Decode(ctx, &cfg); err != nil {
		return nil, err
	}
	if cfg.URL == "" {
		return nil, nil
	}
	return mail.New(mail.Config{URL: identity.Secret(cfg.URL), From: cfg.From, Now: s.Now})
}
