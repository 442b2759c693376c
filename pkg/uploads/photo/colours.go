package photo

import (
	"bytes"
	"image"
	"image/color"
	"math"
)

// isDisplayP3 reports whether an ICC profile is that of Display P3, with which phones
// take photos. Without its profile a picture is taken for sRGB, and would be dull.
func isDisplayP3(profile []byte) bool {
	return bytes.Contains(profile, []byte("Display P3")) ||
		bytes.Contains(profile, []byte("D\x00i\x00s\x00p\x00l\x00a\x00y\x00 \x00P\x003"))
}

// colours are those of a photo, as far as they differ from those of JPEG files: sRGB
// with the matrix of BT.601 and values from 0 to 255.
type colours struct {
	wide    bool // Display P3
	limited bool // brightness from 16 to 235, colours from 16 to 240
	bt709   bool // the matrix of BT.709
}

// expand gives the values of a decoded picture their full range, where they have not.
func expand(m image.Image) {
	var p *image.YCbCr
	switch m := m.(type) {
	case *image.YCbCr:
		p = m
	case *image.NYCbCrA:
		p = &m.YCbCr
	default:
		return // red, green and blue have it
	}
	var bright, colour [256]uint8
	for i := range bright {
		bright[i] = clamp((float64(i) - 16) * 255 / 219)
		colour[i] = clamp((float64(i)-128)*255/224 + 128)
	}
	for i, v := range p.Y {
		p.Y[i] = bright[v]
	}
	for _, plane := range [2][]byte{p.Cb, p.Cr} {
		for i, v := range plane {
			plane[i] = colour[v]
		}
	}
}

func clamp(v float64) uint8 { return uint8(math.Round(max(0, min(255, v)))) }

// toJPEG changes the colours of a picture to those of JPEG files. Display P3 and sRGB
// have the same white and the same curve (IEC 61966-2-1); the matrix between them follows
// from their primaries (SMPTE EG 432-1 and ITU-R BT.709).
func (c colours) toJPEG(m *image.YCbCr) {
	if !c.wide && !c.bt709 {
		return
	}
	const steps = 4096
	var linear [256]float32
	for i := range linear {
		v := float64(i) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		linear[i] = float32(v)
	}
	var curve [steps + 1]uint8
	for i := range curve {
		v := float64(i) / steps
		if v <= 0.0031308 {
			v *= 12.92
		} else {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		curve[i] = clamp(255 * v)
	}
	encode := func(v float32) uint8 { return curve[int(max(0, min(1, v))*steps+0.5)] }
	pixel := func(yy, cb, cr uint8) (uint8, uint8, uint8) {
		r, g, b := color.YCbCrToRGB(yy, cb, cr)
		if c.bt709 {
			y, u, v := float64(yy), float64(cb)-128, float64(cr)-128
			r, g, b = clamp(y+1.5748*v), clamp(y-0.187324*u-0.468124*v), clamp(y+1.8556*u)
		}
		if c.wide {
			lr, lg, lb := linear[r], linear[g], linear[b]
			r, g = encode(1.2249401*lr-0.2249401*lg), encode(1.0420569*lg-0.0420569*lr)
			b = encode(1.0982735*lb - 0.0196376*lr - 0.0786361*lg)
		}
		return color.RGBToYCbCr(r, g, b)
	}
	w, h := m.Rect.Dx(), m.Rect.Dy()
	for y := 0; y < h; y += 2 {
		for x := 0; x < w; x += 2 {
			at := y/2*m.CStride + x/2
			cb, cr := m.Cb[at], m.Cr[at]
			var sumB, sumR, n int
			for _, d := range [4]image.Point{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
				if x+d.X >= w || y+d.Y >= h {
					continue
				}
				p := (y+d.Y)*m.YStride + x + d.X
				yy, newB, newR := pixel(m.Y[p], cb, cr)
				m.Y[p] = yy
				sumB, sumR, n = sumB+int(newB), sumR+int(newR), n+1
			}
			m.Cb[at], m.Cr[at] = uint8((sumB+n/2)/n), uint8((sumR+n/2)/n)
		}
	}
}
