package writer

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

const (
	// enough letters of a description; the rest of the story is in the blocks.
	enough = 160
	// maxParagraph is where a paragraph ends, in letters.
	maxParagraph = 600
	// maxFacts are the sentences that no field holds.
	maxFacts = 60
)

// page is a draft by rules: the sentences that the description has, and those that
// the blocks have.
type page struct {
	project projects.Project
	secret  secret
	// problem and so on are the sentences of the story that may be shown.
	problem, challenge, solution, result, detail, facts []string
	language                                            string // of these; see languageOf
}

func newPage(p projects.Project) page {
	s := p.Story
	hidden := secretOf(p)
	g := page{p, hidden, public(hidden, s.Problem), public(hidden, s.Challenge), public(hidden, s.Solution),
		public(hidden, s.Result), public(hidden, s.Detail), nil, ""}
	have := fold(strings.Join(slices.Concat(g.problem, g.challenge, g.solution, g.result, g.detail), " "))
	for _, f := range s.Facts {
		for _, line := range public(hidden, f) {
			if len(g.facts) < maxFacts && !slices.Contains(g.facts, line) &&
				!strings.Contains(have, strings.TrimRight(fold(line), ".")) {
				g.facts = append(g.facts, line)
			}
		}
	}
	g.language = languageOf(g.sentences())
	return g
}

// sentences returns all of them, in the order of the story.
func (g page) sentences() []string {
	return slices.Concat(g.problem, g.challenge, g.solution, g.result, g.detail, g.facts)
}

// lead is a sentence of the facts: "Kitchen renovation in Leeds with oak, by Dale Joinery.".
func (g page) lead(b projects.Business) string {
	p := g.project
	what := kind(p)
	if what == "" && len(p.Materials) > 0 {
		what = "project"
	}
	if what == "" || g.language != "en" { // the sentence is English
		return ""
	}
	out := upper(what)
	if t := town(p); t != "" && !strings.Contains(fold(what), fold(t)) {
		out += " in " + t
	}
	named := slices.DeleteFunc(firstOf(p.Materials, 3), func(m string) bool {
		return strings.Contains(fold(what), fold(m))
	})
	if len(named) > 0 {
		out += " with " + list(named)
	}
	if b.Name != "" {
		if len(named) > 0 {
			out += ","
		}
		out += " by " + b.Name
	}
	return out + "."
}

// descriptions returns descriptions by rules, the best first, each with the sentences
// that it takes from the story.
func (g page) descriptions(b projects.Business) (texts []string, taken [][]string) {
	lead := g.lead(b)
	add := func(sentences ...[]string) {
		var out []string
		letters := 0
		if lead != "" {
			out, letters = append(out, lead), len(lead)
		}
		var used []string
		for _, s := range slices.Concat(sentences...) {
			if n := utf8.RuneCountInString(s); !slices.Contains(out, s) && letters+n < maxDescription {
				out, used, letters = append(out, s), append(used, s), letters+n+1
			}
		}
		var more []string
		if letters < 80 {
			more = g.padding(b)
		}
		for _, more := range more {
			if letters < 80 && !slices.Contains(out, more) {
				out, letters = append(out, more), letters+len(more)+1
			}
		}
		if text := strings.Join(out, " "); text != "" && !slices.Contains(texts, text) {
			texts, taken = append(texts, text), append(taken, used)
		}
	}
	head := func(list []string, n int) []string { return list[:min(n, len(list))] }
	// The result is what a reader wants first; what is needed to say enough comes before it.
	end := slices.Concat(head(g.result, 2), head(g.detail, 1))
	letters := len(lead) + len(strings.Join(end, " "))
	var begin []string
	for _, more := range [][]string{g.solution, g.problem, g.challenge, g.facts} {
		if letters >= enough || len(more) == 0 {
			continue
		}
		for i, s := range more[:min(2, len(more))] {
			if i == 0 || len(more[0]) < 40 { // "We took everything out." says too little
				begin = append(begin, s)
				letters += len(s)
			}
		}
	}
	slices.SortStableFunc(begin, func(x, y string) int { return g.turn(x) - g.turn(y) })
	add(begin, end)
	add(head(g.problem, 1), head(g.solution, 2), head(g.result, 1))
	add(head(g.solution, 3), g.result)
	lead = ""
	add(head(g.problem, 2), head(g.solution, 2), head(g.result, 2))
	return texts, taken
}

// padding are further sentences that are true, for a description that is too short.
func (g page) padding(b projects.Business) []string {
	about := public(g.secret, b.About)
	about = about[:min(2, len(about))]
	if g.language != "en" {
		return about
	}
	var out []string
	if t := firstOf(g.project.Techniques, 3); len(t) > 0 {
		out = append(out, "Done with "+list(t)+".")
	}
	for _, line := range glance(g.project, g.secret) {
		out = append(out, line+".")
	}
	if b.Name != "" && b.City != "" && !g.secret.in(b.City) {
		about = append(about, b.Name+" works in "+b.City+".")
	}
	return append(out, about...)
}

// turn is where a sentence belongs in the course of the story.
func (g page) turn(sentence string) int {
	return slices.IndexFunc([][]string{g.problem, g.challenge, g.solution, g.facts}, func(list []string) bool {
		return slices.Contains(list, sentence)
	})
}

