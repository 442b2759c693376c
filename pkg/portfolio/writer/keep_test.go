package writer_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/writer"
)

// What it invents in another language does not.
func TestInventionsInAnotherLanguageAreLeftOut(t *testing.T) {
	t.Parallel()
	p := projects.Project{Code: "S", Type: "bathroom renovation", Story: projects.Story{
		Problem:  "el cliente tenía una bañera vieja y quería una ducha",
		Solution: "pusimos porcelánico y una mampara"}}
	for _, s := range []string{"Pusimos mármol en la ducha.", "El trabajo está garantizado.",
		"Una reforma espectacular.",
		"Costó 4.000 euros.", "El cliente es de Sevilla.", "We fitted marble."} {
		answer, _ := json.Marshal(map[string]any{"blocks": []block{{"kind": "paragraph", "text": s}}})
		d, err := writer.Content(says(string(answer), string(answer)).with(t), p, projects.Business{})
		if err != nil || strings.Contains(show(d), s) {
			t.Errorf("%v: %q stays", err, s)
		}
	}
}

// A quotation is what the facts report as said.
func TestAQuotationIsWhatWasSaid(t *testing.T) {
	t.Parallel()
	p := kitchen()
	p.Story.Result += ". they said it's the best room in the house"
	answer, _ := json.Marshal(map[string]any{"blocks": []block{{"kind": "quote",
		"text": "It's the best room in the house"},
		{"kind": "quote", "text": "The damp is gone"},
		{"kind": "paragraph", "text": "They said “it's the best room in the " +
			"house”. They said “the damp is gone”."}}})
	d, err := writer.Content(says(string(answer), string(answer)).with(t), p, dale())
	if err != nil {
		t.Fatal(err)
	}
	if d.Blocks[0].Kind != projects.Quote || d.Blocks[0].Text != "It's the best room in the house" ||
		!strings.HasPrefix(d.Blocks[1].Text, "They said “it's the best room in the house”.") ||
		strings.Contains(show(d.Blocks), "he damp") {
		t.Error(show(d.Blocks))
	}
}

