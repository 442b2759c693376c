package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/part"
)

// conversation is a person at a console who talks with an assistant.
type conversation struct {
	line    wire
	thread  *thread
	screen  *screen
	console console
	entity  string
	quiet   bool      // print answers alone
	asked   *question // that is open
	failed  bool      // something did
}

// question is a proposal that waits for consent.
type question struct {
	ID   string `json:"id"`
	Tier string `json:"tier"`
	Code string `json:"code"`
}

// answer is what a complete event holds of use here.
type answer struct {
	Message      json.RawMessage `json:"message"`
	Confirmation *question       `json:"confirmation"`
	Finish       string          `json:"finish"`
	Degraded     []string        `json:"degraded"`
}

const help = `Ask in your own words. When something would be changed you see it first and answer y or n.
  /new            begin a new conversation
  /undo [words]   take the last question back, and ask in other words
  /quit           leave; so does the end of input (Ctrl-D)
Ctrl-C stops an answer; pressed twice it does not wait for its end.`

// one asks one question and ends.
func (c *conversation) one(ctx context.Context, text string) (int, error) {
	if err := c.turn(ctx, text, nil); err != nil {
		return failed, err
	}
	if c.asked != nil {
		return open, nil
	}
	return answered, nil
}

// loop talks until the input ends.
func (c *conversation) loop(ctx context.Context) (int, error) {
	if !c.quiet {
		c.screen.note("You are " + oneLine(c.line.who.name) + ". /help says what there is.")
		if n := len(c.thread.Messages); n > 0 {
			c.screen.note(fmt.Sprintf("Going on with a conversation of %d messages.", n))
		}
	}
	lines := readLines(c.console.in)
	for {
		text, more := c.next(lines, c.mark())
		if !more {
			break
		}
		done, err := c.heed(ctx, text, lines)
		if err != nil {
			c.failed = true
			c.screen.trouble(err.Error())
		}
		if done {
			break
		}
	}
	switch {
	case c.failed && c.quiet:
		return failed, nil
	case c.asked != nil && c.quiet:
		return open, nil
	}
	return answered, nil
}

// readLines reads in the background, so that a Ctrl-C is heard meanwhile.
func readLines(in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		r := bufio.NewReader(in)
		for {
			text, err := r.ReadString('\n')
			if text = strings.TrimSpace(text); text != "" || err == nil {
				lines <- text
			}
			if err != nil {
				return
			}
		}
	}()
	return lines
}

// next waits for the next line.
func (c *conversation) next(lines <-chan string, mark string) (string, bool) {
	for {
		if !c.quiet {
			c.screen.line()
			c.screen.write(mark)
		}
		select {
		case text, more := <-lines:
			c.screen.ends = "\n"
			return text, more
		case <-c.console.interrupts:
			c.screen.note("\nType /quit to leave.")
		}
	}
}

// mark is what stands before the place where a person types.
func (c *conversation) mark() string {
	switch {
	case c.asked == nil:
		return "> "
	case c.asked.Tier == "CRITICAL":
		return `Type "yes ` + oneLine(c.asked.Code) + `" to do this, or n: `
	}
	return "Do this? y or n: "
}

// heed does what a line says.
func (c *conversation) heed(ctx context.Context, text string, lines <-chan string) (done bool, err error) {
	command, words, _ := strings.Cut(text, " ")
	switch command {
	case "":
		return false, nil
	case "/quit", "/exit":
		return true, nil
	case "/help":
		c.screen.note(help)
		return false, nil
	case "/new":
		c.asked = nil
		c.thread.ID, c.thread.Messages = c.console.newID(), nil
		c.screen.note("A new conversation.")
		return false, c.thread.save()
	case "/undo":
		return false, c.undo(ctx, strings.TrimSpace(words))
	}
	if strings.HasPrefix(command, "/") {
		c.screen.note("There is no " + oneLine(command) + "; /help says what there is.")
		return false, nil
	}
	if c.asked != nil {
		if d, ok := c.decide(text, lines); ok {
			if d == nil {
				return false, nil
			}
			return false, c.turn(ctx, "", d)
		}
	}
	return false, c.turn(ctx, text, nil)
}

func (c *conversation) undo(ctx context.Context, words string) error {
	was, ok, err := c.thread.takeBack()
	switch {
	case err != nil:
		return err
	case !ok:
		c.screen.note("There is nothing to take back.")
		return nil
	}
	c.asked = nil
	if words != "" {
		return c.turn(ctx, words, nil)
	}
	c.screen.note("Taken back: " + oneLine(was) + "\nAsk in other words. What was done stays done.")
	return nil
}

