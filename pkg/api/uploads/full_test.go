package uploads_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"io"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
)

// A disk that is full is said as such, with a sentence: not a fault of the
// request, and no riddle.
func TestADatabaseWithoutRoomIsSaid(t *testing.T) {
	t.Parallel()
	s, org := localtest.Stack(t), localtest.NewOrg(t)
	localtest.SQL(t, `create function public.no_room() returns trigger language plpgsql as $$
		begin raise exception 'could not extend file "base/1/2": No space left on device' using errcode =
			substr(new.name, 1, 5); end $$`)
	localtest.SQL(t, `create trigger no_room before insert on public.uploads for each row when (new.name like
		'%.full.txt') execute function public.no_room()`)
	d := open(t, s)
	for name, want := range map[string]int{"53100.full.txt": 507, "53200.full.txt": 503, "53300.full.txt": 503} {
		status, v := d.ask(t, "POST", "/api/uploads", org.Viewer.Token, object{"name": name, "type": "text/plain",
			"size": 9})
		said, _ := v["detail"].(string)
		if status != want || !strings.Contains(said, "nothing was done") || strings.Contains(said, "device") {
			t.Errorf("%s: %d %v", name, status, v)
		}
		if code := v["code"]; (code == "storage_full") != (want == 507) {
			t.Errorf("%s: the code is %v", name, code)
		}
	}
}

// F-53, F-68: a workbook of 190,000 cells that all name one text of 100,000
// letters is refused, and the file says why.
func TestASmallFileOfMuchWorkIsRefused(t *testing.T) {
	t.Parallel()
	s, org := localtest.Stack(t), localtest.NewOrg(t)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, content := range map[string]string{
		"xl/workbook.xml": `<workbook xmlns:r="r"><sheets><sheet name="S" sheetId="1" ` +
			`r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" ` +
			`Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/sharedStrings.xml": "<sst><si><t>" + strings.Repeat("a", 100_000) + "</t></si></sst>",
		"xl/worksheets/sheet1.xml": "<worksheet><sheetData>" + strings.Repeat(`<row><c t="s"><v>0</v></c></row>`,
			190_000) + "</sheetData></worksheet>",
	} {
		// Hardly packed, so that it is no bomb by its sizes.
		z.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) {
			return flate.NewWriter(out, flate.HuffmanOnly)
		})
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	const sheet = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	got := open(t, s).put(t, org.Viewer.Token, "rates.xlsx", sheet, b.Bytes())
	if reason, _ := got["reason"].(string); got["state"] != "refused" ||
		!strings.Contains(reason, "more work than is allowed") {
		t.Errorf("%d bytes: %v", b.Len(), got)
	}
}
