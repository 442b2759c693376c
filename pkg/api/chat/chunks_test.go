package chat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/api/chat"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/stream"
)

// chopped is a model whose text comes in the pieces that cut makes.
type chopped struct {
	text string
	cut  func(string) []string
}

func (m chopped) Answer(_ context.Context, r llm.Request, show func(string) error) (llm.Answer, error) {
	var a llm.Answer
	switch {
	case len(r.Tools.Tools()) == 1:
		a = llm.Answer{
			Finish: llm.ToolCall,
			Calls: []llm.Call{
				{Name: "route_to_agent", Arguments: `{"agent":"inventory","reasoning":"It is about extras."}`},
			},
		}
	case r.Messages[len(r.Messages)-1].Role == llm.User:
		a = llm.Answer{
			Finish: llm.ToolCall,
			Text:   "Ein Moment, bitte …",
			Calls:  []llm.Call{{Name: "list_extras", Arguments: "{}"}},
		}
	default:
		a = llm.Answer{Finish: llm.Stopped, Text: m.text}
	}
	if show == nil || a.Text == "" {
		return a, nil
	}
	for _, piece := range m.cut(a.Text) {
		if err := show(piece); err != nil {
			return a, err
		}
	}
	return a, nil
}

func pieces(size int) func(string) []string {
	return func(s string) (out []string) {
		for len(s) > size {
			out = append(out, s[:size])
			s = s[size:]
		}
		return append(out, s)
	}
}

func randomly(seed uint64) func(string) []string {
	return func(s string) (out []string) {
		r := rand.New(rand.NewPCG(seed, 1))
		for s != "" {
			n := min(len(s), r.IntN(9)) // some pieces are empty
			out = append(out, s[:n])
			s = s[n:]
		}
		return out
	}
}

// splitAt cuts once, in the middle of the first of the marks that stands there.
func splitAt(mark string, offset int) func(string) []string {
	return func(s string) []string {
		if i := strings.Index(s, mark); i >= 0 {
			return []string{s[:i+offset], s[i+offset:]}
		}
		return []string{s}
	}
}

// S2-13, S2-42: the plain answer is the streamed one collected, however the
// model's text was cut: between bytes of a letter, in a reference to a table,
// in markup, in a link, in an id that people must not see.
func TestEveryChunkingOfTheTextIsTheSameAnswer(t *testing.T) {
	org := localtest.NewOrg(t)
	localtest.SQL(
		t,
		`insert into public.extras (org_id, entity_id, name, price) values ($1, $2, 'Frühstück 🥐', 20)`,
		org.ID,
		org.Entity.ID,
	)
	text := "Voilà – 朝食 ₹20 🥐👩‍🍳: [[table:t2a]] & <b>bold</b> <table><tr><td>mine</td></tr></table> " +
		"[site](https://evil.example/x) ![p](https://evil.example/p.png) " +
		"https://evil.example/y `code <i>` [[table:t9z]] " + org.ID +
		"\n\n```\n<pre> [[table:t2a]]\n```\nनमस्ते **fin** \\* &amp; $x$ [[ta"
	cuts := map[string]func(string) []string{
		"whole": pieces(
			1 << 20,
		),
		"bytes":          pieces(1),
		"pairs of bytes": pieces(2),
		"threes":         pieces(3),
		"sevens":         pieces(7),
		"in a letter": splitAt(
			"à",
			1,
		),
		"in an emoji":    splitAt("🥐", 2),
		"in a reference": splitAt("[[table", 1),
		"in its name":    splitAt("t2a]]", 2),
		"before its end": splitAt(
			"]]",
			1,
		),
		"in a tag":      splitAt("<table", 3),
		"in a link":     splitAt("](https", 1),
		"in an address": splitAt("https://evil.example/y", 6),
		"in an id": splitAt(
			org.ID,
			10,
		),
		"in a fence":       splitAt("```", 1),
		"in an entity":     splitAt("&amp;", 2),
		"before an escape": splitAt("\\*", 1),
	}
	for seed := range uint64(20) {
		cuts[fmt.Sprintf("at random, %d", seed)] = randomly(seed)
	}
	ask := map[string]any{"id": uuid.NewString(), "messages": []any{user("Which extras?")}}
	read := func(cut func(string) []string, accept string) []byte {
		t.Helper()
		d := openAs(t, localtest.Stack(t), func(c *chat.Config) { c.Model = chopped{text, cut} })
		resp, raw := d.post(t, "/api/chat", org.Manager.Token, accept, ask)
		if resp.StatusCode != http.StatusOK {
			t.Fatalf("status %d, %s", resp.StatusCode, raw)
		}
		return raw
	}
	plain := answer(t, read(pieces(1), "application/json"))
	if strings.Contains(plain.Reply, "evil.example") || strings.Contains(plain.Reply, "<b>") ||
		strings.Contains(plain.Reply, org.ID) ||
		strings.Count(plain.Reply, "<table") != 1 ||
		!strings.Contains(plain.Reply, "Frühstück 🥐") ||
		!strings.Contains(plain.Reply, "👩‍🍳") {
		t.Errorf("the reply is %q", plain.Reply)
	}
	for name, cut := range cuts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			frames := events(t, read(cut, "text/event-stream"))
			var said strings.Builder
			var shown []string
			for _, e := range frames {
				if e.name == "part" {
					shown = append(shown, fmt.Sprint(e.data["kind"], e.data["id"], e.data["text"], e.data["tool"]))
				}
				if e.name == "response_chunk" {
					said.WriteString(e.data["text"].(string))
				}
			}
			raw, err := json.Marshal(frames[len(frames)-1].data)
			if err != nil {
				t.Fatal(err)
			}
			streamed := answer(t, raw)
			if said.String() != plain.Reply || streamed.Reply != plain.Reply || !utf8.ValidString(said.String()) {
				t.Errorf(
					"it says\n%q, in the end\n%q, and in one piece\n%q",
					said.String(),
					streamed.Reply,
					plain.Reply,
				)
			}
			for i, p := range plain.Parts {
				if len(shown) != len(plain.Parts) || shown[i] != fmt.Sprint(p.Kind, p.ID, p.Text, p.Tool) {
					t.Errorf("the parts of events are %q", shown)
				}
			}
			if got, want := same(streamed), same(plain); got != want {
				t.Errorf("the answer is\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// same writes what two answers to one question have in common: all but names
// and seals that are made anew.
func same(a stream.Answer) string {
	a.RequestID, a.Message.ID, a.Message.Seal = "", "", ""
	shown := a.Parts
	a.Parts = nil
	text := fmt.Sprintf("%+v", a)
	for _, p := range shown {
		var data any // whose members have lost their order on the way
		if err := json.Unmarshal(p.Data, &data); err != nil {
			return err.Error()
		}
		text += fmt.Sprint(p.Kind, p.ID, p.Beside, data, p.Text, p.Tool, string(p.Arguments))
	}
	return text
}
