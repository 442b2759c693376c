package tools

import (
	"context"
	"sync"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

type saidKey struct{}

// Said is what a person typed or dictated in a conversation.
type Said struct {
	Latest string   // the newest message
	All    []string // all messages, the oldest first, the newest among them
	// Taken says that what the newest message tells of the job was taken down already.
	Taken bool
}

// WithSaid tells the tools of a turn what the person said, which is all that they
// take down as facts.
func WithSaid(ctx context.Context, latest string, all []string) context.Context {
	return context.WithValue(ctx, saidKey{}, Said{Latest: latest, All: all})
}

// WithTaken is WithSaid for a newest message that a flow has taken down by itself
// (story.Read): a model's extraction is merged all the same.
func WithTaken(ctx context.Context, latest string, all []string) context.Context {
	return context.WithValue(ctx, saidKey{}, Said{Latest: latest, All: all, Taken: true})
}

// saidIn returns what was said, and false outside of a conversation, where people
// fill in the arguments themselves.
func saidIn(ctx context.Context) (Said, bool) {
	s, ok := ctx.Value(saidKey{}).(Said)
	return s, ok
}

// Turn is how much a turn may do.
type Turn uint8

// The turns.
const (
	Quick Turn = iota // a step of the interview: short, with one thing asked or shown
	Deep              // texts are written, as the person asked for
)

// class is what calls of several tools count as together.
type class uint8

const (
	free       class = iota // looks that cost nothing
	extraction              // takes down what was said
	asking                  // asks the person for words or for photos
	previewing              // shows the page
	chips                   // offers what to do next
	editing                 // changes the draft
	checking                // checks whether it may be published
	deep                    // asks a model to write
	acting                  // asks for consent: publishing, the business
)

// limits says how many calls of a class a turn has.
func (t Turn) limits() map[class]int {
	m := map[class]int{extraction: 1, asking: 1, previewing: 1, chips: 1, editing: 3, checking: 1, deep: 0, acting: 1}
	if t == Deep {
		m[editing], m[deep] = 5, 3
	}
	return m
}

type budgetKey struct{}

// budget is what is left of a turn's calls. It is safe for concurrent use.
type budget struct {
	mu   sync.Mutex
	turn Turn
	left map[class]int
}

// WithBudget bounds the calls of one turn of a conversation. Without it, as where a
// person presses a button, nothing is bounded.
func WithBudget(ctx context.Context, t Turn) context.Context {
	return context.WithValue(ctx, budgetKey{}, &budget{turn: t, left: t.limits()})
}

// spend takes one call of the class. Beyond the budget it is a fault.Limited error
// (code "turn_budget") whose sentence tells a model how to go on.
func spend(ctx context.Context, c class) error {
	b, _ := ctx.Value(budgetKey{}).(*budget)
	if b == nil || c == free {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left[c] > 0 {
		b.left[c]--
		return nil
	}
	return fault.New(fault.Limited, "%s", b.over(c)).WithCode("turn_budget")
}

// refund gives back what a call spent that did nothing.
func refund(ctx context.Context, c class) {
	if b, _ := ctx.Value(budgetKey{}).(*budget); b != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.left[c]++
	}
}

func (b *budget) over(c class) string {
	switch c {
	case extraction:
		return "What was said is taken down already. Answer the person now."
	case asking:
		return "One thing is asked for at a time, and this answer asks for something already. Answer the person now."
	case previewing:
		return "The page is shown already. Answer the person now."
	case chips:
		return "Next steps are offered already. Answer the person now."
	case editing:
		return "This answer has changed enough. Say what was changed, and leave the rest to the next message."
	case deep:
		if b.turn == Quick {
			return "Texts are written only when the person asks for it, by “Generate the portfolio content now.” " +
				"Offer that, and answer the person now."
		}
		return "The texts are made already. Answer the person now."
	}
	return "This was done already in this answer. Answer the person now."
}
