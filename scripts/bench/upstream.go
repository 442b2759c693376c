package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/assistants/profiles"
)

// The model's addresses below the upstream: each is a script.
const (
	pathTurn  = "/turn/v1"  // router, then three answers with three tool calls
	pathPaced = "/paced/v1" // the same with a pause between the events
	pathLong  = "/long/v1"  // router, then words that say when they were sent
)

// Below the name of an assistant that ships; see scenario.scripts.
const (
	pathShort = "/short/v1" // router, then a plain answer
	pathDesk  = "/desk/v1"  // router, then one lookup, then a plain answer
)

// lastWords stand in the last of the model's answers only.
const lastWords = "are free, four months"

const pace = time.Millisecond

// Who asks, as the canned project knows it.
const (
	userID   = "3f0c5b52-54a1-4f57-9d0b-6b1f6f6c2a11"
	orgID    = "9a4f7a70-6a57-4d0e-8a32-0f7a51d9c3e4"
	entityID = "c1de3a7e-91a1-44a6-9f5d-2f4f5b8f7b21"

	conversationID = "5d0f7a51-d9c3-4c5f-9a70-9d0b6b1f6f6c"
)

// whoami returns what the project says of them: they have every assistant, and
// an entity of each kind.
func whoami() string {
	names, entities := []string{strconv.Quote(assistantName)}, ""
	kinds := []string{entityKind}
	for _, p := range profiles.All() {
		names = append(names, strconv.Quote(p.Name))
		if p.EntityKind != "" && !slices.Contains(kinds, p.EntityKind) {
			kinds = append(kinds, p.EntityKind)
		}
	}
	for i, kind := range kinds {
		if i > 0 {
			entities += ","
		}
		id := fmt.Sprintf("%s%02x", entityID[:len(entityID)-2], 0x21+i)
		entities += `{"id":"` + id + `","key":"` + strings.ToUpper(kind) + `","kind":"` + kind +
			`","name":"Sojourn Cabins","timeZone":"Asia/Kolkata","currency":"INR","locale":"en-IN"}`
	}
	return `{"user":"` + userID + `","name":"Mira","email":"mira@example.com","org":"` + orgID +
		`","orgName":"Sojourn","role":"manager","guarded":true,"assistants":[` + strings.Join(names, ",") +
		`],"entities":[` + entities + `]}`
}

// reply is one answer of the model in both forms.
type reply struct{ whole, events []byte }

// newUpstream is the model and the project. It decides by what stands after the
// last words of the person, reads nothing else, and makes no answer anew.
func newUpstream() http.Handler {
	steps := []reply{
		callReply(modelCall{toolName(0), `{"from":"2026-05-03","to":"2026-05-07","people":2}`}),
		callReply(modelCall{toolName(1), `{"item":"Deluxe","from":"2026-05-03","to":"2026-05-07"}`},
			modelCall{toolName(2), `{"item":"ACER","people":2}`}),
		textReply(),
	}
	short := textReply()
	buffers := sync.Pool{New: func() any { return new(bytes.Buffer) }}
	model := func(agent string, pause time.Duration, answer func(body []byte) reply) http.HandlerFunc {
		route := callReply(modelCall{"route_to_agent", `{"agent":"` + agent + `","reasoning":"asks for free items"}`})
		return func(w http.ResponseWriter, r *http.Request) {
			b := buffers.Get().(*bytes.Buffer)
			defer buffers.Put(b)
			b.Reset()
			if _, err := b.ReadFrom(r.Body); err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			a := route
			if !bytes.Contains(b.Bytes(), []byte(`"route_to_agent"`)) {
				a = answer(b.Bytes())
			}
			if bytes.Contains(b.Bytes(), []byte(`"stream":true`)) {
				writeEvents(w, a.events, pause)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(a.whole)
		}
	}
	turn := func(body []byte) reply {
		return steps[min((results(body)+1)/2, 2)]
	}
	mux, who := http.NewServeMux(), whoami()
	mux.HandleFunc("POST "+pathTurn+"/chat/completions", model("desk", 0, turn))
	mux.HandleFunc("POST "+pathPaced+"/chat/completions", model("desk", pace, turn))
	for _, s := range scenarios() {
		s.scripts(mux, func(agent string, answer func([]byte) reply) http.HandlerFunc {
			return model(agent, 0, answer)
		})
	}
	toDesk := model("desk", 0, func([]byte) reply { return short })
	mux.HandleFunc("POST "+pathLong+"/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if bytes.Contains(body, []byte(`"route_to_agent"`)) {
			r.Body = io.NopCloser(bytes.NewReader(body))
			toDesk(w, r)
			return
		}
		writeStamps(w)
	})
	mux.HandleFunc("/rest/v1/rpc/whoami", canned(who))
	begun := `{"who":` + who + `,"turn":{"outcome":"new","retryAfterMs":0,"frames":null,"steps":[]}`
	recorded := begun + `,"conversation":{"id":"` + conversationID +
		`","code":"#BE-0001","title":"Items in May","isNew":true,"projectId":"","messageCount":1}}`
	mux.HandleFunc("/rest/v1/rpc/turn_open", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		answer := begun + "}"
		if bytes.Contains(body, []byte(`"message":`)) {
			answer = recorded
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = io.WriteString(w, answer)
	})
	mux.HandleFunc("/rest/v1/rpc/turn_close", canned(`{"seq":2,"messageCount":2,"estimatedTokens":20}`))
	mux.HandleFunc("/rest/v1/rpc/turn_save", canned(`null`))
	mux.HandleFunc("/rest/v1/rpc/turn_finish", canned(`null`))
	return mux
}

