package photos

import (
	"encoding/binary"
	"image"
	"image/color"
	"math/bits"
	"slices"
)

// HEIC returns a photo as iPhones send it: an HEVC picture in a HEIF file, which is to
// be turned by so many quarters to the left, with EXIF data that say where it was taken.
// w and h are the size when it is shown. Its samples are coded as they are (PCM), so it
// is 1.5 bytes a pixel large.
func HEIC(seed uint64, w, h, quarters int) []byte {
	quarters &= 3
	m := Stored(Room(seed, w, h), [...]int{1, 8, 3, 6}[quarters])
	vps, sps, pps, slices := hevc(m)

	box := func(kind string, parts ...[]byte) []byte {
		body := slicesConcat(parts)
		return append(append(binary.BigEndian.AppendUint32(nil, uint32(8+len(body))), kind...), body...)
	}
	numbers := func(size int, list ...int) []byte {
		var b []byte
		for _, v := range list {
			for i := size - 1; i >= 0; i-- {
				b = append(b, byte(v>>(8*i)))
			}
		}
		return b
	}
	array := func(kind byte, unit []byte) []byte {
		return slicesConcat([][]byte{{0x80 | kind}, numbers(2, 1, len(unit)), unit})
	}
	exif := append(append(numbers(4, 6), "Exif\x00\x00"...), EXIF(1, true)...)
	meta := func(at int) []byte {
		full := numbers(4, 0)
		return box("meta", full,
			box("hdlr", full, numbers(4, 0), []byte("pict"), make([]byte, 13)),
			box("pitm", full, numbers(2, 1)),
			box("iloc", full, numbers(1, 0x44, 0), numbers(2, 2), // 4 bytes for offsets and lengths
				numbers(2, 1, 0, 1), numbers(4, at, len(slices)),
				numbers(2, 2, 0, 1), numbers(4, at+len(slices), len(exif))),
			box("iinf", full, numbers(2, 2),
				box("infe", numbers(4, 2<<24), numbers(2, 1, 0), []byte("hvc1\x00")),
				box("infe", numbers(4, 2<<24), numbers(2, 2, 0), []byte("Exif\x00"))),
			box("iref", full, box("cdsc", numbers(2, 2, 1, 1))),
			box("iprp",
				box("ipco",
					box("hvcC", []byte{1, 1, 0x60, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 93, 0xf0, 0, 0xfc, 0xfd,
						0xf8, 0xf8, 0, 0, 0x0f, 3},
						array(32, vps), array(33, sps), array(34, pps)),
					box("ispe", full, numbers(4, m.Rect.Dx(), m.Rect.Dy())),
					box("irot", numbers(1, quarters)),
					// sRGB, the matrix of BT.601, the full range
					box("colr", []byte("nclx"), numbers(2, 1, 13, 6), numbers(1, 0x80))),
				box("ipma", full, numbers(4, 1), numbers(2, 1), numbers(1, 4, 0x81, 2, 0x83, 4))))
	}
	head := box("ftyp", []byte("heic\x00\x00\x00\x00mif1heic"))
	at := len(head) + len(meta(0)) + 8
	return slicesConcat([][]byte{head, meta(at), box("mdat", slices, exif)})
}

func slicesConcat(parts [][]byte) []byte { return slices.Concat(parts...) }

