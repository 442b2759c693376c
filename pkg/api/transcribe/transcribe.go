// Package transcribe turns recordings into text. A recording is checked before
// anything is sent to a model, silence stays silence, and every answer says
// that its words were spoken: they can be read, but they confirm nothing.
package transcribe

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	v1 "github.com/bellhop-ai/bellhop/pkg/api/v1"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/speech"
	"github.com/bellhop-ai/bellhop/pkg/stream"
	"github.com/bellhop-ai/bellhop/pkg/uploads"
)

// Config is what the function needs; all of it is required but the limits.
type Config struct {
	// Identify returns the caller of a verified token, with the role that the
	// database knows now.
	Identify httpx.Identify
	Speech   speech.Transcriber
	NewID    func() string
	// Sessions opens a session with an API key at the address of OpenAI's form; nil
	// takes access tokens only.
	Sessions v1.Sessions
	// Files are people's uploads, for recordings that no body has room for; nil
	// takes none.
	Files Files
	// Gate and Meter bound how often and how much is transcribed; the zero
	// ones bound nothing. The meter names the model.
	Gate  limit.Gate
	Meter limit.Meter
}

// Files keeps recordings that were sent before.
type Files interface {
	// Complete returns a file of by's, once it was looked at.
	Complete(ctx context.Context, by identity.Caller, id string) (uploads.File, error)
	// Content returns the bytes of a file that is ready.
	Content(ctx context.Context, by identity.Caller, f uploads.File) ([]byte, error)
}

// Handler is the function's HTTP handler.
type Handler struct {
	cfg Config
	mux *http.ServeMux
}

// New returns the handler, or an error that names what is missing.
func New(cfg Config) (*Handler, error) {
	if cfg.Identify == nil || cfg.Speech == nil || cfg.NewID == nil {
		return nil, errors.New("transcribe: identities, a transcriber and ids are all required")
	}
	h := &Handler{cfg: cfg, mux: http.NewServeMux()}
	h.mux.HandleFunc("POST /api/transcribe", h.transcribe)
	h.mux.HandleFunc("POST /api/audio-transcribe", h.transcribe) // the finance front end's name of it
	h.mux.HandleFunc("POST /api/v1/audio/transcriptions", v1.Keyed(cfg.Sessions, h.transcriptions))
	h.mux.HandleFunc("/api/v1/", httpx.Otherwise(h.mux, v1.Fail))
	h.mux.HandleFunc("/", httpx.Otherwise(h.mux, httpx.Fail))
	return h, nil
}

// ServeHTTP answers at /api/transcribe, and at /api/v1/audio/transcriptions in
// OpenAI's form.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.mux.ServeHTTP(w, r) }

// answer is what was said in a recording.
type answer struct {
	Text     string           `json:"text"`
	Language string           `json:"language,omitempty"`
	Duration float64          `json:"duration"` // seconds, by the recording's own bytes
	Source   string           `json:"source"`   // always speech.Source
	Silent   bool             `json:"silent"`
	Note     string           `json:"note,omitempty"`
	Segments []speech.Segment `json:"segments,omitempty"`
	Usage    stream.Usage     `json:"usage"`
	Model    string           `json:"model,omitempty"` // none where none was asked

	said      speech.Transcript
	recording speech.Recording
}

const (
	sayStill  = "The recording is silent."
	sayNobody = "Nobody could be heard in the recording."
)

func (h *Handler) transcribe(w http.ResponseWriter, r *http.Request) {
	by, in, err := h.admit(w, r, h.read)
	if err != nil {
		httpx.Fail(w, r, err)
		return
	}
	if in.stream {
		id := httpx.RequestID(r.Context())
		_, err := stream.Serve(r.Context(), w, &stream.Encoder{Turn: id}, id, stream.Keep{},
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
	if err != nil {
		httpx.Fail(w, r, err)
		return
	}
	out.write(w, in.form)
}

// chunk is a piece of a transcript on its way.
type chunk struct {
	Text string `json:"text"`
}

// admit takes a request in: who asks, how often, and what read finds in it.
func (h *Handler) admit(w http.ResponseWriter, r *http.Request,
	read func(http.ResponseWriter, *http.Request, identity.Caller) (request, error)) (identity.Caller, request,
	error) {
	by, err := httpx.Admit(r, h.cfg.Identify, h.cfg.Gate)
	if err != nil {
		return identity.Caller{}, request{}, err
	}
	in, err := read(w, r, by)
	return by, in, err
}

// listen writes a recording down. show, if not nil, gets the pieces.
func (h *Handler) listen(ctx context.Context, by identity.Caller, in request, show func(string) error) (answer,
	error) {
	out := answer{Duration: in.Recording.Length.Seconds(), Source: speech.Source, recording: in.Recording}
	if in.Recording.Still {
		out.Silent, out.Note = true, sayStill
		return out, nil
	}
	var said speech.Transcript
	held := &speech.Held{Prompt: in.Prompt, Show: show}
	pieces := held.Say
	if show == nil {
		pieces = nil
	}
	// A minute of talk is hardly more than 300 tokens of text.
	seconds := int(in.Recording.Length.Seconds()) + 1
	most := limit.Estimate{Model: h.cfg.Meter.Model, In: seconds*speech.TokensPerSecond + len(in.Prompt)/3,
		Out: seconds*5 + 100}
	err := h.cfg.Meter.Spend(ctx, by, most, func() (string, llm.Usage, error) {
		var err error
		said, err = h.cfg.Speech.Transcribe(ctx, in.Request, pieces)
		return said.Model, said.Usage, err
	})
	if err != nil {
		return answer{}, err
	}
	out.said, out.Silent = speech.Believed(said, in.Prompt)
	if out.Silent {
		out.Note = sayNobody
	}
	if show != nil && !out.Silent {
		if err := held.End(out.said.Text); err != nil {
			return answer{}, err
		}
	}
	out.Text, out.Segments, out.Model = out.said.Text, out.said.Segments, said.Model
	out.Language = said.Language
	if in.Language != "" {
		out.Language = in.Language
	}
	out.Usage = stream.Usage{Input: said.Usage.In, Output: said.Usage.Out, Total: said.Usage.In + said.Usage.Out,
		Calls: said.Usage.Calls}
	return out, nil
}

// write answers in the form that was asked for. The forms without members say
// in headers what the JSON says in members.
func (a answer) write(w http.ResponseWriter, form string) {
	head := w.Header()
	head.Set("X-Transcript-Source", speech.Source)
	if a.Silent {
		head.Set("X-Transcript-Silent", "true")
	}
	kind, text := "text/plain; charset=utf-8", a.Text
	switch form {
	case "json":
		httpx.JSON(w, http.StatusOK, a)
		return
	case "srt":
		kind, text = "application/x-subrip; charset=utf-8", a.said.SRT(a.recording.Length)
	case "vtt":
		kind, text = "text/vtt; charset=utf-8", a.said.VTT(a.recording.Length)
	}
	head.Set("Content-Type", kind)
	head.Set("Cache-Control", "no-store")
	head.Set("X-Content-Type-Options", "nosniff")
	_, _ = io.Copy(w, strings.NewReader(text)) // the reader may have gone
}