// decision is an answer to a question by button.
type decision struct {
	ID       string `json:"id"`
	Decision string `json:"decision"`
	Phrase   string `json:"phrase,omitempty"`
}

// decide reads a line as an answer to the open question. Other words are a
// message like any other (ok is false); nil means that the second step of two
// was not taken, and the question stays open.
func (c *conversation) decide(text string, lines <-chan string) (d *decision, ok bool) {
	q := c.asked
	word := strings.ToLower(text)
	if word == "n" || word == "no" {
		return &decision{ID: q.ID, Decision: "reject"}, true
	}
	if q.Tier == "CRITICAL" {
		// The whole phrase, as it was shown; the server compares it.
		if strings.EqualFold(text, "yes "+q.Code) {
			return &decision{ID: q.ID, Decision: "approve", Phrase: text}, true
		}
		if word == "y" || word == "yes" {
			return nil, true
		}
		return nil, false
	}
	full := strings.EqualFold(text, "yes "+q.Code)
	if word != "y" && word != "yes" && !full {
		return nil, false
	}
	if q.Tier == "HIGH" && !full {
		code, more := c.next(lines, "This reaches further than most. Type "+oneLine(q.Code)+" to go on: ")
		if !more || !strings.EqualFold(code, q.Code) {
			c.screen.note("Nothing was sent; the question is still open.")
			return nil, true
		}
	}
	return &decision{ID: q.ID, Decision: "approve"}, true
}

// turn asks, shows what comes, and keeps the exchange when it is complete.
func (c *conversation) turn(ctx context.Context, text string, d *decision) error {
	messages := c.thread.Messages
	var said []json.RawMessage
	if d == nil {
		m, err := userMessage(text)
		if err != nil {
			return err
		}
		said = []json.RawMessage{m}
		messages = append(messages[:len(messages):len(messages)], m)
	}
	body := map[string]any{"id": c.thread.ID, "turn": c.console.newID(), "messages": messages}
	if len(messages) == 0 {
		body["messages"] = []string{}
	}
	if d != nil {
		body["confirm"] = d
	}
	if c.entity != "" {
		body["entityId"] = c.entity
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	got, err := c.listen(ctx, raw)
	if err != nil {
		return err
	}
	c.asked = got.Confirmation
	return c.thread.add(append(said, got.Message)...)
}

// errLeft is an answer that its reader did not wait for.
var errLeft = errors.New("left; nothing of this answer is kept, but what it did stays done")

// listen sends a turn and shows its events. The first Ctrl-C asks the server to
// stop between two steps, which ends in a proper answer; the second leaves.
func (c *conversation) listen(ctx context.Context, body []byte) (answer, error) {
	ctx, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	events := make(chan event)
	ended := make(chan error, 1)
	go func() {
		defer close(events)
		hand := func(e event) error {
			select {
			case events <- e:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		ended <- c.line.ask(ctx, body, func() { _ = hand(event{name: "begin"}) }, hand)
	}()
	v := &view{screen: c.screen, titles: map[string]string{}}
	stopping := false
	for {
		select {
		case e, more := <-events:
			if !more {
				c.screen.rest()
				c.screen.line()
				return v.end(context.Cause(ctx), <-ended)
			}
			v.show(e)
		case <-c.console.interrupts:
			if stopping {
				leave(errLeft)
				continue
			}
			stopping = true
			c.screen.step("stopping after this step; Ctrl-C again to leave at once")
			go c.stop(ctx)
		}
	}
}

// stop asks for it; that it did not arrive is seen by the answer going on.
func (c *conversation) stop(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	_ = c.line.stop(ctx, c.thread.ID)
}

// view shows one answer.
type view struct {
	screen *screen
	titles map[string]string // of tools, by call
	tables []knownTable
	parts  []part.Part // those that are not shown yet, but tables
	shown  int         // bytes of the reply that an attempt before showed
	heard  int
	got    *answer
	failed *refusal
}

func (v *view) end(left, err error) (answer, error) {
	switch {
	case v.got != nil:
		return *v.got, nil
	case errors.Is(left, errLeft):
		return answer{}, errLeft
	case v.failed != nil:
		return answer{}, v.failed
	}
	return answer{}, cmp.Or(err, errCut)
}
