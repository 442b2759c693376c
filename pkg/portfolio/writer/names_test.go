package writer_test

import (
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/writer"
)

// Who is named on a page is pointed out, and nothing is taken out unasked.
func TestNamesArePointedOut(t *testing.T) {
	p := projects.Project{Title: "A kitchen", Blocks: []projects.Block{{Kind: projects.Paragraph,
		Text: "Mrs Lindqvist wanted light."}}}
	a, err := writer.Quality(t.Context(), p, projects.Business{})
	if err != nil || len(a.Points) == 0 || a.Points[0].Field != "descriptionBlocks" ||
		!strings.Contains(a.Points[0].What, "Mrs Lindqvist") {
		t.Errorf("%+v %v", a.Points, err)
	}
}
