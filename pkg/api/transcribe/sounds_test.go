package transcribe_test

import (
	"bytes"
	"encoding/binary"
	"math"
)

// be and le write numbers of their own width, one after the other.
func be(values ...any) []byte { return written(binary.BigEndian, values) }
func le(values ...any) []byte { return written(binary.LittleEndian, values) }

func written(order binary.ByteOrder, values []any) []byte {
	var b bytes.Buffer
	for _, v := range values {
		switch v := v.(type) {
		case string:
			b.WriteString(v)
		case []byte:
			b.Write(v)
		default:
			if err := binary.Write(&b, order, v); err != nil {
				panic(err)
			}
		}
	}
	return b.Bytes()
}

// wav is a tone of 440 Hz in 16 bits and one channel at 16 kHz.
func wav(seconds, loudness float64) []byte {
	var samples bytes.Buffer
	for i := range int(seconds * 16_000) {
		v := int16(loudness * 32767 * math.Sin(2*math.Pi*440*float64(i)/16_000))
		samples.Write([]byte{byte(v), byte(v >> 8)})
	}
	return wavOf(samples.Bytes(), uint32(samples.Len()))
}

// wavOf has a data chunk that says it has size bytes.
func wavOf(samples []byte, size uint32) []byte {
	return le("RIFF", 36+size, "WAVE", "fmt ", uint32(16), uint16(1), uint16(1), uint32(16_000), uint32(32_000),
		uint16(2), uint16(16), "data", size, samples)
}

// flac has a header that tells so many samples at 16 kHz, and frames of 4096
// samples that are all the same, twelve bytes each.
func flac(samples uint64, frames int) []byte {
	info := uint64(16_000)<<44 | uint64(0)<<41 | uint64(15)<<36 | samples
	out := be("fLaC", uint32(0x80000000|34), make([]byte, 10), info, make([]byte, 16))
	for i := range frames {
		head := append([]byte{0xFF, 0xF8, 0xC5, 0x08}, string(rune(i))...)
		out = append(append(out, head...), crc8(head), 0, 0, 0, 0, 0)
	}
	return out
}

func crc8(b []byte) (sum byte) {
	for _, c := range b {
		for bit := byte(0x80); bit > 0; bit >>= 1 {
			odd := sum&0x80 != 0
			sum <<= 1
			if odd != (c&bit != 0) {
				sum ^= 0x07
			}
		}
	}
	return sum
}

// mp3 has so many frames of 1152 samples at 48 kHz and 32 kbit, 24 ms and 96
// bytes each; the first one may promise more.
func mp3(frames int, promised uint32) []byte {
	frame := append([]byte{0xFF, 0xFB, 0x14, 0xC0}, make([]byte, 92)...)
	all := bytes.Repeat(frame, frames)
	if promised > 0 {
		copy(all[4+17:], be("Xing", uint32(1), promised))
	}
	return all
}

// ogg is Opus in so many pages of a second each, the last of which ends at
// granule.
func ogg(pages int, granule uint64) []byte {
	out := oggPage(2, 0, le("OpusHead", byte(1), byte(1), uint16(312), uint32(16_000), uint16(0), byte(0)))
	for i := range pages {
		at := uint64(48_000 * (i + 1))
		if i == pages-1 {
			at = granule
		}
		out = append(out, oggPage(0, at, make([]byte, 200))...)
	}
	return out
}

// opus is pages of fifty packets of 20 ms each, whatever they say of the time.
func opus(pages int, granule uint64) []byte {
	out := oggPage(2, 0, le("OpusHead", byte(1), byte(1), uint16(312), uint32(16_000), uint16(0), byte(0)))
	for range pages {
		packets := bytes.Repeat([]byte{1 << 3, 0, 0, 0}, 50)
		out = append(out, le("OggS", byte(0), byte(0), granule, uint32(7), uint32(0), uint32(0), byte(50),
			bytes.Repeat([]byte{4}, 50), packets)...)
	}
	return out
}

// adpcm is so many seconds of IMA ADPCM at 8 kHz in blocks of 256 bytes, whose
// header says that a second has as many bytes as it likes.
func adpcm(seconds int, perSecond uint32) []byte {
	data := make([]byte, (seconds*8000+504)/505*256)
	return le("RIFF", uint32(40+len(data)), "WAVE", "fmt ", uint32(20), uint16(0x11), uint16(1), uint32(8000),
		perSecond, uint16(256), uint16(4), uint16(2), uint16(505),
		"data", uint32(len(data)), data)
}

func oggPage(flags byte, granule uint64, body []byte) []byte {
	return le("OggS", byte(0), flags, granule, uint32(7), uint32(0), uint32(0), byte(1), byte(len(body)), body)
}

// webm is what a browser records: no duration, and clusters of unknown size.
// Each block is at a millisecond within its cluster of ten seconds.
func webm(clusters int) []byte { return webmOf(2, "A_VORBIS", clusters, 1) }

// webmOf has one track of that kind, 1 for pictures and 2 for sound, and blocks
// of a packet of 20 ms each.
func webmOf(kind byte, codec string, clusters, packets int) []byte {
	out := be([]byte{0x1A, 0x45, 0xDF, 0xA3, 0x80}, []byte{0x18, 0x53, 0x80, 0x67, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
		0xFF, 0xFF},
		[]byte{0x15, 0x49, 0xA9, 0x66, 0x87, 0x2A, 0xD7, 0xB1, 0x83, 0x0F, 0x42, 0x40})
	track := be([]byte{0xD7, 0x81, 1, 0x83, 0x81, kind, 0x86, byte(0x80 | len(codec))}, codec)
	out = append(out, be([]byte{0x16, 0x54, 0xAE, 0x6B, byte(0x82 + len(track)), 0xAE, byte(0x80 + len(track))},
		track)...)
	for i := range clusters {
		out = append(out, be([]byte{0x1F, 0x43, 0xB6, 0x75, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xE7,
			0x84}, uint32(i*10_000))...)
		for ms := 0; ms < 10_000; ms += 1000 {
			for range packets {
				out = append(out, be([]byte{0xA3, 0x88, 0x81}, int16(ms), byte(0x80), []byte{1 << 3, 0, 0, 0})...)
			}
		}
	}
	return out
}

