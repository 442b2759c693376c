package photo

import (
	"image"
	"image/color"
)

// newPlanes returns a picture of that size with its colours at half of it in both
// directions, as JPEG files have them.
func newPlanes(w, h int) *image.YCbCr {
	return image.NewYCbCr(image.Rect(0, 0, w, h), image.YCbCrSubsampleRatio420)
}

// planes returns a picture as planes of brightness and colours, on white. What has
// them already is returned as it is.
func planes(m image.Image) *image.YCbCr {
	if y, ok := m.(*image.YCbCr); ok {
		return y
	}
	b := m.Bounds()
	w, h := b.Dx(), b.Dy()
	out := newPlanes(w, h)
	row := rows(m)
	rgb, sums := make([]byte, 3*w), make([]int32, 3*((w+1)/2))
	for y := range h {
		row(b.Min.Y+y, rgb)
		if y%2 == 0 {
			clear(sums)
		}
		line := out.Y[y*out.YStride:]
		for x := range w {
			yy, cb, cr := color.RGBToYCbCr(rgb[3*x], rgb[3*x+1], rgb[3*x+2])
			line[x] = yy
			sum := sums[x/2*3:]
			sum[0], sum[1], sum[2] = sum[0]+int32(cb), sum[1]+int32(cr), sum[2]+1
		}
		if y%2 == 1 || y == h-1 {
			cb, cr := out.Cb[y/2*out.CStride:], out.Cr[y/2*out.CStride:]
			for x := range (w + 1) / 2 {
				n := sums[3*x+2]
				cb[x], cr[x] = uint8((sums[3*x]+n/2)/n), uint8((sums[3*x+1]+n/2)/n)
			}
		}
	}
	return out
}

// rows returns what fills in a row of a picture as red, green and blue, on white.
func rows(m image.Image) func(y int, rgb []byte) {
	minX := m.Bounds().Min.X
	switch m := m.(type) {
	case *image.NRGBA:
		return func(y int, rgb []byte) {
			pix := m.Pix[m.PixOffset(minX, y):]
			for x := range len(rgb) / 3 {
				p, a := pix[4*x:4*x+4], uint32(pix[4*x+3])
				for i := range 3 {
					rgb[3*x+i] = uint8((uint32(p[i])*a + 255*(255-a) + 127) / 255)
				}
			}
		}
	case *image.RGBA:
		return func(y int, rgb []byte) {
			pix := m.Pix[m.PixOffset(minX, y):]
			for x := range len(rgb) / 3 {
				p := pix[4*x : 4*x+4]
				for i := range 3 {
					rgb[3*x+i] = uint8(min(255, uint32(p[i])+255-uint32(p[3])))
				}
			}
		}
	}
	return func(y int, rgb []byte) {
		for x := range len(rgb) / 3 {
			r, g, b, a := m.At(minX+x, y).RGBA() // premultiplied, of 65535
			for i, v := range [3]uint32{r, g, b} {
				rgb[3*x+i] = uint8(min(65535, v+65535-a) >> 8)
			}
		}
	}
}

// shrink returns a picture at a smaller size. Each pixel is the average of the area
// that it covers, which is exact and needs two rows of memory; the scalers of
// golang.org/x/image/draw that average keep 32 bytes for each pixel of a row of the
// new size and a column of the old one, 155 MB for 12 megapixels.
func shrink(m *image.YCbCr, w, h int) *image.YCbCr {
	sw, sh := m.Rect.Dx(), m.Rect.Dy()
	cw, ch := chroma(m)
	out := newPlanes(w, h)
	average(out.Y, out.YStride, w, h, m.Y[m.YOffset(m.Rect.Min.X, m.Rect.Min.Y):], m.YStride, sw, sh)
	at := m.COffset(m.Rect.Min.X, m.Rect.Min.Y)
	average(out.Cb, out.CStride, (w+1)/2, (h+1)/2, m.Cb[at:], m.CStride, cw, ch)
	average(out.Cr, out.CStride, (w+1)/2, (h+1)/2, m.Cr[at:], m.CStride, cw, ch)
	return out
}

