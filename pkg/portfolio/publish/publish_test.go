package publish_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/publish"
)

// ready returns a project that keeps every rule.
func ready() projects.Project {
	p := projects.Project{
		Code: "PRJ-K7QMPX", Title: "Oak kitchen renovation in Leeds", Type: "Kitchen renovation",
		Place: projects.Place{Street: "14 Rosewood Lane", District: "Headingley", City: "Leeds", Region: "Yorkshire",
			Country: "United Kingdom"},
		Description: "A dark galley kitchen became one bright room with a solid oak island and drawers on full " +
			"runners.",
		Story:     projects.Story{Duration: "three weeks", Completed: "May 2026"},
		Materials: []string{"European oak"}, Tags: []string{"kitchen"},
		Blocks:  []projects.Block{{Kind: projects.Paragraph, Text: "The wall between two narrow rooms came out."}},
		Private: projects.Private{Faces: "none", Plates: "none"}, Version: 3,
	}
	for n := range 3 {
		id := fmt.Sprintf("%024d", n+222)
		p.Images = append(p.Images, projects.Image{ID: id, Name: fmt.Sprintf("IMG_%d.jpg", n+1), State: projects.Ready,
			Alt: "The finished kitchen", Hero: n == 1, Width: 960, Height: 640,
			Renditions: []projects.Rendition{{Width: 480, Height: 320}, {Width: 960, Height: 640}}})
		p.Private.Images = append(p.Private.Images, id)
	}
	return p
}

func business() projects.Business {
	return projects.Business{Site: "dale-joinery", Name: "Dale Joinery", Phone: "0113 496 0000",
		WhatsApp: "441134960000", Email: "hello@dalejoinery.example", Version: 1}
}

func TestAProjectThatKeepsEveryRule(t *testing.T) {
	t.Parallel()
	r := publish.Validate(ready(), business())
	if !r.OK || len(r.Failed()) > 0 || len(r.Missing()) > 0 {
		t.Errorf("it fails by %+v", r.Failed())
	}
	for _, rule := range r.Rules {
		if rule.ID == "" || rule.Field == "" || !strings.HasSuffix(rule.Reason, ".") || rule.Mend != "" {
			t.Errorf("a rule says %+v", rule)
		}
	}
}

