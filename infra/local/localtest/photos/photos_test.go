package photos_test

import (
	"bytes"
	"image/jpeg"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest/photos"
)

// A photo has what a test will look for, and is stored turned.
func TestPhotosHaveWhatCamerasWrite(t *testing.T) {
	t.Parallel()
	for orientation, want := range map[int][2]int{0: {90, 60}, 1: {90, 60}, 3: {90, 60}, 6: {60, 90}, 8: {60, 90}} {
		b := photos.JPEG(1, 90, 60, orientation, true)
		m, err := jpeg.Decode(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]int{m.Bounds().Dx(), m.Bounds().Dy()}; got != want {
			t.Errorf("orientation %d: stored as %v, want %v", orientation, got, want)
		}
		for _, word := range []string{photos.Camera, photos.Comment, photos.Creator, "GPSLatitude"} {
			if has := bytes.Contains(b, []byte(word)); has != (orientation > 0) {
				t.Errorf("orientation %d: %q is there: %v", orientation, word, has)
			}
		}
		if !bytes.Equal(b, photos.JPEG(1, 90, 60, orientation, true)) ||
			bytes.Equal(b, photos.JPEG(2, 90, 60, orientation, true)) {
			t.Errorf("orientation %d: the seed does not decide on the bytes", orientation)
		}
	}
}
