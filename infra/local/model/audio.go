package model

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"path"
	"slices"
	"strings"
)

// audioLimit is the provider's, for the file; the form around it is small.
const audioLimit = 25 << 20

// heard is one request for a transcript.
type heard struct {
	model, form string
	stream      bool
	file        []byte
	extension   string
}

// transcriptions answers as the provider does, whole or as a stream. It cannot
// hear, and the text of every transcript says so: what arrived, and what to do.
func (s *Server) transcriptions(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		refuse(w, &apiError{Status: http.StatusMethodNotAllowed, Message: "This path takes POST only.",
			Code: "method_not_supported"})
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, audioLimit+1<<20)
	in, err := readHeard(r)
	if err != nil {
		refuse(w, err)
		s.log.Info().Str("path", r.URL.Path).Err(err).Msg("model refused a request")
		return
	}
	text := fmt.Sprintf("This is the built-in stand-in, which cannot hear. It received a recording in %s of %d "+
		"bytes%s. Please type instead.",
		in.extension, len(in.file), in.lasting())
	spent := map[string]any{"type": "tokens", "input_tokens": tokens(len(in.file)) / 100,
		"output_tokens": tokens(len(text)),
		"total_tokens":  tokens(len(in.file))/100 + tokens(len(text))}
	s.log.Info().Str("path", r.URL.Path).Int("bytes", len(in.file)).Msg("model answered")
	in.answer(w, text, spent)
}

func (h heard) answer(w http.ResponseWriter, text string, spent map[string]any) {
	whisper := strings.Contains(h.model, "whisper")
	length := h.seconds()
	switch {
	case h.stream && !whisper:
		w.Header().Set("Content-Type", "text/event-stream")
		for _, piece := range pieces(text) {
			event(w, map[string]any{"type": "transcript.text.delta", "delta": piece})
		}
		event(w, map[string]any{"type": "transcript.text.done", "text": text, "usage": spent})
		_, _ = io.WriteString(w, "data: [DONE]\n\n")
	case h.form == "text":
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, text+"\n")
	case h.form == "verbose_json":
		writeJSON(w, http.StatusOK, map[string]any{"task": "transcribe", "language": "english", "duration": length,
			"text": text,
			"segments": []map[string]any{{"id": 0, "seek": 0, "start": 0, "end": length, "text": " " + text,
				"tokens": []int{}, "temperature": 0,
				"avg_logprob": -0.1, "compression_ratio": 1, "no_speech_prob": 0.01}},
			"usage": map[string]any{"type": "duration", "seconds": math.Ceil(length)}})
	case whisper:
		writeJSON(w, http.StatusOK, map[string]any{"text": text, "usage": map[string]any{"type": "duration",
			"seconds": math.Ceil(length)}})
	default:
		writeJSON(w, http.StatusOK, map[string]any{"text": text, "usage": spent})
	}
}

func event(w http.ResponseWriter, v any) {
	_, _ = io.WriteString(w, "data: ")
	encoded(w, v)
	_, _ = io.WriteString(w, "\n")
	_ = http.NewResponseController(w).Flush()
}

// readHeard checks a form as the provider does.
func readHeard(r *http.Request) (heard, error) {
	form, err := r.MultipartReader()
	if err != nil {
		return heard{}, invalid("", "", "The body must be multipart/form-data.")
	}
	h := heard{form: "json"}
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return h, h.check()
		}
		if err != nil {
			return heard{}, invalid("", "", "The form is not whole.")
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return heard{}, invalid("", "", "The form is too large or was cut off.")
		}
		switch part.FormName() {
		case "file":
			h.file, h.extension = value, strings.TrimPrefix(path.Ext(part.FileName()), ".")
		case "model":
			h.model = string(value)
		case "response_format":
			h.form = string(value)
		case "stream":
			h.stream = string(value) == "true"
		}
	}
}

func (h heard) check() error {
	forms := []string{"json"}
	if strings.Contains(h.model, "whisper") {
		forms = []string{"json", "text", "verbose_json"}
	}
	switch {
	case h.model == "":
		return invalid("model", "missing_required_parameter", "you must provide a model parameter")
	case h.file == nil:
		return invalid("file", "missing_required_parameter", "you must provide a file")
	case len(h.file) > audioLimit:
		return &apiError{Status: http.StatusRequestEntityTooLarge,
			Message: "Maximum content size limit (26214400) exceeded."}
	case !slices.Contains([]string{"flac", "m4a", "mp3", "mp4", "mpeg", "mpga", "oga", "ogg", "wav", "webm"},
		h.extension):
		return invalid("file", "unsupported_format", "Unrecognized file format.")
	case len(h.file) == 0:
		return invalid("file", "", "The audio file could not be decoded.")
	case !slices.Contains(forms, h.form):
		return invalid("response_format", "unsupported_value", "response_format %q is not compatible with model %q.",
			h.form, h.model)
	}
	return nil
}

// seconds is how long a plain WAV file is, 0 for others: the stand-in decodes
// nothing.
func (h heard) seconds() float64 {
	if h.extension != "wav" || len(h.file) < 44 {
		return 0
	}
	perSecond := binary.LittleEndian.Uint32(h.file[28:])
	if perSecond == 0 {
		return 0
	}
	return float64(len(h.file)-44) / float64(perSecond)
}

func (h heard) lasting() string {
	if s := h.seconds(); s > 0 {
		return fmt.Sprintf(" and %.1f seconds", s)
	}
	return ""
}
