package hospitality

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/hospitality/letters"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/reservations"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Letters is a letters.Store.
type Letters struct{ client *supabase.Client }

var _ letters.Store = Letters{}

// NewLetters returns the store in the project of client.
func NewLetters(client *supabase.Client) Letters { return Letters{client} }

// Details returns one reservation; see letters.Store.
func (s Letters) Details(ctx context.Context, by identity.Caller, code string) (reservations.Details, error) {
	return NewReservations(s.client).Details(ctx, by, code)
}

// Property reads the settings of the chosen property; see letters.Store.
func (s Letters) Property(ctx context.Context, by identity.Caller) (letters.Property, error) {
	if _, err := inProperty(by); err != nil {
		return letters.Property{}, err
	}
	row, err := supabase.One[struct {
		Name     string `json:"name"`
		CheckIn  string `json:"check_in_time"`
		CheckOut string `json:"check_out_time"`
		Phone    string `json:"phone"`
		Email    string `json:"email"`
		Address  string `json:"address"`
	}](ctx, s.client.As(by), supabase.Query{
		Table: "entities", Where: []supabase.Cond{supabase.Eq("org_id", by.OrgID), supabase.Eq("id", by.Entity.ID)},
		Columns: "name,check_in_time:settings->>checkInTime,check_out_time:settings->>checkOutTime," +
			"phone:settings->>phone,email:settings->>email,address:settings->>address",
	})
	if err != nil {
		return letters.Property{}, err
	}
	return letters.Property{
		Name: row.Name, CheckInTime: row.CheckIn, CheckOutTime: row.CheckOut, Phone: row.Phone, Email: row.Email, Address: row.Address,
	}, nil
}
