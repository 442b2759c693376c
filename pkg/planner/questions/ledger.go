package questions

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// Bounds of a ledger.
const (
	MaxTurn    = 7  // questions of one turn (S4-3)
	MaxEntries = 60 // the oldest answered ones go
	// MaxBytes is how large a ledger is as JSON: what is older is shortened.
	MaxBytes = 8 << 10

	maxQuestion = 160 // letters of a question
	maxAnswer   = 80  // letters of an answer
	shortText   = 32  // letters of each in an entry that was shortened
)

// Ask records questions and returns the entries to show, in the order in which they are to
// be asked: at most MaxTurn, one of a topic, the critical ones first (S4-3). A question that is open
// already keeps its id. A critical one that was answered, and is unknown again, is open
// again. Others that were asked are dropped.
func (l *Ledger) Ask(now time.Time, list ...Question) []Entry {
	var shown []string // ids
	for _, q := range order(list) {
		q.Text = trip.Clean(cut(q.Text, maxQuestion))
		if q.Text == "" || len(shown) == MaxTurn || tooWide(q.Text) {
			continue
		}
		q.Field = topic(q)
		i := l.find(q)
		switch {
		case i < 0:
			l.Asked = append(l.Asked, Entry{ID: l.nextID(), Text: q.Text, Field: q.Field, Status: Asked,
				AskedAt: instant(now)})
			i = len(l.Asked) - 1
		case slices.Contains(shown, l.Asked[i].ID):
			continue
		case l.Asked[i].Status == Asked:
			if q.Field != "" {
				l.Asked[i].Text = q.Text // what is still unknown of it
			}
		case q.Critical && q.Field.Critical():
			e := &l.Asked[i]
			e.Text, e.Status, e.AnsweredText, e.AskedAt, e.AnsweredAt = q.Text, Asked, "", instant(now), nil
		default:
			continue
		}
		shown = append(shown, l.Asked[i].ID)
	}
	l.bound()
	var out []Entry
	for _, id := range shown {
		if i := slices.IndexFunc(l.Asked, func(e Entry) bool { return e.ID == id }); i >= 0 {
			out = append(out, l.Asked[i])
		}
	}
	return out
}

// Filter returns the questions of a model that may be asked: none that was asked or
// answered, whatever its words, none twice, one of a topic, none that wants everything at
// once (S4-24).
func (l *Ledger) Filter(list []Question) []Question {
	seen := newSeen(l.Asked)
	var out []Question
	for _, q := range list {
		q.Text = trip.Clean(cut(q.Text, maxQuestion))
		if q.Text == "" || tooWide(q.Text) {
			continue
		}
		if q.Field = topic(q); seen.add(q.Field, q.Text) {
			out = append(out, q)
		}
	}
	return out
}

// seen are the subjects of questions.
type seen struct {
	fields map[trip.Field]bool
	words  [][]string // of the questions about no field
}

func newSeen(list []Entry) *seen {
	s := &seen{fields: map[trip.Field]bool{}}
	for _, e := range list {
		if e.Field != "" {
			s.fields[e.Field] = true
		} else {
			s.words = append(s.words, content(e.Text))
		}
	}
	return s
}

// add adds a question, and reports whether none asked for the same before.
func (s *seen) add(f trip.Field, text string) bool {
	if f != "" {
		was := s.fields[f]
		s.fields[f] = true
		return !was
	}
	words := content(text)
	if slices.ContainsFunc(s.words, func(o []string) bool { return alike(words, o) }) {
		return false
	}
	s.words = append(s.words, words)
	return true
}

// Answer marks the question about a field as answered by a text. A field that was not
// asked about is recorded as answered, so that it is not asked later. An answer to an
// answered question replaces it.
func (l *Ledger) Answer(now time.Time, field trip.Field, text string) {
	text = cut(trip.Clean(text), maxAnswer)
	if field == "" || text == "" {
		return
	}
	i := slices.IndexFunc(l.Asked, func(e Entry) bool { return e.Field == field })
	if i < 0 {
		l.Asked = append(l.Asked, Entry{ID: l.nextID(), Text: textOf(field), Field: field})
		i = len(l.Asked) - 1
	}
	e := &l.Asked[i]
	e.Status, e.AnsweredText, e.AnsweredAt = Answered, text, instant(now)
	l.bound()
}

// AnswerID marks one question as answered by a text, also one that is about no field. It
// reports whether there is such a question.
func (l *Ledger) AnswerID(now time.Time, id, text string) bool {
	i := slices.IndexFunc(l.Asked, func(e Entry) bool { return e.ID == id })
	if i < 0 {
		return false
	}
	e := &l.Asked[i]
	e.Status, e.AnsweredText, e.AnsweredAt = Answered, cut(trip.Clean(text), maxAnswer), instant(now)
	l.bound()
	return true
}

