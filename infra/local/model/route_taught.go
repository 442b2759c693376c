package model

import (
	"cmp"
	"slices"
	"strings"
)

// sureToRoute is how sure a route must be. The agent's own choice has to be surer, of
// all tools of the assistant.
const sureToRoute = 0.28

// wordShare is how much descriptions count beside sentences.
const wordShare = 0.3

// routeBy chooses by what the sentences of a domain teach, or asks.
func (pl *planner) routeBy(taught *learned, docs *routingTable, r router, pick func(string) decision) decision {
	forced := pl.choice.mode == "required" || pl.choice.mode == "named"
	likely := taught.agentsFor(pl.engine.signs(strings.Join(pl.goal, "\n"), pl.today))
	byWords := make([]float64, len(r.values))
	for i := range r.values {
		byWords[i] = docs.score(i, strings.Join(pl.goal, "\n"), pl.today) / 2
	}
	softmax(byWords)
	for i, v := range r.values {
		likely[v] = (1-wordShare)*likely[v] + wordShare*(1-likely[nobody])*byWords[i]
	}
	order := slices.Clone(r.values)
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(likely[b], likely[a]) })
	if forced || likely[order[0]] >= sureToRoute {
		return pick(order[0])
	}
	if strings.Contains(pl.lastAssistant(), "?") || elliptic.MatchString(pl.said) {
		if v, ok := pl.current(r); ok {
			return pick(v)
		}
	}
	if greets(pl.said) {
		return decision{text: pl.greet()}
	}
	if likely[order[0]] < 0.1 || likely[nobody] > 0.5 {
		return decision{text: "I am not sure what you mean. You can ask about:\n" + bullets(pl.topics(r)) +
			"\n\nWhich is it?"}
	}
	among := r
	among.values = order[:min(3, len(order))]
	return decision{text: "I am not sure what you mean. Is it about:\n" + bullets(pl.topics(among)) +
		"\n\nWhich is it?"}
}
