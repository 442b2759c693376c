package story

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/privacy"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// MaxQuestions is how many questions are asked in the life of a project.
const MaxQuestions = 3

// Skip is the option that leaves a question unanswered.
const Skip = "Skip this question"

// Question is what is asked of the person.
type Question struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	// Options are two to four usual answers for the type of job, and Skip at the end.
	// The person may as well answer in other words.
	Options []string `json:"options"`
	Field   string   `json:"field"` // the field that the answer fills
}

// questions are all of them, what matters most first.
func questions() []Question {
	return []Question{
		{ID: "type", Field: "type", Text: "What kind of job was it?"},
		{ID: "problem", Field: "problem", Text: "What did the client have before, or what did they want?"},
		{ID: "solution", Field: "solution", Text: "What did you do?"},
		{ID: "materials", Field: "materials", Text: "What did you use?"},
		{ID: "place", Field: "place", Text: "In which town was it? The town is enough."},
		{ID: "result", Field: "result", Text: "What is better for the client now?"},
		{ID: "challenge", Field: "challenge", Text: "What was difficult about it?"},
	}
}

// Questions returns the ids of all questions.
func Questions() []string {
	var ids []string
	for _, q := range questions() {
		ids = append(ids, q.ID)
	}
	return ids
}

// questionOf returns the question of an id.
func questionOf(id string) (Question, bool) {
	for _, q := range questions() {
		if q.ID == id {
			return q, true
		}
	}
	return Question{}, false
}

// Next returns the question that matters most for the project, and false where none is
// left to ask: nothing that matters is missing, or MaxQuestions were asked. A question
// that was asked or skipped is not asked again. The caller notes its ID in
// Story.Asked; Read does so too when it is answered.
func Next(p projects.Project) (Question, bool) {
	asked := 0
	for _, q := range questions() {
		if slices.Contains(p.Story.Asked, q.ID) || slices.Contains(p.Story.Skipped, q.ID) {
			asked++
		}
	}
	if asked >= MaxQuestions {
		return Question{}, false
	}
	for _, q := range questions() {
		if slices.Contains(p.Story.Asked, q.ID) || slices.Contains(p.Story.Skipped, q.ID) || !missing(p, q.ID) {
			continue
		}
		q.Options = append(answersFor(p, q.ID), Skip)
		return q, true
	}
	return Question{}, false
}

// missing reports whether the project has nothing for a question.
func missing(p projects.Project, id string) bool {
	switch id {
	case "type":
		return p.Type == ""
	case "problem":
		return p.Story.Problem == ""
	case "solution":
		return p.Story.Solution == ""
	case "materials":
		return len(p.Materials) == 0
	case "place":
		return p.Detail != projects.Nowhere && p.Place.City == "" && p.Place.Region == "" && p.Place.District == ""
	case "result":
		return p.Story.Result == ""
	}
	return p.Story.Challenge == ""
}

//go:embed words/answers.txt
var answersText string

// usual are the usual answers by group and question.
var usual = sync.OnceValue(func() map[string]map[string][]string {
	out := map[string]map[string][]string{}
	group := ""
	for line := range strings.Lines(answersText) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			group = strings.Trim(line, "[]")
			out[group] = map[string][]string{}
		default:
			id, list, _ := strings.Cut(line, ":")
			for a := range strings.SplitSeq(list, "|") {
				out[group][id] = append(out[group][id], strings.TrimSpace(a))
			}
		}
	}
	return out
})

// answersFor returns the usual answers to a question for the project's type. They are
// the caller's.
func answersFor(p projects.Project, id string) []string {
	group := groupOf(p)
	list := usual()[group][id]
	if len(list) == 0 {
		list = usual()["any"][id]
	}
	if id == "place" {
		return placeAnswers()
	}
	return slices.Clone(list)
}

func placeAnswers() []string { return []string{onlyRegion, noPlace} }

// The answers about the place that name none.
const (
	onlyRegion = "Show only the region"
	noPlace    = "Leave the place out"
)

// groupOf returns the group of the project's type, else that of its materials.
func groupOf(p projects.Project) string {
	if t := typeWords().called(p.Type); t != nil {
		return t.group
	}
	for _, h := range typeWords().find(tokensOf(p.Type)) {
		return h.term.group
	}
	for _, name := range p.Materials {
		if t := materialWords().called(name); t != nil {
			switch t.group {
			case "roofing":
				return "roof"
			case "outdoor":
				return "outdoor"
			}
		}
	}
	return "any"
}

// withoutQuestion cuts the question off, which a form puts before its answer.
func withoutQuestion(text, asked string) string {
	q, ok := questionOf(asked)
	if !ok {
		return text
	}
	rest, found := strings.CutPrefix(strings.TrimSpace(text), q.Text)
	if !found {
		return text
	}
	return strings.TrimSpace(rest)
}

// skips reports whether a text leaves a question unanswered.
func skips(text string) bool {
	folded := foldedText(text)
	if folded == foldedText(Skip) {
		return true
	}
	return slices.Contains(skipWords(), strings.TrimSpace(folded))
}

func skipWords() []string {
	return []string{"skip", "skip it", "skip that", "skip this", "next", "next question", "pass", "no idea",
		"dont know", "i dont know",
		"not sure", "im not sure", "rather not", "id rather not", "id rather not say", "rather not say",
		"never mind", "nothing",
		"no comment", "nahi pata", "pata nahi", "chhodo", "no se", "no lo se", "siguiente", "saltar", "paso",
		"no", "nope", "none",
		"na", "n a", "leave it", "later", "dont want to", "dont want to say"}
}

