package writer

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

//go:embed prompts
var prompts embed.FS

// document returns a file of prompts, which is embedded.
func document(name string) string {
	text, err := prompts.ReadFile("prompts/" + name)
	if err != nil {
		panic(err) // a name that a test of every kind would find
	}
	return strings.TrimSpace(string(text))
}

// ask returns the question of a kind about the facts.
func ask(name string, tokens int, data string, read func([]byte) string) question {
	schema := document(name + ".json")
	system := document(name + ".md")
	if name != "story" { // it notes what was said, and writes nothing for the page
		system = document("rules.md") + "\n\n" + system
	}
	return question{name: name, tokens: tokens, schema: schema, data: data, read: read,
		system: system + "\n\nThe schema:\n" + schema}
}

// unfence returns the JSON of an answer without the Markdown around it.
func unfence(text string) []byte {
	text = strings.TrimSpace(text)
	text = strings.TrimPrefix(strings.TrimPrefix(text, "```json"), "```")
	return []byte(strings.TrimSuffix(text, "```"))
}

// decode reads an object; what follows it is an error.
func decode(text []byte, into any) bool {
	return utf8.Valid(text) && !bytes.Contains(text, []byte{0}) && json.Unmarshal(text, into) == nil
}

// notJSON is what a model is told of an answer that cannot be read.
const notJSON = "That was not one JSON object of the schema. Write it again as JSON alone."

// correction tells a model what is wrong with its answer, "" for nothing.
func correction(wrong []string) string {
	if len(wrong) == 0 {
		return ""
	}
	return "These texts say what the data does not say, or what must not be said " +
		"(after the arrow: what is wrong):\n- " + strings.Join(wrong[:min(12, len(wrong))], "\n- ") +
		"\nWrite the whole JSON again. Leave these details out, and say the rest in the words of the data."
}

// Content drafts all texts of a project's page. Where the model's title or description
// cannot be used, those of the rules stand in their place.
func Content(ctx context.Context, p projects.Project, b projects.Business) (Draft, error) {
	f := factsOf(p, b)
	return obtain(ctx, f.key(ContentKind), contentWork(f, b))
}

// Quality says what would make a project's page better.
func Quality(ctx context.Context, p projects.Project, b projects.Business) (Advice, error) {
	f := qualityFacts(p, b)
	return obtain(ctx, f.key(QualityKind), qualityWork(f, b))
}

// contentAnswer is what a model answers.
type contentAnswer struct {
	Title       string           `json:"title"`
	Description string           `json:"description"`
	SEO         projects.SEO     `json:"seo"`
	Tags        []string         `json:"tags"`
	Blocks      []projects.Block `json:"blocks"`
	Questions   []string         `json:"questions"`
}

func contentWork(f facts, b projects.Business) work[Draft] {
	return func(ctx context.Context, t *turn, reserved bool) (Draft, error) {
		p := f.project
		rules := contentByRules(f.page, b)
		if t == nil || !known(p) {
			return rules, nil
		}
		basis := f.basis()
		var best Draft
		worth, usable := -1<<20, false
		code, err := t.consult(ctx, ask("content", 4000, f.json(), func(text []byte) string {
			var a contentAnswer
			if !decode(text, &a) {
				return notJSON
			}
			d, n, wrong := basis.content(a, f.page, rules)
			if points := 2*n - len(wrong) - 3*len(d.Degraded); n > 0 && points > worth {
				best, worth, usable = d, points, true
			}
			if n == 0 && len(wrong) == 0 {
				return notJSON
			}
			return correction(wrong)
		}), reserved)
		if err != nil {
			return Draft{}, err
		}
		if !usable {
			if code == "" {
				code = AnswerUnusable
			}
			rules.Degraded = append(rules.Degraded, code)
			return rules, nil
		}
		return best, nil
	}
}

