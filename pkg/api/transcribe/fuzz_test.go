package transcribe_test

import (
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/speech"
	"github.com/bellhop-ai/bellhop/pkg/work"
)

// F-53: whatever the bytes, a recording is taken within its limits or refused
// with a sentence.
func FuzzInspect(f *testing.F) {
	for _, seed := range [][]byte{wav(0.2, 0.3), flac(48_000, 12), mp3(5, 9), ogg(2, 96_000), webm(1), mp4(2500, 2500),
		fragments(2), aac(50), speex(2), flacInOgg(2), opus(2, 96_000), adpcm(1, 16_000), []byte("RIFF"), nil} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := speech.Inspect(work.ForFile(t.Context()), b)
		if err == nil && (r.Format == "" || r.Length < speech.MinLength || r.Length > speech.MaxLength) {
			t.Errorf("it is taken as %q of %s", r.Format, r.Length)
		}
		if err != nil && (fault.Is(err, fault.Internal) || fault.From(err).Message == "") {
			t.Errorf("it is refused with %v", err)
		}
	})
}
