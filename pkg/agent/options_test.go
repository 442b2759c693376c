package agent_test

import (
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/agent"
)

// A question of a model with a list has choices that send their words; one that offers a
// plain yes has none, since that could answer a proposal.
func TestOptionsOfAQuestionCanBePressed(t *testing.T) {
	t.Parallel()
	name := func() string { return "t2a" }
	p, ok := agent.Offered("Which cabin?\n- Deodar\n- Juniper\n\nWhich one?", nil, name)
	if !ok || p.ID != "t2a" || p.Kind != "choices" || !strings.Contains(string(p.Data), `"words":"Juniper"`) {
		t.Errorf("offered %v %+v", ok, p)
	}
	for _, reply := range []string{
		"Shall I?\n- yes, do it\n- no\n\nWhich is it?",
		"Shall I?\n- haan\n- Juniper\n\nWhich is it?",
	} {
		if p, ok := agent.Offered(reply, nil, name); ok {
			t.Errorf("%q is offered as %s", reply, p.Data)
		}
	}
	if _, ok := agent.Offered("- Deodar\n\nWhich?", func(string) bool { return false }, name); ok {
		t.Error("an assistant without choices offers some")
	}
	out := play(t, &hotel{}, &memory{}, 3, says("Which cabin do you mean?\n- Deodar\n- Juniper\n\nWhich one is it?"))
	if len(out.Parts) != 1 {
		t.Errorf("parts %+v, want the choices", out.Parts)
	}
}
