package model

import (
	"slices"
	"strings"
)

// picked returns which item of the list that the question before ends with a text names: by
// its words, or by a yes where there is one alone; "" for none.
func picked(text, before string) string {
	item := strings.ToLower(strings.TrimSpace(text))
	if item == "" || !strings.HasSuffix(before, "?") {
		return ""
	}
	var items []string
	for line := range strings.SplitSeq(strings.ToLower(before), "\n") {
		if one, ok := strings.CutPrefix(line, "- "); ok {
			items = append(items, one)
		}
	}
	switch {
	case slices.Contains(items, item):
		return item
	case len(items) == 1 && strings.HasSuffix(before, isThatIt) && yes.MatchString(item) &&
		len(strings.Fields(item)) < 3:
		return items[0]
	}
	return ""
}

// What a question ends with that offers readings.
const (
	isThatIt  = "Is that it?"
	whichIsIt = "Which is it?"
)

// offers says whether a text ends by offering readings, none of which was sure.
func offers(before string) bool {
	return strings.HasSuffix(before, isThatIt) || strings.HasSuffix(before, whichIsIt)
}
