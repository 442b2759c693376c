package hospitality_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/model"
	"github.com/bellhop-ai/bellhop/pkg/assistants/examples"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/flow/routed"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

var misread = flag.Bool("misread", false, "try the examples in folds, and print each sentence that is not read "+
	"rightly")

// unfitted reads the sentences of a folder that the built-in model was not made with.
func unfitted(t *testing.T, folder, agent string) []model.Sentence {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", folder, agent+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	var out []model.Sentence
	for line := range strings.Lines(string(raw)) {
		s, err := model.ParseSentence(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

// normal writes a value in one form: lists without blanks and quotes, texts in
// small letters.
func normal(v string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.NewReplacer(`"`, "", ", ", ",").Replace(v)), " "))
}

// fits says whether a call is this one: no argument more and none less. An
// argument whose name begins with "?" may be left out, and "*" stands for any value.
func fits(want model.Reading, name, arguments string) bool {
	if name != want.Tool {
		return false
	}
	var given map[string]json.RawMessage
	if json.Unmarshal([]byte(arguments), &given) != nil {
		return false
	}
	left := len(given)
	for key, value := range want.Args {
		bare := strings.TrimPrefix(key, "?")
		got, has := given[bare]
		switch {
		case !has && bare != key:
			continue
		case !has || value != "*" && normal(string(got)) != normal(value):
			return false
		}
		left--
	}
	return left == 0
}

// outcome counts what became of sentences.
type outcome struct {
	all, right, wrong int      // wrong: something else was done, without a question
	misread           []string // what was not right, and how
}

func (o outcome) String() string {
	share := func(n int) float64 { return 100 * float64(n) / float64(max(o.all, 1)) }
	return fmt.Sprintf("%d of %d right (%.1f %%), %d wrong without saying so (%.1f %%)", o.right, o.all,
		share(o.right),
		o.wrong, share(o.wrong))
}

func (o *outcome) add(mu *sync.Mutex, t *testing.T, name string, one outcome) {
	mu.Lock()
	defer mu.Unlock()
	o.all, o.right, o.wrong = o.all+one.all, o.right+one.right, o.wrong+one.wrong
	t.Logf("%s: %s", name, one)
}

// readAll hands each sentence to the real router and the agent it chooses, as the
// first of a conversation, and looks at the first calls. No tool runs.
func readAll(t *testing.T, a *flow.Runtime, who routed.Router, m llm.Model, all []model.Sentence) (out outcome) {
	t.Helper()
	facts, err := a.Facts(t.Context(), manager, friday)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range all {
		out.all++
		talk := history.Conversation{Entries: []history.Entry{{Role: llm.User, Text: one.Text}}}
		route, err := who.Route(t.Context(), m, facts, talk)
		if err != nil {
			t.Fatal(err)
		}
		answer := llm.Answer{Text: route.Text}
		for _, g := range a.Agents {
			if g.Name != route.Agent {
				continue
			}
			system, err := g.Persona.Fill(facts)
			if err != nil {
				t.Fatal(err)
			}
			messages := append([]llm.Message{{Role: llm.System, Text: system}}, talk.Prompt(g.Reads())...)
			ask := func() {
				answer, err = m.Answer(t.Context(), llm.Request{Settings: g.Settings, Tools: g.Tools.Model(),
					Messages: messages}, nil)
				if err != nil {
					t.Fatal(err)
				}
			}
			if ask(); one.Asks && len(answer.Calls) == 1 {
				// A look at what there is may come before the question: "unblock COCO".
				first := answer
				messages = append(messages, llm.Message{Role: llm.Assistant, Calls: first.Calls},
					llm.Message{Role: llm.ToolRole,
						CallID: first.Calls[0].ID, Text: `{"table":"t1a","said":"Here it is.","data":{}}`})
				if ask(); len(answer.Calls) > 0 || !strings.HasSuffix(answer.Text, "?") {
					answer = first
				}
			}
		}
		right, wrong := judge(one, answer)
		what := "asks: " + strings.ReplaceAll(answer.Text, "\n", " / ")
		for _, c := range answer.Calls {
			what = c.Name + " " + c.Arguments
		}
		if len(what) > 200 {
			what = what[:200]
		}
		if right {
			out.right++
		} else {
			mark := "?"
			if wrong {
				out.wrong++
				mark = "!"
			}
			out.misread = append(out.misread, fmt.Sprintf("%s %s → %s: %s", mark, one.Text, route.Agent, what))
		}
	}
	return out
}

