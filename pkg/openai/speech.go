package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/speech"
)

// The sentences of what went wrong with a recording.
const (
	sayUnheard  = "The recording could not be understood. Please record it again, or type."
	sayTooHeavy = "The recording is too large for the speech model. Please send a shorter one."
)

var (
	_ speech.Transcriber = (*Client)(nil)
	_ speech.Timer       = (*Client)(nil)
)

// hearing is what one family of speech models understands.
type hearing struct {
	form    string // the answer's form: the one with times, or the only one
	stream  bool
	logs    bool // tells how sure it is of each word
	cutting bool // wants to be told to cut long recordings
}

// hears tells the families apart by name, as their documentation does.
func (c *Client) hears() hearing {
	switch {
	case strings.Contains(c.model, "whisper"):
		return hearing{form: "verbose_json"}
	case strings.Contains(c.model, "diarize"):
		return hearing{form: "json", stream: true, cutting: true}
	}
	return hearing{form: "json", stream: true, logs: strings.HasPrefix(c.model, "gpt-4o") &&
		(c.profile.name == "openai" || c.profile.name == "azure-v1")}
}

// TellsTimes reports whether the model returns segments with times.
func (c *Client) TellsTimes() bool { return c.hears().form == "verbose_json" }

// Transcribe writes a recording down, as speech.Transcriber says. A recording
// is sent again only after the provider said that it took none for now: else
// it is not known whether it was worked on, and paid for.
func (c *Client) Transcribe(ctx context.Context, r speech.Request, show func(text string) error) (speech.Transcript,
	error) {
	steps := backoff.ExponentialBackOff{InitialInterval: 250 * time.Millisecond, RandomizationFactor: 0.5,
		Multiplier: 2, MaxInterval: 4 * time.Second}
	for number := 1; ; number++ {
		began := c.now()
		t, f := c.hear(ctx, r, show)
		at := Attempt{Number: number, Took: c.now().Sub(began)}
		if f != nil {
			at.Err = f.err
			at.Again = f.again && number <= c.retries && fault.Is(f.err, fault.Limited)
		}
		if at.Again {
			at.Pause, at.Again = c.fits(ctx, f.err, steps.NextBackOff())
		}
		if c.report != nil {
			c.report(ctx, at)
		}
		switch {
		case f == nil:
			return t, nil
		case !at.Again:
			return speech.Transcript{}, f.err
		}
		if err := c.wait(ctx, at.Pause); err != nil {
			if ctx.Err() != nil {
				return speech.Transcript{}, ended(ctx).err
			}
			return speech.Transcript{}, f.err
		}
	}
}

// upload is the form around a recording, whose bytes are not copied.
type upload struct {
	kind string
	size int64
	body io.Reader
}

func (c *Client) form(r speech.Request, h hearing, stream bool) (upload, error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	fields := [][2]string{{"model", c.model}, {"response_format", h.form}, {"language", r.Language},
		{"prompt", r.Prompt}}
	if h.form == "verbose_json" {
		fields = append(fields, [2]string{"timestamp_granularities[]", "segment"})
	}
	if h.logs {
		fields = append(fields, [2]string{"include[]", "logprobs"})
	}
	if h.cutting {
		fields = append(fields, [2]string{"chunking_strategy", "auto"})
	}
	if stream {
		fields = append(fields, [2]string{"stream", "true"})
	}
	for _, f := range fields {
		if f[1] == "" {
			continue
		}
		if err := w.WriteField(f[0], f[1]); err != nil {
			return upload{}, err
		}
	}
	// The provider goes by the extension.
	if _, err := w.CreateFormFile("file", "recording."+r.Recording.Format); err != nil {
		return upload{}, err
	}
	head := bytes.Clone(b.Bytes())
	b.Reset()
	if err := w.Close(); err != nil {
		return upload{}, err
	}
	return upload{
		kind: w.FormDataContentType(),
		size: int64(len(head) + len(r.Recording.Bytes) + b.Len()),
		body: io.MultiReader(bytes.NewReader(head), bytes.NewReader(r.Recording.Bytes), &b),
	}, nil
}

