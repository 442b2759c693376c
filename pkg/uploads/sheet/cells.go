package sheet

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/uploads/excerpt"
)

// shared are the strings that cells refer to by number, one behind the other.
type shared struct {
	text []byte
	ends []uint32
}

func (s shared) at(i int) []byte {
	if i < 0 || i >= len(s.ends) {
		return nil
	}
	from := uint32(0)
	if i > 0 {
		from = s.ends[i-1]
	}
	return s.text[from:s.ends[i]]
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
		now    row
		column int
		kind   string
		of     style
		value  []byte
		inline bool
	)
	return k.scan(name, func(t token) error {
		switch {
		case t.name == "row" && !t.end && !t.closed:
			now, column = row{cells: now.cells[:0]}, 0
		case t.name == "row" && t.end:
			if now.something {
				k.text.Rows++
				k.out.Add(strings.TrimRight(strings.Join(now.cells, " | "), " |") + "\n")
				k.out.Leave(now.left)
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
			kind, value, of = t.attr("t"), value[:0], plain
			if i, err := strconv.Atoi(t.attr("s")); err == nil && i >= 0 && i < len(k.styles) {
				of = k.styles[i]
			}
		case t.name == "is":
			inline = !t.end && !t.closed
		case t.name == "v" && t.end, t.name == "t" && t.end && inline:
			value = append(value, t.text...)
		case t.name == "c" && t.end:
			if k.out.Full() || now.size > excerpt.Most {
				n, err := k.passed(kind, value)
				now.left += n
				now.something = now.something || n > 0
				return err
			}
			text, err := k.cell(kind, value, of)
			if text != "" {
				now.add(column, text)
			}
			return err
		}
		return nil
	})
}

// row is a row that is being read.
type row struct {
	cells     []string
	size      int // bytes of them
	left      int // characters of further cells, for which there is no room
	something bool
}

// gap is how many empty cells are shown as such; a cell behind more of them
// gets its column's name instead.
const gap = 20

func (r *row) add(column int, text string) {
	r.something = true
	if column-1-len(r.cells) > gap {
		text = nameOf(column) + ": " + text
	} else {
		for len(r.cells) < column-1 {
			r.cells = append(r.cells, "")
		}
	}
	r.cells = append(r.cells, text)
	r.size += len(text)
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

// cell returns what a person sees in a cell. A text is paid for as often as it
// is seen: a small file may name a long one in each of its cells.
func (k *book) cell(kind string, value []byte, of style) (string, error) {
	text := value
	switch kind {
	case "s":
		text = k.sharedAt(value)
	case "b":
		if string(value) == "1" {
			return "TRUE", nil
		}
		return "FALSE", nil
	case "", "n":
		if f, err := strconv.ParseFloat(string(value), 64); err == nil && !math.IsInf(f, 0) && !math.IsNaN(f) {
			return k.number(f, of), nil
		}
	}
	if err := k.budget.Spend(len(text)/bytesOfStep, len(text)); err != nil {
		return "", err
	}
	return strings.Join(strings.Fields(string(text)), " "), nil
}

func (k *book) sharedAt(number []byte) []byte {
	i, err := strconv.Atoi(string(number))
	if err != nil {
		return nil
	}
	return k.shared.at(i)
}

// passed returns how many characters a cell has, about, for which there is no
// room any more. It costs what the cell would cost.
func (k *book) passed(kind string, value []byte) (int, error) {
	text := value
	if kind == "s" {
		text = k.sharedAt(value)
	}
	if err := k.budget.Spend(len(text)/bytesOfStep, len(text)); err != nil {
		return 0, err
	}
	n := utf8.RuneCount(bytes.TrimSpace(text))
	if n > 0 {
		n += len(" | ")
	}
	return n, nil
}

// bytesOfStep is how many bytes of a text are cleaned and copied in the time of
// one step.
const bytesOfStep = 16

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
