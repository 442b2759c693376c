package page_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/page"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// largest is a page with as many blocks and photos as a project may have, and with as
// much text as publish.Validate lets through, nearly.
func largest() projects.Page {
	pg := kitchen()
	pg.Images, pg.Blocks = nil, nil
	for n := range projects.MaxImages {
		pg.Images = append(pg.Images, image(n, 1600, 1200))
		pg.Images[n].Alt = strings.Repeat("words ", 16)
	}
	for n := range projects.MaxBlocks {
		b := projects.Block{Kind: projects.BlockKinds()[n%6], Text: strings.Repeat("The wall came out. ", 46)}
		switch b.Kind {
		case projects.Heading:
			b.Text = "What was done there"
		case projects.List:
			b.Items, b.Text = slices.Repeat([]string{"Drawers on full runners"}, 10), ""
		case projects.Gallery, projects.Comparison:
			b.Items, b.Text = []string{pg.Images[n%30].ID, pg.Images[(n+1)%30].ID}, ""
		}
		pg.Blocks = append(pg.Blocks, b)
	}
	for n := range 30 {
		pg.Materials = append(pg.Materials, fmt.Sprintf("European oak, quality %d", n))
	}
	return pg
}

// The page of the largest project stays below 60 KB, and Size says what is written.
func TestSizeOfAPage(t *testing.T) {
	t.Parallel()
	usual, _ := written(t, kitchen())
	if n := page.Size(kitchen()); n < len(usual) || n > len(usual)+1000 {
		t.Errorf("the page has %d bytes, and %d were expected", len(usual), n)
	}
	most, root := written(t, largest())
	if n := len(most); n > 60_000 || n < 45_000 {
		t.Errorf("the largest page has %d bytes", n)
	}
	if n := len(all(root, "img")); n < projects.MaxImages {
		t.Errorf("it shows %d photos", n)
	}
}

// A page that lacks nearly everything is still a page.
func TestPageOfNothing(t *testing.T) {
	t.Parallel()
	_, root := written(t, projects.Page{})
	if len(all(root, "h1")) != 1 || len(all(root, "img")) > 0 || len(all(root, "aside")) > 0 ||
		len(all(root, "nav")) > 0 {
		t.Error("it shows what it does not have")
	}
}

// Blocks name photos that are not there, twice the same, or none.
func TestMissingPhotosOfAPage(t *testing.T) {
	t.Parallel()
	pg := kitchen()
	pg.Images[3].Renditions = nil
	pg.Blocks = []projects.Block{
		{Kind: projects.Comparison, Items: []string{"gone", pg.Images[2].ID}},
		{Kind: projects.Comparison},
		{Kind: projects.Gallery, Items: []string{"gone", pg.Images[3].ID}},
		{Kind: projects.Gallery, Items: []string{pg.Images[1].ID, pg.Images[1].ID}},
	}
	_, root := written(t, pg)
	var shown []string
	for _, n := range all(root, "img") {
		shown = append(shown, attr(n, "alt"))
	}
	// The hero, half of a comparison, one photo twice, and the one that no block names.
	if want := []string{"The kitchen, view 1", "The kitchen, view 3", "The kitchen, view 2", "The kitchen, view 2",
		"The kitchen, view 5"}; !slices.Equal(shown, want) {
		t.Errorf("the photos are %q, want %q", shown, want)
	}
	pg.Images = nil
	_, root = written(t, pg)
	if len(all(root, "img"))+len(all(root, "figure")) > 0 || meta(root, "og:image") != "" {
		t.Error("photos are shown that are not there")
	}
}

// What stands beside the story is not said again in it, and the photo at the top is not
// shown again in a gallery.
func TestAPageRepeatsNothing(t *testing.T) {
	t.Parallel()
	pg := kitchen()
	pg.Tags = []string{"european oak", "Kitchen  renovation", "islands"}
	pg.Blocks = []projects.Block{
		{Kind: projects.Heading, Text: "What it is made of"},
		{Kind: projects.List, Items: []string{"European Oak", "hard wax oil"}},
		{Kind: projects.Heading, Text: "At a glance"},
		{Kind: projects.List, Items: []string{"Duration: three weeks", "Completed: May 2026"}},
		{Kind: projects.Heading, Text: "What was built"},
		{Kind: projects.List, Items: []string{"European oak", "An island"}},
		{Kind: projects.Gallery, Items: []string{pg.Images[0].ID, pg.Images[1].ID}},
	}
	_, root := written(t, pg)
	body := words(all(root, "article")[0])
	for text, n := range map[string]int{"What it is made of": 0, "At a glance": 0, "What was built": 1, "An island": 1,
		"three weeks": 1, "May 2026": 1, "hard wax oil": 0, "Hard wax oil": 1, "european oak": 0, "islands": 1} {
		if got := strings.Count(body, text); got != n {
			t.Errorf("%q stands there %d times, want %d", text, got, n)
		}
	}
	if n := len(all(root, "img")); n != len(pg.Images) {
		t.Errorf("%d photos are shown, of %d", n, len(pg.Images))
	}
	pg.Type, pg.Place, pg.Business.City = "", "", ""
	pg.Blocks = []projects.Block{{Kind: projects.List, Items: []string{"A seat"}}}
	if _, root = written(t, pg); !strings.Contains(words(all(root, "article")[0]), "A seat") {
		t.Error("a list is left out that repeats nothing")
	}
}

