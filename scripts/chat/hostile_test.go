package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode"

	"github.com/bellhop-ai/bellhop/pkg/render"
)

// says is a server that answers each request with the next list of events, and
// breaks off after them where they do not end.
func says(t *testing.T, answers ...string) (url string, bodies *[]map[string]any) {
	t.Helper()
	bodies = new([]map[string]any)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		*bodies = append(*bodies, body)
		if len(answers) == 0 {
			t.Error("it is asked once more")
			return
		}
		next := answers[0]
		answers = answers[1:]
		if strings.HasPrefix(next, "{") {
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_, _ = io.WriteString(w, next)
	}))
	t.Cleanup(server.Close)
	return server.URL, bodies
}

func frame(name string, data any) string {
	raw, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	return "id: t.0.1\nevent: " + name + "\ndata: " + string(raw) + "\n\n"
}

func chunk(text string) string { return frame("response_chunk", map[string]string{"text": text}) }

func complete(more map[string]any) string {
	all := map[string]any{
		"message": map[string]string{"role": "assistant", "content": "x", "seal": "s"},
		"finish":  "stop",
	}
	for k, v := range more {
		all[k] = v
	}
	return frame("complete", all)
}

// token is one that no one signed; the servers of these tests look at none.
const token = "e30.eyJzdWIiOiJ1MSJ9.x"

func with(d console, env map[string]string) console {
	d.env = func(name string) string { return env[name] }
	return d
}

// Whatever a server says, nothing of it reaches the terminal as a control, and
// no text is turned around: in replies, whole and cut into pieces, labels,
// tools, tables, previews, errors and codes.
func TestNothingFromOutsideControlsTheTerminal(t *testing.T) {
	t.Parallel()
	const evil = "a\x1b]0;owned\x07b\x1b[2Jc\u009b31md\rE\bf\u202etxet\u2066g\u200eh\u2028i\x00j\x7fk&#27;[1ml&#x9b;" +
		"m\u200b"
	table := render.Table{
		Title:   evil,
		Note:    evil,
		Columns: []render.Column{{Label: evil}, {Label: "b"}},
		Rows:    [][]render.Cell{{render.Text(evil + "\nnext"), render.Text("2")}},
	}
	stream := frame("connected", map[string]string{"requestId": evil}) +
		frame("history_unverified", map[string]any{"reasons": []string{evil}}) +
		frame("route_classified", map[string]string{"label": evil, "how": "model"}) +
		frame("executing_tool", map[string]string{"callId": evil, "title": evil, "tool": evil}) +
		frame("tool_result", map[string]any{"callId": evil, "tool": evil, "message": evil, "success": false}) +
		frame("part", map[string]any{"kind": "table", "id": "t1a", "data": table}) +
		frame(
			"part",
			map[string]any{
				"kind":   "chart",
				"id":     "t1b",
				"beside": "t1a",
				"data": map[string]any{"title": evil, "form": "bars", "unit": evil, "labels": []string{evil},
					"series": []any{map[string]any{"name": evil, "values": []int{1}}}},
			},
		) +
		frame(
			"part",
			map[string]any{"kind": "chart", "id": "t1d", "text": evil, "data": map[string]any{"form": evil}},
		) +
		frame(
			"part",
			map[string]any{"kind": "made up", "id": "t1c", "text": evil},
		) + chunk(table.HTML()) + chunk("words "+evil) + chunk("**bold\x1b[5m") + chunk("** &#2") + chunk("7;\\") +
		chunk("\x1b[0m") +
		complete(map[string]any{"confirmation": map[string]string{"id": "p", "tier": "CRITICAL", "code": evil}})
	problem := `{"detail":` + quoted(evil) + `,"code":"x","requestId":` + quoted(evil) + `}`
	url, _ := says(
		t,
		stream,
		frame("error", map[string]any{"error": map[string]string{"message": evil, "code": evil, "requestId": evil}}),
		problem,
		problem,
		problem,
	)
	d := with(typed("hi\nagain\nonce more\n"), map[string]string{"NO_COLOR": "1", "BELLHOP_TOKEN": token})
	if status := run(t.Context(), []string{"-url", url, "-steps"}, d); status != answered {
		t.Errorf("status %d", status)
	}
	all := fmt.Sprint(d.out) + fmt.Sprint(d.err)
	for _, r := range all {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028') {
			t.Fatalf("%U is written in %q", r, all)
		}
	}
	if n := strings.Count(all, "owned"); n < 8 {
		t.Errorf("the words are missing: %d in %q", n, all)
	}
}

