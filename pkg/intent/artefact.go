package intent

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// magic begins every artefact. The digit rises with the format.
const magic = "BHI1"

// writer appends figures to an artefact.
type writer struct{ b []byte }

func (w *writer) int(n int)       { w.b = binary.AppendUvarint(w.b, uint64(n)) }
func (w *writer) text(s string)   { w.int(len(s)); w.b = append(w.b, s...) }
func (w *writer) long(x float64)  { w.b = binary.LittleEndian.AppendUint64(w.b, math.Float64bits(x)) }
func (w *writer) short(x float32) { w.b = binary.LittleEndian.AppendUint32(w.b, math.Float32bits(x)) }

// Encode returns the model as an artefact, for Decode.
func (m *Model) Encode() []byte {
	w := &writer{b: []byte(magic)}
	w.int(m.intents)
	w.int(m.classes)
	w.int(m.sentences)
	for _, name := range m.names {
		w.text(name)
	}
	w.int(len(m.weights))
	for i := range evidences {
		w.long(m.mean[i])
		w.long(m.dev[i])
	}
	for _, x := range m.weights {
		w.long(x)
	}
	w.int(len(m.curve))
	for _, p := range m.curve {
		w.long(p.score)
		w.long(p.confidence)
	}
	w.long(m.threshold)
	m.encodePhrases(w)
	m.encodeScorers(w)
	return w.b
}

// encodePhrases writes words, the commonest first so that their numbers are
// short, and phrases.
func (m *Model) encodePhrases(w *writer) {
	c := m.corpus
	count := make([]int, len(c.words))
	for _, row := range c.rows {
		for _, n := range row {
			count[n]++
		}
	}
	order := make([]int, len(c.words))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return count[b] - count[a] })
	number := make([]int, len(c.words))
	w.int(len(c.words))
	for i, n := range order {
		number[n] = i
		w.text(c.words[n])
	}
	w.int(len(c.rows))
	for p, row := range c.rows {
		w.int(int(c.class[p]))
		w.int(len(row))
		for _, n := range row {
			w.int(number[n])
		}
	}
	for _, p := range m.near.first {
		w.int(int(p))
	}
}

func (m *Model) encodeScorers(w *writer) {
	keys := make([]uint32, len(m.kind))
	for _, s := range m.feats.slots {
		if s.key != 0 {
			keys[s.place] = s.key
		}
	}
	w.int(len(keys))
	for f, k := range keys {
		w.b = binary.LittleEndian.AppendUint32(w.b, k)
		w.b = append(w.b, m.kind[f])
		w.b = binary.LittleEndian.AppendUint16(w.b, uint16(m.scale[f]*scaleSteps))
	}
	for v := range views {
		w.short(m.unit[v])
		for _, x := range m.bias[v] {
			w.short(x)
		}
	}
	for _, x := range m.tight {
		w.short(x)
	}
	for _, row := range m.rows {
		w.int(len(row))
		last := 0
		for _, c := range row {
			w.int(int(c.class) - last)
			w.b = append(w.b, byte(c.w))
			last = int(c.class)
		}
	}
}

var errArtefact = errors.New("intent: the artefact is damaged")

// reader reads an artefact. After the first error all figures are 0.
type reader struct {
	b   []byte
	err error
}

func (r *reader) int() int {
	if len(r.b) > 0 && r.b[0] < 0x80 { // most figures have one byte
		n := int(r.b[0])
		r.b = r.b[1:]
		return n
	}
	return r.longInt()
}

func (r *reader) longInt() int {
	n, size := binary.Uvarint(r.b)
	if size <= 0 || n > math.MaxInt32 {
		r.err, r.b = errArtefact, nil
		return 0
	}
	r.b = r.b[size:]
	return int(n)
}

// count reads how many things follow that need at least each bytes.
func (r *reader) count(each int) int {
	n := r.int()
	if n*each > len(r.b) {
		r.err, r.b = errArtefact, nil
		return 0
	}
	return n
}

