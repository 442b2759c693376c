package speech

import (
	"encoding/binary"
	"time"
)

// streamInfo is what a FLAC stream says of itself.
type streamInfo struct {
	rate     uint64
	channels uint64
	bits     uint64
	samples  uint64 // 0 = not told
}

// readStreamInfo reads the body of a STREAMINFO block.
func readStreamInfo(b []byte) (streamInfo, bool) {
	if len(b) < 18 {
		return streamInfo{}, false
	}
	v := binary.BigEndian.Uint64(b[10:])
	s := streamInfo{rate: v >> 44, channels: v>>41&7 + 1, bits: v>>36&31 + 1, samples: v & (1<<36 - 1)}
	return s, s.rate >= 1000 && s.rate <= 655_350 && s.bits >= 4
}

func inspectFLAC(b []byte) (time.Duration, error) {
	var info streamInfo
	for at, first := 4, true; ; first = false {
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
		return info.length(b[at:])
	}
}

// length returns how long the frames sound, which the header says and the
// frames must allow.
func (s streamInfo) length(frames []byte) (time.Duration, error) {
	if len(frames) < 2 || frames[0] != 0xFF || frames[1]&0xFE != 0xF8 {
		return 0, cutOff()
	}
	raw := s.rate * s.channels * s.bits / 8 // bytes a second without compression
	if s.samples == 0 {
		// A stream that tells no length is taken to be hardly compressed at all:
		// a quarter of the raw size is what quiet speech comes to.
		return seconds(uint64(len(frames))*4, max(raw, 1)), nil
	}
	length := seconds(s.samples, s.rate)
	switch {
	case !fits(len(frames), length, int(raw)+int(raw)/8):
		return 0, contradicts()
	case length > MinLength && uint64(len(frames)) < s.samples/65535*(8+s.channels):
		// A frame has at most 65535 samples, and even silence needs its head.
		return 0, cutOff()
	}
	return length, nil
}
