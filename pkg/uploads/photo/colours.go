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

// toSRGB changes the colours of a picture from Display P3 to sRGB. Both have the same
// white and the same curve (IEC 61966-2-1); the matrix follows from their primaries
// (SMPTE EG 432-1 and ITU-R BT.709).
func toSRGB(m *image.YCbCr) {
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
		curve[i] = uint8(math.Round(255 * v))
	}
	encode := func(v float32) uint8 { return curve[int(max(0, min(1, v))*steps+0.5)] }
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
				r8, g8, b8 := color.YCbCrToRGB(m.Y[p], cb, cr)
				r, g, b := linear[r8], linear[g8], linear[b8]
				yy, newB, newR := color.RGBToYCbCr(encode(1.2249401*r-0.2249401*g), encode(1.0420569*g-0.0420569*r),
					encode(1.0982735*b-0.0196376*r-0.0786361*g))
				m.Y[p] = yy
				sumB, sumR, n = sumB+int(newB), sumR+int(newR), n+1
			}
			m.Cb[at], m.Cr[at] = uint8((sumB+n/2)/n), uint8((sumR+n/2)/n)
		}
	}
}