// hear makes the call once.
func (c *Client) hear(ctx context.Context, r speech.Request, show func(string) error) (speech.Transcript, *failure) {
	h := c.hears()
	form, err := c.form(r, h, show != nil && h.stream)
	if err != nil {
		return speech.Transcript{}, &failure{err: fault.Wrap(fault.Internal, fmt.Errorf("prepare a recording: %w",
			err), sayInternal)}
	}
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	g := newGuard(0, cancel)
	defer g.stop()
	var res *http.Response
	_, err = c.audio.New(inner, sdk.AudioTranscriptionNewParams{},
		option.WithRequestBody(form.kind, form.body),
		option.WithResponseBodyInto(&res),
		option.WithMiddleware(func(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
			// Some servers take no body of unknown length.
			req.ContentLength = form.size
			res, err := next(req)
			if err == nil {
				if g.watch(res); isStream(res) {
					g.patience(c.idle)
				}
			}
			return res, err
		}))
	switch {
	case res != nil && res.StatusCode >= 300:
		var body []byte
		if res.StatusCode >= 400 {
			body, _ = io.ReadAll(io.LimitReader(res.Body, 1<<20))
		}
		return speech.Transcript{}, unheard(res.StatusCode, c.refused(res.StatusCode, res.Header, body))
	case err != nil:
		return speech.Transcript{}, lost(ctx, context.Cause(inner), err)
	}
	var w transcription
	if isStream(res) {
		err = w.readStream(res, show)
	} else {
		err = w.readWhole(res.Body)
	}
	if w.refused != nil {
		return speech.Transcript{}, unheard(0, c.refused(0, res.Header, w.refused))
	}
	if w.shown != nil {
		return speech.Transcript{}, &failure{err: w.shown}
	}
	if _, ok := errors.AsType[*unreadable](err); ok {
		return speech.Transcript{}, broken(fmt.Errorf("read a transcript of %s: %w",
			c.hide(res.Header.Get("Content-Type")), err))
	}
	if err != nil {
		return speech.Transcript{}, lost(ctx, context.Cause(inner), err)
	}
	return w.transcript(c.model), nil
}

// unheard gives what a provider refused the sentences that fit a recording.
func unheard(status int, f *failure) *failure {
	switch status {
	case http.StatusBadRequest, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity:
		f.err = fault.Wrap(fault.Unprocessable, f.err, sayUnheard).WithCode("audio_unheard")
	case http.StatusRequestEntityTooLarge:
		f.err = fault.Wrap(fault.TooLarge, f.err, sayTooHeavy)
	}
	return f
}

// transcription is the provider's answer, in any of its forms.
type transcription struct {
	Text     *string `json:"text"`
	Language string  `json:"language"`
	Segments []struct {
		Start    float64 `json:"start"`
		End      float64 `json:"end"`
		Text     string  `json:"text"`
		LogProb  float64 `json:"avg_logprob"`
		NoSpeech float64 `json:"no_speech_prob"`
	} `json:"segments"`
	LogProbs []struct {
		LogProb float64 `json:"logprob"`
	} `json:"logprobs"`
	Duration float64 `json:"duration"`
	Usage    struct {
		Type    string  `json:"type"`
		In      int     `json:"input_tokens"`
		Out     int     `json:"output_tokens"`
		Seconds float64 `json:"seconds"`
	} `json:"usage"`
	refused json.RawMessage
	shown   error // what show returned
}

func (t *transcription) readWhole(body io.Reader) error {
	raw, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, t); err != nil {
		return &unreadable{err}
	}
	if t.Text == nil {
		return &unreadable{errEmpty}
	}
	return nil
}

// readStream reads deltas up to transcript.text.done, without which it is not
// known whether more was said.
func (t *transcription) readStream(res *http.Response, show func(string) error) error {
	events := ssestream.NewDecoder(res)
	for events.Next() {
		event := events.Event()
		var head struct {
			Type  string          `json:"type"`
			Delta string          `json:"delta"`
			Error json.RawMessage `json:"error"`
		}
		data := bytes.TrimSpace(event.Data)
		if bytes.HasPrefix(data, []byte("[DONE]")) {
			break
		}
		if err := json.Unmarshal(data, &head); err != nil {
			return &unreadable{err}
		}
		switch {
		case event.Type == "error" || head.Type == "error" || len(head.Error) > 0 && !isNull(head.Error):
			t.refused = bytes.Clone(data)
			return nil
		case head.Type == "transcript.text.delta" && show != nil:
			if t.shown = show(head.Delta); t.shown != nil {
				return t.shown
			}
		case head.Type == "transcript.text.done":
			if err := json.Unmarshal(data, t); err != nil {
				return &unreadable{err}
			}
			if t.Text == nil {
				return &unreadable{errEmpty}
			}
			return nil
		}
	}
	if err := events.Err(); err != nil {
		return err
	}
	return &unreadable{errors.New("the transcript ended without its end")}
}

func (t *transcription) transcript(model string) speech.Transcript {
	out := speech.Transcript{Text: *t.Text, Language: t.Language, Model: model, Usage: llm.Usage{In: t.Usage.In,
		Out: t.Usage.Out, Calls: 1}}
	if t.Usage.In == 0 {
		out.Usage.In = int(math.Ceil(max(t.Usage.Seconds, t.Duration))) * speech.TokensPerSecond
	}
	for _, s := range t.Segments {
		out.Segments = append(out.Segments, speech.Segment{Start: s.Start, End: s.End, Text: s.Text,
			LogProb: s.LogProb, NoSpeech: s.NoSpeech})
	}
	if len(t.LogProbs) > 0 {
		sum := 0.0
		for _, p := range t.LogProbs {
			sum += p.LogProb
		}
		mean := sum / float64(len(t.LogProbs))
		out.LogProb = &mean
	}
	return out
}
