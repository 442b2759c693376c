package writer

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// layoutFacts is what a model reads to place photos. The texts of the page are not among
// it, so that they may be written at the same time.
func layoutFacts(p projects.Project) facts { return factsOf(p, projects.Business{}).withPhotos() }

// layoutAnswer is what a model answers.
type layoutAnswer struct {
	Hero   string   `json:"hero"`
	Order  []string `json:"order"`
	Groups []struct {
		Part   string             `json:"part"`
		Kind   projects.BlockKind `json:"kind"`
		Photos []string           `json:"photos"`
	} `json:"groups"`
}

// placement is an answer that was read, or the code of why there is none.
type placement struct {
	answer layoutAnswer
	code   string
	asked  bool
}

func layoutWork(f facts) work[placement] {
	return func(ctx context.Context, t *turn, reserved bool) (placement, error) {
		if t == nil || len(f.project.Ready()) < 2 { // nothing to choose
			return placement{}, nil
		}
		out := placement{asked: true}
		usable := false
		code, err := t.consult(ctx, ask("layout", 1500, f.json(), func(text []byte) string {
			if usable = decode(text, &out.answer); !usable {
				out.answer = layoutAnswer{}
				return notJSON
			}
			return ""
		}), reserved)
		if !usable {
			out.code = cmp.Or(code, AnswerUnusable)
		}
		return out, err
	}
}

// Layout places the photos between the texts of a project's page, or of the page that
// rules make where it has none.
func Layout(ctx context.Context, p projects.Project) (Arrangement, error) {
	f := layoutFacts(p)
	made, err := obtain(ctx, f.key(LayoutKind), layoutWork(f))
	if err != nil {
		return Arrangement{}, err
	}
	if made.asked && made.code == "" {
		return f.arrangement(made.answer), nil
	}
	rules := layoutByRules(p)
	if made.code != "" {
		rules.Degraded = append(rules.Degraded, made.code)
	}
	return rules, nil
}

// arrangement makes a valid one of an answer: photos that the project does not have,
// and those that are placed twice, are left out; those that are placed nowhere stand
// in a gallery at the end.
func (f facts) arrangement(a layoutAnswer) Arrangement {
	p := f.project
	out := Arrangement{Hero: f.ids[a.Hero], Origin: Origin{Made: ByModel}}
	if out.Hero == "" || slices.ContainsFunc(p.Ready(), func(i projects.Image) bool { return i.Hero }) {
		out.Hero = heroOf(p)
	}
	out.Order = []string{out.Hero}
	place := func(id string) {
		if id != "" && !slices.Contains(out.Order, id) {
			out.Order = append(out.Order, id)
		}
	}
	for _, id := range a.Order {
		place(f.ids[id])
	}
	for _, id := range orderOf(p, out.Hero) {
		place(id)
	}
	sections := sectionsOf(textBlocks(p))
	behind := make([][]projects.Block, len(sections)+1)
	used := map[string]bool{}
	fresh := func(names []string) (ids []string) {
		for _, n := range names {
			if id := f.ids[n]; id != "" && id != out.Hero && !used[id] {
				used[id] = true
				ids = append(ids, id)
			}
		}
		return ids
	}
	for _, g := range a.Groups {
		at := f.section(g.Part, sections)
		if pair, ok := f.pair(g.Photos, used); ok && g.Kind == projects.Comparison {
			used[pair[0]], used[pair[1]] = true, true
			behind[at] = append(behind[at], projects.Block{Kind: projects.Comparison, Items: pair})
		} else if ids := fresh(g.Photos); len(ids) > 0 {
			behind[at] = append(behind[at], projects.Block{Kind: projects.Gallery, Items: ids})
		}
	}
	var rest []string
	for _, i := range p.Ready() {
		if !used[i.ID] && i.ID != out.Hero {
			rest = append(rest, i.ID)
		}
	}
	if last := f.section("end", sections); len(rest) > 0 {
		behind[last] = append(behind[last], projects.Block{Kind: projects.Gallery, Items: rest})
	}
	out.Blocks = slices.Clone(behind[0])
	for i, s := range sections {
		out.Blocks = append(append(out.Blocks, s...), behind[i+1]...)
	}
	out.Blocks = bounded(out.Blocks)
	return out
}

