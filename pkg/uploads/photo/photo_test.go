package photo_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gen2brain/heic"

	"github.com/bellhop-ai/bellhop/infra/local/localtest/photos"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/uploads"
	"github.com/bellhop-ai/bellhop/pkg/uploads/photo"
)

func process(t *testing.T, content []byte, mediaType string) uploads.Photo {
	t.Helper()
	p, err := photo.New().Process(t.Context(), content, mediaType)
	if err != nil {
		t.Fatalf("%s: %v", mediaType, err)
	}
	return p
}

func decoded(t *testing.T, r uploads.Rendition) image.Image {
	t.Helper()
	m, err := jpeg.Decode(bytes.NewReader(r.Content))
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Bounds().Size(); got != image.Pt(r.Width, r.Height) || r.Bytes != len(r.Content) {
		t.Errorf("a rendition said to be %d × %d with %d bytes is %v with %d", r.Width, r.Height, r.Bytes, got,
			len(r.Content))
	}
	return m
}

// distance is the mean difference of two pictures, of 255, in the averages of the
// cells of a grid, of every third pixel.
func distance(a, b image.Image) float64 {
	mean, _ := distances(a, b)
	return mean
}

// distances returns the largest difference, too.
func distances(a, b image.Image) (mean, most float64) {
	const cells = 12
	averages := func(m image.Image) [cells * cells * 3]float64 {
		var sum [cells * cells * 3]float64
		var n [cells * cells]float64
		s := m.Bounds()
		for y := 0; y < s.Dy(); y += 3 {
			for x := 0; x < s.Dx(); x += 3 {
				cell := y*cells/s.Dy()*cells + x*cells/s.Dx()
				r, g, b, _ := m.At(s.Min.X+x, s.Min.Y+y).RGBA()
				n[cell]++
				for i, v := range [3]uint32{r, g, b} {
					sum[3*cell+i] += float64(v) / 257
				}
			}
		}
		for i := range sum {
			sum[i] /= n[i/3]
		}
		return sum
	}
	first, second := averages(a), averages(b)
	for i := range first {
		d := math.Abs(first[i] - second[i])
		mean, most = mean+d/float64(len(first)), max(most, d)
	}
	return mean, most
}

func sizes(p uploads.Photo) []int {
	var list []int
	for _, r := range p.Renditions {
		list = append(list, r.Width, r.Height)
	}
	return list
}

// Whatever the orientation, the photo is upright and shows the same.
func TestPhotosAreUpright(t *testing.T) {
	if underRace {
		t.Skip("a JPEG is read on one goroutine")
	}
	t.Parallel()
	shown := photos.Room(7, 640, 448)
	for orientation := range 9 {
		p := process(t, photos.JPEG(7, 640, 448, orientation, true), "image/jpeg")
		if got, want := sizes(p), []int{480, 336, 640, 448}; !slices.Equal(got, want) {
			t.Errorf("orientation %d: the sizes are %v, want %v", orientation, got, want)
			continue
		}
		if p.Width != 640 || p.Height != 448 {
			t.Errorf("orientation %d: the size is %d × %d", orientation, p.Width, p.Height)
		}
		for _, r := range p.Renditions {
			if d := distance(decoded(t, r), shown); d > 3 {
				t.Errorf("orientation %d: at %d it differs by %.1f from what was taken", orientation, r.Width, d)
			}
		}
	}
}

// A file is a list of segments: only those that a picture needs are left, and none of
// the words that the camera wrote.
func TestNothingButThePictureIsLeft(t *testing.T) {
	t.Parallel()
	sent := photos.JPEG(3, 700, 500, 6, true)
	for _, word := range []string{photos.Camera, photos.Comment, photos.Creator, "GPSLatitude", "2026:05:14"} {
		if !bytes.Contains(sent, []byte(word)) {
			t.Fatalf("the photo that is sent has no %q", word)
		}
	}
	for _, r := range process(t, sent, "image/jpeg").Renditions {
		for _, word := range []string{"Exif", photos.Camera, photos.Comment, photos.Creator, "GPS", "2026:", "http",
			"ICC_PROFILE"} {
			if bytes.Contains(r.Content, []byte(word)) {
				t.Errorf("%d wide: %q is left", r.Width, word)
			}
		}
		for at := 2; ; {
			marker := r.Content[at+1]
			if r.Content[at] != 0xff || !slices.Contains([]byte{0xdb, 0xc0, 0xc4, 0xda}, marker) {
				t.Errorf("%d wide: a segment %#x is left", r.Width, marker)
			}
			if marker == 0xda {
				break
			}
			at += 2 + int(binary.BigEndian.Uint16(r.Content[at+2:]))
		}
		if end := bytes.Index(r.Content, []byte("\xff\xd9")); end != len(r.Content)-2 {
			t.Errorf("%d wide: %d bytes follow the picture", r.Width, len(r.Content)-2-end)
		}
	}
}

