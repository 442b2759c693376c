package portfolio_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// BenchmarkReads measures readings of the largest project through REST: with p99.
func BenchmarkReads(b *testing.B) {
	f := newFirm(b)
	business, p := f.site(), f.begin()
	var photos []string
	for range projects.MaxImages {
		photos = append(photos, f.photo(f.manager))
	}
	f.attach(p.Code, photos...)
	var blocks []projects.Block
	for i := range projects.MaxBlocks {
		blocks = append(blocks, projects.Block{Kind: projects.Paragraph, Text: strings.Repeat(fmt.Sprint("Sentence ",
			i, ". "), 40)})
	}
	p = f.change(p.Code, projects.Changes{Title: new("Oak kitchen"), Type: new("kitchen"), Blocks: &blocks})
	f.publish(p, "oak")
	for name, read := range map[string]func() error{
		"project": func() error { _, err := f.store.Get(b.Context(), f.viewer, p.Code); return err },
		"page":    func() error { _, err := f.pages.Page(b.Context(), business.Site, "oak"); return err },
		"change": func() error {
			_, err := f.store.Update(b.Context(), f.manager, p.Code, 0,
				projects.Changes{Title: new(fmt.Sprint(time.Now().UnixNano()))})
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				if err := read(); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
		})
	}
}
