package speech

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/work"
)

// The elements of WebM that tell how long it is.
const (
	ebmlSegment  = 0x18538067
	ebmlInfo     = 0x1549A966
	ebmlScale    = 0x2AD7B1
	ebmlDuration = 0x4489
	ebmlCluster  = 0x1F43B675
	ebmlTime     = 0xE7
	ebmlSimple   = 0xA3
	ebmlGroup    = 0xA0
	ebmlBlock    = 0xA1
	ebmlTracks   = 0x1654AE6B
	ebmlTrack    = 0xAE
	ebmlNumberOf = 0xD7
	ebmlKind     = 0x83
	ebmlCodec    = 0x86
)

// ebmlSound is the kind of a track that sounds.
const ebmlSound = 2

// webmTrack is a track as the file lists it.
type webmTrack struct {
	number, kind uint64
	opus         bool
	small        bool   // a second of it is no more than oggMost
	packets      uint64 // samples at 48 kHz, of Opus alone
	blocks       int
	bytes        int // of the blocks
}

// webm is what the elements of a file tell.
type webm struct {
	scale   uint64
	told    float64
	cluster uint64
	end     uint64
	tracks  []*webmTrack
}

// inspectWebM walks all clusters: recordings that a browser makes tell no
// duration, and one that is told is believed only where it is the longer one.
func inspectWebM(budget *work.Budget, b []byte) (time.Duration, error) {
	f := &webm{scale: 1_000_000}
	for at := 0; at < len(b); {
		if err := budget.Steps(1); err != nil {
			return 0, err
		}
		id, n := ebmlNumber(b[at:], true)
		if n == 0 {
			return 0, cutOff()
		}
		size, m := ebmlNumber(b[at+n:], false)
		if m == 0 {
			return 0, cutOff()
		}
		at += n + m
		switch id {
		case ebmlSegment, ebmlInfo, ebmlCluster, ebmlGroup, ebmlTracks, ebmlTrack:
			// What is inside comes next. A live recording does not know their
			// sizes.
			if size != ebmlUnknown && id != ebmlSegment && size > uint64(len(b)-at) {
				return 0, cutOff()
			}
			if id == ebmlTrack {
				if len(f.tracks) == webmTracks {
					return 0, contradicts()
				}
				f.tracks = append(f.tracks, &webmTrack{})
			}
			continue
		}
		if size > uint64(len(b)-at) {
			return 0, cutOff()
		}
		if !f.element(id, b[at:at+int(size)]) {
			return 0, contradicts()
		}
		at += int(size)
	}
	return f.length()
}

// webmTracks is how many tracks a file may have.
const webmTracks = 64

// element reads an element that has no others, and reports whether it is right.
func (f *webm) element(id uint64, body []byte) bool {
	current := &webmTrack{}
	if n := len(f.tracks); n > 0 {
		current = f.tracks[n-1]
	}
	switch id {
	case ebmlScale:
		f.scale = ebmlUint(body)
	case ebmlDuration:
		f.told = ebmlFloat(body)
	case ebmlNumberOf:
		current.number = ebmlUint(body)
	case ebmlKind:
		current.kind = ebmlUint(body)
	case ebmlCodec:
		current.opus = string(body) == "A_OPUS"
		current.small = current.opus || string(body) == "A_VORBIS"
	case ebmlTime:
		f.cluster = ebmlUint(body)
		f.end = max(f.end, f.cluster)
	case ebmlSimple, ebmlBlock:
		number, head := ebmlNumber(body, false)
		if head == 0 || len(body) < head+3 {
			return false
		}
		f.end = max(f.end, uint64(max(int64(min(f.cluster, 1<<40))+int64(int16(binary.BigEndian.Uint16(body[head:]))),
			0)))
		for _, t := range f.tracks {
			if t.number == number && t.kind == ebmlSound {
				t.block(body[head+2:])
			}
		}
	}
	return true
}

// block counts what a block holds, which begins with its flags.
func (t *webmTrack) block(b []byte) {
	t.blocks++
	t.bytes += len(b)
	switch laced := b[0]&0x06 != 0; {
	case laced && len(b) > 1:
		t.packets += (uint64(b[1]) + 1) * 2880 // no frame is longer
	case !laced:
		t.packets += opusSamples(b[1:])
	}
}

func (f *webm) length() (time.Duration, error) {
	var blocks int
	var packets uint64
	for _, t := range f.tracks {
		blocks += t.blocks
		if t.opus {
			packets = max(packets, t.packets)
		}
	}
	switch {
	case blocks == 0:
		return 0, noSound()
	case f.scale == 0 || f.scale > uint64(time.Second) || math.IsNaN(f.told):
		return 0, contradicts()
	}
	// A block's own length is not told. In a browser it is up to 60 ms.
	const block = 60 * time.Millisecond
	day := float64(24 * time.Hour)
	length := time.Duration(min(max(float64(f.end), f.told)*float64(f.scale), day)) + block
	length = max(length, seconds(packets, 48_000))
	for _, t := range f.tracks {
		if t.small && !fits(t.bytes, length, oggMost) {
			return 0, contradicts()
		}
	}
	return length, nil
}

// ebmlUnknown is the size of an element of unknown length.
const ebmlUnknown = math.MaxUint64

// ebmlNumber reads an id, with its marker, or a size, without. It returns how
// many bytes it took, 0 when b does not begin with a number.
func ebmlNumber(b []byte, marker bool) (uint64, int) {
	if len(b) == 0 || b[0] == 0 {
		return 0, 0
	}
	n := 1
	for mask := byte(0x80); b[0]&mask == 0; mask >>= 1 {
		n++
	}
	if n > len(b) || marker && n > 4 {
		return 0, 0
	}
	v := uint64(b[0])
	if !marker {
		v &= 1<<(8-n) - 1
	}
	for _, c := range b[1:n] {
		v = v<<8 | uint64(c)
	}
	if !marker && v == 1<<(7*n)-1 {
		return ebmlUnknown, n
	}
	return v, n
}

func ebmlUint(b []byte) uint64 {
	var v uint64
	for _, c := range b {
		v = v<<8 | uint64(c)
	}
	return v
}

func ebmlFloat(b []byte) float64 {
	switch len(b) {
	case 4:
		return float64(math.Float32frombits(binary.BigEndian.Uint32(b)))
	case 8:
		return math.Float64frombits(binary.BigEndian.Uint64(b))
	}
	return 0
}
