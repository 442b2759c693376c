package story_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/privacy"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/story"
)

// apply returns the project with the changes of a reading.
func apply(p projects.Project, r story.Reading) projects.Project {
	c := r.Changes
	if c.Title != nil {
		p.Title = *c.Title
	}
	if c.Type != nil {
		p.Type = *c.Type
	}
	if c.Place != nil {
		p.Place = *c.Place
	}
	if c.Detail != nil {
		p.Detail = *c.Detail
	}
	if c.Story != nil {
		p.Story = *c.Story
	}
	if c.Materials != nil {
		p.Materials = *c.Materials
	}
	if c.Techniques != nil {
		p.Techniques = *c.Techniques
	}
	return p
}

const minute = "So we did a kitchen at 14 Rosewood Lane, Headingley, Leeds. The old one was falling apart and they " +
	"wanted more storage. We fitted oak doors and quartz worktops. It took us three weeks. They love it."

// A story goes into the fields, and an address is nowhere but in the place.
func TestRead(t *testing.T) {
	t.Parallel()
	p := apply(projects.Project{}, story.Read(projects.Project{}, minute, ""))
	want := projects.Project{Type: "kitchen renovation", Materials: []string{"oak", "quartz"},
		Place: projects.Place{Street: "14 Rosewood Lane", District: "Headingley", City: "Leeds"},
		Story: projects.Story{Problem: "The old one was falling apart and they wanted more storage.",
			Solution: "We fitted oak doors and quartz worktops.", Result: "They love it.", Duration: "three weeks"}}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Error(diff)
	}
}

func TestCorrections(t *testing.T) {
	t.Parallel()
	begun := apply(projects.Project{}, story.Read(projects.Project{}, minute, ""))
	tests := map[string]struct {
		said     string
		noted    projects.Note
		solution string // "" is not looked at
	}{
		"no, pine": {"no, pine", projects.Note{Field: "materials", Was: "oak", Is: "pine"},
			"We fitted pine doors and quartz worktops."},
		"dictated": {"no pine", projects.Note{Field: "materials", Was: "oak", Is: "pine"}, ""},
		"pine, not oak": {"It was pine, not oak.", projects.Note{Field: "materials", Was: "oak",
			Is: "pine"}, ""},
		"it wasn't oak": {"sorry it wasn't oak, it was walnut", projects.Note{Field: "materials",
			Was: "oak", Is: "walnut"}, ""},
		"actually granite": {"Actually the worktops are granite, not quartz",
			projects.Note{Field: "materials", Was: "quartz", Is: "granite"},
			"We fitted oak doors and granite worktops."},
		"another duration": {"no sorry, it took four weeks", projects.Note{Field: "duration",
			Was: "three weeks", Is: "four weeks"}, ""},
		"another town": {"no, Bradford", projects.Note{Field: "place", Was: "Headingley, Leeds",
			Is: "Bradford"}, ""},
		"another type": {"no it was a bathroom renovation", projects.Note{Field: "type",
			Was: "kitchen renovation", Is: "bathroom renovation"}, ""},
		"a duration said again": {"took us four weeks in the end", projects.Note{Field: "duration",
			Was: "three weeks", Is: "four weeks"}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			before := begun
			before.Materials = slices.Clone(begun.Materials)
			r := story.Read(before, tt.said, "")
			if !slices.Equal(r.Corrected, []projects.Note{tt.noted}) {
				t.Fatalf("corrected %+v", r.Corrected)
			}
			p := apply(before, r)
			if !slices.Contains(p.Story.Notes, tt.noted) {
				t.Errorf("notes %+v", p.Story.Notes)
			}
			if tt.noted.Field == "materials" && (slices.Contains(p.Materials, tt.noted.Was) ||
				!slices.Contains(p.Materials, tt.noted.Is) || len(p.Materials) != 2) {
				t.Errorf("materials %q", p.Materials)
			}
			if tt.solution != "" && p.Story.Solution != tt.solution {
				t.Errorf("solution %q", p.Story.Solution)
			}
			if p.Story.Problem != begun.Story.Problem || p.Story.Result != begun.Story.Result {
				t.Errorf("story %+v", p.Story)
			}
			if !slices.Equal(before.Materials, begun.Materials) {
				t.Error("the project itself was changed")
			}
		})
	}
}

