package speech

import (
	"bytes"
	"encoding/binary"
	"time"
)

// oggStream is one logical stream of an Ogg file.
type oggStream struct{ rate, skip, end uint64 }

// oggMost is the most bytes of a second that are plausible in Opus, Vorbis and
// Speex; FLAC in Ogg has more.
const (
	oggMost     = 128 << 10
	oggMostFLAC = 1 << 20
	oggStreams  = 64 // that one file may hold
)

func inspectOgg(b []byte) (time.Duration, error) {
	streams := map[uint32]*oggStream{}
	most := oggMost
	for rest := b; len(rest) > 0; {
		if len(rest) < 27 || string(rest[:4]) != "OggS" || len(rest) < 27+int(rest[26]) {
			return 0, cutOff()
		}
		flags, granule, serial := rest[5], binary.LittleEndian.Uint64(rest[6:]), binary.LittleEndian.Uint32(rest[14:])
		size := 27 + int(rest[26])
		for _, part := range rest[27:size] {
			size += int(part)
		}
		if size > len(rest) {
			return 0, cutOff()
		}
		body := rest[27+int(rest[26]) : size]
		if flags&2 != 0 {
			if len(streams) == oggStreams {
				return 0, contradicts()
			}
			s, flac := openOgg(body)
			if flac {
				most = oggMostFLAC
			}
			streams[serial] = s
		}
		s := streams[serial]
		if s == nil {
			return 0, contradicts()
		}
		// All ones is a page on which no packet ends.
		if granule != 1<<64-1 {
			s.end = max(s.end, granule)
		}
		rest = rest[size:]
	}
	var length time.Duration
	for _, s := range streams {
		if s.rate > 0 {
			// Streams may follow each other, so they add up.
			length += seconds(s.end-min(s.skip, s.end), s.rate)
		}
	}
	if !fits(len(b), length, most) {
		return 0, contradicts()
	}
	return length, nil
}

// openOgg reads the first page of a stream. One that holds no sound has no
// rate.
func openOgg(body []byte) (s *oggStream, flac bool) {
	le := binary.LittleEndian
	switch {
	case bytes.HasPrefix(body, []byte("OpusHead")) && len(body) >= 19:
		return &oggStream{rate: 48_000, skip: uint64(le.Uint16(body[10:]))}, false
	case bytes.HasPrefix(body, []byte("\x01vorbis")) && len(body) >= 16:
		return &oggStream{rate: uint64(le.Uint32(body[12:]))}, false
	case bytes.HasPrefix(body, []byte("Speex   ")) && len(body) >= 40:
		return &oggStream{rate: uint64(le.Uint32(body[36:]))}, false
	case bytes.HasPrefix(body, []byte("\x7FFLAC")) && len(body) >= 17+18:
		info, _ := readStreamInfo(body[17:])
		return &oggStream{rate: info.rate}, true
	}
	return &oggStream{}, false
}
