// Package travel keeps trips, bookings, travellers and preferences in the project's
// database, each for the person whose they are.
package travel

import (
	"context"
	"encoding/json"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
	"github.com/bellhop-ai/bellhop/pkg/travel/travellers"
)

// Travellers is a travellers.Store. What is personal is asked for by requests that bear
// the proof, and is never among what a preview keeps.
type Travellers struct{ client *supabase.Client }

var _ travellers.Store = Travellers{}

// NewTravellers returns the store in the project of client.
func NewTravellers(client *supabase.Client) Travellers { return Travellers{client} }

// Summaries returns what models may know; see travellers.Store. A visitor has no
// travellers.
func (s Travellers) Summaries(ctx context.Context, by identity.Caller, on calendar.Date) ([]travellers.Summary,
	error) {
	if by.Visitor != "" {
		return nil, nil
	}
	args := supabase.Args{}
	if !on.IsZero() {
		args["p_on"] = on
	}
	return supabase.Read[[]travellers.Summary](ctx, s.client.As(by), "traveller_summaries", args)
}

// List returns the profiles for their form; see travellers.Store.
func (s Travellers) List(ctx context.Context, by identity.Caller) ([]travellers.Traveller, error) {
	return supabase.CallAgain[[]travellers.Traveller](ctx, s.client.As(by).Control(), "traveller_list", nil)
}

// Save keeps a profile; see travellers.Store.
func (s Travellers) Save(ctx context.Context, by identity.Caller, t travellers.Traveller) (travellers.Traveller,
	error) {
	if by.Visitor != "" {
		return travellers.Traveller{}, errVisitor()
	}
	raw, err := json.Marshal(t)
	if err != nil {
		return t, err
	}
	return supabase.Call[travellers.Traveller](ctx, s.client.As(by).Control(), "traveller_save",
		supabase.Args{"p": json.RawMessage(raw)})
}

// Delete deletes a profile; see travellers.Store.
func (s Travellers) Delete(ctx context.Context, by identity.Caller, code string, version int) error {
	_, err := supabase.Call[json.RawMessage](ctx, s.client.As(by).Control(), "traveller_delete",
		supabase.Args{"p_code": code, "p_version": version})
	return err
}

// People returns all of the travellers for an order; see travellers.Store.
func (s Travellers) People(ctx context.Context, by identity.Caller, codes []string) ([]flights.Person, error) {
	if codes == nil {
		codes = []string{}
	}
	all, err := supabase.CallAgain[[]travellers.Traveller](ctx, s.client.As(by).Control(), "traveller_people",
		supabase.Args{"p_codes": codes})
	if err != nil {
		return nil, err
	}
	people := make([]flights.Person, len(all))
	for i, t := range all {
		people[i] = flights.Person{Title: t.Title, Gender: t.Gender, Given: t.Given, Family: t.Family, Born: t.Born,
			Email: t.Email, Phone: t.Phone, Infant: -1}
		if p := t.Passport; p != nil {
			people[i].Documents = []flights.Document{{Type: "passport", Number: p.Number, Country: p.Country,
				Expires: p.Expires}}
		}
	}
	return people, nil
}

// errVisitor refuses what is kept for a person to those who share an account.
func errVisitor() error {
	return fault.New(fault.Forbidden, "Please sign in first: this is kept for you alone.").WithCode("sign_in_required")
}
