package speech

import (
	"bytes"
	"encoding/binary"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/work"
)

// mpegFrame is the head of one frame of MPEG audio, of whichever layer.
type mpegFrame struct {
	size    int
	samples uint64
	rate    uint64
	side    int // bytes between the head and what an encoder may say of the file
}

// readMPEGFrame reads four bytes. Free bit rates are not known.
func readMPEGFrame(b []byte) (mpegFrame, bool) {
	if len(b) < 4 || b[0] != 0xFF || b[1]&0xE0 != 0xE0 {
		return mpegFrame{}, false
	}
	version, layer := b[1]>>3&3, 4-int(b[1]>>1&3) // version 3 is MPEG 1, 2 is 2, 0 is 2.5
	rateIndex, bitIndex, padding := b[2]>>2&3, b[2]>>4, int(b[2]>>1&1)
	if version == 1 || layer == 4 || rateIndex == 3 || bitIndex == 0 || bitIndex == 15 {
		return mpegFrame{}, false
	}
	f := mpegFrame{rate: []uint64{44_100, 48_000, 32_000}[rateIndex]}
	switch version {
	case 2:
		f.rate /= 2
	case 0:
		f.rate /= 4
	}
	kbits := mpegBits(version == 3, layer)[bitIndex-1]
	switch {
	case layer == 1:
		f.samples = 384
		f.size = (12*kbits*1000/int(f.rate) + padding) * 4
		return f, f.size >= 4
	case layer == 3 && version != 3:
		f.samples = 576
	default:
		f.samples = 1152
	}
	f.size = int(f.samples)/8*kbits*1000/int(f.rate) + padding
	mono := b[3]>>6 == 3
	switch {
	case version == 3 && mono, version != 3 && !mono:
		f.side = 17
	case version == 3:
		f.side = 32
	default:
		f.side = 9
	}
	return f, f.size >= 4
}

// mpegBits lists kilobits a second, beginning with index 1.
func mpegBits(first bool, layer int) []int {
	switch {
	case first && layer == 1:
		return []int{32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448}
	case first && layer == 2:
		return []int{32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384}
	case first:
		return []int{32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320}
	case layer == 1:
		return []int{32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256}
	}
	return []int{8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160}
}

// skipID3 returns what follows the tags in front.
func skipID3(b []byte) []byte {
	for len(b) >= 10 && string(b[:3]) == "ID3" {
		size := 10 + (int(b[6]&0x7F)<<21 | int(b[7]&0x7F)<<14 | int(b[8]&0x7F)<<7 | int(b[9]&0x7F))
		b = b[min(size, len(b)):]
	}
	return b
}

// looksMPEG reports whether b begins with a tag, or with frames that follow
// each other: one alone may be chance.
func looksMPEG(b []byte) bool {
	if bytes.HasPrefix(b, []byte("ID3")) {
		return true
	}
	f, ok := readMPEGFrame(b)
	if !ok {
		return false
	}
	if f.size >= len(b) {
		return f.size == len(b)
	}
	_, ok = readMPEGFrame(b[f.size:])
	return ok
}

// inspectMPEG walks all frames, so it believes no header: what an encoder says
// of the file only tells whether the file is whole.
func inspectMPEG(budget *work.Budget, b []byte) (time.Duration, error) {
	b = skipID3(b)
	var length time.Duration
	var frames, promised uint64
	for len(b) > 0 {
		if err := budget.Steps(1); err != nil {
			return 0, err
		}
		f, ok := readMPEGFrame(b)
		if !ok && bytes.HasPrefix(b, []byte("ID3")) {
			b = skipID3(b) // files that were joined
			continue
		}
		if !ok {
			break
		}
		if f.size > len(b) {
			break // the last frame of many honest files is not whole
		}
		if n, told := xing(b[:f.size], f.side); frames == 0 && told {
			promised = n + 1 // it does not count itself
		}
		length += seconds(f.samples, f.rate)
		frames++
		b = b[f.size:]
	}
	// Tags may stand at the end; more than that is not sound.
	tagged := bytes.HasPrefix(b, []byte("TAG")) || bytes.HasPrefix(b, []byte("APETAGEX")) ||
		bytes.HasPrefix(b, []byte("LYRICS"))
	switch {
	case frames == 0, promised > frames+2:
		return 0, cutOff()
	case len(b) > 8<<10 && !tagged:
		return 0, contradicts()
	}
	return length, nil
}

// xing returns how many frames the first one says will follow.
func xing(frame []byte, side int) (uint64, bool) {
	at := 4 + side
	if len(frame) < at+12 || string(frame[at:at+4]) != "Xing" && string(frame[at:at+4]) != "Info" ||
		frame[at+7]&1 == 0 {
		return 0, false
	}
	return uint64(binary.BigEndian.Uint32(frame[at+8:])), true
}
