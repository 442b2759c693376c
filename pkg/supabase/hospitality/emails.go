package hospitality

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/emails"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/reservations"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Emails is an emails.Store.
type Emails struct{ client *supabase.Client }

var _ emails.Store = Emails{}

// NewEmails returns the store in the project of client.
func NewEmails(client *supabase.Client) Emails { return Emails{client} }

// Details returns one reservation; see emails.Store.
func (s Emails) Details(ctx context.Context, by identity.Caller, code string) (reservations.Details, error) {
	return NewReservations(s.client).Details(ctx, by, code)
}

// Property reads the settings of the chosen property; see emails.Store.
func (s Emails) Property(ctx context.Context, by identity.Caller) (emails.Property, error) {
	if _, err := inProperty(by); err != nil {
		return emails.Property{}, err
	}
	args := supabase.Args{"p_entity": by.Entity.ID}
	p, err := supabase.Read[*emails.Property](ctx, s.client.As(by), "entity_contact", args)
	if err == nil && p == nil {
		err = fault.New(fault.NotFound, "There is no such property.")
	}
	if err != nil {
		return emails.Property{}, err
	}
	return *p, nil
}