// chroma returns the size of the planes of colours.
func chroma(m *image.YCbCr) (w, h int) {
	w, h = m.Rect.Dx(), m.Rect.Dy()
	switch m.SubsampleRatio {
	case image.YCbCrSubsampleRatio422:
		return (w + 1) / 2, h
	case image.YCbCrSubsampleRatio420:
		return (w + 1) / 2, (h + 1) / 2
	case image.YCbCrSubsampleRatio440:
		return w, (h + 1) / 2
	case image.YCbCrSubsampleRatio411:
		return (w + 3) / 4, h
	case image.YCbCrSubsampleRatio410:
		return (w + 3) / 4, (h + 1) / 2
	}
	return w, h
}

// span is what one pixel of the new size covers of the old ones: the first one, how
// many others lie within or end it, and the weights of the first and of the last one,
// in parts of the new size.
type span struct{ from, more, first, last int }

// spans cuts old pixels into as many as there are new ones.
func spans(from, to int) []span {
	list := make([]span, to)
	for i := range list {
		begin, end := i*from, (i+1)*from // in parts of a pixel, of which it has "to"
		a, b := begin/to, (end-1)/to
		list[i] = span{from: a, more: b - a, first: min((a+1)*to, end) - begin, last: end - max(b*to, begin)}
	}
	return list
}

// average fills a plane with the averages of another. No side is above 16,000, which
// keeps all sums within 32 bits.
func average(out []byte, stride, w, h int, in []byte, inStride, inW, inH int) {
	across := spans(inW, w)
	line, sum := make([]uint32, w), make([]uint32, w)
	read := -1 // the row that line has
	for y, down := range spans(inH, h) {
		clear(sum)
		for k := range down.more + 1 {
			if at := down.from + k; at != read {
				reduce(line, in[at*inStride:at*inStride+inW], across, w)
				read = at
			}
			weight := uint32(h)
			switch k {
			case 0:
				weight = uint32(down.first)
			case down.more:
				weight = uint32(down.last)
			}
			for x, v := range line {
				sum[x] += v * weight
			}
		}
		half := uint32(inH) * 128
		row := out[y*stride : y*stride+w]
		for x, v := range sum {
			row[x] = uint8((v + half) / uint32(inH) >> 8)
		}
	}
}

// reduce averages a row, in parts of 256.
func reduce(line []uint32, in []byte, across []span, w int) {
	width := uint32(len(in))
	for x, s := range across {
		total := uint32(in[s.from]) * uint32(s.first)
		if s.more > 0 {
			inner := uint32(0)
			for _, v := range in[s.from+1 : s.from+s.more] {
				inner += uint32(v)
			}
			total += inner*uint32(w) + uint32(in[s.from+s.more])*uint32(s.last)
		}
		line[x] = uint32((uint64(total)<<8 + uint64(width/2)) / uint64(width))
	}
}

// upright turns a picture as EXIF says that it is shown.
func upright(m *image.YCbCr, orientation int) *image.YCbCr {
	if orientation <= 1 {
		return m
	}
	w, h := m.Rect.Dx(), m.Rect.Dy()
	out := newPlanes(w, h)
	if orientation >= 5 {
		out = newPlanes(h, w)
	}
	turn(out.Y, out.YStride, m.Y, m.YStride, w, h, orientation)
	turn(out.Cb, out.CStride, m.Cb, m.CStride, (w+1)/2, (h+1)/2, orientation)
	turn(out.Cr, out.CStride, m.Cr, m.CStride, (w+1)/2, (h+1)/2, orientation)
	return out
}

// turn writes each pixel of a plane of w × h to where it is shown.
func turn(out []byte, stride int, in []byte, inStride, w, h, orientation int) {
	for y := range h {
		for x, v := range in[y*inStride : y*inStride+w] {
			at := 0
			switch orientation {
			case 2: // mirrored
				at = y*stride + w - 1 - x
			case 3: // by 180°
				at = (h-1-y)*stride + w - 1 - x
			case 4: // upside down, mirrored
				at = (h-1-y)*stride + x
			case 5: // over the diagonal
				at = x*stride + y
			case 6: // by 90° to the right
				at = x*stride + h - 1 - y
			case 7: // over the other diagonal
				at = (w-1-x)*stride + h - 1 - y
			case 8: // by 90° to the left
				at = (w-1-x)*stride + y
			}
			out[at] = v
		}
	}
}
