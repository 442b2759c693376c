package model

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// Domain is what the model is told about the subjects of one assistant beside
// its prompts and tools.
type Domain struct {
	Name string
	// Synonyms are groups of words, separated by blanks, that mean the same. The
	// first word of a group stands for all.
	Synonyms []string
	// Kinds say of which kind a thing is by a word of its name, "dish: soup curry":
	// the kind, a colon, and the words.
	Kinds []string
	// Phrases are several words that mean one, "checkin: check in, come in": the
	// word, a colon, and the phrases by commas. An ending of the first or the last
	// word, and what stands between words, do not matter.
	Phrases []string
	Agents  []AgentExamples
}

// AgentExamples is what people say to one agent.
type AgentExamples struct {
	Name      string
	About     string     // in words, what it is for
	Sentences []Sentence // messages that are meant for it
}

// ReadDomains reads the *.txt files in the top folder of files, a domain each.
// A section begins with a name in brackets: [synonyms], with a group on each
// line, [kinds], with the words of a kind on each line, [phrases], with the phrases that mean one
// word on each line, or the name of an agent, with a sentence on each line, as ParseSentence
// reads it; a line that begins with "about:" describes the agent. Empty lines and
// lines that begin with # are passed over. Further sentences stand in a folder of the
// domain's name, a file for each agent.
func ReadDomains(files fs.FS) ([]Domain, error) {
	names, err := fs.Glob(files, "*.txt")
	if err != nil {
		return nil, fmt.Errorf("list the domains: %w", err)
	}
	var out []Domain
	for _, name := range names {
		raw, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("read a domain: %w", err)
		}
		d, err := parseDomain(strings.TrimSuffix(path.Base(name), ".txt"), string(raw))
		if err != nil {
			return nil, err
		}
		for i := range d.Agents {
			if err := d.Agents[i].readMore(files, d.Name); err != nil {
				return nil, err
			}
		}
		out = append(out, d)
	}
	return out, nil
}

func parseDomain(name, text string) (Domain, error) {
	d := Domain{Name: name}
	section, number := "", 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		switch title, isTitle := bracketed(line); {
		case line == "" || strings.HasPrefix(line, "#"):
		case isTitle:
			section = title
			if title != "synonyms" && title != "kinds" && title != "phrases" {
				d.Agents = append(d.Agents, AgentExamples{Name: title})
			}
		case section == "":
			return Domain{}, fmt.Errorf("domain %s: line %d stands in no section", name, number)
		case section == "synonyms":
			d.Synonyms = append(d.Synonyms, line)
		case section == "phrases":
			d.Phrases = append(d.Phrases, line)
		case section == "kinds":
			d.Kinds = append(d.Kinds, line)
		default:
			agent := &d.Agents[len(d.Agents)-1]
			if about, ok := strings.CutPrefix(line, "about:"); ok {
				agent.About = strings.TrimSpace(about)
			} else {
				s, err := ParseSentence(line)
				if err != nil {
					return Domain{}, fmt.Errorf("domain %s: line %d: %w", name, number, err)
				}
				agent.Sentences = append(agent.Sentences, s)
			}
		}
	}
	return d, nil
}

// readMore adds the sentences of the agent's own file, if there is one.
func (a *AgentExamples) readMore(files fs.FS, domain string) error {
	raw, err := fs.ReadFile(files, path.Join(domain, a.Name+".txt"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the sentences of %s: %w", a.Name, err)
	}
	for line := range strings.Lines(string(raw)) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		s, err := ParseSentence(strings.TrimSpace(line))
		if err != nil {
			return fmt.Errorf("domain %s, agent %s: %w", domain, a.Name, err)
		}
		a.Sentences = append(a.Sentences, s)
	}
	return nil
}

func bracketed(line string) (string, bool) {
	inner, ok := strings.CutPrefix(line, "[")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(inner, "]")
}

// agentIndex is an agent's examples, ready to be compared.
type agentIndex struct {
	name      string
	about     string
	sentences []map[string]bool // the features of each
}

// indexAgents prepares a domain when it is first needed.
func (l *lexicon) indexAgents(d Domain) func() []agentIndex {
	return sync.OnceValue(func() []agentIndex {
		// Days are left out of features, so any day will do to read them.
		day := time.Date(2024, time.January, 1, 0, 0, 0, 0, time.UTC)
		var out []agentIndex
		for _, a := range d.Agents {
			one := agentIndex{name: a.Name, about: a.About}
			for _, s := range a.Sentences {
				one.sentences = append(one.sentences, l.features(s.Text, day))
			}
			out = append(out, one)
		}
		return out
	})
}

// agentsAmong returns the examples of the domain that knows most of these names;
// nil when none knows at least half of them.
func (e *engine) agentsAmong(names []string) []agentIndex {
	best, most := -1, (len(names)-1)/2
	for i, d := range e.domains {
		known := 0
		for _, a := range d.Agents {
			if slices.Contains(names, a.Name) {
				known++
			}
		}
		if known > most {
			best, most = i, known
		}
	}
	if best < 0 {
		return nil
	}
	return e.agents[best]()
}
