package speech

import (
	"bytes"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/work"
)

// Limits of a recording.
const (
	MaxBytes  = 25 << 20
	MaxLength = 10 * time.Minute
	MinLength = 100 * time.Millisecond
)

// Recording is sound in one of the formats that we take.
type Recording struct {
	Bytes []byte
	// Format is what the bytes are: wav, flac, mp3, ogg, mp4 or webm. It is
	// also the extension of a file name that tells the truth.
	Format string
	Length time.Duration
	// Still says that the samples hold no sound that a voice could be. Only
	// formats without compression tell.
	Still bool
}

// Codes of what is refused.
const (
	CodeEmpty     = "audio_empty"
	CodeNotAudio  = "audio_unknown"
	CodeBroken    = "audio_broken"
	CodeTooLong   = "audio_too_long"
	CodeTooShort  = "audio_too_short"
	limitOfBytes  = "audio_bytes"
	limitOfLength = "audio_seconds"
)

// Inspect looks at the bytes of a recording, and at nothing else: what they
// are and how long they sound. It decodes nothing and keeps b. What is empty,
// cut off, not sound, too large, too short or too long, or whose header
// contradicts what follows it, is a fault with a sentence. It pays for what it
// does from the budget, and returns the error of the budget's context where that
// ended.
func Inspect(budget *work.Budget, b []byte) (Recording, error) {
	if len(b) == 0 {
		return Recording{}, fault.New(fault.Unprocessable, "The recording is empty.").WithCode(CodeEmpty)
	}
	if len(b) > MaxBytes {
		return Recording{}, TooLarge()
	}
	r := Recording{Bytes: b}
	var err error
	what, untaken := Untaken(b)
	switch {
	case untaken:
		return Recording{}, unknown(what)
	case len(b) >= 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WAVE":
		r.Format = "wav"
		r.Length, r.Still, err = inspectWAV(budget, b)
	case bytes.HasPrefix(b, []byte("fLaC")):
		r.Format = "flac"
		r.Length, err = inspectFLAC(budget, b)
	case bytes.HasPrefix(b, []byte("OggS")):
		r.Format = "ogg"
		r.Length, err = inspectOgg(budget, b)
	case bytes.HasPrefix(b, []byte{0x1A, 0x45, 0xDF, 0xA3}):
		r.Format = "webm"
		r.Length, err = inspectWebM(budget, b)
	case len(b) >= 12 && string(b[4:8]) == "ftyp":
		r.Format = "mp4"
		r.Length, err = inspectMP4(budget, b)
	case looksMPEG(b):
		r.Format = "mp3"
		r.Length, err = inspectMPEG(budget, b)
	default:
		return Recording{}, unknown("")
	}
	switch {
	case err != nil:
		return Recording{}, err
	case r.Length > MaxLength:
		e := fault.New(fault.TooLarge, "The recording is longer than %d minutes.",
			int(MaxLength.Minutes())).WithCode(CodeTooLong)
		e.Limit = limitOfLength
		return Recording{}, e
	case r.Length < MinLength:
		return Recording{}, fault.New(fault.Unprocessable,
			"The recording is too short to hold a word.").WithCode(CodeTooShort)
	}
	return r, nil
}

// TooLarge is the refusal of a recording of more than MaxBytes.
func TooLarge() error {
	e := fault.New(fault.TooLarge, "The recording is larger than %d MB.", MaxBytes>>20)
	e.Limit = limitOfBytes
	return e
}

// Untaken returns what a recording is in whose form none is taken, such as "a
// recording in AAC", and whether it is one.
func Untaken(b []byte) (what string, ok bool) {
	at := func(i int, text string) bool { return len(b) >= i+len(text) && string(b[i:i+len(text)]) == text }
	b = skipID3(b)
	switch {
	case len(b) >= 7 && b[0] == 0xFF && b[1]&0xF6 == 0xF0, at(0, "ADIF"):
		return "a recording in AAC without a file around it", true
	case at(0, "caff"):
		return "a recording in CAF", true
	case at(0, "FORM") && (at(8, "AIFF") || at(8, "AIFC")):
		return "a recording in AIFF", true
	case at(0, "RF64"), at(0, "BW64"):
		return "a WAV file for more than 4 GB (RF64)", true
	case at(0, "#!AMR"):
		return "a recording in AMR", true
	}
	return "", false
}

// unknown is the refusal of what is in an unknown format.
func unknown(what string) error {
	const send = "Send flac, mp3, mp4, mpeg, mpga, m4a, ogg, wav or webm."
	if what == "" {
		return fault.New(fault.Unprocessable, "This is not a recording that can be understood. %s",
			send).WithCode(CodeNotAudio)
	}
	return fault.New(fault.Unprocessable, "This is %s, which cannot be understood. %s", what,
		send).WithCode(CodeNotAudio)
}

func noSound() error {
	return fault.New(fault.Unprocessable, "There is no sound in the file.").WithCode(CodeNotAudio)
}

func cutOff() error {
	return fault.New(fault.Unprocessable,
		"The recording is cut off: it ends before its header says.").WithCode(CodeBroken)
}

func contradicts() error {
	return fault.New(fault.Unprocessable, "The recording's header does not fit what follows it.").WithCode(CodeBroken)
}

// seconds returns n/rate as a time. More than a day is a day, so that no
// header makes it overflow.
func seconds(n, rate uint64) time.Duration {
	if rate == 0 || n/rate >= 24*60*60 {
		return 24 * time.Hour
	}
	return time.Duration(n/rate)*time.Second + time.Duration(n%rate*uint64(time.Second)/rate)
}

// fits reports whether so many bytes can be that much sound at the most bytes
// that a second may have. A header that tells less time than is there would
// pass the limit of length.
func fits(size int, length time.Duration, perSecond int) bool {
	const heads = 64 << 10
	return float64(size-heads) <= length.Seconds()*float64(perSecond)
}
