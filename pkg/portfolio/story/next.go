package story

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

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

// longAnswer is how many words an answer has that names one thing.
const longAnswer = 8

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
	before := m.done()
	t := parse(text, true)
	if len(strings.Fields(text)) > longAnswer && slices.Contains([]string{"place", "type", "materials"}, q.ID) {
		m.read(text) // a story, and the answer in it
		return
	}
	switch q.ID {
	case "place":
		m.answerPlace(text)
		return
	case "type":
		if found := typeWords().find(t.tokens); len(found) > 0 || utf8.RuneCountInString(text) <= maxEntry {
			name := strings.ToLower(strings.Trim(text, " .!?"))
			if len(found) > 0 {
				name = found[0].term.name
			}
			m.set("type", &m.kind, clip(name, maxEntry))
		}
		return
	case "materials":
		m.takeLists(t)
		if slices.Equal(m.mats, m.p.Materials) {
			for _, part := range strings.FieldsFunc(text,
				func(r rune) bool { return strings.ContainsRune(",;.\n&", r) }) {
				if n := len(strings.Fields(part)); n > 0 && n <= 4 {
					m.mats = union(m.mats, part)
				}
			}
		}
		return
	}
	m.read(text)
	if len(m.done().Found) == len(before.Found) || *m.field(q.Field) == *before.fieldOf(m.p, q.Field) {
		for _, c := range t.clauses {
			m.add(q.Field, clip(t.said(c), maxSentence))
		}
	}
}

// fieldOf returns a text of the story as it was before.
func (r Reading) fieldOf(p projects.Project, name string) *string {
	m := begin(p)
	return m.field(name)
}

func (m *merger) answerPlace(text string) {
	switch foldedText(text) {
	case foldedText(noPlace):
		m.detail = projects.Nowhere
		return
	case foldedText(onlyRegion):
		m.detail = projects.ByRegion
		return
	}
	if p := ParsePlace(text); p != (projects.Place{}) {
		m.place = p
	}
}
