package pdf

import (
	"bytes"
	"compress/flate"
	"encoding/ascii85"
	"io"
	"maps"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/work"
)

// file is a file that is being read.
type file struct {
	budget  *work.Budget
	b       []byte
	room    int            // bytes that objects may still take
	codes   int            // entries that tables of fonts may still have
	inflate int            // bytes that may still be unpacked
	offsets map[int]int    // of objects by number; the last one counts
	packed  map[int]place  // of objects within streams
	known   map[int]object // small ones that were read
	trailer dict
	fonts   map[ref]*font
	named   map[string]rune // characters by the names of their glyphs; made when first needed
	joined  []byte          // room for a page's content that is in pieces
	nesting int
	words   bool // something was drawn that can be read
	drew    bool // as words, on the page that was read last
}

// place is where an object is in the unpacked bytes of a stream.
type place struct {
	b  []byte
	at int
}

// spend takes steps from the budget, and ends the reading with a panic when
// there are none left; Read recovers it.
func (f *file) spend(n int) {
	if err := f.budget.Steps(n); err != nil {
		panic(err)
	}
}

// copied pays for bytes that are about to be copied.
func (f *file) copied(n int) {
	if err := f.budget.Spend(1, n); err != nil {
		panic(err)
	}
}

// hold takes bytes from the room for objects. Code that drops what was read gives
// them back.
func (f *file) hold(n int) {
	if f.room -= n; f.room < 0 {
		panic(errRoom)
	}
}

// find lists the objects of the file by looking for "12 0 obj", from the first
// to the last, as they were appended.
func (f *file) find() error {
	var packs []int
	f.trailer = dict{}
	for at := 0; ; {
		i := bytes.Index(f.b[at:], []byte("obj"))
		if i < 0 {
			break
		}
		i += at
		at = i + 3
		number, ok := numberBefore(f.b, i)
		if !ok {
			continue
		}
		if f.offsets[number] = i + 3; len(f.offsets) > MaxObjects {
			return fault.New(fault.Unprocessable, "The PDF file has more than %d objects.", MaxObjects)
		}
		// The bytes of a stream may look like anything.
		end := f.index(f.b[at:], "endobj")
		if s := streamIn(f.b[at : at+end]); s >= 0 {
			head := f.b[at : at+s]
			switch {
			case bytes.Contains(head, []byte("/ObjStm")):
				packs = append(packs, number)
			case bytes.Contains(head, []byte("/XRef")):
				if err := f.take((&lexer{f: f, b: head}).next(0)); err != nil {
					return err
				}
			}
			end = s + f.index(f.b[at+s:], "endstream")
		}
		at += end
	}
	for at := 0; ; {
		i := bytes.Index(f.b[at:], []byte("trailer"))
		if i < 0 {
			break
		}
		at += i + len("trailer")
		if err := f.take((&lexer{f: f, b: f.b, at: at}).next(0)); err != nil {
			return err
		}
	}
	for _, number := range packs {
		f.unpack(number)
	}
	return nil
}

// index returns where the word stands in b, or the length of b. It is paid for:
// a file may make us look for what it does not have, again and again.
func (f *file) index(b []byte, word string) int {
	i := bytes.Index(b, []byte(word))
	if i < 0 {
		i = len(b)
	}
	f.spend(i/256 + 1)
	return i
}

// streamIn returns where a stream begins in an object, or -1. The word may stand
// in a text, too.
func streamIn(b []byte) int {
	for from := 0; ; {
		i := bytes.Index(b[from:], []byte("stream"))
		if i < 0 {
			return -1
		}
		i += from
		from = i + len("stream")
		if from < len(b) && (b[from] == '\r' || b[from] == '\n') &&
			bytes.HasSuffix(bytes.TrimRight(b[max(0, i-16):i], " \t\r\n"), []byte(">>")) {
			return i
		}
	}
}

// take keeps what a trailer says: the last one counts.
func (f *file) take(o object) error {
	d, _ := o.(dict)
	if d["Encrypt"] != nil {
		return fault.New(fault.Unprocessable,
			"The PDF file is protected. Save a copy without protection and send that.")
	}
	if root, ok := d["Root"].(ref); ok {
		f.trailer["Root"] = root
	}
	return nil
}

// numberBefore reads the object's number in front of "0 obj".
func numberBefore(b []byte, at int) (int, bool) {
	digits := func() (n int, ok bool) {
		for at > 0 && space(b[at-1]) {
			at--
		}
		unit := 1
		for at > 0 && '0' <= b[at-1] && b[at-1] <= '9' && unit <= 100_000_000 {
			n += int(b[at-1]-'0') * unit
			unit *= 10
			at--
			ok = true
		}
		return n, ok
	}
	if at == 0 || !space(b[at-1]) {
		return 0, false
	}
	if _, ok := digits(); !ok || at == 0 || !space(b[at-1]) {
		return 0, false
	}
	return digits()
}

