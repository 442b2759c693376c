package uploads

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/uploads/excerpt"
	"github.com/bellhop-ai/bellhop/pkg/work"
)

// readText keeps the beginning of a text.
func readText(budget *work.Budget, b []byte) (string, Facts, error) {
	if err := budget.Spend(1, 3*len(b)); err != nil {
		return "", Facts{}, err
	}
	text, _ := decodeText(b)
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	var e excerpt.Excerpt
	for line := range strings.Lines(text) {
		if err := budget.Steps(1 + len(line)/64); err != nil {
			return "", Facts{}, err
		}
		e.Add(line)
	}
	if e.Empty() {
		return "", Facts{}, fault.New(fault.Unprocessable, "There is nothing to read in the file.")
	}
	return e.String(), Facts{Left: e.Left()}, nil
}

// decodeText returns bytes as text: UTF-8, UTF-16 with its mark, or else what
// Windows writes in the West. What holds control characters is no text.
func decodeText(b []byte) (string, bool) {
	var text string
	switch {
	case bytes.HasPrefix(b, []byte("\xef\xbb\xbf")):
		text = string(b[3:])
	case bytes.HasPrefix(b, []byte("\xff\xfe")):
		text = fromUTF16(b[2:], binary.LittleEndian)
	case bytes.HasPrefix(b, []byte("\xfe\xff")):
		text = fromUTF16(b[2:], binary.BigEndian)
	case utf8.Valid(b):
		text = string(b)
	default:
		text = fromWindows(b)
	}
	odd := strings.IndexFunc(text, func(r rune) bool {
		return r < ' ' && r != '\n' && r != '\r' && r != '\t' && r != '\f' || r == utf8.RuneError || 0x7f <= r &&
			r < 0xa0
	})
	return text, odd < 0
}

func fromUTF16(b []byte, order binary.ByteOrder) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = order.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units))
}

// fromWindows reads Windows-1252: Latin-1 but for 32 places.
func fromWindows(b []byte) string {
	special := []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")
	var out strings.Builder
	for _, c := range b {
		if 0x80 <= c && c < 0xa0 {
			out.WriteRune(special[c-0x80])
			continue
		}
		out.WriteRune(rune(c))
	}
	return out.String()
}

// looksHTML reports whether a text is a page for browsers: hardly what a user
// meant to show, and mostly not words.
func looksHTML(text string) bool {
	head := strings.ToLower(strings.TrimSpace(text[:min(len(text), 1024)]))
	for _, begin := range []string{"<!doctype html", "<html", "<head", "<body", "<script", "<svg", "<?xml"} {
		if strings.HasPrefix(head, begin) {
			return true
		}
	}
	return false
}
