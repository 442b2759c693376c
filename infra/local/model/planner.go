package model

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// maxRounds is how often the planner calls tools for one user message.
const maxRounds = 4

// engine is what the requests to one server share: its domains, and results
// that depend on the texts of prompts and tools alone.
type engine struct {
	*lexicon
	domains []Domain
	agents  []func() []agentIndex // of each domain
	taught  []func() *learned     // of each domain
	indexes memo[toolIndex]
	routes  memo[*routingTable]
}

// decide answers one request: the same conversation on the same day gives the
// same decision, whatever was asked before.
func (e *engine) decide(t conversation, now time.Time) decision {
	m := e.read(t, now)
	th := m.decide()
	for i := range th.calls {
		th.calls[i].id = "call_" + digest(t.seed, fmt.Sprint(i))
	}
	if len(th.calls) == 0 && t.format != nil {
		th.text = m.structured(th.text)
	}
	return th
}

// planner is a conversation with what was understood of it: what the user wants,
// over how many messages, and which tools there are for it.
type planner struct {
	conversation
	*engine
	*lexicon // with the words of the tools
	today    time.Time
	said     string    // the last user message
	goal     []string  // the user texts that together say what is wanted, oldest first
	asked    []string  // the assistant's question before each goal text, "" for the first
	older    []string  // earlier user texts, newest first
	since    []message // what came after the last user message
	picked   string    // which of the readings that were offered the user chose, "" for none
	toolIndex
	ofDomain *learned // what is taught of the tools, once isLooked
	isLooked bool
	// files are those that were attached last, and filesHere says that they
	// came with the last user message.
	files     []file
	filesHere bool
}

// read finds the last user message and how far back its meaning reaches.
func (e *engine) read(t conversation, now time.Time) *planner {
	files, here := t.setFilesAside()
	m := &planner{conversation: t, engine: e, lexicon: e.lexicon, today: todayOf(t.messages, now), files: files,
		filesHere: here}
	m.toolIndex = e.indexes.get(func() toolIndex { return e.index(t.tools) }, t.toolTexts...)
	m.lexicon = m.toolIndex.words
	last := -1
	for i, one := range t.messages {
		if one.role != "user" {
			continue
		}
		last = i
		if before, _ := previous(t.messages, i); before < 0 || picked(one.text, t.messages[before].text) == "" {
			t.messages[i].text = m.completed(one.text, t.messages[:i])
		}
	}
	if last >= 0 {
		m.said = t.messages[last].text
		m.since = t.messages[last+1:]
	}
	m.goal, m.asked = []string{m.said}, []string{""}
	for i := last; i > 0; {
		prev, user := previous(t.messages, i)
		if user < 0 {
			break
		}
		if prev >= 0 && picked(m.goal[0], t.messages[prev].text) != "" {
			// What was chosen says how to read the message before, and nothing else.
			m.picked = cmp.Or(m.picked, picked(m.goal[0], t.messages[prev].text))
			m.goal[0] = t.messages[user].text
			i = user
			continue
		}
		// Only an answer reaches back: it leans on the question before it.
		if prev < 0 || offers(t.messages[prev].text) && !elliptic.MatchString(m.goal[0]) ||
			!e.isFollowUp(m.goal[0], t.messages[prev].text) ||
			m.asksElse(m.goal[0], t.messages[user].text) || m.asksOther(m.goal[0], t.messages[user].text) {
			break
		}
		m.asked[0] = t.messages[prev].text
		m.goal = append([]string{t.messages[user].text}, m.goal...)
		m.asked = append([]string{""}, m.asked...)
		i = user
	}
	skip := len(m.goal)
	for i := len(t.messages) - 1; i >= 0; i-- {
		if t.messages[i].role != "user" {
			continue
		}
		if skip > 0 {
			skip--
			continue
		}
		m.older = append(m.older, t.messages[i].text)
	}
	return m
}

// previous returns the assistant text right before message i and the user
// message before that; -1 where there is none.
func previous(messages []message, i int) (assistant, user int) {
	assistant, user = -1, -1
	for j := i - 1; j >= 0; j-- {
		switch {
		case messages[j].role == "assistant" && messages[j].text != "" && assistant < 0:
			assistant = j
		case messages[j].role == "user":
			return assistant, j
		}
	}
	return assistant, user
}

var (
	elliptic = regexp.MustCompile(`(?i)^\s*(?:and|what about|how about|or|also|aur|then)\b`)
	starters = regexp.MustCompile(`(?i)^\s*(?:please\s+)?(?:which|what|when|where|who|how|is there|are there|do ` +
		`we|does)\b`)
)