// hevc codes a picture (ITU-T H.265): blocks of 32 × 32, each in a slice of its own and
// with its samples as they are. So each slice begins with the state of the arithmetic
// coder in which all probabilities are even, and nothing has to be adapted.
func hevc(m *image.RGBA) (vps, sps, pps, units []byte) {
	const size = 32
	w, h := m.Rect.Dx(), m.Rect.Dy()
	across, down := (w+size-1)/size, (h+size-1)/size
	profile := func(b *bitWriter) { // Main, level 3.1
		b.put(8, 1)
		b.put(32, 0x60000000)
		b.put(4, 9)
		b.put(44, 0)
		b.put(8, 93)
	}
	b := &bitWriter{}
	b.put(4, 0)
	b.put(2, 3)
	b.put(9, 0)
	b.put(1, 1)
	b.put(16, 0xffff)
	profile(b)
	b.put(1, 1)
	b.golomb(0, 0, 0) // one picture
	b.put(6, 0)
	b.golomb(0)
	b.put(2, 0)
	vps = b.unit(32)

	b = &bitWriter{}
	b.put(7, 0)
	b.put(1, 1)
	profile(b)
	b.golomb(0, 1, across*size, down*size) // colours at half the size
	b.put(1, 1)
	b.golomb(0, (across*size-w)/2, 0, (down*size-h)/2) // what is cut off, in samples of colours
	b.golomb(0, 0, 0)
	b.put(1, 1)
	b.golomb(0, 0, 0)
	b.golomb(2, 0, 0, 3, 0, 0) // blocks of 32, transforms of 4 to 32
	b.put(3, 0)
	b.put(1, 1) // samples as they are, of 8 bits, in blocks of 32
	b.put(8, 0x77)
	b.golomb(2, 0)
	b.put(1, 1)
	b.golomb(0)
	b.put(5, 0)
	sps = b.unit(33)

	b = &bitWriter{}
	b.golomb(0, 0)
	b.put(7, 0)
	b.golomb(0, 0, 0)
	b.put(3, 0)
	b.golomb(0, 0)
	b.put(7, 0)
	b.put(3, 5) // no deblocking
	b.put(2, 0)
	b.golomb(0)
	b.put(2, 0)
	pps = b.unit(34)

	for i := range across * down {
		b = &bitWriter{}
		b.put(1, flag(i == 0))
		b.put(1, 0)
		b.golomb(0)
		if i > 0 {
			b.put(bits.Len(uint(across*down-1)), i)
		}
		b.golomb(2, 0) // intra, no change of the quantizer
		b.put(1, 1)
		b.align()
		b.finish(270 - 2) // one block of its own, then "samples follow"
		b.align()
		b.samples(m, i%across*size, i/across*size, size)
		b.finish(510 - 2) // the end of the slice
		unit := b.unit(19)
		units = append(binary.BigEndian.AppendUint32(units, uint32(len(unit))), unit...)
	}
	return vps, sps, pps, units
}

func flag(v bool) int {
	if v {
		return 1
	}
	return 0
}

// bitWriter writes bits, the highest first.
type bitWriter struct {
	b []byte
	n int // bits of the last byte
}

func (w *bitWriter) put(n, v int) {
	for i := n - 1; i >= 0; i-- {
		if w.n == 0 {
			w.b = append(w.b, 0)
		}
		w.b[len(w.b)-1] |= byte(v>>i&1) << (7 - w.n)
		w.n = (w.n + 1) & 7
	}
}

func (w *bitWriter) align() { w.n = 0 }

// golomb writes Exp-Golomb numbers.
func (w *bitWriter) golomb(list ...int) {
	for _, v := range list {
		n := bits.Len(uint(v + 1))
		w.put(n-1, 0)
		w.put(n, v+1)
	}
}

// finish writes what the arithmetic coder does for a "terminate" bin of 1 as the first
// thing of which it writes bits, from that lower end of its interval (9.3.4.6).
func (w *bitWriter) finish(low int) {
	outstanding, first := 0, true
	put := func(v int) {
		if !first {
			w.put(1, v)
		}
		for first = false; outstanding > 0; outstanding-- {
			w.put(1, 1-v)
		}
	}
	for range 7 { // the interval of 2 becomes one of 256
		switch {
		case low < 256:
			put(0)
		case low >= 512:
			low -= 512
			put(1)
		default:
			low -= 256
			outstanding++
		}
		low <<= 1
	}
	put(low >> 9 & 1)
	w.put(2, low>>7&3|1)
}

// samples writes the samples of a block: brightness, and colours at half the size.
// Behind its border the picture goes on as it ends.
func (w *bitWriter) samples(m *image.RGBA, x0, y0, size int) {
	at := func(x, y int) (yy, cb, cr uint8) {
		c := m.RGBAAt(min(x, m.Rect.Dx()-1), min(y, m.Rect.Dy()-1))
		return color.RGBToYCbCr(c.R, c.G, c.B)
	}
	var cbs, crs []byte
	for y := range size {
		for x := range size {
			yy, cb, cr := at(x0+x, y0+y)
			w.b = append(w.b, yy)
			if x%2 == 0 && y%2 == 0 {
				cbs, crs = append(cbs, cb), append(crs, cr)
			}
		}
	}
	w.b = append(append(w.b, cbs...), crs...)
	w.n = 0
}

// unit ends a NAL unit of a type.
func (w *bitWriter) unit(kind byte) []byte {
	if kind != 19 { // the arithmetic coder has written the bit that stops
		w.put(1, 1)
	}
	out, zeros := []byte{kind << 1, 1}, 0
	for _, v := range w.b {
		if zeros >= 2 && v <= 3 {
			out, zeros = append(out, 3), 0
		}
		if zeros++; v != 0 {
			zeros = 0
		}
		out = append(out, v)
	}
	return out
}