func TestPhotosAreNotEnlarged(t *testing.T) {
	t.Parallel()
	for width, want := range map[int][]int{1: {1}, 300: {300}, 480: {480}, 599: {480}, 600: {480, 600},
		1199: {480, 960},
		1200: {480, 960, 1200}, 1600: {480, 960, 1600}, 1999: {480, 960, 1600}} {
		var got []int
		for _, r := range process(t, photos.JPEG(1, width, max(1, width/9), 1, false), "image/jpeg").Renditions {
			decoded(t, r)
			got = append(got, r.Width)
		}
		if !slices.Equal(got, want) {
			t.Errorf("a photo of %d has renditions of %v, want %v", width, got, want)
		}
	}
}

// What is transparent becomes white, and an orientation counts in PNG files, too.
func TestTransparentPicturesAreOnWhite(t *testing.T) {
	t.Parallel()
	plain := photos.PNG(4, 400, 200)
	p := process(t, plain, "image/png")
	m := decoded(t, p.Renditions[0])
	if r, g, b, _ := m.At(4, 4).RGBA(); min(r, g, b) < 250<<8 {
		t.Errorf("the border is %d %d %d", r>>8, g>>8, b>>8)
	}
	room := photos.Room(4, 400, 200).SubImage(image.Rect(60, 35, 340, 165))
	inner := m.(*image.YCbCr).SubImage(image.Rect(60, 35, 340, 165))
	if d := distance(inner, room); d > 3 {
		t.Errorf("the inside differs by %.1f", d)
	}
	turned := process(t, withChunk(plain, "eXIf", photos.EXIF(6, true)), "image/png")
	if got, want := sizes(turned), []int{200, 400}; !slices.Equal(got, want) {
		t.Errorf("turned, the sizes are %v, want %v", got, want)
	}
}

// withChunk puts a chunk into a PNG file, behind its header.
func withChunk(file []byte, kind string, body []byte) []byte {
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	chunk = append(append(chunk, kind...), body...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	return slices.Concat(file[:33], chunk, file[33:])
}

// Pictures of every form that decoders return come out the same.
func TestFormsOfPictures(t *testing.T) {
	t.Parallel()
	room := photos.Room(9, 300, 200)
	forms := map[string]image.Image{"RGBA": room}
	add := func(name string, m interface {
		image.Image
		Set(x, y int, c color.Color)
	}) {
		for y := range 200 {
			for x := range 300 {
				m.Set(x, y, room.At(x, y))
			}
		}
		forms[name] = m
	}
	add("NRGBA64", image.NewNRGBA64(room.Rect))
	add("NRGBA", image.NewNRGBA(room.Rect))
	add("Gray", image.NewGray(room.Rect))
	add("Paletted", image.NewPaletted(room.Rect, websafe()))
	for name, m := range forms {
		var b bytes.Buffer
		if err := png.Encode(&b, m); err != nil {
			t.Fatal(err)
		}
		p := process(t, b.Bytes(), "image/png")
		if d := distance(decoded(t, p.Renditions[len(p.Renditions)-1]), m); d > 3 {
			t.Errorf("%s: it differs by %.1f", name, d)
		}
	}
}

func websafe() color.Palette {
	var list color.Palette
	for i := range 216 {
		list = append(list, color.RGBA{uint8(i / 36 * 51), uint8(i / 6 % 6 * 51), uint8(i % 6 * 51), 255})
	}
	return list
}

// WebP files are made by no library of ours: this is one of 2 × 2 pixels, lossless.
func TestWebPIsRead(t *testing.T) {
	t.Parallel()
	file := webp(t)
	p := process(t, file, "image/webp")
	if got := sizes(p); !slices.Equal(got, []int{1, 1}) {
		t.Errorf("the sizes are %v", got)
	}
	r, g, b, _ := decoded(t, p.Renditions[0]).At(0, 0).RGBA()
	if r>>8 < 240 || g>>8 > 16 || b>>8 > 16 {
		t.Errorf("it is %d %d %d, want red", r>>8, g>>8, b>>8)
	}
}

// webp is a WebP file of one red pixel: a lossless stream in which each of the five
// prefix codes has a single symbol (RFC 9649, 3).
func webp(t *testing.T) []byte {
	t.Helper()
	var bits []byte
	put := func(v, n int) {
		for i := range n {
			bits = append(bits, byte(v>>i&1))
		}
	}
	put(0x2f, 8)
	put(0, 14)                                        // width − 1
	put(0, 14)                                        // height − 1
	put(1, 1)                                         // may be transparent
	put(0, 3)                                         // version
	put(0, 1)                                         // no transform
	put(0, 1)                                         // no cache of colours
	put(0, 1)                                         // one group of codes
	for _, symbol := range []int{0, 255, 0, 255, 0} { // green, red, blue, alpha, distance
		put(1, 1) // a simple code
		put(0, 1) // of one symbol
		put(1, 1) // of eight bits
		put(symbol, 8)
	}
	data := make([]byte, (len(bits)+15)/16*2)
	for i, b := range bits {
		data[i/8] |= b << (i % 8)
	}
	file := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(12+len(data)))
	file = binary.LittleEndian.AppendUint32(append(file, "WEBPVP8L"...), uint32(len(data)))
	return append(file, data...)
}