// leans says whether text makes sense only with what was said before it: a
// plain answer to a question, or a fragment such as "and next month?".
func (l *lexicon) isFollowUp(text, before string) bool {
	words := len(strings.Fields(text))
	if words == 0 || greets(text) {
		return false
	}
	if strings.Contains(before, "?") && corrects.MatchString(text) {
		return true
	}
	verbs := l.intentOf(text)
	if elliptic.MatchString(text) && words <= 6 && verbs.write == "" {
		return true
	}
	return strings.Contains(before, "?") && words <= 14 && verbs.write == "" && !verbs.read &&
		!starters.MatchString(text)
}

var joint = regexp.MustCompile(`(?i)^\s*(?:and|or|also|aur|then)\s+`)

// asksElse says whether text is a question of its own, whatever it begins with:
// after a request to do something, which "and which extras?" does not ask to do
// again, or when it names what a tool is about.
func (pl *planner) asksElse(text, before string) bool {
	if !starters.MatchString(joint.ReplaceAllString(text, "")) {
		return false
	}
	return pl.intentOf(before).write != "" || slices.ContainsFunc(pl.indexed,
		func(o indexedTool) bool { return o.reads && o.named(text) })
}

// asksOther says whether a fragment such as "and leaving?" is about what another tool that
// looks is about than the request before.
func (pl *planner) asksOther(text, before string) bool {
	said, asked := pl.conceptsIn(text), pl.conceptsIn(before)
	own := func(concepts map[string]bool) (string, bool) {
		for _, o := range pl.indexed {
			for _, n := range o.nouns {
				if o.reads && concepts[n] && n != pl.conceptOf("today") && n != pl.conceptOf("detail") {
					return n, true
				}
			}
		}
		return "", false
	}
	now, isNow := own(said)
	_, was := own(asked)
	return elliptic.MatchString(text) && isNow && was && !asked[now]
}

var (
	greeting = regexp.MustCompile(`(?i)^\W*(?:hi|hello|hey|hiya|namaste|namaskar|good ` +
		`(?:morning|afternoon|evening|day)|greetings)\b[\s,` +
		`!.]*(?:there|all|team|everyone|again|[A-Z][a-z]+)?[\s,!.]*(?:how are you\??)?\W*$`)
	thanks = regexp.MustCompile(`(?i)^\W*(?:many |ok(?:ay)?,? )?(?:thanks?|thank ` +
		`you|thx|dhanyavaad|shukriya|great|perfect|cool|nice|bye|goodbye|alvida|see you|ok(?:ay)?|got ` +
		`it|sure|fine|accha|theek(?: hai)?)\b[\s\w,]{0,20}\W*$`)
	helpless = regexp.MustCompile(`(?i)^\W*(?:help(?: me)?|what (?:can|do) you do|what can i (?:ask|do)|how can you ` +
		`help)(?: here| for me)?\W*$`)
	identity = regexp.MustCompile(`(?i)\b(?:are you (?:an? )?(?:ai|bot|robot|human|real|language ` +
		`model|llm|chatgpt|gpt\S*|machine|person)|(?:what|which) (?:ai |language |llm )?model\b(?: are you| is ` +
		`this| do you)?\s*(?:are you|is this|do you (?:use|run)|\?|$)|who (?:are you|made you|am i talking ` +
		`to)|what are you\b\s*\??$|tum kaun ho|aap kaun)`)
	decline = regexp.MustCompile(`(?i)^\W*(?:no|nope|never mind|nevermind|forget it|cancel that|stop|leave ` +
		`it|nahi+|mat karo|rehne do)\W*$`)
)

func greets(text string) bool {
	return greeting.MatchString(text) || thanks.MatchString(text) || helpless.MatchString(text)
}

// selfDescription is the one canned sentence there is: honesty about itself.
const selfDescription = "I am Bellhop's built-in rule-based stand-in, not a language model: I pick tools by the " +
	"words you use. To talk to a real model, set OPENAI_API_KEY (and OPENAI_BASE_URL for another provider) and " +
	"start again."

func (pl *planner) decide() decision {
	forced := pl.choice.mode == "required" || pl.choice.mode == "named"
	if pl.said == "" && len(pl.since) == 0 && !forced && !pl.filesHere {
		return decision{text: "There is no user message to answer."}
	}
	if identity.MatchString(pl.said) && !forced && len(pl.since) == 0 {
		return decision{text: selfDescription}
	}
	done := pl.results()
	if pl.choice.mode == "none" || len(pl.tools) == 0 {
		if len(done) > 0 {
			return decision{text: pl.report(done)}
		}
		return pl.withoutTools()
	}
	if r, ok := pl.router(); ok && len(done) == 0 {
		return pl.route(r)
	}
	if text, ok := pl.ofFiles(); ok && len(done) == 0 && !forced {
		return decision{text: text}
	}
	if next := pl.corrected(done); len(next) > 0 && pl.rounds() < maxRounds {
		return decision{calls: next}
	}
	if len(done) > 0 {
		if text, stop := pl.mustStop(done); stop || pl.rounds() >= maxRounds {
			return decision{text: text + pl.notReached(done)}
		}
	}
	return pl.act(done)
}

