package uploads_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/bellhop-ai/bellhop/pkg/uploads"
	"github.com/bellhop-ai/bellhop/pkg/work"
)

// judged looks at a file of that name.
func judged(t testing.TB, name string, content []byte) uploads.Finding {
	t.Helper()
	d, err := uploads.Ask(name, "", 1, "")
	if err != nil {
		t.Fatal(err)
	}
	found, err := uploads.Judge(work.ForFile(t.Context()), d, content, int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func workbook(t testing.TB, fill func(*excelize.File)) []byte {
	t.Helper()
	f := excelize.NewFile()
	fill(f)
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestAWorkbookIsReadAsItIsSeen(t *testing.T) {
	t.Parallel()
	got := judged(t, "rates.xlsx", workbook(t, func(f *excelize.File) {
		must(t, f.SetSheetName("Sheet1", "Rates & more"))
		must(t, f.SetSheetRow("Rates & more", "A1", &[]any{"Room", "From", "Price", "Share", "Open"}))
		must(t, f.SetSheetRow("Rates & more", "A2", &[]any{"COCO <sea>", time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC),
			120.5, 0.715, true}))
		share, err := f.NewStyle(&excelize.Style{NumFmt: 10})
		must(t, err)
		must(t, f.SetCellStyle("Rates & more", "D2", "D2", share))
		must(t, f.SetCellValue("Rates & more", "C4", 0.1+0.2))
		must(t, f.SetCellValue("Rates & more", "AZ4", "far away"))
		_, err = f.NewSheet("Notes")
		must(t, err)
		must(t, f.SetCellRichText("Notes", "A1", []excelize.RichTextRun{{Text: "Breakfast "},
			{Text: "from 7", Font: &excelize.Font{Bold: true}}}))
		_, err = f.NewSheet("Secret")
		must(t, err)
		must(t, f.SetCellValue("Secret", "A1", "never shown"))
		must(t, f.SetSheetVisible("Secret", false))
	}))
	want := "Sheet “Rates & more”:\n" +
		"Room | From | Price | Share | Open\n" +
		"COCO <sea> | 01-Feb-2026 | 120.5 | 71.5% | TRUE\n" +
		" |  | 0.3 | AZ: far away\n\n" +
		"Sheet “Notes”:\nBreakfast from 7\n\n(1 hidden sheets are left out.)"
	if diff := cmp.Diff(want, got.Body); diff != "" || got.Refusal != "" {
		t.Errorf("%s (-want +got):\n%s", got.Refusal, diff)
	}
	if got.Facts.Sheets != 2 || got.Facts.Rows != 4 || got.Facts.Left != 0 || got.Kind != uploads.Sheet {
		t.Errorf("the facts are %+v", got.Facts)
	}
}

func TestAPDFFileIsReadLineByLine(t *testing.T) {
	t.Parallel()
	doc := fpdf.New("P", "mm", "A4", "")
	doc.SetFont("Helvetica", "", 12)
	doc.AddPage()
	doc.Cell(60, 10, "Room")
	doc.Cell(60, 10, "Rate")
	doc.Ln(10)
	doc.Cell(60, 10, "COCO (sea view)")
	doc.Cell(60, 10, "120.50")
	doc.AddPage()
	doc.Cell(60, 10, "caf\xe9 \x80 5") // as Windows writes it
	var b bytes.Buffer
	must(t, doc.Output(&b))
	got := judged(t, "rates.pdf", b.Bytes())
	want := "[Page 1]\nRoom   Rate\nCOCO (sea view)   120.50\n\n[Page 2]\ncafé € 5"
	if diff := cmp.Diff(want, got.Body); diff != "" || got.Refusal != "" || got.Facts.Pages != 2 {
		t.Errorf("%+v (-want +got):\n%s", got, diff)
	}
}

func TestTextsOfAnyEncodingAreRead(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"Menü: 5 €\r\nनमस्ते":               "Menü: 5 €\nनमस्ते",
		"\xef\xbb\xbfname,price":            "name,price",
		"\xff\xfeH\x00i\x00 \x00\xac\x20":   "Hi €",
		"\xfe\xff\x00H\x00i":                "Hi",
		"Men\xfc: 5 \x80":                   "Menü: 5 €",
		"a\u202eb\u200bc\U000e0041":         "abc", // what people do not see
		"ok " + strings.Repeat("é", 40_000): "ok " + strings.Repeat("é", 29_998),
	} {
		got := judged(t, "a.csv", []byte(content))
		if got.Body != want || got.Refusal != "" {
			t.Errorf("%.40q became %.40q (%d bytes, %s)", content, got.Body, len(got.Body), got.Refusal)
		}
		if len(content) > 60_000 && got.Facts.Left != 40_000-29_998 {
			t.Errorf("%d characters are said to be left", got.Facts.Left)
		}
	}
}

// bomb is a workbook of parts whose contents are written as they are packed.
func bomb(t testing.TB, parts map[string]func(io.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if parts["xl/workbook.xml"] == nil {
		parts["xl/workbook.xml"] = text(`<workbook xmlns:r="r"><sheets><sheet name="S" sheetId="1" ` +
			`r:id="r1"/></sheets></workbook>`)
	}
	parts["xl/_rels/workbook.xml.rels"] = text(`<Relationships><Relationship Id="r1" ` +
		`Target="worksheets/sheet1.xml"/></Relationships>`)
	for name, write := range parts {
		w, err := z.Create(name)
		must(t, err)
		must(t, write(w))
	}
	must(t, z.Close())
	return b.Bytes()
}

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// lines writes a text with a number in it, again and again.
func lines(before, each string, n int, after string) func(io.Writer) error {
	return func(w io.Writer) error {
		if _, err := io.WriteString(w, before); err != nil {
			return err
		}
		for i := range n {
			if _, err := io.WriteString(w, strings.ReplaceAll(each, "#", strconv.Itoa(i*7919%9973))); err != nil {
				return err
			}
		}
		_, err := io.WriteString(w, after)
		return err
	}
}

const sheet1 = "xl/worksheets/sheet1.xml"

// bombs are files that are small on the way and large in memory, or endless.
func bombs(t testing.TB) map[string][]byte {
	t.Helper()
	cell := text(`<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>`)
	lying := bomb(t, map[string]func(io.Writer) error{sheet1: lines("<worksheet><sheetData>",
		"<!-- a remark on nothing, number # -->", 2_200_000, "</sheetData></worksheet>")})
	// Its directory says a kilobyte where eighty megabytes follow.
	for i := bytes.Index(lying, []byte("PK\x01\x02")); i >= 0 && i+46 < len(lying); {
		if bytes.HasPrefix(lying[i+46:], []byte(sheet1)) {
			binary.LittleEndian.PutUint32(lying[i+24:], 1024)
		}
		next := bytes.Index(lying[i+4:], []byte("PK\x01\x02"))
		if next < 0 {
			break
		}
		i += 4 + next
	}
	many := map[string]func(io.Writer) error{sheet1: cell}
	for i := range 1001 {
		many[fmt.Sprintf("xl/media/%d.txt", i)] = text("x")
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, 9)
	must(t, err)
	_, err = w.Write(bytes.Repeat([]byte("BT /F1 9 Tf (a) Tj ET\n"), 4_000_000))
	must(t, err)
	must(t, w.Close())
	pdf := func(body string) []byte { return []byte("%PDF-1.7\n" + body) }
	page := "1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj 2 0 obj << /Kids [3 0 R] >> endobj 3 0 obj << /Type " +
		"/Page /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >> endobj 5 0 obj << /Type /Font >> " +
		"endobj "
	return map[string][]byte{
		"zeros.xlsx": bomb(t, map[string]func(io.Writer) error{sheet1: lines("",
			strings.Repeat("\x00", 1<<20), 60, "")}),
		"too much.xlsx": bomb(t, map[string]func(io.Writer) error{sheet1: lines("<worksheet>",
			"<c r=\"A1\" s=\"12\" t=\"n\"><v>#</v></c>", 2_000_000, "")}),
		"lying.xlsx": lying,
		"strings.xlsx": bomb(t, map[string]func(io.Writer) error{sheet1: cell,
			"xl/sharedStrings.xml": lines("<sst>", "<si><t>#</t></si>", 1_000_000, "</sst>")}),
		"cells.xlsx": bomb(t, map[string]func(io.Writer) error{sheet1: lines("<worksheet><sheetData><row>",
			"<c><v>#</v></c>", 200_001, "</row></sheetData></worksheet>")}),
		"parts.xlsx": bomb(t, many),
		"nested.xlsx": bomb(t, map[string]func(io.Writer) error{sheet1: cell,
			"xl/embeddings/a.bin": text("PK\x03\x04 and more")}),
		"nested by name.xlsx": bomb(t, map[string]func(io.Writer) error{sheet1: cell, "xl/a.zip": text("x")}),
		"slip.xlsx": bomb(t, map[string]func(io.Writer) error{sheet1: cell,
			"../../etc/cron.d/x": text("x")}),
		"slip within.xlsx":     bomb(t, map[string]func(io.Writer) error{sheet1: cell, "xl/../../x": text("x")}),
		"slip of windows.xlsx": bomb(t, map[string]func(io.Writer) error{sheet1: cell, `xl\..\..\x`: text("x")}),
		"absolute.xlsx":        bomb(t, map[string]func(io.Writer) error{sheet1: cell, "/etc/x": text("x")}),
		"entities.xlsx": bomb(t, map[string]func(io.Writer) error{sheet1: text(`<!DOCTYPE a [<!ENTITY a ` +
			`"aaaa"><!ENTITY b "&a;&a;">]><worksheet>&b;</worksheet>`)}),
		"deep tag.xlsx": bomb(t, map[string]func(io.Writer) error{sheet1: lines("<worksheet><c ", "a='#' ",
			200_000, "/></worksheet>")}),
		"inflated.pdf": pdf(page +
			fmt.Sprintf("4 0 obj << /Filter /FlateDecode /Length %d >> stream\nxx%s\nendstream endobj", packed.Len()+2,
				packed.Bytes())),
		"loop of pages.pdf": pdf("1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj 2 0 obj << /Kids [2 0 R 2 0 R " +
			"1 0 R] >> endobj"),
		"loop of lengths.pdf": pdf(page + "4 0 obj << /Length 4 0 R >> stream\nBT ET\nendstream endobj"),
		"deep.pdf":            pdf("1 0 obj " + strings.Repeat("[", 5_000_000)),
		"objects.pdf":         pdf(strings.Repeat("1 0 obj ", 1_200_000)),
		"many objects.pdf": func() []byte {
			var b bytes.Buffer
			b.WriteString("%PDF-1.7\n")
			for i := range 110_000 {
				fmt.Fprintf(&b, "%d 0 obj 1 endobj\n", i)
			}
			return b.Bytes()
		}(),
		"fonts.pdf": func() []byte {
			var b bytes.Buffer
			b.WriteString("%PDF-1.7\n" + strings.Replace(page, "/F1 5 0 R", func() string {
				var names strings.Builder
				for i := range 60 {
					fmt.Fprintf(&names, "/F%d %d 0 R ", i, 100+i)
				}
				return names.String()
			}(), 1) + "4 0 obj << >> stream\n")
			for i := range 60 {
				fmt.Fprintf(&b, "BT /F%d 1 Tf (\x00\x00) Tj ET ", i)
			}
			b.WriteString("\nendstream endobj 6 0 obj << >> stream\n1 beginbfrange <0000> <FFFF> <D800DC00> " +
				"endbfrange\nendstream endobj ")
			for i := range 60 {
				fmt.Fprintf(&b, "%d 0 obj << /Subtype /Type0 /ToUnicode 6 0 R /DescendantFonts [<< /W [0 65535 500] "+
					">>] >> endobj ", 100+i)
			}
			return append(b.Bytes(), strings.Repeat("%", 100)...)
		}(),
		"arrays.pdf": pdf("1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj 2 0 obj << /Kids [" +
			strings.Repeat("1.5 ", 2_300_000) + "] >> endobj"),
		"many arrays.pdf": pdf("1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj 2 0 obj << /Kids [" +
			strings.Repeat("["+strings.Repeat("1.5 ", 90)+"]", 25_000) + "] >> endobj"),
		"dictionaries.pdf": pdf("1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj 2 0 obj << /Kids [" +
			strings.Repeat("<</A 1>>", 1_200_000) + "] >> endobj"),
		"packed objects.pdf": func() []byte {
			b := bytes.NewBufferString("%PDF-1.7\n")
			var z bytes.Buffer
			w, err := flate.NewWriter(&z, 9)
			must(t, err)
			_, err = w.Write(append([]byte("50 0 "), bytes.Repeat([]byte("[1 2 3] "), 1_000_000)...))
			must(t, err)
			must(t, w.Close())
			for i := range 4 {
				fmt.Fprintf(b, "%d 0 obj << /Type /ObjStm /N 1 /First 5 /Filter /FlateDecode /Length %d >>\nstream\n"+
					"xx%s\nendstream endobj ", i+10, z.Len()+2, z.String())
			}
			return b.Bytes()
		}(),
		"a long text.pdf": pdf(page + "4 0 obj << >> stream\nBT /F1 9 Tf (" + strings.Repeat("a", 9_000_000) +
			") Tj ET\nendstream endobj"),
		"many texts.pdf": pdf(page + "4 0 obj << >> stream\nBT /F1 9 Tf " + strings.Repeat("(a) Tj ", 1_200_000) +
			"ET\nendstream endobj"),
		"streams.pdf": pdf(strings.Repeat("1 0 obj <<>> stream\n endobj ", 300_000)),
		"form in form.pdf": pdf(page + "4 0 obj << /Subtype /Form >> stream\n" + strings.Repeat("/F Do ", 400_000) +
			"\nendstream endobj"),
		"pixels.png": append([]byte("\x89PNG\r\n\x1a\n"+
			"\x00\x00\x00\rIHDR\x00\x01\x00\x00\x00\x01\x00\x00\x08\x02\x00\x00\x00abcd"),
			"\x00\x00\x00\x00IEND\xaeB\x60\x82"...),
		"lying.wav": append([]byte("RIFF\xff\xff\xff\x7fWAVEfmt "+
			"\x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00\x10\x00data\xff\xff\xff\x7f"), 1,
			2),
	}
}

// everything is the bombs and the loads.
func everything(t testing.TB) map[string][]byte {
	list := bombs(t)
	for name, one := range loads(t) {
		list[name] = one.content
	}
	return list
}

// F-53: what unfolds to more than a person's file is refused with a sentence, and
// takes no more than 96 MiB of memory on the way. How long that takes is for
// BenchmarkBombs to say.
func TestBombsAreRefusedCheaply(t *testing.T) {
	for name, content := range everything(t) {
		t.Run(name, func(t *testing.T) {
			if len(content) > 25<<20 {
				t.Fatalf("the file itself has %d bytes: it would not get so far", len(content))
			}
			debug.FreeOSMemory() // what the bombs are made of does not count as theirs
			before := resident(t)
			var most atomic.Int64
			ended, watched := make(chan struct{}), make(chan struct{})
			go func() {
				defer close(watched)
				now := time.NewTicker(time.Millisecond)
				defer now.Stop()
				for {
					select {
					case <-ended:
						return
					case <-now.C:
						most.Store(max(most.Load(), resident(t)))
					}
				}
			}()
			got := judged(t, name, content)
			close(ended)
			<-watched
			grown := (max(most.Load(), resident(t)) - before) >> 20
			t.Logf("%d KB: %s, %d MiB more", len(content)>>10, got.Refusal, grown)
			// One of endless fonts or texts may be read as far as there is room.
			if harmless := name == "fonts.pdf" || name == "many texts.pdf"; (got.Refusal == "" || got.Body != "") &&
				!harmless {
				t.Errorf("it is read: %.200s", got.Body)
			}
			// The race detector's own memory is not to be counted.
			if grown > 96 && !underRace {
				t.Errorf("it took %d MiB", grown)
			}
		})
	}
}

// resident is the memory of this process that is in use, in bytes.
func resident(t *testing.T) int64 {
	raw, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("there is no way to see the memory of a process here")
	}
	pages, err := strconv.ParseInt(strings.Fields(string(raw))[1], 10, 64)
	if err != nil {
		t.Error(err)
	}
	return pages * int64(os.Getpagesize())
}

// BenchmarkBombs says how long it takes to refuse each; 500 ms is the aim.
func BenchmarkBombs(b *testing.B) {
	for name, content := range everything(b) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				judged(b, name, content)
			}
		})
	}
}

