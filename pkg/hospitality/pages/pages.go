// Package pages says which part of a list is shown, and offers the next part.
package pages

import (
	"encoding/json"
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// Page is a part of a list: Shown items after the first Offset of Matches.
type Page struct {
	Offset, Shown, Matches int
}

// Whole reports whether all of the list is shown.
func (p Page) Whole() bool { return p.Offset == 0 && p.Shown >= p.Matches }

// Note says which part is shown, "" for all: "Showing 21–40 of 57, by arrival."
// order may be "".
func (p Page) Note(order string) string {
	if p.Whole() {
		return ""
	}
	if order != "" {
		order = ", " + order
	}
	if p.Shown == 0 {
		return fmt.Sprintf("There are only %d.", p.Matches)
	}
	return fmt.Sprintf("Showing %d–%d of %d%s.", p.Offset+1, p.Offset+p.Shown, p.Matches, order)
}

// Next returns the choice that shows the next part: the call of the tool with
// the same input but its offset. limit is how many it shows. It reports false on
// the last part.
func (p Page) Next(tool string, input any, limit int) (part.Choice, bool) {
	from := p.Offset + p.Shown
	left := p.Matches - from
	if p.Shown == 0 || left <= 0 {
		return part.Choice{}, false
	}
	var arguments map[string]any
	raw, err := json.Marshal(input)
	if err == nil {
		err = json.Unmarshal(raw, &arguments)
	}
	if err != nil {
		return part.Choice{}, false
	}
	arguments["offset"] = from
	if raw, err = json.Marshal(arguments); err != nil {
		return part.Choice{}, false
	}
	return part.Choice{Label: fmt.Sprintf("Next %d", min(limit, left)), Tool: tool, Arguments: raw}, true
}

// Check fills a limit that was left out and refuses a page that there cannot be.
func Check(limit *int, offset, usual, most int) error {
	if *limit == 0 {
		*limit = usual
	}
	switch {
	case *limit < 1 || *limit > most:
		return fault.New(fault.Invalid, "limit must be from 1 to %d.", most)
	case offset < 0 || offset > 100_000:
		return fault.New(fault.Invalid, "offset must be from 0 to 100000.")
	}
	return nil
}
