package frontdesk

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/pages"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// history is a record's past in words.
type history struct {
	Code    string  `json:"code"`
	Changes []entry `json:"changes"` // newest first
	Matches int     `json:"matches"` // in all; the list may be shorter

	input historyInput
}

func (h history) page() pages.Page {
	return pages.Page{Offset: h.input.Offset, Shown: len(h.Changes), Matches: h.Matches}
}

type entry struct {
	At     string  `json:"at"` // in the property's time zone
	Who    string  `json:"who"`
	What   string  `json:"what"`
	Fields []field `json:"fields,omitempty"`
}

type field struct {
	Name   string `json:"name"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

func newHistory(in historyInput, h History, zone *time.Location, currency string) history {
	out := history{Code: in.Code, Changes: []entry{}, Matches: h.Matches, input: in}
	for _, c := range h.Changes {
		out.Changes = append(out.Changes, entry{
			At: c.At.In(zone).Format("02-Jan-2006 15:04"), Who: c.who(), What: c.what(),
			Fields: c.fields(zone, currency),
		})
	}
	return out
}

func (c Change) who() string {
	text := c.Who
	if text == "" {
		return "the system"
	}
	if c.Left {
		text = "somebody who has left"
	}
	if c.Assisted {
		text += ", with the assistant"
	}
	return text
}

// what says which record, and what happened to it.
func (c Change) what() string {
	noun := map[string]string{
		"reservation_rooms": "room", "reservation_extras": "extra", "packages_rooms": "room of the package",
		"packages_extras": "extra of the package",
		"coupon_rooms":    "room of the coupon", "coupon_packages": "package of the coupon",
		"coupon_uses":   "use of a coupon",
		"blocked_dates": "block", "chef_menu_items": "dish", "extra_selections": "selection", "rooms": "unit",
		"seasonal_pricing": "season",
	}[c.Table]
	if noun == "" {
		noun = strings.ReplaceAll(strings.TrimSuffix(c.Table, "s"), "_", " ")
	}
	if c.Thing != "" {
		noun += " " + c.Thing
	}
	return noun + " " + map[string]string{"insert": "added", "update": "changed", "delete": "removed"}[c.Action]
}

// fields lists what differs, in words, by name.
func (c Change) fields(zone *time.Location, currency string) []field {
	keys := maps.Clone(c.Before)
	if keys == nil {
		keys = map[string]json.RawMessage{}
	}
	maps.Copy(keys, c.After)
	var list []field
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		before, after := c.Before[key], c.After[key]
		if hidden(key) || bytes.Equal(before, after) {
			continue
		}
		f := field{Name: strings.ReplaceAll(key, "_", " "), Before: words(key, before, zone, currency),
			After: words(key, after, zone, currency)}
		if f.Before != f.After {
			list = append(list, f)
		}
	}
	return list
}

// hidden are the columns that say nothing to people.
func hidden(key string) bool {
	return key == "id" || strings.HasSuffix(key, "_id") ||
		slices.Contains([]string{"version", "created_at", "updated_at", "nights", "sort", "code",
			"cleaning_since", "cleaning_by"}, key)
}

// words shows a stored value; "" for nothing and for amounts of zero.
func words(key string, raw json.RawMessage, zone *time.Location, currency string) string {
	var value any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if len(raw) == 0 || dec.Decode(&value) != nil {
		return ""
	}
	switch v := value.(type) {
	case nil:
		return ""
	case bool:
		return render.Yes(v).Text
	case json.Number:
		amount, err := money.Parse(v.String())
		switch {
		case err != nil:
			return v.String()
		case amount.IsZero():
			return ""
		case strings.HasSuffix(key, "total") || strings.HasSuffix(key, "price") || key == "amount" ||
			key == "deposit_due":
			return amount.Format(currency)
		}
		return v.String()
	case string:
		if d, err := calendar.Parse(v); err == nil {
			return d.Show()
		}
		if at, err := time.Parse(time.RFC3339, v); err == nil {
			return at.In(zone).Format("02-Jan-2006 15:04")
		}
		if key == "status" || key == "reason" || key == "channel" || key == "cleaning_state" {
			return strings.ReplaceAll(v, "_", " ")
		}
		return v
	case []any:
		if len(v) == 0 {
			return ""
		}
	}
	return string(raw)
}

// Table lays the changes out.
func (h history) Table() render.Table {
	t := render.Table{Title: "Changes of " + h.Code, Columns: []render.Column{
		{Key: "at", Label: "When"}, {Key: "who", Label: "Who"}, {Key: "what", Label: "What"},
		{Key: "change", Label: "Before → after"},
	}}
	for _, e := range h.Changes {
		t.Rows = append(t.Rows, []render.Cell{render.Text(e.At), render.Text(e.Who), render.Text(e.What),
			render.Text(e.change())})
	}
	t.Note = h.page().Note("the newest first")
	return t
}

// Show offers the next page.
func (h history) Show() []part.Data {
	if next, more := h.page().Next("get_change_history", h.input, h.input.Limit); more {
		return part.Next(next)
	}
	return nil
}

func (e entry) change() string {
	var parts []string
	for _, f := range e.Fields {
		switch {
		case f.Before == "":
			parts = append(parts, f.Name+": "+f.After)
		case f.After == "":
			parts = append(parts, f.Name+": "+f.Before+" → nothing")
		default:
			parts = append(parts, f.Name+": "+f.Before+" → "+f.After)
		}
	}
	return strings.Join(parts, "; ")
}

// Summarize says the newest change, or which part is shown.
func (h history) Summarize() string {
	newest := h.Changes[0]
	if h.input.Offset > 0 {
		return fmt.Sprintf("%s of %s recorded. %s", count(h.Matches, "change"), h.Code,
			h.page().Note("the newest first"))
	}
	text := fmt.Sprintf("%s of %s recorded. The newest: %s, %s: %s", count(h.Matches, "change"), h.Code, newest.At,
		newest.Who, newest.What)
	if change := newest.change(); change != "" && len(change) < 300 {
		text += " (" + change + ")"
	}
	return text + "."
}

// Count is the number of changes listed.
func (h history) Count() int { return len(h.Changes) }
