package main

import (
	"encoding/json"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// show shows one event. Events that are not known change nothing.
func (v *view) show(e event) {
	switch e.name {
	case "begin":
		// The same turn once more: what it says again is not shown again.
		v.shown, v.heard, v.tables, v.parts = max(v.shown, v.heard), 0, nil, nil
	case "history_unverified":
		var d struct{ Reasons []string }
		if v.read(e, &d) {
			v.screen.step("! Parts of this conversation could not be verified: %s", strings.Join(d.Reasons, ", "))
		}
	case "route_classified":
		var d struct{ Label, How string }
		if v.read(e, &d) && d.Label != "" && d.How != "confirm" {
			v.screen.step("→ %s", d.Label)
		}
	case "executing_tool":
		var d struct{ CallID, Title string }
		if v.read(e, &d) {
			v.titles[d.CallID] = d.Title
			v.screen.step("· %s …", d.Title)
		}
	case "tool_result":
		var d struct {
			CallID, Message string
			Success, Asked  bool
			Records         int
			DurationMs      int
		}
		switch {
		case !v.read(e, &d) || d.Asked:
		case d.Success:
			records := "records"
			if d.Records == 1 {
				records = "record"
			}
			v.screen.step("✓ %s: %d %s, %d ms", v.titles[d.CallID], d.Records, records, d.DurationMs)
		default:
			v.screen.step("✗ %s: %s", v.titles[d.CallID], d.Message)
		}
	case "part":
		var d part.Part
		if v.read(e, &d) {
			v.part(d)
		}
	case "response_chunk":
		var d struct{ Text string }
		if v.read(e, &d) {
			v.say(d.Text)
		}
	case "complete":
		var a answer
		if v.read(e, &a) && len(a.Message) > 0 {
			v.rest()
			v.got = &a
		}
	case "error":
		var d struct {
			Error struct{ Code, Message, RequestID string }
		}
		if v.read(e, &d) {
			v.failed = &refusal{Detail: d.Error.Message, Code: d.Error.Code, RequestID: d.Error.RequestID}
		}
	}
}

// read decodes the data of an event.
func (v *view) read(e event, into any) bool { return json.Unmarshal(e.data, into) == nil }

// say shows a piece of the reply. Tables stand in it as HTML; what is laid out
// is the data that came before, which the piece only says the place of.
func (v *view) say(text string) {
	if again := min(len(text), v.shown-v.heard); again > 0 {
		v.heard += again
		text = text[again:]
	}
	v.heard += len(text)
	for {
		before, table, after, found := render.CutTable(text)
		v.screen.say(before)
		if !found {
			return
		}
		v.screen.rest()
		known := v.whole(table)
		v.beside(known.id)
		v.screen.table(known.Table)
		text = after
	}
}

// whole returns the table that came as data: the very one, or the one of which
// the reply had room for a part only.
func (v *view) whole(t render.Table) knownTable {
	html := t.HTML()
	for _, known := range v.tables {
		if known.HTML() == html {
			return known
		}
	}
	for _, known := range v.tables {
		if known.Title == t.Title && len(known.Columns) == len(t.Columns) {
			if len(known.Rows) < len(t.Rows) {
				known.Table = t // the part had room for fewer rows
			}
			return known
		}
	}
	return knownTable{Table: t}
}
