package model_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
)

// The official client reads every form of what the stand-in writes down.
func TestSaysThatItCannotHear(t *testing.T) {
	c := serve(t)
	file := func(name string) openai.AudioTranscriptionNewParams {
		return openai.AudioTranscriptionNewParams{Model: "gpt-4o-mini-transcribe",
			File: openai.File(bytes.NewReader([]byte("OggS and so on")), name, "audio/ogg")}
	}
	const want = "This is the built-in stand-in, which cannot hear. It received a recording in ogg of 14 bytes. " +
		"Please type instead."
	whole, err := c.Audio.Transcriptions.New(context.Background(), file("a.ogg"))
	if err != nil {
		t.Fatal(err)
	}
	if whole.Text != want {
		t.Errorf("%q", whole.Text)
	}
	stream, text := c.Audio.Transcriptions.NewStreaming(context.Background(), file("a.ogg")), ""
	last := ""
	for stream.Next() {
		text += stream.Current().Delta
		last = stream.Current().Text
	}
	if stream.Err() != nil || text != want || last != want {
		t.Errorf("streamed %q and %q, %v", text, last, stream.Err())
	}
	for name, params := range map[string]openai.AudioTranscriptionNewParams{
		"the extension decides": file("a.txt"),
		"a form of whisper's":   func() openai.AudioTranscriptionNewParams { p := file("a.ogg"); p.ResponseFormat = "srt"; return p }(),
		"no model":              func() openai.AudioTranscriptionNewParams { p := file("a.ogg"); p.Model = ""; return p }(),
	} {
		if _, err := c.Audio.Transcriptions.New(context.Background(), params); err == nil ||
			!strings.Contains(err.Error(), "400") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