// section returns how many sections stand before the photos of a part of the story: up
// to the section that has most words of it.
func (f facts) section(part string, sections [][]projects.Block) int {
	told := 0 // sections that tell the story; lists follow
	for told < len(sections) && !isListing(sections[told]) {
		told++
	}
	story := map[string][]string{"problem": f.Problem, "challenge": f.Challenge, "solution": f.Solution,
		"result": slices.Concat(f.Result, f.Detail)}
	said, known := story[part]
	if part == "beginning" || told == 0 {
		return 0
	}
	if !known {
		return told
	}
	words, plain := map[string]bool{}, entries(plainWords)
	for _, t := range tokens(strings.Join(said, " ")) {
		words[t.stem] = !plain[t.stem]
	}
	best, most := 0, 0
	for i, s := range sections[:told] {
		n := 0
		for _, b := range s {
			for _, t := range tokens(b.Text) {
				if words[t.stem] {
					n++
				}
			}
		}
		if n > most {
			best, most = i+1, n
		}
	}
	if most > 0 {
		return best
	}
	return map[string]int{"problem": 1, "challenge": (told + 1) / 2, "solution": (told + 1) / 2, "result": told}[part]
}

// pair returns the two photos of a comparison, the one of before first. It reports
// false where they are not of before and after, or are used already.
func (f facts) pair(names []string, used map[string]bool) ([]string, bool) {
	if len(names) != 2 {
		return nil, false
	}
	x, okX := f.project.Image(f.ids[names[0]])
	y, okY := f.project.Image(f.ids[names[1]])
	if x.Stage == projects.After || y.Stage == projects.Before {
		x, y = y, x
	}
	return []string{x.ID, y.ID}, okX && okY && x.ID != y.ID && !used[x.ID] && !used[y.ID] &&
		x.Stage == projects.Before && y.Stage == projects.After
}

func qualityFacts(p projects.Project, b projects.Business) facts {
	return factsOf(p, b).withPhotos().withWritten().withBlocks(p.Blocks)
}

func qualityWork(f facts, b projects.Business) work[Advice] {
	return func(ctx context.Context, t *turn, reserved bool) (Advice, error) {
		p := f.project
		rules := adviceByRules(p, b)
		if t == nil || !known(p) {
			return rules, nil
		}
		basis := f.basis()
		out := Advice{Points: []Point{}, Origin: Origin{Made: ByModel}}
		left := false
		code, err := t.consult(ctx, ask("quality", 1500, f.json(), func(text []byte) string {
			var a struct {
				Points []Point `json:"points"`
			}
			if !decode(text, &a) {
				return notJSON
			}
			for _, point := range a.Points {
				if !basis.advises(&point) {
					left = true
				} else if len(out.Points) < maxPoints && !about(out.Points, point.Field) {
					out.Points = append(out.Points, point)
				}
			}
			return ""
		}), reserved)
		if err != nil {
			return Advice{}, err
		}
		if len(out.Points) == 0 && (code != "" || left) {
			if code == "" {
				code = AnswerUnusable
			}
			rules.Degraded = append(rules.Degraded, code)
			return rules, nil
		}
		for _, point := range rules.Points {
			if len(out.Points) < maxPoints && !about(out.Points, point.Field) {
				out.Points = append(out.Points, point)
			}
		}
		if left {
			out.Degraded = append(out.Degraded, SentencesLeftOut)
		}
		return out, nil
	}
}

func about(points []Point, field string) bool {
	return slices.ContainsFunc(points, func(p Point) bool { return p.Field == field })
}

// advises cleans a piece of advice, and reports whether it may be given: it names no
// person, place or product that the facts do not have, and does not speak of publishing.
func (b basis) advises(p *Point) bool {
	p.What, p.Why = strings.ReplaceAll(clean(p.What), "\n", " "), strings.ReplaceAll(clean(p.Why), "\n", " ")
	if !slices.Contains(Fields(), p.Field) {
		return false
	}
	for _, s := range []string{p.What, p.Why} {
		if n := utf8.RuneCountInString(s); n < 10 || n > 240 || markup.MatchString(s) || orders.MatchString(s) ||
			isPrivate(s, b.secret) || strings.Contains(strings.ToLower(s), "publish") {
			return false
		}
		for _, t := range tokens(s) {
			if !t.first && t.count == "" && !b.named(t) && !b.names[t.fold] {
				return false
			}
		}
	}
	return true
}

