// Package picture looks at the headers of pictures: what they are and how large.
// It decodes none, so a picture that unfolds to gigabytes costs nothing.
package picture

import (
	"bytes"
	"encoding/binary"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/work"
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

// Inspect reads the header of a PNG, JPEG, GIF or WebP picture, counts its frames
// and makes sure that its end is there. It pays for that from the budget. It
// returns fault.Unprocessable with a sentence, and the error of the budget's
// context where that ended.
func Inspect(budget *work.Budget, b []byte) (Picture, error) {
	var p Picture
	var err error
	ok := false
	all := &frames{budget: budget}
	switch {
	case bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")):
		p, ok, err = png(all, b)
	case bytes.HasPrefix(b, []byte("\xff\xd8\xff")):
		p, ok, err = jpeg(budget, b)
	case bytes.HasPrefix(b, []byte("GIF87a")), bytes.HasPrefix(b, []byte("GIF89a")):
		p, ok, err = gif(all, b)
	case len(b) > 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP":
		p, ok, err = webp(all, b)
	}
	width, height := max(int64(p.Width), all.widest), max(int64(p.Height), all.tall)
	switch {
	case err != nil:
		return p, err
	case !ok || p.Width == 0 || p.Height == 0:
		return p, fault.New(fault.Unprocessable, "The picture is damaged or cut off.")
	case width > MaxSide || height > MaxSide || width*height > MaxPixels:
		return p, fault.New(fault.Unprocessable,
			"The picture has %d × %d pixels; more than %d million, or %d at one side, are too many.", width, height,
			MaxPixels/1_000_000, MaxSide)
	case all.pixels > MaxUnfolded:
		return p, fault.New(fault.Unprocessable,
			"The picture moves: its %d frames have more than %d million pixels together.", all.count,
			MaxUnfolded/1_000_000)
	}
	return p, nil
}

func png(all *frames, b []byte) (Picture, bool, error) {
	if len(b) < 33 || string(b[12:16]) != "IHDR" {
		return Picture{}, false, nil
	}
	whole, err := all.pngFrames(b)
	return of("image/png", int64(binary.BigEndian.Uint32(b[16:])), int64(binary.BigEndian.Uint32(b[20:]))), whole, err
}

func gif(all *frames, b []byte) (Picture, bool, error) {
	if len(b) < 14 {
		return Picture{}, false, nil
	}
	whole, err := all.gifFrames(b)
	return of("image/gif", int64(binary.LittleEndian.Uint16(b[6:])), int64(binary.LittleEndian.Uint16(b[8:]))), whole,
		err
}

// jpeg goes from segment to segment up to the one that tells the size.
func jpeg(budget *work.Budget, b []byte) (Picture, bool, error) {
	if bytes.LastIndex(b, []byte("\xff\xd9")) < 0 {
		return Picture{}, false, nil
	}
	for i := 2; i+9 <= len(b); {
		if err := budget.Steps(1); err != nil {
			return Picture{}, false, err
		}
		if b[i] != 0xff {
			return Picture{}, false, nil
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
			return of("image/jpeg", int64(binary.BigEndian.Uint16(b[i+7:])), int64(binary.BigEndian.Uint16(b[i+5:]))),
				true, nil
		case marker == 0xd9 || marker == 0xda:
			return Picture{}, false, nil
		}
		i += 2 + max(2, int(binary.BigEndian.Uint16(b[i+2:])))
	}
	return Picture{}, false, nil
}

func webp(all *frames, b []byte) (Picture, bool, error) {
	if len(b) < 30 || int64(binary.LittleEndian.Uint32(b[4:]))+8 > int64(len(b)) {
		return Picture{}, false, nil
	}
	if err := all.webpFrames(b); err != nil {
		return Picture{}, false, err
	}
	switch string(b[12:16]) {
	case "VP8 ":
		if string(b[23:26]) != "\x9d\x01\x2a" {
			return Picture{}, false, nil
		}
		return of("image/webp", int64(binary.LittleEndian.Uint16(b[26:])&0x3fff),
			int64(binary.LittleEndian.Uint16(b[28:])&0x3fff)), true, nil
	case "VP8L":
		bits := binary.LittleEndian.Uint32(b[21:])
		return of("image/webp", int64(bits&0x3fff)+1, int64(bits>>14&0x3fff)+1), true, nil
	case "VP8X":
		return of("image/webp", three(b[24:])+1, three(b[27:])+1), true, nil
	}
	return Picture{}, false, nil
}

// of keeps sides within what can be multiplied.
func of(mediaType string, width, height int64) Picture {
	const most = 1 << 20
	return Picture{mediaType, int(min(width, most)), int(min(height, most))}
}
