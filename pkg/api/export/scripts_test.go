package export_test

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"io"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"

	"github.com/xuri/excelize/v2"

	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/uploads/pdf"
	"github.com/bellhop-ai/bellhop/pkg/work"
)

// said is a conversation in which a person says one text and gets one reply.
func said(text, reply string) object {
	return object{"messages": []any{object{"role": "user", "content": text},
		object{"role": "assistant", "content": reply}}}
}

// drawnIn returns the characters that a PDF draws, line by line.
func drawnIn(t *testing.T, raw []byte) string {
	t.Helper()
	text, err := pdf.Read(work.ForFile(t.Context()), raw)
	if err != nil {
		t.Fatal(err)
	}
	return text.Body
}

var (
	contents = regexp.MustCompile(`(?s)stream\n(.*?)\nendstream`)
	actual   = regexp.MustCompile(`/ActualText <FEFF([0-9A-F]+)>`)
)

// meantIn returns the texts that a PDF gives to what it draws.
func meantIn(t *testing.T, raw []byte) []string {
	t.Helper()
	var texts []string
	for _, m := range contents.FindAllSubmatch(raw, -1) {
		r, err := zlib.NewReader(bytes.NewReader(m[1]))
		if err != nil {
			continue // not compressed
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range actual.FindAllSubmatch(content, -1) {
			b, err := hex.DecodeString(string(a[1]))
			if err != nil {
				t.Fatal(err)
			}
			units := make([]uint16, len(b)/2)
			for i := range units {
				units[i] = uint16(b[2*i])<<8 | uint16(b[2*i+1])
			}
			texts = append(texts, string(utf16.Decode(units)))
		}
	}
	return texts
}

// S2-62: a PDF file has the signs that this product writes, and names as they are
// written in the scripts of Europe and Vietnam; nothing is drawn as �.
func TestAPDFHasOurSignsAndForeignNames(t *testing.T) {
	t.Parallel()
	signs := "▼ ▲ ► ✓ → ≤ ≥ − ≠ = ₹ € № ½ ● ★ …"
	names := "Дмитрий Шостакович, Καλημέρα Ελένη, Nguyễn Thị Phương, Łódź, Þórður, Çağrı, Ștefan"
	apart := "Nguye\u0302\u0303n" // with marks of its own
	table := "| Гость | Change |\n|---|---|\n| Тарас Шевченко ✓ | ▼ -4.20 % |"
	drawn := drawnIn(t, written(t, "pdf", said(signs+"\n"+names+"\n"+apart, "**Так** ≤ 5\n\n"+table)))
	for _, want := range []string{signs, names, "Nguyễn", "Так ≤ 5", "Тарас Шевченко ✓", "▼ -4.20 %"} {
		if !strings.Contains(drawn, want) {
			t.Errorf("%q is missing in %s", want, drawn)
		}
	}
	if strings.ContainsRune(drawn, '\ufffd') {
		t.Errorf("signs are missing in %s", drawn)
	}
}

// S2-62: Hindi and the other scripts of India are joined as they are written: no
// virama is seen, and what is drawn says what it is.
func TestAPDFJoinsIndianScripts(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"Hindi":     "हिन्दी क्षत्रिय कर्मचारी राष्ट्रपति विद्यार्थी श्री",
		"Bengali":   "শ্রী রবীন্দ্রনাথ চক্রবর্তী",
		"Gujarati":  "શ્રી ક્ષમા",
		"Kannada":   "ಶ್ರೀ ಕನ್ನಡ",
		"Malayalam": "ശ്രീ ക്ഷമ",
		"Telugu":    "శ్రీ తెన్నేటి",
	} {
		raw := written(t, "pdf", said(text, "**"+text+"**"))
		drawn := drawnIn(t, raw)
		if i := strings.IndexFunc(drawn, func(r rune) bool {
			return strings.ContainsRune("\u094d\u09cd\u0acd\u0ccd\u0d4d\u0c4d\ufffd", r)
		}); i >= 0 {
			t.Errorf("%s: the sign %q is drawn", name, drawn[i:i+3])
		}
		meant := meantIn(t, raw)
		for word := range strings.FieldsSeq(text) {
			n := 0
			for _, m := range meant {
				if m == word {
					n++
				}
			}
			if n != 2 {
				t.Errorf("%s: %d of 2 drawings of %s say so: %q", name, n, word, meant)
			}
		}
	}
}

// What is read from right to left is drawn so, numbers within it excepted, and the
// rest of the line stays where it is.
func TestAPDFTurnsArabicAndHebrew(t *testing.T) {
	t.Parallel()
	drawn := drawnIn(t, written(t, "pdf", said("Room שלום 12 and more", "It is so.")))
	if !strings.Contains(drawn, "Room 12 םולש and more") {
		t.Errorf("the line is %s", drawn)
	}
	raw := written(t, "pdf", said("Guest محمد came", "It is so."))
	if drawn := drawnIn(t, raw); strings.ContainsAny(drawn, "محد\ufffd") {
		t.Errorf("the letters are not joined: %s", drawn)
	}
	if got := strings.Join(meantIn(t, raw), ""); got != "دمحم" {
		t.Errorf("from left to right the letters are %q", got)
	}
}

