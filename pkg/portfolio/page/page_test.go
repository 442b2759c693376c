package page_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/page"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

const host = "https://show.example"

// image returns a ready photo in three widths.
func image(n, width, height int) projects.Image {
	i := projects.Image{ID: fmt.Sprintf("%c%023d", 'a'+n%26, n), Alt: fmt.Sprintf("The kitchen, view %d", n+1),
		State: projects.Ready, Hero: n == 0}
	i.ID = strings.NewReplacer("0", "x", "1", "y").Replace(i.ID)
	for _, w := range []int{480, 960, 1600} {
		if w <= width {
			i.Renditions = append(i.Renditions, projects.Rendition{Width: w, Height: w * height / width,
				Bytes: w * 100})
			i.Width, i.Height = w, w*height/width
		}
	}
	return i
}

func joinery() projects.Business {
	return projects.Business{Site: "dale-joinery", Name: "Dale Joinery", Trade: "Joiner", City: "Leeds",
		About: "Kitchens, stairs and windows in oak and ash.", Phone: "+44 113 496 0000", WhatsApp: "441134960000",
		Email: "hello@dalejoinery.example", Website: "https://dalejoinery.example/"}
}

// kitchen is the page of a usual job.
func kitchen() projects.Page {
	images := []projects.Image{image(0, 1600, 1067), image(1, 1600, 1200), image(2, 1600, 1200), image(3, 1600, 1200),
		image(4, 1200, 1600)}
	images[1].Stage, images[2].Stage = projects.Before, projects.After
	return projects.Page{
		Slug: "oak-kitchen-leeds", Title: "Oak kitchen renovation in Leeds", Type: "Kitchen renovation",
		Place: "Leeds, Yorkshire",
		Description: "A dark galley kitchen became one bright room with a solid oak island.\n\nThe old units were " +
			"from 1978.",
		Tags: []string{"kitchen", "oak"}, Materials: []string{"European oak", "Hard wax oil"},
		Techniques: []string{"Dovetail joints"}, Completed: "May 2026", Duration: "three weeks",
		Blocks: []projects.Block{
			{Kind: projects.Heading, Text: "What was there"},
			{Kind: projects.Paragraph, Text: "Two narrow rooms with a wall between them."},
			{Kind: projects.Comparison, Items: []string{images[1].ID, images[2].ID}},
			{Kind: projects.List, Items: []string{"Oak island of 2.4 m", "Drawers on full runners"}},
			{Kind: projects.Quote, Text: "We cook together now."},
			{Kind: projects.Gallery, Items: []string{images[3].ID}},
		},
		Images: images, Business: joinery(),
		Published: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC), Changed: time.Date(2026, 11, 22, 9, 0, 0, 0,
			time.UTC),
	}
}

func written(t *testing.T, pg projects.Page) (string, *html.Node) {
	t.Helper()
	var b bytes.Buffer
	if err := page.Write(&b, pg, page.Options{Base: host}); err != nil {
		t.Fatal(err)
	}
	return b.String(), parsed(t, b.String())
}

