// Package photo makes of a person's photo what is kept of it: JPEG pictures of a few
// widths, upright, in sRGB, with a white background, and without any metadata, so
// neither the place nor the device nor a time is in them. It reads JPEG, PNG, WebP and
// HEIC.
//
// It contains the decoders, several megabytes of code, and is linked only into the
// functions that read photos.
package photo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"
	"golang.org/x/sync/semaphore"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/uploads"
	"github.com/bellhop-ai/bellhop/pkg/uploads/picture"
	"github.com/bellhop-ai/bellhop/pkg/work"
)

// Widths are those of the renditions, in pixels. A photo is never enlarged: of one
// that is narrower than one of them, its own width takes the place of that one, unless
// it is within a quarter of the width before.
func Widths() []int { return []int{480, 960, 1600} }

// quality is that of the JPEG files, of 100.
const quality = 82

// mostMemory is what the decoders may take for one photo, in bytes, and for all that
// are read at once: others wait. It is enough for HEIC photos of 24 megapixels, as
// phones take them, and fits into the gigabyte that the function has.
const mostMemory = 576 << 20

// Processor reads photos, as many at once as there is memory for. It is safe for
// concurrent use.
type Processor struct {
	memory *semaphore.Weighted
	// one is held while a HEIC photo is decoded: that cannot be stopped, and must not
	// take all processors when its callers have left.
	one *semaphore.Weighted
}

var _ uploads.PhotoReader = (*Processor)(nil)

// New returns a processor.
func New() *Processor {
	return &Processor{memory: semaphore.NewWeighted(mostMemory), one: semaphore.NewWeighted(1)}
}

// source is a photo before it is decoded.
type source struct {
	width, height int // as it is stored
	orientation   int // of EXIF, 1 to 8
	memory        int64
	colours       colours
	decode        func(io.Reader) (image.Image, error)
}

// Process returns the renditions of a photo, the smallest first. mediaType is what its
// bytes are. Errors are faults with a sentence: fault.Unprocessable for what cannot be
// read or has too many pixels; and the error of the context where that ended.
func (p *Processor) Process(ctx context.Context, content []byte, mediaType string) (uploads.Photo, error) {
	s, err := inspect(ctx, content, mediaType)
	if err != nil {
		return uploads.Photo{}, err
	}
	if s.memory > mostMemory {
		return uploads.Photo{}, fault.New(fault.Unprocessable, "The photo has %d × %d pixels in a form that takes "+
			"too much memory to read. Please send it as a JPEG file, or smaller.", s.width, s.height)
	}
	if err := p.memory.Acquire(ctx, s.memory); err != nil {
		return uploads.Photo{}, fault.From(err)
	}
	defer p.memory.Release(s.memory)
	m, err := p.decode(ctx, s, content)
	if err != nil {
		if cause := ctx.Err(); cause != nil {
			return uploads.Photo{}, fault.From(cause)
		}
		if _, said := errors.AsType[*fault.Error](err); said {
			return uploads.Photo{}, err
		}
		return uploads.Photo{}, damaged(err)
	}
	return render(ctx, m, s)
}

func damaged(cause error) error {
	return fault.Wrap(fault.Unprocessable, cause, "The photo is damaged and cannot be read.")
}

// inspect reads the headers of a photo.
func inspect(ctx context.Context, b []byte, mediaType string) (source, error) {
	if mediaType == "image/heic" {
		return inspectHEIC(b)
	}
	s := source{orientation: 1}
	head, err := picture.Inspect(work.ForFile(ctx), b)
	if err != nil {
		return s, err
	}
	s.width, s.height = head.Width, head.Height
	pixels := int64(s.width) * int64(s.height)
	switch head.Type {
	case "image/jpeg":
		s.decode = jpeg.Decode
		meta := readJPEG(b)
		s.orientation, s.colours.wide = orientationOf(meta.exif), isDisplayP3(meta.profile)
		s.memory = pixels * int64(meta.sampled) / 4
		if meta.progressive {
			s.memory *= 5 // coefficients of four bytes beside the pixels
		}
	case "image/png":
		s.decode = png.Decode
		s.orientation = orientationOf(pngEXIF(b))
		s.memory = pixels*int64(pngPixel(b)) + pixels*3/2
	case "image/webp":
		s.decode = webp.Decode
		s.orientation = orientationOf(webpChunk(b, "EXIF"))
		// RFC 9649 has the range of BT.601 for lossy pictures, which the decoder leaves as
		// it is; lossless ones are red, green and blue.
		s.colours = colours{limited: true, wide: isDisplayP3(webpChunk(b, "ICCP"))}
		s.memory = pixels * 11 / 2
	default:
		return s, fault.New(fault.Unprocessable, "Photos are JPEG, PNG, WebP or HEIC files.")
	}
	return s, nil
}

// decode reads the pixels. It ends when the context does.
func (p *Processor) decode(ctx context.Context, s source, content []byte) (image.Image, error) {
	if s.decode != nil {
		return s.decode(interrupted{ctx, bytes.NewReader(content)})
	}
	return p.decodeHEIC(ctx, content)
}

// interrupted ends a reader with its context.
type interrupted struct {
	ctx context.Context
	r   *bytes.Reader
}

func (i interrupted) Read(b []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	return i.r.Read(b[:min(len(b), 64<<10)])
}

// render makes the renditions.
func render(ctx context.Context, m image.Image, s source) (uploads.Photo, error) {
	if s.colours.limited {
		expand(m)
	}
	full := planes(m)
	width, height := full.Rect.Dx(), full.Rect.Dy()
	if width == 0 || height == 0 {
		return uploads.Photo{}, damaged(errors.New("no pixels"))
	}
	turned := s.orientation >= 5
	if turned {
		width, height = height, width
	}
	var out uploads.Photo
	for _, w := range widthsOf(width) {
		if err := ctx.Err(); err != nil {
			return uploads.Photo{}, fault.From(err)
		}
		h := max(1, (height*w+width/2)/width)
		small := shrink(full, w, h)
		if turned {
			small = shrink(full, h, w)
		}
		small = upright(small, s.orientation)
		s.colours.toJPEG(small)
		var b bytes.Buffer
		if err := jpeg.Encode(&b, small, &jpeg.Options{Quality: quality}); err != nil {
			return uploads.Photo{}, fmt.Errorf("encode a rendition of %d × %d: %w", w, h, err)
		}
		out.Renditions = append(out.Renditions, uploads.Rendition{Width: w, Height: h, Bytes: b.Len(),
			Content: b.Bytes()})
	}
	last := out.Renditions[len(out.Renditions)-1]
	out.Width, out.Height = last.Width, last.Height
	return out, nil
}

// widthsOf returns the widths of the renditions of a photo.
func widthsOf(width int) []int {
	var list []int
	for _, w := range Widths() {
		switch {
		case w <= width:
			list = append(list, w)
		case len(list) == 0 || width*4 >= list[len(list)-1]*5:
			return append(list, width)
		default:
			return list
		}
	}
	return list
}
