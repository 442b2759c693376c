package export

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"github.com/bellhop-ai/bellhop/pkg/csv"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// maxCell is how many characters a cell of a workbook can hold.
const maxCell = 32_000

// workbook is a file on its way. Cells are written in order, and styles made
// when they are first needed.
type workbook struct {
	file   *excelize.File
	sheets map[string]bool // names in lower case
	styles map[string]int
}

func writeTableXLSX(w io.Writer, t render.Table, made time.Time) error {
	return writeBook(w, made, func(b *workbook) error { return b.table(t) })
}

// writeXLSX writes a sheet for each table, and one for the messages.
func writeXLSX(w io.Writer, d Document) error {
	return writeBook(w, d.Made, func(b *workbook) error {
		for _, t := range d.all() {
			if err := b.table(t); err != nil {
				return err
			}
		}
		return b.messages(d)
	})
}

func writeBook(w io.Writer, made time.Time, fill func(b *workbook) error) error {
	b := &workbook{file: excelize.NewFile(), sheets: map[string]bool{}, styles: map[string]int{}}
	err := fill(b)
	if err == nil {
		stamp := made.UTC().Format(time.RFC3339)
		err = b.file.SetDocProps(&excelize.DocProperties{Creator: "Bellhop", LastModifiedBy: "Bellhop", Created: stamp,
			Modified: stamp})
	}
	if err == nil {
		b.file.SetActiveSheet(0)
		err = b.file.Write(w)
	}
	return errors.Join(err, b.file.Close())
}

// sheet begins a sheet, runs fill on it and ends it. The head of the sheet
// stays in sight.
func (b *workbook) sheet(name string, widths []float64, fill func(s *excelize.StreamWriter) error) error {
	name = b.free(name)
	if len(b.sheets) == 1 {
		if err := b.file.SetSheetName("Sheet1", name); err != nil {
			return err
		}
	} else if _, err := b.file.NewSheet(name); err != nil {
		return err
	}
	if err := b.onPaper(name, widths); err != nil {
		return err
	}
	s, err := b.file.NewStreamWriter(name)
	if err != nil {
		return err
	}
	for i, width := range widths {
		if err := s.SetColWidth(i+1, i+1, width); err != nil {
			return err
		}
	}
	if err := s.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2",
		ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	if err := fill(s); err != nil {
		return err
	}
	return s.Flush()
}

// uprightChars is about how many characters stand side by side on an upright page
// before they become too small to read.
const uprightChars = 110

// onPaper makes a sheet print on the width of one page, lying where it is wide,
// with its head on each page.
func (b *workbook) onPaper(name string, widths []float64) error {
	total := 0.0
	for _, w := range widths {
		total += w
	}
	fit, across, a4, wide, high := true, "portrait", 9, 1, 0
	if total > uprightChars {
		across = "landscape"
	}
	if err := b.file.SetSheetProps(name, &excelize.SheetPropsOptions{FitToPage: &fit}); err != nil {
		return err
	}
	if err := b.file.SetPageLayout(name, &excelize.PageLayoutOptions{Size: &a4, Orientation: &across,
		FitToWidth: &wide, FitToHeight: &high}); err != nil {
		return err
	}
	return b.file.SetDefinedName(&excelize.DefinedName{Name: "_xlnm.Print_Titles", Scope: name,
		RefersTo: "'" + name + "'!$1:$1"})
}

// free returns a name that a sheet may have and none has yet.
func (b *workbook) free(name string) string {
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`[]:*?/\'`, r) || r < ' ' || r > 0xffff {
			return ' '
		}
		return r
	}, name)
	name = strings.Join(strings.Fields(name), " ")
	if name == "" || strings.EqualFold(name, "history") { // which Excel keeps for itself
		name = "Table"
	}
	for n := 1; ; n++ {
		end := ""
		if n > 1 {
			end = " " + strconv.Itoa(n)
		}
		candidate := strings.TrimSpace(first(name, 31-len(end))) + end
		if key := strings.ToLower(candidate); !b.sheets[key] {
			b.sheets[key] = true
			return candidate
		}
	}
}

// first returns at most so many characters of a text.
func first(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most])
}

func (b *workbook) table(t render.Table) error {
	widths := make([]float64, widthOf([]render.Table{t}))
	for i := range widths {
		longest := 8
		if i < len(t.Columns) {
			longest = max(longest, utf8.RuneCountInString(t.Columns[i].Label))
		}
		for _, row := range t.Rows {
			if i < len(row) {
				longest = max(longest, utf8.RuneCountInString(row[i].Text))
			}
		}
		widths[i] = float64(min(longest, 60)) + 2
	}
	return b.sheet(tableName(t), widths, func(s *excelize.StreamWriter) error {
		labels := make([]any, len(t.Columns))
		for i, c := range t.Columns {
			labels[i] = b.text(c.Label, "head")
		}
		if err := s.SetRow("A1", labels); err != nil {
			return err
		}
		for n, row := range t.Rows {
			cells := make([]any, len(row))
			for i, c := range row {
				cells[i] = b.cell(read(c))
			}
			if err := s.SetRow("A"+strconv.Itoa(n+2), cells); err != nil {
				return err
			}
		}
		return b.foot(s, t.Foot(), len(t.Rows)+3, widths)
	})
}

