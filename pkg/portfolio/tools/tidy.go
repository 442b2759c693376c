package tools

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// Limits of texts, in letters, and of lists.
const (
	maxTitle       = 120
	maxShort       = 60 // an entry of a list
	maxType        = 120
	maxPlace       = 80 // a part of a place
	maxDescription = 2000
	maxAlt         = 200
	maxSEOTitle    = 70
	maxSEOText     = 160
	maxStory       = 2000 // a field of a story in sentences
	maxStoryShort  = 200  // one in words: duration, completed, size
	maxList        = 30
	maxHeading     = 200
	maxAbout       = 600
)

// oneLine tidies a text of one line. what is what a sentence calls it.
func oneLine(what, text string, most int) (string, error) {
	return fits(what, strings.Join(strings.Fields(text), " "), most)
}

// prose tidies a text of several lines.
func prose(what, text string, most int) (string, error) {
	return fits(what, strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")), most)
}

// fits refuses what is too long, and control characters, which a database cannot hold.
func fits(what, text string, most int) (string, error) {
	if n := utf8.RuneCountInString(text); n > most {
		return "", fault.New(fault.Invalid, "The %s has %d letters of at most %d. Write it shorter.", what, n, most)
	}
	for _, r := range text {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return "", fault.New(fault.Invalid, "The %s contains a control character (U+%04X). Write it without.",
				what, r)
		}
	}
	return text, nil
}

// entries tidies a list of short words: empty ones and repetitions go.
func entries(what string, words []string) ([]string, error) {
	list := []string{}
	known := map[string]bool{}
	for _, w := range words {
		w, err := oneLine("entry of the "+what, w, maxShort)
		if err != nil {
			return nil, err
		}
		if key := strings.ToLower(w); w != "" && !known[key] {
			known[key] = true
			list = append(list, w)
		}
	}
	if len(list) > maxList {
		return nil, fault.New(fault.Invalid, "There are %d %s of at most %d.", len(list), what, maxList)
	}
	return list, nil
}

// blocks tidies the pieces of a page and refuses what the page cannot show. Photos are
// named by ids, or by their numbers in the project's order.
func blocks(p projects.Project, list []projects.Block) ([]projects.Block, error) {
	if len(list) > projects.MaxBlocks {
		return nil, fault.New(fault.Invalid, "There are %d blocks of at most %d.", len(list), projects.MaxBlocks)
	}
	out := make([]projects.Block, 0, len(list))
	for i, b := range list {
		what := fmt.Sprintf("block %d", i+1)
		var err error
		switch b.Kind {
		case projects.Heading:
			b.Text, err = oneLine(what, b.Text, maxHeading)
		case projects.Paragraph, projects.Quote:
			b.Text, err = prose(what, b.Text, projects.MaxBlockText)
		case projects.List:
			b.Text, b.Items = "", nil
			for _, item := range list[i].Items {
				if item, err = prose("line of "+what, item, projects.MaxBlockText); err != nil {
					return nil, err
				}
				if item != "" {
					b.Items = append(b.Items, item)
				}
			}
		case projects.Gallery, projects.Comparison:
			b.Text, b.Items = "", nil
			for _, item := range list[i].Items {
				image, err := photo(p, item)
				if err != nil {
					return nil, err
				}
				b.Items = append(b.Items, image.ID)
			}
		default:
			err = fault.New(fault.Invalid, "Block %d is of no known kind. The kinds are heading, paragraph, list, "+
				"quote, gallery and comparison.", i+1)
		}
		if err != nil {
			return nil, err
		}
		if err := whole(i+1, b); err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	return out, nil
}

// whole refuses a block that has not what its kind needs.
func whole(number int, b projects.Block) error {
	switch b.Kind {
	case projects.List, projects.Gallery:
		if len(b.Items) == 0 || len(b.Items) > projects.MaxItems {
			return fault.New(fault.Invalid, "Block %d needs 1 to %d items.", number, projects.MaxItems)
		}
	case projects.Comparison:
		if len(b.Items) != 2 || b.Items[0] == b.Items[1] {
			return fault.New(fault.Invalid, "Block %d compares two photos: the one before and the one after.", number)
		}
	default:
		if b.Text == "" {
			return fault.New(fault.Invalid, "Block %d has no text.", number)
		}
		if len(b.Items) > 0 {
			return fault.New(fault.Invalid, "Block %d is text and has no items.", number)
		}
	}
	return nil
}
