package writer_test

import (
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/writer"
)

// The client's address is taken out of what was said, and the rest stays.
func TestTheClientsAddressIsTakenOut(t *testing.T) {
	t.Parallel()
	place := projects.Place{Street: "14 Rosewood Lane", District: "Headingley", City: "Leeds", Region: "Yorkshire"}
	for said, want := range map[string]string{
		"We fitted oak doors at 14 Rosewood Lane in Headingley.":     "We fitted oak doors.",
		"We fitted oak doors in Headingley, Leeds.":                  "We fitted oak doors in Leeds.",
		"this was a kitchen for a couple in headingley leeds":        "This was a kitchen for a couple in Leeds.",
		"We fitted oak doors at 14 Rosewood Lane, Headingley, Leeds": "We fitted oak doors in Leeds.",
		"The Headingley kitchen was damp.":                           "The kitchen was damp.",
		"We worked on Rosewood Lane for a week and it rained.":       "We worked for a week and it rained.",
		"It was at 14 Rosewood Lane and the floor was damp.":         "The floor was damp.",
		"The floor was damp, it was in Headingley.":                  "",
		"Call me on 07700 900123 if you want one.":                   "",
		"We laid the floor and my number is 07700 900123.":           "We laid the floor.",
		"My number is 07700 900123.":                                 "",
		"Write to anna@client.example about the oak floor.":          "",
		"Rosewood was used for the floor.":                           "Rosewood was used for the floor.",
		"The floor in Leeds took 14 days.":                           "The floor in Leeds took 14 days.",
		"We bought it in Headingley's market and it fits.":           "",
	} {
		p := projects.Project{Code: "P", Place: place, Story: projects.Story{Solution: said}}
		d, err := writer.Content(t.Context(), p, projects.Business{})
		if err != nil {
			t.Fatal(err)
		}
		all := show(d)
		for _, private := range []string{"Lane", "eadingley", "07700", "900123", "anna@"} {
			if strings.Contains(all, private) {
				t.Errorf("%q: %q is shown: %s", said, private, all)
			}
		}
		if want != "" && d.Description != want {
			t.Errorf("%q becomes %q", said, d.Description)
		}
	}
}

// What may be shown of the place is what the owner allows.
func TestThePlaceIsShownAsTheOwnerAllows(t *testing.T) {
	t.Parallel()
	for detail, want := range map[projects.Detail]string{
		projects.Nowhere:    "Kitchen renovation",
		projects.ByCountry:  "Kitchen renovation in England",
		projects.ByRegion:   "Kitchen renovation in Yorkshire",
		projects.ByCity:     "Kitchen renovation in Leeds",
		"":                  "Kitchen renovation in Leeds",
		projects.ByDistrict: "Kitchen renovation in Headingley",
	} {
		p := projects.Project{Code: "P", Type: "kitchen renovation", Detail: detail, Place: projects.Place{
			Street: "14 Rosewood Lane", District: "Headingley", City: "Leeds", Region: "Yorkshire",
			Country: "England"},
			Story: projects.Story{Solution: "We built it in Headingley, Leeds, Yorkshire, England."}}
		d, err := writer.Content(t.Context(), p, projects.Business{})
		if err != nil || d.Title != want {
			t.Errorf("%s: %v, %q", detail, err, d.Title)
		}
		shown := p.Place.Shown(detail)
		for _, part := range []string{"Rosewood", "Headingley", "Leeds", "Yorkshire", "England"} {
			coarser := detail == projects.ByDistrict || detail == projects.ByCity || detail == "" ||
				detail == projects.ByRegion && part == "England"
			if strings.Contains(show(d), part) && !strings.Contains(shown, part) && !coarser {
				t.Errorf("%s: %s is shown: %s", detail, part, show(d))
			}
		}
		if detail != projects.ByDistrict && strings.Contains(show(d), "Headingley") {
			t.Errorf("%s: the district is shown", detail)
		}
	}
}
