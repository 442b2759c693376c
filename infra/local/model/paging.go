package model

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
)

var (
	goesOn = regexp.MustCompile(`(?i)^\W*(?:and\s+|ok(?:ay)?,?\s+)?(?:show\s+|give\s+)?(?:me\s+)?(?:the\s+)?` +
		`(?:(?:next|more)(?:\s+(?:(\d{1,3})|page|ones?|of them|please))?|rest|aur(?:\s+dikhao)?|और(?:\s+दिखाओ)?)\W*$`)
	passOver   = regexp.MustCompile(`(?i)^(?:offset|skip)$`)
	manyAtOnce = regexp.MustCompile(`(?i)^(?:limit|max_results|page_size)$`)
	whenNone   = regexp.MustCompile(`\b(\d{1,3}) when left out\b`)
)

// nextPage repeats the last call for what comes behind its rows, where its tool can
// pass over some; false when the text does not ask for it.
func (pl *planner) nextPage() (call, bool) {
	asked := goesOn.FindStringSubmatch(pl.said)
	if asked == nil {
		return call{}, false
	}
	last, ok := pl.lastCall()
	if !ok {
		return call{}, false
	}
	at := slices.IndexFunc(pl.indexed, func(o indexedTool) bool { return o.name == last.name && o.reads })
	var given map[string]any
	if at < 0 || json.Unmarshal([]byte(last.args), &given) != nil {
		return call{}, false
	}
	next := candidate{tool: pl.indexed[at].tool, args: given}
	size, offset, limit := 0, "", ""
	for _, p := range next.tool.params.props {
		switch {
		case passOver.MatchString(p.name):
			offset = p.name
		case manyAtOnce.MatchString(p.name):
			limit = p.name
			if found := whenNone.FindStringSubmatch(p.description); found != nil {
				size = atoi(found[1])
			}
		}
	}
	if offset == "" || limit == "" {
		return call{}, false
	}
	if n, ok := given[limit].(float64); ok {
		size = int(n)
	}
	before, _ := given[offset].(float64) // none is 0
	given[offset] = json.Number(strconv.Itoa(int(before) + size))
	if asked[1] != "" {
		given[limit] = json.Number(asked[1])
	}
	for _, p := range next.tool.params.props {
		if _, has := given[p.name]; has {
			next.order = append(next.order, p.name)
		}
	}
	return call{name: last.name, args: next.json()}, size > 0
}

// lastCall returns the newest call of the conversation.
func (pl *planner) lastCall() (call, bool) {
	for _, one := range slices.Backward(pl.messages) {
		if n := len(one.calls); n > 0 {
			return one.calls[n-1], true
		}
	}
	return call{}, false
}
