package render_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gmtext "github.com/yuin/goldmark/text"

	"github.com/bellhop-ai/bellhop/pkg/render"
)

func tables(name string) (string, bool) {
	return "<table>" + name + "</table>", name == "t1" || name == "t2"
}

func filtered(pieces ...string) string {
	f := render.Filter{Table: tables, Hosts: []string{"book.example"}}
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(f.Push(p))
	}
	b.WriteString(f.Close())
	return b.String()
}

var answers = map[string]struct{ in, out string }{
	"plain text":                  {"Two cabins are free.", "Two cabins are free."},
	"a table in its place":        {"See [[table:t1]] here", "See \n\n<table>t1</table>\n\n here"},
	"a table between blank lines": {"See:\n\n[[table:t1]]\n\n\nDone.", "See:\n\n<table>t1</table>\n\nDone."},
	"a table at both ends":        {"[[table:t1]]\n[[table:t2]]\n", "<table>t1</table>\n\n<table>t2</table>"},
	"a table after one line end":  {"See:\n[[table:t1]] end", "See:\n\n<table>t1</table>\n\n end"},
	"a table that there is not":   {"See [[table:t9]] here", "See  here"},
	"brackets that are no table":  {"a [[b]] c [[", "a [[b]] c [["},
	"an id":                       {"id 3f2504e0-4f89-11d3-9a0c-0305e82c3301.", "id …."},
	"two ids": {"3f2504e0-4f89-11d3-9a0c-0305e82c3301 and 3F2504E0-4F89-11D3-9A0C-0305E82C3301",
		"… and …"},
	"an id after a letter": {"id_3f2504e0-4f89-11d3-9a0c-0305e82c3301", "id_…"},
	"an id in a link's words": {"[3f2504e0-4f89-11d3-9a0c-0305e82c3301](https://book.example/x)",
		"[…](https://book.example/x)"},
	"words and figures like an id": {"added 2026-03-04 to bed 12ab-34 decade-1",
		"added 2026-03-04 to bed 12ab-34 decade-1"},
	"an image":                         {"![pixel](https://evil.example/x?d=1)", "pixel"},
	"a link elsewhere":                 {"[press](https://evil.example/x) now", "press now"},
	"a link to an allowed host":        {"[book](https://book.example/x)", "[book](https://book.example/x)"},
	"an allowed name in another place": {"[x](https://book.example@evil.example/)", "x"},
	"a script link":                    {"[x](javascript:alert(1))", `[x\](javascript:alert(1))`},
	"a link that never closes":         {"[x](https://evil.example/\nnext", "[x\\](https: (address left out)\nnext"},
	"brackets in the words": {"![a [b]](https://evil.example/x.png)",
		`[a [b]\](https: (address left out))`},
	"a bracket before a link":         {"[[x](https://evil.example/)", "[x"},
	"an escaped bracket in the words": {`[a\]b](https://evil.example/)`, `[a\]b\](https: (address left out))`},
	"an escaped end":                  {`[a\](https://evil.example/)`, `[a\](https: (address left out))`},
	"two backslashes":                 {`[a\\](https://evil.example/)`, `[a\\\](https: (address left out))`},
	"a line end in the words":         {"![a\nb](https://evil.example/x.png)", "[a\nb\\](https: (address left out))"},
	"an image in a link": {"[![x](https://a.example)](https://evil.example/x.png)",
		`[x\](https: (address left out))`},
	"a reference": {"![x][1]\n\n[1]: https://evil.example/",
		"[x\\][1]\n\n[1\\]: https: (address left out)"},
	"a bare address":              {"see https://evil.example/x?a=b now", "see https: (address left out) now"},
	"an address without a scheme": {"see www.evil.example", `see www\.evil.example`},
	"a bracket alone":             {"[x] and [", "[x] and ["},
	"a time and a list":           {"At 14:30: one [two] three.", "At 14:30: one [two] three."},
	"html": {"<img src=x onerror=a> a < b & c > d",
		"&lt;img src=x onerror=a&gt; a &lt; b &amp; c &gt; d"},
	"a quotation":  {"> said\n> so", "> said\n> so"},
	"a card block": {"a\n```card\n{\"id\":1}\n```\nb", "a\nb"},
	"another block": {"a\n```json\n{\"x\":\"<b>\"}\n```\nb",
		"a\n```json\n{\"x\":\"&lt;b&gt;\"}\n```\nb"},
	"a card of a long name": {"```card" + strings.Repeat(" ", 80) + "\nx", "```card" +
		strings.Repeat(" ", 80) + "\nx"},
	"a form": {"So:\n```params\n{\"applied\": {\"Guest\": \"A & <b>\", \"Nights\": 3, \"Paid\": true}," +
		"\n \"pending\": {\"Cabin\": \"which one?\"}}\n```\nFine.", "So:\n```params\n" +
		`{"applied":{"Guest":"A \u0026 \u003cb\u003e","Nights":"3","Paid":"yes"},"pending":{"Cabin":"which one?"}}` +
		"\n```\nFine."},
	"a choice": {"```clarification\r\n{\"question\":\"Which cabin?\",\"type\":\"radio\",\"options\":[\"Coco\"," +
		"\"Pine\"]}\r\n````", "```clarification\n" +
		`{"question":"Which cabin?","type":"radio","options":["Coco","Pine"]}` + "\n```"},
	"a form that is cut off": {"```clarification\n{\"question\":\"Which <b>?\"",
		"```clarification\n{\"question\":\"Which &lt;b&gt;?\""},
	"a form with a link in it": {"```clarification\n{\"question\":\"Why?\",\"type\":\"radio\",\"options\":[\"a\"," +
		"\"https://evil.example/x\"]}\n```", "```clarification\n{\"question\":\"Why?\",\"type\":\"radio\",\"options\":[\"a\",\"https: (address left out)\"]}\n```"},
	"a form with an id in it": {"```params\n{\"applied\":{\"Guest\":\"3f2504e0-4f89-11d3-9a0c-0305e82c3301\"}}\n```",
		"```params\n{\"applied\":{\"Guest\":\"…\"}}\n```"},
	"code in a line":       {"use `x` or ``y``", "use `x` or ``y``"},
	"other alphabets":      {"कमरा खाली है — ठीक", "कमरा खाली है — ठीक"},
	"a heading and a list": {"# A\n- b\n- c!\n1. d", "# A\n- b\n- c!\n1. d"},
}