func quoted(s string) string {
	raw, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// A chart stands above its table as bars, a part without a table at the end by
// its words, and a table that its part had no room for is the one of the reply.
func TestPartsAreShownAsText(t *testing.T) {
	t.Parallel()
	table := render.Table{
		Title:   "Revenue",
		Columns: []render.Column{{Label: "Month"}},
		Rows:    [][]render.Cell{{render.Text("Jan")}, {render.Text("Feb")}},
	}
	short := table
	short.Rows = short.Rows[:1]
	stream := frame("part", map[string]any{"kind": "table", "id": "t1a", "data": short}) +
		frame(
			"part",
			map[string]any{"kind": "chart", "id": "t1b", "beside": "t1a", "text": "x", "data": map[string]any{
				"title": "Revenue by month",
				"form":  "bars",
				"unit":  "INR",
				"labels": []string{
					"Jan",
					"Feb",
				},
				"series": []any{map[string]any{"name": "Revenue", "values": []any{1200, 600}}},
			}},
		) +
		frame("part", map[string]any{"kind": "choices", "id": "t1c", "text": "- By week", "data": map[string]any{}}) +
		chunk("Here:\n\n") + chunk(table.HTML()) + chunk("\n\nBye.") + complete(map[string]any{})
	url, _ := says(t, stream)
	d := with(typed("hi\n"), map[string]string{"NO_COLOR": "1", "BELLHOP_TOKEN": token})
	if status := run(t.Context(), []string{"-url", url}, d); status != answered {
		t.Fatalf("status %d", status)
	}
	shown := fmt.Sprint(d.out)
	at := -1
	for _, want := range []string{"Here:", "Revenue by month\n", "Jan ₹1,200.00 ████", "Feb   ₹600.00 ██", "Month\n",
		"Feb\n", "Bye.", "- By week\n"} {
		next := strings.Index(shown[at+1:], want)
		if next < 0 {
			t.Fatalf("%q is missing or too early in\n%s", want, shown)
		}
		at += 1 + next
	}
}

// Colours are there for a screen that wants them, and are our own.
func TestColoursAreForScreensThatWantThem(t *testing.T) {
	t.Parallel()
	stream := frame(
		"route_classified",
		map[string]string{"label": "Inventory Agent", "how": "model"},
	) + chunk(
		"so **b",
	) + chunk(
		"old* *",
	) + chunk(
		"* and \\*\\*plain\\*\\*",
	) + complete(
		nil,
	)
	for name, tc := range map[string]struct {
		env  map[string]string
		desk console
		want string
	}{
		"a screen": {map[string]string{}, typed("hi\n"),
			"\x1b[2m→ Inventory Agent\x1b[0m\nso \x1b[1mbold* \x1b[0m and "},
		"NO_COLOR":        {map[string]string{"NO_COLOR": "1"}, typed("hi\n"), "→ Inventory Agent\nso bold"},
		"a dumb terminal": {map[string]string{"TERM": "dumb"}, typed("hi\n"), "→ Inventory Agent\nso bold"},
		"a pipe":          {map[string]string{}, piped("hi\n"), "so bold"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, _ := says(t, stream)
			tc.env["BELLHOP_TOKEN"] = token
			d := with(tc.desk, tc.env)
			if status := run(t.Context(), []string{"-url", url}, d); status != answered {
				t.Errorf("status %d: %s", status, d.err)
			}
			out := fmt.Sprint(d.out)
			if !strings.Contains(out, "**plain**") || name != "a screen" && strings.Contains(out, "\x1b") {
				t.Errorf("it shows %q", out)
			}
			if !strings.Contains(out, tc.want) {
				t.Errorf("it shows %q, want %q", out, tc.want)
			}
		})
	}
}

