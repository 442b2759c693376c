package tools

import (
	"context"
	_ "embed"
	"net/mail"
	"net/url"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed texts/getBusinessProfile.md
var getBusinessText string

//go:embed texts/updateBusinessProfile.md
var updateBusinessText string

type businessInput struct{}

func (t *set) getBusinessProfile() tool.Tool {
	return tool.New(tool.Spec{Name: "getBusinessProfile", Effect: tool.Reads, Description: oneText(getBusinessText),
		Extension: "each page says who did the job"},
		func(ctx context.Context, by identity.Caller, _ businessInput) (profile, error) {
			b, err := t.Store.Business(ctx, by)
			return profileOf(b, "The profile of "+b.Name+"."), err
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
	said     string
}

func profileOf(b projects.Business, said string) profile {
	if b.Version == 0 {
		said = "There is no business profile yet. A page needs a name and a way to reach the business."
	}
	return profile{b.Version > 0, b.Site, b.Name, b.Trade, b.City, b.About, b.Phone, b.WhatsApp, b.Email, b.Website,
		b.Logo != "", said}
}

// Table lays it out, one fact a row.
func (p profile) Table() render.Table {
	t := render.Table{Title: "Business profile", Columns: []render.Column{{Key: "what", Label: "What"},
		{Key: "value", Label: "Value"}}}
	for _, row := range [][2]string{{"Name", p.Name}, {"Trade", p.Trade}, {"City", p.City}, {"About", p.About},
		{"Phone", p.Phone}, {"WhatsApp", p.WhatsApp}, {"E-mail", p.Email}, {"Website", p.Website},
		{"Part of addresses", p.Site}} {
		if row[1] != "" {
			t.Rows = append(t.Rows, []render.Cell{render.Text(row[0]), render.Text(row[1])})
		}
	}
	return t
}

// Summarize says whose it is, or what was changed.
func (p profile) Summarize() string { return p.said }

// Count is one: the profile.
func (p profile) Count() int { return 1 }

type businessChanges struct {
	Name     *string `json:"name,omitempty" jsonschema:"the name of the business"`
	Trade    *string `json:"trade,omitempty" jsonschema:"what it does, in a word or two, such as joiner"`
	City     *string `json:"city,omitempty" jsonschema:"the town in which it works"`
	About    *string `json:"about,omitempty" limits:"note" jsonschema:"a few sentences, at most 600 letters"`
	Phone    *string `json:"phone,omitempty" jsonschema:"the telephone number as clients read it"`
	WhatsApp *string `json:"whatsApp,omitempty" jsonschema:"the WhatsApp number with the code of the country"`
	Email    *string `json:"email,omitempty" jsonschema:"the e-mail address for clients"`
	Website  *string `json:"website,omitempty" jsonschema:"the website, an https address"`
	Site     *string `json:"site,omitempty" jsonschema:"its part of addresses: small letters, digits and hyphens"`
	Logo     *string `json:"logo,omitempty" jsonschema:"the id of an uploaded picture of the person; empty for none"`
}

// Check tidies what is given and refuses what no client could use.
func (in *businessChanges) Check() error {
	if *in == (businessChanges{}) {
		return fault.New(fault.Invalid, "Write what is to be different in the profile.")
	}
	for _, f := range in.fields() {
		if *f.value == nil {
			continue
		}
		tidy := oneLine
		if f.value == &in.About {
			tidy = prose
		}
		text, err := tidy(f.label, **f.value, f.most)
		if err != nil {
			return err
		}
		*f.value = &text
	}
	return in.reachable()
}

// reachable refuses what leads nowhere.
func (in *businessChanges) reachable() error {
	if in.Name != nil && *in.Name == "" {
		return fault.New(fault.Invalid, "The business needs a name.")
	}
	if in.Email != nil && *in.Email != "" {
		if a, err := mail.ParseAddress(*in.Email); err != nil || a.Address != *in.Email {
			return fault.New(fault.Invalid, "%q is not an e-mail address.", *in.Email)
		}
	}
	if in.Website != nil && *in.Website != "" {
		address := *in.Website
		if !strings.Contains(address, "://") {
			address = "https://" + address
		}
		u, err := url.Parse(address)
		if err != nil || u.Scheme != "https" || !strings.Contains(u.Host, ".") || u.User != nil {
			return fault.New(fault.Invalid, "%q is not an address that begins with https.", *in.Website)
		}
		in.Website = &address
	}
	if in.WhatsApp != nil && *in.WhatsApp != "" {
		number, good := international(*in.WhatsApp)
		if !good {
			return fault.New(fault.Invalid, "Write the WhatsApp number with the code of the country, such as "+
				"+44 7700 900123.")
		}
		in.WhatsApp = &number
	}
	return nil
}

// international returns the digits of a number with the code of a country, and false for
// one that lacks it.
func international(number string) (string, bool) {
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, number)
	digits = strings.TrimPrefix(digits, "00")
	return digits, len(digits) >= 7 && len(digits) <= 15 && digits[0] != '0'
}

// businessField is a field of the profile.
type businessField struct {
	label string
	most  int
	value **string
	of    func(*projects.Business) *string
}

func (in *businessChanges) fields() []businessField {
	return []businessField{
		{"name", maxTitle, &in.Name, func(b *projects.Business) *string { return &b.Name }},
		{"trade", maxPlace, &in.Trade, func(b *projects.Business) *string { return &b.Trade }},
		{"city", maxPlace, &in.City, func(b *projects.Business) *string { return &b.City }},
		{"text about the business", maxAbout, &in.About, func(b *projects.Business) *string { return &b.About }},
		{"phone", 40, &in.Phone, func(b *projects.Business) *string { return &b.Phone }},
		{"WhatsApp number", 40, &in.WhatsApp, func(b *projects.Business) *string { return &b.WhatsApp }},
		{"e-mail address", 120, &in.Email, func(b *projects.Business) *string { return &b.Email }},
		{"website", 200, &in.Website, func(b *projects.Business) *string { return &b.Website }},
		{"part of addresses", 40, &in.Site, func(b *projects.Business) *string { return &b.Site }},
		{"logo", 40, &in.Logo, func(b *projects.Business) *string { return &b.Logo }},
	}
}

// apply returns the profile with the changes, and a line for each that makes a
// difference.
func (in *businessChanges) apply(b projects.Business) (projects.Business, []tool.Line) {
	var lines []tool.Line
	for _, f := range in.fields() {
		at := f.of(&b)
		if *f.value == nil || *at == **f.value {
			continue
		}
		lines = append(lines, tool.Line{Label: strings.ToUpper(f.label[:1]) + f.label[1:], Before: orNone(*at),
			After: orNone(**f.value)})
		*at = **f.value
	}
	return b, lines
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

func (t *set) updateBusinessProfile() tool.Tool {
	return tool.New(tool.Spec{Name: "updateBusinessProfile", Effect: tool.Changes,
		Description: oneText(updateBusinessText), Extension: "each page says who did the job"},
		func(ctx context.Context, by identity.Caller, in businessChanges) (profile, error) {
			b, err := t.Store.Business(ctx, by)
			if err != nil {
				return profile{}, err
			}
			b, _ = in.apply(b)
			if b, err = t.Store.SaveBusiness(ctx, by, b); err != nil {
				return profile{}, err
			}
			return profileOf(b, "Saved the profile of "+b.Name+"."), nil
		},
		tool.Previewed(func(ctx context.Context, by identity.Caller, in businessChanges) (tool.Preview, error) {
			b, err := t.Store.Business(ctx, by)
			if err != nil {
				return tool.Preview{}, err
			}
			after, lines := in.apply(b)
			switch {
			case len(lines) == 0:
				return tool.Preview{}, fault.New(fault.Invalid, "Nothing would change: the profile is like that "+
					"already.").WithCode("nothing_to_change")
			case after.Name == "":
				return tool.Preview{}, fault.New(fault.Invalid, "The profile has no name yet. Write it, too.")
			}
			p := tool.Preview{Title: "Change the business profile of " + after.Name, Lines: lines,
				Warnings: []string{"It stands on every page that is public."}}
			if b.Version == 0 {
				p.Title = "Save the business profile of " + after.Name
			}
			if b.Site != "" && after.Site != b.Site {
				p.Warnings = append(p.Warnings, "The addresses of all pages change.")
			}
			return p, nil
		}))
}
