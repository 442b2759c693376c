// Package photos makes photos for tests and demonstrations: pictures of rooms as
// phones send them, with an orientation, a place and the words that cameras write
// into files. The same arguments give the same bytes.
package photos

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
)

// What stands in each photo with metadata, so that a test can look for it.
const (
	Camera  = "Testcam 7"        // EXIF make and model
	Comment = "serial 0042-7781" // a comment of the JPEG file
	Creator = "Photographer of the test"
)

// JPEG returns a photo that is w × h pixels when it is shown upright. orientation is
// that of EXIF, from 1 (stored as shown) to 8: the pixels are stored turned, and 0
// leaves out all metadata. gps adds where it was taken, in EXIF and in XMP.
func JPEG(seed uint64, w, h, orientation int, gps bool) []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, Stored(Room(seed, w, h), orientation), &jpeg.Options{Quality: 88}); err != nil {
		panic(err) // a buffer takes all, and the encoder every RGBA picture
	}
	if orientation == 0 {
		return b.Bytes()
	}
	out := bytes.NewBuffer([]byte{0xff, 0xd8})
	segment := func(marker byte, body string) {
		out.Write([]byte{0xff, marker})
		_ = binary.Write(out, binary.BigEndian, uint16(len(body)+2))
		out.WriteString(body)
	}
	segment(0xe1, "Exif\x00\x00"+string(EXIF(orientation, gps)))
	segment(0xe1, "http://ns.adobe.com/xap/1.0/\x00"+xmp(gps))
	segment(0xfe, Comment)
	out.Write(b.Bytes()[2:])
	return out.Bytes()
}

