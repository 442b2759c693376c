package story

import (
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// merger collects the changes of a project. Its lists are its own.
type merger struct {
	p       projects.Project // as it was
	title   string
	kind    string
	place   projects.Place
	detail  projects.Detail
	story   projects.Story
	mats    []string
	techs   []string
	notes   []projects.Note
	skipped bool
	refused []string
	// replaced are the materials that the text takes back.
	replaced []replaced
}

func begin(p projects.Project) *merger {
	m := &merger{p: p, title: p.Title, kind: p.Type, place: p.Place, detail: p.Detail, story: p.Story,
		mats: slices.Clone(p.Materials), techs: slices.Clone(p.Techniques)}
	m.story.Notes = slices.Clone(p.Story.Notes)
	m.story.Asked = slices.Clone(p.Story.Asked)
	m.story.Skipped = slices.Clone(p.Story.Skipped)
	m.story.Facts = slices.Clone(p.Story.Facts)
	return m
}

// done returns what differs from the project as it was.
func (m *merger) done() Reading {
	r := Reading{Skipped: m.skipped, Refused: m.refused, Corrected: m.notes}
	m.story.Notes = lastOf(append(m.story.Notes, m.notes...), maxNotes)
	found := func(name string, changed bool) bool {
		if changed {
			r.Found = append(r.Found, name)
		}
		return changed
	}
	if found("title", m.title != m.p.Title) {
		r.Changes.Title = &m.title
	}
	if found("type", m.kind != m.p.Type) {
		r.Changes.Type = &m.kind
	}
	if found("place", m.place != m.p.Place) {
		r.Changes.Place = &m.place
	}
	if found("locationDetail", m.detail != m.p.Detail) {
		r.Changes.Detail = &m.detail
	}
	for _, f := range storyFields() {
		found(f.name, *f.of(&m.story) != *f.of(&m.p.Story))
	}
	if found("materials", !slices.Equal(m.mats, m.p.Materials)) {
		r.Changes.Materials = &m.mats
	}
	if found("techniques", !slices.Equal(m.techs, m.p.Techniques)) {
		r.Changes.Techniques = &m.techs
	}
	found("facts", !slices.Equal(m.story.Facts, m.p.Story.Facts))
	if !reflect.DeepEqual(m.story, m.p.Story) {
		r.Changes.Story = &m.story
	}
	return r
}

// storyField is a text of the story by its name.
type storyField struct {
	name string
	of   func(*projects.Story) *string
}

func storyFields() []storyField {
	return []storyField{
		{"problem", func(s *projects.Story) *string { return &s.Problem }},
		{"challenge", func(s *projects.Story) *string { return &s.Challenge }},
		{"solution", func(s *projects.Story) *string { return &s.Solution }},
		{"result", func(s *projects.Story) *string { return &s.Result }},
		{"duration", func(s *projects.Story) *string { return &s.Duration }},
		{"completed", func(s *projects.Story) *string { return &s.Completed }},
		{"size", func(s *projects.Story) *string { return &s.Size }},
		{"detail", func(s *projects.Story) *string { return &s.Detail }},
	}
}

// field returns the text of that name; nil without one.
func (m *merger) field(name string) *string {
	for _, f := range storyFields() {
		if f.name == name {
			return f.of(&m.story)
		}
	}
	return nil
}

// add appends a sentence to a text of the story, once.
func (m *merger) add(name, sentence string) {
	at := m.field(name)
	if at == nil || sentence == "" || has(*at, sentence) {
		return
	}
	joined := join(*at, sentence)
	if utf8.RuneCountInString(joined) <= maxText {
		*at = joined
	}
}

// has reports whether a text has the words of a sentence already.
func has(text, sentence string) bool {
	return strings.Contains(foldedText(text), foldedText(sentence))
}

// join puts a sentence behind a text, with a point between them where none is.
func join(text, sentence string) string {
	if text == "" {
		return sentence
	}
	last, _ := utf8.DecodeLastRuneInString(text)
	if strings.ContainsRune(".!?…।", last) {
		return text + " " + sentence
	}
	return text + ". " + sentence
}

// set gives a single value. One that takes the place of another is noted.
func (m *merger) set(name string, at *string, value string) {
	if value == "" || key(*at) == key(value) {
		return
	}
	if *at != "" {
		m.note(name, *at, value)
	}
	*at = value
}

func (m *merger) note(field, was, is string) {
	m.notes = append(m.notes, projects.Note{Field: field, Was: was, Is: is})
}

// union adds entries that the list does not have, folded.
func union(list []string, more ...string) []string {
	for _, e := range more {
		e = clip(strings.TrimSpace(e), maxEntry)
		if e == "" || len(list) >= maxEntries ||
			slices.ContainsFunc(list, func(l string) bool { return key(l) == key(e) }) {
			continue
		}
		list = append(list, e)
	}
	return list
}

// clip cuts a text to that many letters.
func clip(text string, letters int) string {
	if utf8.RuneCountInString(text) <= letters {
		return text
	}
	return strings.TrimSpace(string([]rune(text)[:letters]))
}

// fact keeps a sentence that no field holds; the oldest ones go first.
func (m *merger) fact(sentence string) {
	sentence = clip(sentence, maxSentence)
	if sentence == "" || slices.ContainsFunc(m.story.Facts, func(f string) bool { return key(f) == key(sentence) }) {
		return
	}
	m.story.Facts = lastOf(append(m.story.Facts, sentence), maxFacts)
}

func lastOf[T any](list []T, n int) []T {
	return list[max(0, len(list)-n):]
}

// asked notes that a question was asked.
func (m *merger) asked(id string) {
	if !slices.Contains(m.story.Asked, id) {
		m.story.Asked = append(m.story.Asked, id)
	}
}

func (m *merger) skip(q Question) {
	m.skipped = true
	if !slices.Contains(m.story.Skipped, q.ID) {
		m.story.Skipped = append(m.story.Skipped, q.ID)
	}
}