// Skip marks open questions as skipped: those about the fields, or all where none is named.
func (l *Ledger) Skip(now time.Time, fields ...trip.Field) {
	for i := range l.Asked {
		e := &l.Asked[i]
		if e.Status == Asked && (len(fields) == 0 || slices.Contains(fields, e.Field)) {
			e.Status, e.AnsweredText, e.AnsweredAt = Answered, Skipped, instant(now)
		}
	}
}

// Forget clears the ledger, as a reset of the trip does.
func (l *Ledger) Forget() { l.Asked = nil }

// Outstanding returns the open questions, the critical ones first.
func (l *Ledger) Outstanding() []Entry {
	var out []Entry
	for _, e := range l.Asked {
		if e.Status == Asked {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b Entry) int { return cmp.Compare(rank(a.Field), rank(b.Field)) })
	return out
}

// Blocking reports whether a critical question is open (S4-13).
func (l *Ledger) Blocking() bool {
	return slices.ContainsFunc(l.Asked, func(e Entry) bool { return e.Status == Asked && e.Field.Critical() })
}

// Context returns the questions with their answers, and those that are open, for the input
// of a model (S4-24).
func (l *Ledger) Context() (answered, outstanding []string) {
	for _, e := range l.Asked {
		if e.Status == Answered {
			answered = append(answered, e.Text+" "+cmp.Or(e.AnsweredText, Skipped))
		}
	}
	for _, e := range l.Outstanding() {
		outstanding = append(outstanding, e.Text)
	}
	return answered, outstanding
}

// find returns the index of the entry that asks for the same, or -1.
func (l *Ledger) find(q Question) int {
	if q.Field != "" {
		return slices.IndexFunc(l.Asked, func(e Entry) bool { return e.Field == q.Field })
	}
	words := content(q.Text)
	return slices.IndexFunc(l.Asked, func(e Entry) bool {
		return e.Field == "" && alike(words, content(e.Text))
	})
}

func (l *Ledger) nextID() string {
	last := 0
	for _, e := range l.Asked {
		if n, err := strconv.Atoi(strings.TrimPrefix(e.ID, "q")); err == nil {
			last = max(last, n)
		}
	}
	return "q" + strconv.Itoa(last+1)
}

// bound keeps the ledger within MaxEntries and MaxBytes: the texts of the oldest answered
// entries are shortened, then their times go, then they.
func (l *Ledger) bound() {
	for len(l.Asked) > MaxEntries {
		l.drop()
	}
	if l.size() <= MaxBytes {
		return
	}
	for _, step := range []func(e *Entry){
		func(e *Entry) { e.AnsweredText = cut(e.AnsweredText, shortText) },
		func(e *Entry) { e.Text = cut(e.Text, shortText) },
		func(e *Entry) { e.AskedAt, e.AnsweredAt = nil, nil },
	} {
		for i := range l.Asked {
			if l.Asked[i].Status != Answered {
				continue
			}
			before := l.Asked[i].size()
			step(&l.Asked[i])
			if l.Asked[i].size() < before && l.size() <= MaxBytes {
				return
			}
		}
	}
	for l.size() > MaxBytes && len(l.Asked) > 1 {
		l.drop()
	}
}

// drop removes the oldest answered question about no field, or else the oldest.
func (l *Ledger) drop() {
	i := max(0, slices.IndexFunc(l.Asked, func(e Entry) bool { return e.Status == Answered && e.Field == "" }))
	l.Asked = slices.Delete(slices.Clone(l.Asked), i, i+1)
}

func (l *Ledger) size() int {
	n := len(`{"asked":[]}`)
	for i := range l.Asked {
		n += l.Asked[i].size() + 1
	}
	return n
}

// size is how many bytes the entry has as JSON.
func (e *Entry) size() int {
	data, err := json.Marshal(e)
	if err != nil {
		return 0 // not with these members
	}
	return len(data)
}

func instant(now time.Time) *time.Time {
	now = now.UTC().Truncate(time.Second)
	return &now
}

// cut returns at most so many letters of a text.
func cut(s string, letters int) string {
	if r := []rune(s); len(r) > letters {
		return strings.TrimRight(string(r[:letters-1]), " ") + "…"
	}
	return s
}

// order sorts questions by their priority (S4-3).
func order(list []Question) []Question {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Question) int { return cmp.Compare(rank(topic(a)), rank(topic(b))) })
	return list
}

// rank is the place of a field among the questions; questions about none come last.
func rank(f trip.Field) int {
	if i := slices.Index(trip.Fields(), f); i >= 0 {
		return i
	}
	return len(trip.Fields())
}
