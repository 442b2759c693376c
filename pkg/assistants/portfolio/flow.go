package portfolio

import (
	"context"
	"encoding/json"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/story"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/tools"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/writer"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// interview is the flow of the assistant. Before any model is asked, code attaches the
// photos that came with the message and takes down what it says of the job, so that a
// turn loses nothing whatever becomes of its answer.
type interview struct{ cfg Config }

// mode is kept for a conversation that is not recorded.
type mode struct {
	Project string `json:"project,omitempty"` // a code
}

type events = iter.Seq2[agent.Event, error]

// Answer answers one turn.
func (f *interview) Answer(ctx context.Context, t *flow.Turn) events {
	return func(yield func(agent.Event, error) bool) {
		w := &way{f: f, t: t}
		if err := w.begin(ctx); err != nil {
			yield(nil, err)
			return
		}
		if !yield(agent.Routing{Agents: len(t.Agents()), Tools: t.Tools()}, nil) {
			return
		}
		w.choose(w.bind(ctx))(yield)
	}
}

// way is one turn on its way to an answer.
type way struct {
	f       *interview
	t       *flow.Turn
	text    string   // the newest message
	said    []string // all that the person typed or spoke, the oldest first
	told    bool     // the newest message is the person's own words
	command command
	asked   string // the subject of the question that is open; "" for none
	about   about
	read    story.Reading // of the newest message
	came    int           // photos that came with it
	refused []string      // sentences on photos that were not taken
}

// begin reads the message and its project, and saves what it brings.
func (w *way) begin(ctx context.Context) error {
	w.text = w.t.History.LastUserText()
	last, _ := w.t.History.Last(llm.User)
	w.told = !last.Foreign || last.Spoken
	for _, e := range w.t.History.Entries {
		if e.Role == llm.User && (!e.Foreign || e.Spoken) && e.Text != "" {
			w.said = append(w.said, e.Text)
		}
	}
	if !last.Foreign {
		w.command = commandOf(w.text)
	}
	w.asked = openQuestion(w.t.History)
	p, err := w.project(ctx)
	if err != nil {
		return err
	}
	w.about.earlier = w.earlier()
	if w.t.By.Visitor == "" {
		if w.about.business, err = w.f.cfg.Projects.Business(ctx, w.t.By); err != nil {
			return err
		}
	}
	if p == nil {
		return nil
	}
	w.about.project = p
	if !w.t.By.Role.Writes() {
		return nil
	}
	if err := w.attach(ctx, last); err != nil {
		return err
	}
	return w.takeDown(ctx)
}

// project finds the project of the conversation, and makes one where there is none
// and the conversation is not recorded. It returns nil for who may not begin one.
func (w *way) project(ctx context.Context) (*projects.Project, error) {
	if w.t.By.Visitor != "" {
		return nil, nil
	}
	named := w.t.Project()
	var m mode
	if _, err := w.t.Mode(&m); err != nil {
		m = mode{} // of another version
	}
	if named == "" {
		named = m.Project
	}
	if named != "" {
		p, err := w.f.cfg.Projects.Get(ctx, w.t.By, named)
		if err != nil {
			return nil, err
		}
		return &p, w.keep(m, p)
	}
	if !w.t.By.Role.Writes() {
		return nil, nil
	}
	p, err := w.f.cfg.Projects.Begin(ctx, w.t.By, w.t.Name(), "")
	if err != nil {
		return nil, err
	}
	return &p, w.keep(m, p)
}

func (w *way) keep(m mode, p projects.Project) error {
	if m.Project == p.Code {
		return nil
	}
	return w.t.SetMode(mode{Project: p.Code})
}

var uploadID = regexp.MustCompile(`^/api/uploads/([a-z2-9]{24})$`)

// attach takes the photos that came with the message into the project.
func (w *way) attach(ctx context.Context, last history.Entry) error {
	var ids []string
	for _, file := range last.Files {
		if m := uploadID.FindStringSubmatch(file.URL); m != nil {
			ids = append(ids, m[1])
		}
	}
	before := len(w.about.project.Images)
	for _, id := range ids {
		p, err := w.f.cfg.Projects.Attach(ctx, w.t.By, w.about.project.Code, []string{id})
		if f := fault.From(err); err != nil && f.Kind != fault.Internal && f.Kind != fault.Unavailable {
			if f.Code != "not_a_photo" { // other files are read by the model
				w.refused = append(w.refused, f.Message)
			}
			continue
		}
		if err != nil {
			return err
		}
		*w.about.project = p
	}
	w.came = len(w.about.project.Images) - before
	return nil
}

// takeDown saves what the message says of the job.
func (w *way) takeDown(ctx context.Context) error {
	if !w.told || w.command != "" || strings.TrimSpace(w.text) == "" {
		return nil
	}
	text := w.text
	if w.asked == "" {
		// A question or an order says nothing of the job.
		if text = statements(text); text == "" || isEdit(text) || isOrder(text) {
			return nil
		}
	}
	p, err := w.f.cfg.Projects.Merge(ctx, w.t.By, w.about.project.Code,
		func(p projects.Project) (projects.Changes, error) {
			w.read = story.Read(p, text, w.asked)
			return w.read.Changes, nil
		})
	if err != nil {
		return err
	}
	*w.about.project = p
	return nil
}

// earlier returns what is worth keeping of the messages that the agents' window does not
// show.
func (w *way) earlier() []string {
	shown := w.t.History.Within(history.Window{Messages: window, Tokens: budget})
	hidden := len(w.t.History.Entries) - len(shown)
	var before []string
	for _, e := range w.t.History.Entries[:max(0, hidden)] {
		if e.Role == llm.User && (!e.Foreign || e.Spoken) {
			before = append(before, e.Text)
		}
	}
	if len(before) == 0 {
		return nil
	}
	return story.Salient(before, earlierFacts)
}

// openQuestion returns the subject of the question with which the last verified answer
// ended; "" for none.
func openQuestion(h history.Conversation) string {
	last, ok := h.Last(llm.Assistant)
	if !ok || last.State == nil || len(last.State.Steps) == 0 {
		return ""
	}
	steps := last.State.Steps
	for _, c := range slices.Backward(steps[len(steps)-1].Calls) {
		if c.Name != "requestClarification" {
			continue
		}
		var in struct {
			Subject string `json:"subject"`
		}
		if err := json.Unmarshal([]byte(c.Arguments), &in); err == nil {
			return in.Subject
		}
	}
	return ""
}

// bind returns the context in which the tools of this turn run: with its project, its
// budget, what was said, and the model of the deep tools.
func (w *way) bind(ctx context.Context) context.Context {
	turn := tools.Quick
	if w.deepTurn() {
		turn = tools.Deep
	}
	latest := w.text
	if !w.told {
		latest = ""
	}
	// The newest message was taken down by takeDown.
	ctx = tools.WithBudget(tools.WithTaken(ctx, latest, w.said), turn)
	if p := w.about.project; p != nil {
		ctx = tool.WithProject(ctx, p.Code)
	}
	if !w.f.cfg.Unmodelled {
		ctx = writer.With(ctx, func(ctx context.Context, r llm.Request) (llm.Answer, error) {
			m, err := w.t.Model(ctx, llm.Capable)
			if err != nil {
				return llm.Answer{}, err
			}
			if r.Model == "" {
				r.Model = w.f.cfg.Model
			}
			return m.Answer(ctx, r, nil)
		})
	}
	return withAbout(ctx, &w.about)
}

// deepTurn reports whether the person asked for the long work: by the request's flag, or
// by the sentence of a quick action (S3-15, S3-28).
func (w *way) deepTurn() bool {
	return w.t.Choice.Deep || w.t.Choice.Agent == writing ||
		w.command == generate || w.command == arrange || w.command == coach
}

// choose returns the events of the answer.
func (w *way) choose(ctx context.Context) events {
	a, ok := w.agent()
	switch {
	case !ok:
		return w.say("I can't do anything here without my tools.")
	case w.t.By.Visitor != "":
		return w.say("Please sign in: a portfolio belongs to a business.")
	case w.about.project == nil && w.command == list:
		return w.listed(ctx, a)
	case w.about.project == nil:
		return w.say("Only administrators and managers may begin a project. Open one of the list to look at its page.")
	case w.command != "":
		return w.ordered(ctx, a)
	case w.f.cfg.Unmodelled:
		return w.ruled(ctx, a)
	}
	tier, why := llm.Cheap, "a step of the interview"
	if w.deepTurn() {
		tier, why = llm.Capable, "the person asked for the long work"
	}
	return flow.OrElse(w.routed(agent.PathModel, a, why, w.honest(w.t.Run(ctx, a, flow.On(tier)))),
		func(*fault.Error) events {
			return flow.Finally(w.ruled(ctx, a), func(o *agent.Outcome) { o.Degraded = append(o.Degraded, modelDown) })
		})
}

// agent returns the one who answers: the writer for the long work.
func (w *way) agent() (*agent.Agent, bool) {
	name := interviewer
	if w.deepTurn() {
		name = writing
	}
	return w.t.Agent(name)
}

// saysPublic finds that a page is said to be public.
var saysPublic = regexp.MustCompile(`(?i)\b(?:is|it['’]s|was|been) (?:now |already ` +
	`)?(?:published|public|online|live)\b`)

const notPublic = "\n\n(The page is not public: nothing was published.)"

// honest adds to an answer of a model that says that the page is public, while it is not.
// Claims of acts are corrected by the loop; this is one of a state.
func (w *way) honest(run events) events {
	return func(yield func(agent.Event, error) bool) {
		for e, err := range run {
			done, ended := e.(agent.Done)
			if ended && w.about.project.Status != projects.Published && done.Outcome.Proposal == nil &&
				saysPublic.MatchString(done.Outcome.Reply) {
				if !yield(agent.Text{Text: notPublic}, nil) {
					return
				}
				done.Outcome.Reply += notPublic
				e = done
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// modelDown is the degraded code of an answer that a model should have given.
const modelDown = "model_unavailable"

// routed says how the turn is answered before its events.
func (w *way) routed(path agent.Path, a *agent.Agent, why string, run events) events {
	return func(yield func(agent.Event, error) bool) {
		if !yield(agent.Routed{Path: path, Agent: a.Name, Label: a.Label, Reasoning: why, How: "explicit"}, nil) {
			return
		}
		flow.Finally(run, func(o *agent.Outcome) { o.Reasoning = why })(yield)
	}
}

// say answers with a sentence of ours.
func (w *way) say(text string) events {
	o := agent.Outcome{Understanding: agent.Understanding{Agent: interviewer, Path: agent.PathDirect,
		Category: agent.Unified}}
	o.Label, _ = w.t.Profile().Label(interviewer)
	return flow.Say(text, o)
}
