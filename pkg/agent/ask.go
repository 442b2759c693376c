package agent

import (
	"context"
	"errors"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// ask gets the answer of a step: from an earlier attempt of this turn, or from
// the model, whose text is shown as it arrives.
func (l *loop) ask(ctx context.Context, step int) (llm.Answer, error) {
	l.spoke = false
	l.filter, l.forms = &render.Filter{Table: l.place, Hosts: l.Hosts}, nil
	if l.Shows != nil && l.Shows((part.Params{}).Kind()) && l.Shows((part.Clarification{}).Kind()) {
		l.filter.Form = func(f render.Form) { l.forms = append(l.forms, part.OfForm(f)) }
	}
	answer, known, err := l.Journal.Recall(step)
	if err != nil {
		return answer, err
	}
	if l.Plan != nil {
		// A plan chooses the same again: it reads nothing but the results.
		if answer, err = l.plan(ctx); err != nil {
			return answer, err
		}
		return answer, l.say(l.filter.Close())
	}
	if known {
		if err := l.show(answer.Text); err != nil {
			return answer, err
		}
	} else {
		if err := l.send(Generating{Step: step}); err != nil {
			return answer, err
		}
		if answer, err = l.attempt(ctx, step); err != nil {
			return answer, err
		}
		if err := l.Journal.Remember(step, answer); err != nil {
			return answer, err
		}
		answer.Usage.Calls = 1
		l.out.Usage = l.out.Usage.Add(answer.Usage)
	}
	l.out.Model, l.out.Usage.Provider = answer.Model, answer.Usage.Provider
	if answer.Refusal != "" && answer.Text == "" {
		if err := l.show(answer.Refusal); err != nil {
			return answer, err
		}
	}
	if answer.Text != "" {
		l.texts = append(l.texts, answer.Text)
	}
	return answer, l.say(l.filter.Close())
}

// show filters a piece of the model's text and says it.
func (l *loop) show(text string) error { return l.say(l.filter.Push(text)) }

// attempt asks the model. A request whose connection breaks after some text was
// shown is retried once here: the adapter cannot retry it, since it does not
// know what was shown.
func (l *loop) attempt(ctx context.Context, step int) (llm.Answer, error) {
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-l.Reserve))
		defer cancel()
	}
	if !l.Live {
		answer, err := l.answer(ctx, step, nil)
		if err == nil {
			err = l.show(answer.Text)
		}
		return answer, err
	}
	var sent strings.Builder
	answer, err := l.answer(ctx, step, func(text string) error {
		sent.WriteString(text)
		return l.show(text)
	})
	if err == nil || sent.Len() == 0 || !l.worthAgain(ctx, err) {
		return answer, err
	}
	l.out.Degraded = append(l.out.Degraded, "answer_resumed")
	c := continuation{shown: sent.String(), show: l.show}
	if answer, err = l.answer(ctx, step, c.add); err != nil {
		return answer, err
	}
	return answer, c.close()
}

// worthAgain reports whether an immediate retry may succeed.
func (l *loop) worthAgain(ctx context.Context, err error) bool {
	if ctx.Err() != nil || errors.Is(err, errLeft) {
		return false
	}
	kind := fault.KindOf(err)
	return kind == fault.Unavailable || kind == fault.Upstream || kind == fault.Timeout
}

// continuation shows a second attempt at an answer without its common prefix
// with the first; where they differ, it shows the second one whole, separated.
type continuation struct {
	shown string
	held  strings.Builder
	apart bool // the attempts differ, or the first one is passed
	show  func(string) error
}

func (c *continuation) add(text string) error {
	if c.apart {
		return c.show(text)
	}
	c.held.WriteString(text)
	held := c.held.String()
	switch {
	case strings.HasPrefix(held, c.shown):
		c.apart = true
		return c.show(held[len(c.shown):])
	case strings.HasPrefix(c.shown, held):
		return nil
	}
	c.apart = true
	return c.show("…\n\n" + held)
}

// close handles a second attempt that is a prefix of the first: the text that
// was shown stands for both.
func (c *continuation) close() error {
	if c.apart || strings.TrimSpace(c.held.String()) == strings.TrimSpace(c.shown) {
		return nil
	}
	return c.show("…")
}

// sayForms says of a reply that is only a form what it asks for.
func (l *loop) sayForms() error {
	for _, d := range l.forms {
		l.offers = true
		if strings.TrimSpace(l.reply.String()) != "" {
			continue
		}
		text := "This is still needed."
		switch d := d.(type) {
		case part.Clarification:
			text = d.Question
		case part.Params:
			if len(d.Pending) == 0 {
				text = "This is what I have so far."
			}
		}
		if err := l.say(render.Escape(text)); err != nil {
			return err
		}
	}
	return nil
}