func (r *reader) bytes(n int) []byte {
	if n > len(r.b) {
		r.err, r.b = errArtefact, nil
		return make([]byte, n)
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *reader) long() float64  { return math.Float64frombits(binary.LittleEndian.Uint64(r.bytes(8))) }
func (r *reader) short() float32 { return math.Float32frombits(binary.LittleEndian.Uint32(r.bytes(4))) }

// Decode reads an artefact. A damaged one, or one of another format, is an error.
func Decode(artefact []byte) (*Model, error) {
	if len(artefact) < len(magic) || string(artefact[:len(magic)]) != magic {
		return nil, fmt.Errorf("intent: the artefact doesn't begin with %s", magic)
	}
	r := &reader{b: artefact[len(magic):]}
	m := &Model{scorers: &scorers{}, rejector: &rejector{}, corpus: newCorpus()}
	m.intents, m.classes, m.sentences = r.int(), r.int(), r.int()
	if m.classes < m.intents || m.classes > m.intents+1 || m.intents > MaxIntents || m.intents < 1 {
		return nil, errArtefact
	}
	for range m.intents {
		m.names = append(m.names, string(r.bytes(r.count(1))))
	}
	weights := r.count(8)
	if weights != 0 && weights != 1+evidences && weights != allTerms {
		return nil, errArtefact
	}
	for i := range evidences {
		m.mean[i], m.dev[i] = r.long(), r.long()
	}
	for range weights {
		m.weights = append(m.weights, r.long())
	}
	for range r.count(16) {
		m.curve = append(m.curve, point{r.long(), r.long()})
	}
	m.threshold = r.long()
	m.decodePhrases(r)
	if r.err == nil {
		m.decodeScorers(r)
	}
	if r.err != nil {
		return nil, r.err
	}
	m.index()
	return m.ready(), nil
}

func (m *Model) decodePhrases(r *reader) {
	c, groups := m.corpus, concepts()
	words := r.count(1)
	c.words, c.lexes = make([]string, words), make([]lexeme, words)
	c.number = nil // only Add needs it, which makes its own
	for i := range c.words {
		c.words[i] = string(r.bytes(r.count(1)))
		c.lexes[i] = lexemeOfWord(c.words[i], groups)
	}
	n := r.count(2)
	c.rows, c.class = make([][]int32, 0, n), make([]int32, 0, n)
	c.whole = make(map[uint64]int32, n)
	arena := make([]int32, 0, n*10)
	for range n {
		class := r.int()
		length := r.count(1)
		begin := len(arena)
		for range length {
			arena = append(arena, int32(r.int()))
			if int(arena[len(arena)-1]) >= words {
				r.err = errArtefact
			}
		}
		if class >= m.classes || r.err != nil {
			r.err = errArtefact
			return
		}
		c.keep(arena[begin:len(arena):len(arena)], int32(class), m.intents)
	}
	m.near.first = make([]int32, m.classes+1)
	for i := range m.near.first {
		m.near.first[i] = int32(min(r.int(), n))
	}
}

func (m *Model) decodeScorers(r *reader) {
	const each = 4 + 1 + 2
	n := r.count(each)
	m.feats = newTable(n)
	m.kind, m.scale = make([]uint8, n), make([]float32, n)
	raw := r.bytes(n * each)
	for f := range n {
		b := raw[f*each:]
		if m.feats.add(binary.LittleEndian.Uint32(b)|1) != int32(f) || b[4] >= kinds {
			r.err = errArtefact
			return
		}
		m.kind[f], m.scale[f] = b[4], float32(binary.LittleEndian.Uint16(b[5:]))/scaleSteps
	}
	for v := range views {
		m.unit[v] = r.short()
		m.bias[v] = make([]float32, m.classes)
		for j := range m.bias[v] {
			m.bias[v][j] = r.short()
		}
	}
	m.tight = make([]float32, m.classes)
	for j := range m.tight {
		m.tight[j] = r.short()
	}
	m.rows = make([][]cell, n)
	arena := make([]cell, 0, len(r.b)/2)
	for f := range m.rows {
		length := r.count(2)
		begin, class := len(arena), 0
		for range length {
			class += r.int()
			if class >= m.classes {
				r.err = errArtefact
				return
			}
			arena = append(arena, cell{uint16(class), int8(r.bytes(1)[0])})
		}
		m.rows[f] = arena[begin:len(arena):len(arena)]
	}
}