// PNG returns a picture of a room with a transparent border, without metadata.
func PNG(seed uint64, w, h int) []byte {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	room := Room(seed, w, h)
	for y := range h {
		for x := range w {
			c := room.RGBAAt(x, y)
			if x < w/8 || y < h/8 || x >= w-w/8 || y >= h-h/8 {
				c.A = 0
			}
			m.SetNRGBA(x, y, color.NRGBA(c))
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// Room draws a room: a bright window at the upper left, cabinets at the right, and
// boards on the floor. The seed decides on colours and sizes.
func Room(seed uint64, w, h int) *image.RGBA {
	r := rand.New(rand.NewPCG(seed, 18))
	pick := func(list ...color.RGBA) color.RGBA { return list[r.IntN(len(list))] }
	wall := pick(rgb(0xd9d2c5), rgb(0xc5d0d3), rgb(0xd3c9b8), rgb(0xc9d3c2))
	wood := pick(rgb(0x8a5a2b), rgb(0xa9784a), rgb(0x6d4426), rgb(0xb98f5e))
	front := pick(rgb(0x3f5a4f), rgb(0x2f4858), rgb(0x6b6f4a), rgb(0x7a4a3a))
	floor := h*62/100 + r.IntN(max(1, h/12))
	window := image.Rect(w/14, h/10, w/14+w*30/100+r.IntN(max(1, w/14)), h*42/100)
	cabinets := image.Rect(w*50/100+r.IntN(max(1, w/10)), h*30/100, w*96/100, h*84/100)
	doors := 2 + r.IntN(4)
	top := image.Rect(cabinets.Min.X-w/60, cabinets.Min.Y-h/28, cabinets.Max.X+w/60, cabinets.Min.Y)

	m := image.NewRGBA(image.Rect(0, 0, w, h))
	noise := uint32(seed)*2654435761 + 1
	for y := range h {
		for x := range w {
			p := image.Pt(x, y)
			c, light := wall, 100+14*(w-x)/w-10*y/h // in percent
			switch {
			case p.In(window):
				c, light = rgb(0xf4f8fb), 100
				if bar := max(2, w/160); (x-window.Min.X)%max(1, window.Dx()/2) < bar ||
					(y-window.Min.Y)%max(1, window.Dy()/2) < bar {
					c = rgb(0xf0ece4)
					light = 80
				}
			case p.In(top):
				c = wood
			case p.In(cabinets):
				c = front
				across := (x - cabinets.Min.X) % max(1, cabinets.Dx()/doors)
				if across < max(2, w/300) {
					light = 60
				} else if across < max(4, w/120) && (y-cabinets.Min.Y)%max(1, cabinets.Dy()/2) > cabinets.Dy()/6 {
					c = rgb(0xb8b2a6)
				}
			case y >= floor:
				c = wood
				row := (y - floor) * 9 / max(1, h-floor)
				light = 96 - 4*((x*(3+row)/max(1, w)+row)%3) - row
			}
			noise = noise*1664525 + 1013904223
			light += int(noise>>28) - 8
			at := m.Pix[y*m.Stride+4*x:]
			at[0], at[1], at[2], at[3] = lit(c.R, light), lit(c.G, light), lit(c.B, light), 255
		}
	}
	return m
}

func rgb(v uint32) color.RGBA { return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255} }

func lit(v uint8, percent int) uint8 { return uint8(min(255, max(0, int(v)*percent/100))) }

// Stored turns a picture so that a viewer that follows the orientation shows it as
// it was.
func Stored(m *image.RGBA, orientation int) *image.RGBA {
	if orientation <= 1 || orientation > 8 {
		return m
	}
	w, h := m.Rect.Dx(), m.Rect.Dy()
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	if orientation >= 5 {
		out = image.NewRGBA(image.Rect(0, 0, h, w))
	}
	for y := range h {
		for x := range w {
			at := [...]image.Point{2: {w - 1 - x, y}, 3: {w - 1 - x, h - 1 - y}, 4: {x, h - 1 - y}, 5: {y, x},
				6: {y, w - 1 - x}, 7: {h - 1 - y, w - 1 - x}, 8: {h - 1 - y, x}}[orientation]
			copy(out.Pix[out.PixOffset(at.X, at.Y):][:4], m.Pix[m.PixOffset(x, y):][:4])
		}
	}
	return out
}

// EXIF returns a TIFF structure with an orientation, a camera, a time, and where gps
// says so a place (53°47'59"N 1°32'57"W).
func EXIF(orientation int, gps bool) []byte {
	type entry struct {
		tag, kind uint16
		count     uint32
		value     []byte
	}
	le := binary.LittleEndian
	text := func(tag uint16, s string) entry { return entry{tag, 2, uint32(len(s) + 1), []byte(s + "\x00")} }
	short := func(tag uint16, v int) entry { return entry{tag, 3, 1, le.AppendUint16(nil, uint16(v))} }
	degrees := func(tag uint16, d, m, s uint32) entry {
		var b []byte
		for _, v := range []uint32{d, 1, m, 1, s, 1} {
			b = le.AppendUint32(b, v)
		}
		return entry{tag, 5, 3, b}
	}
	// A directory at an offset, and behind it the values that do not fit.
	directory := func(at int, list []entry) []byte {
		head := le.AppendUint16(nil, uint16(len(list)))
		behind, data := at+2+12*len(list)+4, []byte(nil)
		for _, e := range list {
			head = le.AppendUint32(le.AppendUint16(le.AppendUint16(head, e.tag), e.kind), e.count)
			if len(e.value) <= 4 {
				head = append(head, append(e.value, 0, 0, 0, 0)[:4]...)
				continue
			}
			head = le.AppendUint32(head, uint32(behind+len(data)))
			data = append(data, e.value...)
		}
		return append(le.AppendUint32(head, 0), data...)
	}
	main := []entry{text(0x010f, Camera), text(0x0110, Camera), short(0x0112, orientation),
		text(0x0132, "2026:05:14 09:41:00"), text(0x013b, Creator)}
	if gps {
		main = append(main, entry{0x8825, 4, 1, make([]byte, 4)})
		end := 8 + len(directory(8, main))
		main[len(main)-1].value = le.AppendUint32(nil, uint32(end))
		place := directory(end, []entry{text(1, "N"), degrees(2, 53, 47, 59), text(3, "W"), degrees(4, 1, 32, 57)})
		return append(append([]byte("II*\x00\x08\x00\x00\x00"), directory(8, main)...), place...)
	}
	return append([]byte("II*\x00\x08\x00\x00\x00"), directory(8, main)...)
}

func xmp(gps bool) string {
	place := ""
	if gps {
		place = ` exif:GPSLatitude="53,47.983N" exif:GPSLongitude="1,32.95W"`
	}
	return `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
		`<rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" ` +
		`dc:creator="` + Creator + `"` + place + `/></rdf:RDF></x:xmpmeta>`
}
