package main

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/chart"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// knownTable is a table that came as a part.
type knownTable struct {
	render.Table
	id string
}

// part keeps a part until its place in the reply is known.
func (v *view) part(p part.Part) {
	var t render.Table
	if p.Kind == "table" && json.Unmarshal(p.Data, &t) == nil {
		v.tables = append(v.tables, knownTable{t, p.ID})
		return
	}
	v.parts = append(v.parts, p)
}

// beside shows what stands beside a table.
func (v *view) beside(id string) {
	v.parts = slices.DeleteFunc(v.parts, func(p part.Part) bool {
		if id == "" || p.Beside != id {
			return false
		}
		v.screen.part(p)
		return true
	})
}

// rest shows the parts that had no place in the reply.
func (v *view) rest() {
	for _, p := range v.parts {
		v.screen.part(p)
	}
	v.parts = nil
}

// part shows a chart as bars, and anything else by its words.
func (s *screen) part(p part.Part) {
	text, ours := p.Text, false
	var c chart.Chart
	if p.Kind == "chart" && json.Unmarshal(p.Data, &c) == nil && c.Check() == nil {
		c.Title, c.Unit = oneLine(c.Title), oneLine(c.Unit)
		for i := range c.Labels {
			c.Labels[i] = oneLine(c.Labels[i])
		}
		for i := range c.Series {
			c.Series[i].Name = oneLine(c.Series[i].Name)
		}
		text, ours = c.Blocks(s.width()), true
	}
	s.line()
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		if !ours {
			line = oneLine(line)
		}
		s.write(strings.TrimRight(line, " ") + "\n")
	}
	s.write("\n")
}
