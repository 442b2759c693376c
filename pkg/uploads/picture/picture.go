// Package picture looks at the headers of pictures: what they are and how large.
// It decodes none, so a picture that unfolds to gigabytes costs nothing.
package picture

import (
	"bytes"
	"encoding/binary"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// Limits of a picture, in pixels.
const (
	MaxSide   = 16_000
	MaxPixels = 40_000_000
)

// Picture is what a header says.
type Picture struct {
	Type          string // media type
	Width, Height int
}

// Inspect reads the header of a PNG, JPEG, GIF or WebP picture and makes sure
// that its end is there. It returns fault.Unprocessable with a sentence.
func Inspect(b []byte) (Picture, error) {
	var p Picture
	ok := false
	switch {
	case bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")):
		p, ok = png(b)
	case bytes.HasPrefix(b, []byte("\xff\xd8\xff")):
		p, ok = jpeg(b)
	case bytes.HasPrefix(b, []byte("GIF87a")), bytes.HasPrefix(b, []byte("GIF89a")):
		p, ok = gif(b)
	case len(b) > 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP":
		p, ok = webp(b)
	}
	switch {
	case !ok || p.Width == 0 || p.Height == 0:
		return p, fault.New(fault.Unprocessable, "The picture is damaged or cut off.")
	case p.Width > MaxSide || p.Height > MaxSide || p.Width*p.Height > MaxPixels:
		return p, fault.New(fault.Unprocessable, "The picture has %d × %d pixels; more than %d million, or %d at one side, are too many.", p.Width, p.Height, MaxPixels/1_000_000, MaxSide)
	}
	return p, nil
}

func png(b []byte) (Picture, bool) {
	if len(b) < 33 || string(b[12:16]) != "IHDR" || !bytes.Contains(b[max(0, len(b)-64):], []byte("IEND")) {
		return Picture{}, false
	}
	return of("image/png", int64(binary.BigEndian.Uint32(b[16:])), int64(binary.BigEndian.Uint32(b[20:])))
}

func gif(b []byte) (Picture, bool) {
	if len(b) < 14 || bytes.LastIndexByte(b[max(0, len(b)-64):], ';') < 0 {
		return Picture{}, false
	}
	return of("image/gif", int64(binary.LittleEndian.Uint16(b[6:])), int64(binary.LittleEndian.Uint16(b[8:])))
}

// jpeg goes from segment to segment up to the one that tells the size.
func jpeg(b []byte) (Picture, bool) {
	if bytes.LastIndex(b, []byte("\xff\xd9")) < 0 {
		return Picture{}, false
	}
	for i := 2; i+9 <= len(b); {
		if b[i] != 0xff {
			return Picture{}, false
		}
		marker := b[i+1]
		switch {
		case marker == 0xff: // padding
			i++
			continue
		case marker == 0x01 || 0xd0 <= marker && marker <= 0xd7:
			i += 2
			continue
		case 0xc0 <= marker && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc:
			return of("image/jpeg", int64(binary.BigEndian.Uint16(b[i+7:])), int64(binary.BigEndian.Uint16(b[i+5:])))
		case marker == 0xd9 || marker == 0xda:
			return Picture{}, false
		}
		i += 2 + max(2, int(binary.BigEndian.Uint16(b[i+2:])))
	}
	return Picture{}, false
}

func webp(b []byte) (Picture, bool) {
	if len(b) < 30 || int64(binary.LittleEndian.Uint32(b[4:]))+8 > int64(len(b)) {
		return Picture{}, false
	}
	three := func(i int) int64 { return int64(b[i]) | int64(b[i+1])<<8 | int64(b[i+2])<<16 }
	switch string(b[12:16]) {
	case "VP8 ":
		if string(b[23:26]) != "\x9d\x01\x2a" {
			return Picture{}, false
		}
		return of("image/webp", int64(binary.LittleEndian.Uint16(b[26:])&0x3fff), int64(binary.LittleEndian.Uint16(b[28:])&0x3fff))
	case "VP8L":
		bits := binary.LittleEndian.Uint32(b[21:])
		return of("image/webp", int64(bits&0x3fff)+1, int64(bits>>14&0x3fff)+1)
	case "VP8X":
		return of("image/webp", three(24)+1, three(27)+1)
	}
	return Picture{}, false
}

// of keeps sides within what can be multiplied.
func of(mediaType string, width, height int64) (Picture, bool) {
	const most = 1 << 20
	return Picture{mediaType, int(min(width, most)), int(min(height, most))}, true
}
