// Package sheet reads the cells of Excel workbooks (.xlsx) as text. It trusts
// nothing of a file: what would unfold to more than a person's table is refused
// before it does, by what is there and not by what its headers say.
package sheet

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/uploads/excerpt"
	"github.com/bellhop-ai/bellhop/pkg/work"
)

// Limits of a workbook.
const (
	MaxEntries  = 1000
	MaxUnpacked = 64 << 20
	MaxRatio    = 100 // of the unpacked size to the packed one
	MaxCells    = 200_000
	MaxStrings  = 200_000
	maxShared   = 16 << 20 // bytes of the shared strings
	maxSheets   = 100
)

// Text is what a workbook says.
type Text struct {
	Body   string // sheet by sheet, a row a line, cells parted by " | "
	Sheets int    // those that people see
	Rows   int    // with something in them
	Left   int    // characters that are left out of Body
}

// Looks reports whether a ZIP archive calls itself a workbook.
func Looks(b []byte) bool { return bytes.Contains(b, []byte("xl/workbook.xml")) }

// Read reads a workbook and pays for it from the budget. It returns
// fault.Unprocessable with a sentence for one that is refused, and the error of
// the budget's context where that ended.
func Read(budget *work.Budget, b []byte) (Text, error) {
	book, err := open(budget, b)
	if err != nil {
		return Text{}, err
	}
	if err := book.read(); err != nil {
		if spent := budget.Err(); spent != nil {
			return Text{}, spent
		}
		if _, said := errors.AsType[*fault.Error](err); said {
			return Text{}, err
		}
		return Text{}, fault.Wrap(fault.Unprocessable, err, "The Excel file is damaged and cannot be read.")
	}
	if book.out.Empty() || book.text.Rows == 0 {
		return Text{}, fault.New(fault.Unprocessable, "There is nothing in the cells of the Excel file.")
	}
	book.text.Body, book.text.Left = book.out.String(), book.out.Left()
	return book.text, nil
}

func unsafe(format string, args ...any) error {
	return fault.New(fault.Unprocessable, "The Excel file is refused: "+format, args...)
}

// book is a workbook that is being read.
type book struct {
	budget *work.Budget
	files  map[string]*zip.File
	room   int64 // bytes that may still be unpacked
	shared shared
	styles []style
	late   bool // days are counted from 1904
	cells  int
	out    excerpt.Excerpt
	text   Text
}

// open checks the archive as a whole: what its directory admits to, and the
// first bytes of everything in it.
func open(budget *work.Budget, b []byte) (*book, error) {
	// The reader would list them all before it says how many there are.
	if n := bytes.Count(b, []byte("PK\x01\x02")); n > MaxEntries {
		return nil, unsafe("it holds more than %d parts.", MaxEntries)
	}
	archive, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if errors.Is(err, zip.ErrInsecurePath) {
		return nil, unsafe("it holds names that lead out of it.")
	}
	if err != nil {
		return nil, fault.Wrap(fault.Unprocessable, err, "The Excel file is damaged and cannot be read.")
	}
	k := &book{budget: budget, files: make(map[string]*zip.File, len(archive.File)), room: MaxUnpacked}
	var unpacked uint64
	for _, f := range archive.File {
		if len(archive.File) > MaxEntries {
			return nil, unsafe("it holds more than %d parts.", MaxEntries)
		}
		if err := budget.Steps(10); err != nil {
			return nil, err
		}
		if err := checkEntry(f); err != nil {
			return nil, err
		}
		if k.files[f.Name] != nil {
			return nil, unsafe("it holds a part twice.")
		}
		k.files[f.Name] = f
		if unpacked += f.UncompressedSize64; unpacked > MaxUnpacked {
			return nil, unsafe("it unfolds to more than %d MB.", MaxUnpacked>>20)
		}
	}
	if unpacked > uint64(len(b))*MaxRatio {
		return nil, unsafe("it unfolds to more than %d times its size.", MaxRatio)
	}
	return k, nil
}

