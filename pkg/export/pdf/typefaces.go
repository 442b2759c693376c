package pdf

import (
	"bytes"
	"compress/gzip"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"sync"
	"unicode"

	"github.com/go-text/typesetting/font"
)

// fonts/make.sh and fonts/make.mjs make these, and fonts/LICENSE says under which terms
// they are. Those with many characters are compressed.
//
//go:embed fonts/*.ttf fonts/*.ttf.gz
var fontFiles embed.FS

// typeface is one font file of ours, with the characters that stand for its glyphs.
// It is shared and never changed.
type typeface struct {
	name string // of the file, and of the family in a PDF
	file []byte
	font *font.Font
	// chars has the character with which a PDF draws a glyph: one that stands for it
	// in texts where there is one, else one of private use.
	chars map[font.GID]rune
	// plain are fonts whose characters stand side by side, as they are.
	plain bool
}

// typefaces are read when a document first needs one of them.
var typefaces = func() map[string]func() (*typeface, error) {
	all := map[string]func() (*typeface, error){}
	for _, name := range append([]string{"latin-Regular", "latin-Bold", "devanagari-Regular", "devanagari-Bold",
		"mono",
		"signs"}, scripts()...) {
		all[name] = sync.OnceValues(func() (*typeface, error) { return readTypeface(name) })
	}
	return all
}()

func readTypeface(name string) (*typeface, error) {
	file, err := fontFile(name)
	if err != nil {
		return nil, fmt.Errorf("font %s: %w", name, err)
	}
	face, err := font.ParseTTF(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("font %s: %w", name, err)
	}
	t := &typeface{name: name, file: file, font: face.Font, chars: map[font.GID]rune{}}
	switch name {
	case "latin-Regular", "latin-Bold", "mono", "signs", "cjk", "hangul":
		t.plain = true
	}
	for all := face.Cmap.Iter(); all.Next(); {
		r, glyph := all.Char()
		if r > firstPlane {
			continue
		}
		if old, ok := t.chars[glyph]; !ok || private(old) && !private(r) {
			t.chars[glyph] = r
		}
	}
	return t, nil
}

func fontFile(name string) ([]byte, error) {
	file, err := fontFiles.ReadFile("fonts/" + name + ".ttf")
	if !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	packed, err := fontFiles.Open("fonts/" + name + ".ttf.gz")
	if err != nil {
		return nil, err
	}
	defer func() { _ = packed.Close() }()
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(unpacked)
}

// firstPlane is the last character that a PDF can be written with here.
const firstPlane = '\uffff'

// private reports whether a character has a meaning in our fonts alone.
func private(r rune) bool { return r >= '\ue000' && r <= '\uf8ff' }

// has reports whether the font has a sign for a character of a text.
func (t *typeface) has(r rune) bool {
	_, ok := t.font.Cmap.Lookup(r)
	return ok && !private(r)
}

// block is a range of characters and the font that has them.
type block struct {
	from, to rune
	name     string
}

// blocks are the scripts that have fonts of their own. Those without a bold face
// are drawn in the regular one.
func blocks() []block {
	return []block{
		{'\u0590', '\u05ff', "hebrew"}, {'\u0600', '\u06ff', "arabic"}, {'\u0750', '\u077f', "arabic"},
		{'\u0900', '\u097f', "devanagari"}, {'\u1cd0', '\u1cf9', "devanagari"}, {'\ua8e0', '\ua8ff', "devanagari"},
		{'\u0980', '\u09ff', "bengali"}, {'\u0a00', '\u0a7f', "gurmukhi"}, {'\u0a80', '\u0aff', "gujarati"},
		{'\u0b00', '\u0b7f', "oriya"}, {'\u0b80', '\u0bff', "tamil"}, {'\u0c00', '\u0c7f', "telugu"},
		{'\u0c80', '\u0cff', "kannada"}, {'\u0d00', '\u0d7f', "malayalam"}, {'\u0d80', '\u0dff', "sinhala"},
		{'\u0e00', '\u0e7f', "thai"},
		{'\u3131', '\u318e', "hangul"}, {'\uac00', '\ud7a3', "hangul"},
		{'\u3000', '\u30ff', "cjk"}, {'\u3105', '\u312f', "cjk"}, {'\u31f0', '\u31ff', "cjk"},
		{'\u4e00', '\u9fff', "cjk"}, {'\uff00', '\uffef', "cjk"},
		{'\U0001f000', '\U0001faff', "emoji"},
	}
}

// scripts are the fonts of blocks that have one face.
func scripts() []string {
	var names []string
	for _, b := range blocks() {
		if b.name != "devanagari" && !slices.Contains(names, b.name) {
			names = append(names, b.name)
		}
	}
	return names
}

// style is how letters look, where a font of that look has them.
type style struct{ bold, mono bool }

// choose returns the font for a character, and false where none has it.
func choose(r rune, s style) (*typeface, bool) {
	weight := "-Regular"
	if s.bold {
		weight = "-Bold"
	}
	names := []string{"latin" + weight}
	if s.mono {
		names = []string{"mono", "latin" + weight}
	}
	for _, b := range blocks() {
		if r >= b.from && r <= b.to {
			names = []string{b.name}
			if b.name == "devanagari" {
				names[0] += weight
			}
		}
	}
	if r >= '\u2600' && r <= '\u2bff' { // where both are
		names = append(names, "signs", "emoji")
	}
	for _, name := range append(names, "signs") {
		if t, err := typefaces[name](); err == nil && t.has(r) {
			return t, true
		}
	}
	t, err := typefaces["latin"+weight]()
	return t, err == nil && t.has(r)
}

// isMark reports whether a character belongs to the one before it, or tells a shaper
// how to join its neighbours.
func isMark(r rune) bool { return r >= '\u0300' && unicode.In(r, unicode.M, unicode.Cf) }
