package speech

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/work"
)

// The formats of samples that a WAV file may have.
const (
	wavPCM        = 1
	wavADPCM      = 2 // of Microsoft
	wavFloat      = 3
	wavALaw       = 6
	wavMuLaw      = 7
	wavIMA        = 0x11 // ADPCM of the IMA
	wavExtensible = 0xFFFE
)

// wavHead is the fmt chunk.
type wavHead struct {
	tag, channels, bits, align uint16
	rate, perSecond            uint32
}

func readWAVHead(b []byte) (wavHead, bool) {
	if len(b) < 16 {
		return wavHead{}, false
	}
	le := binary.LittleEndian
	h := wavHead{tag: le.Uint16(b), channels: le.Uint16(b[2:]), rate: le.Uint32(b[4:]), perSecond: le.Uint32(b[8:]),
		align: le.Uint16(b[12:]), bits: le.Uint16(b[14:])}
	if h.tag == wavExtensible && len(b) >= 26 {
		h.tag = le.Uint16(b[24:])
	}
	ok := h.channels >= 1 && h.channels <= 8 && h.rate >= 1000 && h.rate <= 384_000 && h.perSecond > 0
	switch h.tag {
	case wavPCM, wavFloat, wavALaw, wavMuLaw:
		// Without compression everything follows from three numbers.
		ok = ok && h.bits%8 == 0 && h.bits >= 8 && h.bits <= 64 &&
			uint32(h.align) == uint32(h.channels)*uint32(h.bits/8) && h.perSecond == h.rate*uint32(h.align)
	case wavADPCM, wavIMA:
		ok = ok && h.bits == 4 && h.ofBlock() > 0
	}
	return h, ok
}

// ofBlock returns how many samples of each channel a block of ADPCM has: what
// its own head leaves, in halves of bytes.
func (h wavHead) ofBlock() uint64 {
	channels, size := uint64(h.channels), uint64(h.align)
	head, first := 4*channels, uint64(1)
	if h.tag == wavADPCM {
		head, first = 7*channels, 2
	}
	if size < head {
		return 0
	}
	return (size-head)*2/channels + first
}

// length returns how long so many bytes sound. It believes nothing of the header
// that can be counted.
func (h wavHead) length(size uint64) (time.Duration, error) {
	switch h.tag {
	case wavPCM, wavFloat, wavALaw, wavMuLaw:
		return seconds(size, uint64(h.perSecond)), nil
	case wavADPCM, wavIMA:
		return seconds((size+uint64(h.align)-1)/uint64(h.align)*h.ofBlock(), uint64(h.rate)), nil
	}
	return 0, unknown("a WAV file with a compression that is not known")
}

func inspectWAV(budget *work.Budget, b []byte) (time.Duration, bool, error) {
	var head wavHead
	known := false
	for at := 12; ; {
		if err := budget.Steps(1); err != nil {
			return 0, false, err
		}
		if at+8 > len(b) {
			return 0, false, cutOff()
		}
		name, size := string(b[at:at+4]), uint64(binary.LittleEndian.Uint32(b[at+4:]))
		rest := b[at+8:]
		switch name {
		case "fmt ":
			if size > uint64(len(rest)) {
				return 0, false, cutOff()
			}
			if head, known = readWAVHead(rest[:size]); !known {
				return 0, false, contradicts()
			}
		case "data":
			if !known {
				return 0, false, contradicts()
			}
			// A program that wrote into a pipe did not know the size.
			if size == math.MaxUint32 || size == 0 {
				size = uint64(len(rest))
			}
			if size > uint64(len(rest)) {
				return 0, false, cutOff()
			}
			length, err := head.length(size)
			if err != nil || length > MaxLength {
				return length, false, err
			}
			still, err := still(budget, head, rest[:size])
			return length, still, err
		}
		if size > uint64(len(rest)) {
			return 0, false, cutOff()
		}
		at += 8 + int(size+size%2)
	}
}

// quiet is the loudness, of 1, under which there is no voice: -60 dB. The
// quietest rooms are louder in most microphones, and speech is far above.
const quiet = 0.001

// still reports whether no twentieth of a second is louder than quiet. A
// constant offset, which cheap microphones have, is not loud.
func still(budget *work.Budget, h wavHead, data []byte) (bool, error) {
	sample := h.sample()
	if sample == nil {
		return false, nil
	}
	width := int(h.bits / 8)
	window := max(int(h.rate)/20*int(h.channels)*width, width)
	for len(data) >= width {
		part := data[:min(window, len(data))]
		if err := budget.Steps(1 + len(part)/64); err != nil {
			return false, err
		}
		data = data[len(part):]
		n, sum, squares := 0.0, 0.0, 0.0
		for ; len(part) >= width; part = part[width:] {
			v := sample(part)
			n, sum, squares = n+1, sum+v, squares+v*v
		}
		if n > 0 && squares/n-(sum/n)*(sum/n) > quiet*quiet {
			return false, nil
		}
	}
	return true, nil
}

// sample returns what reads one sample as a number from -1 to 1, nil for
// samples that we cannot read.
func (h wavHead) sample() func([]byte) float64 {
	le := binary.LittleEndian
	switch {
	case h.tag == wavPCM && h.bits == 8:
		return func(b []byte) float64 { return (float64(b[0]) - 128) / 128 }
	case h.tag == wavPCM && h.bits == 16:
		return func(b []byte) float64 { return float64(int16(le.Uint16(b))) / (1 << 15) }
	case h.tag == wavPCM && h.bits == 24:
		return func(b []byte) float64 {
			return float64(int32(uint32(b[0])<<8|uint32(b[1])<<16|uint32(b[2])<<24)) / (1 << 31)
		}
	case h.tag == wavPCM && h.bits == 32:
		return func(b []byte) float64 { return float64(int32(le.Uint32(b))) / (1 << 31) }
	case h.tag == wavFloat && h.bits == 32:
		return func(b []byte) float64 { return float64(math.Float32frombits(le.Uint32(b))) }
	}
	return nil
}
