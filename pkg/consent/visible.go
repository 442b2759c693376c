package consent

import (
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/plaintext"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// maxSigns bounds the warnings about the letters of one preview.
const maxSigns = 6

// visible rewrites a preview so that it shows its actual content: invisible
// characters are shown by their code points, and words with lookalike letters
// are named in warnings.
func visible(p tool.Preview) tool.Preview {
	var signs []string
	warn := func(say string) {
		if len(signs) < maxSigns && !slices.Contains(signs, say) {
			signs = append(signs, say)
		}
	}
	show := func(label, text string) string {
		shown, hidden := plaintext.Show(text)
		if hidden {
			warn(label + " holds characters that can't be seen; they are shown by their numbers.")
		}
		for _, say := range plaintext.Mixed(text) {
			warn(say)
		}
		return shown
	}
	p.Title = show("The title", p.Title)
	p.Lines, p.Warnings = slices.Clone(p.Lines), slices.Clone(p.Warnings)
	for i, l := range p.Lines {
		label := show("A label", l.Label)
		p.Lines[i].Label, p.Lines[i].Before, p.Lines[i].After = label, show(label, l.Before), show(label, l.After)
	}
	for i, w := range p.Warnings {
		p.Warnings[i] = show("A note", w)
	}
	for _, say := range signs {
		if !slices.Contains(p.Warnings, say) {
			p.Warnings = append(p.Warnings, say)
		}
	}
	return p
}