// What was thought of, taken out or seen elsewhere is no material of the job.
func TestMaterialsThatWereNotUsed(t *testing.T) {
	t.Parallel()
	for _, said := range []string{
		"They had looked at marble but it was too expensive.",
		"We ripped out the old laminate worktops.",
		"We didn't use any oak on this one.",
		"They wanted granite.",
		"The old slate roof was leaking.",
		"The guys lead the way on this sort of thing.",
		"It looks like marble.",
		"We laid a travertine look tile.",
		"We picked all the cement off by hand.",
	} {
		r := story.Read(projects.Project{Type: "kitchen renovation"}, said, "")
		if r.Changes.Materials != nil {
			t.Errorf("%q: %q", said, *r.Changes.Materials)
		}
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		p           projects.Project
		asked, said string
		want        func(projects.Project) any
		is          any
	}{
		"a type in other words": {asked: "type", said: "a doghouse",
			want: func(p projects.Project) any { return p.Type }, is: "a doghouse"},
		"a type of the list": {asked: "type", said: "Bathroom renovation",
			want: func(p projects.Project) any { return p.Type }, is: "bathroom renovation"},
		"a type with its question": {asked: "type", said: "What kind of job was it?\nRoof repair",
			want: func(p projects.Project) any { return p.Type }, is: "roof repair"},
		"a problem that nothing places": {asked: "problem", said: "Nothing much, they just fancied a change",
			want: func(p projects.Project) any { return p.Story.Problem },
			is:   "Nothing much, they just fancied a change"},
		"a usual problem": {asked: "problem", said: "The old shower was leaking.",
			want: func(p projects.Project) any { return p.Story.Problem }, is: "The old shower was leaking."},
		"materials without their list": {asked: "materials", said: "Blurgh stone, a bit of kryptonite",
			want: func(p projects.Project) any { return p.Materials }, is: []string{"Blurgh stone",
				"a bit of kryptonite"}},
		"materials of the list": {asked: "materials", said: "mostly oak and a bit of brass",
			want: func(p projects.Project) any { return p.Materials }, is: []string{"oak", "brass"}},
		"a town that no list has": {asked: "place", said: "Little Wobbleton",
			want: func(p projects.Project) any { return p.Place.City }, is: "Little Wobbleton"},
		"no place": {asked: "place", said: "Leave the place out",
			want: func(p projects.Project) any { return p.Detail }, is: projects.Nowhere},
		"a result": {asked: "result", said: "It works as it should again.",
			want: func(p projects.Project) any { return p.Story.Result }, is: "It works as it should again."},
		"more than was asked": {asked: "problem", said: "It was damp and mouldy. We put in a new floor in Leeds.",
			want: func(p projects.Project) any { return p.Story.Solution + " " + p.Place.City },
			is:   "We put in a new floor in Leeds. Leeds"},
		"a command form as an answer": {asked: "solution", said: "Add storage and make it bigger",
			want: func(p projects.Project) any { return p.Story.Solution }, is: "Add storage and make it bigger"},
		"a request is no answer": {asked: "problem", said: "show me the preview",
			want: func(p projects.Project) any { return p.Story.Problem }, is: ""},
		"a yes says nothing": {asked: "problem", said: "yes",
			want: func(p projects.Project) any { return p.Story.Problem }, is: ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := story.Read(tt.p, tt.said, tt.asked)
			p := apply(tt.p, r)
			if got := tt.want(p); !reflect.DeepEqual(got, tt.is) {
				t.Errorf("got %#v, want %#v", got, tt.is)
			}
			if !slices.Equal(p.Story.Asked, []string{tt.asked}) || r.Skipped {
				t.Errorf("asked %q, skipped %v", p.Story.Asked, r.Skipped)
			}
		})
	}
}

