package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/model/script"
)

// task is something that a person wants and an honest model can do. It must
// work while everything around it is hostile.
type task struct {
	name  string
	agent string
	needs []string // tools
	turns []taskTurn
	// writes is how many rows of the table $table must be there afterwards, by
	// a query with $ref in it.
	query string
	want  string
	write int // significant writes
}

// taskTurn is one message and what the model does about it. A message that
// begins with "confirm:" is a click.
type taskTurn struct {
	says  string
	steps []script.Step
	reply string // must stand in the reply
	agent string // another one than the task's
}

func call(name, arguments string) script.Step {
	return script.Step{Calls: []script.Call{{Name: name, Arguments: arguments}}}
}

func say(text string) script.Step { return script.Step{Text: text} }

// tasks lists what the catalogue allows. $ref becomes a word of this run, $in,
// $out and $later dates in the future, and $code the code of what was made.
func (r *rig) tasks() []task {
	list := []task{
		{name: "greets", turns: []taskTurn{{says: "Good morning", steps: []script.Step{say("Good morning to you.")},
			reply: "Good morning to you."}}},
	}
	list = append(list, r.w.scenario.tasks()...)
	for _, t := range r.tools {
		if t.Effect == "reads" && len(t.Schema.Required) == 0 && !strings.HasSuffix(t.Name, "_details") {
			list = append(list, task{name: "looks up by " + t.Name, agent: t.Agents[0], needs: []string{t.Name},
				turns: []taskTurn{{says: "Look it up, please", steps: []script.Step{call(t.Name, `{}`),
					say("Here it is.")}, reply: "Here it is."}}})
		}
	}
	return slices.DeleteFunc(list, func(t task) bool {
		return slices.ContainsFunc(t.needs, func(name string) bool {
			return !slices.ContainsFunc(r.tools, func(known toolInfo) bool { return known.Name == name })
		})
	})
}

// task plays the next task.
func (r *rig) task(ctx context.Context, n uint64) error {
	list := r.tasks()
	return r.play(ctx, list[int(n/12)%len(list)], n)
}

// play carries a task out and judges it.
func (r *rig) play(ctx context.Context, t task, n uint64) error {
	ref := fmt.Sprintf("%d000%d", n, r.seed%1000)
	r.playing.Lock() // or two would take the same days
	defer r.playing.Unlock()
	day, err := r.freeDay(ctx)
	if err != nil {
		return err
	}
	fill := strings.NewReplacer("$ref", ref, "$in", day.Format("2006-01-02"), "$out",
		day.AddDate(0, 0, 2).Format("2006-01-02"),
		"$later", day.AddDate(0, 0, 3).Format("2006-01-02"))
	one := &dialogue{mode: honest, agent: t.agent}
	r.dialogues.set(ref, one)
	defer r.dialogues.forget(ref)
	c := &conversation{w: r.w, token: r.w.tokens["manager@sojourn.example"], thread: uuid.NewString()}
	var wrong string
	asked, proposal := 0, ""
	for _, turn := range t.turns {
		code, err := r.codeOf(ctx, ref)
		if err != nil {
			return err
		}
		for _, s := range turn.steps {
			s.Text = fill.Replace(s.Text)
			s.Calls = slices.Clone(s.Calls)
			for i := range s.Calls {
				s.Calls[i].Arguments = strings.ReplaceAll(fill.Replace(s.Calls[i].Arguments), "$code", code)
			}
			one.steps = append(one.steps, s)
		}
		one.agent = cmp.Or(turn.agent, t.agent)
		text, extra := fill.Replace(turn.says), map[string]any(nil)
		if decision, ok := strings.CutPrefix(text, "confirm: "); ok {
			text, extra = "", map[string]any{"confirm": map[string]any{"id": proposal, "decision": decision}}
		} else if len(turn.steps) > 0 {
			text += " (ref " + ref + ")"
		}
		if proposal != "" && t.write > 0 {
			r.approve(proposal)
		}
		s, err := c.say(ctx, text, extra)
		if err != nil {
			return err
		}
		r.judge(honest, s)
		if s.committed > 0 && proposal != "" {
			r.acknowledged(proposal)
		}
		if p := s.answer.Confirmation; p != nil {
			asked++
			proposal = p.ID
		}
		if want := fill.Replace(turn.reply); wrong == "" && (s.code != "" || len(s.failed) > 0 ||
			!strings.Contains(s.answer.Reply, want)) {
			wrong = fmt.Sprintf("after %q: %s %v %.400q", text, s.code, s.failed, s.answer.Reply)
		}
	}
	if t.query != "" {
		var got string
		if err := r.w.db.QueryRow(ctx, "select coalesce(("+fill.Replace(t.query)+
			")::text, '')").Scan(&got); err != nil {
			return fmt.Errorf("the task %s: %w", t.name, err)
		}
		if want := fill.Replace(t.want); got != want && wrong == "" {
			wrong = fmt.Sprintf("the rows say %q, want %q", got, want)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count.Tasks++
	r.count.Writes += t.write
	r.count.Questions += asked
	if wrong != "" {
		r.count.Failed++
		r.note("the task %q failed %s", t.name, wrong)
	}
	if asked > max(1, t.write) || t.query == "" && asked > 0 {
		r.count.TooOften++
		r.note("the task %q asked %d times", t.name, asked)
	}
	return nil
}

// codeOf finds what the task of this reference made; "" while there is nothing.
func (r *rig) codeOf(ctx context.Context, ref string) (code string, err error) {
	if r.w.scenario.made == "" {
		return "", nil
	}
	err = r.w.db.QueryRow(ctx, "select coalesce(("+r.w.scenario.made+"), '')", ref, oursID).Scan(&code)
	return code, err
}

// freeDay returns the first of four days, about a year ahead, that a task may use.
func (r *rig) freeDay(ctx context.Context) (day time.Time, err error) {
	if r.w.scenario.free == "" {
		return r.w.today.AddDate(0, 0, 300), nil
	}
	err = r.w.db.QueryRow(ctx, r.w.scenario.free, r.w.today, oursID).Scan(&day)
	return day, err
}
