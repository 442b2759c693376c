package part

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
)

// Tape is the content of a part of the kind tape: rows against days, and what
// takes some days of a row, such as the stays in a hotel's rooms.
type Tape struct {
	Title string        `json:"title"`
	From  calendar.Date `json:"from"`
	Days  int           `json:"days"`
	// Today marks a day; the zero Date marks none.
	Today calendar.Date `json:"today,omitzero"`
	Rows  []TapeRow     `json:"rows"`
	Spans []Span        `json:"spans"`
	// Open is the call that shows a span with a key, Free the one that takes free
	// days; the zero Press offers none.
	Open Press    `json:"open,omitzero"`
	Free FreeDays `json:"free,omitzero"`
	Note string   `json:"note,omitempty"`
}

// TapeRow is one row.
type TapeRow struct {
	Key   string `json:"key"`             // "COCO-2"
	Label string `json:"label,omitempty"` // "Coco", where the key does not say it
	// Note is what to mind now: "to clean".
	Note string `json:"note,omitempty"`
	// Arguments are those of Free for the row, one JSON object.
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// Span takes days of a row.
type Span struct {
	Row   int    `json:"row"`
	At    int    `json:"at"`   // days after From; below 0 for what began before
	Days  int    `json:"days"` // how many, at least 1
	Kind  string `json:"kind"` // such as stay, hold or block
	Label string `json:"label"`
	Key   string `json:"key,omitempty"` // the argument of Open
	// Pinned says that it may not be moved to another row.
	Pinned bool `json:"pinned,omitempty"`
}

// Press is a call of a tool with one argument.
type Press struct {
	Tool     string `json:"tool,omitempty"`
	Argument string `json:"argument,omitempty"`
}

// FreeDays is a call of a tool with the arguments of a row, and with the first
// day and the one after the last under the names From and To.
type FreeDays struct {
	Tool string `json:"tool,omitempty"`
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
}

// MaxTapeDays is how many days a tape shows at most.
const MaxTapeDays = 62

// Kind is "tape".
func (Tape) Kind() string { return "tape" }

// Text lists the rows with what takes their days.
func (t Tape) Text() string {
	lines := []string{t.Title}
	taken := make([][]string, len(t.Rows))
	for _, s := range t.Spans {
		if s.Row < 0 || s.Row >= len(t.Rows) {
			continue
		}
		words := fmt.Sprintf("%s to %s %s", t.From.AddDays(s.At).Show(), t.From.AddDays(s.At+s.Days).Show(), s.Label)
		if s.Key != "" {
			words += " (" + s.Key + ")"
		}
		if s.Kind != "stay" {
			words += ", " + s.Kind
		}
		taken[s.Row] = append(taken[s.Row], words)
	}
	for i, r := range t.Rows {
		words := strings.Join(taken[i], "; ")
		if words == "" {
			words = "free"
		}
		if r.Note != "" {
			words += " (now " + r.Note + ")"
		}
		lines = append(lines, r.Key+": "+words)
	}
	if t.Note != "" {
		lines = append(lines, t.Note)
	}
	return strings.Join(lines, "\n")
}

// Check refuses spans outside the rows and the days.
func (t Tape) Check() error {
	if len(t.Rows) == 0 || t.Days < 1 || t.Days > MaxTapeDays {
		return fmt.Errorf("a tape has rows and 1 to %d days", MaxTapeDays)
	}
	for _, s := range t.Spans {
		switch {
		case s.Row < 0 || s.Row >= len(t.Rows):
			return errors.New("a span is in no row")
		case s.Days < 1 || s.At >= t.Days || s.At+s.Days <= 0:
			return errors.New("a span has no day of the tape")
		case strings.TrimSpace(s.Label) == "":
			return errors.New("a span has no label")
		}
	}
	return nil
}

// Cut leaves out rows at the end and counts them in the note.
func (t Tape) Cut(share float64) Data {
	n := max(1, int(float64(len(t.Rows))*share))
	spans := make([]Span, 0, len(t.Spans))
	for _, s := range t.Spans {
		if s.Row < n {
			spans = append(spans, s)
		}
	}
	t.Note = strings.TrimSpace(fmt.Sprintf("%d more rows are not shown here. %s", len(t.Rows)-n, t.Note))
	t.Rows, t.Spans = t.Rows[:n], spans
	return t
}