// S2-29, S2-50, S0-49
func TestWhatMayBeShown(t *testing.T) {
	for name, tc := range answers {
		t.Run(name, func(t *testing.T) {
			if got := filtered(tc.in); got != tc.out {
				t.Errorf("got  %q\nwant %q", got, tc.out)
			}
		})
	}
}

func TestTheResultDoesNotDependOnHowTheTextIsCut(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for name, tc := range answers {
		t.Run(name, func(t *testing.T) {
			if got := filtered(strings.Split(tc.in, "")...); got != tc.out {
				t.Errorf("rune by rune: got %q, want %q", got, tc.out)
			}
			for range 200 {
				var pieces []string
				for rest := tc.in; rest != ""; {
					n := 1 + random.IntN(len(rest))
					pieces = append(pieces, rest[:n])
					rest = rest[n:]
				}
				if got := filtered(pieces...); got != tc.out {
					t.Fatalf("pieces %q: got %q, want %q", pieces, got, tc.out)
				}
			}
		})
	}
}

// BenchmarkFilter filters an answer of 2 KB that comes a word at a time.
func BenchmarkFilter(b *testing.B) {
	words := strings.SplitAfter(strings.Repeat("Two of the cabins, COCO and **Birch**, are free from the 3rd for "+
		"4,200 a night. ", 25), " ")
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		f := render.Filter{}
		for _, w := range words {
			n += len(f.Push(w))
		}
		if n += len(f.Close()); n == 0 {
			b.Fatal("nothing came through")
		}
	}
}

