// Package business keeps in the project's database what administrators tell
// assistants of their organisation.
package business

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/business"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Store is a business.Store. It acts with the caller's own token: row
// policies say who reads and who changes.
type Store struct{ client *supabase.Client }

var _ business.Store = Store{}

// New returns the store in the project of client.
func New(client *supabase.Client) Store { return Store{client} }

// businessRow is a row of business_contexts.
type businessRow struct {
	OrgID       string  `json:"org_id,omitempty"`
	Code        string  `json:"code"`
	EntityID    string  `json:"entity_id"`
	Country     string  `json:"country"`
	Currency    string  `json:"currency"`
	Industry    string  `json:"industry"`
	Size        *string `json:"entity_size"`
	Description string  `json:"description"`
	Version     int     `json:"version,omitempty"`
}

const businessColumns = "code,entity_id,country,currency,industry,entity_size,description,version"

// context returns the row as people know it, "" as Entity for one that is not the
// caller's.
func (r businessRow) context(by identity.Caller) business.Context {
	c := business.Context{Country: r.Country, Currency: r.Currency, Industry: r.Industry,
		Description: r.Description, Version: r.Version}
	if r.Size != nil {
		c.Size = *r.Size
	}
	for _, e := range by.Entities {
		if e.ID == r.EntityID {
			c.Entity, c.Name = e.Key, e.Name
		}
	}
	return c
}

// Businesses returns what was described; see business.Store.
func (s Store) Businesses(ctx context.Context, by identity.Caller) ([]business.Context, error) {
	rows, err := supabase.Select[businessRow](ctx, s.client.As(by), supabase.Query{Table: "business_contexts",
		Columns: businessColumns})
	if err != nil {
		return nil, err
	}
	list := make([]business.Context, len(rows))
	for i, r := range rows {
		list[i] = r.context(by)
	}
	return list, nil
}

// SaveBusiness describes an entity; see business.Store.
func (s Store) SaveBusiness(ctx context.Context, by identity.Caller,
	c business.Context) (business.Context, error) {
	row := businessRow{OrgID: by.OrgID, Country: c.Country, Currency: c.Currency, Industry: c.Industry,
		Description: c.Description}
	for _, e := range by.Entities {
		if e.Key == c.Entity {
			row.EntityID = e.ID
		}
	}
	if row.EntityID == "" {
		return c, fault.New(fault.NotFound, "Your organisation has no %q.", c.Entity).WithCode("unknown_entity")
	}
	if c.Size != "" {
		row.Size = &c.Size
	}
	var saved businessRow
	var err error
	if c.Version == 0 {
		saved, err = supabase.Insert[businessRow](ctx, s.client.As(by), "business_contexts", businessColumns,
			row)
		err = created(err)
	} else {
		saved, err = supabase.Update[businessRow](ctx, s.client.As(by), supabase.Query{Table: "business_contexts",
			Columns: businessColumns,
			Where:   []supabase.Cond{supabase.Eq("entity_id", row.EntityID), supabase.Version(c.Version)}},
			map[string]any{"country": row.Country, "currency": row.Currency, "industry": row.Industry,
				"entity_size": row.Size, "description": row.Description})
	}
	if err != nil {
		return c, err
	}
	return saved.context(by), nil
}

// created says of what is there already that it was changed meanwhile.
func created(err error) error {
	if f := fault.From(err); err != nil && f.Code == "duplicate" {
		return fault.Wrap(fault.Conflict, err,
			"It was saved meanwhile. Load it again, and make your change once more.").WithCode("changed")
	}
	return err
}

// countryRow is a row of country_configs and country_settings.
type countryRow struct {
	OrgID      string            `json:"org_id,omitempty"`
	Code       string            `json:"code,omitempty"`
	Name       string            `json:"name"`
	Currency   string            `json:"currency"`
	Symbol     string            `json:"currency_symbol"`
	Grouping   string            `json:"digit_grouping"`
	DateFormat string            `json:"date_format"`
	YearBegins int               `json:"year_begins"`
	Tax        string            `json:"tax_name"`
	Thresholds map[string]string `json:"thresholds"`
	Version    int               `json:"version,omitempty"`
}

const countryColumns = "code,name,currency,currency_symbol,digit_grouping,date_format,year_begins,tax_name," +
	"thresholds,version"

func (r countryRow) country() business.Country {
	return business.Country{Code: r.Code, Name: r.Name, Currency: r.Currency, Symbol: r.Symbol,
		Grouping: r.Grouping, DateFormat: r.DateFormat, YearBegins: r.YearBegins, Tax: r.Tax,
		Thresholds: r.Thresholds, Version: r.Version}
}

// Countries returns countries by code; see business.Store.
func (s Store) Countries(ctx context.Context, by identity.Caller) ([]business.Country, error) {
	rows, err := supabase.Select[countryRow](ctx, s.client.As(by), supabase.Query{Table: "country_configs",
		Columns: countryColumns, Order: []supabase.Order{supabase.Asc("code")}})
	if err != nil {
		return nil, err
	}
	list := make([]business.Country, len(rows))
	for i, r := range rows {
		list[i] = r.country()
	}
	return list, nil
}

// SaveCountry keeps what the organisation says of a country; see business.Store.
func (s Store) SaveCountry(ctx context.Context, by identity.Caller,
	c business.Country) (business.Country, error) {
	row := countryRow{Name: c.Name, Currency: c.Currency, Symbol: c.Symbol, Grouping: c.Grouping,
		DateFormat: c.DateFormat, YearBegins: c.YearBegins, Tax: c.Tax, Thresholds: c.Thresholds}
	var saved countryRow
	var err error
	if c.Version == 0 {
		row.OrgID, row.Code = by.OrgID, c.Code
		saved, err = supabase.Insert[countryRow](ctx, s.client.As(by), "country_settings", countryColumns, row)
		err = created(err)
	} else {
		saved, err = supabase.Update[countryRow](ctx, s.client.As(by), s.country(c.Code, c.Version), row)
	}
	if err != nil {
		return c, err
	}
	return saved.country(), nil
}

// ResetCountry deletes what the organisation says of a country; see business.Store.
func (s Store) ResetCountry(ctx context.Context, by identity.Caller, code string, version int) error {
	_, err := supabase.Delete[countryRow](ctx, s.client.As(by), s.country(code, version))
	return err
}

func (s Store) country(code string, version int) supabase.Query {
	return supabase.Query{Table: "country_settings", Columns: countryColumns,
		Where: []supabase.Cond{supabase.Eq("code", code), supabase.Version(version)}}
}

// Sentence describes the company of the caller's entity for instructions to a
// model; see business.Sentence. It reads both tables.
func (s Store) Sentence(ctx context.Context, by identity.Caller) (string, error) {
	described, err := s.Businesses(ctx, by)
	if err != nil {
		return "", err
	}
	countries, err := s.Countries(ctx, by)
	if err != nil {
		return "", err
	}
	return business.Sentence(by, described, countries), nil
}