// bigWebM has two megabytes of Vorbis, all at its start.
func bigWebM() []byte {
	out := webmOf(2, "A_VORBIS", 1, 1)
	for range 128 {
		out = append(out, be([]byte{0xA3, 0x20 | 16_384>>16, 16_384 >> 8 & 0xFF, 0, 0x81}, int16(0), byte(0x80),
			make([]byte, 16_380))...)
	}
	return out
}

func box(name string, parts ...[]byte) []byte {
	body := bytes.Join(parts, nil)
	return be(uint32(8+len(body)), name, body)
}

// mp4 has one track at 1000 ticks a second, whose header says told and whose
// table of samples adds up to real.
func mp4(told, real uint32) []byte { return mp4Of("soun", told, real) }

func mp4Of(handler string, told, real uint32) []byte {
	return bytes.Join([][]byte{
		box("ftyp", []byte("M4A "), make([]byte, 4)),
		box("moov",
			box("mvhd", be(uint32(0), uint64(0), uint32(1000), told)),
			box("trak", box("tkhd", be(uint32(0), uint64(0), uint32(1))),
				box("mdia", box("mdhd", be(uint32(0), uint64(0), uint32(1000), told, uint32(0))),
					box("hdlr", be(uint64(0), handler, make([]byte, 13))),
					box("minf", box("stbl", box("stts", be(uint32(0), uint32(1), real, uint32(1)))))))),
		box("mdat", make([]byte, 500)),
	}, nil)
}

// entry is a track's description: sound at 48 kHz in AAC.
func entry() []byte {
	return box("stsd", be(uint32(0), uint32(1)), box("mp4a", make([]byte, 24), be(uint32(48_000<<16)),
		box("esds", be(uint32(0), byte(3), byte(20), uint16(1), byte(0), byte(4), byte(15), byte(0x40)),
			make([]byte, 20))))
}

// aac is a track of so many samples of AAC that all together take a second, as its
// table says.
func aac(samples uint32) []byte {
	return bytes.Join([][]byte{box("ftyp", []byte("M4A "), make([]byte, 4)),
		box("moov", box("mvhd", be(uint32(0), uint64(0), uint32(1000), uint32(1000))),
			box("trak", box("tkhd", be(uint32(0), uint64(0), uint32(1))),
				box("mdia", box("mdhd", be(uint32(0), uint64(0), samples, samples, uint32(0))),
					box("hdlr", be(uint64(0), "soun", make([]byte, 13))),
					box("hdlr", be(uint32(0), "dhlrurl ", make([]byte, 13))),
					box("minf", box("stbl", entry(), box("stts", be(uint32(0), uint32(1), samples, uint32(1)))))))),
		box("mdat", make([]byte, 500))}, nil)
}

// speex is pages of fifty packets of 20 ms at 16 kHz, all at the same time.
func speex(pages int) []byte {
	out := oggPage(2, 0, le("Speex   ", make([]byte, 28), uint32(16_000), make([]byte, 16), uint32(320), uint32(0),
		uint32(1), make([]byte, 12)))
	for range pages {
		out = append(out, le("OggS", byte(0), byte(0), uint64(16_000), uint32(7), uint32(0), uint32(0), byte(50),
			bytes.Repeat([]byte{4}, 50), make([]byte, 200))...)
	}
	return out
}

// flacInOgg is pages of a frame of 4096 samples at 16 kHz, all at the same time.
func flacInOgg(pages int) []byte {
	info := uint64(16_000)<<44 | uint64(15)<<36
	out := oggPage(2, 0, be("\x7FFLAC", byte(1), byte(0), uint16(1), "fLaC", uint32(34), make([]byte, 10), info,
		make([]byte, 16)))
	for range pages {
		head := []byte{0xFF, 0xF8, 0xC5, 0x08, 0}
		out = append(out, oggPage(0, 16_000, append(append(head, crc8(head)), make([]byte, 6)...))...)
	}
	return out
}

// fragments is what Safari records: a head without a time, then pieces of a
// second.
func fragments(pieces int) []byte { return fragmentsAt(pieces, 1000) }

// fragmentsAt are pieces of a second that say that they are so far apart.
func fragmentsAt(pieces, apart int) []byte {
	out := bytes.Join([][]byte{
		box("ftyp", []byte("iso5"), make([]byte, 4)),
		box("moov", box("mvhd", be(uint32(0), uint64(0), uint32(1000), uint32(0))),
			box("trak", box("tkhd", be(uint32(0), uint64(0), uint32(1))),
				box("mdia", box("mdhd", be(uint32(0), uint64(0), uint32(1000), uint32(0), uint32(0))),
					box("hdlr", be(uint64(0), "soun", make([]byte, 13))))),
			box("mvex", box("trex", be(uint32(0), uint32(1), uint32(1), uint32(20), uint32(0), uint32(0))))),
	}, nil)
	for i := range pieces {
		out = append(out, box("moof", box("traf", box("tfhd", be(uint32(0), uint32(1))),
			box("tfdt", be(uint32(0), uint32(i*apart))), box("trun", be(uint32(0), uint32(50)))))...)
		out = append(out, box("mdat", make([]byte, 100))...)
	}
	return out
}
