package summary

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/plaintext"
)

//go:embed prompt.md
var promptText string

//go:embed schema.json
var schemaText string

// Maker makes summaries with a model. It is immutable.
type Maker struct {
	Model llm.Model
	// Tokens estimates how many tokens a text costs.
	Tokens func(text string) int
	// Report, if not nil, is told of lines that were left out because a detail
	// in them is in no message.
	Report func(ctx context.Context, lines int)
}

const (
	// mostTokens is what one call reads of messages; more are read in several.
	mostTokens = 8000
	// itemTokens is what is read of one message.
	itemTokens = 1500
	// answerTokens bounds a model's answer.
	answerTokens = 2000
)

// Used is what the calls of a model used, and which model answered the last of
// them, as its provider names it.
type Used struct {
	llm.Usage
	Model string
}

// Fits returns how many of the items one call takes, at least one of them.
func (m Maker) Fits(items []Item) int {
	left := mostTokens
	for i, it := range items {
		if left -= 16 + min(itemTokens, m.Tokens(it.Text)); left < 0 && i > 0 {
			return i
		}
	}
	return len(items)
}

// Add returns the summary that stands for what the earlier one covers and for
// the items, which follow it. All of them are read in one call (see Fits), or
// in two when the first answer had to be corrected.
//
// An answer of which nothing is usable twice is a fault.Upstream error with the
// code "summary_unusable".
func (m Maker) Add(ctx context.Context, earlier Summary, items []Item) (Summary, Used, error) {
	all, facts := earlier.items()
	heard := newSource(append(all, m.shorten(items)...))
	system := strings.Replace(promptText, "{{SCHEMA}}", strings.TrimSpace(schemaText), 1)
	request := llm.Request{
		Settings: llm.Settings{MaxTokens: answerTokens, Temperature: new(float64), Schema: &llm.Schema{Name: "summary",
			JSON: json.RawMessage(schemaText)}},
		Messages: []llm.Message{{Role: llm.System, Text: system}, {Role: llm.User, Text: heard.lines()}},
	}
	var spent Used
	var first draft
	for try := 1; ; try++ {
		answer, err := m.Model.Answer(ctx, request, nil)
		spent = Used{spent.Add(answer.Usage), answer.Model}
		if err != nil {
			return earlier, spent, err
		}
		d, wrong := readDraft(answer)
		var kept draft
		dropped := 0
		if wrong == "" {
			kept, dropped, wrong = heard.check(d)
		}
		if wrong != "" && try == 1 {
			first = kept
			request.Messages = append(request.Messages, llm.Message{Role: llm.Assistant, Text: answer.Text},
				llm.Message{Role: llm.User, Text: wrong})
			continue
		}
		if kept.empty() && wrong != "" {
			kept = first
		}
		if kept.empty() && wrong != "" {
			return earlier, spent, fault.Wrap(fault.Upstream, errors.New("summarise: no usable answer"),
				"The language model gave no usable summary. Please try again.").WithCode("summary_unusable")
		}
		if dropped > 0 && m.Report != nil {
			m.Report(ctx, dropped)
		}
		return heard.assemble(earlier, kept, facts, len(items)), spent, nil
	}
}

// items returns what the earlier summary says as items, and where its facts
// begin among them.
func (s Summary) items() (items []Item, facts int) {
	for _, l := range s.Sentences {
		items = append(items, Item{earlierSummary, l.Text, l.Doubtful})
	}
	facts = len(items)
	for _, f := range s.Facts {
		items = append(items, Item{earlierFact, f.Text, f.Doubtful})
	}
	return items, facts
}

const (
	earlierSummary = "earlier summary"
	earlierFact    = "earlier fact"
)

// shorten leaves out of the items what a summary does not need to read: layout,
// ids, codes of open questions, and the middle of long texts.
func (m Maker) shorten(items []Item) []Item {
	out := make([]Item, len(items))
	for i, it := range items {
		it.Text = asked.ReplaceAllString(uuid.ReplaceAllString(tags.ReplaceAllString(plaintext.Clean(it.Text), " "),
			"…"), "")
		if n := m.Tokens(it.Text); n > itemTokens {
			letters := []rune(it.Text)
			keep := len(letters) * itemTokens / n
			it.Text = string(letters[:keep*2/3]) + " […] " + string(letters[len(letters)-keep/3:])
		}
		out[i] = it
	}
	return out
}