// S3-12: each rule is broken alone, is named, and says how it is mended.
func TestRules(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 3001)
	for name, tc := range map[string]struct {
		change func(*projects.Project, *projects.Business)
		rule   string
		says   string
	}{
		"no title":        {func(p *projects.Project, _ *projects.Business) { p.Title = " " }, "title", "no title"},
		"a title of dots": {func(p *projects.Project, _ *projects.Business) { p.Title = "…!" }, "title", "no title"},
		"no type":         {func(p *projects.Project, _ *projects.Business) { p.Type = "" }, "type", "kind of job"},
		"no place": {func(p *projects.Project, _ *projects.Business) { p.Place = projects.Place{} }, "place",
			"town"},
		"no country": {func(p *projects.Project, _ *projects.Business) {
			p.Place.Country, p.Detail, p.Title = "", projects.ByCountry, "Oak kitchen"
		}, "place", "country"},
		"a short text": {func(p *projects.Project, _ *projects.Business) { p.Description = "A kitchen." },
			"description",
			"10 letters"},
		"no blocks": {func(p *projects.Project, _ *projects.Business) { p.Blocks = nil }, "blocks", "nothing"},
		"empty blocks": {func(p *projects.Project, _ *projects.Business) { p.Blocks[0].Text = " " }, "blocks",
			"nothing"},
		"one photo": {func(p *projects.Project, _ *projects.Business) { p.Images = p.Images[:1] }, "photos",
			"one photo"},
		"a photo is read": {func(p *projects.Project, _ *projects.Business) { p.Images[2].State = projects.Reading },
			"photos_read", "Photo 3 (IMG_3.jpg) is still being read"},
		"a refused photo": {func(p *projects.Project, _ *projects.Business) { p.Images[0].State = projects.Refused },
			"photos_refused", "Photo 1 (IMG_1.jpg)"},
		"no alt text": {func(p *projects.Project, _ *projects.Business) { p.Images[0].Alt, p.Images[2].Alt = "", " " },
			"alt_texts", "Photos 1 (IMG_1.jpg) and 3 (IMG_3.jpg) have no description"},
		"faces unanswered": {func(p *projects.Project, _ *projects.Business) { p.Private.Faces = "" }, "faces",
			"faces"},
		"plates unanswered": {func(p *projects.Project, _ *projects.Business) { p.Private.Plates = "?" }, "plates",
			"plates"},
		"no name": {func(_ *projects.Project, b *projects.Business) { b.Name = "" }, "business_name",
			"no name"},
		"no contact": {func(_ *projects.Project, b *projects.Business) {
			b.Phone, b.WhatsApp, b.Email, b.Website = "ask", "", "at home", "javascript:alert(1)"
		}, "business_contact", "in touch"},
		"a long title": {func(p *projects.Project, _ *projects.Business) { p.Title = long[:242] }, "lengths",
			"121 letters"},
		"a long alt": {func(p *projects.Project, _ *projects.Business) { p.Images[0].Alt = long[:402] }, "lengths",
			"photo 1"},
		"a long block": {func(p *projects.Project, _ *projects.Business) { p.Blocks[0].Text = long }, "lengths",
			"Piece 1"},
		"a long tag": {func(p *projects.Project, _ *projects.Business) { p.Tags[0] = long[:122] }, "lengths",
			"tags"},
		"too many tags": {func(p *projects.Project, _ *projects.Business) { p.Tags = make([]string, 31) }, "lengths",
			"31"},
		"too many blocks": {func(p *projects.Project, _ *projects.Business) {
			p.Blocks = slices.Repeat(p.Blocks, 41)
		}, "lengths", "41"},
		"a long SEO title": {func(p *projects.Project, _ *projects.Business) { p.SEO.Title = long[:142] }, "seo",
			"71 letters"},
		"a long SEO text": {func(p *projects.Project, _ *projects.Business) { p.SEO.Description = long[:322] }, "seo",
			"161"},
		"a heavy page": {func(p *projects.Project, _ *projects.Business) {
			p.Blocks = slices.Repeat([]projects.Block{{Kind: projects.Paragraph, Text: strings.Repeat("oak ", 700)}},
				22)
		}, "size", "KB"},
		"the client's phone": {func(p *projects.Project, _ *projects.Business) {
			p.Blocks[0].Text = "All went well. Ring Mrs Reed on 07700 900123 and ask her. It was fun."
		}, "private_texts", "“Ring Mrs Reed on 07700 900123 and ask her”"},
		"the client's e-mail": {func(p *projects.Project,
			_ *projects.Business) {
			p.Images[0].Alt = "See reed@mail.example"
		},
			"private_texts", "photo 1"},
		"an address": {func(p *projects.Project, _ *projects.Business) { p.Story.Completed = "at 8 Station Road" },
			"private_texts", "address"},
		"an address in the profile": {func(_ *projects.Project,
			b *projects.Business) {
			b.About = "We did 8 Station Road."
		},
			"private_texts", "about the business"},
		"the district": {func(p *projects.Project, _ *projects.Business) { p.Tags[0] = "Headingley kitchens" },
			"place_detail", "Headingley"},
		"the town": {func(p *projects.Project, _ *projects.Business) { p.Detail = projects.Nowhere }, "place_detail",
			"The title names Leeds"},
		"the street alone": {func(p *projects.Project, _ *projects.Business) {
			p.Detail, p.Place.Street, p.SEO.Title = projects.ByDistrict, "7 Larkfield", "The kitchen of Larkfield"
		}, "place_detail", "Larkfield"},
		"the street by its form": {func(p *projects.Project, _ *projects.Business) { p.Tags[0] = "Rosewood Lane" },
			"private_texts", "A tag"},
		"a street in the place of the district": {func(p *projects.Project, _ *projects.Business) {
			p.Detail, p.Place.Street, p.Place.District = projects.ByDistrict, "", "Rosewood Lane, Headingley"
		}, "private_texts", "The place has an address"},
		"a part of the district": {func(p *projects.Project, _ *projects.Business) {
			p.Place.District, p.SEO.Title = "Far Headingley, near the park", "A kitchen in Far Headingley"
		}, "place_detail", "Far Headingley"},
		"a plate": {func(p *projects.Project, _ *projects.Business) { p.Images[1].Alt = "The van AB12 CDE outside" },
			"private_texts", "number plate"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, b := ready(), business()
			tc.change(&p, &b)
			r := publish.Validate(p, b)
			failed := r.Failed()
			if r.OK || len(failed) != 1 || failed[0].ID != tc.rule {
				t.Fatalf("the failed rules are %+v, want %q", failed, tc.rule)
			}
			f := failed[0]
			if !strings.Contains(f.Reason, tc.says) || f.Mend == "" || f.Field == "" || !utf8.ValidString(f.Reason) {
				t.Errorf("it says %+v, want %q", f, tc.says)
			}
			if got := r.Missing(); len(got) != 1 || got[0] != f.Reason+" "+f.Mend {
				t.Errorf("what is missing is %q", got)
			}
		})
	}
}