func parsed(t *testing.T, text string) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// all returns the elements of a name.
func all(root *html.Node, name string) []*html.Node {
	var out []*html.Node
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && n.Data == name {
			out = append(out, n)
		}
	}
	return out
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func words(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

func meta(root *html.Node, name string) string {
	for _, n := range all(root, "meta") {
		if attr(n, "name") == name || attr(n, "property") == name {
			return attr(n, "content")
		}
	}
	return ""
}

// A page says what was published, where it stands and how it looks when it is shared.
func TestPage(t *testing.T) {
	t.Parallel()
	pg := kitchen()
	text, root := written(t, pg)
	if h := all(root, "h1"); len(h) != 1 || words(h[0]) != pg.Title {
		t.Errorf("the headings of the first rank are %d", len(h))
	}
	at := host + "/p/dale-joinery/oak-kitchen-leeds"
	for name, want := range map[string]string{
		"og:url": at, "og:title": "Oak kitchen renovation in Leeds – Dale Joinery", "og:type": "article",
		"og:site_name": "Dale Joinery", "og:image": host + page.Photo("dale-joinery", pg.Images[0].ID, 960),
		"og:image:alt": "The kitchen, view 1", "og:image:width": "960", "og:image:height": "640",
		"twitter:card":           "summary_large_image",
		"description":            "A dark galley kitchen became one bright room with a solid oak island.",
		"article:published_time": "2026-11-20T09:00:00Z",
	} {
		if got := meta(root, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	body := words(all(root, "body")[0])
	for _, want := range []string{"Leeds, Yorkshire", "May 2026", "three weeks", "European oak", "Dovetail joints",
		"The old units were from 1978.", "Oak island of 2.4 m", "We cook together now.", "+44 113 496 0000",
		"hello@dalejoinery.example", "20 November 2026"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	var links []string
	for _, a := range all(root, "a") {
		links = append(links, attr(a, "href"))
	}
	for _, want := range []string{"tel:+441134960000",
		"https://wa.me/" +
			"441134960000?text=Hello%2C%20I%20have%20seen%20%E2%80%9COak%20kitchen%20renovation%20in%20Leeds%E2%80%9D%20and%20would%20like%20to%20ask%20about%20a%20job.",
		"mailto:hello@dalejoinery.example",
		"https://dalejoinery.example/", "/p/dale-joinery"} {
		if !slices.Contains(links, want) {
			t.Errorf("nothing links to %s: %q", want, links)
		}
	}
	if strings.Contains(text, "ZgotmplZ") {
		t.Error("an address was refused by the template")
	}
}

// Each photo stands once, with its widths and its true proportions; those that no block
// names stand at the end.
func TestPhotosOfAPage(t *testing.T) {
	t.Parallel()
	pg := kitchen()
	_, root := written(t, pg)
	images := all(root, "img")
	if len(images) != len(pg.Images) {
		t.Fatalf("%d photos are shown, of %d", len(images), len(pg.Images))
	}
	for _, n := range images {
		i := slices.IndexFunc(pg.Images, func(i projects.Image) bool { return strings.Contains(attr(n, "src"), i.ID) })
		if i < 0 || attr(n, "alt") != pg.Images[i].Alt || attr(n, "width") != fmt.Sprint(pg.Images[i].Width) ||
			attr(n, "height") != fmt.Sprint(pg.Images[i].Height) || attr(n, "sizes") == "" ||
			strings.Count(attr(n, "srcset"), ",")+1 != len(pg.Images[i].Renditions) {
			t.Errorf("a photo is shown as %v", n.Attr)
		}
		if hero := i == 0; (attr(n, "loading") == "lazy") == hero {
			t.Errorf("photo %d is loaded %q", i+1, attr(n, "loading"))
		}
	}
}

// The document carries one style sheet, which its policy allows, and no script.
func TestPolicyOfAPage(t *testing.T) {
	t.Parallel()
	policy, err := page.Policy()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range documents(t) {
		root := parsed(t, text)
		styles := all(root, "style")
		if len(styles) != 1 {
			t.Fatalf("%s has %d style sheets", name, len(styles))
		}
		sum := sha256.Sum256([]byte(words(styles[0])))
		if want := "style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(policy,
			want) {
			t.Errorf("%s: %s lacks %s", name, policy, want)
		}
		for _, s := range all(root, "script") {
			if attr(s, "type") != "application/ld+json" {
				t.Errorf("%s has a script of type %q", name, attr(s, "type"))
			}
			var data map[string]any
			if err := json.Unmarshal([]byte(words(s)), &data); err != nil || data["@context"] != "https://schema.org" {
				t.Errorf("%s: %v in %s", name, err, words(s))
			}
		}
		for n := range root.Descendants() {
			for _, a := range n.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
					t.Errorf("%s: %s has the attribute %s", name, n.Data, a.Key)
				}
			}
		}
	}
}

// documents returns one of each kind.
func documents(t *testing.T) map[string]string {
	t.Helper()
	o := page.Options{Base: host, Site: "dale-joinery"}
	pg := kitchen()
	out := map[string]string{}
	for name, f := range map[string]func(*bytes.Buffer) error{
		"project": func(b *bytes.Buffer) error { return page.Write(b, pg, o) },
		"site": func(b *bytes.Buffer) error {
			return page.WriteSite(b, projects.Site{Business: joinery(), Pages: []projects.Page{pg}}, o)
		},
		"gone":      func(b *bytes.Buffer) error { return page.WriteGone(b, o) },
		"not found": func(b *bytes.Buffer) error { return page.WriteNotFound(b, o) },
	} {
		var b bytes.Buffer
		if err := f(&b); err != nil {
			t.Fatal(name, err)
		}
		out[name] = b.String()
	}
	return out
}

// Search engines find the job, the business and the way to them in the page's data.
func TestDataOfAPage(t *testing.T) {
	t.Parallel()
	_, root := written(t, kitchen())
	var data struct {
		Graph []map[string]any `json:"@graph"`
	}
	if err := json.Unmarshal([]byte(words(all(root, "script")[0])), &data); err != nil {
		t.Fatal(err)
	}
	types := map[any]map[string]any{}
	for _, g := range data.Graph {
		types[g["@type"]] = g
	}
	work, firm := types["CreativeWork"], types["HomeAndConstructionBusiness"]
	if work["name"] != "Oak kitchen renovation in Leeds" || work["datePublished"] != "2026-11-20T09:00:00Z" ||
		firm["telephone"] != "+44 113 496 0000" || firm["url"] != host+"/p/dale-joinery" ||
		types["BreadcrumbList"] == nil {
		t.Errorf("the data are %v", data.Graph)
	}
	if u, err := url.Parse(fmt.Sprint(work["url"])); err != nil || !u.IsAbs() {
		t.Errorf("the address is %v", work["url"])
	}
}

// What can do harm in a document stays text, or is left out.
func TestHostileTextOfAPage(t *testing.T) {
	t.Parallel()
	const evil = `<script>alert(1)</script>"'><img src=x onerror=alert(1)></title></style></script><!-- {{.}} ]]>`
	pg := kitchen()
	pg.Title, pg.Type, pg.Place, pg.Description, pg.Completed, pg.Duration = evil, evil, evil, evil, evil, evil
	pg.SEO = projects.SEO{Title: evil, Description: evil}
	pg.Tags, pg.Materials, pg.Techniques = []string{evil}, []string{evil}, []string{evil}
	pg.Images[0].Alt = evil
	pg.Blocks = []projects.Block{{Kind: projects.Heading, Text: evil}, {Kind: projects.Paragraph, Text: evil},
		{Kind: projects.Quote, Text: evil}, {Kind: projects.List, Items: []string{evil}}, {Kind: "iframe", Text: evil},
		{Kind: projects.Gallery, Items: []string{evil, pg.Images[0].ID}}}
	pg.Business = projects.Business{Site: `x"><script>`, Name: evil, About: evil, Trade: evil, City: evil, Phone: evil,
		WhatsApp: `12345678"onclick=x`, Email: `"><script>@x.example`, Website: "javascript:alert(1)", Logo: evil,
		LogoSizes: []projects.Rendition{{Width: 96, Height: 96}}}
	_, root := written(t, pg)
	if n := len(all(root, "script")); n != 1 {
		t.Errorf("the document has %d scripts", n)
	}
	for _, n := range all(root, "img") {
		if attr(n, "src") == "x" || attr(n, "onerror") != "" {
			t.Errorf("a text became an image: %v", n.Attr)
		}
	}
	for _, a := range append(all(root, "a"), all(root, "link")...) {
		u, err := url.Parse(attr(a, "href"))
		if err != nil || !slices.Contains([]string{"", "https", "mailto", "tel"}, u.Scheme) {
			t.Errorf("a link leads to %q", attr(a, "href"))
		}
	}
	if got := words(all(root, "h1")[0]); got != evil {
		t.Errorf("the title is %q", got)
	}
	if got := words(all(root, "title")[0]); got != evil {
		t.Errorf("the document's title is %q", got)
	}
	var data any
	if err := json.Unmarshal([]byte(words(all(root, "script")[0])), &data); err != nil {
		t.Error(err)
	}
}