// judge says whether an answer is right and, if not, whether it is wrong without
// saying so.
func judge(one model.Sentence, answer llm.Answer) (right, wrong bool) {
	if len(answer.Calls) == 0 {
		return one.Asks, false
	}
	for _, w := range one.Readings {
		if len(answer.Calls) == 1 && fits(w, answer.Calls[0].Name, answer.Calls[0].Arguments) {
			return true, false
		}
	}
	return false, true
}

// What managers type, in sentences that nobody fitted, is read rightly or asked about. All
// were written before, and split in halves by a hash: the first half is among the
// examples that the built-in model learns from, this one was only counted. The aim is 75 % right
// and at most 3 % wrong without saying so; the floors are what is reached.
func TestSentencesThatNobodyFitted(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	domains, err := model.ReadDomains(examples.Files)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range domains[0].Agents {
		for _, s := range g.Sentences {
			known[s.Text] = true
		}
	}
	a, m, who := bernard(t), builtIn(t), routerOf(t)
	for _, set := range []struct {
		folder                string
		leastRight, mostWrong float64
	}{
		{"unseen", 0.75, 0.038},   // by several authors, of all that there is to do
		{"mornings", 0.59, 0.035}, // by one author, of a morning's work
	} {
		t.Run(set.folder, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			var total outcome
			t.Run("agents", func(t *testing.T) {
				for _, g := range a.Agents {
					t.Run(g.Name, func(t *testing.T) {
						t.Parallel()
						all := unfitted(t, set.folder, g.Name)
						for _, s := range all {
							if known[s.Text] {
								t.Errorf("%q is among the examples", s.Text)
							}
						}
						total.add(&mu, t, g.Name, readAll(t, a, who, m, all))
					})
				}
			})
			t.Log(total)
			right, wrong := float64(total.right)/float64(total.all), float64(total.wrong)/float64(total.all)
			if right < set.leastRight || wrong > set.mostWrong {
				t.Errorf("%s; want at least %.0f %% and at most %.0f %%", total, 100*set.leastRight, 100*set.mostWrong)
			}
		})
	}
}

// A development aid: each fifth of the fitted half, read by a model that learned from the
// rest.
func TestFoldsOfTheExamples(t *testing.T) {
	if !*misread {
		t.Skip("run with -misread")
	}
	a, who := bernard(t), routerOf(t)
	domains, err := model.ReadDomains(examples.Files)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	totals := map[string]*outcome{}
	t.Run("folds", func(t *testing.T) {
		for fold := range uint32(5) {
			t.Run(fmt.Sprint(fold), func(t *testing.T) {
				t.Parallel()
				rest := domains[0]
				rest.Agents = nil
				tried := map[string][]model.Sentence{}
				for _, g := range domains[0].Agents {
					kept := model.AgentExamples{Name: g.Name, About: g.About}
					for _, s := range g.Sentences {
						if digest(s.Text)%5 == fold && complete(s) {
							tried[g.Name] = append(tried[g.Name], s)
						} else {
							kept.Sentences = append(kept.Sentences, s)
						}
					}
					rest.Agents = append(rest.Agents, kept)
				}
				m := served(t, model.New(model.Config{Now: clock, Domains: []model.Domain{rest}}))
				for name, all := range tried {
					got := readAll(t, a, who, m, all)
					mu.Lock()
					if totals[name] == nil {
						totals[name] = &outcome{}
					}
					one := totals[name]
					one.all, one.right, one.wrong = one.all+got.all, one.right+got.right, one.wrong+got.wrong
					one.misread = append(one.misread, got.misread...)
					mu.Unlock()
				}
			})
		}
	})
	var all outcome
	for name, one := range totals {
		fmt.Println("##", name, *one)
		fmt.Println(strings.Join(one.misread, "\n"))
		all.all, all.right, all.wrong = all.all+one.all, all.right+one.right, all.wrong+one.wrong
	}
	fmt.Println("## all", all)
}

func digest(said string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(said)) // never fails
	return h.Sum32() >> 8
}

func complete(s model.Sentence) bool {
	return s.Asks || len(s.Readings) > 0 && !s.Readings[0].Open
}