var tags = regexp.MustCompile(`</?[a-zA-Z][^<>]*>`)

// lines writes the items as the model reads them.
func (s source) lines() string {
	var b strings.Builder
	b.WriteString("The items:\n")
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for i, it := range s.items {
		mark := ""
		if it.Doubtful {
			mark = "unverified"
		}
		// Writing texts and numbers to memory cannot fail.
		_ = e.Encode(struct {
			N    int    `json:"n"`
			Who  string `json:"who"`
			Mark string `json:"mark,omitempty"`
			Text string `json:"text"`
		}{i + 1, it.Who, mark, it.Text})
	}
	return b.String()
}

// draft is what a model answers.
type draft struct {
	Summary []draftLine `json:"summary"`
	Facts   []draftLine `json:"facts"`
}

func (d draft) empty() bool { return len(d.Summary)+len(d.Facts) == 0 }

type draftLine struct {
	Text string `json:"text"`
	From []int  `json:"from"`
	// Doubtful is found out here.
	Doubtful bool `json:"-"`
}

// readDraft reads an answer, or says what is wrong with it.
func readDraft(a llm.Answer) (d draft, wrong string) {
	text := strings.TrimSpace(a.Text)
	text = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(text, "```json"), "```"), "```")
	if a.Finish != llm.Stopped || json.Unmarshal([]byte(text), &d) != nil {
		return d, "That was not one complete JSON object of the form that was asked for. Write it again, shorter, " +
			"as JSON alone."
	}
	return d, ""
}

// check keeps what may stand in a summary. It returns how many lines lack a
// basis, and what to tell the model about them, "" when all is well.
func (s source) check(d draft) (kept draft, dropped int, wrong string) {
	var baselessLines []string
	list := func(lines []draftLine, count, letters int) (out []draftLine) {
		for _, l := range lines {
			l.Text = clean(l.Text, letters)
			v, missing := s.judge(l.Text, l.From)
			switch v {
			case sure, doubtful:
				l.Doubtful = v == doubtful
				if len(out) < count {
					out = append(out, l)
				}
			case baseless:
				baselessLines = append(baselessLines, fmt.Sprintf("- %q: %s", l.Text, strings.Join(missing, ", ")))
			case refused:
			}
		}
		return out
	}
	kept = draft{list(d.Summary, maxSentences, maxSentence), list(d.Facts, maxFacts, maxFact)}
	if len(baselessLines) > 0 {
		wrong = "These lines have details that are in no item:\n" + strings.Join(baselessLines, "\n") +
			"\nWrite the whole JSON again. Use only what the items say, written as they write it."
	}
	return kept, len(baselessLines), wrong
}

// assemble makes the summary. Where the model left nothing usable of the
// conversation's course, the earlier sentences stay.
func (s source) assemble(earlier Summary, kept draft, factsFrom, more int) Summary {
	out := Summary{Covers: earlier.Covers + more}
	for _, l := range kept.Summary {
		out.Sentences = append(out.Sentences, Line{l.Text, l.Doubtful})
	}
	if len(out.Sentences) == 0 {
		out.Sentences = earlier.Sentences
	}
	replaced := map[int]bool{}
	var fresh []Line
	for _, f := range kept.Facts {
		fresh = append(fresh, Line{f.Text, f.Doubtful})
		for _, n := range f.From {
			// Unverified text does not replace a fact.
			if at := n - 1 - factsFrom; at >= 0 && at < len(earlier.Facts) &&
				(!f.Doubtful || earlier.Facts[at].Doubtful) {
				replaced[at] = true
			}
		}
	}
	out.Facts = merge(earlier.Facts, fresh, func(at int) bool { return replaced[at] })
	return out
}