// unpack lists the objects within a stream.
func (f *file) unpack(number int) {
	s, ok := f.read(number).(*stream)
	if !ok {
		return
	}
	count, _ := f.resolve(s.dict["N"]).(float64)
	first, _ := f.resolve(s.dict["First"]).(float64)
	content := f.decode(s)
	if first < 0 || int(first) > len(content) {
		return
	}
	head := lexer{f: f, b: content[:int(first)]}
	for range int(min(count, MaxObjects)) {
		n, _ := head.next(0).(float64)
		offset, ok := head.next(0).(float64)
		if !ok || head.end {
			return
		}
		at := int(first) + int(offset)
		if _, whole := f.offsets[int(n)]; whole || at < 0 || at >= len(content) || len(f.packed) >= MaxObjects {
			continue
		}
		f.packed[int(n)] = place{content, at}
	}
}

// read reads an object by its number, nil if there is none.
func (f *file) read(number int) object {
	f.spend(1)
	if o, ok := f.known[number]; ok {
		return o
	}
	if f.nesting++; f.nesting > maxDepth {
		f.nesting--
		return nil
	}
	defer func() { f.nesting-- }()
	room := f.room
	var o object
	if p, ok := f.packed[number]; ok {
		o = (&lexer{f: f, b: p.b, at: p.at}).next(0)
	} else if at, ok := f.offsets[number]; ok {
		l := &lexer{f: f, b: f.b, at: at}
		o = l.next(0)
		if d, ok := o.(dict); ok {
			o = f.withBytes(l, d)
		}
	}
	if len(f.known) < 20_000 {
		f.known[number] = o
	} else {
		f.room = room // it is forgotten soon
	}
	return o
}

// withBytes makes a stream of a dictionary that bytes follow.
func (f *file) withBytes(l *lexer, d dict) object {
	l.skip()
	if !bytes.HasPrefix(l.b[l.at:], []byte("stream")) {
		return d
	}
	at := l.at + len("stream")
	if at < len(l.b) && l.b[at] == '\r' {
		at++
	}
	if at < len(l.b) && l.b[at] == '\n' {
		at++
	}
	at = min(at, len(l.b))
	if n, ok := f.resolve(d["Length"]).(float64); ok && n >= 0 && int(n) <= len(l.b)-at {
		after := bytes.TrimLeft(l.b[at+int(n):min(len(l.b), at+int(n)+16)], "\r\n ")
		if bytes.HasPrefix(after, []byte("endstream")) {
			return &stream{d, l.b[at : at+int(n)]}
		}
	}
	end := f.index(l.b[at:], "endstream")
	return &stream{d, bytes.TrimRight(l.b[at:at+end], "\r\n")}
}

// resolve follows references.
func (f *file) resolve(o object) object {
	for range 16 {
		r, ok := o.(ref)
		if !ok {
			return o
		}
		o = f.read(r.number)
	}
	return nil
}

// dict returns the dictionary that o is or refers to, nil for none.
func (f *file) dict(o object) dict {
	switch d := f.resolve(o).(type) {
	case dict:
		return d
	case *stream:
		return d.dict
	}
	return nil
}

// catalog looks for the catalogue where no trailer names it: the last one.
func (f *file) catalog() (found dict) {
	numbers := slices.Sorted(maps.Keys(f.offsets))
	for _, number := range slices.Concat(slices.Sorted(maps.Keys(f.packed)), numbers) {
		if d := f.dict(ref{number}); d["Type"] == name("Catalog") {
			found = d
		}
	}
	return found
}

// decode unpacks a stream as far as there is room. What is packed in a way that
// has no text, such as a picture, is empty.
func (f *file) decode(s *stream) []byte {
	var filters array
	switch v := f.resolve(s.dict["Filter"]).(type) {
	case name:
		filters = array{v}
	case array:
		filters = v
	}
	if len(filters) > 4 {
		return nil
	}
	b := s.raw
	for _, one := range filters {
		room := min(maxStream, f.inflate)
		var in io.Reader
		switch f.resolve(one) {
		case name("FlateDecode"), name("Fl"):
			if len(b) < 2 {
				return nil
			}
			in = flate.NewReader(bytes.NewReader(b[2:])) // without the head, and the sum that many get wrong
		case name("ASCII85Decode"), name("A85"):
			in = ascii85.NewDecoder(bytes.NewReader(bytes.TrimSuffix(bytes.TrimSpace(b), []byte("~>"))))
		case name("ASCIIHexDecode"), name("AHx"):
			l := lexer{f: f, b: b}
			in = bytes.NewReader([]byte(l.hex()))
		default:
			return nil
		}
		var out bytes.Buffer
		n, _ := out.ReadFrom(io.LimitReader(f.budget.Reader(in), int64(room)+1)) // what came before the damage counts
		if err := f.budget.Err(); err != nil {
			panic(err)
		}
		if n > int64(room) {
			panic(errRoom)
		}
		f.inflate -= int(n)
		b = out.Bytes()
	}
	return b
}
