package tools

import (
	"context"
	_ "embed"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed texts/getBusinessProfile.md
var getBusinessText string

type businessInput struct{}

func (t *set) getBusinessProfile() tool.Tool {
	return tool.New(tool.Spec{Name: "getBusinessProfile", Effect: tool.Reads, Description: getBusinessText,
		Extension: "each page says who did the job"},
		func(ctx context.Context, by identity.Caller, _ businessInput) (profile, error) {
			b, err := t.Store.Business(ctx, by)
			return profileOf(b), err
		})
}

// profile is a business as models and people see it.
type profile struct {
	Saved    bool   `json:"saved"`
	Site     string `json:"site"`
	Name     string `json:"name"`
	Trade    string `json:"trade"`
	City     string `json:"city"`
	About    string `json:"about"`
	Phone    string `json:"phone"`
	WhatsApp string `json:"whatsApp"`
	Email    string `json:"email"`
	Website  string `json:"website"`
	Logo     bool   `json:"logo"`
}

func profileOf(b projects.Business) profile {
	return profile{b.Version > 0, b.Site, b.Name, b.Trade, b.City, b.About, b.Phone, b.WhatsApp, b.Email, b.Website,
		b.Logo != ""}
}

// Table lays it out, one fact a row.
func (p profile) Table() render.Table {
	t := render.Table{Title: "Business profile", Columns: []render.Column{{Key: "what", Label: "What"},
		{Key: "value", Label: "Value"}}}
	for _, row := range [][2]string{{"Name", p.Name}, {"Trade", p.Trade}, {"City", p.City}, {"About", p.About},
		{"Phone", p.Phone}, {"WhatsApp", p.WhatsApp}, {"E-mail", p.Email}, {"Website", p.Website}, {"Address", p.Site}} {
		if row[1] != "" {
			t.Rows = append(t.Rows, []render.Cell{render.Text(row[0]), render.Text(row[1])})
		}
	}
	return t
}

// Summarize says whose it is.
func (p profile) Summarize() string {
	if !p.Saved {
		return "There is no business profile yet. A page needs a name and a way to reach the business."
	}
	return "The profile of " + p.Name + "."
}

// Count is one: the profile.
func (p profile) Count() int { return 1 }
