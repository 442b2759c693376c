package language_test

import (
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/finance/language"
)

func TestOf(t *testing.T) {
	for text, want := range map[string]language.Language{
		"":                                    language.English,
		"12345":                               language.English,
		"INV-2026/017":                        language.English,
		"show me invoice":                     language.English,
		"Show me the invoices of Ki Traders":  language.Hinglish, // "Ki" can't be told from the particle
		"who owes me money":                   language.English,
		"is it the main bill to pay?":         language.English,
		"do the same for Acme Pvt Ltd":        language.English,
		"what do I owe to the bus company":    language.English,
		"invoices to KA and MH":               language.English,
		"are the parts for the machine paid?": language.English,
		"profit of this month":                language.English,
		"sales in Bhutan on Friday":           language.English,
		"invoices of राम ट्रेडर्स please": language.English,
		"kitna baaki hai":       language.Hinglish,
		"KITNA BAAKI HAI":       language.Hinglish,
		"bill dikhao":           language.Hinglish,
		"Sharma ka invoice":     language.Hinglish,
		"profit kitna":          language.Hinglish,
		"is mahine ki bikri":    language.Hinglish,
		"khareed":               language.Hinglish,
		"baki":                  language.Hinglish,
		"naafa":                 language.Hinglish,
		"purvanumaaan":          language.Hinglish,
		"bhugtaan pending list": language.Hinglish,
		"mat bhejo":             language.Hinglish,
		"haan":                  language.Hinglish,
		"report do":             language.Hinglish,
		"कितना बाकी है":         language.Hindi,
		"इस महीने की बिक्री दिखाओ": language.Hindi,
		"INV-12 दिखाओ":                  language.Hindi,
		"profit and loss report दिखाओ":  language.Hindi,
		"Acme Private Limited का बकाया": language.Hindi,
		"नमस्ते":                        language.Hindi,
		"bikri दिखाओ":                   language.Hindi,
	} {
		if got := language.Of(text); got != want {
			t.Errorf("Of(%q) is %s, want %s", text, got, want)
		}
	}
}

func TestNear(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"bikri", "bikree", true},
		{"kharid", "khareed", true},
		{"naafa", "nafa", true},
		{"munafa", "munaafa", true},
		{"munafa", "munapha", false},
		{"vasuli", "vasooli", true},
		{"kharcha", "khrcha", true},
		{"kharcha", "kahrcha", true},
		{"kharcha", "kharchas", true},
		{"bill", "till", false},
		{"kal", "kalam", false},
		{"haan", "kahaan", false},
	} {
		if got := language.Near(language.Fold(c.a), language.Fold(c.b)); got != c.want {
			t.Errorf("Near(%q, %q) is %v", c.a, c.b, got)
		}
	}
}

func FuzzOf(f *testing.F) {
	for _, s := range []string{"kitna baaki hai", "कितना", "a\xff", "aa", "\u200cक"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := language.Of(s); got != language.English && got != language.Hinglish && got != language.Hindi {
			t.Errorf("Of(%q) is %q", s, got)
		}
	})
}

func BenchmarkOf(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		language.Of("please show me the invoices of Sharma Traders that are overdue since last month")
	}
}