// blocks returns the text blocks by rules, without the sentences that the description
// has. Where those would leave nothing, and there are no photos, the story is told whole.
// Materials, techniques, duration and end of the job stand on the page beside the blocks.
func (g page) blocks(taken []string) []projects.Block {
	var out []projects.Block
	h := headingsIn(g.language)
	section := func(heading string, blocks ...projects.Block) {
		if len(blocks) > 0 {
			out = append(append(out, projects.Block{Kind: projects.Heading, Text: heading}), blocks...)
		}
	}
	left := func(sentences []string) []projects.Block {
		return paragraphs(slices.DeleteFunc(slices.Clone(sentences), func(s string) bool {
			return slices.Contains(taken, s)
		}))
	}
	section(h.problem, left(g.problem)...)
	section(h.challenge, left(g.challenge)...)
	section(h.solution, left(g.solution)...)
	section(h.result, left(slices.Concat(g.result, g.detail))...)
	more := g.facts
	if size := g.size(); size != "" {
		more = append(slices.Clone(more), h.size+": "+size+".")
	}
	section(h.more, left(more)...)
	switch {
	case len(out) > 0 || len(g.project.Ready()) > 0: // photos make blocks
	case len(taken) > 0:
		return g.blocks(nil)
	default:
		section(h.materials, lines(g.project.Materials)...)
	}
	return out
}

// size is that of the job where no sentence says it.
func (g page) size() string {
	size := strings.TrimRight(cut(strings.TrimSpace(g.project.Story.Size), maxTag), ".")
	if isPrivate(size, g.secret) || strings.Contains(fold(strings.Join(g.sentences(), " ")), fold(size)) {
		return ""
	}
	return size
}

// glance are the figures of a job.
func glance(p projects.Project, hidden secret) []string {
	var out []string
	for _, f := range [][2]string{{"Size", p.Story.Size}, {"Duration", p.Story.Duration},
		{"Completed", p.Story.Completed}} {
		if text := without(strings.TrimSpace(f[1])+" (a b c d)", hidden); f[1] != "" && text != "" {
			out = append(out, f[0]+": "+cut(strings.TrimSpace(strings.TrimSuffix(text, "(a b c d)")), maxTag))
		}
	}
	return out
}

// lines returns a list, or nothing for no entries.
func lines(entries []string) []projects.Block {
	var items []string
	for _, e := range entries {
		e = upper(cut(spaces.ReplaceAllString(strings.TrimSpace(e), " "), 200))
		if e != "" && len(items) < projects.MaxItems && !slices.Contains(items, e) {
			items = append(items, e)
		}
	}
	if len(items) == 0 {
		return nil
	}
	return []projects.Block{{Kind: projects.List, Items: items}}
}

// paragraphs joins sentences, and begins anew where a paragraph is long.
func paragraphs(sentences []string) []projects.Block {
	var out []projects.Block
	text := ""
	flush := func() {
		if text != "" {
			out = append(out, projects.Block{Kind: projects.Paragraph, Text: cut(text, projects.MaxBlockText)})
		}
		text = ""
	}
	for _, s := range sentences {
		if text != "" && len(text)+len(s) > maxParagraph {
			flush()
		}
		text = strings.TrimSpace(text + " " + s)
	}
	flush()
	return out
}

// contentByRules makes a page of the facts alone.
func contentByRules(g page, b projects.Business) Draft {
	p := g.project
	texts, taken := g.descriptions(b)
	c := Draft{Origin: Origin{Made: ByRules}, Tags: tags(p, b), Questions: questions(p)}
	if t := titles(g, b); len(t) > 0 {
		c.Title = t[0]
	}
	var used []string
	if len(texts) > 0 {
		c.Description, used = texts[0], taken[0]
	}
	if s := seo(g, b, c.Title, c.Description); len(s) > 0 {
		c.SEO = s[0]
	}
	c.Blocks = arrange(p, g.blocks(used))
	return c
}

// sectionByRules writes one section in another way than it is written today.
func sectionByRules(p projects.Project, b projects.Business, section string) Text {
	t := Text{Section: section, Origin: Origin{Made: ByRules}}
	g := newPage(p)
	switch section {
	case "title":
		t.Title = other(titles(g, b), p.Title)
	case "description":
		texts, _ := g.descriptions(b)
		t.Description = other(texts, p.Description)
	default:
		description := p.Description
		if description == "" {
			texts, _ := g.descriptions(b)
			description = other(texts, "")
		}
		all := seo(g, b, p.Title, description)
		for _, s := range all {
			if s != p.SEO {
				t.SEO = s
				return t
			}
		}
		if len(all) > 0 {
			t.SEO = all[0]
		}
	}
	return t
}

// questions returns what is to be asked, by rules: what is missing and was neither
// asked nor skipped.
func questions(p projects.Project) []string {
	s := p.Story
	out := []string{}
	for _, q := range []struct {
		field, text string
		missing     bool
	}{
		{"problem", "What did the client have or want before you began?", s.Problem == ""},
		{"solution", "What did you do, and with which materials?", s.Solution == ""},
		{"materials", "Which materials did you use?", s.Solution != "" && len(p.Materials) == 0},
		{"result", "What is better for the client now?", s.Result == ""},
		{"challenge", "What was difficult about this job?", s.Challenge == ""},
	} {
		if q.missing && !slices.Contains(s.Asked, q.field) && !slices.Contains(s.Skipped, q.field) &&
			len(out)+len(s.Asked) < maxQuestions {
			out = append(out, q.text)
		}
	}
	return out
}
