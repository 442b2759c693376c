package photo

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"

	"github.com/gen2brain/heic"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/uploads/picture"
)

// The decoder of HEIC photos is libheif with libde265 in WebAssembly, so what it does
// with a malicious file stays within its own memory. How much that is it decides by
// sizes in the file, which are checked here first; nothing stops it while it decodes.

// mostTiles is how many pieces a photo may be put together from: one of 48 megapixels
// has 192.
const mostTiles = 512

// decodeHEIC reads a HEIC photo, one at a time. It returns when the context ends; what
// was begun goes on without it.
func (p *Processor) decodeHEIC(ctx context.Context, content []byte) (image.Image, error) {
	if heic.Dynamic() == nil {
		// A program that was built without the tag "nodynamic" has found a shared library,
		// in which a malicious file could do what it liked.
		return nil, unreadHEIC(errors.New("libheif would run outside WebAssembly; build with -tags nodynamic"))
	}
	if err := ctx.Err(); err != nil {
		return nil, err // what is begun goes on to its end
	}
	if err := p.one.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	type result struct {
		m   image.Image
		err error
	}
	done := make(chan result, 1)
	go func() {
		defer p.one.Release(1)
		defer func() {
			if v := recover(); v != nil {
				done <- result{err: fmt.Errorf("the HEIC decoder panicked: %v", v)}
			}
		}()
		m, err := heic.Decode(bytes.NewReader(content))
		if err == nil {
			mend(m)
		}
		done <- result{m, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-done:
		if r.err != nil {
			return nil, unreadHEIC(r.err)
		}
		return r.m, nil
	}
}

// mend overwrites the first pixels of a decoded photo by those below them. The decoder
// (v0.4.5) returns memory that it has freed already, and what keeps the list of free
// blocks writes up to 24 bytes to its beginning.
func mend(m image.Image) {
	const written = 32
	var pix []byte
	var stride int
	switch m := m.(type) {
	case *image.YCbCr:
		pix, stride = m.Y, m.YStride
	case *image.Gray:
		pix, stride = m.Pix, m.Stride
	case *image.RGBA:
		pix, stride = m.Pix, m.Stride
	case *image.NRGBA:
		pix, stride = m.Pix, m.Stride
	}
	if n := min(written, stride); m.Bounds().Dy() > 1 && len(pix) >= stride+n {
		copy(pix[:n], pix[stride:stride+n])
	}
}

func unreadHEIC(cause error) error {
	return fault.Wrap(fault.Unprocessable, cause,
		"This HEIC photo cannot be read here. Please send it as a JPEG file.")
}

// inspectHEIC reads the boxes of a HEIC file (ISO/IEC 14496-12 and 23008-12) as far as
// its sizes and colours are in them. Its orientation is applied by the decoder.
func inspectHEIC(b []byte) (source, error) {
	s := source{orientation: 1}
	meta, ok := child(b, 0, "meta")
	if !ok {
		return s, unreadHEIC(errors.New("no meta box"))
	}
	properties, ok := child(meta, 4, "iprp")
	if ok {
		properties, ok = child(properties, 0, "ipco")
	}
	if !ok {
		return s, unreadHEIC(errors.New("no properties"))
	}
	largest := func(w, h uint64) {
		w, h = min(w, 1<<20), min(h, 1<<20)
		if w*h > uint64(s.width)*uint64(s.height) {
			s.width, s.height = int(w), int(h)
		}
	}
	coloured := false
	for kind, body := range boxes(properties) {
		switch {
		case kind == "ispe" && len(body) >= 12:
			largest(uint64(binary.BigEndian.Uint32(body[4:])), uint64(binary.BigEndian.Uint32(body[8:])))
		case kind == "hvcC":
			largest(codedSize(body))
		case kind == "colr" && len(body) >= 11 && string(body[:4]) == "nclx" && !coloured:
			// Of several the first one: those of a gain map follow.
			coloured = true
			s.colours.wide = s.colours.wide || binary.BigEndian.Uint16(body[4:]) == 12
			s.colours.bt709, s.colours.limited = binary.BigEndian.Uint16(body[8:]) == 1, body[10]&0x80 == 0
		case kind == "colr":
			s.colours.wide = s.colours.wide || isDisplayP3(body)
		}
	}
	if grid, ok := child(meta, 4, "idat"); ok && len(grid) >= 8 && grid[0] == 0 {
		// The size of the whole, of a photo that is put together from tiles.
		if grid[1]&1 == 1 && len(grid) >= 12 {
			largest(uint64(binary.BigEndian.Uint32(grid[4:])), uint64(binary.BigEndian.Uint32(grid[8:])))
		} else {
			largest(uint64(binary.BigEndian.Uint16(grid[4:])), uint64(binary.BigEndian.Uint16(grid[6:])))
		}
	}
	if references, ok := child(meta, 4, "iref"); ok && tiles(references) > mostTiles {
		return s, unreadHEIC(errors.New("too many tiles"))
	}
	switch {
	case s.width == 0 || s.height == 0:
		return s, unreadHEIC(errors.New("no size"))
	case s.width > picture.MaxSide || s.height > picture.MaxSide || s.width*s.height > picture.MaxPixels:
		return s, fault.New(fault.Unprocessable,
			"The picture has %d × %d pixels; more than %d million, or %d at one side, are too many.",
			s.width, s.height, picture.MaxPixels/1_000_000, picture.MaxSide)
	}
	// Measured: 261 MB for 12 megapixels. Each time that the decoder's memory grows the
	// runtime of WebAssembly copies it.
	s.memory = 16<<20 + int64(s.width)*int64(s.height)*21
	return s, nil
}

// boxes returns the boxes in a part of a file, by their kinds.
func boxes(b []byte) func(yield func(string, []byte) bool) {
	return func(yield func(string, []byte) bool) {
		for len(b) >= 8 {
			size, head := uint64(binary.BigEndian.Uint32(b)), uint64(8)
			switch {
			case size == 0:
				size = uint64(len(b))
			case size == 1 && len(b) >= 16:
				size, head = binary.BigEndian.Uint64(b[8:]), 16
			}
			if size < head || size > uint64(len(b)) || !yield(string(b[4:8]), b[head:size]) {
				return
			}
			b = b[size:]
		}
	}
}

// child returns the first box of a kind behind so many bytes.
func child(b []byte, behind int, kind string) ([]byte, bool) {
	if len(b) < behind {
		return nil, false
	}
	for k, body := range boxes(b[behind:]) {
		if k == kind {
			return body, true
		}
	}
	return nil, false
}

// tiles returns how many pieces are referred to by what is derived from them.
func tiles(references []byte) int {
	if len(references) < 4 {
		return 0
	}
	id := 2
	if references[0] > 0 {
		id = 4
	}
	n := 0
	for kind, body := range boxes(references[4:]) {
		if kind == "dimg" && len(body) >= id+2 {
			n += int(binary.BigEndian.Uint16(body[id:]))
		}
	}
	return n
}

// codedSize returns the largest size that the parameters of an HEVC stream name
// (ITU-T H.265, 7.3.2.2), which the decoder makes room for, whatever the boxes say.
func codedSize(hvcC []byte) (w, h uint64) {
	if len(hvcC) < 23 {
		return 0, 0
	}
	rest := hvcC[23:]
	for range hvcC[22] {
		if len(rest) < 3 {
			return w, h
		}
		kind, n := rest[0]&0x3f, int(binary.BigEndian.Uint16(rest[1:]))
		rest = rest[3:]
		for range n {
			if len(rest) < 2 || len(rest) < 2+int(binary.BigEndian.Uint16(rest)) {
				return w, h
			}
			unit := rest[2 : 2+int(binary.BigEndian.Uint16(rest))]
			rest = rest[2+len(unit):]
			if kind != 33 { // a sequence parameter set
				continue
			}
			if uw, uh := sequenceSize(unit); uw*uh > w*h {
				w, h = uw, uh
			}
		}
	}
	return w, h
}

// sequenceSize reads the size in a sequence parameter set.
func sequenceSize(unit []byte) (w, h uint64) {
	r := bitReader{b: bytes.ReplaceAll(unit, []byte{0, 0, 3}, []byte{0, 0})}
	r.skip(16 + 4)
	layers := r.bits(3)
	r.skip(1 + 88 + 8)
	if layers > 0 {
		var profile, level [8]bool
		for i := range layers {
			profile[i], level[i] = r.bits(1) == 1, r.bits(1) == 1
		}
		r.skip(int(8-layers) * 2)
		for i := range layers {
			if profile[i] {
				r.skip(88)
			}
			if level[i] {
				r.skip(8)
			}
		}
	}
	r.golomb() // its number
	if r.golomb() == 3 {
		r.skip(1)
	}
	return min(r.golomb(), 1<<20), min(r.golomb(), 1<<20)
}

// bitReader reads bits; behind the end there are zeros.
type bitReader struct {
	b  []byte
	at int
}

func (r *bitReader) skip(n int) { r.at += n }

func (r *bitReader) bits(n int) uint64 {
	var v uint64
	for range n {
		v <<= 1
		if i := r.at / 8; i < len(r.b) {
			v |= uint64(r.b[i]>>(7-r.at%8)) & 1
		}
		r.at++
	}
	return v
}

// golomb reads an unsigned Exp-Golomb number of up to 32 bits.
func (r *bitReader) golomb() uint64 {
	zeros := 0
	for r.bits(1) == 0 {
		if zeros++; zeros > 32 {
			return 0
		}
	}
	return 1<<zeros - 1 + r.bits(zeros)
}