// rounds counts the answers with calls since the user spoke.
func (pl *planner) rounds() int {
	n := 0
	for _, one := range pl.since {
		if len(one.calls) > 0 {
			n++
		}
	}
	return n
}

// withoutTools answers where no tool may be called.
func (pl *planner) withoutTools() decision {
	switch {
	case greets(pl.said):
		return decision{text: pl.greet()}
	case pl.conceptsIn(pl.said)["summarise"] || pl.systemAsks("summarise"):
		return decision{text: pl.extractOfConversation()}
	}
	if limits := pl.limits(); limits != "" {
		return decision{text: "I cannot do that. " + limits}
	}
	return decision{text: "I have no tool for that here, and as a rule-based stand-in I cannot answer from general " +
		"knowledge. Set OPENAI_API_KEY to use a real model."}
}

func (pl *planner) systemAsks(concept string) bool {
	for _, one := range pl.messages {
		if one.role == "system" && pl.conceptsIn(firstLine(one.text))[concept] {
			return true
		}
	}
	return false
}

// extractOfConversation is an extract, not a summary: it quotes what the user wrote.
func (pl *planner) extractOfConversation() string {
	var asked []string
	for _, one := range pl.messages {
		if one.role == "user" {
			asked = append(asked, clip(firstLine(one.text), 160))
		}
	}
	if len(asked) > 5 {
		asked = append(asked[:3:3], asked[len(asked)-2:]...)
	}
	return "Extract (made by rules): the user wrote: " + strings.Join(asked, " / ")
}

func opening(said string) string {
	if greeting.MatchString(said) {
		return "Hello! "
	}
	if helpless.MatchString(said) {
		return ""
	}
	return "All right. "
}

// act serves the clauses of the goal in order: the first that has no call yet
// gets one, and when all are served the results are reported.
func (pl *planner) act(done []result) decision {
	forced := pl.choice.mode == "required" || pl.choice.mode == "named"
	if decline.MatchString(pl.said) && len(pl.goal) > 1 && !forced {
		return decision{text: "All right, I leave it as it is."}
	}
	if greets(pl.said) && len(pl.goal) == 1 && !forced {
		return decision{text: pl.greet()}
	}
	if next, ok := pl.nextPage(); ok && len(done) == 0 {
		return decision{calls: []call{next}}
	}
	doubt := ""
	served := map[string]int{}
	for _, d := range done {
		served[d.call.name]++
	}
	var calls []call
	var unclear []clause
	for _, c := range pl.clauses() {
		several := pl.each(c)
		for _, c := range several {
			p, ok := pl.choose(c)
			if !ok {
				if len(p.or) > 0 && !forced {
					doubt = cmp.Or(doubt, pl.which(p))
					unclear = append(unclear, c)
				}
				continue
			}
			if served[p.tool.name] > 0 {
				served[p.tool.name]--
				continue
			}
			if len(p.missing) > 0 {
				if len(calls) > 0 {
					break
				}
				if q, ok := pl.lookup(p, done); ok {
					return decision{calls: []call{q}}
				}
				if !forced {
					return decision{text: withReport(pl.reportOf(done), pl.question(p))}
				}
				p.fillAnyhow(pl.today)
			}
			next := call{name: p.tool.name, args: p.json()}
			if repeated(next, done) {
				continue
			}
			calls = append(calls, next)
			if len(several) == 1 {
				break
			}
		}
		// What is said of several things is asked for at once; another sentence may need
		// what the one before has found.
		if len(calls) > 0 {
			return decision{calls: calls}
		}
	}
	if len(done) > 0 && doubt != "" {
		return decision{text: pl.report(done) + "\n\nI have not done " + leftOf(unclear) + ": " + doubt}
	}
	if len(done) > 0 {
		return decision{text: pl.report(done) + pl.notDone(done)}
	}
	if forced {
		p := pl.force()
		return decision{calls: []call{{name: p.tool.name, args: p.json()}}}
	}
	if doubt != "" {
		return decision{text: doubt}
	}
	return decision{text: pl.unsure()}
}

// repeated says whether a call with the same arguments was made already.
func repeated(next call, done []result) bool {
	for _, d := range done {
		if d.call.name == next.name && sameJSON(d.call.args, next.args) {
			return true
		}
	}
	return false
}

func sameJSON(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return a == b
	}
	p, _ := json.Marshal(x) // what was decoded can be encoded
	q, _ := json.Marshal(y)
	return string(p) == string(q)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n]) + "…"
}

// list joins words as a sentence does: "a, b and c".
func list(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " " + last + " " + words[len(words)-1]
}

func withReport(report, more string) string {
	if report == "" {
		return more
	}
	return report + "\n\n" + more
}