// The documentation lists every rule.
func TestRulesAreDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../docs/portfolio-doors.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range publish.Validate(ready(), business()).Rules {
		if !strings.Contains(string(text), "`"+rule.ID+"`") {
			t.Errorf("docs/portfolio-doors.md does not say what %s is", rule.ID)
		}
	}
}

// What looks private and is not keeps no project back.
func TestWhatIsNotPrivate(t *testing.T) {
	t.Parallel()
	p, b := ready(), business()
	p.Description += " 3 x 2 metres, M6 bolts, 20 mm oak, since 1978; ring us on 0113 496 0000 or +44 113 496 0000, " +
		"or write to Hello@dalejoinery.example."
	p.Place.District, p.Title = "Bath", "A bath in Leeds"
	if r := publish.Validate(p, b); !r.OK {
		t.Errorf("it fails by %+v", r.Failed())
	}
}

// A photo that was added after the answer asks for the answer again; one that was taken
// out does not.
func TestAnswersBelongToPhotos(t *testing.T) {
	t.Parallel()
	p, b := ready(), business()
	p.Images = p.Images[:2]
	if r := publish.Validate(p, b); !r.OK {
		t.Errorf("without a photo it fails by %+v", r.Failed())
	}
	p.Images = ready().Images
	p.Private.Images = p.Private.Images[:2]
	failed := publish.Validate(p, b).Failed()
	if len(failed) != 2 || !strings.Contains(failed[0].Reason, "added") {
		t.Errorf("with another photo it fails by %+v", failed)
	}
}

func BenchmarkValidate(b *testing.B) {
	p, firm := ready(), business()
	p.Blocks = slices.Repeat([]projects.Block{{Kind: projects.Paragraph, Text: strings.Repeat("The wall came out. ",
		60)}}, 30)
	for b.Loop() {
		if r := publish.Validate(p, firm); !r.OK {
			b.Fatalf("it fails by %+v", r.Failed())
		}
	}
}

func TestSlug(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"Oak kitchen renovation in Leeds":     "oak-kitchen-renovation-leeds",
		"Oak kitchen renovation":              "oak-kitchen-renovation-leeds",
		"The stairs of Müller's house, Leeds": "stairs-mullers-house-leeds",
		"<script>alert('x')</script>":         "script-alert-x-script-leeds",
		"":                                    "kitchen-renovation-leeds",
		"   --- ":                             "kitchen-renovation-leeds",
		strings.Repeat("renovation ", 20):     "renovation-renovation-renovation-renovation-renovation",
		strings.Repeat("x", 100):              strings.Repeat("x", 60),
		"From the in and of":                  "leeds",
		"../../etc/passwd":                    "etc-passwd-leeds",
		"Straße, Łódź, Kjøbenhavn und Ærøskøbing": "strasse-lodz-kjobenhavn-und-aeroskobing-leeds",
		"लीड्स में रसोई":                          "liidds-men-rsoii-leeds",
		"مطبخ من خشب البلوط":                      "mtbkh-mn-khshb-lblwt-leeds",
	} {
		p := ready()
		p.Title = title
		if got := publish.Slug(p); got != want {
			t.Errorf("%q becomes %q, want %q", title, got, want)
		}
	}
	p := ready()
	p.Title, p.Detail = "Oak kitchen", projects.Nowhere
	if got := publish.Slug(p); got != "oak-kitchen" {
		t.Errorf("without a place it is %q", got)
	}
	if got := publish.Slug(projects.Project{}); got != "project" {
		t.Errorf("of nothing it is %q", got)
	}
}
