package page_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// FuzzPage writes a text into every place of a page. The document keeps its shape, and
// nothing of the text becomes an element, an attribute or an address that runs.
func FuzzPage(f *testing.F) {
	for _, text := range []string{"Oak", "", "\x00\xff", "</script><script>hacked()</script>", `" onload="hacked()`,
		"javascript:hacked()", "{{.}}", "<!--", "]]>", "مطبخ\u202e", "🪚", "a\r\n\r\nb\u2028c", "&lt;script&gt;",
		"https://x.example/\" onclick=\"hacked()", "x@x.example?bcc=y@y.example", "+44 113 496 0000"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		pg := kitchen()
		all := []string{text}
		pg.Slug, pg.Title, pg.Type, pg.Place, pg.Description, pg.Completed, pg.Duration = text, text, text, text, text,
			text, text
		pg.SEO = projects.SEO{Title: text, Description: text}
		pg.Tags, pg.Materials, pg.Techniques = all, all, all
		pg.Images[0].ID, pg.Images[0].Alt, pg.Images[1].Stage = text, text, projects.Stage(text)
		pg.Blocks = append(pg.Blocks, projects.Block{Kind: projects.BlockKind(text), Text: text, Items: all})
		for _, kind := range projects.BlockKinds() {
			pg.Blocks = append(pg.Blocks, projects.Block{Kind: kind, Text: text, Items: all})
		}
		pg.Business = projects.Business{Site: text, Name: text, About: text, Trade: text, City: text, Phone: text,
			WhatsApp: text, Email: text, Website: text, Logo: text, LogoSizes: pg.Images[0].Renditions}
		_, root := written(t, pg)
		checkShape(t, root)
	})
}

func checkShape(t *testing.T, root *html.Node) {
	t.Helper()
	known := strings.Fields("html head body title meta link style script svg path a b bdi p h1 h2 div span ul li dl " +
		"dt dd figure figcaption blockquote img header main article aside footer nav time")
	attributes := strings.Fields("alt aria-hidden aria-label charset class content d datetime decoding dir " +
		"fetchpriority height href lang loading media name property rel sizes src srcset type viewbox viewBox width")
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if !slices.Contains(known, n.Data) {
			t.Errorf("there is an element %s", n.Data)
		}
		for _, a := range n.Attr {
			if !slices.Contains(attributes, a.Key) {
				t.Errorf("%s has an attribute %s", n.Data, a.Key)
			}
			if a.Key == "href" || a.Key == "src" {
				scheme, _, found := strings.Cut(a.Val, ":")
				if found && !strings.HasPrefix(a.Val, "/") && !slices.Contains([]string{"https", "tel", "mailto"},
					scheme) {
					t.Errorf("%s leads to %q", n.Data, a.Val)
				}
			}
		}
	}
	scripts := all(root, "script")
	if len(scripts) != 1 || !json.Valid([]byte(words(scripts[0]))) {
		t.Errorf("there are %d scripts", len(scripts))
	}
}
