// Package parts builds what several functions share: who is calling, the
// stores, and the assistants with their tools. It knows no model, so a function
// that asks none does not carry one.
package parts

import (
	"context"
	"crypto/rand"

	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/assistants/hospitality"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/project"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/letter"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/mail"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
	kept "github.com/bellhop-ai/bellhop/pkg/supabase/conversations"
	opinions "github.com/bellhop-ai/bellhop/pkg/supabase/feedback"
	hotel "github.com/bellhop-ai/bellhop/pkg/supabase/hospitality"
	shelf "github.com/bellhop-ai/bellhop/pkg/supabase/uploads"
	"github.com/bellhop-ai/bellhop/pkg/turns"
	"github.com/bellhop-ai/bellhop/pkg/uploads"
)

// Parts are immutable and shared by all requests.
type Parts struct {
	Identify   func(ctx context.Context, token string) (identity.Caller, error)
	SignIn     func(ctx context.Context, email string, password identity.Secret) (supabase.Session, error)
	Turns      turns.Store
	Talks      conversations.Store
	Desk       *consent.Desk
	Limits     control.Limits
	Feedback   opinions.Store
	Files      *uploads.Desk
	Assistants []*assistants.Assistant
}

// New builds them from the environment. Nothing is sent yet.
func New(s *boot.Service, hosts []string) (*Parts, error) {
	home, err := project.New(s)
	if err != nil {
		return nil, err
	}
	client := home.Client
	carrier, err := newCarrier(s)
	if err != nil {
		return nil, err
	}
	bernard, err := hospitality.New(hospitality.Config{Now: s.Now, Hosts: hosts, Outbox: control.NewOutbox(client), Mail: carrier, Stores: hospitality.Stores{
		Rooms: hotel.NewRooms(client), Extras: hotel.NewExtras(client), ChefMenu: hotel.NewChefMenu(client),
		Packages:     hotel.NewPackages(client),
		Reservations: hotel.NewReservations(client), Analytics: hotel.NewAnalytics(client), Pricing: hotel.NewPricing(client), Coupons: hotel.NewCoupons(client),
		BlockedDates: hotel.NewBlockedDates(client), Selections: hotel.NewSelections(client), FrontDesk: hotel.NewFrontDesk(client),
		Letters: hotel.NewLetters(client),
	}})
	if err != nil {
		return nil, err
	}
	return &Parts{
		Identify:   home.Identify,
		SignIn:     client.SignIn,
		Turns:      control.NewTurns(client),
		Talks:      kept.New(client),
		Desk:       &consent.Desk{Store: control.NewProposals(client), NewID: s.NewID, Code: consent.Codes(rand.Reader)},
		Limits:     control.NewLimits(client),
		Feedback:   opinions.New(client),
		Files:      shelf.NewDesk(client),
		Assistants: []*assistants.Assistant{bernard},
	}, nil
}

// newCarrier returns what takes letters away, nil where mail is not set up.
func newCarrier(s *boot.Service) (letter.Carrier, error) {
	var cfg boot.MailConfig
	if err := s.Env.Decode(context.Background(), &cfg); err != nil {
		return nil, err
	}
	if cfg.URL == "" {
		return nil, nil
	}
	return mail.New(mail.Config{URL: identity.Secret(cfg.URL), From: cfg.From, Now: s.Now})
}

// Gate bounds the requests of a door to so many per minute.
func (p *Parts) Gate(door string, user, org uint16) limit.Gate {
	return limit.Gate{Counter: p.Limits, Door: door, Rate: identity.Rate{User: int(user), Org: int(org)}}
}
