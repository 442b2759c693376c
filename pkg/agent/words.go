package agent

import (
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/vocabulary"
)

// title turns a tool's name into a display title: "List room types".
func title(name string) string {
	words := vocabulary.ToolWords(name)
	if words == "" {
		return "Unnamed tool"
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

func titles(calls []llm.Call) string {
	var names []string
	for _, c := range calls {
		names = append(names, strings.ToLower(title(validName(c.Name))))
	}
	return strings.Join(names, ", ")
}

// validName makes a name that a provider accepts in a replayed call.
func validName(name string) string {
	clean := strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, shortened(name))
	if clean == "" {
		return "unnamed"
	}
	return clean
}

func shortened(name string) string {
	if len(name) > 64 {
		return strings.ToValidUTF8(name[:64], "")
	}
	return name
}
