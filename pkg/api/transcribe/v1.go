package transcribe

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"

	v1 "github.com/bellhop-ai/bellhop/pkg/api/v1"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/speech"
	"github.com/bellhop-ai/bellhop/pkg/stream"
	"github.com/bellhop-ai/bellhop/pkg/work"
)

// verbose is the response_format with times, of OpenAI's form alone.
const verbose = "verbose_json"

// transcriptions answers POST /api/v1/audio/transcriptions: a transcript as any
// other, in the form of OpenAI's API.
func (h *Handler) transcriptions(w http.ResponseWriter, r *http.Request) {
	by, in, err := h.admit(w, r, h.readTranscription)
	if err != nil {
		v1.Fail(w, r, err)
		return
	}
	if in.stream {
		_, err := stream.Serve(r.Context(), w, transcriptEvents{}, httpx.RequestID(r.Context()), stream.Keep{},
			func(ctx context.Context, send func(stream.Event) error) error {
				out, err := h.listen(ctx, by, in, func(text string) error {
					return send(stream.Event{Name: "transcript_chunk", Data: chunk{text}})
				})
				if err != nil {
					return err
				}
				return send(stream.Event{Name: stream.Complete, Data: out})
			})
		if err != nil {
			httpx.Note(r.Context(), err)
		}
		return
	}
	out, err := h.listen(r.Context(), by, in, nil)
	switch {
	case err != nil:
		v1.Fail(w, r, err)
	case in.form == "json":
		httpx.JSON(w, http.StatusOK, out.transcription())
	case in.form == verbose:
		httpx.JSON(w, http.StatusOK, out.verbose())
	default:
		out.write(w, in.form)
	}
}

// readTranscription takes a request from a form of OpenAI's API.
func (h *Handler) readTranscription(w http.ResponseWriter, r *http.Request, _ identity.Caller) (request, error) {
	if r.ContentLength > speech.MaxBytes+around {
		return request{}, v1.Member("file", speech.TooLarge())
	}
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" {
		return request{}, v1.Member("file", fault.New(fault.Invalid,
			"Send the recording as the field file of a form (multipart/form-data)."))
	}
	r.Body = http.MaxBytesReader(w, r.Body, speech.MaxBytes+around)
	given := map[string]string{}
	recording, err := readForm(multipart.NewReader(r.Body, params["boundary"]), given)
	if err != nil {
		return request{}, v1.Member("file", err)
	}
	in, err := h.askedTranscription(given)
	if err != nil {
		return request{}, err
	}
	if in.Recording, err = speech.Inspect(work.ForFile(r.Context()), recording); err != nil {
		return request{}, v1.Member("file", err)
	}
	return in, nil
}

// askedTranscription reads what stands beside the recording, and refuses what is
// asked for and would not come. The model's name is not read: the operator chooses
// the model.
func (h *Handler) askedTranscription(given map[string]string) (request, error) {
	in := request{form: "json", stream: given["stream"] == "true"}
	var err error
	if in.Request, err = spoken(given); err != nil {
		return request{}, err
	}
	switch form := given["response_format"]; form {
	case "":
	case "json", "text", "srt", "vtt":
		in.form = form
	case verbose:
		if t, ok := h.cfg.Speech.(speech.Timer); !ok || !t.TellsTimes() {
			return request{}, v1.Unsupported("response_format", "The speech model of this server returns no segments "+
				"with times. Ask for json, text, srt or vtt.")
		}
		in.form = form
	default:
		return request{}, v1.Unsupported("response_format", "The response_format must be json, text, srt, vtt or "+
			"verbose_json.")
	}
	// PHP and npm clients write a list's name with brackets, others without.
	for _, name := range []string{"timestamp_granularities", "timestamp_granularities[]"} {
		for value := range strings.SplitSeq(given[name], ",") {
			if value != "" && (value != "segment" || in.form != verbose) {
				return request{}, v1.Unsupported("timestamp_granularities", "There are times of segments, with "+
					"verbose_json, and none of words.")
			}
		}
	}
	if given["include"] != "" || given["include[]"] != "" {
		return request{}, v1.Unsupported("include", "Nothing more can be included: there are no log probabilities.")
	}
	if in.stream && in.form != "json" {
		return request{}, v1.Unsupported("stream", "Only the json form can be streamed.")
	}
	return in, nil
}

// transcription is an answer in OpenAI's form.
type transcription struct {
	Text  string             `json:"text"`
	Usage transcriptionUsage `json:"usage"`
	// Bellhop has the values for which OpenAI's form has no member.
	Bellhop transcriptionExtra `json:"bellhop"`
}

// transcriptionUsage counts tokens.
type transcriptionUsage struct {
	Type   string `json:"type"` // always tokens
	Input  int    `json:"input_tokens"`
	Output int    `json:"output_tokens"`
	Total  int    `json:"total_tokens"`
}

// transcriptionExtra says whose words these are, and whether there are any.
type transcriptionExtra struct {
	Source string `json:"source"`
	Silent bool   `json:"silent"`
	Note   string `json:"note,omitempty"`
	Model  string `json:"model,omitempty"`
}

// transcriptionVerbose is an answer with times.
type transcriptionVerbose struct {
	Task     string    `json:"task"` // always transcribe
	Language string    `json:"language"`
	Duration float64   `json:"duration"` // seconds
	Segments []segment `json:"segments"`

	Text    string             `json:"text"`
	Usage   transcriptionUsage `json:"usage"`
	Bellhop transcriptionExtra `json:"bellhop"`
}

// segment is a piece of a transcript with times in seconds. OpenAI's seek,
// temperature, tokens and compression_ratio are not kept.
type segment struct {
	ID       int     `json:"id"`
	Start    float64 `json:"start"`
	End      float64 `json:"end"`
	Text     string  `json:"text"`
	LogProb  float64 `json:"avg_logprob"`
	NoSpeech float64 `json:"no_speech_prob"`
}

func (a answer) transcription() transcription {
	return transcription{Text: a.Text,
		Usage:   transcriptionUsage{"tokens", a.Usage.Input, a.Usage.Output, a.Usage.Total},
		Bellhop: transcriptionExtra{a.Source, a.Silent, a.Note, a.Model}}
}

func (a answer) verbose() transcriptionVerbose {
	t := a.transcription()
	out := transcriptionVerbose{Task: "transcribe", Language: a.Language, Duration: a.Duration, Segments: []segment{},
		Text: t.Text, Usage: t.Usage, Bellhop: t.Bellhop}
	for i, s := range a.Segments {
		out.Segments = append(out.Segments, segment{i, s.Start, s.End, s.Text, s.LogProb, s.NoSpeech})
	}
	return out
}

// transcriptEvents encodes a transcript as the events of OpenAI's stream.
type transcriptEvents struct{}

// Head says that events follow.
func (transcriptEvents) Head(h http.Header) {
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
}

// Copy returns the encoding, which keeps nothing.
func (e transcriptEvents) Copy() stream.Encoding { return e }

// Encode returns the frame of an event.
func (transcriptEvents) Encode(ev stream.Event) ([]byte, error) {
	var v any
	switch data := ev.Data.(type) {
	case chunk:
		v = map[string]string{"type": "transcript.text.delta", "delta": data.Text}
	case answer:
		v = struct {
			Type string `json:"type"`
			transcription
		}{"transcript.text.done", data.transcription()}
	case map[string]stream.Problem:
		v = data["error"].APIError()
	default:
		return nil, errors.New("a transcript has no such event")
	}
	var b strings.Builder
	b.WriteString("data: ")
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	_, _ = io.WriteString(&b, "\n")
	return []byte(b.String()), nil
}
