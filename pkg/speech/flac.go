package speech

import (
	"bytes"
	"encoding/binary"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/work"
)

// streamInfo is what a FLAC stream says of itself.
type streamInfo struct {
	rate    uint64
	bits    uint64
	samples uint64 // 0 = not told
}

// readStreamInfo reads the body of a STREAMINFO block.
func readStreamInfo(b []byte) (streamInfo, bool) {
	if len(b) < 18 {
		return streamInfo{}, false
	}
	v := binary.BigEndian.Uint64(b[10:])
	s := streamInfo{rate: v >> 44, bits: v>>36&31 + 1, samples: v & (1<<36 - 1)}
	return s, s.rate >= 1000 && s.rate <= 655_350 && s.bits >= 4
}

func inspectFLAC(budget *work.Budget, b []byte) (time.Duration, error) {
	var info streamInfo
	for at, first := 4, true; ; first = false {
		if err := budget.Steps(1); err != nil {
			return 0, err
		}
		if at+4 > len(b) {
			return 0, cutOff()
		}
		last, kind := b[at]&0x80 != 0, b[at]&0x7F
		size := int(binary.BigEndian.Uint32(b[at:]) & 0xFFFFFF)
		at += 4
		if at+size > len(b) {
			return 0, cutOff()
		}
		if first != (kind == 0) {
			return 0, contradicts()
		}
		if first {
			var ok bool
			if info, ok = readStreamInfo(b[at : at+size]); !ok {
				return 0, contradicts()
			}
		}
		at += size
		if !last {
			continue
		}
		return info.length(budget, b[at:])
	}
}

// length returns how long the frames sound. All of them are counted: a header
// that tells more is that of a file that is cut off, and one that tells less is
// not believed.
func (s streamInfo) length(budget *work.Budget, b []byte) (time.Duration, error) {
	var samples, largest uint64
	if _, _, ok := readFLACFrame(b); !ok {
		return 0, cutOff()
	}
	for at := 0; at < len(b); {
		i := bytes.IndexByte(b[at:], 0xFF)
		if i < 0 {
			i = len(b) - at
		}
		if err := budget.Steps(2 + i/256); err != nil {
			return 0, err
		}
		at += i
		if n, size, ok := readFLACFrame(b[at:]); ok {
			samples, largest = samples+n, max(largest, n)
			at += size
			continue
		}
		at++
	}
	if s.samples > samples+largest {
		return 0, cutOff()
	}
	return seconds(max(s.samples, samples), s.rate), nil
}

// readFLACFrame reads the head of a frame: how many samples it has of each
// channel, and how long the head is. What only looks like one has another
// checksum, but for one of 256.
func readFLACFrame(b []byte) (samples uint64, size int, ok bool) {
	if len(b) < 6 || b[0] != 0xFF || b[1]&0xFE != 0xF8 || b[2]>>4 == 0 || b[2]&15 == 15 || b[3]>>4 > 10 ||
		b[3]>>1&7 == 3 || b[3]&1 != 0 {
		return 0, 0, false
	}
	// The number of the frame is written as UTF-8 writes a character.
	size = 5
	for mask := byte(0x40); b[4]&0x80 != 0 && b[4]&mask != 0; mask >>= 1 {
		size++
	}
	if b[4]&0xC0 == 0x80 || size > 11 {
		return 0, 0, false
	}
	wide := 0
	switch code := b[2] >> 4; {
	case code == 1:
		samples = 192
	case code <= 5:
		samples = 576 << (code - 2)
	case code <= 7:
		wide = int(code) - 5
	default:
		samples = 256 << (code - 8)
	}
	if len(b) < size+5 {
		return 0, 0, false
	}
	for _, c := range b[size : size+wide] {
		samples = samples<<8 | uint64(c)
	}
	if wide > 0 {
		samples++
	}
	size += wide
	switch b[2] & 15 {
	case 12:
		size++
	case 13, 14:
		size += 2
	}
	if len(b) <= size || crc8(b[:size]) != b[size] {
		return 0, 0, false
	}
	return samples, size + 1, true
}

// crc8 is the checksum of a frame's head: x⁸+x²+x+1.
func crc8(b []byte) byte {
	var sum byte
	for _, c := range b {
		sum ^= c
		for range 8 {
			carry := sum >> 7
			sum = sum<<1 ^ carry*0x07
		}
	}
	return sum
}