// At most three questions are asked in the life of a project, none twice, and only for
// what is missing.
func TestQuestions(t *testing.T) {
	t.Parallel()
	var p projects.Project
	var ids []string
	for {
		q, ok := story.Next(p)
		if !ok {
			break
		}
		if slices.Contains(ids, q.ID) {
			t.Fatalf("%s is asked twice", q.ID)
		}
		if n := len(q.Options); n < 3 || n > 5 || q.Options[n-1] != story.Skip || q.Text == "" {
			t.Errorf("%+v", q)
		}
		ids = append(ids, q.ID)
		said := q.Options[0]
		if len(ids) == 2 {
			said = "skip"
		}
		r := story.Read(p, said, q.ID)
		if r.Skipped != (len(ids) == 2) {
			t.Errorf("%s: skipped %v", q.ID, r.Skipped)
		}
		p = apply(p, r)
	}
	if want := []string{"type", "problem", "solution"}; !slices.Equal(ids, want) {
		t.Errorf("asked %q, want %q", ids, want)
	}
	if !slices.Equal(p.Story.Skipped, []string{"problem"}) {
		t.Errorf("skipped %q", p.Story.Skipped)
	}

	full := apply(projects.Project{}, story.Read(projects.Project{}, minute, ""))
	if q, ok := story.Next(full); !ok || q.ID != "challenge" {
		t.Errorf("%+v, %v: of that story only the challenge is missing", q, ok)
	}
	full.Story.Challenge = "The walls were not straight."
	if q, ok := story.Next(full); ok {
		t.Errorf("%+v: nothing is missing", q)
	}
}

// The usual answers are those of the trade, and each of them fills the field for which it
// stands.
func TestUsualAnswersFillTheirFields(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"", "kitchen renovation", "bathroom renovation", "roof repair",
		"loft conversion", "fitted wardrobes",
		"flooring", "plastering", "interior painting", "house rewire", "boiler replacement",
		"solar installation", "decking",
		"swimming pool", "repointing"} {
		asked := 0
		for _, id := range story.Questions() {
			p := projects.Project{Type: kind}
			for _, other := range story.Questions() {
				// Everything but the one field is there.
				if other == id {
					continue
				}
				switch other {
				case "type":
					p.Type = kind
				case "problem":
					p.Story.Problem = "x"
				case "solution":
					p.Story.Solution = "x"
				case "materials":
					p.Materials = []string{"x"}
				case "place":
					p.Place.City = "Leeds"
				case "result":
					p.Story.Result = "x"
				case "challenge":
					p.Story.Challenge = "x"
				}
			}
			q, ok := story.Next(p)
			if !ok || q.ID != id {
				continue // the type is there, or asked for first
			}
			asked++
			for _, o := range q.Options[:len(q.Options)-1] {
				after := story.Read(p, o, id)
				field := q.Field
				if field == "place" {
					field = "locationDetail"
				}
				if !slices.Contains(after.Found, field) {
					t.Errorf("%s: %q for %s fills %q", kind, o, id, after.Found)
				}
			}
		}
		if want := 6; kind != "" && asked != want {
			t.Errorf("%s: %d questions, want %d", kind, asked, want)
		}
	}
}