// F-53: whatever the bytes, a look at them ends with a file that is ready or a
// sentence.
func FuzzJudge(f *testing.F) {
	f.Add(0, []byte("name,price\n"))
	f.Add(2, []byte("%PDF-1.7\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj 2 0 obj << /Kids [3 0 R] >> endobj "+
		"3 0 obj << /Contents 4 0 R >> endobj 4 0 obj << >> stream\nBT /F1 9 Tf (a) Tj ET\nendstream endobj"))
	f.Add(3, []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00abcdIEND"))
	f.Add(3, []byte("RIFF\x20\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x01\x00\x00ab"))
	f.Add(3, []byte("\xff\xd8\xff\xe0\x00\x10JFIF\x00\xff\xc0\x00\x11\x08\x00\x01\x00\x01\xff\xd9"))
	names := []string{"a.txt", "a.xlsx", "a.pdf", "a.png", "a.wav"}
	f.Fuzz(func(t *testing.T, which int, b []byte) {
		name := names[max(0, which)%len(names)]
		got := judged(t, name, b)
		if got.Refusal == "" && got.Body == "" && (name == "a.txt" || name == "a.xlsx" || name == "a.pdf") {
			t.Errorf("%s is ready without a word in it", name)
		}
		if len(got.Body) > 60_000 || len(got.Refusal) > 400 {
			t.Errorf("%d bytes of text, %d of refusal", len(got.Body), len(got.Refusal))
		}
	})
}