func FuzzCuttingNeverChangesTheResult(f *testing.F) {
	for _, tc := range answers {
		f.Add(tc.in, uint64(1))
	}
	f.Fuzz(func(t *testing.T, in string, seed uint64) {
		whole := filtered(in)
		random := rand.New(rand.NewPCG(seed, 1))
		var pieces []string
		for rest := in; rest != ""; {
			n := 1 + random.IntN(len(rest))
			pieces = append(pieces, rest[:n])
			rest = rest[n:]
		}
		if got := filtered(pieces...); got != whole {
			t.Errorf("pieces %q: got %q, whole %q", pieces, got, whole)
		}
	})
}

// S2-31, S2-32: a form arrives in one piece, and only one that is well made.
func TestAFormArrivesWholeOrAsText(t *testing.T) {
	const good = "```clarification\n" + `{"question":"Which?","type":"checkbox","options":["a","b"]}` + "\n```\n"
	f := render.Filter{}
	var pieces []string
	for _, r := range "Hm.\n" + good + "So?" {
		if shown := f.Push(string(r)); strings.Contains(shown, "`") {
			pieces = append(pieces, shown)
		}
	}
	if want := []string{strings.TrimSuffix(good, "\n") + "\n"}; !slices.Equal(pieces, want) {
		t.Errorf("it came as %q, want %q", pieces, want)
	}
	many := `"0"`
	for i := range 30 {
		many += fmt.Sprintf(`,"%d"`, i+1)
	}
	for name, body := range map[string]string{
		"no JSON":                 "which one?",
		"two values":              `{"question":"a?","type":"radio","options":["a","b"]} {}`,
		"an unknown member":       `{"question":"a?","type":"radio","options":["a","b"],"script":"x"}`,
		"an unknown type":         `{"question":"a?","type":"slider","options":["a","b"]}`,
		"no question":             `{"question":" ","type":"radio","options":["a","b"]}`,
		"one option":              `{"question":"a?","type":"radio","options":["a"]}`,
		"an option twice":         `{"question":"a?","type":"radio","options":["a","a"]}`,
		"too many options":        `{"question":"a?","type":"radio","options":[` + many + `]}`,
		"an option that is none":  `{"question":"a?","type":"radio","options":["a",7]}`,
		"a hidden mark":           `{"question":"a?","type":"radio","options":["a","b\u202e"]}`,
		"a link":                  `{"question":"[a](https://evil.example/)","type":"radio","options":["a","b"]}`,
		"a line end in an option": `{"question":"a?","type":"radio","options":["a","b\nc"]}`,
		"nothing":                 `null`,
	} {
		if got := filtered("```clarification\n  " + body + "\n```"); !strings.Contains(got, "\n  ") {
			t.Errorf("%s is shown as a form: %q", name, got)
		}
	}
	for name, body := range map[string]string{
		"fields in fields": `{"applied":{"a":{"b":1}},"pending":{}}`,
		"a list":           `{"applied":["a"],"pending":{}}`,
		"a field twice":    `{"applied":{"a":1,"a":2},"pending":{}}`,
		"no fields":        `{"applied":{},"pending":{}}`,
		"a nameless field": `{"applied":{"":1},"pending":{}}`,
	} {
		if got := filtered("```params\n  " + body + "\n```"); !strings.Contains(got, "\n  ") {
			t.Errorf("%s is shown as a form: %q", name, got)
		}
	}
	long := "```params\n{\"applied\":{\"a\":\"b\"}," + strings.Repeat(" ", 9<<10) + "\"pending\":{}}\n```"
	if got := filtered(long); got != long {
		t.Error("a form of 9 KiB was taken for one")
	}
}

