package sheet

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// shared are the strings that cells refer to by number, one behind the other.
type shared struct {
	text []byte
	ends []uint32
}

func (s shared) at(i int) string {
	if i < 0 || i >= len(s.ends) {
		return ""
	}
	from := uint32(0)
	if i > 0 {
		from = s.ends[i-1]
	}
	return string(s.text[from:s.ends[i]])
}

func (k *book) readShared() error {
	phonetic := false
	return k.scan("xl/sharedStrings.xml", func(t token) error {
		switch {
		case t.name == "rPh":
			phonetic = !t.end && !t.closed
		case t.name == "t" && t.end && !phonetic:
			if k.shared.text = append(k.shared.text, t.text...); len(k.shared.text) > maxShared {
				return unsafe("its texts are more than %d MB.", maxShared>>20)
			}
		case t.name == "si" && (t.end || t.closed):
			if k.shared.ends = append(k.shared.ends, uint32(len(k.shared.text))); len(k.shared.ends) > MaxStrings {
				return unsafe("it has more than %d different texts.", MaxStrings)
			}
		}
		return nil
	})
}

// style is how a number is to be read.
type style int

const (
	plain style = iota
	date
	clock // date and time
	percent
)

func (k *book) readStyles() error {
	custom := map[string]style{}
	inCells := false
	return k.scan("xl/styles.xml", func(t token) error {
		switch {
		case t.name == "numFmt" && !t.end && len(custom) < MaxStrings:
			custom[t.attr("numFmtId")] = styleOf(t.attr("formatCode"))
		case t.name == "cellXfs":
			inCells = !t.end
		case t.name == "xf" && !t.end && inCells && len(k.styles) < MaxStrings:
			id := t.attr("numFmtId")
			s, ok := custom[id]
			if !ok {
				s = builtIn(id)
			}
			k.styles = append(k.styles, s)
		}
		return nil
	})
}

func builtIn(id string) style {
	switch id {
	case "9", "10":
		return percent
	case "14", "15", "16", "17":
		return date
	case "22":
		return clock
	}
	return plain
}

// styleOf reads a format: which letters stand in it outside of quotes, brackets
// and escapes.
func styleOf(code string) style {
	days, hours := false, false
	for i := 0; i < len(code); i++ {
		switch code[i] {
		case '"', '[':
			end := byte('"')
			if code[i] == '[' {
				end = ']'
			}
			j := strings.IndexByte(code[i+1:], end)
			if j < 0 {
				return plain
			}
			i += j + 1
		case '\\', '_', '*':
			i++
		case '%':
			return percent
		case 'd', 'y', 'D', 'Y':
			days = true
		case 'h', 'H', 's', 'S':
			hours = true
		}
	}
	switch {
	case days && hours:
		return clock
	case days:
		return date
	}
	return plain
}

// readSheet writes the rows of a sheet down.
func (k *book) readSheet(name string) error {
	var (
		row       []string
		column    int
		kind      string
		of        style
		value     string
		inline    bool
		something bool
	)
	return k.scan(name, func(t token) error {
		switch {
		case t.name == "row" && !t.end && !t.closed:
			row, column, something = row[:0], 0, false
		case t.name == "row" && t.end:
			if something {
				k.text.Rows++
				k.out.Add(strings.TrimRight(strings.Join(row, " | "), " |") + "\n")
			}
		case t.name == "c" && !t.end:
			if k.cells++; k.cells > MaxCells {
				return unsafe("it has more than %d cells.", MaxCells)
			}
			at := t.attr("r")
			if n := columnOf(at); n > 0 {
				column = n
			} else {
				column++
			}
			kind, value, of = t.attr("t"), "", plain
			if i, err := strconv.Atoi(t.attr("s")); err == nil && i >= 0 && i < len(k.styles) {
				of = k.styles[i]
			}
		case t.name == "is":
			inline = !t.end && !t.closed
		case t.name == "v" && t.end, t.name == "t" && t.end && inline:
			value += string(t.text)
		case t.name == "c" && t.end:
			if text := k.cell(kind, value, of); text != "" {
				row = place(row, column, text)
				something = true
			}
		}
		return nil
	})
}

// gap is how many empty cells are shown as such; a cell behind more of them
// gets its column's name instead.
const gap = 20

func place(row []string, column int, text string) []string {
	if column-1 < len(row) {
		return append(row, text)
	}
	if column-1-len(row) > gap {
		return append(row, nameOf(column)+": "+text)
	}
	for len(row) < column-1 {
		row = append(row, "")
	}
	return append(row, text)
}

// columnOf returns the number of the column in "BC12", from 1; 0 for none.
func columnOf(ref string) int {
	n := 0
	for i := 0; i < len(ref) && i < 3 && 'A' <= ref[i] && ref[i] <= 'Z'; i++ {
		n = n*26 + int(ref[i]-'A') + 1
	}
	return n
}

func nameOf(column int) string {
	var b []byte
	for ; column > 0; column = (column - 1) / 26 {
		b = append(b, byte('A'+(column-1)%26))
	}
	slices.Reverse(b)
	return string(b)
}

// cell returns what a person sees in a cell.
func (k *book) cell(kind, value string, of style) string {
	switch kind {
	case "s":
		i, err := strconv.Atoi(value)
		if err != nil {
			return ""
		}
		return tidy(k.shared.at(i))
	case "b":
		if value == "1" {
			return "TRUE"
		}
		return "FALSE"
	case "", "n":
		f, err := strconv.ParseFloat(value, 64)
		if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
			return tidy(value)
		}
		return k.number(f, of)
	}
	return tidy(value)
}

func tidy(text string) string { return strings.Join(strings.Fields(text), " ") }

func (k *book) number(f float64, of style) string {
	switch {
	case of == percent:
		return strconv.FormatFloat(math.Round(f*1e12)/1e10, 'f', -1, 64) + "%"
	case (of == date || of == clock) && f >= 1 && f < 2_958_466: // up to the year 9999
		// Day 60 is the 29th of February 1900, which there was not.
		first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
		if k.late {
			first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
		}
		day := first.AddDate(0, 0, int(f))
		if seconds := int(math.Round((f - math.Floor(f)) * 86400)); of == clock || seconds > 0 {
			return day.Add(time.Duration(seconds) * time.Second).Format("02-Jan-2006 15:04")
		}
		return day.Format("02-Jan-2006")
	}
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	// What is typed as 0.3 is kept as 0.30000000000000004 at times.
	short, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', 15, 64), 64)
	if err != nil {
		short = f
	}
	return strconv.FormatFloat(short, 'f', -1, 64)
}