// content checks an answer. n is how many of its sentences stay; wrong are those that
// do not.
func (b basis) content(a contentAnswer, g page, rules Draft) (d Draft, n int, wrong []string) {
	p := g.project
	d = Draft{Origin: Origin{Made: ByModel}}
	note := func(flaws []string) { wrong = append(wrong, flaws...) }
	replaced := false
	title, flaws := b.line(a.Title, maxTitle)
	note(flaws)
	if title == "" || !b.about(title) {
		title, replaced = rules.Title, true
	}
	d.Title = title
	sentences, flaws := b.prose(a.Description, maxDescription)
	note(flaws)
	d.Description = strings.Join(sentences, " ")
	n = len(sentences)
	if utf8.RuneCountInString(d.Description) < 80 {
		d.Description, replaced, n = rules.Description, true, 0
	}
	d.SEO, flaws = b.seo(a.SEO)
	note(flaws)
	if d.SEO.Title == "" {
		d.SEO.Title = cut(d.Title, maxSEOTitle)
	}
	if d.SEO.Description == "" {
		d.SEO.Description = snippet(d.Description)
	}
	d.Tags = b.tags(a.Tags)
	if len(d.Tags) < 3 {
		d.Tags = rules.Tags
	}
	text, m, flaws := b.blocks(a.Blocks, split(d.Description))
	note(flaws)
	n += m
	if m == 0 {
		text = slices.DeleteFunc(slices.Clone(rules.Blocks), func(b projects.Block) bool { return !isText(b) })
		replaced = replaced || len(text) > 0
	} else {
		text = complete(text, d, g)
	}
	d.Blocks = arrange(p, text)
	d.Questions = b.questions(a.Questions, p)
	if len(wrong) > 0 {
		d.Degraded = append(d.Degraded, SentencesLeftOut)
	}
	if replaced {
		d.Degraded = append(d.Degraded, AnswerUnusable)
	}
	return d, n, wrong
}

// about reports whether a text has a word of the facts, and not only words that claim
// nothing.
func (b basis) about(title string) bool {
	return slices.ContainsFunc(tokens(title), func(t token) bool {
		return b.counts[t.count] || b.words[t.fold] && calendar.MatchString(t.fold) ||
			b.stems[t.stem] && !b.plain[t.stem] && !slices.Contains(little(), t.fold)
	})
}

func (b basis) seo(s projects.SEO) (projects.SEO, []string) {
	title, wrong := b.line(s.Title, 200)
	sentences, more := b.prose(s.Description, maxSEODescription)
	return projects.SEO{Title: cut(title, maxSEOTitle), Description: strings.Join(sentences, " ")},
		append(wrong, more...)
}

func (b basis) tags(list []string) []string {
	out := []string{}
	for _, tag := range list {
		tag, _ = b.line(strings.TrimLeft(tag, "#"), maxTag)
		if tag = strings.ToLower(tag); tag != "" && len(out) < maxTags && !slices.Contains(out, tag) {
			out = append(out, tag)
		}
	}
	return out
}

// questions keeps the questions of a model that may be asked. They claim nothing, so
// their words are free.
func (b basis) questions(list []string, p projects.Project) []string {
	out := []string{}
	for _, q := range list {
		q = strings.ReplaceAll(clean(q), "\n", " ")
		if n := utf8.RuneCountInString(q); n >= 10 && n <= maxQuestion && strings.HasSuffix(q, "?") &&
			!markup.MatchString(q) && !orders.MatchString(q) && !isPrivate(q, b.secret) &&
			len(out)+len(p.Story.Asked) < maxQuestions {
			out = append(out, q)
		}
	}
	return out
}

// blocks checks text blocks. n is how many sentences and entries stay. Sentences that
// stand elsewhere on the page are left out without a word.
func (b basis) blocks(list []projects.Block, have []string) (out []projects.Block, n int, wrong []string) {
	seen := map[string]bool{}
	for _, s := range have {
		seen[fold(s)] = true
	}
	for _, block := range list[:min(len(list), 2*projects.MaxBlocks)] {
		switch block.Kind {
		case projects.Heading:
			text, flaws := b.line(block.Text, 80)
			wrong = append(wrong, flaws...)
			if text != "" {
				out = append(out, projects.Block{Kind: projects.Heading, Text: text})
			}
		case projects.Paragraph:
			sentences, flaws := b.prose(block.Text, projects.MaxBlockText)
			wrong = append(wrong, flaws...)
			sentences = slices.DeleteFunc(sentences, func(s string) bool {
				again := seen[fold(s)]
				seen[fold(s)] = true
				return again
			})
			if n += len(sentences); len(sentences) > 0 {
				out = append(out, projects.Block{Kind: projects.Paragraph, Text: strings.Join(sentences, " ")})
			}
		case projects.List:
			var items []string
			for _, item := range block.Items[:min(len(block.Items), 2*projects.MaxItems)] {
				item, flaws := b.line(item, 200)
				wrong = append(wrong, flaws...)
				if item != "" && len(items) < projects.MaxItems && !slices.Contains(items, item) {
					items = append(items, item)
				}
			}
			if n += len(items); len(items) > 0 {
				out = append(out, projects.Block{Kind: projects.List, Items: items})
			}
		case projects.Quote:
			text := clean(block.Text)
			if flaws := b.judge(text); len(flaws) > 0 || !b.quoted(text) {
				wrong = append(wrong, cut(text, 200)+" → not in the data word for word")
			} else {
				out = append(out, projects.Block{Kind: projects.Quote, Text: cut(text, projects.MaxBlockText)})
			}
		}
	}
	return headed(out), n, wrong
}

