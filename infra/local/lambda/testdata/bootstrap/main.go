// Command bootstrap is a small function for tests of both ends: the endpoint in
// pkg/boot/lambda and the Runtime API that stands in for Lambda's.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/boot/lambda"
)

func main() {
	if os.Getenv("FAIL_INIT") != "" {
		fmt.Println("SETTING_X is missing")
		os.Exit(3)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/echo", echo)
	mux.HandleFunc("/stream", stream)
	mux.HandleFunc("/panic", func(http.ResponseWriter, *http.Request) { panic("early") })
	mux.HandleFunc("/panic-late", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "half of it")
		panic("late")
	})
	mux.HandleFunc("/empty", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/hang", func(http.ResponseWriter, *http.Request) { select {} })
	mux.HandleFunc("/exit", func(http.ResponseWriter, *http.Request) { os.Exit(7) })
	mux.HandleFunc("/meet", func(w http.ResponseWriter, r *http.Request) {
		meet(r.URL.Query().Get("at"))
		fmt.Fprint(w, os.Getpid())
	})
	mux.HandleFunc("/big", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 7<<20)) })
	mux.HandleFunc("/env", func(w http.ResponseWriter,
		_ *http.Request) {
		_ = json.NewEncoder(w).Encode(os.Environ())
	})
	lambda.Start(mux, lambda.Options{Streaming: os.Getenv("STREAMING") != "", Direct: direct})
}

func direct(_ context.Context, event json.RawMessage) (any, error) {
	var e struct{ Do string }
	_ = json.Unmarshal(event, &e)
	switch e.Do {
	case "panic":
		panic("direct")
	case "fail":
		return nil, errors.New("the work failed")
	}
	return map[string]any{"pid": os.Getpid(), "event": event}, nil
}

func echo(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(err)
	}
	deadline, _ := r.Context().Deadline()
	w.Header().Add("Set-Cookie", "a=1")
	w.Header().Add("Set-Cookie", "b=2")
	w.Header().Add("Vary", "Origin")
	w.Header().Add("Vary", "Cookie")
	w.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(w).Encode(map[string]any{
		"method": r.Method, "uri": r.RequestURI, "path": r.URL.Path, "query": r.URL.RawQuery, "host": r.Host,
		"remote": r.RemoteAddr, "cookie": r.Header.Get("Cookie"), "accept": r.Header.Values("Accept"),
		"size": len(body), "sum": sum(body), "left": time.Until(deadline).Milliseconds(), "pid": os.Getpid(),
	})
}

// stream sends one chunk, and the second only when the reader has told the
// address in the query that it saw the first.
func stream(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, "first\n")
	_ = http.NewResponseController(w).Flush()
	meet(r.URL.Query().Get("at"))
	_, _ = io.WriteString(w, "second\n")
}

// meet returns when the test lets it.
func meet(address string) {
	resp, err := http.Get(address)
	if err != nil {
		panic(err)
	}
	_ = resp.Body.Close()
}

func sum(body []byte) (total int) {
	for _, b := range body {
		total += int(b)
	}
	return total
}
