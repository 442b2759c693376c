// Package model is an OpenAI-compatible server that needs no key and holds no
// language model. It reads the offered tools and the conversation, picks and
// fills a tool by the words that were used, and answers from tool results. It
// is for a laptop and for tests: the same conversation always gets the same
// answer, it knows no hotel, no traveller and no company, and it says what it
// is when asked.
//
// There is one planner and a front for each wire format: a front decodes and
// checks a request, hands the conversation to the planner, and writes the
// decision that comes back, whole or as a stream. What is streamed is the whole
// answer cut into pieces, so both forms always say the same.
package model

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"
)

// Name is the model id that the server lists and answers with. Requests may name
// any model: the same rules answer, and say under their own name that they did.
const Name = "bellhop-stand-in"

// bodyLimit is far above any prompt of ours and keeps a runaway client from
// filling the laptop's memory.
const bodyLimit = 32 << 20

// Config is what a server needs to know. Every field may be left out.
type Config struct {
	// Now gives the time for "created" and, where the prompt names no date,
	// for words such as "tomorrow". It defaults to time.Now.
	Now func() time.Time

	// Domains say what people say to the agents of an assistant. A router whose
	// agents one of them knows is compared with its sentences, too.
	Domains []Domain

	// Log receives one line per request: path, status, tokens, never text.
	// The zero value logs nothing.
	Log zerolog.Logger
}

// Server is the stand-in as an http.Handler. It is safe for concurrent use.
// Between requests it remembers recent prompts, to report how many tokens a
// provider would have served from its prompt cache, and what it computed from
// prompts and tools, which answers the same and sooner.
type Server struct {
	now    func() time.Time
	log    zerolog.Logger
	engine engine
	cache  promptCache
	mux    *http.ServeMux
}

// New returns a server with the OpenAI paths under /v1. No Authorization
// header is needed, and one that is sent is neither read nor logged.
func New(cfg Config) *Server {
	s := &Server{now: cfg.Now, log: cfg.Log, mux: http.NewServeMux()}
	s.engine.domains, s.engine.lexicon = cfg.Domains, newLexicon(cfg.Domains)
	for _, d := range cfg.Domains {
		s.engine.agents = append(s.engine.agents, s.engine.indexAgents(d))
		s.engine.taught = append(s.engine.taught, sync.OnceValue(func() *learned { return s.engine.learn(d) }))
	}
	if s.now == nil {
		s.now = time.Now
	}
	s.mux.HandleFunc("/v1/chat/completions", s.post(s.chat))
	s.mux.HandleFunc("/v1/responses", s.post(s.responses))
	s.mux.HandleFunc("/v1/audio/transcriptions", s.transcriptions)
	s.mux.HandleFunc("/v1/models", s.models)
	s.mux.HandleFunc("/v1/models/{id}", s.models)
	s.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, &apiError{Status: http.StatusNotFound, Message: "There is nothing at " + r.Method + " " +
			r.URL.Path + ".", Code: "unknown_url"})
	})
	return s
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// post wraps a front that takes a JSON body: it reads the body once, answers
// every failure as an OpenAI error, and writes the log line.
func (s *Server) post(front func(http.ResponseWriter, []byte) (usage, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			refuse(w, &apiError{Status: http.StatusMethodNotAllowed, Message: "This path takes POST only.",
				Code: "method_not_supported"})
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyLimit))
		if err != nil {
			refuse(w, &apiError{Status: http.StatusRequestEntityTooLarge,
				Message: "The request body is too large or was cut off."})
			return
		}
		spent, err := front(w, body)
		if err != nil {
			refuse(w, err)
			s.log.Info().Str("path", r.URL.Path).Err(err).Msg("model refused a request")
			return
		}
		s.log.Info().Str("path", r.URL.Path).Int("in", spent.prompt).Int("cached", spent.cached).Int("out",
			spent.completion).Msg("model answered")
	}
}

func (s *Server) models(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", http.MethodGet)
		refuse(w, &apiError{Status: http.StatusMethodNotAllowed, Message: "This path takes GET only.",
			Code: "method_not_supported"})
		return
	}
	type card struct {
		ID      string `json:"id"`
		Object  string `json:"object"`
		Created int64  `json:"created"`
		OwnedBy string `json:"owned_by"`
	}
	one := card{ID: Name, Object: "model", Created: 0, OwnedBy: "bellhop"}
	switch id := r.PathValue("id"); id {
	case "":
		writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": []card{one}})
	case Name:
		writeJSON(w, http.StatusOK, one)
	default:
		refuse(w, &apiError{Status: http.StatusNotFound, Message: "There is no model " + id + " here.", Param: "model",
			Code: "model_not_found"})
	}
}

// digest derives an id from what it names, so that ids are unique and yet the
// same for the same request.
func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:12])
}

// pieces cuts text into word-sized parts that add up to it again.
func pieces(text string) []string {
	var out []string
	for len(text) > 0 {
		end := len(text)
		// A word keeps the blanks in front of it, as model tokens do.
		if i := strings.IndexFunc(text[1:], isBlank); i >= 0 {
			end = i + 1
			for end < len(text) && isBlank(rune(text[end-1])) && isBlank(rune(text[end])) {
				end++
			}
		}
		out = append(out, text[:end])
		text = text[end:]
	}
	return out
}

func isBlank(r rune) bool { return r == ' ' || r == '\n' || r == '\t' }

// chop cuts raw arguments into fragments of about a token each, never inside
// a UTF-8 sequence.
func chop(raw string) []string {
	var out []string
	for len(raw) > 0 {
		end := min(6, len(raw))
		for end < len(raw) && raw[end]&0xC0 == 0x80 {
			end++
		}
		out = append(out, raw[:end])
		raw = raw[end:]
	}
	return out
}

// sameStart returns the length of the longest common prefix of a and b.
func sameStart(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}