// answer reads the answer to a question. What it does not place by itself fills the
// question's field.
func (m *merger) answer(q Question, text string) {
	about := context{begun: m.begun(), asked: true, typed: m.kind != ""}
	if m.elsewhere(q, parse(text, about)) {
		m.read(text)
		return
	}
	for i, name := range partNames() {
		if name == q.Field && name != "" {
			about.part = i
		}
	}
	t := parse(text, about)
	if len(t.tokens) == 0 || len(t.tokens) == 1 && among(assents(), t.tokens[0].word) {
		return
	}
	switch q.ID {
	case "type":
		m.take(t)
		m.answerType(t)
	case "place":
		m.answerPlace(t)
	case "materials":
		was := slices.Clone(m.mats)
		m.take(t)
		m.answerMaterials(t, was)
	default:
		was := *m.field(q.Field)
		if len(t.clauses) == 1 && !t.clauses[0].value && !t.clauses[0].talk {
			t.clauses[0].field, t.clauses[0].part = q.Field, about.part // a short answer is one to the question
		}
		m.take(t)
		if *m.field(q.Field) == was {
			m.fill(q.Field, t)
		}
	}
}

// clearly is how likely a sentence belongs to another part of the story than the one that
// was asked for, so that it is no answer.
const clearly = 0.7

// elsewhere reports whether a text is no answer to a question about a part of the story,
// but says something else: it corrects what was said, or all of it clearly belongs to
// other parts. The text was read as if nothing had been asked for in particular.
func (m *merger) elsewhere(q Question, t parsed) bool {
	if q.ID == "type" || q.ID == "place" || q.ID == "materials" || len(t.clauses) == 0 {
		return false
	}
	if first := t.tokens[0].word; len(t.tokens) > 2 && among("no nope nah actually sorry", first) &&
		among("it that they we there its thats not the", t.tokens[1].word) {
		return true
	}
	if slices.ContainsFunc(answersFor(m.p, q.ID), func(a string) bool { return foldedText(a) == foldedText(t.text) }) {
		return false // an answer that we offered
	}
	names := partNames()
	for _, c := range t.clauses {
		if c.likely < clearly || names[c.part] == "" || names[c.part] == q.Field {
			return false
		}
	}
	return true
}

// longAnswer is how many words an answer has at most that names only a place.
const longAnswer = 10

func assents() string { return "yes yeah yep ok okay sure haan ji si hmm fine right" }

// fill puts the clauses of an answer that belong to no part into a field.
func (m *merger) fill(field string, t parsed) {
	for _, c := range t.clauses {
		if c.field != "" || c.corrects || c.talk {
			continue
		}
		said := clip(t.said(c), maxSentence)
		m.add(field, said)
		m.story.Facts = slices.DeleteFunc(m.story.Facts, func(f string) bool {
			return key(f) == key(said) && !slices.Contains(m.p.Story.Facts, f)
		})
	}
}

// answerType takes the type that an answer names, in whatever words.
func (m *merger) answerType(t parsed) {
	if best, _ := t.typeOf(); best != nil {
		m.set("type", &m.kind, best.name)
		return
	}
	if text := strings.ToLower(strings.Trim(t.text, " .!?\n")); m.kind == "" && len(t.tokens) <= 6 &&
		utf8.RuneCountInString(text) <= maxEntry && len(privacy.Find(text)) == 0 {
		m.set("type", &m.kind, text)
	}
	if m.kind == "" && len(t.tokens) > 6 {
		// It names no kind of job, but is said of this one.
		for _, c := range t.clauses {
			if !c.talk && !c.corrects && c.field == "" {
				m.fact(t.said(c))
			}
		}
	}
}

// answerMaterials takes the materials of an answer, or its words where no list has them.
func (m *merger) answerMaterials(t parsed, was []string) {
	for _, c := range t.clauses {
		for _, h := range materialWords().find(t.tokens[c.from:c.to]) {
			if !c.corrects && !c.talk && !t.removed(c, h) && !t.negated(c, h) && !t.intended(c, h) && !t.rejected(c) {
				m.mats = union(m.mats, h.term.name)
			}
		}
	}
	if !slices.Equal(m.mats, was) || len(t.tokens) > 14 {
		return
	}
	for _, part := range strings.FieldsFunc(t.text, func(r rune) bool { return strings.ContainsRune(",;.\n&", r) }) {
		words := slices.DeleteFunc(strings.Fields(part), func(w string) bool { return noise(fold(w)) })
		if n := len(words); n > 0 && n <= 4 && len(privacy.Find(part)) == 0 {
			m.mats = union(m.mats, strings.Join(words, " "))
		}
	}
}

// answerPlace takes the place of an answer, or how much of it may be shown.
func (m *merger) answerPlace(t parsed) {
	switch t.folded() {
	case foldedText(noPlace):
		m.detail = projects.Nowhere
		return
	case foldedText(onlyRegion):
		m.detail = projects.ByRegion
		return
	}
	if len(t.tokens) > longAnswer && len(t.clauses) > 1 {
		m.take(t) // a story, and perhaps the place in it
		return
	}
	p := placeIn(t)
	if p.City == "" && len(t.tokens) <= 20 {
		p = ParsePlace(t.text)
	}
	if p == (projects.Place{}) {
		m.take(t)
		return
	}
	m.mergePlace(p, true)
}
