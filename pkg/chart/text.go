package chart

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// Text returns the chart as text, a line for each label: for clients that
// cannot draw it, and for screen readers.
func (c Chart) Text() string {
	var b strings.Builder
	b.WriteString(plain(c.Title) + c.unit())
	for i := range c.Len() {
		b.WriteString("\n" + c.Label(i) + ": ")
		for n, s := range c.Series {
			if n > 0 {
				b.WriteString(", ")
			}
			if len(c.Series) > 1 {
				b.WriteString(plain(s.Name) + " ")
			}
			b.WriteString(c.told(i, s.Values[i]))
		}
	}
	return b.String()
}

// unit names what is counted, in brackets, where the figures do not.
func (c Chart) unit() string {
	if c.Unit == "" || c.Unit == "%" || isCurrency(c.Unit) {
		return ""
	}
	return " (" + c.Unit + ")"
}

// Summary says in a sentence what the chart shows, for a description that need
// not name every figure.
func (c Chart) Summary() string {
	low, high := 0, 0
	values := c.Series[0].Values
	for i, v := range values {
		if v == nil {
			continue
		}
		if values[low] == nil || v.Cmp(*values[low]) < 0 {
			low = i
		}
		if values[high] == nil || v.Cmp(*values[high]) > 0 {
			high = i
		}
	}
	kind := map[Form]string{Bars: "A bar chart", Stacked: "A chart of stacked bars", Lines: "A line chart",
		Calendar: "A calendar"}[c.Form]
	text := fmt.Sprintf("%s of %d points from %s to %s. %s is lowest at %s (%s) and highest at %s (%s).",
		kind, c.Len()*len(c.Series), c.Label(0), c.Label(c.Len()-1),
		plain(c.Series[0].Name), c.Label(low), c.told(low, values[low]), c.Label(high), c.told(high, values[high]))
	closed := 0
	for i := range c.Len() {
		if c.Closed(i) {
			closed++
		}
	}
	if closed > 0 {
		text += fmt.Sprintf(" Closed days: %d.", closed)
	}
	return text
}

// Blocks returns the chart as bars of block characters beside their figures, in
// lines of at most so many characters; 0 is 80.
func (c Chart) Blocks(width int) string {
	if width <= 0 {
		width = 80
	}
	names, labels, figures := 0, 0, 0
	for i := range c.Len() {
		labels = max(labels, utf8.RuneCountInString(c.Label(i)))
		for _, s := range c.Series {
			figures = max(figures, utf8.RuneCountInString(c.Show(s.Values[i])))
		}
	}
	if len(c.Series) > 1 {
		for _, s := range c.Series {
			names = max(names, utf8.RuneCountInString(plain(s.Name)))
		}
		names = min(names, 24) + 1
	}
	labels = min(labels, 24)
	room := max(width-labels-names-figures-4, 4)
	_, top := c.extent(false)
	var b strings.Builder
	b.WriteString(plain(c.Title) + c.unit() + "\n")
	for i := range c.Len() {
		label := c.Label(i)
		for _, s := range c.Series {
			b.WriteString(padded(label, labels) + " ")
			if names > 0 {
				b.WriteString(padded(plain(s.Name), names-1) + " ")
			}
			v := 0.0
			if s.Values[i] != nil {
				v = number(*s.Values[i])
			}
			figure := c.Show(s.Values[i])
			b.WriteString(
				strings.Repeat(" ", figures-utf8.RuneCountInString(figure)) + figure + " " + bar(v, top, room) + "\n",
			)
			label = ""
		}
	}
	return b.String()
}

// bar is a bar of eighths of a character; one below zero is drawn lighter.
func bar(v, top float64, room int) string {
	if top == 0 {
		return ""
	}
	eighths := int(math.Round(math.Abs(v) / top * float64(room) * 8))
	if v < 0 {
		return strings.Repeat("░", (eighths+7)/8)
	}
	out := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		out += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return out
}

func padded(s string, width int) string {
	n := utf8.RuneCountInString(s)
	if n > width {
		return string([]rune(s)[:width-1]) + "…"
	}
	return s + strings.Repeat(" ", width-n)
}
