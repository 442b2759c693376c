package main

import (
	"bytes"
	"fmt"
	"html"
	"math"
)

const (
	drawingWidth = 860
	panelHeight  = 250
	plotLeft     = 210
	plotWidth    = 560
)

// draw returns the figures as an SVG. Its colours suit light and dark pages.
func (r report) draw() []byte {
	d := &drawing{}
	for _, by := range []string{"messages", "tools"} {
		d.growth(by, r.Growth)
	}
	var bars []bar
	for _, t := range r.Turns {
		name := fmt.Sprintf("%s, %d at once", t.Name, t.AtOnce)
		bars = append(bars, bar{name + ", ours", t.Ours.CPU, "ours"}, bar{name + ", plain", t.Plain.CPU, "plain"})
	}
	d.bars("CPU per turn, ms (least to most of the batches)", bars, 0)
	bars = nil
	for _, s := range r.Starts {
		if s.Failed == "" {
			bars = append(bars, bar{s.Function + ", " + s.Answer, s.FirstByte, "ours"})
		}
	}
	d.bars("Start of the process to its first complete answer, ms", bars, 20)
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %.0f" font-family="sans-serif" font-size="13">
<style>text{fill:#334155}.title{font-weight:bold}.line{fill:none;stroke-width:2}.ours{stroke:#0f766e;fill:#0f766e}.plain{stroke:#b45309;fill:#b45309}.line.ours,.line.plain{fill:none}.axis{stroke:#94a3b8}.aim{stroke:#94a3b8;stroke-dasharray:4 3}
@media (prefers-color-scheme:dark){text{fill:#cbd5e1}.ours{stroke:#2dd4bf;fill:#2dd4bf}.plain{stroke:#fbbf24;fill:#fbbf24}.axis,.aim{stroke:#64748b}}</style>
`, drawingWidth, d.y+10)
	out.Write(d.body.Bytes())
	out.WriteString("</svg>\n")
	return out.Bytes()
}

// drawing is filled from the top; y is where the next panel begins.
type drawing struct {
	body bytes.Buffer
	y    float64
}

func (d *drawing) text(class string, x, y float64, anchor, text string) {
	fmt.Fprintf(&d.body, `<text class="%s" x="%.1f" y="%.1f" text-anchor="%s">%s</text>`+"\n", class, x, y, anchor,
		html.EscapeString(text))
}

func (d *drawing) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&d.body, `<line class="%s" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`+"\n", class, x1, y1, x2, y2)
}

// growth draws how CPU grows, both axes from zero.
func (d *drawing) growth(by string, all []growthRow) {
	var rows []growthRow
	widest, highest := 0.0, 0.0
	for _, g := range all {
		if g.By == by {
			rows = append(rows, g)
			widest, highest = max(widest, float64(g.Size)), max(highest, g.Ours.Median, g.Plain.Median)
		}
	}
	if len(rows) == 0 {
		return
	}
	top := round(highest)
	left, bottom := 60.0, d.y+panelHeight-30
	height := bottom - d.y - 45
	x := func(size int) float64 { return left + float64(size)/widest*640 }
	y := func(v float64) float64 { return bottom - v/top*height }
	d.text("title", left, d.y+22, "start", "CPU per turn by "+by+", ms")
	d.line("axis", left, bottom, left+640, bottom)
	d.line("axis", left, bottom, left, bottom-height)
	for i := range 5 {
		v := top * float64(i) / 4
		d.text("", left-6, y(v)+4, "end", fmt.Sprintf("%.3g", v))
	}
	sides := []string{"ours", "plain"}
	var ends []float64
	for _, side := range sides {
		var path bytes.Buffer
		value := 0.0
		for i, g := range rows {
			value = g.Ours.Median
			if side == "plain" {
				value = g.Plain.Median
			}
			fmt.Fprintf(&path, "%c%.1f %.1f", "ML"[min(i, 1)], x(g.Size), y(value))
			fmt.Fprintf(&d.body, `<circle class="%s" cx="%.1f" cy="%.1f" r="3"/>`+"\n", side, x(g.Size), y(value))
			if side == "ours" {
				d.text("", x(g.Size), bottom+18, "middle", fmt.Sprint(g.Size))
			}
		}
		fmt.Fprintf(&d.body, `<path class="line %s" d="%s"/>`+"\n", side, path.String())
		ends = append(ends, y(value))
	}
	// The names stand at the ends of the lines, and not upon each other.
	if len(ends) == 2 && math.Abs(ends[0]-ends[1]) < 14 {
		apart := math.Copysign(7, ends[0]-ends[1])
		middle := (ends[0] + ends[1]) / 2
		ends[0], ends[1] = middle+apart, middle-apart
	}
	for i, side := range sides {
		d.text("", left+650, ends[i]+4, "start", side)
	}
	d.y += panelHeight
}

type bar struct {
	name  string
	value spread
	class string
}

// bars draws a bar for each median, with a thin line from the least to the
// most, and a line at the aim if there is one.
func (d *drawing) bars(title string, bars []bar, aim float64) {
	if len(bars) == 0 {
		return
	}
	highest := aim
	for _, b := range bars {
		highest = max(highest, b.value.Max)
	}
	top := round(highest)
	x := func(v float64) float64 { return plotLeft + v/top*plotWidth }
	d.text("title", 60, d.y+22, "start", title)
	d.y += 36
	from := d.y
	for _, b := range bars {
		d.text("", plotLeft-8, d.y+14, "end", b.name)
		fmt.Fprintf(&d.body, `<rect class="%s" stroke="none" x="%d" y="%.1f" width="%.1f" height="12" `+
			`opacity="0.75"/>`+"\n", b.class, plotLeft, d.y+4, x(b.value.Median)-plotLeft)
		d.line("axis", x(b.value.Min), d.y+10, x(b.value.Max), d.y+10)
		d.text("", x(b.value.Max)+6, d.y+14, "start", fmt.Sprintf("%.3g", b.value.Median))
		d.y += 20
	}
	d.line("axis", plotLeft, from, plotLeft, d.y)
	if aim > 0 {
		d.line("aim", x(aim), from-4, x(aim), d.y)
		d.text("", x(aim), d.y+14, "middle", fmt.Sprintf("aim: %.0f", aim))
		d.y += 16
	}
	d.y += 24
}

// round returns the next number above v that ends an axis well.
func round(v float64) float64 {
	step := math.Pow(10, math.Floor(math.Log10(max(v, 1e-6))))
	for _, n := range []float64{1, 1.5, 2, 3, 4, 5, 6, 8, 10} {
		if n*step >= v {
			return n * step
		}
	}
	return v
}
