package writer

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/privacy"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// adviceByRules says what would make a page better, the most useful first.
func adviceByRules(p projects.Project, b projects.Business) Advice {
	a := Advice{Points: []Point{}, Origin: Origin{Made: ByRules}}
	add := func(field string, holds bool, what, why string) {
		if holds && len(a.Points) < maxPoints {
			a.Points = append(a.Points, Point{field, what, why})
		}
	}
	ready := p.Ready()
	stages := map[projects.Stage]int{}
	bare, small := 0, 0
	for _, i := range ready {
		stages[i.Stage]++
		if utf8.RuneCountInString(strings.TrimSpace(i.Alt)) < 10 {
			bare++
		}
		if i.Width < 960 {
			small++
		}
	}
	hero, _ := p.Hero()
	s := p.Story
	field, people := namesIn(p)
	add(field, len(people) > 0, fmt.Sprintf("Take the name out, unless these people agreed: %s.",
		strings.Join(people, ", ")),
		"The page is public, and says who lives where.")
	add("images", len(ready) == 0, "Add photos of the finished work.", "A page is read by its photos first.")
	add("images", len(ready) > 0 && len(ready) < 4, "Add some more photos, also of details.",
		"Four to ten photos show the room and the workmanship.")
	add("result", s.Result == "", "Say what is better for the client now.",
		"The result is what the next client looks for.")
	add("problem", s.Problem == "", "Say what the client had before, or wanted.",
		"Readers with the same problem recognise theirs.")
	add("images", len(ready) > 0 && stages[projects.Before] == 0, "Add a photo from before the work, if you have one.",
		"Before and after beside each other show most.")
	add("images", stages[projects.Before] > 0 && stages[projects.After] == 0,
		"Mark which photos show the finished work.", "Then before and after can stand beside each other.")
	add("alt", bare > 0, fmt.Sprintf("Say in a few words what is to be seen, for %s.", photosOf(bare, len(ready))),
		"People who cannot see the photos and search engines read these words.")
	add("materials", len(p.Materials) == 0, "Name the materials that you used.", "Clients search for them.")
	add("challenge", s.Challenge == "", "Tell what was difficult, and how you solved it.",
		"It shows what you can do better than a photo does.")
	add("description", p.Description == "", "Write the description, or let it be written.",
		"Two or three sentences let a reader decide to look further.")
	n := utf8.RuneCountInString(p.Description)
	add("description", n > 0 && n < 200, "Make the description somewhat longer.",
		"Two or three sentences let a reader decide to look further.")
	add("place", p.Place.Shown(p.Detail) == "" && p.Detail != projects.Nowhere, "Say in which town the job was done.",
		"People look for somebody near them; the street is never shown.")
	add("title", p.Title != "" && !names(p.Title, p.Type), "Let the title name the job.",
		"A title such as “Oak kitchen renovation in Leeds” is found.")
	add("hero", hero.ID != "" && hero.Stage == projects.Before, "Put a photo of the finished work at the top.",
		"The first photo is the one that is shared.")
	add("hero", hero.ID != "" && hero.Height > hero.Width*5/4, "Choose a wide photo for the top.",
		"An upright one is cut or pushes the text off the screen.")
	add("images", small > 0, "Replace small photos by the originals from your phone.", "Small ones look blurred.")
	add("seo", p.SEO.Title == "" || p.SEO.Description == "", "Write the title and text for search engines.",
		"Otherwise the first words of the page are shown.")
	add("details", s.Duration == "" && s.Completed == "", "Say how long it took or when it was finished.",
		"It helps the next client to plan.")
	add("techniques", len(p.Techniques) == 0, "Name how you did it, such as a joint or a finish.",
		"It shows your craft.")
	add("tags", len(p.Tags) < 3, "Add a few tags.", "They lead to similar jobs.")
	return a
}

func photosOf(n, all int) string {
	switch {
	case n == all && n == 1:
		return "the photo"
	case n == all:
		return "every photo"
	case n == 1:
		return "one photo"
	}
	return fmt.Sprintf("%d photos", n)
}

// names reports whether a text has a word of another.
func names(text, of string) bool {
	have := map[string]bool{}
	for _, w := range word.FindAllString(fold(text), -1) {
		have[stem(w)] = true
	}
	for _, w := range word.FindAllString(fold(of), -1) {
		if have[stem(w)] {
			return true
		}
	}
	return of == ""
}

// namesIn returns the people that the texts of a page name, and the first field that does.
func namesIn(p projects.Project) (field string, names []string) {
	look := func(in, text string) {
		for _, n := range privacy.Names(text) {
			if field == "" {
				field = in
			}
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	look("title", p.Title)
	look("description", p.Description)
	for _, b := range p.Blocks {
		look("descriptionBlocks", b.Text+"\n"+strings.Join(b.Items, "\n"))
	}
	for _, i := range p.Images {
		look("alt", i.Alt)
	}
	return field, names[:min(len(names), 5)]
}
