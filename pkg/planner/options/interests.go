package options

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
)

// readFocuses lists tags of sights: those of the person's interests in their order, then
// those that most sights have. What no sight has is no focus: nothing would lean to it.
func (f *facts) readFocuses() {
	count := map[string]int{}
	var tags []string
	for _, c := range f.cities {
		for _, s := range c.sights {
			for _, t := range s.tags {
				if count[t]++; count[t] == 1 {
					tags = append(tags, t)
				}
			}
		}
	}
	slices.SortStableFunc(tags, func(a, b string) int { return cmp.Compare(count[b], count[a]) })
	for _, i := range f.c.Preferences.Interests {
		switch t := tagOf(i); {
		case slices.Contains(f.focuses, t):
		case count[t] > 0 || t == "food" && len(f.food) > 0:
			f.focuses = append(f.focuses, t)
		}
	}
	for _, t := range tags {
		// A focus on one or two sights would be a word only.
		suits := (t != "nightlife" || f.children == 0) && (t != "family" || f.children > 0)
		if !slices.Contains(f.focuses, t) && count[t] > 2 && suits {
			f.focuses = append(f.focuses, t)
		}
	}
}

// tagOf returns the tag of the guide that an interest means.
func tagOf(interest string) string {
	interest = strings.ToLower(strings.TrimSpace(interest))
	tags := guide.Tags()
	if slices.Contains(tags, interest) {
		return interest
	}
	for _, w := range tokensOf(interest) {
		if t := interestWord(w); t != "" {
			return t
		}
		if slices.Contains(tags, w) {
			return w
		}
	}
	return interest
}

func interestWord(w string) string {
	switch w {
	case "historical", "historic", "museum", "museums", "castle", "castles", "heritage", "ruins":
		return "history"
	case "arts", "gallery", "galleries", "painting", "paintings":
		return "art"
	case "eating", "gastronomy", "cuisine", "restaurants", "foodie":
		return "food"
	case "park", "parks", "garden", "gardens", "hiking", "outdoors", "wildlife", "walks":
		return "nature"
	case "view", "viewpoints", "photography", "photos":
		return "views"
	case "buildings", "architectural":
		return "architecture"
	case "market", "bazaar", "bazaars":
		return "markets"
	case "beaches", "sea", "swimming":
		return "beach"
	case "bars", "clubs", "clubbing", "party", "parties":
		return "nightlife"
	case "kids", "children", "zoo":
		return "family"
	case "shops", "fashion":
		return "shopping"
	case "churches", "temples", "church", "temple", "mosques":
		return "religion"
	case "technology", "space":
		return "science"
	case "concerts", "opera", "jazz", "fado":
		return "music"
	case "sports", "football", "baseball", "stadium":
		return "sport"
	}
	return ""
}