// Sentences as a model writes them of these facts, without inventing anything.
func TestWhatAModelWritesOfTheFactsStays(t *testing.T) {
	t.Parallel()
	bath := projects.Project{Code: "B", Type: "bathroom renovation", Place: projects.Place{City: "Bristol"},
		Materials: []string{"porcelain tiles", "glass screen"}, Techniques: []string{"tanking", "tiling"},
		Story: projects.Story{
			Problem: "The old suite was leaking into the ceiling below and the client's mother couldn't step over " +
				"the bath.",
			Solution: "We stripped it back to the joists, replaced two rotten joists, tanked the walls and tiled " +
				"with porcelain. Walk-in shower with a linear drain.",
			Challenge: "the floor had a fall of 25 mm the wrong way",
			Result:    "she can shower without a step and the leak is gone", Duration: "two weeks"}}
	wires := projects.Project{Code: "E", Type: "rewiring", Place: projects.Place{City: "York"},
		Materials: []string{"LED downlights"}, Story: projects.Story{
			Problem: "the old wiring was rubber insulated and unsafe", Duration: "5 days",
			Solution: "we rewired a 1930s semi, new consumer unit, 14 sockets and LED downlights",
			Result:   "everything passed the test first time"}}
	roof := projects.Project{Code: "R", Type: "roof replacement", Materials: []string{"Welsh slate", "lead"},
		Place: projects.Place{City: "Conwy"}, Story: projects.Story{
			Problem:   "water came in at the chimney every winter",
			Challenge: "we could only work between storms, the scaffold stood for six weeks",
			Solution: "we took off the old slates, kept the 300 good ones for the back, laid Welsh slate on the " +
				"front and new lead round the chimney",
			Result: "dry for two winters now", Completed: "finished in may"}}
	spanish := projects.Project{Code: "S", Type: "bathroom renovation", Place: projects.Place{City: "Valencia"},
		Story: projects.Story{Problem: "el cliente tenía una bañera vieja y quería una ducha",
			Solution: "pusimos porcelánico " +
				"y una mampara de cristal", Duration: "dos semanas"}}
	deck := projects.Project{Code: "D", Type: "deck", Materials: []string{"composite boards"},
		Place: projects.Place{City: "Austin", Region: "Texas"}, Story: projects.Story{
			Problem: "the old deck was rotten", Challenge: "the yard slopes 4 feet so we put in 12 concrete footings",
			Solution: "we built a composite deck for a family, 320 square feet, with hidden fasteners and LED step " +
				"lights",
			Result: "they now eat outside every night", Duration: "2 weeks in March"}}
	for name, tt := range map[string]struct {
		project   projects.Project
		sentences string
	}{
		"kitchen": {kitchen(), `The client's MDF cabinets were old and falling apart.
			The floor underneath was damp too.
			None of the walls were square: over 3 metres they were out by 40 mm.
			We built new cabinets in oak, with dovetail drawers.
			Quartz worktops were fitted on top.
			To deal with the uneven walls, we scribed every panel so that it fits the wall exactly.
			The brass handles come from a foundry in Sheffield.
			Six of the old doors were reused in the utility room.
			The kitchen now has twice the storage, and the damp is gone.
			The whole job took three weeks and was finished in May 2026.
			At 18 square metres, it is a good-sized kitchen.
			Each panel was scribed by hand to follow the wall.
			The result is a kitchen with twice as much storage as before.
			Our client needed a new kitchen because the old cabinets were falling apart.
			Every cabinet is made from oak.
			We also solved the damp.`},
		"Spanish": {spanish, `El cliente quería una ducha.
			La bañera era vieja.
			Pusimos porcelánico en la ducha y una mampara de cristal.
			La ducha tiene una mampara de cristal.`},
		"deck": {deck, `This Austin family's old deck had rotted.
			We replaced it with a composite deck of 320 square feet.
			Because the yard slopes four feet, we put in twelve concrete footings to support the new structure.
			Hidden fasteners hold the boards, and LED lights show the steps.
			The deck was completed in two weeks in March.
			The family now eats outside every night.
			The new deck measures 320 square feet.`},
		"bathroom": {bath, `The old suite leaked into the ceiling below.
			Stepping over the bath had become difficult for the client's mother.
			We stripped the bathroom back to its joists and replaced two of them that were rotten.
			The walls were tanked before we tiled them with porcelain.
			A walk-in shower with a linear drain takes the place of the bath.
			The floor fell 25 mm in the wrong direction.
			Today she can shower without a step.
			The leak is gone.
			The bathroom took two weeks from start to finish.
			We corrected the fall of the floor.
			There is no longer a step into the shower.
			A glass screen completes the shower.`},
		"rewiring": {wires, `The wiring in this 1930s semi was insulated with rubber and no longer safe.
			We rewired the whole house and fitted a new consumer unit.
			The new installation has 14 sockets and LED downlights.
			Everything passed its test the first time.
			The work took five days.
			The old rubber-insulated wiring was removed.
			We replaced all of the old wiring.`},
		"roof": {roof, `Every winter, water came in around the chimney.
			The weather made this job difficult: we could only work between storms.
			The scaffold was up for six weeks.
			We removed the old slates and kept 300 good ones for the back of the roof.
			The front was laid in Welsh slate.
			New lead was fitted around the chimney.
			The roof has been dry for two winters.
			The work was finished in May.
			We reused the good slates at the back.`},
	} {
		total, kept := 0, 0
		for s := range strings.Lines(tt.sentences) {
			s = strings.TrimSpace(s)
			answer, _ := json.Marshal(map[string]any{"blocks": []block{{"kind": "paragraph", "text": s}}})
			m := says(string(answer))
			d, err := writer.Content(m.with(t), tt.project, dale())
			if err != nil {
				t.Fatal(err)
			}
			if total++; strings.Contains(show(d.Blocks), s) {
				kept++
				continue
			}
			last := m.asked[len(m.asked)-1].Messages
			_, why, _ := strings.Cut(last[len(last)-1].Text, "→")
			why, _, _ = strings.Cut(why, "\n")
			t.Logf("%s: left out %q: %s", name, s, why)
		}
		if kept*10 < total*9 {
			t.Errorf("%s: only %d of %d sentences stay", name, kept, total)
		}
	}
}
