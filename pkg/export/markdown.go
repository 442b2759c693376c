package export

import (
	"bufio"
	"io"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/render"
)

// writeMarkdown writes texts as they were said, except that tags and images in
// them do nothing, and tables in Markdown's own form.
func writeMarkdown(w io.Writer, d Document) error {
	out := bufio.NewWriter(w)
	say := func(parts ...string) {
		for _, p := range parts {
			_, _ = out.WriteString(p) // Flush tells
		}
	}
	say("# ", render.Escape(d.Title), "\n\n", render.Escape(d.about()), "\n")
	if v := d.verification(); v != "" {
		say("\n", v, "\n")
	}
	for _, m := range d.Messages {
		say("\n## ", render.Escape(m.heading()), "\n")
		if at := when(m.At); at != "" {
			say("\n", at, "\n")
		}
		for _, b := range m.Blocks {
			say("\n", markdownBlock(b))
		}
	}
	for _, b := range d.Beside {
		say("\n", markdownBlock(b))
	}
	return out.Flush()
}

func markdownBlock(b Block) string {
	switch {
	case b.Table != nil:
		return markdownTable(*b.Table)
	case b.Chart != nil:
		return markdownChart(*b.Chart)
	case b.Code != "":
		return markdownCode(b.Code)
	}
	return quietMarkdown(b.Text) + "\n"
}

// markdownCode is a block of code in a fence that none of its lines ends.
func markdownCode(code string) string {
	fence := "```"
	for strings.Contains(code, fence) {
		fence += "`"
	}
	return fence + "\n" + code + "\n" + fence + "\n"
}

// quietMarkdown keeps a text's Markdown without its images and tags, and without
// headings, which would be taken for those of the file.
func quietMarkdown(s string) string {
	var lines []string
	for _, l := range markup(s) {
		var b strings.Builder
		if l.bullet != "" {
			b.WriteString(strings.Replace(l.bullet, "•", "-", 1) + " ")
		}
		for _, r := range l.runs {
			text := render.Escape(r.text)
			if inner := strings.TrimSpace(text); (r.bold || l.level > 0) && inner != "" {
				text = strings.Replace(text, inner, "**"+inner+"**", 1)
			}
			b.WriteString(text)
		}
		if l.bullet == "" {
			lines = append(lines, literalStart(b.String()))
			continue
		}
		lines = append(lines, b.String())
	}
	return strings.Join(lines, "\n")
}

// literalStart keeps a line from being read as a list, a line or a quotation
// that it was not.
func literalStart(s string) string {
	if s != "" && strings.IndexByte("+-=:", s[0]) >= 0 {
		return `\` + s
	}
	return s
}

func markdownTable(t render.Table) string {
	t = t.WithoutZeroCents()
	var b strings.Builder
	if t.Title != "" {
		b.WriteString("**" + render.Escape(t.Title) + "**\n\n")
	}
	width := widthOf([]render.Table{t})
	for i := range width {
		label := ""
		if i < len(t.Columns) {
			label = t.Columns[i].Label
		}
		b.WriteString("| " + render.Escape(label) + " ")
	}
	b.WriteString("|\n")
	for i := range width {
		if i < len(t.Columns) && t.Columns[i].Right {
			b.WriteString("| ---: ")
		} else {
			b.WriteString("| --- ")
		}
	}
	b.WriteString("|\n")
	for _, row := range t.Rows {
		for i := range width {
			text := ""
			if i < len(row) {
				text = row[i].Text
			}
			b.WriteString("| " + render.Escape(text) + " ")
		}
		b.WriteString("|\n")
	}
	if foot := t.Foot(); foot != "" {
		b.WriteString("\n" + render.Escape(foot) + "\n")
	}
	return b.String()
}
