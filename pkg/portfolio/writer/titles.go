package writer

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

var (
	// leads are materials that can stand before what was made: "oak kitchen".
	leads = regexp.MustCompile(`(?i)\b(?:oak|walnut|pine|ash|beech|maple|cherry|cedar|teak|sapele|` +
		`birch|plywood|bamboo|larch|spruce|mahogany|hardwood|softwood|timber|wood|marble|granite|quartz|slate|` +
		`limestone|sandstone|travertine|terrazzo|porcelain|brick|stone|flint|cobble|concrete|clay|terracotta|` +
		`copper|brass|steel|iron|zinc|lead|aluminium|aluminum|glass|cork|thatch|zellige|vinyl|laminate|composite|` +
		`upvc|resin|tile|tiles)\b`)
	// minor are materials that are rarely what a job is called by.
	minor = regexp.MustCompile(`(?i)^(?:lead|brass|copper|steel|iron|zinc|aluminium|aluminum|plywood|vinyl|laminate|` +
		`resin|concrete|softwood)$`)
	// takes are jobs whose title may begin with a material.
	takes = regexp.MustCompile(`(?i)kitchen|bath|shower|wet ?room|floor|stair|door|window|deck|fenc|` +
		`wall|patio|terrace|roof|worktop|counter|wardrobe|cabinet|cupboard|furniture|shel[fv]|bookcase|gate|` +
		`pergola|porch|joinery|carpentry|extension|conservatory|orangery|driveway|path|paving|fireplace|hearth|` +
		`table|desk|bench|panel|cladding|splashback|tile|tiling|handrail|railing|balustrade|balcony|garden room|` +
		`summerhouse|shed|gutter|sink|island|skirting|ceiling`)
)

// kind returns the type of the job for a sentence, "" where it is not known.
func kind(p projects.Project) string {
	return strings.TrimRight(cut(spaces.ReplaceAllString(strings.TrimSpace(p.Type), " "), 60), ".…")
}

// town returns the finest part of the place that may be shown.
func town(p projects.Project) string {
	part, _, _ := strings.Cut(p.Place.Shown(p.Detail), ",")
	return strings.TrimSpace(part)
}

// leadOf returns the material with which a title begins, "" for none.
func leadOf(p projects.Project) string {
	if !takes.MatchString(p.Type) || leads.MatchString(p.Type) {
		return ""
	}
	second := ""
	for _, m := range p.Materials {
		m = spaces.ReplaceAllString(strings.TrimSpace(m), " ")
		at := leads.FindStringIndex(m)
		if at == nil || len(strings.Fields(m[:at[1]])) > 3 {
			continue
		}
		if !minor.MatchString(m[at[0]:at[1]]) {
			return m[:at[1]]
		}
		second = cmp.Or(second, m[:at[1]])
	}
	return second
}

// titles returns titles by rules, the best first.
func titles(g page, b projects.Business) []string {
	p := g.project
	what, where, lead := kind(p), "", leadOf(p)
	if t := town(p); t != "" && !strings.Contains(fold(what), fold(t)) {
		where = " in " + t
	}
	with := list(firstOf(p.Materials, 2))
	var out []string
	add := func(title string) {
		if title = cut(upper(strings.TrimSpace(title)), maxTitle); title != "" && !slices.Contains(out, title) {
			out = append(out, title)
		}
	}
	if g.language != "en" { // the words of the type are English
		for _, s := range slices.Concat(g.facts, g.solution, g.result) {
			if n := len(strings.Fields(s)); n >= 2 && n <= 8 && utf8.RuneCountInString(s) <= maxSEOTitle {
				add(strings.TrimRight(s, ".।"))
				break
			}
		}
	}
	if what == "" {
		if with != "" {
			add(with + " project" + where)
		}
		if where != "" {
			add("Project" + where)
		}
		for _, sentences := range [][]string{g.solution, g.problem} {
			for _, s := range sentences {
				if n := len(strings.Fields(s)); n >= 3 && n <= 9 {
					add(strings.TrimRight(s, "."))
					break
				}
			}
		}
		if b.Name != "" && len(out) == 0 && known(p) {
			add("Project by " + b.Name)
		}
		return out
	}
	if lead != "" {
		add(lead + " " + lower(what) + where)
	}
	if with != "" && !strings.Contains(fold(what), fold(p.Materials[0])) {
		add(what + where + " with " + with)
	}
	add(what + where)
	if b.Name != "" {
		add(what + where + " by " + b.Name)
	}
	return out
}

// known reports whether anything is known of the job.
func known(p projects.Project) bool {
	s := p.Story
	return cmp.Or(p.Type, s.Problem, s.Challenge, s.Solution, s.Result, s.Detail, s.Duration, s.Completed, s.Size,
		p.Place.Shown(p.Detail)) != "" || len(p.Materials)+len(p.Techniques)+len(s.Facts) > 0
}

// firstOf returns the first entries, as they stand in a sentence.
func firstOf(entries []string, most int) []string {
	var out []string
	for _, e := range entries {
		if e = spaces.ReplaceAllString(strings.TrimSpace(e), " "); e != "" && len(out) < most {
			out = append(out, cut(lower(e), maxTag))
		}
	}
	return out
}

// list writes entries as a sentence has them: "oak, brass and slate".
func list(entries []string) string {
	if n := len(entries); n > 1 {
		return strings.Join(entries[:n-1], ", ") + " and " + entries[n-1]
	}
	return strings.Join(entries, "")
}

// other returns the first of the texts that is not the one of today, else the first.
func other(texts []string, now string) string {
	for _, t := range texts {
		if t != strings.TrimSpace(now) {
			return t
		}
	}
	return strings.Join(texts[:min(1, len(texts))], "")
}

// seo returns what search engines show, by rules, the best first.
func seo(g page, b projects.Business, title, description string) []projects.SEO {
	var out []projects.SEO
	for _, t := range slices.Concat([]string{title}, titles(g, b)) {
		if t == "" {
			continue
		}
		s := projects.SEO{Title: cut(t, maxSEOTitle), Description: snippet(description)}
		with := t + " | " + b.Name
		if b.Name != "" && len([]rune(with)) <= maxSEOTitle && !strings.Contains(t, b.Name) {
			s.Title = with
		}
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// snippet returns the first sentences of a description that a search engine shows.
func snippet(description string) string {
	out := ""
	for _, s := range split(description) {
		longer := strings.TrimSpace(out + " " + s)
		if len([]rune(longer)) > maxSEODescription {
			if len([]rune(out)) < maxSEODescription/2 {
				return cut(longer, maxSEODescription)
			}
			break
		}
		out = longer
	}
	return out
}

// tags returns tags by rules.
func tags(p projects.Project, b projects.Business) []string {
	var out []string
	add := func(tag string) {
		tag = strings.ToLower(spaces.ReplaceAllString(strings.TrimSpace(tag), " "))
		if tag != "" && len([]rune(tag)) <= maxTag && len(out) < maxTags && !slices.Contains(out, tag) {
			out = append(out, tag)
		}
	}
	add(p.Type)
	for _, m := range firstOf(p.Materials, 4) {
		add(m)
	}
	for _, t := range firstOf(p.Techniques, 3) {
		add(t)
	}
	add(town(p))
	add(b.Trade)
	return out
}
