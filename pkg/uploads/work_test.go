package uploads_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/uploads"
	"github.com/bellhop-ai/bellhop/pkg/work"
)

const tooMuch = "This file asks for more work than is allowed"

// load is a small file that asks for much work, and what its refusal says.
type load struct {
	content []byte
	says    string
}

// repeated is a workbook of so many cells that all name one text of 100,000
// letters, with something between them.
func repeated(t testing.TB, cells int, between string) []byte {
	t.Helper()
	return bomb(t, map[string]func(io.Writer) error{
		"xl/sharedStrings.xml": text("<sst><si><t>" + strings.Repeat("a", 100_000) + "</t></si></sst>"),
		"xl/worksheets/sheet1.xml": lines("<worksheet><sheetData><row>", `<c r="A#" t="s"><v>0</v></c>`+between, cells,
			"</row></sheetData></worksheet>"),
	})
}

// deflated is a stream of a PDF file, packed so many times.
func deflated(t testing.TB, content []byte, times int) string {
	t.Helper()
	for range times {
		var b bytes.Buffer
		w, err := zlib.NewWriterLevel(&b, 9)
		must(t, err)
		_, err = w.Write(content)
		must(t, err)
		must(t, w.Close())
		content = b.Bytes()
	}
	return fmt.Sprintf("<< /Filter [%s] /Length %d >> stream\n%s\nendstream endobj ", strings.Repeat("/FlateDecode ",
		times), len(content), content)
}

// loads are files that take long to read, or memory, though they are small.
func loads(t testing.TB) map[string]load {
	t.Helper()
	const head = "%PDF-1.7\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj 2 0 obj << /Kids [3 0 R] >> endobj "
	page := head + "3 0 obj << /Type /Page /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >> endobj 5 0 obj " +
		"<< /Type /Font >> endobj "
	var pages strings.Builder
	for i := range 400 {
		fmt.Fprintf(&pages, "%d 0 R ", 100+i)
	}
	manyPages := "%PDF-1.7\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj 2 0 obj << /Kids [" + pages.String() +
		"] >> endobj "
	for i := range 400 {
		manyPages += fmt.Sprintf("%d 0 obj << /Type /Page /Contents [%s] >> endobj ", 100+i,
			strings.Repeat("4 0 R ", 100))
	}
	be, le := binary.BigEndian, binary.LittleEndian
	png := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x10\x00\x00\x00\x10\x00\x08\x02\x00\x00\x00abcd")
	for range 300 {
		png = append(png, "\x00\x00\x00\x1afcTL\x00\x00\x00\x00\x00\x00\x10\x00\x00\x00\x10\x00"...)
		png = append(png, make([]byte, 14+4)...)
	}
	png = append(png, "\x00\x00\x00\x00IEND\xaeB\x60\x82"...)
	gif := []byte("GIF89a\x00\x10\x00\x10\x00\x00\x00")
	for range 300 {
		gif = append(gif, ",\x00\x00\x00\x00\x00\x10\x00\x10\x00\x08\x01\x00\x00"...)
	}
	webp := func(frames int, width uint32) []byte {
		b := []byte("RIFF0000WEBPVP8X\x0a\x00\x00\x00\x02\x00\x00\x00\x00\x01\x00\x00\x01\x00")
		for range frames {
			frame := make([]byte, 24)
			copy(frame, "ANMF\x10\x00\x00\x00")
			le.PutUint32(frame[14:], width-1)
			le.PutUint32(frame[17:], width-1)
			b = append(b, frame...)
		}
		le.PutUint32(b[4:], uint32(len(b)-8))
		return b
	}
	film := []byte("\x00\x00\x00\x10ftypM4A \x00\x00\x00\x00")
	nested := []byte("\x00\x00\x00\x08moov")
	for range 5000 {
		nested = append(be.AppendUint32(nil, uint32(len(nested)+8)), append([]byte("moov"), nested...)...)
	}
	flac := "fLaC\x80\x00\x00\x22\x10\x00\x10\x00\x00\x00\x00\x00\x00\x00\x0a\xc4\x40\xf0\xff\xff\xff\xff" +
		strings.Repeat("\x00", 16) + "\xff\xf8\xc9\x08\x00\x95"
	ogg := "OggS\x00\x02" + strings.Repeat("\x00", 20) + "\x01\x13OpusHead\x01\x01" + strings.Repeat("\x00", 9)
	webm := "\x1a\x45\xdf\xa3\x80\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff"
	var remark strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&remark, "%d 0 obj %%endobj ", 10+i)
	}
	remark.WriteString(strings.Repeat(" ", 7_000_000) + "\n3 0 obj << /Type /Page /Contents [")
	for i := range 60_000 {
		fmt.Fprintf(&remark, "%d 0 R ", 10+i)
	}
	remark.WriteString("] >> endobj")
	twice := func(font string) string { return strings.Replace(page, "<< /Type /Font >>", font, 1) }
	inline := strings.Replace(page, "/F1 5 0 R", "/F1 << /Type /Font /Widths 6 0 R >>", 1)
	glyphs := twice("<< /Type /Font /Encoding << /Differences [0 " + strings.Repeat("/zz ", 250_000) + "] >> >>")
	pieces := map[string]func(io.Writer) error{
		"xl/worksheets/sheet1.xml": lines(`<worksheet><sheetData><row><c t="inlineStr"><is>`, "<t>#</t>", 2_500_000,
			"</is></c></row></sheetData></worksheet>"),
	}
	const stream, end = "4 0 obj << >> stream\n", "endstream endobj"
	return map[string]load{
		"one text in all cells.xlsx": {repeated(t, 190_000, "</row><row>"), tooMuch},
		"one text in a row.xlsx":     {repeated(t, 190_000, ""), tooMuch},
		"pieces of a text.xlsx":      {bomb(t, pieces), tooMuch},
		"packed three times.pdf": {[]byte(page + "4 0 obj " +
			deflated(t, bytes.Repeat([]byte("BT (a) Tj ET "), 1_000_000), 3)), "too complicated"},
		"one remark for all.pdf": {[]byte(head + remark.String()), tooMuch},
		"names of glyphs.pdf": {[]byte(glyphs + stream + "BT " + strings.Repeat("/F1 1 Tf ", 10) + "ET " +
			end), "no text"},
		"a font for each letter.pdf": {[]byte(inline + "6 0 obj [1 1] endobj " + stream + "BT " +
			strings.Repeat("/F1 1 Tf () Tj ", 500_000) + "ET " + end), tooMuch},
		"one content for all pages.pdf": {[]byte(manyPages + stream + strings.Repeat("% nothing is drawn\n", 3000) +
			end), tooMuch},
		"frames.png":                  {png, "its 300 frames have more than"},
		"frames.gif":                  {append(gif, ';'), "its 300 frames have more than"},
		"frames.webp":                 {webp(300, 4096), "its 300 frames have more than"},
		"larger than its canvas.webp": {webp(1, 15_999), "pixels"},
		"boxes in boxes.m4a":          {append(bytes.Clone(film), nested...), "does not fit what follows"},
		"a box for each eight bytes.m4a": {append(bytes.Clone(film), bytes.Repeat([]byte("\x00\x00\x00\x08free"),
			3_000_000)...), "cut off"},
		"elements of nothing.webm": {[]byte(webm + strings.Repeat("\xec\x80", 12_000_000)), tooMuch},
		"pages of nothing.ogg": {[]byte(ogg + strings.Repeat("OggS"+strings.Repeat("\x00", 23), 900_000)),
			"does not fit what follows"},
		"chunks of nothing.wav": {append([]byte("RIFF0000WAVE"), bytes.Repeat([]byte("junk\x00\x00\x00\x00"),
			3_000_000)...), "cut off"},
		"signs of frames.flac": {[]byte(flac + strings.Repeat("\xff\xf8\xc9\x08\x01", 5_000_000)), tooMuch},
	}
}