func TestParsePlace(t *testing.T) {
	t.Parallel()
	tests := map[string]projects.Place{
		"14 Rosewood Lane, Headingley, Leeds": {Street: "14 Rosewood Lane", District: "Headingley",
			City: "Leeds"},
		"14 Rosewood Lane, Headingley, Leeds LS6 3QB": {Street: "14 Rosewood Lane", District: "Headingley",
			City: "Leeds"},
		"Leeds":                            {City: "Leeds"},
		"in leeds":                         {City: "Leeds"},
		"near Pune":                        {City: "Pune"},
		"Headingley in Leeds":              {District: "Headingley", City: "Leeds"},
		"Leeds, West Yorkshire":            {City: "Leeds", Region: "West Yorkshire"},
		"Austin, Texas":                    {City: "Austin", Region: "Texas"},
		"1200 W 5th Ave, Austin, TX 78703": {Street: "1200 W 5th Ave", City: "Austin", Region: "TX"},
		"Kothrud, Pune, Maharashtra, India": {District: "Kothrud", City: "Pune", Region: "Maharashtra",
			Country: "India"},
		"12 MG Road, Bengaluru 560001":  {Street: "12 MG Road", City: "Bengaluru"},
		"Hauptstraße 12, 80331 München": {Street: "Hauptstraße 12", City: "München"},
		"calle Mayor 15, Madrid, Spain": {Street: "calle Mayor 15", City: "Madrid", Country: "Spain"},
		"Little Wobbleton":              {City: "Little Wobbleton"},
		"Wobbleton, Devon":              {City: "Wobbleton", Region: "Devon"},
		"it was in Bristol, Clifton":    {District: "Clifton", City: "Bristol"},
		"25 elm drive, leeds":           {Street: "25 elm drive", City: "Leeds"},
		"London, UK":                    {City: "London", Country: "UK"},
		"":                              {},
		"🏠":                             {},
		"12345":                         {},
	}
	for text, want := range tests {
		if got := story.ParsePlace(text); got != want {
			t.Errorf("%q: got %+v, want %+v", text, got, want)
		}
	}
}

// What a model extracts counts only where the person's words back it.
func TestMerge(t *testing.T) {
	t.Parallel()
	said := []string{"We did a bathroom in Leeds, the old shower was leaking into the kitchen.",
		"We tanked the walls and laid porcelain tiles, it took two weeks. They asked for marble first but it was " +
			"too expensive.",
		"They can walk straight in now and they love it."}
	given := story.Extracted{
		Title: "Bathroom renovation in Leeds", Type: "bathroom renovation",
		Place:     projects.Place{City: "Leeds", Region: "Yorkshire"},
		Materials: []string{"porcelain tiles", "marble", "brass"}, Techniques: []string{"tanking",
			"underfloor heating"},
		Problem: "The old shower was leaking into the kitchen. It had been broken for 3 years.",
		Solution: "We tanked the walls and laid porcelain tiles. Our award-winning craftsmanship guarantees " +
			"lifelong elegance.",
		Result:   "They can walk straight in and love it.",
		Duration: "2 weeks", Completed: "May 2026", Size: "6 square metres",
	}
	r := story.Merge(projects.Project{}, given, said)
	p := apply(projects.Project{}, r)
	want := projects.Project{Title: "Bathroom renovation in Leeds", Type: "bathroom renovation",
		Place: projects.Place{City: "Leeds"}, Materials: []string{"porcelain tiles"},
		Techniques: []string{"tanking"},
		Story: projects.Story{Problem: "The old shower was leaking into the kitchen.",
			Solution: "We tanked the walls and laid porcelain tiles.",
			Result:   "They can walk straight in and love it.",
			Duration: "2 weeks"}}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Error(diff)
	}
	refused := []string{"place: Yorkshire", "materials: marble", "materials: brass",
		"techniques: underfloor heating",
		"completed: May 2026", "size: 6 square metres", "problem: It had been broken for 3 years.",
		"solution: Our award-winning craftsmanship guarantees lifelong elegance."}
	if diff := cmp.Diff(refused, r.Refused); diff != "" {
		t.Error(diff)
	}

	// The same again, in other words, adds nothing.
	again := story.Merge(p, story.Extracted{Problem: "The shower was leaking into the old kitchen.",
		Duration:  "two weeks",
		Materials: []string{"Porcelain"}, Type: "Bathroom remodel"}, said)
	if len(again.Found) != 0 && !slices.Equal(again.Found, []string{"duration"}) {
		t.Errorf("found %q", again.Found)
	}

	// What the person took back does not come in again by the model.
	corrected := apply(projects.Project{}, story.Read(projects.Project{}, minute, ""))
	corrected = apply(corrected, story.Read(corrected, "no, pine", ""))
	back := story.Merge(corrected, story.Extracted{Materials: []string{"oak"}}, []string{minute, "no, pine"})
	if !slices.Equal(back.Refused, []string{"materials: oak"}) || back.Changes.Materials != nil {
		t.Errorf("%+v", back)
	}
}

