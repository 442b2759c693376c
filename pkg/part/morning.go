package part

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Morning is the content of a part of the kind morning: figures of the day, and
// lists of what is to be done, with the calls that do it.
type Morning struct {
	Title    string           `json:"title"`
	Figures  []MorningFigure  `json:"figures"`
	Sections []MorningSection `json:"sections"`
}

// MorningFigure is a number with what it counts.
type MorningFigure struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// MorningSection is one list.
type MorningSection struct {
	Title string `json:"title"`
	Count int    `json:"count"` // in all; the list may be shorter
	// Empty is said where there is nothing to do.
	Empty string        `json:"empty"`
	Items []MorningItem `json:"items"`
	// Do are calls for all of the list.
	Do []Choice `json:"do,omitempty"`
	// More is the call that shows all of the list; nil for none.
	More *Choice `json:"more,omitempty"`
}

// MorningItem is one thing to do.
type MorningItem struct {
	Title  string `json:"title"`            // "Tilda Pebbleworth"
	Detail string `json:"detail,omitempty"` // "SAFFRON · until 25-Nov-2026"
	Note   string `json:"note,omitempty"`   // what to mind
	Value  string `json:"value,omitempty"`  // an amount
	// Open shows the thing; nil for nothing to show. Do are the calls that do it.
	Open *Choice  `json:"open,omitempty"`
	Do   []Choice `json:"do,omitempty"`
}

// Kind is "morning".
func (Morning) Kind() string { return "morning" }

// Text lists the figures and the sections.
func (m Morning) Text() string {
	lines := []string{m.Title}
	for _, f := range m.Figures {
		lines = append(lines, f.Label+": "+f.Value)
	}
	for _, s := range m.Sections {
		lines = append(lines, fmt.Sprintf("%s (%d)", s.Title, s.Count))
		if len(s.Items) == 0 {
			lines = append(lines, "- "+s.Empty)
		}
		for _, i := range s.Items {
			words := []string{i.Title}
			for _, more := range []string{i.Detail, i.Value, i.Note} {
				if more != "" {
					words = append(words, more)
				}
			}
			lines = append(lines, "- "+strings.Join(words, ", "))
		}
	}
	return strings.Join(lines, "\n")
}

// Check requires titles, and calls that can be made.
func (m Morning) Check() error {
	if m.Title == "" || len(m.Sections) == 0 {
		return errors.New("a morning has a title and sections")
	}
	for _, s := range m.Sections {
		choices := slices.Clone(s.Do)
		if s.More != nil {
			choices = append(choices, *s.More)
		}
		for _, i := range s.Items {
			if strings.TrimSpace(i.Title) == "" || utf8.RuneCountInString(i.Title) > 400 {
				return errors.New("an item has no title, or a long one")
			}
			choices = append(choices, i.Do...)
			if i.Open != nil {
				choices = append(choices, *i.Open)
			}
		}
		for _, c := range choices {
			if err := c.check(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Cut shortens the lists; each section still says how many there are.
func (m Morning) Cut(share float64) Data {
	sections := make([]MorningSection, len(m.Sections))
	for i, s := range m.Sections {
		s.Items = s.Items[:int(float64(len(s.Items))*share)]
		sections[i] = s
	}
	m.Sections = sections
	return m
}
