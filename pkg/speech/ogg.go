package speech

import (
	"bytes"
	"encoding/binary"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/work"
)

// oggStream is one logical stream of an Ogg file.
type oggStream struct {
	rate, skip, end uint64
	// of returns how many samples a packet has, by its first bytes; nil where they do
	// not tell.
	of      func(packet []byte) uint64
	packets uint64 // samples of the packets that were seen
	begun   []byte // the beginning of a packet that goes on in the next page
}

// oggMost is the most bytes of a second that are plausible in Opus, Vorbis and
// Speex; FLAC in Ogg has more.
const (
	oggMost     = 128 << 10
	oggMostFLAC = 1 << 20
	oggStreams  = 64 // that one file may hold
)

func inspectOgg(budget *work.Budget, b []byte) (time.Duration, error) {
	// Streams may follow each other under one number, as when files are joined.
	var all []*oggStream
	streams := map[uint32]*oggStream{}
	most := oggMost
	for rest := b; len(rest) > 0; {
		if len(rest) < 27 || string(rest[:4]) != "OggS" || len(rest) < 27+int(rest[26]) {
			return 0, cutOff()
		}
		if err := budget.Steps(1 + int(rest[26])/8); err != nil {
			return 0, err
		}
		flags, granule, serial := rest[5], binary.LittleEndian.Uint64(rest[6:]), binary.LittleEndian.Uint32(rest[14:])
		laces := rest[27 : 27+int(rest[26])]
		size := 27 + len(laces)
		for _, part := range laces {
			size += int(part)
		}
		if size > len(rest) {
			return 0, cutOff()
		}
		body := rest[27+len(laces) : size]
		if flags&2 != 0 {
			if len(all) == oggStreams {
				return 0, contradicts()
			}
			s, flac := openOgg(body)
			if flac {
				most = oggMostFLAC
			}
			streams[serial], all = s, append(all, s)
		}
		s := streams[serial]
		if s == nil {
			return 0, contradicts()
		}
		// All ones is a page on which no packet ends.
		if granule != 1<<64-1 {
			s.end = max(s.end, granule)
		}
		if s.of != nil {
			s.count(laces, body, flags&1 != 0)
		}
		rest = rest[size:]
	}
	var length time.Duration
	sounds := false
	for _, s := range all {
		if s.rate > 0 {
			sounds = true
			length += seconds(max(s.end-min(s.skip, s.end), s.packets-min(s.skip, s.packets)), s.rate)
		}
	}
	if !sounds {
		return 0, noSound()
	}
	if !fits(len(b), length, most) {
		return 0, contradicts()
	}
	return length, nil
}

// packetHead is how many bytes of a packet tell how long it is.
const packetHead = 24

// count adds up the packets of a page, whatever its head says.
func (s *oggStream) count(laces, body []byte, continued bool) {
	packet := s.begun
	if !continued {
		packet = nil
	}
	for _, lace := range laces {
		part := body[:lace]
		body = body[lace:]
		packet = append(packet, part[:min(len(part), packetHead-min(len(packet), packetHead))]...)
		if lace == 255 {
			continue
		}
		s.packets += s.of(packet)
		packet = packet[:0]
	}
	s.begun = packet
}

// opusSamples returns how many samples at 48 kHz a packet has, by its first two
// bytes.
func opusSamples(packet []byte) uint64 {
	if len(packet) == 0 {
		return 0
	}
	if bytes.HasPrefix(packet, []byte("OpusHead")) || bytes.HasPrefix(packet, []byte("OpusTags")) {
		return 0
	}
	config := packet[0] >> 3
	var frame uint64
	switch {
	case config < 12:
		frame = []uint64{480, 960, 1920, 2880}[config&3]
	case config < 16:
		frame = []uint64{480, 960}[config&1]
	default:
		frame = []uint64{120, 240, 480, 960}[config&3]
	}
	switch packet[0] & 3 {
	case 0:
		return frame
	case 3:
		if len(packet) < 2 {
			return 0
		}
		return min(frame*uint64(packet[1]&0x3F), 5760) // 120 ms are the most that there may be
	}
	return 2 * frame
}

// openOgg reads the first page of a stream. One that holds no sound has no
// rate.
func openOgg(body []byte) (s *oggStream, flac bool) {
	le := binary.LittleEndian
	switch {
	case bytes.HasPrefix(body, []byte("OpusHead")) && len(body) >= 19:
		return &oggStream{rate: 48_000, skip: uint64(le.Uint16(body[10:])), of: opusSamples}, false
	case bytes.HasPrefix(body, []byte("\x01vorbis")) && len(body) >= 16:
		return &oggStream{rate: uint64(le.Uint32(body[12:]))}, false
	case bytes.HasPrefix(body, []byte("Speex   ")) && len(body) >= 40:
		s := &oggStream{rate: uint64(le.Uint32(body[36:]))}
		if len(body) >= 68 {
			s.of = speexSamples(uint64(le.Uint32(body[56:])), uint64(le.Uint32(body[64:])))
		}
		return s, false
	case bytes.HasPrefix(body, []byte("\x7FFLAC")) && len(body) >= 17+18:
		info, _ := readStreamInfo(body[17:])
		return &oggStream{rate: info.rate, of: flacSamples}, true
	}
	return &oggStream{}, false
}

// flacSamples returns how many samples a packet of FLAC has, which is a frame.
func flacSamples(packet []byte) uint64 {
	n, _, _ := readFLACFrame(packet)
	return n
}

// speexSamples returns what tells how many samples a packet has: so many frames, as
// the head says. The head itself is one too many, and so is the comment.
func speexSamples(frame, frames uint64) func([]byte) uint64 {
	if frame > 1024 || frames > 64 {
		frame = 0 // no encoder writes such a head
	}
	return func(packet []byte) uint64 {
		if bytes.HasPrefix(packet, []byte("Speex   ")) {
			return 0
		}
		return frame * frames
	}
}
