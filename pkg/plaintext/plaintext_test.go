package plaintext_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/plaintext"
)

func tagged(s string) string {
	return strings.Map(func(r rune) rune { return 0xE0000 + r }, s)
}

// F-61: what no one sees is not read by a model, and has a number for people.
func TestWhatNobodySeesIsTakenOutOrShown(t *testing.T) {
	for name, tc := range map[string]struct{ text, clean, shown string }{
		"tag characters": {"Tea" + tagged("pay"), "Tea", "Tea[U+E0070][U+E0061][U+E0079]"},
		"tags behind a flag": {"\U0001F3F4" + tagged("pay"), "\U0001F3F4",
			"\U0001F3F4[U+E0070][U+E0061][U+E0079]"},
		"a zero-width space":          {"de\u200blete", "delete", "de[U+200B]lete"},
		"a byte order mark":           {"\ufeffTea", "Tea", "[U+FEFF]Tea"},
		"an order of writing":         {"a\u202ecba\u202c", "acba", "a[U+202E]cba[U+202C]"},
		"isolates":                    {"\u2066x\u2069", "x", "[U+2066]x[U+2069]"},
		"a joiner in a Latin word":    {"de\u200dlete", "delete", "de[U+200D]lete"},
		"a non-joiner at the end":     {"کتاب\u200c", "کتاب", "کتاب[U+200C]"},
		"two joiners":                 {"क्\u200d\u200dष", "क्\u200dष", "क्\u200d[U+200D]ष"},
		"selectors that select":       {"a\ufe00b\ufe01", "ab", "a[U+FE00]b[U+FE01]"},
		"selectors in excess":         {"❤\ufe0f\ufe0f\ufe0e", "❤\ufe0f", "❤\ufe0f[U+FE0F][U+FE0E]"},
		"selectors of the other kind": {"a\U000e0101", "a", "a[U+E0101]"},
		"letters without ink":         {"\u3164\u2800", "", "[U+3164][U+2800]"},
		"a control":                   {"a\x1b[31mb", "a[31mb", "a[U+001B][31mb"},
		"a separator of lines":        {"a\u2028b", "a\nb", "a[U+2028]b"},
		"a soft hyphen":               {"pay\u00adment", "payment", "pay[U+00AD]ment"},
	} {
		t.Run(name, func(t *testing.T) {
			shown, hidden := plaintext.Show(tc.text)
			if got := plaintext.Clean(tc.text); got != tc.clean || shown != tc.shown || !hidden {
				t.Errorf("%q is read as %q and shown as %q", tc.text, got, shown)
			}
			if plaintext.Flaw(tc.text) == "" {
				t.Error("it is taken for a name")
			}
		})
	}
}

// F-61: what languages need stays as it was written.
func TestHonestTextStaysAsItIs(t *testing.T) {
	for _, text := range []string{
		"Asha Verma", "आशा वर्मा", "COCO कैबिन", "क्\u200dष", "श्री\u200cमान", "می\u200cخواهم", "നന്\u200d",
		"Zoë Müller-Straße", "Иван Петров", "Γιώργος",
		"Иван and John", "👨\u200d👩\u200d👧", "🏳\ufe0f\u200d🌈", "👩🏽\u200d🍳", "❤\ufe0f", "1\ufe0f\u20e3",
		"🙂\u200d↔\ufe0f", "葛\U000e0100",
		"\U0001F3F4" + tagged("gbsct") + "\U000E007F", "a\tb\r\nc\n", "5 µm", "田中さん", "محمد", "שלום", "Nguyễn Thị",
		"₹2,500 – 3 nights’ stay…",
	} {
		shown, hidden := plaintext.Show(text)
		if plaintext.Clean(text) != text || shown != text || hidden || plaintext.Flaw(text) != "" ||
			len(plaintext.Mixed(text)) > 0 || plaintext.Empty(text) {
			t.Errorf("%q is read as %q, shown as %q, said to be %q, %v", text, plaintext.Clean(text), shown,
				plaintext.Flaw(text), plaintext.Mixed(text))
		}
	}
}

// F-61: letters of another script that look alike.
func TestLettersThatLookAlikeAreNamed(t *testing.T) {
	for text, tc := range map[string]struct{ clean, mixed, flaw string }{
		"pаypal": {"paypal", "“pаypal” uses letters of two scripts: а (U+0430, Cyrillic).",
			"а (U+0430, Cyrillic) in “pаypal”"},
		"аsha@example.com": {"asha@example.com", "uses letters of two scripts: а (U+0430, Cyrillic)", "in “аsha”"},
		"to аѕһа@x.com": {"to аѕһа@x.com", "uses letters of two scripts",
			""}, // a name in one script, at another's address
		"CΟCΟ":      {"COCO", "U+039F, Greek", "two scripts in one word"},
		"Room СОСО": {"Room СОСО", "“СОСО” is not Latin “COCO”: it is written in Cyrillic letters", ""},
		"Приветs":   {"Приветs", "two scripts", "two scripts in one word"},
	} {
		mixed := strings.Join(plaintext.Mixed(text), " ")
		if plaintext.Clean(text) != tc.clean || !strings.Contains(mixed, tc.mixed) ||
			!strings.Contains(plaintext.Flaw(text), tc.flaw) || tc.flaw == "" && plaintext.Flaw(text) != "" {
			t.Errorf("%q: %q, %q, %q", text, plaintext.Clean(text), mixed, plaintext.Flaw(text))
		}
	}
}

func TestATextOfNothingIsEmpty(t *testing.T) {
	for _, text := range []string{"", "  ", "\u200b\u2800", "-_", "\u3164", tagged("Asha")} {
		if !plaintext.Empty(text) {
			t.Errorf("%q shows something", text)
		}
	}
}

func FuzzAClean(f *testing.F) {
	f.Add("Tea" + tagged("pay"))
	f.Add("👨\u200d👩\u200d👧 pаypal")
	f.Fuzz(func(t *testing.T, text string) {
		clean := plaintext.Clean(text)
		if shown, _ := plaintext.Show(text); !utf8.ValidString(shown) {
			t.Errorf("%q is shown as %q", text, shown)
		}
		if len(clean) > 3*len(text) {
			t.Errorf("%q grows to %q", text, clean)
		}
	})
}

func BenchmarkClean(b *testing.B) {
	text := strings.Repeat("COCO कैबिन is free from 12 to 15 Dec. ", 100)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		plaintext.Clean(text)
	}
}
