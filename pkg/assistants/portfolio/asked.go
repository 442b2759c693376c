package portfolio

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

var (
	// sentences are the pieces of a text up to their marks.
	sentences = regexp.MustCompile(`[^.!?\n]+(?:\.\d+[^.!?\n]*)*[.!?\n]*`)
	// asksBy are the first words of questions that lack their mark.
	asksBy = regexp.MustCompile(`(?i)^(?:and |so |but |ok |okay )?(?:who|what|which|where|when|why|how|can ` +
		`you|could you|will you|would you|do you|does it|is it|are you|are there|is there|may i|can i|should i)\b`)
	// ordersBy are the first words of orders that no job is told with.
	ordersBy = regexp.MustCompile(`(?i)^(?:please |now |and |ok |okay )?(?:translate|delete|ignore|make the|make ` +
		`it|make my|change|add the tag|add a tag|set the|rename|tell me|give ` +
		`me|show|list|send|e-?mail|write|rewrite|shorten|move|publish|unpublish|hide|open|close|forget|stop|start ` +
		`over|begin anew|remove|export|print|share)\b`)
)

// statements returns a text without its questions.
func statements(text string) string {
	var out []string
	for _, s := range sentences.FindAllString(text, -1) {
		plain := strings.TrimSpace(s)
		if plain == "" || strings.HasSuffix(plain, "?") || asksBy.MatchString(plain) {
			continue
		}
		out = append(out, plain)
	}
	return strings.Join(out, " ")
}

// isOrder reports whether a message orders something instead of telling of a job.
func isOrder(text string) bool { return ordersBy.MatchString(strings.TrimSpace(text)) }

// help says what is understood without a model.
const help = "I follow rules here, without a language model. I understand what you tell of the job, answers to my " +
	"questions, and orders such as “Write the page”, “Show me the page”, “What is still missing?”, “Change the " +
	"title to …”, “Use photo 3 as the first”, “Photos 1 to 3 are before”, “Photo 2 shows …”, “Show only the " +
	"region”, “Undo”, “Publish the page”. Everything else can be changed in the editor."

// answered answers a question or an order that no rule carries out: with what is known,
// and with what can be done. It returns false for anything else.
func (w *way) answered(p projects.Project) (string, bool) {
	asks := statements(w.text) == ""
	if !asks && !isOrder(w.text) {
		return "", false
	}
	if !asks {
		return "I can't do that. " + help, true
	}
	if lines := knownLines(p); lines != "" {
		return "This is what I know of the job:\n\n" + lines +
			"\n\nMembers of your organisation see the project; others " +
			"see only the page, once it is published.", true
	}
	return "I know nothing of the job yet. " + help, true
}

// knownLines lists what is known of a project, for its people.
func knownLines(p projects.Project) string {
	var s strings.Builder
	line(&s, "Kind of job", p.Type)
	if p.Place != (projects.Place{}) {
		shown := p.Place.Shown(p.Detail)
		if shown == "" {
			shown = "not shown"
		}
		line(&s, "Place on the page", shown)
	}
	line(&s, "What the client wanted", p.Story.Problem)
	line(&s, "What was difficult", p.Story.Challenge)
	line(&s, "What you did", p.Story.Solution)
	line(&s, "What came of it", p.Story.Result)
	line(&s, "Duration", p.Story.Duration)
	line(&s, "Finished", p.Story.Completed)
	line(&s, "Size", p.Story.Size)
	line(&s, "Materials", strings.Join(p.Materials, ", "))
	line(&s, "Techniques", strings.Join(p.Techniques, ", "))
	line(&s, "Title", p.Title)
	if n := len(p.Images); n > 0 {
		line(&s, "Photos", fmt.Sprint(n))
	}
	return strings.TrimSpace(s.String())
}