// Story reads what the messages of a person say of a job, the newest last. Without a
// model it is empty: what rules read of a message is the business of the caller.
func Story(ctx context.Context, p projects.Project, said []string) (Told, error) {
	t := turnOf(ctx)
	none := Told{Origin: Origin{Made: ByRules}}
	if t == nil || strings.TrimSpace(strings.Join(said, "")) == "" {
		return none, nil
	}
	heard := newBasis(secret{}, said...)
	heard.plain = nil
	data, _ := json.Marshal(struct { // Texts always encode.
		Messages []string `json:"messages"`
		Known    facts    `json:"known"`
	}{recent(said), factsOf(p, projects.Business{})})
	var out Told
	usable, left := false, false
	code, err := t.consult(ctx, ask("story", 1500, string(data), func(text []byte) string {
		var a Told
		if !decode(text, &a) {
			return notJSON
		}
		left = heard.told(&a)
		a.Origin = Origin{Made: ByModel}
		out, usable = a, true
		return ""
	}), false)
	if err != nil {
		return none, err
	}
	if !usable {
		none.Degraded = append(none.Degraded, code)
		return none, nil
	}
	if left {
		out.Degraded = append(out.Degraded, SentencesLeftOut)
	}
	return out, nil
}

// recent returns the newest messages, as far as a model reads them.
func recent(said []string) []string {
	var out []string
	letters := 0
	for _, m := range slices.Backward(said) {
		if letters += len(m); letters > 4*maxSent && len(out) > 0 {
			break
		}
		out = append(out, cut(m, 4*maxSent))
	}
	slices.Reverse(out)
	return out
}

// told takes out what was not said, and reports whether there was something.
func (b basis) told(t *Told) (left bool) {
	line := func(s *string, most int) {
		text := strings.TrimSpace(spaces.ReplaceAllString(clean(*s), " "))
		if text != "" && (len(b.unsaid(text)) > 0 || utf8.RuneCountInString(text) > most) {
			text, left = "", true
		}
		*s = text
	}
	prose := func(s *string) {
		var kept []string
		for _, sentence := range split(clean(*s)) {
			if len(b.unsaid(sentence)) > 0 {
				left = true
				continue
			}
			kept = append(kept, sentence)
		}
		*s = strings.Join(kept, " ")
	}
	each := func(list *[]string) {
		var kept []string
		for _, s := range *list {
			if line(&s, maxTag); s != "" && len(kept) < projects.MaxItems && !slices.Contains(kept, s) {
				kept = append(kept, s)
			}
		}
		*list = kept
	}
	for _, s := range []*string{&t.Duration, &t.Completed, &t.Size, &t.Place.Street, &t.Place.District, &t.Place.City,
		&t.Place.Region, &t.Place.Country} {
		line(s, maxTag)
	}
	line(&t.Title, maxTitle)
	for _, s := range []*string{&t.Problem, &t.Challenge, &t.Solution, &t.Result, &t.Detail} {
		prose(s)
	}
	each(&t.Materials)
	each(&t.Techniques)
	// The kind of work may be named by its common word, if what it was done to was said.
	if t.Type = strings.TrimSpace(clean(t.Type)); t.Type != "" {
		missing := slices.DeleteFunc(b.unsaid(t.Type), func(w string) bool { return isWork.MatchString(w) })
		if len(missing) > 0 || !b.about(t.Type) || utf8.RuneCountInString(t.Type) > maxTag {
			t.Type, left = "", true
		}
	}
	return left
}

// unsaid returns the words and figures of a text that no message has.
func (b basis) unsaid(text string) []string {
	if markup.MatchString(text) {
		return []string{text}
	}
	var out []string
	list := tokens(text)
	for i, t := range list {
		unit := ""
		if i+1 < len(list) {
			unit = b.unit(list[i+1])
		}
		switch {
		case t.count != "" && (!b.counts[t.count] || unit != "" && !b.sizes[t.count+" "+unit]),
			t.count == "" && !b.backed(t) && !(b.unit(t) != "" && i > 0 && list[i-1].count != ""):
			out = append(out, t.text)
		}
	}
	return out
}
