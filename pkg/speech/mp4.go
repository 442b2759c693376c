package speech

import (
	"bytes"
	"encoding/binary"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/work"
)

// mp4Track is what a track tells of its time, in ticks of which scale are a
// second.
type mp4Track struct {
	scale  uint64
	told   uint64 // by its header
	table  uint64 // the sum of its table of samples
	pieces uint64 // the end of the last piece of a live recording
	sum    uint64 // of all pieces, wherever they say that they are
	usual  uint64 // a sample's time where a piece tells none
	sounds bool
	count  uint64 // of samples, in the table and in pieces
	frame  uint64 // what a sample of the codec holds at the least, in samples at rate; 0 = not known
	rate   uint64
}

// played is how long the track sounds at the least, whatever it tells: readers
// decode each of its samples.
func (t *mp4Track) played() time.Duration {
	if t.frame == 0 || t.rate == 0 {
		return 0
	}
	return seconds(min(t.count, mp4Most/t.frame)*t.frame, t.rate)
}

// mp4Film is what the boxes of a file tell.
type mp4Film struct {
	budget  *work.Budget
	tracks  map[uint32]*mp4Track
	current *mp4Track // of the box that is read
	piece   struct{ at, usual uint64 }
	media   bool
	moov    bool
	scale   uint64
	told    uint64
}

// inspectMP4 believes of several times the longest: the film's, the tracks',
// and what the samples add up to.
func inspectMP4(budget *work.Budget, b []byte) (time.Duration, error) {
	f := &mp4Film{budget: budget, tracks: map[uint32]*mp4Track{}, current: &mp4Track{}}
	if err := f.boxes(b, 0); err != nil {
		return 0, err
	}
	if len(f.tracks) == 0 || !f.media {
		return 0, cutOff()
	}
	var length time.Duration
	if f.scale > 0 {
		length = seconds(f.told, f.scale)
	}
	sounds := false
	for _, t := range f.tracks {
		sounds = sounds || t.sounds
		if t.scale == 0 {
			return 0, contradicts()
		}
		length = max(length, seconds(max(t.told, t.table, t.pieces, t.sum), t.scale), t.played())
	}
	if !sounds {
		return 0, noSound()
	}
	// A film of a phone has some 20 Mbit a second; more than three times that
	// is a header that lies.
	if !fits(len(b), length, 8<<20) {
		return 0, contradicts()
	}
	return length, nil
}

