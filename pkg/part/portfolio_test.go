package part_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/part"
)

// The largest project is shown, in letters that take three bytes each, too.
func TestTheLargestPageIsShown(t *testing.T) {
	t.Parallel()
	long := func(n int) string { return strings.Repeat("क", n) }
	p := part.Page{Project: "PRJ-K7QMPX", Version: 7, Status: "draft", Title: long(120), Description: long(2000),
		SEOTitle: long(70), SEOText: long(160)}
	for i := range 40 {
		p.Blocks = append(p.Blocks, part.PageBlock{Kind: "paragraph", Text: long(3000)})
		if i < 30 {
			p.Photos = append(p.Photos, part.PagePhoto{ID: fmt.Sprintf("%024d", i+22222222)[:24], Alt: long(200),
				State: "ready"})
			p.Photos[i].ID = strings.NewReplacer("0", "a", "1", "b").Replace(p.Photos[i].ID)
			p.Tags = append(p.Tags, long(20))
		}
		if i < 12 {
			p.Missing = append(p.Missing, long(400))
		}
	}
	made, err := part.New(p, "showPortfolioPreview", json.RawMessage(`{"project":"PRJ-K7QMPX"}`))
	if err != nil {
		t.Fatal(err)
	}
	var shown part.Page
	if err := json.Unmarshal(made.Data, &shown); err != nil {
		t.Fatal(err)
	}
	if len(shown.Photos) != 30 || shown.Title != p.Title || shown.Photos[0].Alt == "" || len(made.Data) > part.Limit {
		t.Errorf("shown are %d photos, %d bytes", len(shown.Photos), len(made.Data))
	}
	small := part.Page{Project: "PRJ-K7QMPX", Status: "draft", Description: "Oak.", Blocks: p.Blocks[:1]}
	made, err = part.New(small, "", nil)
	if err != nil || !strings.Contains(string(made.Data), p.Blocks[0].Text) {
		t.Errorf("a small page is cut: %v", err)
	}
}
