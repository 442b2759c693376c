package plans

import (
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
)

// Research returns what each specialist brought, for people.
func Research(messages []Message) []part.PlanResearch {
	var out []part.PlanResearch
	for _, m := range messages {
		r := part.PlanResearch{Specialist: string(m.Task.Specialist), Label: m.Task.Name, State: "done"}
		count := map[specialists.Source]int{}
		for _, found := range m.Output.Recommendations {
			if found.Error == "" {
				count[found.Source]++
			}
		}
		var by []string
		total := 0
		for _, s := range []specialists.Source{specialists.Live, specialists.Listed, specialists.Model} {
			if n := count[s]; n > 0 {
				total += n
				by = append(by, fmt.Sprintf("%d %s", n, Words(s)))
			}
		}
		r.Text = fmt.Sprintf("%d found: %s", total, strings.Join(by, ", "))
		switch {
		case total == 0:
			r.State, r.Text = "failed", "Nothing was found."
		case m.Output.Failed():
			r.State = "partly"
		}
		for _, found := range m.Output.Recommendations {
			if found.Error == "" {
				continue
			}
			if total > 0 {
				r.State = "partly"
			}
			if found.Message != "" {
				r.Text = strings.TrimSuffix(r.Text, ".") + ". " + found.Message
			}
		}
		out = append(out, r)
	}
	return out
}

// Words says what a source is.
func Words(s specialists.Source) string {
	switch s {
	case specialists.Live:
		return "live"
	case specialists.Listed:
		return "listed"
	}
	return "unverified"
}
