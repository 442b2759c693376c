package portfolio_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	kept "github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/supabase/conversations"
)

func TestAProjectIsStoredAsItWasSaid(t *testing.T) {
	t.Parallel()
	f := newFirm(t)
	p := f.begin()
	c := projects.Changes{
		Title: new("<script>alert(1)</script>"), Type: new("kitchen renovation"),
		Place:  &projects.Place{Street: "14 Rosewood Lane", District: "Headingley", City: "Leeds", Country: "England"},
		Detail: new(projects.ByDistrict),
		Story: &projects.Story{Problem: " No room to cook. ", Solution: "We took the wall out.\r\nThen oak.",
			Notes: []projects.Note{{Field: "materials", Was: "oak", Is: "pine"}}, Asked: []string{"type"},
			Skipped: []string{"challenge"}, Facts: []string{"The lintel is 3.2 metres."}},
		Materials: &[]string{"oak", " Oak", "", "brass"}, Techniques: &[]string{"scribing"},
		Tags:        &[]string{"kitchen"},
		Description: new("A kitchen for four."), SEO: &projects.SEO{Title: "Oak kitchen", Description: "In Leeds"},
		Blocks: &[]projects.Block{{Kind: projects.Heading, Text: "The job"},
			{Kind: projects.List, Items: []string{"oak", "brass"}}},
		Private: &projects.Private{Faces: "none", Plates: "agreed"},
	}
	got := f.change(p.Code, c)
	want := got
	want.Title, want.Type, want.Place, want.Detail = *c.Title, *c.Type, *c.Place, *c.Detail
	want.Story = *c.Story
	want.Story.Problem, want.Story.Solution = "No room to cook.", "We took the wall out.\nThen oak."
	want.Materials, want.Techniques, want.Tags = []string{"oak", "brass"}, *c.Techniques, *c.Tags
	want.Description, want.SEO, want.Blocks, want.Private = *c.Description, *c.SEO, *c.Blocks, *c.Private
	want.Version, want.Phase = p.Version+1, projects.Photos
	if !reflect.DeepEqual(got, want) {
		t.Errorf("stored was\n%+v, want\n%+v", got, want)
	}
	if again := f.change(p.Code, c); again.Version != got.Version {
		t.Errorf("the same changes made version %d of %d", again.Version, got.Version)
	}
	// What conversations know of a project is the place as it may be shown.
	row := localtest.SQL(t, `select location, to_jsonb(a)::text as audit from public.projects j
		join public.audit a on a.org_id = j.org_id and a.row_id = j.id and a.action = 'update' where j.code = $1`,
		p.Code)[0]
	if row["location"] != "Headingley, Leeds" || strings.Contains(row["audit"].(string), "Rosewood") {
		t.Errorf("the row is %v", row)
	}
}

func TestTheDatabaseShowsPlacesAsTheDomainDoes(t *testing.T) {
	t.Parallel()
	for _, place := range []projects.Place{{}, {Street: "1 High Street"}, {Street: "1 High Street", City: "Leeds"},
		{District: "Headingley", City: "Leeds", Region: "Yorkshire", Country: "England"},
		{District: "Headingley", Country: "England"}, {Region: "Yorkshire"}, {City: "Leeds", Country: "England"}} {
		for _, detail := range append(projects.Details(), "") {
			raw, err := json.Marshal(place)
			if err != nil {
				t.Fatal(err)
			}
			got := localtest.SQL(t, `select app.place_shown($1, $2) as shown`, string(raw), string(detail))[0]["shown"]
			if got != place.Shown(detail) {
				t.Errorf("%+v by %q: %q, want %q", place, detail, got, place.Shown(detail))
			}
		}
	}
}

