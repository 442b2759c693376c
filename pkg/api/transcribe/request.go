package transcribe

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"

	v1 "github.com/bellhop-ai/bellhop/pkg/api/v1"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/speech"
	"github.com/bellhop-ai/bellhop/pkg/uploads"
	"github.com/bellhop-ai/bellhop/pkg/work"
)

const (
	// around is how much a form may have beside the recording.
	around = 64 << 10
	// longest is how many bytes a prompt may have: the models read 224 tokens.
	longest = 2000
	fields  = 16
)

// request is what a client asks for.
type request struct {
	speech.Request
	form   string // json, text, srt or vtt
	stream bool
}

// read takes a request from a form, from a body that is the recording itself,
// with the rest in the query, or from JSON that names an upload of by's.
func (h *Handler) read(w http.ResponseWriter, r *http.Request, by identity.Caller) (request, error) {
	if r.ContentLength > speech.MaxBytes+around {
		return request{}, speech.TooLarge()
	}
	r.Body = http.MaxBytesReader(w, r.Body, speech.MaxBytes+around)
	given := map[string]string{}
	var recording []byte
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err == nil && kind == "multipart/form-data":
		recording, err = readForm(multipart.NewReader(r.Body, params["boundary"]), given)
	case err == nil && (strings.HasPrefix(kind, "audio/") || strings.HasPrefix(kind, "video/") ||
		kind == "application/octet-stream" || kind == "application/ogg"):
		for _, name := range []string{"language", "prompt", "response_format", "stream"} {
			given[name] = r.URL.Query().Get(name)
		}
		recording, err = readSound(r.Body)
	case err == nil && kind == "application/json" && h.cfg.Files != nil:
		recording, err = h.readUpload(w, r, by, given)
	default:
		err = fault.New(fault.Invalid, "Send the recording as the field file of a form, or as the body with its "+
			"Content-Type.")
	}
	if err != nil {
		return request{}, err
	}
	in, err := asked(r, given)
	if err != nil {
		return request{}, err
	}
	in.Recording, err = speech.Inspect(work.ForFile(r.Context()), recording)
	return in, err
}

// readUpload returns a recording that was uploaded before, and the rest of what
// the body says in given.
func (h *Handler) readUpload(w http.ResponseWriter, r *http.Request, by identity.Caller,
	given map[string]string) ([]byte, error) {
	var body struct {
		Upload   string `json:"upload"`
		Language string `json:"language"`
		Prompt   string `json:"prompt"`
		Form     string `json:"response_format"`
		Stream   bool   `json:"stream"`
	}
	if _, err := httpx.ReadJSON(w, r, &body); err != nil {
		return nil, err
	}
	given["language"], given["prompt"], given["response_format"], given["stream"] = body.Language, body.Prompt,
		body.Form, strconv.FormatBool(body.Stream)
	f, err := h.cfg.Files.Complete(r.Context(), by, body.Upload)
	switch {
	case err != nil:
		return nil, err
	case f.Kind != uploads.Sound:
		return nil, fault.New(fault.Unprocessable, "“%s” is no recording.", f.Name).WithCode(speech.CodeNotAudio)
	case f.State == uploads.Refused:
		return nil, fault.New(fault.Unprocessable, "%s", f.Reason).WithCode("file_refused")
	}
	return h.cfg.Files.Content(r.Context(), by, f)
}

// asked reads what stands beside the recording.
func asked(r *http.Request, given map[string]string) (request, error) {
	accept := r.Header.Get("Accept")
	events := strings.Contains(accept, "text/event-stream") && !strings.Contains(accept, "application/json")
	in := request{form: "json", stream: events || given["stream"] == "true"}
	var err error
	if in.Request, err = spoken(given); err != nil {
		return request{}, err
	}
	switch form := given["response_format"]; form {
	case "":
	case "json", "text", "srt", "vtt":
		in.form = form
	default:
		return request{}, fault.New(fault.Invalid, "The response_format must be json, text, srt or vtt.")
	}
	if in.stream && in.form != "json" {
		return request{}, fault.New(fault.Invalid, "Only the json form can be streamed.")
	}
	return in, nil
}

// spoken reads what helps to understand a recording.
func spoken(given map[string]string) (speech.Request, error) {
	language, err := speech.Language(given["language"])
	if err != nil {
		return speech.Request{}, v1.Member("language", err)
	}
	if len(given["prompt"]) > longest {
		return speech.Request{}, v1.Member("prompt", fault.New(fault.Invalid, "The prompt is longer than %d bytes.",
			longest))
	}
	return speech.Request{Language: language, Prompt: given["prompt"]}, nil
}

// readForm reads the fields of a form into given and returns its file.
// Fields that we do not know are passed over, such as a model's name. The values of
// a list, whose name ends in [], are joined by commas.
func readForm(form *multipart.Reader, given map[string]string) ([]byte, error) {
	var recording []byte
	found := false
	for n := 0; ; n++ {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, unread(err)
		}
		if n == fields {
			return nil, fault.New(fault.Invalid, "The form has more than %d fields.", fields)
		}
		name := part.FormName()
		if name == "file" {
			if found {
				return nil, fault.New(fault.Invalid, "The form has more than one file.")
			}
			found = true
			if strings.EqualFold(strings.TrimSpace(part.Header.Get("Content-Transfer-Encoding")), "base64") {
				return nil, fault.New(fault.Invalid, "The file must be sent as it is, not as base64.")
			}
			if recording, err = readSound(part); err != nil {
				return nil, err
			}
			continue
		}
		value, err := io.ReadAll(io.LimitReader(part, longest+1))
		if err != nil {
			return nil, unread(err)
		}
		if before, again := given[name]; !again {
			given[name] = string(value)
		} else if strings.HasSuffix(name, "[]") {
			given[name] = before + "," + string(value)
		} else {
			return nil, fault.New(fault.Invalid, "The form has a field twice.")
		}
	}
	if !found {
		return nil, fault.New(fault.Invalid, "The form has no file.")
	}
	return recording, nil
}

// readSound reads a recording, one byte more than allowed at most.
func readSound(r io.Reader) ([]byte, error) {
	var b bytes.Buffer
	if _, err := b.ReadFrom(io.LimitReader(r, speech.MaxBytes+1)); err != nil {
		return nil, unread(err)
	}
	if b.Len() > speech.MaxBytes {
		return nil, speech.TooLarge()
	}
	return b.Bytes(), nil
}

func unread(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return speech.TooLarge()
	}
	return httpx.Unread(err)
}