// An act of the highest tier takes the whole phrase, and the phrase is sent.
func TestACriticalActTakesThePhrase(t *testing.T) {
	t.Parallel()
	asks := chunk(
		"Delete everything? (K7QM)",
	) + complete(
		map[string]any{
			"finish":       "confirm",
			"confirmation": map[string]string{"id": "p1", "tier": "CRITICAL", "code": "K7QM"},
		},
	)
	url, bodies := says(t, asks, chunk("Done.")+complete(nil))
	d := with(typed("go\ny\nyes\nYES k7qm\n"), map[string]string{"BELLHOP_TOKEN": token, "NO_COLOR": "1"})
	if status := run(
		t.Context(),
		[]string{"-url", url},
		d,
	); status != answered ||
		strings.Count(fmt.Sprint(d.out), `Type "yes K7QM" to do this, or n: `) != 3 {
		t.Errorf("status %d, %s%s", status, d.out, d.err)
	}
	if len(*bodies) != 2 || fmt.Sprint((*bodies)[1]["confirm"]) != "map[decision:approve id:p1 phrase:YES k7qm]" {
		t.Errorf("it sends %v", *bodies)
	}
}

// A connection that breaks is taken up under the same name, and what was read
// is not shown again.
func TestABrokenAnswerIsAskedForAgainAndShownOnce(t *testing.T) {
	t.Parallel()
	whole := frame("connected", map[string]string{}) + chunk("One two ") + chunk("three four.") + complete(nil)
	busy := `{"detail":"It starts.","code":"unavailable"}`
	url, bodies := says(
		t,
		frame(
			"connected",
			map[string]string{},
		)+chunk(
			"One two ",
		)+": still here\n\nevent: response_chunk\ndata: {\"te",
		busy,
		whole,
	)
	d := with(piped(""), map[string]string{"BELLHOP_TOKEN": token})
	if status := run(
		t.Context(),
		[]string{"-url", url, "-q", "Count"},
		d,
	); status != answered ||
		fmt.Sprint(d.out) != "One two three four.\n" {
		t.Errorf("status %d, %q, %s", status, d.out, d.err)
	}
	for _, body := range *bodies {
		if body["turn"] != (*bodies)[0]["turn"] || body["turn"] == "" {
			t.Errorf("the turns are %v", *bodies)
		}
	}
	// What never comes to an end is a failure after the third time.
	url, _ = says(t, chunk("One "), chunk("One "), chunk("One "))
	d = with(piped(""), map[string]string{"BELLHOP_TOKEN": token})
	if status := run(
		t.Context(),
		[]string{"-url", url, "-q", "Count"},
		d,
	); status != failed || !strings.Contains(fmt.Sprint(d.err), "the connection broke") ||
		fmt.Sprint(d.out) != "One \n" {
		t.Errorf("status %d, %q, %s", status, d.out, d.err)
	}
}

// A table takes the width that there is: figures at the right edge, wide
// letters counted as two, the widest columns cut.
func TestATableFitsTheScreen(t *testing.T) {
	t.Parallel()
	table := render.Table{
		Title:   "Cabins",
		Note:    "2 of 2",
		Columns: []render.Column{{Label: "Name"}, {Label: "Price", Right: true}, {Label: "About"}},
		Rows: [][]render.Cell{
			{render.Text("COCO"), render.Text("₹5"), render.Text("A cabin by the lake with a stove")},
			{render.Text("朝食"), render.Text("₹12,000"), render.Text("short")},
		},
	}
	for width, want := range map[int]string{
		0: `
Cabins
Name    Price  About
────  ───────  ────────────────────────────────
COCO       ₹5  A cabin by the lake with a stove
朝食  ₹12,000  short
2 of 2
`,
		26: `
Cabins
Name    Price  About
────  ───────  ───────────
COCO       ₹5  A cabin by…
朝食  ₹12,000  short
2 of 2
`,
		10: `
Cabins
Name  Pri…  Abo…
────  ────  ────
COCO    ₹5  A c…
朝食  ₹12…  sho…
2 of 2
`,
	} {
		if got := "\n" + layout(table, width); got != want {
			t.Errorf("in %d columns it is%swant%s", width, got, want)
		}
	}
	if got := layout(render.Table{}, 80); strings.TrimSpace(got) != "" {
		t.Errorf("no table is %q", got)
	}
}