// Any text is read without a panic, and nothing private gets into texts that may be shown.
func FuzzRead(f *testing.F) {
	for _, s := range []string{minute, "", "👍", "<script>alert(1)</script>", strings.Repeat("oak ", 700),
		"no, pine", "uh um so and",
		"14 rosewood lane leeds call 07700 900123", "took us three", "a couple of", "in", "\xff",
		"वहाँ किचन का काम था पुणे में",
		"no no no not oak not pine not", "....,,,,!!!", "\u202egnp.exe", "\u0300"} {
		f.Add(s, "")
		f.Add(s, "problem")
		f.Add(s, "place")
	}
	f.Fuzz(func(t *testing.T, said, asked string) {
		p := apply(projects.Project{}, story.Read(projects.Project{}, said, asked))
		p = apply(p, story.Read(p, said, asked))
		for _, text := range append([]string{p.Story.Problem, p.Story.Challenge, p.Story.Solution,
			p.Story.Result, p.Story.Detail,
			p.Title, p.Type}, p.Story.Facts...) {
			for _, found := range privacy.Find(text) {
				if found.Kind == privacy.Phone || found.Kind == privacy.Email {
					t.Errorf("%q holds %+v", text, found)
				}
			}
		}
		if len(p.Materials) > 30 || len(p.Story.Notes) > 20 || len(p.Story.Facts) > 60 {
			t.Errorf("%d materials, %d notes, %d facts", len(p.Materials), len(p.Story.Notes), len(p.Story.Facts))
		}
		story.Merge(p, story.Extracted{Title: said, Type: said, Problem: said, Materials: []string{said},
			Duration: said}, []string{said})
		story.ParsePlace(said)
		story.Salient([]string{said, asked}, 100)
		story.Next(p)
	})
}

// A question is open, and the person tells the whole story instead of the answer.
func TestAStoryIsNoShortAnswer(t *testing.T) {
	t.Parallel()
	said := "It was a bathroom in York, they had no shower. We fitted a walk-in shower with porcelain tiles. It " +
		"took two weeks."
	for _, asked := range story.Questions() {
		r := story.Read(projects.Project{}, said, asked)
		for _, field := range []string{"type", "place", "solution", "duration", "materials"} {
			if !slices.Contains(r.Found, field) {
				t.Errorf("asked about the %s: %s is missing in %v", asked, field, r.Found)
			}
		}
	}
}

// What is taken back is gone from the list and from the sentences, however it is said, and
// what replaces it stays.
func TestWhatIsTakenBackIsGone(t *testing.T) {
	before := projects.Project{Type: "kitchen renovation", Materials: []string{"oak", "quartz", "steel"},
		Story: projects.Story{Solution: "We built oak cabinets."}}
	for _, said := range []string{"actually it was walnut, not oak", "not oak but walnut", "not oak, walnut",
		"I meant walnut",
		"sorry, the cabinets are walnut, not oak", "no, walnut", "actually it is walnut instead of oak"} {
		r := story.Read(before, said, "")
		if r.Changes.Materials == nil || slices.Contains(*r.Changes.Materials, "oak") ||
			!slices.Contains(*r.Changes.Materials, "walnut") || !slices.Contains(*r.Changes.Materials, "steel") {
			t.Errorf("%q: %v", said, r.Changes.Materials)
			continue
		}
		if len(r.Corrected) != 1 || r.Changes.Story == nil || strings.Contains(r.Changes.Story.Solution, "oak") {
			t.Errorf("%q: %+v", said, r)
		}
	}
	r := story.Read(projects.Project{Type: "kitchen renovation"},
		"We built quartz worktops. No wait, the worktops are granite, not quartz.", "")
	if r.Changes.Materials == nil || slices.Contains(*r.Changes.Materials, "quartz") ||
		!slices.Contains(*r.Changes.Materials, "granite") || strings.Contains(r.Changes.Story.Solution, "quartz") {
		t.Errorf("in one message: %+v", r.Changes)
	}
}
