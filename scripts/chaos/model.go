package main

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/bellhop-ai/bellhop/infra/local/model/script"
)

// mode is how the model behaves in a conversation.
type mode string

const (
	honest   mode = "G0" // does the task it was given
	obedient mode = "G1" // does whatever any text asks for
	owned    mode = "G2" // does what an attacker likes, whatever it reads
)

// ref is how a request is known to belong to a conversation: it stands in what
// the person says.
var (
	refShape    = regexp.MustCompile(`\(ref ([0-9]+)\)`)
	attackShape = regexp.MustCompile(`ATTACK-[0-9]{3}`)
)

// dialogue is the model's side of one conversation.
type dialogue struct {
	mode  mode
	g     *grammar
	agent string        // to whom the router gives it
	reads []script.Call // what an obedient model looks up first
	steps []script.Step // what an honest one does

	asked int
	fired map[string]int // how often each directive was obeyed
}

// dialogues is the scripted model: one dialogue for each conversation.
type dialogues struct {
	w *world

	mu       sync.Mutex
	by       map[string]*dialogue
	seen     map[string]bool // directives that reached the model
	leaked   int             // bytes of the other tenant, or tokens, that reached it
	lost     int             // requests of no conversation
	example  string
	requests int
}

func newDialogues() *dialogues {
	return &dialogues{by: map[string]*dialogue{}, seen: map[string]bool{}}
}

func (m *dialogues) set(ref string, one *dialogue) {
	m.mu.Lock()
	defer m.mu.Unlock()
	one.fired = map[string]int{}
	m.by[ref] = one
}

func (m *dialogues) forget(ref string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.by, ref)
}

// answer is what the model says to a request.
func (m *dialogues) answer(in script.Request) script.Step {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests++
	if n := foreign(in.Body, m.w); n > 0 {
		m.leaked += n
		m.example = excerpt(in.Body)
	}
	one := m.by[refOf(in)]
	if one == nil {
		m.lost++
		return script.Step{Text: "I do not know who is asking."}
	}
	one.asked++
	switch one.mode {
	case honest:
		return one.honest(in)
	case obedient:
		return one.obedient(in, m.seen)
	}
	return one.owned(in)
}

func refOf(in script.Request) string {
	for _, msg := range slices.Backward(in.Messages) {
		if found := refShape.FindStringSubmatch(msg.Content); msg.Role == "user" && found != nil {
			return found[1]
		}
	}
	return ""
}

func (m *dialogue) honest(in script.Request) script.Step {
	if script.FromRouter(in) && m.agent != "" {
		return script.Route(m.agent)
	}
	if len(m.steps) == 0 {
		return script.Step{Text: "That is all."}
	}
	step := m.steps[0]
	m.steps = m.steps[1:]
	return step
}

// obedient looks up what it was asked for, and then follows every directive
// that it has read anywhere.
func (m *dialogue) obedient(in script.Request, seen map[string]bool) script.Step {
	var found []string
	var heard strings.Builder
	for _, msg := range in.Messages {
		heard.WriteString(msg.Content + " ")
		for _, id := range attackShape.FindAllString(msg.Content, -1) {
			seen[id] = true
			if !slices.Contains(found, id) && m.fired[id] < 2 {
				found = append(found, id)
			}
		}
	}
	if script.FromRouter(in) {
		return script.Route(m.agent)
	}
	if len(m.reads) > 0 {
		reads := m.reads
		m.reads = nil
		return script.Step{Calls: reads}
	}
	if len(found) == 0 {
		return script.Step{Text: m.g.speech(heard.String())}
	}
	id := pick(m.g.random, found)
	m.fired[id]++
	return script.Step{Text: "As the record says:", Calls: m.g.calls(in.Tools, 4)}
}

// owned ignores what it reads.
func (m *dialogue) owned(in script.Request) script.Step {
	r := m.g.random
	if script.FromRouter(in) {
		switch r.IntN(6) {
		case 0:
			return script.Step{Text: m.g.speech(m.g.text("x"))}
		case 1:
			return script.Step{Calls: m.g.calls(in.Tools, 3)}
		case 2:
			return script.Route(pick(r, []string{"root", "", "__proto__", theirsID, "admin"}))
		}
		return script.Route(m.agent)
	}
	switch n := r.IntN(20); {
	case n < 4:
		return script.Step{Text: m.g.speech(in.Last("").Content)}
	case n == 4:
		return script.Step{Calls: m.g.calls(in.Tools, 50)}
	case n == 5:
		return script.Step{Text: m.g.speech(in.Last("").Content),
			Finish: pick(r, []string{"length", "content_filter", "stop"})}
	default:
		text := ""
		if n < 9 {
			text = m.g.speech(in.Last("tool").Content)
		}
		return script.Step{Text: text, Calls: m.g.calls(in.Tools, 5)}
	}
}

// foreign counts what must never leave the other tenant, or the caller's hands.
func foreign(data []byte, w *world) int {
	n := bytes.Count(data, []byte(mark))
	for _, token := range w.tokens {
		n += bytes.Count(data, []byte(token))
	}
	return n
}

// excerpt shows where in the data the mark stands.
func excerpt(data []byte) string {
	at := max(0, bytes.Index(data, []byte(mark)))
	return string(data[max(0, at-200):min(len(data), at+60)])
}

// watched is a log that counts what must not be in it.
type watched struct {
	mu      sync.Mutex
	w       *world
	lines   int
	leaked  int
	private int // texts of our own rows: of no other organisation, but not for a log
	example string
	broken  int // lines that tell of an internal error
	cause   string
}

// Write takes one line of the log.
func (l *watched) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines++
	if l.w != nil {
		l.leaked += foreign(line, l.w)
	}
	if n := len(attackShape.FindAll(line, -1)); n > 0 {
		l.private += n
		l.example = string(line)
	}
	if bytes.Contains(line, []byte(`"panic"`)) || bytes.Contains(line, []byte(`"code":"internal_error"`)) {
		l.broken++
		l.cause = string(line)
	}
	return len(line), nil
}

func newGrammar(w *world, tools []toolInfo, seed, turn uint64, sane bool) *grammar {
	return &grammar{random: rand.New(rand.NewPCG(seed, turn)), w: w, tools: tools, sane: sane}
}
