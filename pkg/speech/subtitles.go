package speech

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// cues returns the parts of a transcript with their times: the model's, or the
// whole recording as one where the model told none.
func (t Transcript) cues(length time.Duration) []Segment {
	if t.Text == "" {
		return nil
	}
	if len(t.Segments) == 0 {
		return []Segment{{Start: 0, End: length.Seconds(), Text: t.Text}}
	}
	return t.Segments
}

// SRT returns the transcript of a recording of that length as SubRip
// subtitles.
func (t Transcript) SRT(length time.Duration) string {
	var b strings.Builder
	for i, s := range t.cues(length) {
		fmt.Fprintf(&b, "%d\n%s --> %s\n%s\n\n", i+1, stamp(s.Start, ","), stamp(s.End, ","), cueText(s.Text))
	}
	return b.String()
}

// VTT returns the same as WebVTT. Its note says that the words were spoken.
func (t Transcript) VTT(length time.Duration) string {
	var b strings.Builder
	b.WriteString("WEBVTT\n\nNOTE source: " + Source + "\n\n")
	escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	for _, s := range t.cues(length) {
		fmt.Fprintf(&b, "%s --> %s\n%s\n\n", stamp(s.Start, "."), stamp(s.End, "."), escape.Replace(cueText(s.Text)))
	}
	return b.String()
}

// cueText keeps a text from ending its cue.
func cueText(text string) string { return strings.ReplaceAll(tidy(text), "-->", "→") }

func stamp(at float64, point string) string {
	if math.IsNaN(at) {
		at = 0
	}
	ms := int64(math.Round(min(max(at, 0), 24*60*60) * 1000))
	return fmt.Sprintf("%02d:%02d:%02d%s%03d", ms/3_600_000, ms/60_000%60, ms/1000%60, point, ms%1000)
}
