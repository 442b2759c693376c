package render

import (
	"strings"
	"unicode"
)

// Escape makes a text that people typed literal in Markdown: nothing in it is
// read as markup, it stays on one line, and characters that hide or turn text
// (zero-width, direction marks, controls, tags) are left out, so that what is
// read is what is there.
func Escape(s string) string {
	var b strings.Builder
	for _, r := range oneLine(s) {
		switch {
		case r == '\t':
			b.WriteByte(' ') // it parts words; leaving it out would join them
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u200d' && r != '\u200c':
			// Joiners stay: Hindi and emoji are written with them.
		case strings.ContainsRune("\\`*_[]#|~", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	text := b.String()
	// Readers make links of bare addresses, too. A replacer costs more to make
	// than most texts to look through.
	if strings.Contains(text, "://") || strings.Contains(text, "www.") || strings.Contains(text, "WWW.") {
		text = strings.NewReplacer("://", `\://`, "www.", `www\.`, "WWW.", `WWW\.`).Replace(text)
	}
	return escapeHTML(text)
}

// escapeHTML escapes what could begin a tag or an entity. Quotation marks stay
// as they are: nothing of this is ever put into an attribute.
func escapeHTML(s string) string {
	if !strings.ContainsAny(s, "&<>") {
		return s
	}
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}
