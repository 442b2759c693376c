package writer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/writer"
)

func photo(n int, stage projects.Stage) projects.Image {
	return projects.Image{ID: fmt.Sprintf("%s%02d", "photophotophotophotopp", n), Stage: stage, State: projects.Ready,
		Alt: "The kitchen from the door", Width: 1600, Height: 1200}
}

// kitchen is a job as a person tells of it.
func kitchen() projects.Project {
	return projects.Project{
		Code: "PRJ-K7QMPX", Version: 7, Type: "kitchen renovation",
		Place: projects.Place{Street: "14 Rosewood Lane", District: "Headingley", City: "Leeds", Region: "Yorkshire"},
		Story: projects.Story{
			Problem: "uh so the client had old mdf cabinets that were falling apart. it was at 14 Rosewood Lane in " +
				"Headingley and the floor was damp",
			Challenge: "the walls were not square anywhere, we were out by 40 mm over 3 metres",
			Solution: "we built oak cabinets with dovetail drawers and fitted quartz worktops. i scribed every " +
				"panel to the wall. call me on 07700 900123 if you want one",
			Result:    "they have twice the storage and the damp is gone",
			Duration:  "three weeks",
			Completed: "May 2026",
			Size:      "18 square metres",
			Facts: []string{"the handles are from a foundry in Sheffield",
				"we reused 6 of the old doors in the utility room"},
		},
		Materials:  []string{"oak", "quartz worktops", "brass handles"},
		Techniques: []string{"dovetail joints", "scribing"},
		Images: []projects.Image{photo(1, projects.Before), photo(2, projects.During), photo(3, projects.After),
			photo(4, projects.After), photo(5, "")},
	}
}

func dale() projects.Business {
	return projects.Business{Site: "dale-joinery", Name: "Dale Joinery", Trade: "joiner", City: "Leeds",
		Phone: "0113 496 0000", Version: 1}
}

func show(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	_ = e.Encode(v)
	return b.String()
}

func TestRulesMakeAPageOfTheFactsAlone(t *testing.T) {
	d, err := writer.Content(context.Background(), kitchen(), dale())
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("SHOW") != "" {
		t.Log(show(d))
	}
	if d.Made != writer.ByRules || d.Title != "Oak kitchen renovation in Leeds" {
		t.Errorf("made by %s: %q", d.Made, d.Title)
	}
	all := show(d)
	for _, private := range []string{"Rosewood", "Headingley", "07700", "900123"} {
		if strings.Contains(all, private) {
			t.Errorf("%q is on the page: %s", private, all)
		}
	}
	for _, said := range []string{"40 mm over 3 metres", "I scribed every panel to the wall.", "The floor was damp.",
		"18 square metres", "twice the storage", "6 of the old doors"} {
		if !strings.Contains(all, said) {
			t.Errorf("%q is missing: %s", said, all)
		}
	}
	if strings.Contains(all, "Uh") || strings.Contains(all, "uh ") {
		t.Error("fillers stay:", all)
	}
	if !slices.ContainsFunc(d.Blocks, func(b projects.Block) bool { return b.Kind == projects.Comparison }) {
		t.Error("no comparison")
	}
}

func TestRulesMakeAPageOfOneFact(t *testing.T) {
	for name, p := range map[string]projects.Project{
		"nothing":   {},
		"type":      {Type: "bathroom renovation"},
		"solution":  {Story: projects.Story{Solution: "fitted a new boiler"}},
		"materials": {Materials: []string{"oak"}},
		"markup":    {Type: "<script>alert(1)</script>", Story: projects.Story{Solution: "😀"}},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := writer.Content(context.Background(), p, dale())
			if err != nil {
				t.Fatal(err)
			}
			if os.Getenv("SHOW") != "" {
				t.Log(show(d))
			}
			if d.Blocks == nil || (d.Title == "") != (name == "nothing") {
				t.Error(show(d))
			}
		})
	}
}

// A page in another language has no English sentences of ours.
func TestRulesKeepTheLanguageOfThePerson(t *testing.T) {
	for name, tt := range map[string]struct {
		story               projects.Story
		kind, heading, text string
	}{
		"Spanish": {projects.Story{Facts: []string{"Reforma de baño en Valencia"},
			Problem: "el cliente tenía una bañera vieja " +
				"y quería una ducha", Solution: "Pusimos porcelánico y una mampara de cristal. Tardamos dos semanas."},
			"bathroom renovation", "Qué hicimos", "Reforma de baño en Valencia"},
		"German": {projects.Story{Problem: "das Bad war alt und der Kunde wollte eine Dusche",
			Solution: "wir haben die Wände " +
				"mit Feinsteinzeug gefliest und eine Dusche eingebaut"}, "bathroom renovation", "Die Ausgangslage",
			"Feinsteinzeug"},
		"Hindi": {projects.Story{Problem: "पुरानी टाइलें टूटी हुई थीं।", Solution: "नई ग्रेनाइट लगाई।"}, "", "शुरुआत",
			"ग्रेनाइट"},
		"Hinglish": {projects.Story{Problem: "purane tiles tut gaye the aur pani leak hota tha",
			Solution: "purane tiles " +
				"nikal ke naye granite lagaye"}, "bathroom renovation", "The starting point", "granite lagaye"},
	} {
		t.Run(name, func(t *testing.T) {
			p := projects.Project{Code: "P", Type: tt.kind, Story: tt.story}
			d, err := writer.Content(t.Context(), p, dale())
			if err != nil {
				t.Fatal(err)
			}
			if os.Getenv("SHOW") != "" {
				t.Log(show(d))
			}
			if strings.Contains(d.Description, " by Dale Joinery") || strings.Contains(d.Description, "works in") ||
				!strings.Contains(show(d), tt.heading) || !strings.Contains(show(d), tt.text) {
				t.Error(show(d))
			}
		})
	}
}

// A minute that is spoken without a point is divided into sentences, in its own words.
func TestASpokenMinuteIsDivided(t *testing.T) {
	for said, want := range map[string]string{
		"uh we took everything out and the walls were 40 mm out over 3 metres so we had to scribe every panel we " +
			"made the cabinets from oak with dovetailed drawers and they got twice the storage": "We took everything out and the walls " +
			"were 40 mm out over 3 metres. We had to scribe every panel. We made the cabinets from oak with " +
			"dovetailed " +
			"drawers. They got twice the storage.",
		"the client said that they wanted a shower which we built from slate because it lasts and when we were done " +
			"it was the best thing we had made": "The client said that they wanted a shower which we built from slate because it " +
			"lasts and when we were done it was the best thing we had made.",
		"We built it.": "We built it.",
	} {
		p := projects.Project{Code: "P", Story: projects.Story{Solution: said}}
		d, err := writer.Content(t.Context(), p, projects.Business{})
		if err != nil {
			t.Fatal(err)
		}
		all := d.Description
		for _, b := range d.Blocks {
			if b.Kind == projects.Paragraph && !strings.Contains(all, b.Text) {
				all += " " + b.Text
			}
		}
		if all != want {
			t.Errorf("got  %s\nwant %s", all, want)
		}
	}
}
