package model

import (
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
)

// learned is what a domain's sentences teach: which agent and which tool a text
// is for, and which of a tool's closed choices it makes.
type learned struct {
	agents, tools *classifier
	// values tells the closed arguments of a tool that its sentences have, as
	// "status=pending"; "" is none.
	values map[string]*classifier
	byTool map[string]map[string]float64 // the share of each agent in the sentences of a tool
	shapes map[string]map[string]int     // how often the values of an argument have each form
	words  *lexicon
}

// hasShape says whether values of an argument may have the form of this one, as far as
// the sentences tell.
func (t *learned) hasShape(tool, name, value string) bool {
	seen, same := 0, 0
	for key, forms := range t.shapes {
		of, arg, _ := strings.Cut(key, ".")
		if arg != name || of != tool && (strings.HasPrefix(of, "create_") || strings.HasPrefix(tool, "create_")) {
			continue // what is made may be called otherwise than what there is
		}
		for form, n := range forms {
			seen += n
			if form == t.words.formOf(value) {
				same += n
			}
		}
	}
	return seen < 4 || same > 0
}

// formOf is formOf with what the sentences tell of the length of codes.
func (l *lexicon) formOf(value string) string {
	if lettersThenDigits.MatchString(value) && l.kindOfCode(value) == "<code>" {
		return "mixed"
	}
	return formOf(value)
}

// formOf tells codes of letters and digits apart from each other and from names.
func formOf(value string) string {
	head, tail, dashed := strings.Cut(value, "-")
	switch {
	case mixed.MatchString(value) && dashed && len(tail) > 4:
		return head
	case isRandom(value):
		return "mixed"
	case !mixed.MatchString(value):
		return "name"
	case lettersThenDigits.MatchString(value):
		return "letters, then digits"
	case dashed:
		return "numbered"
	}
	return "mixed"
}

// nobody is the label of what no agent and no tool is for.
const nobody = ""

// anyDay is a day to read the sentences by: what is features of days is only
// whether they lie ahead.
var anyDay = time.Date(2026, time.November, 20, 0, 0, 0, 0, time.UTC)

// learn trains on the sentences of a domain.
func (l *lexicon) learn(d Domain) *learned {
	out := &learned{values: map[string]*classifier{}, byTool: map[string]map[string]float64{},
		shapes: map[string]map[string]int{}, words: l}
	var agents, tools []sample
	values := map[string][]sample{}
	for _, a := range d.Agents {
		for piece := range strings.FieldsFuncSeq(a.About, func(r rune) bool {
			return strings.ContainsRune(";,.:()",
				r)
		}) {
			if strings.TrimSpace(piece) != "" {
				agents = append(agents, sample{l.signs(piece, anyDay), a.Name, 1})
			}
		}
		for _, s := range a.Sentences {
			signs := l.signs(s.Text, anyDay)
			labels := s.tools()
			agent := a.Name
			if s.Asks && len(labels) == 0 {
				agent, labels = nobody, []string{nobody}
			}
			agents = append(agents, sample{signs, agent, 1})
			for _, tool := range labels {
				tools = append(tools, sample{signs, tool, 1 / float64(len(labels))})
				if out.byTool[tool] == nil {
					out.byTool[tool] = map[string]float64{}
				}
				out.byTool[tool][agent]++
			}
			for _, r := range s.Readings {
				for name, v := range r.Args {
					key := r.Tool + "." + strings.TrimPrefix(name, "?")
					if out.shapes[key] == nil {
						out.shapes[key] = map[string]int{}
					}
					out.shapes[key][l.formOf(v)]++
				}
			}
			if len(s.Readings) == 0 && s.Asked != "" {
				values[s.Asked] = append(values[s.Asked], sample{signs, "", 1})
			}
			for _, r := range s.Readings {
				if closed := l.closed(s.Text, r); !r.Open || closed != "" {
					values[r.Tool] = append(values[r.Tool], sample{signs, closed, 1})
					break
				}
			}
		}
	}
	for _, tool := range slices.Sorted(maps.Keys(out.byTool)) {
		if tool != nobody {
			tools = append(tools, sample{l.signs(spoken(tool), anyDay), tool, 1})
		}
	}
	for _, shares := range out.byTool {
		sum := 0.0
		for _, n := range shares {
			sum += n
		}
		for a := range shares {
			shares[a] /= sum
		}
	}
	out.agents, out.tools = train(agents), train(tools)
	for tool, samples := range values {
		if slices.ContainsFunc(samples, func(s sample) bool { return s.label != samples[0].label }) {
			out.values[tool] = train(samples)
		}
	}
	return out
}

