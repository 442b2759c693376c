package assistants

import (
	"fmt"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// EveryRead stands for all tools that change nothing.
const EveryRead = "*"

// Narrow returns the assistant with no tools but the named ones, without the
// agents that are left with none, and with nothing recorded. A name that it
// does not have is passed over, since a list may be meant for several
// assistants; a tool that does more than read is an error. Without any tool
// left there is no such assistant, and ok is false.
func (a *Assistant) Narrow(names ...string) (narrow *Assistant, ok bool, err error) {
	b := *a
	b.Agents, b.Variants, b.Suggestions, b.Records = nil, nil, nil, false
	var left []string
	for _, g := range a.Agents {
		var kept []tool.Tool
		for _, t := range g.Tools.All() {
			named := slices.Contains(names, t.Name())
			if named && t.Effect() != tool.Reads {
				return nil, false, fmt.Errorf("assistant %s: the tool %s does more than read", a.Name, t.Name())
			}
			if named || slices.Contains(names, EveryRead) && t.Effect() == tool.Reads {
				kept = append(kept, t)
			}
		}
		if len(kept) == 0 {
			continue
		}
		set, err := tool.NewSet(kept...)
		if err != nil {
			return nil, false, err
		}
		less := *g
		less.Tools = set
		b.Agents, left = append(b.Agents, &less), append(left, g.Name)
	}
	if len(b.Agents) == 0 {
		return nil, false, nil
	}
	if b.Router, err = a.Router.Among(left...); err != nil {
		return nil, false, err
	}
	return &b, true, b.Check()
}
