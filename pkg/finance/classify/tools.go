package classify

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Strategy is how tools were chosen.
type Strategy string

// The strategies of S2-19.
const (
	// KeywordMatched are the tools of the categories that words name, and those that the
	// words fit by name and description.
	KeywordMatched Strategy = "keyword_matched_dynamic"
	DefaultUnified Strategy = "default_unified_dynamic"  // no word names a category: a broad set
	AllFallback    Strategy = "all_tools_fallback"       // the words lead to no tool: all
	DirectAll      Strategy = "direct_llm_all_mcp_tools" // the realtime pipeline: all, without a choice
)

// Tool is what is known of a tool before it is called.
type Tool struct{ Name, Category, Description string }

// Selection is the tools that are offered to the model.
type Selection struct {
	Strategy   Strategy
	Categories []string // in the order of S2-24, then others; of a follow-up the previous ones first
	Names      []string // in the order of the tools
	FollowUp   bool     // the previous categories are reused (S2-20)
}

// categories are the 22 rows of S2-24.
func categories() []string {
	return []string{"invoices", "bills", "payments", "customers", "vendors", "credit_notes", "accounts",
		"transactions", "aging_reports", "delivery_challans", "expenses", "banking", "inventory", "journal",
		"gst_actions", "reports_pnl", "reports_balance", "reports_cashflow", "reports_payables", "reports_gst",
		"kpi_dashboard", "trends_analysis"}
}

// broad are the categories of default_unified_dynamic.
func broad() []string {
	return []string{"invoices", "bills", "payments", "customers", "vendors", "aging_reports", "expenses", "banking",
		"reports_pnl", "reports_cashflow", "reports_gst", "kpi_dashboard"}
}

// companions are the categories that tools of one need for their arguments when they
// write.
func companions(category string) []string {
	switch category {
	case "invoices", "credit_notes", "delivery_challans":
		return []string{"customers", "inventory"}
	case "bills":
		return []string{"vendors", "inventory", "accounts"}
	case "payments":
		return []string{"customers", "vendors", "invoices", "bills", "banking"}
	case "expenses":
		return []string{"vendors", "accounts", "banking"}
	case "journal":
		return []string{"accounts"}
	}
	return nil
}

// Choose returns the tools that a message may need. previous are the categories of the
// turn before; a message of fewer than five words goes on with them, beside those that
// it names itself.
func Choose(text string, previous []string, tools []Tool) Selection {
	words := fold(text)
	found, entries := keywords().find(words)
	named := map[string]bool{}
	writing := false
	for i, e := range entries {
		for _, c := range e.categories {
			named[c] = true
		}
		switch found[i].Group {
		case "create", "change", "record":
			writing = true
		}
	}
	if writing {
		for _, c := range ordered(named) {
			for _, also := range companions(c) {
				named[also] = true
			}
		}
	}
	s := Selection{Strategy: KeywordMatched, Categories: ordered(named)}
	if len(previous) > 0 && len(words) < shortWords {
		s.FollowUp = true
		s.Categories = slices.Clone(previous)
		for _, c := range ordered(named) {
			if !slices.Contains(s.Categories, c) {
				s.Categories = append(s.Categories, c)
			}
		}
	}
	scored := score(words, found, tools)
	if len(s.Categories) == 0 && !slices.ContainsFunc(scored, func(v float64) bool { return v >= fits }) {
		s.Strategy, s.Categories = DefaultUnified, broad()
	}
	for i, t := range tools {
		if slices.Contains(s.Categories, t.Category) || scored[i] >= fits {
			s.Names = append(s.Names, t.Name)
		}
	}
	if len(s.Names) == 0 {
		s = All(tools)
		s.Strategy = AllFallback
	}
	return s
}

// All returns all tools, for the realtime pipeline (S2-7).
func All(tools []Tool) Selection {
	s := Selection{Strategy: DirectAll}
	in := map[string]bool{}
	for _, t := range tools {
		s.Names = append(s.Names, t.Name)
		if t.Category != "" {
			in[t.Category] = true
		}
	}
	s.Categories = ordered(in)
	return s
}

// ordered returns the members of a set in the order of S2-24, others by name behind them.
func ordered(set map[string]bool) []string {
	list := categories()
	place := func(c string) int {
		if i := slices.Index(list, c); i >= 0 {
			return i
		}
		return len(list)
	}
	var out []string
	for c := range set {
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(place(a)-place(b), strings.Compare(a, b)) })
	return out
}

// fits is from which score a tool outside the categories is offered.
const fits = 1.0

// score says how well the names and descriptions of tools fit a message. A word counts
// the less the more tools have it; one of the name counts three times one of the
// description. The score is 1 where all rare words of the message stand in the name.
func score(words []string, found []Keyword, tools []Tool) []float64 {
	asked := map[string]bool{}
	for _, w := range words {
		if !common(w) {
			asked[w] = true
		}
	}
	// A Hindi word counts as the English one.
	for _, k := range found {
		for w := range strings.FieldsSeq(k.Name) {
			if w = foldWord(w); !common(w) {
				asked[w] = true
			}
		}
	}
	out := make([]float64, len(tools))
	if len(asked) == 0 {
		return out
	}
	in := map[string]int{}
	names, texts := make([][]string, len(tools)), make([][]string, len(tools))
	for i, t := range tools {
		names[i], texts[i] = fold(strings.ReplaceAll(t.Name, "_", " ")), fold(t.Description)
		seen := map[string]bool{}
		for _, w := range slices.Concat(names[i], texts[i]) {
			if asked[w] && !seen[w] {
				seen[w] = true
				in[w]++
			}
		}
	}
	for i := range tools {
		for w := range asked {
			if in[w] == 0 {
				continue
			}
			rare := math.Log(float64(1+len(tools))/float64(in[w])) / math.Log(float64(1+len(tools)))
			switch {
			case slices.Contains(names[i], w):
				out[i] += 1.5 * rare
			case slices.Contains(texts[i], w):
				out[i] += 0.5 * rare
			}
		}
	}
	return out
}

// common reports whether a word says nothing of the subject of a tool.
func common(w string) bool {
	switch w {
	case "the", "a", "an", "of", "to", "in", "for", "and", "or", "is", "are", "on", "by", "it", "its",
		"this", "that", "what", "which", "who", "how", "much", "many", "my", "me", "our", "we", "us",
		"i", "you", "do", "did", "doe", "be", "was", "were", "with", "from", "at", "all", "one",
		"show", "get", "tell", "list", "give", "create", "add", "update", "edit", "delete", "record",
		"report", "file", "send", "month", "year", "day", "week", "last", "next", "not", "so", "far",
		"up", "out", "first", "before", "after", "than", "total", "name", "number", "date", "period",
		"can", "will", "has", "have", "hai", "ka", "ki", "ke", "ko", "se", "kya", "new", "go", "find",
		"look", "any", "other", "each", "let":
		return true
	}
	return len(w) < 2
}
