package export_test

import (
	"bytes"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// run runs an external program in a folder of its own; without it the
// test is left out.
func run(t *testing.T, dir, program string, args ...string) {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skip(program + " is not installed here")
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "LC_ALL=C.UTF-8")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", program, err, out)
	}
}

func put(t *testing.T, dir, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, dir, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// S2-64 (export-chat): the PDF file is drawn by a reader of its own, Hindi and all, and has its
// words for who searches it.
func TestAnotherProgramReadsThePDF(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "talk.pdf", written(t, "pdf", conversation(t)))
	run(t, dir, "pdftotext", "-layout", "talk.pdf", "talk.txt")
	text := string(get(t, dir, "talk.txt"))
	for _, want := range []string{"What do rooms cost? <script>alert(1)</script>", "Deluxe <b>cabin</b>",
		"1,23,456.50", "01-Feb-2026", "Taxes are extra.", "1/1"} {
		if !strings.Contains(text, want) {
			t.Errorf("the PDF has no %q:\n%s", want, text)
		}
	}
	run(t, dir, "pdftoppm", "-png", "-r", "60", "-f", "1", "-l", "1", "-singlefile", "talk.pdf", "page")
	page, err := png.Decode(bytes.NewReader(get(t, dir, "page.png")))
	if err != nil {
		t.Fatal(err)
	}
	dark := 0
	for y := range page.Bounds().Dy() {
		for x := range page.Bounds().Dx() {
			if r, _, _, _ := page.At(x, y).RGBA(); r < 0x8000 {
				dark++
			}
		}
	}
	if dark < 500 {
		t.Errorf("the page is all but empty: %d dark dots", dark)
	}
}

// F-52: a spreadsheet program reads the workbook as it was meant: text stays
// text, numbers and dates are some, and nothing is reckoned.
func TestAnotherProgramReadsTheWorkbook(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "talk.xlsx", written(t, "xlsx", conversation(t)))
	run(t, dir, "soffice", "-env:UserInstallation=file://"+filepath.ToSlash(dir)+"/profile", "--headless",
		"--convert-to", "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1", "--outdir",
		dir, "talk.xlsx")
	sheets, err := filepath.Glob(filepath.Join(dir, "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, s := range sheets {
		all.Write(get(t, "", s))
	}
	for _, want := range []string{"Deluxe <b>cabin</b>,02/01/2026,123456.5,4,-5,71.19%",
		"\"'=HYPERLINK(\"\"http://x.example\"\")\",12/31/2026,-45,0,007,"} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("the workbook has no %q:\n%s", want, all.String())
		}
	}
}
