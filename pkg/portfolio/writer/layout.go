package writer

import (
	"regexp"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// isText reports whether a block has words, and no photos.
func isText(b projects.Block) bool {
	return b.Kind != projects.Gallery && b.Kind != projects.Comparison
}

// textBlocks returns the text blocks of a project, by rules where it has none.
func textBlocks(p projects.Project) []projects.Block {
	text := slices.DeleteFunc(slices.Clone(p.Blocks), func(b projects.Block) bool { return !isText(b) })
	if len(text) > 0 {
		return text
	}
	g := newPage(p)
	var taken []string
	if p.Description != "" {
		for _, s := range split(p.Description) {
			taken = append(taken, tidy(s))
		}
	}
	return g.blocks(taken)
}

// heroOf returns the photo at the top: the one that was chosen, else the widest of the
// result, else the widest; a landscape one before others.
func heroOf(p projects.Project) string {
	best, points := "", -1
	for _, i := range p.Ready() {
		if i.Hero {
			return i.ID
		}
		n := min(i.Width, 4000)
		if i.Width >= i.Height {
			n += 5_000
		}
		switch i.Stage {
		case projects.After:
			n += 20_000
		case projects.Before, projects.During:
		default:
			n += 10_000
		}
		if n > points {
			best, points = i.ID, n
		}
	}
	return best
}

// orderOf returns all photos in the order of the job behind the hero; those that are
// not ready stand last.
func orderOf(p projects.Project, hero string) []string {
	place := func(i projects.Image) int {
		if i.ID == hero {
			return 0
		}
		if i.State != projects.Ready {
			return 9
		}
		return 1 + slices.Index([]projects.Stage{projects.Before, projects.During, "", projects.After}, i.Stage)
	}
	images := slices.Clone(p.Images)
	slices.SortStableFunc(images, func(x, y projects.Image) int { return place(x) - place(y) })
	out := []string{}
	for _, i := range images {
		out = append(out, i.ID)
	}
	return out
}

// staged are the ids of the photos that are ready, without the hero.
func staged(p projects.Project, hero string, s projects.Stage) []string {
	var out []string
	for _, i := range p.Ready() {
		if i.Stage == s && i.ID != hero {
			out = append(out, i.ID)
		}
	}
	return out
}

// arrange puts the photos between the text blocks: those of before behind the first
// section, those of the work behind what was done, a comparison and the others behind
// the last section of text.
func arrange(p projects.Project, text []projects.Block) []projects.Block {
	sections := sectionsOf(text)
	hero := heroOf(p)
	before, during := staged(p, hero, projects.Before), staged(p, hero, projects.During)
	after := slices.Concat(staged(p, hero, projects.After), staged(p, hero, ""))
	top, _ := p.Image(hero)
	var pair []string
	results := staged(p, hero, projects.After)
	switch {
	case len(before) > 0 && len(results) > 0:
		pair = []string{before[0], results[0]}
		after = slices.DeleteFunc(after, func(id string) bool { return id == results[0] })
	case len(before) > 0 && top.Stage == projects.After:
		pair = []string{before[0], hero}
	}
	if pair != nil {
		before = before[1:]
	}
	told := 0 // sections that tell the story; lists follow
	for told < len(sections) && !isListing(sections[told]) {
		told++
	}
	done := slices.IndexFunc(sections[:told], func(s []projects.Block) bool {
		return s[0].Kind == projects.Heading && doing.MatchString(s[0].Text)
	})
	last := slices.IndexFunc(sections[:told], func(s []projects.Block) bool {
		return s[0].Kind == projects.Heading && outcome.MatchString(s[0].Text)
	})
	switch {
	case last < 0 && done < 0:
		last, done = told-1, max(0, told-2)
	case last < 0:
		last = max(done, min(told-1, 1))
	case done < 0:
		done = max(0, last-1)
	}
	var out []projects.Block
	photos := func(ids []string) {
		if len(ids) > 0 {
			out = append(out, projects.Block{Kind: projects.Gallery, Items: ids})
		}
	}
	ending := func() {
		if pair != nil {
			out = append(out, projects.Block{Kind: projects.Comparison, Items: pair})
		}
		photos(after)
	}
	if told == 0 {
		photos(before)
		photos(during)
		ending()
	}
	for i, s := range sections {
		out = append(out, s...)
		if i >= told {
			continue
		}
		if i == 0 {
			photos(before)
		}
		if i == done {
			photos(during)
		}
		if i == last {
			ending()
		}
	}
	return bounded(out)
}

// doing and outcome match the headings of what was done and of what came of it.
var (
	doing = regexp.MustCompile(`(?i)\b(?:did|work|built?|solution|how we|making|installation|` +
		`hicimos|avons fait|gemacht)\b`)
	outcome = regexp.MustCompile(`(?i)\b(?:results?|outcome|finished|after|today|now|new|` +
		`resultado|résultat|ergebnis)\b`)
)

// sectionsOf returns the blocks in sections, each with its heading.
func sectionsOf(blocks []projects.Block) [][]projects.Block {
	var out [][]projects.Block
	for _, b := range blocks {
		if b.Kind == projects.Heading || len(out) == 0 {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], b)
	}
	return out
}

// isListing reports whether a section is a list, and tells nothing.
func isListing(section []projects.Block) bool {
	return !slices.ContainsFunc(section, func(b projects.Block) bool {
		return b.Kind == projects.Paragraph || b.Kind == projects.Quote
	})
}

// bounded keeps as many blocks as a project has. Texts at the end are left out before
// photos.
func bounded(blocks []projects.Block) []projects.Block {
	for len(blocks) > projects.MaxBlocks {
		at := len(blocks) - 1
		for at > 0 && !isText(blocks[at]) {
			at--
		}
		blocks = slices.Delete(blocks, at, at+1)
	}
	if blocks == nil {
		return []projects.Block{}
	}
	return blocks
}

// layoutByRules orders the texts and photos of a project.
func layoutByRules(p projects.Project) Arrangement {
	hero := heroOf(p)
	return Arrangement{Blocks: arrange(p, textBlocks(p)), Order: orderOf(p, hero), Hero: hero,
		Origin: Origin{Made: ByRules}}
}