// Where forms are shown outside of the text they are left out of it, also those that
// are not well made, however the text is cut.
func TestFormsMayBeTakenOutOfTheText(t *testing.T) {
	const text = "Hm.\n```params\n{\"title\":\"New\",\"applied\":{\"Guest\":\"Asha\",\"Nights\":3}," +
		"\"pending\":{\"Cabin\":\"which?\"}}\n```\nSo?\n```clarification\n{\"question\":\"Which?\"," +
		"\"type\":\"radio\",\"options\":[\"a\",\"b\"]}\n```\n```params\n{\"applied\":[1]}" +
		"\n```\nEnd.\n```card\nx\n```\n```clarification\n{\"question\":\"Cut"
	want := []render.Form{
		{Kind: "params", Title: "New", Applied: []render.Entry{{Name: "Guest", Value: "Asha"},
			{Name: "Nights", Value: "3"}},
			Pending: []render.Entry{{Name: "Cabin", Value: "which?"}}},
		{Kind: "clarification", Question: "Which?", Type: "radio", Options: []string{"a", "b"}},
	}
	for size := 1; size <= len(text); size++ {
		var forms []render.Form
		f := render.Filter{Form: func(form render.Form) { forms = append(forms, form) }}
		var out strings.Builder
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			out.WriteString(f.Push(rest[:n]))
			rest = rest[n:]
		}
		out.WriteString(f.Close())
		if got := strings.Join(strings.Fields(out.String()), " "); got != "Hm. So? End." ||
			!reflect.DeepEqual(forms, want) {
			t.Fatalf("pieces of %d: %q, %+v", size, out.String(), forms)
		}
	}
	long := "```params\n{\"applied\":{\"a\":\"b\"}," + strings.Repeat(" ", 9<<10) + "\"pending\":{}}\n```"
	f := render.Filter{Form: func(render.Form) { t.Error("a form of 9 KiB was taken for one") }}
	if got := f.Push(long) + f.Close(); got != long {
		t.Errorf("%.80q", got)
	}
}

// markdown reads a text as the strictest and the most generous reader does.
func links(t *testing.T, text string) (found []string) {
	t.Helper()
	source := []byte(text)
	err := ast.Walk(goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(gmtext.NewReader(source)),
		func(n ast.Node, enter bool) (ast.WalkStatus, error) {
			switch n := n.(type) {
			case *ast.Link:
				if !strings.HasPrefix(string(n.Destination), "https://book.example/") {
					found = append(found, "link "+string(n.Destination))
				}
			case *ast.Image:
				found = append(found, "image "+string(n.Destination))
			case *ast.AutoLink:
				if n.AutoLinkType == ast.AutoLinkURL {
					found = append(found, "address "+string(n.URL(source)))
				}
			}
			return ast.WalkContinue, nil
		})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// What is shown never holds a link or an image that a reader would follow or
// fetch, whatever a model writes.
func TestNoReaderFindsALink(t *testing.T) {
	parts := []string{"[", "]", "(", ")", "!", "\\", "\n", " ", ":", "https://evil.example/x", "www.evil.example", "a",
		"`", "```", "<", ">", "[1]", "[1]: https://evil.example", "```params\n", `{"applied":{"a":"`, `"}}`, "\n```\n",
		"](https://evil.example)", "![x]", "[https://book.example/", "**", "_", "~~~", "    ", "- ",
		"3f2504e0-4f89-11d3-9a0c-0305e82c3301"}
	random := rand.New(rand.NewPCG(7, 8))
	for range 20_000 {
		var b strings.Builder
		for range 1 + random.IntN(12) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		out := filtered(b.String())
		if found := links(t, out); len(found) > 0 {
			t.Fatalf("%q becomes %q with %v", b.String(), out, found)
		}
	}
}

func TestATableIsEscapedAndOneLine(t *testing.T) {
	table := render.Table{Title: "A & B", Columns: []render.Column{{Key: "n", Label: "Name"},
		{Key: "p", Label: "Price", Right: true}},
		Rows: [][]render.Cell{{render.Text("<script>x</script>\n\n# y"), render.Text("1")}}}
	got := table.HTML()
	if strings.ContainsAny(got, "\n") || strings.Contains(got, "<script") ||
		!strings.Contains(got, "&lt;script&gt;x&lt;/script&gt; # y") {
		t.Error(got)
	}
	// S0-49
	for _, want := range []string{"border-collapse:collapse;font-size:0.85rem", `<thead style="background:#f8fafc">`,
		"A &amp; B"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %s", want, got)
		}
	}
}