// Photos that cannot be read are refused with a sentence, and cost little.
func TestUnreadablePhotosAreRefused(t *testing.T) {
	t.Parallel()
	whole := photos.JPEG(1, 400, 300, 6, true)
	bomb := slices.Clone(photos.PNG(1, 8, 8))
	binary.BigEndian.PutUint32(bomb[16:], 15_000)
	binary.BigEndian.PutUint32(bomb[20:], 15_000)
	large := photos.HEIC(1, 64, 64, 0)
	binary.BigEndian.PutUint32(large[bytes.Index(large, []byte("ispe"))+8:], 8_000)
	binary.BigEndian.PutUint32(large[bytes.Index(large, []byte("ispe"))+12:], 5_000)
	vast := photos.HEIC(1, 64, 64, 0)
	binary.BigEndian.PutUint32(vast[bytes.Index(vast, []byte("ispe"))+8:], 1<<30)
	// The parameters of the stream say otherwise than the boxes.
	coded := photos.HEIC(1, 16_010, 32, 0)
	binary.BigEndian.PutUint32(coded[bytes.Index(coded, []byte("ispe"))+8:], 64)
	for name, tc := range map[string]struct {
		content   []byte
		mediaType string
		says      string
	}{
		"cut off":          {whole[:len(whole)/2], "image/jpeg", "damaged or cut off"},
		"damaged":          {slices.Concat(whole[:len(whole)/2], []byte("\xff\xd9")), "image/jpeg", "damaged"},
		"without pixels":   {[]byte("\xff\xd8\xff\xd9"), "image/jpeg", "damaged"},
		"too many pixels":  {bomb, "image/png", "15000 × 15000 pixels"},
		"a large HEIC":     {large, "image/heic", "too much memory"},
		"a moving picture": {[]byte("GIF89a\x01\x00\x01\x00\x00\x00\x00\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02\x44\x01\x00\x3b"), "image/gif", "JPEG, PNG, WebP or HEIC"},
		"a vast HEIC":      {vast, "image/heic", "1048576 × 64 pixels"},
		"vast within":      {coded, "image/heic", "16032 × 32 pixels"},
		"a HEIC cut off":   {vast[:len(vast)-3000], "image/heic", "1048576 × 64 pixels"},
		"no pixels in it":  {photos.HEIC(1, 64, 64, 0)[:800], "image/heic", "HEIC photo cannot be read"},
		"no HEIC": {[]byte("\x00\x00\x00\x14ftypheic\x00\x00\x00\x00heic"), "image/heic",
			"HEIC photo cannot be read"},
	} {
		_, err := photo.New().Process(t.Context(), tc.content, tc.mediaType)
		if !fault.Is(err, fault.Unprocessable) || !strings.Contains(fault.From(err).Message, tc.says) {
			t.Errorf("%s: %v, want one that says %q", name, err, tc.says)
		}
	}
}

func TestReadingEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := photo.New().Process(ctx, photos.JPEG(1, 400, 300, 6, true), "image/jpeg"); !fault.Is(err,
		fault.Canceled) {
		t.Errorf("it ends with %v", err)
	}
}

// A HEIC photo is read like others, and turned as its own boxes say, not as its EXIF
// data do.
func TestHEICIsRead(t *testing.T) {
	t.Parallel()
	if heic.Dynamic() == nil {
		t.Skip("built without the tag nodynamic, and there is a libheif: it is not used")
	}
	for quarters := range 4 {
		p := process(t, photos.HEIC(11, 514, 390, quarters), "image/heic")
		if got, want := sizes(p), []int{480, 364}; !slices.Equal(got, want) {
			t.Errorf("turned %d times: the sizes are %v, want %v", quarters, got, want)
		}
		if d := distance(decoded(t, p.Renditions[0]), photos.Room(11, 514, 390)); d > 3 {
			t.Errorf("turned %d times: it differs by %.2f", quarters, d)
		}
	}
}

