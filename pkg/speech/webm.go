package speech

import (
	"encoding/binary"
	"math"
	"time"
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
)

// inspectWebM walks all clusters: recordings that a browser makes tell no
// duration, and one that is told is believed only where it is the longer one.
func inspectWebM(b []byte) (time.Duration, error) {
	scale, told := uint64(1_000_000), 0.0
	var cluster, end uint64
	blocks := 0
	for at := 0; at < len(b); {
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
		case ebmlSegment, ebmlInfo, ebmlCluster, ebmlGroup:
			// What is inside comes next. A live recording does not know their
			// sizes.
			if size != ebmlUnknown && id != ebmlSegment && size > uint64(len(b)-at) {
				return 0, cutOff()
			}
			continue
		}
		if size > uint64(len(b)-at) {
			return 0, cutOff()
		}
		body := b[at : at+int(size)]
		at += int(size)
		switch id {
		case ebmlScale:
			scale = ebmlUint(body)
		case ebmlDuration:
			told = ebmlFloat(body)
		case ebmlTime:
			cluster = ebmlUint(body)
			end = max(end, cluster)
		case ebmlSimple, ebmlBlock:
			_, track := ebmlNumber(body, false)
			if track == 0 || len(body) < track+3 {
				return 0, contradicts()
			}
			blocks++
			end = max(end, uint64(max(int64(min(cluster, 1<<40))+int64(int16(binary.BigEndian.Uint16(body[track:]))), 0)))
		}
	}
	if scale == 0 || scale > uint64(time.Second) || blocks == 0 || math.IsNaN(told) {
		return 0, contradicts()
	}
	// A block's own length is not told. In a browser it is up to 60 ms.
	const block = 60 * time.Millisecond
	day := float64(24 * time.Hour)
	return time.Duration(min(max(float64(end), told)*float64(scale), day)) + block, nil
}

// ebmlUnknown is the size of an element whose end nobody knew.
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