// A comparison says which photo is which, whatever their stages are.
func TestComparisonOfAPage(t *testing.T) {
	t.Parallel()
	pg := kitchen()
	pg.Images[1].Stage, pg.Images[2].Stage = "", projects.During
	_, root := written(t, pg)
	var names []string
	for _, n := range all(root, "figcaption") {
		names = append(names, words(n))
	}
	if !slices.Equal(names, []string{"Before", "After"}) {
		t.Errorf("the photos are called %q", names)
	}
}

// The list of projects leads to each of them; the sitemap has all addresses.
func TestSite(t *testing.T) {
	t.Parallel()
	other := kitchen()
	other.Slug, other.Title, other.Images = "stairs&more", "<b>Stairs</b>", nil
	s := projects.Site{Business: joinery(), Pages: []projects.Page{kitchen(), other}}
	var b bytes.Buffer
	if err := page.WriteSite(&b, s, page.Options{Base: host}); err != nil {
		t.Fatal(err)
	}
	root := parsed(t, b.String())
	var links, titles []string
	for _, n := range all(root, "a") {
		links = append(links, attr(n, "href"))
	}
	for _, n := range all(root, "h2") {
		titles = append(titles, words(n))
	}
	if !slices.Contains(links, "/p/dale-joinery/oak-kitchen-leeds") ||
		!slices.Contains(links, "/p/dale-joinery/stairs&more") ||
		!slices.Equal(titles, []string{"Oak kitchen renovation in Leeds", "<b>Stairs</b>"}) {
		t.Errorf("the list has %q, %q", links, titles)
	}
	if meta(root, "og:url") != host+"/p/dale-joinery" || meta(root, "og:type") != "website" {
		t.Error("the list does not say where it stands")
	}

	b.Reset()
	if err := page.WriteSitemap(&b, s, page.Options{Base: host}); err != nil {
		t.Fatal(err)
	}
	var got struct {
		XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		URL     []struct {
			Loc     string `xml:"loc"`
			LastMod string `xml:"lastmod"`
		} `xml:"url"`
	}
	if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err, b.String())
	}
	if len(got.URL) != 3 || got.URL[0].Loc != host+"/p/dale-joinery" || got.URL[0].LastMod != "2026-11-22" ||
		got.URL[2].Loc != host+"/p/dale-joinery/stairs&more" {
		t.Errorf("the sitemap is %s", b.String())
	}

	b.Reset()
	if err := page.WriteRobots(&b, page.Options{Base: host, Site: "dale-joinery"}); err != nil ||
		!strings.Contains(b.String(), "Sitemap: "+host+"/p/dale-joinery/sitemap.xml\n") {
		t.Error(err, b.String())
	}
}

// An organisation without pages has a list that says so, and a sitemap of one address.
func TestEmptySite(t *testing.T) {
	t.Parallel()
	s := projects.Site{Business: joinery()}
	var list, addresses bytes.Buffer
	if err := page.WriteSite(&list, s, page.Options{Base: host}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(list.String(), "No work is shown here yet.") {
		t.Error("the list does not say that it is empty")
	}
	if err := page.WriteSitemap(&addresses, s, page.Options{Base: host}); err != nil ||
		strings.Count(addresses.String(), "<url>") != 1 {
		t.Error(err, addresses.String())
	}
}

// What is not there is said, is not found by search engines, and leads to what is.
func TestNotes(t *testing.T) {
	t.Parallel()
	for name, text := range documents(t) {
		if hidden := name == "gone" || name == "not found"; hidden != (meta(parsed(t, text), "robots") == "noindex") {
			t.Errorf("%s is hidden: %t", name, !hidden)
		}
		if !strings.Contains(text, `href="/p/dale-joinery`) {
			t.Errorf("%s leads nowhere", name)
		}
	}
}

// A writer that fails is told of.
func TestAWriterThatFails(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	r.Close()
	if err := page.Write(w, kitchen(), page.Options{}); err == nil {
		t.Error("nothing was said of the failure")
	}
}

func BenchmarkPage(b *testing.B) {
	for name, pg := range map[string]projects.Page{"usual": kitchen(), "largest": largest()} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := page.Write(io.Discard, pg, page.Options{Base: host}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