// Chinese, Japanese and Korean are drawn as they are, and emoji under what they say: a
// family is one sign.
func TestAPDFHasNamesOfEastAsiaAndEmoji(t *testing.T) {
	t.Parallel()
	names := "王小明 習近 渡邊さくら タナカ・ユキ ｱ 김철수 Ｗｉ、"
	emoji := []string{"😀", "🎉", "👩‍👩‍👧", "👍🏽", "☕", "⭐"}
	raw := written(t, "pdf", said(names, strings.Join(emoji, " ")+" done"))
	drawn, meant := drawnIn(t, raw), meantIn(t, raw)
	if !strings.Contains(drawn, names) || strings.ContainsRune(drawn, '\ufffd') {
		t.Errorf("%q is missing in %s", names, drawn)
	}
	if all := strings.Join(meant, " "); !strings.Contains(all, "😀 🎉 👩‍👩‍👧 👍🏽") {
		t.Errorf("the emoji say %q", meant)
	}
	if strings.ContainsAny(drawn, "😀🎉") || !strings.Contains(drawn, "done") {
		t.Errorf("emoji are drawn as characters of the second plane, which the file cannot hold: %s", drawn)
	}
	if len(raw) > 200<<10 {
		t.Errorf("a short file has %d bytes", len(raw))
	}
}

// What no font has is one � each, and is found under what it was. Characters of
// private use draw nothing of ours, and marks of direction turn nothing.
func TestAPDFSaysWhatItCannotDraw(t *testing.T) {
	t.Parallel()
	raw := written(t, "pdf", said("Mr 𠮷𠀀𠀁 \ue123 \u202eright\u202c 𓀀", "It is so."))
	drawn, meant := drawnIn(t, raw), meantIn(t, raw)
	if !strings.Contains(drawn, "Mr ��� � right �") {
		t.Errorf("the line is %s", drawn)
	}
	if all := strings.Join(meant, " "); !strings.Contains(all, "𠮷𠀀𠀁") || !strings.Contains(all, "𓀀") {
		t.Errorf("it says %q", meant)
	}
}

// S2-62: another program finds the words of every script.
func TestAnotherProgramFindsWordsOfEveryScript(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skip("pdftotext is not installed here")
	}
	dir := t.TempDir()
	words := []string{"कर्मचारी", "রবীন্দ্রনাথ", "தமிழ்", "ಶ್ರೀ", "Шостакович", "Phương", "→", "王小明", "สวัสดี", "שלום",
		"محمد"}
	put(t, dir, "talk.pdf", written(t, "pdf", said(strings.Join(words, "\n"), "It is so.")))
	run(t, dir, "pdftotext", "talk.pdf", "talk.txt")
	text := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, string(get(t, dir, "talk.txt")))
	for _, want := range words {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
}

const (
	program = "if a < b && c[0](1) {\n    x := \"| a | b |\"\n\n\treturn <-done\n}"
	// The filter of replies, which knows no code, has been over it.
	filtered = "if a &lt; b &amp;&amp; c[0\\](1) {\n    x := \"| a | b |\"\n\n\treturn &lt;-done\n}"
)

// S2-62: fenced code keeps its lines, their starts and its signs, in what people
// said and in replies; nothing in it becomes a table, a tag or the end of the block.
func TestCodeKeepsItsLines(t *testing.T) {
	t.Parallel()
	body := said("So?\n```go\n"+program+"\n```\n**Why?**", "This:\n\n~~~\n"+filtered+"\n```\nend\n~~~\nDone.")
	text := string(written(t, "md", body))
	for _, want := range []string{"So?\n\n```\n" + program + "\n```\n\n**Why?**",
		"\n````\n" + program + "\n```\nend\n````\n\nDone."} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing in %s", want, text)
		}
	}
	escaped := strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&#34;").Replace(program)
	if page := string(written(t, "html", body)); strings.Count(page, "<pre>"+escaped) != 2 ||
		strings.Contains(page, "<table") {
		t.Errorf("the page is %s", page)
	}
	drawn := drawnIn(t, written(t, "pdf", body))
	for line := range strings.SplitSeq(program, "\n") {
		if strings.Count(drawn, strings.TrimSpace(line)) < 2 {
			t.Errorf("the line %q is missing in %s", line, drawn)
		}
	}
	f := book(t, written(t, "xlsx", body))
	if cell, err := f.GetCellValue("Messages", "D2"); err != nil || !strings.Contains(cell, "\n    x := ") {
		t.Errorf("the cell is %q, %v", cell, err)
	}
}

// F-52: a figure with the sign of how it went is a number in a workbook, which shows
// it in the same way.
func TestChangesAreNumbersInAWorkbook(t *testing.T) {
	t.Parallel()
	table := render.Table{Title: "Change", Columns: []render.Column{{Label: "Change", Right: true}}}
	shown := []string{"▲ 4.20 %", "▼ -3.10 %", "= 0.00 %", "▲ 0.00 %", "▼ -₹1,234.50", "▲ 12"}
	for _, text := range append(shown, "▲ n/a") {
		table.Rows = append(table.Rows, []render.Cell{render.Text(text)})
	}
	f := book(t, written(t, "xlsx", turns(table)))
	numbers := []string{"0.042", "-0.031", "0", "0", "-1234.5", "12", "▲ n/a"}
	for i, want := range numbers {
		at := "A" + string(rune('2'+i))
		got, err := f.GetCellValue("Change", at, excelize.Options{RawCellValue: true})
		if err != nil || got != want {
			t.Errorf("%s is %q, not %q: %v", at, got, want, err)
		}
		if i == len(shown) {
			break
		}
		looks, err := f.GetCellValue("Change", at)
		if err != nil || looks != strings.ReplaceAll(shown[i], " %", "%") {
			t.Errorf("%s looks as %q, not %q: %v", at, looks, shown[i], err)
		}
	}
	if text := string(written(t, "csv", turns(table))); !strings.Contains(text, "\n▲ 4.20 %") {
		t.Errorf("the table is %s", text)
	}
}