// quoted reports whether a text is what a person is reported to have said: its words
// follow each other in the facts, behind "they said".
func (b basis) quoted(text string) bool {
	words := word.FindAllString(fold(text), -1)
	before, _, found := strings.Cut(b.quotes, " "+strings.Join(words, " "))
	before = before[strings.LastIndexByte(before, '/')+1:]
	lead := strings.Fields(before)
	said := strings.Fields("said says told tells wrote called dijo dice sagte sagt")
	return len(words) > 2 && found && slices.ContainsFunc(lead[max(0, len(lead)-4):], func(w string) bool {
		return slices.Contains(said, w)
	})
}

// headed leaves out headings that nothing follows.
func headed(blocks []projects.Block) []projects.Block {
	var out []projects.Block
	for i, b := range blocks {
		if b.Kind == projects.Heading && (i+1 == len(blocks) || blocks[i+1].Kind == projects.Heading) {
			continue
		}
		out = append(out, b)
	}
	return out
}

// complete adds the size of the job where the page does not say it. Materials,
// techniques, duration and end of the job stand on the page beside the blocks.
func complete(text []projects.Block, d Draft, g page) []projects.Block {
	said := []string{d.Title, d.Description}
	for _, block := range text {
		said = append(append(said, block.Text), block.Items...)
	}
	size := g.size()
	if size == "" || strings.Contains(fold(strings.Join(said, " ")), fold(size)) {
		return text
	}
	line := headingsIn(g.language).size + ": " + size + "."
	if last := len(text) - 1; text[last].Kind == projects.Paragraph && len(text[last].Text) < maxDescription {
		text[last].Text += " " + line
		return text
	}
	return append(text, projects.Block{Kind: projects.Paragraph, Text: line})
}

// Section writes one section anew, in another way than it is written today: "title",
// "description" or "seo". Another name is a fault.Invalid error.
func Section(ctx context.Context, p projects.Project, b projects.Business, section string) (Text, error) {
	if !slices.Contains([]string{"title", "description", "seo"}, section) {
		return Text{}, fault.New(fault.Invalid, "There is no section %q: it is title, description or seo.", section)
	}
	rules := sectionByRules(p, b, section)
	t := turnOf(ctx)
	if t == nil || !known(p) {
		return rules, nil
	}
	f := factsOf(p, b).withWritten()
	basis := f.basis()
	out := Text{Section: section, Origin: Origin{Made: ByModel}}
	usable, left := false, false
	code, err := t.consult(ctx, ask(section, 800, f.json(), func(text []byte) string {
		var a struct{ Title, Description string }
		if !decode(text, &a) {
			return notJSON
		}
		var wrong []string
		usable, wrong = basis.section(&out, a.Title, a.Description, p)
		if left = len(wrong) > 0; !usable && !left {
			return "That is what is written today, or too short. Write it in another way, as JSON."
		}
		return correction(wrong)
	}), false)
	if err != nil {
		return Text{}, err
	}
	if !usable {
		if code == "" {
			code = AnswerUnusable
		}
		rules.Degraded = append(rules.Degraded, code)
		return rules, nil
	}
	if left {
		out.Degraded = append(out.Degraded, SentencesLeftOut)
	}
	return out, nil
}

// section takes what may stand of an answer, and reports whether that is enough.
func (b basis) section(t *Text, title, description string, p projects.Project) (usable bool, wrong []string) {
	switch t.Section {
	case "title":
		t.Title, wrong = b.line(title, maxTitle)
		return t.Title != "" && b.about(t.Title) && t.Title != p.Title, wrong
	case "description":
		sentences, wrong := b.prose(description, maxDescription)
		t.Description = strings.Join(sentences, " ")
		return utf8.RuneCountInString(t.Description) >= 80 && t.Description != p.Description, wrong
	}
	t.SEO, wrong = b.seo(projects.SEO{Title: title, Description: description})
	return t.SEO.Title != "" && t.SEO.Description != "" && t.SEO != p.SEO, wrong
}