// Whatever colours a photo is stored with, it has those of JPEG files in the end: sRGB,
// since nothing says otherwise of it any more.
func TestColoursAreThoseOfJPEG(t *testing.T) {
	if underRace {
		t.Skip("a JPEG is read on one goroutine")
	}
	t.Parallel()
	room := photos.Room(12, 480, 320)
	// changed returns the room with each pixel changed, in parts of 255.
	changed := func(pixel func(r, g, b float64) (float64, float64, float64)) image.Image {
		m := image.NewRGBA(room.Rect)
		for y := range 320 {
			for x := range 480 {
				c := room.RGBAAt(x, y)
				r, g, b := pixel(float64(c.R), float64(c.G), float64(c.B))
				at := func(v float64) uint8 { return uint8(max(0, min(255, v))) }
				m.SetRGBA(x, y, color.RGBA{at(r), at(g), at(b), 255})
			}
		}
		return m
	}
	linear := func(v float64) float64 { return math.Pow(v/255, 2.2) }
	gamma := func(v float64) float64 { return 255 * math.Pow(max(0, v), 1/2.2) }
	wide := changed(func(r, g, b float64) (float64, float64, float64) {
		r, g, b = linear(r), linear(g), linear(b)
		return gamma(1.2249*r - 0.2249*g), gamma(1.0421*g - 0.0421*r), gamma(1.0983*b - 0.0196*r - 0.0786*g)
	})
	limited := changed(func(r, g, b float64) (float64, float64, float64) {
		to := func(v float64) float64 { return (v - 16) * 255 / 219 }
		return to(r), to(g), to(b)
	})
	bt709 := changed(func(r, g, b float64) (float64, float64, float64) {
		y := 0.299*r + 0.587*g + 0.114*b
		u, v := (b-y)/1.772, (r-y)/1.402
		return y + 1.5748*v, y - 0.187324*u - 0.468124*v, y + 1.8556*u
	})
	plain := photos.JPEG(12, 480, 320, 1, false)
	profile := "ICC_PROFILE\x00\x01\x01" + strings.Repeat("\x00", 128) +
		"D\x00i\x00s\x00p\x00l\x00a\x00y\x00 \x00P\x003"
	segment := append(binary.BigEndian.AppendUint16([]byte("\xff\xe2"), uint16(2+len(profile))), profile...)
	heif := photos.HEIC(12, 480, 320, 0)
	patched := func(offset int, value byte) []byte {
		b := slices.Clone(heif)
		b[bytes.Index(b, []byte("nclx"))+offset] = value
		return b
	}
	for name, tc := range map[string]struct {
		content   []byte
		mediaType string
		want      image.Image
	}{
		"JPEG":                        {plain, "image/jpeg", room},
		"JPEG in Display P3":          {slices.Concat(plain[:2], segment, plain[2:]), "image/jpeg", wide},
		"HEIC":                        {heif, "image/heic", room},
		"HEIC in Display P3":          {patched(5, 12), "image/heic", wide},
		"HEIC with the matrix of 709": {patched(9, 1), "image/heic", bt709},
		"HEIC of the limited range":   {patched(10, 0), "image/heic", limited},
	} {
		if tc.mediaType == "image/heic" && heic.Dynamic() == nil {
			continue
		}
		m := decoded(t, process(t, tc.content, tc.mediaType).Renditions[0])
		mean, most := distances(m, tc.want)
		_, before := distances(m, room)
		if mean > 2.5 || most > 6 || tc.want != image.Image(room) && most > 0.6*before {
			t.Errorf("%s: it differs by %.1f, at most %.1f, and as it was stored by %.1f", name, mean, most, before)
		}
	}
}

// FuzzPhotos gives damaged files of each form: they are read or refused. Of HEIC files
// only the boxes are read here, since nothing stops the decoder.
func FuzzPhotos(f *testing.F) {
	for _, b := range [][]byte{photos.JPEG(1, 24, 16, 6, true), photos.PNG(1, 24, 16), photos.HEIC(1, 32, 32, 1)} {
		f.Add(b)
	}
	p := photo.New()
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, err := p.Process(t.Context(), b, "image/jpeg"); err != nil && !fault.Is(err, fault.Unprocessable) {
			t.Errorf("as JPEG, PNG or WebP: %v", err)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := p.Process(ended, b, "image/heic"); !fault.Is(err, fault.Unprocessable) &&
			!fault.Is(err, fault.Canceled) {
			t.Errorf("as HEIC: %v", err)
		}
	})
}