func checkEntry(f *zip.File) error {
	name := f.Name
	switch {
	case name == "", len(name) > 255, strings.ContainsAny(name, "\\\x00:"),
		!fs.ValidPath(strings.TrimSuffix(name, "/")):
		return unsafe("it holds names that lead out of it.")
	case f.Flags&1 != 0:
		return unsafe("it is protected by a password.")
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return unsafe("it is packed in a way that is not known.")
	case f.UncompressedSize64 > 1<<20 && f.UncompressedSize64 > f.CompressedSize64*MaxRatio:
		return unsafe("it unfolds to more than %d times its size.", MaxRatio)
	}
	for _, end := range []string{".zip", ".xlsx", ".xlsm", ".xlsb", ".docx", ".pptx", ".jar", ".7z", ".rar", ".gz"} {
		if strings.HasSuffix(strings.ToLower(name), end) {
			return unsafe("it holds another packed file.")
		}
	}
	in, err := f.Open()
	if err != nil {
		return fault.Wrap(fault.Unprocessable, err, "The Excel file is damaged and cannot be read.")
	}
	defer in.Close()
	var head [4]byte
	n, _ := io.ReadFull(in, head[:]) // what is damaged comes to light when it is read
	if s := string(head[:n]); strings.HasPrefix(s, "PK\x03\x04") || strings.HasPrefix(s, "PK\x05\x06") ||
		strings.HasPrefix(s, "\x1f\x8b") || s == "Rar!" || s == "7z\xbc\xaf" {
		return unsafe("it holds another packed file.")
	}
	return nil
}

// part is one part of the archive on its way through the scanner. Whatever its
// header says, it takes from the room that all parts share.
type part struct {
	in   io.Reader
	book *book
}

func (p part) Read(b []byte) (int, error) {
	if p.book.room <= 0 {
		return 0, unsafe("it unfolds to more than %d MB.", MaxUnpacked>>20)
	}
	n, err := p.in.Read(b[:min(int64(len(b)), p.book.room)])
	p.book.room -= int64(n)
	return n, err
}

// scan goes through the tags of a part; one that is not there has none.
func (k *book) scan(name string, each func(token) error) error {
	f := k.files[name]
	if f == nil {
		return nil
	}
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	s := newScanner(part{k.budget.Reader(in), k})
	for {
		t, ok := s.next()
		if !ok {
			return s.err
		}
		if err := k.budget.Steps(2); err != nil {
			return err
		}
		if err := each(t); err != nil {
			return err
		}
	}
}

// listed is a sheet as the workbook lists it.
type listed struct{ name, ref string }

func (k *book) read() error {
	sheets, hidden, err := k.list()
	if err != nil {
		return err
	}
	targets := map[string]string{}
	err = k.scan("xl/_rels/workbook.xml.rels", func(t token) error {
		if t.name == "Relationship" && !t.end && len(targets) < MaxEntries {
			targets[t.attr("Id")] = t.attr("Target")
		}
		return nil
	})
	if err == nil {
		err = k.readShared()
	}
	if err == nil {
		err = k.readStyles()
	}
	if err != nil {
		return err
	}
	for i, one := range sheets {
		target := targets[one.ref]
		if rest, ok := strings.CutPrefix(target, "/"); ok {
			target = rest
		} else {
			target = path.Join("xl", target)
		}
		if i > 0 {
			k.out.Add("\n")
		}
		k.out.Add(fmt.Sprintf("Sheet “%s”:\n", strings.TrimSpace(one.name)))
		if err := k.readSheet(target); err != nil {
			return err
		}
	}
	if hidden > 0 {
		k.out.Add(fmt.Sprintf("\n(%d hidden sheets are left out.)\n", hidden))
	}
	k.text.Sheets = len(sheets)
	return nil
}

// list returns the sheets that people see, and how many others there are.
func (k *book) list() (sheets []listed, hidden int, err error) {
	err = k.scan("xl/workbook.xml", func(t token) error {
		switch {
		case t.name == "workbookPr" && !t.end:
			date := t.attr("date1904")
			k.late = date == "1" || date == "true"
		case t.name == "sheet" && !t.end:
			if len(sheets)+hidden == maxSheets {
				return unsafe("it has more than %d sheets.", maxSheets)
			}
			if state := t.attr("state"); state != "" && state != "visible" {
				hidden++
				return nil
			}
			sheets = append(sheets, listed{t.attr("name"), t.attr("r:id")})
		}
		return nil
	})
	if err == nil && len(sheets) == 0 {
		err = errors.New("no sheet")
	}
	return sheets, hidden, err
}
