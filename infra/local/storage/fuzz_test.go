package storage

import (
	"encoding/json"
	"path"
	"strings"
	"testing"
	"unicode/utf8"
)

// An accepted name reads the same as a path and as a text: nothing that cleans
// paths on the way to us could make another name of it.
func FuzzName(f *testing.F) {
	for _, seed := range []string{"a/b.txt", "../x", "a//b", "a/./b", "\x00", "ü", "a/..", "...", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if checkName(name) != nil {
			return
		}
		if path.Clean("/"+name) != "/"+name || len(name) > maxObjectName || !utf8.ValidString(name) ||
			strings.ContainsAny(name, "\\\x00\r\n%#\"<>") {
			t.Errorf("accepted %q", name)
		}
		if keyOf("b/"+name) != (key{"b", name}) {
			t.Errorf("%q is taken apart", name)
		}
	})
}

// A range is left out of account, or refused, or begins within the object.
func FuzzRange(f *testing.F) {
	for _, seed := range []string{"bytes=0-1", "bytes=-1", "bytes=5-", "bytes=9-2", "bytes=a-b", "bytes=-", "rows=1-2",
		"bytes=0-99999999999999999999"} {
		f.Add(seed, int64(10))
	}
	f.Fuzz(func(t *testing.T, header string, size int64) {
		if size < 0 {
			return
		}
		whole, err := wantsAll(header, size)
		if whole && err != nil {
			t.Errorf("%q of %d bytes is both refused and ignored", header, size)
		}
		if !whole && err == nil && (size == 0 || !strings.HasPrefix(header, "bytes=") ||
			strings.Contains(header, ",")) {
			t.Errorf("%q of %d bytes is served", header, size)
		}
	})
}

// A size is refused, or a number of bytes that fits.
func FuzzSize(f *testing.F) {
	for _, seed := range []string{`"20MB"`, `7`, `"1.5GB"`, `-1`, `"NaN"`, `null`, `"1e9"`, `"B"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) {
			return
		}
		if n, err := parseSize(json.RawMessage(strings.TrimSpace(text))); err == nil && n < 0 {
			t.Errorf("%s is %d bytes", text, n)
		}
	})
}
