package main

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// fetching lists what a client that renders the reply as Markdown with HTML, or
// as HTML, would fetch, follow or run. Every link counts: the rig allows no host.
func fetching(reply string) []string {
	var found []string
	source := []byte(reply)
	var html strings.Builder
	tree := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	_ = ast.Walk(tree, func(n ast.Node, enter bool) (ast.WalkStatus, error) { // The walker below never fails.
		if !enter {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			found = append(found, "link "+string(n.Destination))
		case *ast.Image:
			found = append(found, "image "+string(n.Destination))
		case *ast.AutoLink:
			if n.AutoLinkType == ast.AutoLinkURL {
				found = append(found, "address "+string(n.URL(source)))
			}
		case *ast.RawHTML:
			html.Write(n.Segments.Value(source))
		case *ast.HTMLBlock:
			html.Write(n.Lines().Value(source))
			if n.HasClosure() {
				html.Write(n.ClosureLine.Value(source))
			}
		}
		return ast.WalkContinue, nil
	})
	found = append(found, markup(html.String())...)
	// And for a client that takes it all for HTML.
	return append(found, markup(reply)...)
}

// What the attributes of our own tables may hold.
var (
	harmlessStyle = regexp.MustCompile(`^[a-z0-9:;.#\- ]*$`)
	harmlessOther = regexp.MustCompile(`^[0-9]{1,3}$`)
)

// markup parses HTML and names all that is not a table of ours.
func markup(html string) []string {
	var found []string
	d := xml.NewDecoder(strings.NewReader(html))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			return append(found, "unreadable markup: "+err.Error())
		}
		switch token := token.(type) {
		case xml.StartElement:
			if !slices.Contains([]string{"table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"},
				token.Name.Local) || token.Name.Space != "" {
				found = append(found, "element "+token.Name.Local)
			}
			for _, a := range token.Attr {
				ok := a.Name.Local == "style" && harmlessStyle.MatchString(a.Value) ||
					slices.Contains([]string{"border", "cellpadding", "colspan"}, a.Name.Local) &&
						harmlessOther.MatchString(a.Value)
				if !ok {
					found = append(found, "attribute "+a.Name.Local+"="+a.Value)
				}
			}
		case xml.Comment, xml.ProcInst, xml.Directive:
			found = append(found, "markup that is no element")
		}
	}
}
