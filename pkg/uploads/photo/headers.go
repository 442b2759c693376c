package photo

import (
	"bytes"
	"encoding/binary"
)

// jpegHeaders are what is read of a JPEG file before its pixels.
type jpegHeaders struct {
	exif        []byte // a TIFF structure
	profile     []byte // the first part of an ICC profile
	progressive bool
	sampled     int // bytes of four pixels, decoded
}

// readJPEG walks the segments before the pixels. Ones that are cut off end it.
func readJPEG(b []byte) jpegHeaders {
	found := jpegHeaders{sampled: 12}
	for i := 2; i+4 <= len(b) && b[i] == 0xff; {
		marker := b[i+1]
		if marker == 0xff {
			i++
			continue
		}
		size := int(binary.BigEndian.Uint16(b[i+2:]))
		if marker == 0xda || size < 2 || i+2+size > len(b) {
			break
		}
		body := b[i+4 : i+2+size]
		switch {
		case marker == 0xe1 && found.exif == nil && bytes.HasPrefix(body, []byte("Exif\x00\x00")):
			found.exif = body[6:]
		case marker == 0xe2 && found.profile == nil && bytes.HasPrefix(body, []byte("ICC_PROFILE\x00")):
			found.profile = body
		case marker >= 0xc0 && marker <= 0xc2:
			found.progressive = marker == 0xc2
			found.sampled = sampled(body)
		}
		i += 2 + size
	}
	return found
}

// sampled returns how many bytes four pixels take, from the frame header: 6 where the
// colours have half the width and height.
func sampled(frame []byte) int {
	if len(frame) < 9 || len(frame) < 6+3*int(frame[5]) {
		return 12
	}
	n := int(frame[5])
	factor := func(i int) int { return int(frame[7+3*i]>>4) * int(frame[7+3*i]&15) }
	all, most := 0, 1
	for i := range n {
		all, most = all+factor(i), max(most, factor(i))
	}
	if n == 4 {
		return 16
	}
	return max(4, 4*all/most)
}

// pngPixel returns how many bytes a pixel takes, decoded.
func pngPixel(b []byte) int {
	if len(b) > 25 && b[24] == 16 {
		return 8
	}
	return 4
}

// pngEXIF returns the EXIF data of a PNG file.
func pngEXIF(b []byte) []byte {
	for at := 8; at+12 <= len(b); {
		size := int64(binary.BigEndian.Uint32(b[at:]))
		if size > int64(len(b)-at-12) {
			break
		}
		if string(b[at+4:at+8]) == "eXIf" {
			return b[at+8 : at+8+int(size)]
		}
		at += 12 + int(size)
	}
	return nil
}

// webpChunk returns the body of the first chunk of a kind in a WebP file.
func webpChunk(b []byte, kind string) []byte {
	for at := 12; at+8 <= len(b); {
		size := int64(binary.LittleEndian.Uint32(b[at+4:]))
		if size > int64(len(b)-at-8) {
			break
		}
		if string(b[at:at+4]) == kind {
			return bytes.TrimPrefix(b[at+8:at+8+int(size)], []byte("Exif\x00\x00"))
		}
		at += 8 + int(size+size&1)
	}
	return nil
}

// orientationOf returns the orientation that EXIF data say, 1 where they say none.
// EXIF 2.32 has it as tag 0x0112 of the first directory, a short.
func orientationOf(tiff []byte) int {
	if len(tiff) < 8 {
		return 1
	}
	var order binary.ByteOrder
	switch string(tiff[:4]) {
	case "II*\x00":
		order = binary.LittleEndian
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return 1
	}
	at := int64(order.Uint32(tiff[4:]))
	if at+2 > int64(len(tiff)) {
		return 1
	}
	n := int64(order.Uint16(tiff[at:]))
	for at += 2; n > 0 && at+12 <= int64(len(tiff)); n, at = n-1, at+12 {
		if order.Uint16(tiff[at:]) != 0x0112 || order.Uint16(tiff[at+2:]) != 3 {
			continue
		}
		if v := int(order.Uint16(tiff[at+8:])); v >= 1 && v <= 8 {
			return v
		}
		return 1
	}
	return 1
}
