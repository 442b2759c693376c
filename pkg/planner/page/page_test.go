package page_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/page"
)

func boston(t *testing.T) page.Plan {
	t.Helper()
	raw, err := os.ReadFile("../picture/testdata/boston.json")
	if err != nil {
		t.Fatal(err)
	}
	p := page.Plan{Title: "Boston, 12 to 15 Feb 2027", Detail: "2 adults · mid budget · from London",
		Selected: "opt-2",
		Expires:  time.Date(2027, 1, 20, 12, 0, 0, 0, time.UTC)}
	if err := json.Unmarshal(raw, &p.Options); err != nil {
		t.Fatal(err)
	}
	return p
}

func written(t *testing.T, p page.Plan) string {
	t.Helper()
	var b bytes.Buffer
	if err := page.Write(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Each day, cost and source is on the page, and what the plan rests on.
func TestThePageShowsThePlan(t *testing.T) {
	html := written(t, boston(t))
	for _, want := range []string{"<h1>Boston, 12 to 15 Feb 2027</h1>", "History and art, at ease",
		"$2,158–2,394 for 2 people",
		`article class="selected"`, "18:25–06:05 &#43;1", "The Boxer Boston", "8 min on foot",
		"your wish: the Freedom Trail",
		`class="s-model">unverified`, `class="s-live">live`, "One double room for two adults.",
		"until 20 January 2027",
		`<meta name="robots" content="noindex">`, `<td class="differs">relaxed</td>`, "<td>history</td>"} {
		if !strings.Contains(html, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if got := strings.Count(html, `<section class="day">`); got != 12 {
		t.Errorf("%d days", got)
	}
}

// The pages work under their policy, which admits one style sheet by its hash, and no
// script, image, form or style of an element.
func TestThePageKeepsItsPolicy(t *testing.T) {
	var gone bytes.Buffer
	if err := page.WriteGone(&gone); err != nil {
		t.Fatal(err)
	}
	policy, err := page.Policy()
	if err != nil {
		t.Fatal(err)
	}
	refused := regexp.MustCompile(`(?i)<(script|img|iframe|form|link|object|base|a)\b|\sstyle=|\son[a-z]+=|javascript:`)
	for _, html := range []string{written(t, boston(t)), gone.String()} {
		if found := refused.FindString(html); found != "" {
			t.Errorf("the page has %q", found)
		}
		_, style, ok := strings.Cut(html, "<style>")
		style, _, closed := strings.Cut(style, "</style>")
		sum := sha256.Sum256([]byte(style))
		if !ok || !closed || !strings.Contains(policy, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") {
			t.Errorf("the policy %q does not admit the style sheet", policy)
		}
	}
}

// What people and models wrote is text.
func TestTextsOfAPlanAreEscaped(t *testing.T) {
	const hostile = `</title><script>alert(1)</script><svg onload=x>`
	p := boston(t)
	p.Title, p.Detail = hostile, hostile
	p.Options.ComparisonNote, p.Options.Risks = hostile, []string{hostile}
	o := &p.Options.Options[0]
	o.Title, o.Description, o.Highlights, o.Gaps = hostile, hostile, []string{hostile}, []string{hostile}
	o.Costs[0].Label, o.EstimatedTotalCost = hostile, hostile
	o.Itinerary.Days[0].Title, o.Itinerary.Days[0].Note = hostile, hostile
	o.Itinerary.Days[0].Activities[0] = options.Entry{Name: hostile, Kind: hostile, Detail: hostile, Starts: hostile,
		Source: hostile, MustDo: hostile}
	html := written(t, p)
	if strings.Contains(html, "<script") || strings.Contains(html, "<svg onload") {
		t.Error("a text became an element")
	}
	if !strings.Contains(html, "&lt;script&gt;") {
		t.Error("the text is missing")
	}
}
