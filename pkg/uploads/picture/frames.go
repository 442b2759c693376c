package picture

import (
	"encoding/binary"

	"github.com/bellhop-ai/bellhop/pkg/work"
)

// MaxUnfolded is how many pixels all frames of a moving picture may have
// together: a program that shows it decodes each of them.
const MaxUnfolded = 4 * MaxPixels

// frames adds up what a moving picture unfolds to.
type frames struct {
	budget *work.Budget
	count  int
	pixels int64 // of all frames together
	widest int64
	tall   int64
}

// add takes a frame in, and pays for looking at it.
func (f *frames) add(width, height int64) error {
	const most = 1 << 20 // so that they can be multiplied
	width, height = min(width, most), min(height, most)
	f.count++
	f.pixels += width * height
	f.widest, f.tall = max(f.widest, width), max(f.tall, height)
	return f.budget.Steps(1)
}

// pngFrames walks the chunks of a PNG picture. It reports whether the end is
// there.
func (f *frames) pngFrames(b []byte) (whole bool, err error) {
	for at := 8; at+12 <= len(b); {
		if err := f.budget.Steps(1); err != nil {
			return false, err
		}
		size, name := int64(binary.BigEndian.Uint32(b[at:])), string(b[at+4:at+8])
		if size > int64(len(b)-at-12) {
			return false, nil
		}
		switch body := b[at+8 : at+8+int(size)]; {
		case name == "IEND":
			return true, nil
		case name == "fcTL" && len(body) >= 12:
			if err := f.add(int64(binary.BigEndian.Uint32(body[4:])),
				int64(binary.BigEndian.Uint32(body[8:]))); err != nil {
				return false, err
			}
		}
		at += 12 + int(size)
	}
	return false, nil
}

// gifFrames walks the blocks of a GIF picture. It reports whether the end is
// there.
func (f *frames) gifFrames(b []byte) (whole bool, err error) {
	table := func(flags byte) int {
		if flags&0x80 == 0 {
			return 0
		}
		return 3 << (flags&7 + 1)
	}
	at := 13 + table(b[10])
	for at < len(b) {
		switch b[at] {
		case 0x3b:
			return true, nil
		case 0x21: // an extension and its name
			at += 2
		case 0x2c:
			if at+10 > len(b) {
				return false, nil
			}
			le := binary.LittleEndian
			if err := f.add(int64(le.Uint16(b[at+5:])), int64(le.Uint16(b[at+7:]))); err != nil {
				return false, err
			}
			at += 10 + table(b[at+9]) + 1
		default:
			return f.count > 0, nil // behind the last frame some programs leave what they like
		}
		for at < len(b) && b[at] != 0 {
			if err := f.budget.Steps(1); err != nil {
				return false, err
			}
			at += 1 + int(b[at])
		}
		at++
	}
	return false, nil
}

// webpFrames walks the chunks of a WebP picture.
func (f *frames) webpFrames(b []byte) error {
	for at := 12; at+8 <= len(b); {
		if err := f.budget.Steps(1); err != nil {
			return err
		}
		name, size := string(b[at:at+4]), int64(binary.LittleEndian.Uint32(b[at+4:]))
		if body := b[at+8:]; name == "ANMF" && len(body) >= 12 {
			if err := f.add(three(body[6:])+1, three(body[9:])+1); err != nil {
				return err
			}
		}
		if size += size & 1; size > int64(len(b)-at-8) {
			return nil
		}
		at += 8 + int(size)
	}
	return nil
}

func three(b []byte) int64 { return int64(b[0]) | int64(b[1])<<8 | int64(b[2])<<16 }