// agentsFor returns how likely each agent is: by its own sentences, and by those of the
// tools that it has.
func (t *learned) agentsFor(signs []string) map[string]float64 {
	own, _ := t.agents.of(signs)
	tools, _ := t.tools.of(signs)
	out := map[string]float64{nobody: (own[nobody] + tools[nobody]) / 2}
	for agent, share := range own {
		if agent != nobody {
			out[agent] += share / 2
		}
	}
	for tool, share := range tools {
		for agent, of := range t.byTool[tool] {
			if tool != nobody {
				out[agent] += share * of / 2
			}
		}
	}
	return out
}

// signs are what text is recognised by.
func (l *lexicon) signs(text string, today time.Time) []string {
	tokens := l.tokensOf(text, today, func(w string) bool { return !l.common(w) })
	return l.signsOf(tokens, strings.Contains(text, "?"))
}

// tools returns the tools that a sentence may be about, each once.
func (s Sentence) tools() []string {
	var out []string
	for _, r := range s.Readings {
		if !slices.Contains(out, r.Tool) {
			out = append(out, r.Tool)
		}
	}
	if len(out) == 0 && s.Asked != "" {
		out = append(out, s.Asked)
	}
	return out
}

// closed lists the arguments of a reading whose values the text does not spell as
// a name would be: one word in small letters, or a list of such.
func (l *lexicon) closed(text string, r Reading) string {
	var out []string
	for name, value := range r.Args {
		name = strings.TrimPrefix(name, "?")
		bare := strings.Trim(value, "[]")
		if bare == "" || bare != strings.ToLower(bare) || strings.ContainsAny(bare, "@{ *") || countDigits(bare) > 0 {
			continue
		}
		if l.common(bare) || !strings.Contains(strings.ToLower(text), bare) {
			out = append(out, name+"="+value)
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// learnWords keeps the words of all sentences that are no parts of names.
func (l *lexicon) learnWords(domains []Domain) {
	l.said = map[string]bool{}
	sizes := map[int]int{}
	names := map[string]bool{}
	each := func(do func(s Sentence)) {
		for _, d := range domains {
			for _, a := range d.Agents {
				for _, s := range a.Sentences {
					do(s)
				}
			}
		}
	}
	each(func(s Sentence) {
		for _, r := range s.Readings {
			for _, v := range r.Args {
				for _, w := range l.wordsIn(v) {
					if !stopped[w] && !l.known(w) {
						names[w] = true
					}
				}
			}
		}
		for _, code := range codeShape.FindAllString(s.Text, -1) {
			if formOf(code) == "mixed" {
				sizes[len(code)]++
			}
		}
		for _, w := range word.FindAllString(s.Text, -1) {
			low := strings.ToLower(strings.TrimSuffix(w, "'s"))
			if unicode.IsUpper([]rune(w)[0]) && !stopped[low] && !l.known(low) {
				names[low] = true
			}
		}
	})
	for size, n := range sizes {
		if best := sizes[l.codeSize]; n > best || n == best && size < l.codeSize {
			l.codeSize = size
		}
	}
	each(func(s Sentence) {
		for _, w := range l.wordsIn(s.Text) {
			if w = strings.TrimSuffix(w, "'s"); !names[w] {
				l.said[w] = true
			}
		}
	})
}