// results counts the results of tools since the person spoke last.
func results(body []byte) int {
	asked := bytes.LastIndex(body, []byte(`"role":"user"`))
	return bytes.Count(body[max(asked, 0):], []byte(`"role":"tool"`))
}

func canned(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = io.WriteString(w, body)
	}
}

// writeEvents sends a stream, at once or an event at a time.
func writeEvents(w http.ResponseWriter, events []byte, pause time.Duration) {
	w.Header().Set("Content-Type", "text/event-stream")
	if pause == 0 {
		_, _ = w.Write(events)
		return
	}
	flush := http.NewResponseController(w)
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for event := range bytes.SplitAfterSeq(events, []byte("\n\n")) {
		if _, err := w.Write(event); err != nil || flush.Flush() != nil {
			return
		}
		<-tick.C
	}
}

// writeStamps streams words that are the time of their sending.
func writeStamps(w http.ResponseWriter) {
	w.Header().Set("Content-Type", eventStream)
	flush := http.NewResponseController(w)
	tick := time.NewTicker(streamPace)
	defer tick.Stop()
	for range streamEvents {
		stamp := strconv.FormatInt(time.Now().UnixNano(), 36)
		_, err := fmt.Fprintf(w, chunkHead+
			`{"index":0,"delta":{"content":"%s "},"logprobs":null,"finish_reason":null}],"usage":null}`+"\n\n", stamp)
		if err != nil || flush.Flush() != nil {
			return
		}
		<-tick.C
	}
	fmt.Fprint(w, chunkHead+`{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}],"usage":null}`+
		"\n\ndata: [DONE]\n\n")
}

const chunkHead = `data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1760000000,` +
	`"model":"bench-model","choices":[`

type modelCall struct{ name, arguments string }

const usageJSON = `{"prompt_tokens":2900,"completion_tokens":48,"total_tokens":2948,` +
	`"prompt_tokens_details":{"cached_tokens":2560}}`

func callReply(calls ...modelCall) reply {
	var whole, deltas []string
	for i, c := range calls {
		head := fmt.Sprintf(`"id":"call_%s_%d","type":"function","function":{"name":%q,"arguments":`, c.name, i,
			c.name)
		whole = append(whole, "{"+head+strconv.Quote(c.arguments)+"}}")
		deltas = append(deltas, fmt.Sprintf(`{"tool_calls":[{"index":%d,%s""}}]}`, i, head))
		// A provider sends arguments in pieces of about a token.
		for piece := c.arguments; piece != ""; {
			n := min(6, len(piece))
			deltas = append(deltas, fmt.Sprintf(`{"tool_calls":[{"index":%d,"function":{"arguments":%s}}]}`, i,
				strconv.Quote(piece[:n])))
			piece = piece[n:]
		}
	}
	return newReply(`{"role":"assistant","content":null,"tool_calls":[`+strings.Join(whole, ",")+`]}`, "tool_calls",
		deltas)
}

func textReply() reply {
	var text strings.Builder
	var deltas []string
	for i := range 40 {
		piece := []string{"Deluxe ", "and ACER ", "are free, ", "four months "}[i%4]
		text.WriteString(piece)
		deltas = append(deltas, `{"content":`+strconv.Quote(piece)+`}`)
	}
	return newReply(`{"role":"assistant","content":`+strconv.Quote(text.String())+`,"refusal":null}`, "stop", deltas)
}

func newReply(message, finish string, deltas []string) reply {
	const head = `{"id":"chatcmpl-bench","object":"chat.completion%s","created":1760000000,"model":"bench-model",` +
		`"system_fingerprint":"fp_bench","choices":[`
	var whole, events bytes.Buffer
	fmt.Fprintf(&whole, head+`{"index":0,"message":%s,"logprobs":null,"finish_reason":%q}],"usage":%s}`, "", message,
		finish, usageJSON)
	chunk := func(choices, usage string) {
		fmt.Fprintf(&events, "data: "+head+`%s],"usage":%s}`+"\n\n", ".chunk", choices, usage)
	}
	choice := `{"index":0,"delta":%s,"logprobs":null,"finish_reason":%s}`
	chunk(fmt.Sprintf(choice, `{"role":"assistant","content":"","refusal":null}`, "null"), "null")
	for _, d := range deltas {
		chunk(fmt.Sprintf(choice, d, "null"), "null")
	}
	chunk(fmt.Sprintf(choice, "{}", strconv.Quote(finish)), "null")
	chunk("", usageJSON)
	events.WriteString("data: [DONE]\n\n")
	return reply{whole: whole.Bytes(), events: events.Bytes()}
}