// boxes reads boxes up to the end of b.
func (f *mp4Film) boxes(b []byte, depth int) error {
	if depth > 8 {
		return contradicts()
	}
	be := binary.BigEndian
	for len(b) > 0 {
		if err := f.budget.Steps(1); err != nil {
			return err
		}
		if len(b) < 8 {
			return cutOff()
		}
		size, head := uint64(be.Uint32(b)), 8
		switch {
		case size == 1 && len(b) >= 16:
			size, head = be.Uint64(b[8:]), 16
		case size == 0:
			size = uint64(len(b)) // up to the end
		}
		if size < uint64(head) {
			return contradicts()
		}
		if size > uint64(len(b)) {
			return cutOff()
		}
		name, body := string(b[4:8]), b[head:size]
		b = b[size:]
		var err error
		switch name {
		case "trak":
			f.current = &mp4Track{}
			err = f.boxes(body, depth+1)
		case "moov":
			if f.moov {
				return contradicts() // two files that were joined, of which readers take one
			}
			f.moov = true
			err = f.boxes(body, depth+1)
		case "mdia", "minf", "stbl", "mvex", "moof", "traf":
			err = f.boxes(body, depth+1)
		case "mdat":
			f.media = f.media || len(body) > 0
		default:
			err = f.box(name, body)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// box reads one box that tells something about time; others are skipped.
func (f *mp4Film) box(name string, b []byte) error {
	ok := true
	switch name {
	case "mvhd":
		f.scale, f.told, ok = mp4Time(b)
	case "mdhd":
		f.current.scale, f.current.told, ok = mp4Time(b)
	case "tkhd":
		var id uint32
		if id, ok = mp4ID(b); ok {
			f.tracks[id] = f.current
		}
	case "hdlr":
		if ok = len(b) >= 12; ok {
			f.current.sounds = f.current.sounds || string(b[8:12]) == "soun" // QuickTime has a second one
		}
	case "stts":
		if err := f.budget.Steps(len(b) / 256); err != nil {
			return err
		}
		var count uint64
		f.current.table, count, ok = mp4Table(b)
		f.current.count += count
	case "stsd":
		f.current.codec(b)
	case "stsz":
		if ok = len(b) >= 12; ok {
			f.current.count = max(f.current.count, uint64(binary.BigEndian.Uint32(b[8:])))
		}
	case "trex":
		if ok = len(b) >= 16; ok {
			f.track(b[4:]).usual = uint64(binary.BigEndian.Uint32(b[12:]))
		}
	case "tfhd":
		ok = f.openPiece(b)
	case "tfdt":
		switch {
		case len(b) >= 12 && b[0] == 1:
			f.piece.at = binary.BigEndian.Uint64(b[4:])
		case len(b) >= 8:
			f.piece.at = uint64(binary.BigEndian.Uint32(b[4:]))
		default:
			ok = false
		}
	case "trun":
		if err := f.budget.Steps(len(b) / 256); err != nil {
			return err
		}
		ok = f.run(b)
	}
	if !ok {
		return contradicts()
	}
	return nil
}

// codec reads what a track of sound is coded in.
func (t *mp4Track) codec(b []byte) {
	const entry, rate = 8, 8 + 8 + 24 // where the first entry begins, and the rate in it
	if len(b) < rate+4 {
		return
	}
	switch string(b[entry+4 : entry+8]) {
	case "mp4a":
		if t.frame = 576; mp4AAC(b[rate:]) { // else it may be MP3
			t.frame = 960
		}
	case ".mp3":
		t.frame = 576
	case "sowt", "twos", "ipcm", "fpcm", "ulaw", "alaw":
		t.frame = 1
	}
	t.rate = uint64(binary.BigEndian.Uint16(b[rate:]))
}

// mp4AAC reports whether a track's descriptors say that it is AAC, of which the
// shortest frames have 960 samples.
func mp4AAC(b []byte) bool {
	_, b, ok := bytes.Cut(b, []byte("esds"))
	if !ok || len(b) < 4 {
		return false
	}
	b = b[4:]
	for tag, head := byte(3), 3; ; tag, head = 4, 0 {
		if len(b) == 0 || b[0] != tag {
			return false
		}
		at := 1
		for at < len(b) && at < 5 && b[at]&0x80 != 0 { // the rest of the length
			at++
		}
		if at++; len(b) <= at+head {
			return false
		}
		if b = b[at+head:]; tag == 4 {
			return b[0] == 0x40 || b[0] >= 0x66 && b[0] <= 0x68
		}
	}
}

// track returns the track whose id b begins with.
func (f *mp4Film) track(b []byte) *mp4Track {
	if t := f.tracks[binary.BigEndian.Uint32(b)]; t != nil {
		return t
	}
	return &mp4Track{}
}

// openPiece reads which track a piece belongs to.
func (f *mp4Film) openPiece(b []byte) bool {
	if len(b) < 8 {
		return false
	}
	f.current = f.track(b[4:])
	f.piece.at, f.piece.usual = f.current.pieces, f.current.usual
	at := 8
	if b[3]&1 != 0 {
		at += 8
	}
	if b[3]&2 != 0 {
		at += 4
	}
	if b[3]&8 != 0 {
		if len(b) < at+4 {
			return false
		}
		f.piece.usual = uint64(binary.BigEndian.Uint32(b[at:]))
	}
	return true
}

// run adds up the samples of a piece.
func (f *mp4Film) run(b []byte) bool {
	if len(b) < 8 {
		return false
	}
	count, at := int(binary.BigEndian.Uint32(b[4:])), 8
	if b[3]&1 != 0 {
		at += 4
	}
	if b[3]&4 != 0 {
		at += 4
	}
	width := 0
	for _, bit := range []byte{1, 2, 4, 8} {
		if b[2]&bit != 0 {
			width += 4
		}
	}
	if at > len(b) || width > 0 && count > (len(b)-at)/width {
		return false
	}
	var time uint64
	if b[2]&1 == 0 {
		time = min(uint64(count)*f.piece.usual, mp4Most)
	} else {
		for i := range count {
			time += uint64(binary.BigEndian.Uint32(b[at+i*width:]))
		}
	}
	f.piece.at = min(f.piece.at, mp4Most) + time
	f.current.pieces = max(f.current.pieces, f.piece.at)
	f.current.sum = min(f.current.sum, mp4Most) + time
	f.current.count += uint64(count)
	return true
}

// mp4Time reads the scale and the length of a header.
func mp4Time(b []byte) (scale, told uint64, ok bool) {
	be := binary.BigEndian
	switch {
	case len(b) >= 32 && b[0] == 1:
		scale, told = uint64(be.Uint32(b[20:])), be.Uint64(b[24:])
		if told == 1<<64-1 {
			told = 0 // not known
		}
		return scale, told, true
	case len(b) >= 20 && b[0] == 0:
		scale, told = uint64(be.Uint32(b[12:])), uint64(be.Uint32(b[16:]))
		if told == 1<<32-1 {
			told = 0
		}
		return scale, told, true
	}
	return 0, 0, false
}

func mp4ID(b []byte) (uint32, bool) {
	switch {
	case len(b) >= 24 && b[0] == 1:
		return binary.BigEndian.Uint32(b[20:]), true
	case len(b) >= 16 && b[0] == 0:
		return binary.BigEndian.Uint32(b[12:]), true
	}
	return 0, false
}

// mp4Most is the most ticks that are told apart, so that no sum overflows.
const mp4Most = 1 << 60

// mp4Table adds up a table of pairs: so many samples of so many ticks.
func mp4Table(b []byte) (sum, samples uint64, ok bool) {
	if len(b) < 8 {
		return 0, 0, false
	}
	count := int(binary.BigEndian.Uint32(b[4:]))
	if count > (len(b)-8)/8 {
		return 0, 0, false
	}
	for i := range count {
		at := 8 + 8*i
		samples += uint64(binary.BigEndian.Uint32(b[at:]))
		more := uint64(binary.BigEndian.Uint32(b[at:])) * uint64(binary.BigEndian.Uint32(b[at+4:]))
		sum = min(sum+min(more, mp4Most), mp4Most)
	}
	return sum, samples, true
}
