package conversations_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/conversations"
)

// S2-61: the first message names the conversation.
func TestTitle(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ message, want string }{
		"a short one":       {"Which cabins are free?", "Which cabins are free?"},
		"the first line":    {"\n\n  Two nights\nfor four people", "Two nights"},
		"marks of Markdown": {"## **Plan** the deck", "Plan** the deck"},
		"only marks":        {"---\n> quoted", "quoted"},
		"cut at a word": {"Please find me a cabin with a view of the valley and a fireplace for two",
			"Please find me a cabin with a view of the valley and a…"},
		"one long word": {strings.Repeat("a", 70), strings.Repeat("a", 60) + "…"},
		"sixty signs":   {strings.Repeat("ab ", 20), strings.TrimSpace(strings.Repeat("ab ", 20))},
		"Hindi, cut at a word": {strings.Repeat("कमरा खाली है ", 8), strings.Repeat("कमरा खाली है ", 6) +
			"कमरा खाली…"},
		"a conjunct stays whole":  {strings.Repeat("क्षि", 61), strings.Repeat("क्षि", 60) + "…"},
		"families stay together":  {strings.Repeat("👨‍👩‍👧", 61), strings.Repeat("👨‍👩‍👧", 60) + "…"},
		"flags stay whole":        {strings.Repeat("🇮🇳", 61), strings.Repeat("🇮🇳", 60) + "…"},
		"skin and flags of lands": {strings.Repeat("👍🏽", 61), strings.Repeat("👍🏽", 60) + "…"},
		"from right to left":      {"האם יש חדר פנוי?", "האם יש חדר פנוי?"},
		"turned text":             {"invoice\u202egnp.exe", "invoicegnp.exe"},
		"only spaces":             {" \t\n\u00a0\u3000", ""},
		"nothing that is seen":    {"\u200b\ufeff\x00", ""},
		"HTML is text":            {"<b>bold</b> <script>alert(1)</script>", "<b>bold</b> <script>alert(1)</script>"},
		"broken bytes":            {"caf\xff\xfe é", "caf é"},
	} {
		if got := conversations.Title(tc.message); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}

func FuzzTitle(f *testing.F) {
	f.Add("Which cabins are free?")
	f.Add(strings.Repeat("👨‍👩‍👧", 80))
	f.Add("e" + strings.Repeat("\u0301", 500))
	f.Fuzz(func(t *testing.T, message string) {
		title := conversations.Title(message)
		if !utf8.ValidString(title) || strings.ContainsAny(title, "\n\r\t\x00") || strings.TrimSpace(title) != title {
			t.Errorf("%q became %q", message, title)
		}
	})
}

// S3-4, S3-5: 30,000 tokens; 10 recent messages, 20 for a page, of which none has
// more than 50.
func TestBudget(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		budget                         conversations.Budget
		messages, tokens, through, got int
		more                           bool
		want                           int
		compacted                      bool
	}{
		"a short one":                         {conversations.ForModel(), 40, 500, 0, 40, false, 40, false},
		"just the budget":                     {conversations.ForModel(), 40, 30_000, 0, 40, false, 40, false},
		"one token more":                      {conversations.ForModel(), 40, 30_001, 0, 39, true, 10, true},
		"one token more for a page":           {conversations.ForPage(), 40, 30_001, 0, 39, true, 20, true},
		"fifty for a page":                    {conversations.ForPage(), 50, 500, 0, 50, false, 50, false},
		"fifty-one for a page":                {conversations.ForPage(), 51, 510, 0, 50, true, 20, true},
		"fifty-one for a model":               {conversations.ForModel(), 51, 510, 0, 51, false, 51, false},
		"too large for one answer":            {conversations.ForModel(), 40, 500, 0, 30, true, 10, true},
		"a summary of most":                   {conversations.ForModel(), 100, 40_000, 98, 60, true, 10, true},
		"a summary that is old":               {conversations.ForModel(), 100, 40_000, 70, 60, true, 30, true},
		"a summary older than what is loaded": {conversations.ForModel(), 100, 40_000, 20, 60, true, 60, true},
		"large and few":                       {conversations.ForModel(), 4, 90_000, 0, 4, false, 4, true},
		"a summary of a short one":            {conversations.ForModel(), 20, 500, 18, 20, false, 20, false},
	} {
		l := conversations.Load{More: tc.more}
		l.Detail.MessageCount, l.Detail.EstimatedTokens, l.Detail.Summary.Through = tc.messages, tc.tokens, tc.through
		for i := range tc.got {
			l.Messages = append(l.Messages, conversations.Message{Seq: tc.messages - tc.got + i + 1})
		}
		got, compacted := tc.budget.Choose(l)
		if len(got) != tc.want || compacted != tc.compacted {
			t.Errorf("%s: %d messages, compacted %v, want %d, %v", name, len(got), compacted, tc.want, tc.compacted)
			continue
		}
		if last := fmt.Sprint(got[len(got)-1].Seq); last != fmt.Sprint(tc.messages) {
			t.Errorf("%s: the last one is %s", name, last)
		}
	}
}
