package views

import (
	"maps"
	"sync"
)

// The declarations are put together at their first use.
var (
	catalogue = sync.OnceValue(func() map[string]view {
		return merged(invoices(), purchases(), cash(), books(), taxes(), analysis(), stock())
	})
	sayings = sync.OnceValue(func() map[string]spoken {
		return merged(salesSayings(), purchaseSayings(), cashSayings(), bookSayings(), figureSayings(), writeSayings(),
			ownSayings())
	})
	codes   = sync.OnceValue(codeWords)
	derived = sync.OnceValue(derivations)
)

// merged is all entries of the maps.
func merged[V any](all ...map[string]V) map[string]V {
	out := map[string]V{}
	for _, m := range all {
		maps.Copy(out, m)
	}
	return out
}