func TestWhatAProjectCannotHoldIsRefused(t *testing.T) {
	t.Parallel()
	f := newFirm(t)
	p := f.begin()
	many := make([]string, 31)
	for i := range many {
		many[i] = strings.Repeat("x", i+1)
	}
	for name, tt := range map[string]struct {
		c    projects.Changes
		want string
	}{
		"long title":     {projects.Changes{Title: new(strings.Repeat("ü", 121))}, "too_long"},
		"long text":      {projects.Changes{Description: new(strings.Repeat("x", 2001))}, "too_long"},
		"long material":  {projects.Changes{Materials: &[]string{strings.Repeat("x", 61)}}, "too_long"},
		"many materials": {projects.Changes{Materials: &many}, "too_many"},
		"detail":         {projects.Changes{Detail: new(projects.Detail("street"))}, "bad_value"},
		"kind":           {projects.Changes{Blocks: &[]projects.Block{{Kind: "html", Text: "x"}}}, "bad_blocks"},
		"empty heading":  {projects.Changes{Blocks: &[]projects.Block{{Kind: projects.Heading}}}, "bad_blocks"},
		"other's photo": {projects.Changes{Blocks: &[]projects.Block{{Kind: projects.Gallery,
			Items: []string{"aaaaaaaaaaaaaaaaaaaaaaaa"}}}}, "bad_blocks"},
		"faces":        {projects.Changes{Private: &projects.Private{Faces: "perhaps"}}, "bad_value"},
		"unknown hero": {projects.Changes{Hero: new("aaaaaaaaaaaaaaaaaaaaaaaa")}, "photo_not_found"},
		"unknown photo": {projects.Changes{Photos: []projects.PhotoChange{{ID: "b", Alt: new("x")}}},
			"photo_not_found"},
		"removed photo": {projects.Changes{Remove: []string{"b"}}, "photo_not_found"},
	} {
		tt.c.Type = new("what must not be stored")
		_, err := f.store.Update(t.Context(), f.manager, p.Code, 0, tt.c)
		if f := fault.From(err); err == nil || f.Code != tt.want {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
	}
	_, err := f.store.Update(t.Context(), f.viewer, p.Code, 0, projects.Changes{Type: new("x")})
	wantCode(t, err, "role_required")
	if now := must[projects.Project](t)(f.store.Get(t.Context(), f.viewer, p.Code)); now.Version != 1 ||
		now.Type != "" {
		t.Errorf("the project is %+v", now)
	}
}

// S3-33: two tabs at once lose nothing, and the conversation of the project knows what
// each of them found, beside what a client put there.
func TestTwoTabsLoseNothing(t *testing.T) {
	t.Parallel()
	f := newFirm(t)
	p := f.begin()
	talks := conversations.New(f.client)
	opened, _, err := talks.Open(t.Context(), f.manager, kept.Opening{Assistant: "portfolio", Prefix: "PF",
		ProjectID: p.Code})
	if err != nil {
		t.Fatal(err)
	}
	if opened.Phase != "talking" {
		t.Errorf("a new conversation is in phase %q", opened.Phase)
	}
	_, err = talks.Change(t.Context(), f.manager, opened.ID, opened.Version,
		kept.Change{ExtractedData: json.RawMessage(`{"mood": "good", "type": "old"}`)})
	if err != nil {
		t.Fatal(err)
	}
	said := []string{"oak", "brass", "lime plaster", "slate"}
	var wg sync.WaitGroup
	for _, material := range said {
		wg.Go(func() {
			_, err := f.store.Merge(t.Context(), f.manager, p.Code, func(now projects.Project) (projects.Changes,
				error) {
				list := append([]string{material}, now.Materials...)
				return projects.Changes{Materials: &list}, nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	now := must[projects.Project](t)(f.store.Get(t.Context(), f.viewer, p.Code))
	if len(now.Materials) != len(said) || now.Version != 1+len(said) {
		t.Errorf("there are %v in version %d", now.Materials, now.Version)
	}
	_, err = f.store.Update(t.Context(), f.manager, p.Code, 1, projects.Changes{Type: new("x")})
	wantCode(t, err, "changed")
	f.change(p.Code, projects.Changes{Place: &projects.Place{Street: "3 Mill Row", City: "Leeds"},
		Story: &projects.Story{Problem: "Damp."}, Type: new("cellar")})
	talk := must[kept.Detail](t)(talks.Details(t.Context(), f.manager, opened.ID))
	var known map[string]any
	if err := json.Unmarshal(talk.ExtractedData, &known); err != nil {
		t.Fatal(err)
	}
	materials, _ := known["materials"].([]any)
	if talk.Phase != "photos" || len(materials) != len(said) || known["problem"] != "Damp." ||
		known["mood"] != "good" ||
		known["location"] != "Leeds" || known["type"] != "cellar" || strings.Contains(string(talk.ExtractedData),
		"Mill") {
		t.Errorf("the conversation is in phase %s and knows %s", talk.Phase, talk.ExtractedData)
	}
	// A photo that gets ready leads on, without a change by anybody.
	photo := f.send(f.manager, "photo")
	f.attach(p.Code, photo)
	f.settle(f.manager, photo)
	if talk = must[kept.Detail](t)(talks.Details(t.Context(), f.manager, opened.ID)); talk.Phase != "drafting" {
		t.Errorf("with a photo the conversation is in phase %s", talk.Phase)
	}
	for range 2 {
		must[projects.Project](t)(f.store.Undo(t.Context(), f.manager, p.Code))
	}
	talk = must[kept.Detail](t)(talks.Details(t.Context(), f.manager, opened.ID))
	if talk.Phase != "talking" || strings.Contains(string(talk.ExtractedData), "Damp") {
		t.Errorf("after an undo it is in phase %s and knows %s", talk.Phase, talk.ExtractedData)
	}
}

func TestASummaryIsNoNewVersion(t *testing.T) {
	t.Parallel()
	f := newFirm(t)
	p := f.begin()
	localtest.SQL(t, `update public.projects set conversation_summary = 'They talked of oak.', ai_memory =
		'{"a": 1}' where code = $1`, p.Code)
	if now := must[projects.Project](t)(f.store.Get(t.Context(), f.viewer, p.Code)); now.Version != p.Version ||
		now.Summary != "They talked of oak." {
		t.Errorf("the project is %+v", now)
	}
}
