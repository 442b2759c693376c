package writer_test

import (
	"context"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/openai"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/writer"
)

// Every kind is asked for over the provider's protocol, with a schema that it takes.
func TestEveryKindIsAskedForOverTheWire(t *testing.T) {
	t.Parallel()
	server := script.Start(t,
		script.Step{Text: page(nil)},
		script.Step{Text: `{"hero":"p3","order":[],"groups":[{"part":"result","kind":"comparison","photos":["p1",` +
			`"p4"]}]}`},
		script.Step{Text: `{"points":[{"field":"alt","what":"Say what the photos show.",` +
			`"why":"Some cannot see them."}]}`},
		script.Step{Text: `{"title":"Kitchen renovation with dovetail drawers"}`},
		script.Step{Text: `{"title":"","type":"","place":{"street":"","district":"","city":"","region":"",` +
			`"country":""},"materials":["pine"],"techniques":[],"problem":"","challenge":"","solution":"",` +
			`"result":"","duration":"","completed":"","size":"","detail":""}`},
	)
	client, err := openai.New(openai.Config{BaseURL: server.URL, APIKey: "k", Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	ctx := writer.WithCalls(t.Context(), func(ctx context.Context, r llm.Request) (llm.Answer, error) {
		return client.Answer(ctx, r, nil)
	}, 5)
	p, b := kitchen(), dale()
	d, err := writer.Content(ctx, p, b)
	if err != nil || d.Made != writer.ByModel {
		t.Error(err, show(d))
	}
	a, err := writer.Layout(ctx, p)
	if err != nil || a.Made != writer.ByModel {
		t.Error(err, show(a))
	}
	q, err := writer.Quality(ctx, p, b)
	if err != nil || q.Made != writer.ByModel {
		t.Error(err, show(q))
	}
	s, err := writer.Section(ctx, p, b, "title")
	if err != nil || s.Made != writer.ByModel {
		t.Error(err, show(s))
	}
	told, err := writer.Story(ctx, projects.Project{}, []string{"it was pine"})
	if err != nil || len(told.Materials) != 1 {
		t.Error(err, show(told))
	}
	if v := server.Violations(); len(v) > 0 || len(server.Unused()) > 0 {
		t.Error(v, server.Unused())
	}
}

// What a page costs by rules, and to check a model's one.
func BenchmarkContent(b *testing.B) {
	p, business := kitchen(), dale()
	b.Run("rules", func(b *testing.B) {
		for b.Loop() {
			if _, err := writer.Content(b.Context(), p, business); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("model", func(b *testing.B) {
		for b.Loop() {
			if _, err := writer.Content(writer.With(b.Context(), says(page(nil)).ask), p, business); err != nil {
				b.Fatal(err)
			}
		}
	})
}