// F-53, F-68: a small file that asks for much work is refused with a sentence,
// and what was done until then is within the one budget that all readers share:
// counted, not timed. Where its context ends on the way, the reading ends, too,
// which is no refusal of the file.
func TestWorkIsBoundedNotInput(t *testing.T) {
	t.Parallel()
	for name, tc := range loads(t) {
		d, err := uploads.Ask(name, "", 1, "")
		must(t, err)
		all := &patience{Context: t.Context(), left: 1 << 40}
		budget := work.ForFile(all)
		got, err := uploads.Judge(budget, d, tc.content, int64(len(tc.content)))
		if err != nil || !strings.Contains(got.Refusal, tc.says) || got.Body != "" {
			t.Errorf("%s, %d bytes: %q %v", name, len(tc.content), got.Refusal, err)
		}
		spent := budget.Spent()
		if spent.Steps > work.MaxSteps || spent.Bytes > work.MaxBytes || spent == (work.Amount{}) {
			t.Errorf("%s: %+v were spent", name, spent)
		}
		t.Logf("%s, %d KB: %+v", name, len(tc.content)>>10, spent)
		asked := 1<<40 - all.left
		if asked < 4 {
			continue // it is over before anybody could be gone
		}
		var then work.Amount
		ctx := &patience{Context: t.Context(), left: asked / 2}
		budget = work.ForFile(ctx)
		ctx.seen = func() { then = budget.Spent() }
		got, err = uploads.Judge(budget, d, tc.content, int64(len(tc.content)))
		if !fault.Is(err, fault.Canceled) || !errors.Is(err, context.Canceled) || got.Refusal != "" {
			t.Errorf("%s: %+v %v", name, got.Refusal, err)
		}
		if now := budget.Spent(); now != then || now == (work.Amount{}) || ctx.after > 1 {
			t.Errorf("%s: %+v were spent, %+v when its context ended; that was asked %d times more", name, now, then,
				ctx.after)
		}
	}
}

// F-68: the files of one message share one budget, so that many of them are not
// many times the work.
func TestAttachedFilesShareOneBudget(t *testing.T) {
	t.Parallel()
	budget := work.ForFile(t.Context())
	d, err := uploads.Ask("a.csv", "", 1, "")
	must(t, err)
	content := []byte(strings.Repeat("a,b,c\n", 300_000))
	for n := 1; ; n++ {
		got, err := uploads.Judge(budget, d, content, int64(len(content)))
		must(t, err)
		if strings.Contains(got.Refusal, tooMuch) && n > 8 {
			return // eight are read in one message
		}
		if got.Refusal != "" || n > 100 {
			t.Fatalf("file %d: %q, %+v", n, got.Refusal, budget.Spent())
		}
	}
}

// patience is a context that ends when it was asked for its end so many times,
// and counts how often it was asked after that.
type patience struct {
	context.Context
	left, after int
	seen        func()
}

func (p *patience) Err() error {
	switch p.left--; {
	case p.left > 0:
		return nil
	case p.left < 0:
		p.after++
	case p.seen != nil:
		p.seen()
	}
	return context.Canceled
}
