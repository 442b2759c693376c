package writer_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/writer"
)

// FuzzContent writes pages of any text of a person and any answer of a model: what is
// made keeps its limits and says nothing private.
func FuzzContent(f *testing.F) {
	if underRace {
		f.Skip("a page is written on one goroutine")
	}
	for _, s := range []string{"", "😀", "<script>alert(1)</script>", "uh um er", strings.Repeat("oak ", 2500),
		"at 14 Rosewood Lane",
		"a\x00b\xff", "...", "in in in Leeds,, Leeds", "1/2/3 4.5.6 ,", "Rosewood\u202eLane", "“”’’", "\u200d\u200d",
		"K", "I i İ ß"} {
		f.Add(s, s)
	}
	f.Add("we built oak cabinets", page(nil))
	f.Fuzz(func(t *testing.T, said, answer string) {
		p := kitchen()
		p.Type, p.Story.Solution, p.Materials = said, said, []string{said, "oak"}
		p.Story.Facts, p.Story.Duration = []string{said}, said
		for _, text := range []string{answer, page(map[string]any{"title": answer, "description": answer,
			"tags": []string{answer}, "blocks": []block{{"kind": "paragraph", "text": answer},
				{"kind": "list", "items": []string{answer}}, {"kind": "quote", "text": answer}}})} {
			d, err := writer.Content(says(text, text).with(t), p, dale())
			if err != nil {
				t.Fatal(err)
			}
			if utf8.RuneCountInString(d.Title) > 120 || utf8.RuneCountInString(d.Description) > 2000 ||
				utf8.RuneCountInString(d.SEO.Title) > 70 || utf8.RuneCountInString(d.SEO.Description) > 160 ||
				len(d.Tags) > 30 || len(d.Blocks) > projects.MaxBlocks {
				t.Error("too long:", show(d))
			}
			for _, tag := range d.Tags {
				if utf8.RuneCountInString(tag) > 60 {
					t.Error("a long tag:", tag)
				}
			}
			for _, b := range d.Blocks {
				if utf8.RuneCountInString(b.Text) > projects.MaxBlockText || len(b.Items) > projects.MaxItems {
					t.Error("a long block:", show(b))
				}
			}
			encoded, err := json.Marshal(d)
			if err != nil || strings.Contains(string(encoded), "14 Rosewood Lane") && d.Made == writer.ByModel {
				t.Error(err, string(encoded))
			}
		}
	})
}
