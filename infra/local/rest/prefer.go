package rest

import (
	"slices"
	"strconv"
	"strings"
)

// preferences are the parsed Prefer headers. An empty value is an absent one.
type preferences struct {
	resolution     string
	missing        string
	representation string
	count          string
	transaction    string
	handling       string
	timezone       string
	maxAffected    int64 // negative when absent
	invalid        []string
}

var preferValues = map[string][]string{
	"resolution": {"merge-duplicates", "ignore-duplicates"},
	"missing":    {"default", "null"},
	"return":     {"representation", "minimal", "headers-only"},
	"count":      {"exact", "planned", "estimated"},
	"tx":         {"commit", "rollback"},
	"handling":   {"strict", "lenient"},
}

// parsePrefer reads the Prefer headers; of a preference given twice the first
// counts. allowTx says whether tx= has an effect.
func parsePrefer(headers []string, zones map[string]bool, allowTx bool) preferences {
	p := preferences{maxAffected: -1}
	targets := map[string]*string{
		"resolution": &p.resolution, "missing": &p.missing, "return": &p.representation,
		"count": &p.count, "tx": &p.transaction, "handling": &p.handling,
	}
	for _, header := range headers {
		for token := range strings.SplitSeq(header, ",") {
			token = strings.TrimSpace(token)
			name, value, _ := strings.Cut(token, "=")
			known := slices.Contains(preferValues[name], value)
			switch {
			case known && *targets[name] == "":
				*targets[name] = value
			case name == "timezone" && zones[value]:
				known = true
				if p.timezone == "" {
					p.timezone = value
				}
			case name == "max-affected":
				known = true
				if n, err := strconv.ParseInt(value, 10, 64); err == nil && p.maxAffected < 0 {
					p.maxAffected = n
				}
			}
			if !known {
				p.invalid = append(p.invalid, token)
			}
		}
	}
	if !allowTx {
		p.transaction = ""
	}
	return p
}

func (p *preferences) strict() bool { return p.handling == "strict" }

// applied is the Preference-Applied header for the preferences of p that the
// request obeyed; the caller has cleared the others.
func (p preferences) applied() string {
	var parts []string
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+"="+value)
		}
	}
	add("resolution", p.resolution)
	add("missing", p.missing)
	add("return", p.representation)
	add("count", p.count)
	add("tx", p.transaction)
	add("handling", p.handling)
	add("timezone", p.timezone)
	if p.strict() && p.maxAffected >= 0 {
		add("max-affected", strconv.FormatInt(p.maxAffected, 10))
	}
	return strings.Join(parts, ", ")
}
