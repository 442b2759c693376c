package rest

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// rolePath leads from the claims to the role: keys, array positions and, at the
// end, a search for the first text that compares as wanted.
type rolePath []roleStep

type roleStep struct {
	key     string
	index   int
	compare string // "", "==", "!=", "^==", "==^" or "*=="
	text    string
	kind    byte // 'k', 'i' or 'f'
}

// parseRolePath reads PostgREST's jwt-role-claim-key: .a."b c"[0] and
// .roles[?(@ == "x")].
func parseRolePath(path string) (rolePath, error) {
	var out rolePath
	for rest := path; rest != ""; {
		step, tail, err := roleStepOf(rest)
		if err != nil {
			return nil, fmt.Errorf("role claim %q: %w", path, err)
		}
		out, rest = append(out, step), tail
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("role claim %q names nothing", path)
	}
	return out, nil
}

func roleStepOf(s string) (step roleStep, rest string, err error) {
	switch {
	case strings.HasPrefix(s, `."`):
		key, rest, ok := strings.Cut(s[2:], `"`)
		if !ok {
			return step, "", fmt.Errorf("a quote is not closed")
		}
		return roleStep{kind: 'k', key: key}, rest, nil
	case strings.HasPrefix(s, "."):
		end := strings.IndexAny(s[1:], ".[")
		if end < 0 {
			end = len(s) - 1
		}
		if end == 0 {
			return step, "", fmt.Errorf("a name is missing")
		}
		return roleStep{kind: 'k', key: s[1 : 1+end]}, s[1+end:], nil
	case strings.HasPrefix(s, "[?(@"):
		inner, rest, ok := strings.Cut(s[4:], ")]")
		if !ok || rest != "" {
			return step, "", fmt.Errorf("a search must be closed and stand at the end")
		}
		operator, text, _ := strings.Cut(strings.TrimSpace(inner), `"`)
		operator = strings.TrimSpace(operator)
		switch operator {
		case "==", "!=", "^==", "==^", "*==":
		default:
			return step, "", fmt.Errorf("%q compares nothing", operator)
		}
		return roleStep{kind: 'f', compare: operator, text: strings.TrimSuffix(text, `"`)}, "", nil
	case strings.HasPrefix(s, "["):
		number, rest, ok := strings.Cut(s[1:], "]")
		n, err := strconv.Atoi(number)
		if !ok || err != nil || n < 0 {
			return step, "", fmt.Errorf("%q is no position", number)
		}
		return roleStep{kind: 'i', index: n}, rest, nil
	}
	return step, "", fmt.Errorf("a step begins with a dot or a bracket")
}

// role walks the claims; ok is false when the path leads nowhere.
func (p rolePath) role(claims map[string]any) (role string, ok bool) {
	var at any = claims
	for _, step := range p {
		switch step.kind {
		case 'k':
			m, isMap := at.(map[string]any)
			if !isMap {
				return "", false
			}
			if at, ok = m[step.key]; !ok {
				return "", false
			}
		case 'i':
			list, isList := at.([]any)
			if !isList || step.index >= len(list) {
				return "", false
			}
			at = list[step.index]
		default:
			list, isList := at.([]any)
			if !isList {
				return "", false
			}
			found := false
			for _, one := range list {
				if text, isText := one.(string); isText && step.matches(text) {
					at, found = text, true
					break
				}
			}
			if !found {
				return "", false
			}
		}
	}
	if text, isText := at.(string); isText {
		return text, true
	}
	raw, err := json.Marshal(at)
	return string(raw), err == nil && at != nil
}

func (s roleStep) matches(text string) bool {
	switch s.compare {
	case "!=":
		return text != s.text
	case "^==":
		return strings.HasPrefix(text, s.text)
	case "==^":
		return strings.HasSuffix(text, s.text)
	case "*==":
		return strings.Contains(text, s.text)
	}
	return text == s.text
}
