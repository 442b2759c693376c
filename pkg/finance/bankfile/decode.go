package bankfile

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// decode returns the file as text without a byte order mark.
func decode(file []byte) (string, error) {
	switch {
	case bytes.HasPrefix(file, []byte("\xef\xbb\xbf")):
		file = file[3:]
	case bytes.HasPrefix(file, []byte("\xff\xfe")):
		return decode16(file[2:], binary.LittleEndian)
	case bytes.HasPrefix(file, []byte("\xfe\xff")):
		return decode16(file[2:], binary.BigEndian)
	case len(file) > 3 && file[1] == 0 && file[3] == 0:
		return decode16(file, binary.LittleEndian)
	case len(file) > 3 && file[0] == 0 && file[2] == 0:
		return decode16(file, binary.BigEndian)
	}
	switch {
	case bytes.HasPrefix(file, []byte("PK\x03\x04")), bytes.HasPrefix(file, []byte("\xd0\xcf\x11\xe0")):
		return "", unreadable("This is an Excel file. Save it as CSV, or download the statement as CSV.")
	case bytes.HasPrefix(file, []byte("%PDF")):
		return "", unreadable("This is a PDF file. Download the statement as CSV.")
	case !utf8.Valid(file) || bytes.IndexByte(file, 0) >= 0:
		return "", unreadable("The file is not text in UTF-8 or UTF-16. Download the statement as CSV.")
	}
	return string(file), nil
}

func decode16(b []byte, order binary.ByteOrder) (string, error) {
	if len(b)%2 != 0 {
		return "", unreadable("The file ends in the middle of a character.")
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = order.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units)), nil
}

// separator is the one of which the first line that could be the header has the most.
func separator(text string) rune {
	for line := range strings.Lines(text) {
		best, most := ',', 1
		for _, sep := range ",;\t|" {
			if n := strings.Count(line, string(sep)); n > most {
				best, most = sep, n
			}
		}
		low := strings.ToLower(line)
		if most > 1 && (strings.Contains(low, "date") || strings.Contains(low, "dt")) {
			return best
		}
	}
	return ','
}