// foot writes a text below a table, over its whole width.
func (b *workbook) foot(s *excelize.StreamWriter, text string, row int, widths []float64) error {
	if text == "" {
		return nil
	}
	total := 0.0
	for _, w := range widths {
		total += w
	}
	const line = 15 // points
	lines := 1 + float64(utf8.RuneCountInString(text))/max(total, 1)
	start := "A" + strconv.Itoa(row)
	if err := s.SetRow(start, []any{b.text(text, "wrap")},
		excelize.RowOpts{Height: min(math.Ceil(lines)*line, 400)}); err != nil {
		return err
	}
	if len(widths) < 2 {
		return nil
	}
	end, err := excelize.CoordinatesToCellName(len(widths), row)
	if err != nil {
		return err
	}
	return s.MergeCell(start, end)
}

func (b *workbook) messages(d Document) error {
	return b.sheet("Messages", []float64{18, 28, 14, 100}, func(s *excelize.StreamWriter) error {
		if err := s.SetRow("A1", []any{b.text("Time", "head"), b.text("Who", "head"), b.text("Verified", "head"),
			b.text("Text", "head")}); err != nil {
			return err
		}
		for n, m := range d.Messages {
			cells := []any{nil, b.text(m.Who, "top"), b.text(verified(m), "top"), b.text(m.plain(), "wrap")}
			if !m.At.IsZero() {
				// A workbook knows no zones: what is shown is the place's time.
				local := time.Date(m.At.Year(), m.At.Month(), m.At.Day(), m.At.Hour(), m.At.Minute(), m.At.Second(), 0,
					time.UTC)
				cells[0] = excelize.Cell{StyleID: b.style("dd-mmm-yyyy hh:mm"), Value: local}
			}
			if err := s.SetRow("A"+strconv.Itoa(n+2), cells); err != nil {
				return err
			}
		}
		return s.SetRow("A"+strconv.Itoa(len(d.Messages)+3),
			[]any{b.text(d.Title+". "+d.about()+". "+d.verification(), "")})
	})
}

// text is a cell of text, never of a formula, however it begins.
func (b *workbook) text(s, style string) excelize.Cell {
	s = csv.Guarded(strings.Map(func(r rune) rune {
		// XML has no place for the other controls.
		if r < ' ' && r != '\n' && r != '\t' || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, strings.ToValidUTF8(strings.ReplaceAll(s, "\r", "\n"), "\ufffd")))
	if utf8.RuneCountInString(s) > maxCell {
		s = first(s, maxCell) + " … (cut: a cell holds no more)"
	}
	return excelize.Cell{StyleID: b.style(style), Value: s}
}

func (b *workbook) cell(v value) excelize.Cell {
	switch v.kind {
	case isDay:
		return excelize.Cell{StyleID: b.style("dd-mmm-yyyy"), Value: v.day.Time()}
	case isNumber:
		// At most fifteen digits: a float holds exactly those.
		f, err := strconv.ParseFloat(v.number.String(), 64)
		if err != nil {
			return b.text(v.text, "")
		}
		return excelize.Cell{StyleID: b.style(pattern(v)), Value: percentOf(f, v.percent)}
	}
	return b.text(v.text, "")
}

func percentOf(f float64, percent bool) float64 {
	if percent {
		return f / 100
	}
	return f
}

// pattern is the number format with which a workbook shows the value as its
// text shows it.
func pattern(v value) string {
	digits := "0"
	if _, fraction, ok := strings.Cut(v.number.String(), "."); ok {
		digits += "." + strings.Repeat("0", len(fraction))
	}
	switch {
	case v.way != "":
		// The sign is of this value: a format by sign would show another where a change
		// was rounded to nothing.
		if v.percent {
			digits += "%"
		}
		if v.currency != "" {
			digits = "#,##" + digits
		}
		return fmt.Sprintf(`"%s%s"%s;"%[1]s-%[2]s"%[3]s`, v.way, v.currency, digits)
	case v.percent:
		return digits + "%"
	case v.currency != "":
		return fmt.Sprintf(`"%s"#,##%s;-"%[1]s"#,##%[2]s`, v.currency, digits)
	}
	return digits
}

// style returns the number of a style by its name or its number format. A style
// that cannot be made is none: the value is what counts.
func (b *workbook) style(name string) int {
	if id, ok := b.styles[name]; ok || name == "" {
		return id
	}
	var s excelize.Style
	switch name {
	case "head":
		s.Font, s.Fill = &excelize.Font{Bold: true}, excelize.Fill{Type: "pattern", Pattern: 1,
			Color: []string{"F1F5F9"}}
	case "top":
		s.Alignment = &excelize.Alignment{Vertical: "top"}
	case "wrap":
		s.Alignment = &excelize.Alignment{Vertical: "top", WrapText: true}
	default:
		s.CustomNumFmt, s.Alignment = &name, &excelize.Alignment{Vertical: "top"}
	}
	id, err := b.file.NewStyle(&s)
	if err != nil {
		id = 0
	}
	b.styles[name] = id
	return id
}
