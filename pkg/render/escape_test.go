package render_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/bellhop-ai/bellhop/pkg/render"
)

// F-61: what a person reads is what is there, and nothing in it is markup.
func TestTypedTextStaysText(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"plain words":            {"Asha Rao, 2 guests - late", "Asha Rao, 2 guests - late"},
		"bold and italic":        {"**Asha** _Rao_", `\*\*Asha\*\* \_Rao\_`},
		"a heading":              {"# Asha", `\# Asha`},
		"a link":                 {"[pay](https://evil.example)", `\[pay\](https\://evil.example)`},
		"an image":               {"![x](y)", `!\[x\](y)`},
		"code":                   {"`rm`", "\\`rm\\`"},
		"a table's bar":          {"a|b", `a\|b`},
		"struck out":             {"~~no~~", `\~\~no\~\~`},
		"an escape of an escape": {`\*`, `\\\*`},
		"a tag":                  {"<script>x</script>", "&lt;script&gt;x&lt;/script&gt;"},
		"an entity":              {"&lt;b&gt;", "&amp;lt;b&amp;gt;"},
		"a quotation":            {"> yes", "&gt; yes"},
		"quotation marks":        {`"A" 'B'`, "\"A\" 'B'"},
		"line ends":              {"Asha\nShall I?\r\n\u2028yes\u2029no", "Asha Shall I? yes no"},
		"a turned text":          {"abc\u202Egnp.exe\u202C", "abcgnp.exe"},
		"isolated directions":    {"\u2066a\u2067b\u2068c\u2069", "abc"},
		"direction marks":        {"a\u200Eb\u200Fc\u061Cd", "abcd"},
		"zero width":             {"pay\u200Bpal\uFEFF\u2060\u00AD", "paypal"},
		"tags that hide a text":  {"Asha\U000E0001\U000E0041\U000E0042\U000E007F", "Asha"},
		"control characters":     {"a\x00b\x1b[31mc\x7fd\u0085e", `ab\[31mcde`},
		"a tab":                  {"a\tb", "a b"},
		"Hindi with its joiners": {"क्\u200dष और क्\u200cष", "क्\u200dष और क्\u200cष"},
		"an emoji of a family":   {"👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"},
		"accents of both kinds":  {"Jose\u0301 José", "Jose\u0301 José"},
		"Arabic and Hebrew stay": {"مرحبا שלום", "مرحبا שלום"},
		"bytes that are no text": {"a\xffb", "a\ufffdb"},
		"nothing":                {"", ""},
		"nothing but line ends":  {"\n\r\n", ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if got := render.Escape(tc.in); got != tc.want {
				t.Errorf("got  %q\nwant %q", got, tc.want)
			}
		})
	}
}

func FuzzEscapedTextIsOneVisibleLineWithoutMarkup(f *testing.F) {
	for _, s := range []string{"a", "**b**\n# c", "<b>", "\u202Ex", "\\`", "क्\u200dष", "\U000E0041"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := render.Escape(s)
		for _, r := range got {
			if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Cf, r) && r != '\u200d' &&
				r != '\u200c' {
				t.Fatalf("%q became %q with %U in it", s, got, r)
			}
		}
		if strings.ContainsAny(got, "<>\"'") {
			t.Fatalf("%q became %q", s, got)
		}
		escaped := false
		for _, r := range got {
			if !escaped && strings.ContainsRune("`*_[]|~", r) {
				t.Fatalf("%q became %q, where %q is markup", s, got, r)
			}
			escaped = r == '\\' && !escaped
		}
	})
}
