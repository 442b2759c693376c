package pdf_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/uploads/pdf"
	"github.com/bellhop-ai/bellhop/pkg/work"
)

// packed is a stream as most programs write it.
func packed(t testing.TB, head, content string) string {
	t.Helper()
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	if _, err := w.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("<< %s /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream", head, b.Len(), b.String())
}

// draw is a file of one page that draws a content with a font.
func draw(content, font string) []byte {
	return fmt.Appendf(nil, "%%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n2 0 obj << /Type /Pages "+
		"/Kids [3 0 R] /Resources << /Font << /F1 5 0 R >> >> >> endobj\n3 0 obj << /Type /Page /Contents 4 0 R >> "+
		"endobj\n4 0 obj << /Length %d >> stream\n%s\nendstream endobj\n5 0 obj << %s >> endobj\ntrailer << /Root 1 "+
		"0 R >>", len(content), content, font)
}

func TestWhatProgramsWriteIsRead(t *testing.T) {
	t.Parallel()
	// Objects within a stream, and no table but a packed one, as since PDF 1.5.
	objects := []string{"<< /Type /Catalog /Pages 2 0 R >>", "<< /Kids [3 0 R] >>",
		"<< /Type /Page /Contents 4 0 R /Resources << /Font << /F1 << /Type /Font >> >> >> >>"}
	var index, body strings.Builder
	for i, o := range objects {
		fmt.Fprintf(&index, "%d %d ", i+1, body.Len())
		body.WriteString(o + " ")
	}
	modern := "%PDF-1.5\n7 0 obj " + packed(t, fmt.Sprintf("/Type /ObjStm /N 3 /First %d", index.Len()),
		index.String()+body.String()) + " endobj\n4 0 obj " +
		packed(t, "", "BT /F1 12 Tf 72 700 Td (Modern words) Tj ET") + " endobj\n8 0 obj " +
		packed(t, "/Type /XRef /Root 1 0 R", "\x00\x01") + " endobj"
	cmap := "1 begincodespacerange <0000> <FFFF> endcodespacerange 2 beginbfchar <0001> <0939> <0002> " +
		"<093F00930902> endbfchar 1 beginbfrange <0010> <0012> <0041> endbfrange"
	wide := string(draw("BT /F1 12 Tf (\x00\x10\x00\x11\x00\x12\x00\x01) Tj ET",
		"/Type /Font /Subtype /Type0 /Encoding /Identity-H /ToUnicode 6 0 R")) +
		fmt.Sprintf("\n6 0 obj << /Length %d >> stream\n%s\nendstream endobj", len(cmap), cmap)
	tests := map[string]struct{ file, want string }{
		"a plain line":        {string(draw("BT /F1 12 Tf 72 700 Td (Hello) Tj ET", "/Type /Font")), "Hello"},
		"objects in a stream": {modern, "Modern words"},
		"a font of two bytes": {wide, "ABCह"},
		"kerned words": {string(draw("BT /F1 12 Tf [(Hel) 20 (lo) -600 (you)] TJ ET", "/Type /Font")),
			"Hello you"},
		"lines": {string(draw("BT /F1 12 Tf 14 TL 72 700 Td (One) Tj T* (Two) Tj (Three) ' ET",
			"/Type /Font")), "One\nTwo\nThree"},
		"a paragraph": {string(draw("BT /F1 12 Tf 72 700 Td (One) Tj 0 -60 Td (Two) Tj ET",
			"/Type /Font")), "One\n\nTwo"},
		"escapes": {string(draw(`BT /F1 12 Tf (\(a\) \101 \\ b) Tj <43 4>  Tj ET`, "/Type /Font")),
			`(a) A \ bC@`},
		"names of glyphs": {string(draw("BT /F1 12 Tf (abc) Tj ET",
			"/Type /Font /Encoding << /Differences [97 /eacute /uni20AC /fi] >>")), "é€fi"},
		"a word that is a stream": {"%PDF-1.4\n9 0 obj << /Title (a stream \n of words) >> endobj\n" +
			string(draw("BT /F1 12 Tf (Here) Tj ET", "/Type /Font")), "Here"},
		"a later version": {string(draw("BT /F1 12 Tf (Old) Tj ET", "/Type /Font")) +
			"\n4 0 obj << /Length 3 0 R >> stream\nBT /F1 12 Tf (New) Tj ET\nendstream endobj", "New"},
		"no trailer": {strings.TrimSuffix(string(draw("BT /F1 12 Tf (Found) Tj ET", "/Type /Font")),
			"trailer << /Root 1 0 R >>"), "Found"},
		"half a file": {string(draw("BT /F1 12 Tf (Hello there) Tj ET BT (lost", "/Type /Font"))[:330] +
			"\nendstream endobj 5 0 obj << /Type /Font >> endobj", "Hello there"},
		"a picture in between": {string(draw("BI /W 1 ID \x00(EI)\xff EI BT /F1 12 Tf (After) Tj ET",
			"/Type /Font")), "After"},
		"hexadecimal packing": {strings.Replace(string(draw("4254202F46312039205466202841292054 6A204554>",
			"/Type /Font")), "<< /Length", "<< /Filter /ASCIIHexDecode /Length", 1), "A"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := pdf.Read(work.ForFile(t.Context()), []byte(tc.file))
			if err != nil || got.Body != tc.want || got.Pages != 1 {
				t.Errorf("%q of %d pages, %v; want %q", got.Body, got.Pages, err, tc.want)
			}
		})
	}
}

// F-53: whatever the bytes, the reading ends, with words or a sentence.
func FuzzRead(f *testing.F) {
	f.Add(draw("BT /F1 12 Tf [(Hel) 20 (lo)] TJ /X Do q Q cm ET BI ID EI",
		"/Type /Font /Widths [1 2] /Encoding << /Differences [1 /a] >>"))
	f.Add([]byte("%PDF-1.5\n7 0 obj " + packed(f, "/Type /ObjStm /N 1 /First 4",
		"1 0 << /Type /Catalog /Pages << /Kids [1 0 R] >> >>") + " endobj"))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := pdf.Read(work.ForFile(t.Context()), b)
		if (err == nil) == (got.Pages == 0) || len(got.Body) > 60_000 {
			t.Errorf("%d pages, %d bytes, %v", got.Pages, len(got.Body), err)
		}
	})
}
