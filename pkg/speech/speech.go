// Package speech says what it means to turn a recording into text: what a
// recording may be, who writes down what is said in it, and when what was
// written down is not believed. It knows no vendor.
//
// Spoken words are read, but they never consent: a client that sends them on as a
// chat message marks them with [Source].
package speech

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Source is the mark of a message whose words were spoken, not typed.
const Source = "speech"

// Request is one recording to write down.
type Request struct {
	Recording Recording
	// Language is the language that is spoken, as [Language] returns it; "" =
	// the model finds out.
	Language string
	// Prompt has names and words that may come up.
	Prompt string
}

// Segment is a part of a transcript. Times are in seconds from the beginning.
type Segment struct {
	Start float64 `json:"start"`
	End   float64 `json:"end"`
	Text  string  `json:"text"`
	// NoSpeech is how likely it is that there is no speech, from 0 to 1; LogProb is
	// the mean log probability of the words.
	NoSpeech float64 `json:"-"`
	LogProb  float64 `json:"-"`
}

// Transcript is what a model wrote down.
type Transcript struct {
	Text     string
	Language string    // as the model names it; "" = it did not say
	Segments []Segment // none where the model does not tell times
	LogProb  *float64  // mean over all words; nil = not told
	Model    string    // as it was asked for
	Usage    llm.Usage // tokens; of models that count seconds, see TokensPerSecond
}

// TokensPerSecond is what a second of sound counts in tokens, where a budget
// wants an estimate or a model tells only seconds.
const TokensPerSecond = 10

// Transcriber writes recordings down. Implementations are safe for concurrent
// use, send a recording again only if the first was certainly not worked on,
// and return fault errors: Limited, Upstream, Unavailable, Timeout, or
// Unprocessable when the model cannot read the recording.
type Transcriber interface {
	// Transcribe writes one recording down. Where show is not nil it receives
	// the text in pieces, as far as the model gives pieces, on the caller's
	// goroutine; an error from show ends the call and is returned as it is.
	Transcribe(ctx context.Context, r Request, show func(text string) error) (Transcript, error)
}

// Timer is a Transcriber that says whether its transcripts have segments with
// times.
type Timer interface {
	TellsTimes() bool
}
