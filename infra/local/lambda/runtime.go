package lambda

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

const (
	streamType      = "application/vnd.awslambda.http-integration-response"
	errorTypeHeader = "Lambda-Runtime-Function-Error-Type"
	errorBodyHeader = "Lambda-Runtime-Function-Error-Body"

	// maxPrelude bounds status and headers of a streamed answer.
	maxPrelude = 256 << 10
)

// separator ends the prelude of a streamed answer.
var separator = make([]byte, 8)

// runtimeAPI is the Runtime API as this one instance sees it.
func (in *instance) runtimeAPI() http.Handler {
	mux := http.NewServeMux()
	const api = "/2018-06-01/runtime"
	mux.HandleFunc("GET "+api+"/invocation/next", in.next)
	mux.HandleFunc("POST "+api+"/invocation/{id}/response", in.response)
	mux.HandleFunc("POST "+api+"/invocation/{id}/error", in.failure)
	mux.HandleFunc("POST "+api+"/init/error", in.initFailure)
	return mux
}

// next ends the invocation in hand and waits for another.
func (in *instance) next(w http.ResponseWriter, r *http.Request) {
	in.mu.Lock()
	last := in.current
	in.current = nil
	if !in.ready {
		in.ready = true
		in.init = time.Since(in.began)
		close(in.asked)
	}
	in.mu.Unlock()
	if last != nil {
		last.settle(answer{err: &FunctionError{Type: "Runtime.NoResponse",
			Message: "the function asked for the next event without an answer to this one"}})
		close(last.done)
	}
	select {
	case inv := <-in.work:
		in.mu.Lock()
		in.current = inv
		in.mu.Unlock()
		h := w.Header()
		h.Set("Content-Type", "application/json")
		h.Set("Lambda-Runtime-Aws-Request-Id", inv.id)
		h.Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(inv.deadline.UnixMilli(), 10))
		h.Set("Lambda-Runtime-Invoked-Function-Arn", in.arn)
		h.Set("Lambda-Runtime-Trace-Id", traceID(inv.id, time.Now()))
		_, _ = w.Write(inv.payload)
	case <-r.Context().Done():
	}
}

// held returns the invocation in hand when its id is the one in the path.
func (in *instance) held(w http.ResponseWriter, r *http.Request) *invocation {
	in.mu.Lock()
	inv := in.current
	in.mu.Unlock()
	if inv == nil || inv.id != r.PathValue("id") {
		reply(w, http.StatusBadRequest, map[string]string{"errorType": "InvalidRequestID",
			"errorMessage": "Invalid request ID"})
		return nil
	}
	return inv
}

func (in *instance) response(w http.ResponseWriter, r *http.Request) {
	inv := in.held(w, r)
	if inv == nil {
		return
	}
	if r.Header.Get("Content-Type") == streamType ||
		r.Header.Get("Lambda-Runtime-Function-Response-Mode") == "streaming" {
		in.stream(w, r, inv)
		return
	}
	payload, err := io.ReadAll(io.LimitReader(r.Body, maxAnswer+1))
	if err != nil {
		return // the process died; supervise settles the invocation
	}
	if failed := trailerError(r.Trailer); failed != nil {
		inv.settle(answer{err: failed})
		accept(w)
		return
	}
	if len(payload) > maxAnswer {
		inv.settle(answer{err: &FunctionError{Type: "Function.ResponseSizeTooLarge", Message: fmt.Sprintf(
			"Response payload size exceeded maximum allowed payload size (%d bytes).", maxAnswer)}})
		reply(w, http.StatusRequestEntityTooLarge, map[string]string{"errorType": "RequestEntityTooLarge",
			"errorMessage": "Exceeded maximum allowed payload size"})
		return
	}
	if !inv.settle(answer{payload: payload}) {
		reply(w, http.StatusBadRequest, map[string]string{"errorType": "InvalidStateTransition",
			"errorMessage": "the invocation has its answer"})
		return
	}
	accept(w)
}

// stream passes an answer on while it is being written. It reads to the end
// even when the rest is not wanted, as Lambda does.
func (in *instance) stream(w http.ResponseWriter, r *http.Request, inv *invocation) {
	body := bufio.NewReaderSize(r.Body, 64<<10)
	prelude, err := readPrelude(body)
	if err != nil {
		failed := trailerError(r.Trailer)
		if failed == nil {
			failed = &FunctionError{Type: "Runtime.BadPrelude", Message: err.Error()}
		}
		inv.settle(answer{err: failed})
		accept(w)
		return
	}
	read, write := io.Pipe()
	inv.mu.Lock()
	inv.body = write
	inv.mu.Unlock()
	if !inv.settle(answer{payload: prelude, body: read}) {
		_ = read.Close()
	}
	sent, err := io.Copy(write, io.LimitReader(body, maxStream+1))
	if err != nil {
		_, err = io.Copy(io.Discard, body)
	} else if sent > maxStream {
		_ = write.CloseWithError(&FunctionError{Type: "Function.ResponseSizeTooLarge",
			Message: "the stream is larger than 200 MB"})
		_, err = io.Copy(io.Discard, body)
	}
	switch failed := trailerError(r.Trailer); {
	case failed != nil:
		in.log("%s broke its stream off: %v", in.name, failed)
		_ = write.CloseWithError(failed)
	case err != nil:
		_ = write.CloseWithError(err)
	default:
		_ = write.Close()
	}
	accept(w)
}

// readPrelude returns what stands before the first eight zero bytes. JSON has
// no zero bytes, so the first one begins them.
func readPrelude(body *bufio.Reader) ([]byte, error) {
	var prelude bytes.Buffer
	for {
		c, err := body.ReadByte()
		if err != nil {
			return nil, errors.New("the streamed answer ended within its prelude")
		}
		if c == 0 {
			break
		}
		if prelude.Len() == maxPrelude {
			return nil, fmt.Errorf("the prelude of the streamed answer is larger than %d bytes", maxPrelude)
		}
		prelude.WriteByte(c)
	}
	rest := make([]byte, len(separator)-1)
	if _, err := io.ReadFull(body, rest); err != nil || !bytes.Equal(rest, separator[1:]) {
		return nil, errors.New("the prelude of the streamed answer does not end in eight zero bytes")
	}
	return prelude.Bytes(), nil
}

// trailerError returns the failure that a runtime reports after a body.
func trailerError(trailer http.Header) *FunctionError {
	kind := trailer.Get(errorTypeHeader)
	if kind == "" {
		return nil
	}
	failed := &FunctionError{}
	if text, err := base64.StdEncoding.DecodeString(trailer.Get(errorBodyHeader)); err == nil {
		_ = json.Unmarshal(text, failed)
	}
	failed.Type = kind
	return failed
}

func (in *instance) failure(w http.ResponseWriter, r *http.Request) {
	inv := in.held(w, r)
	if inv == nil {
		return
	}
	failed := readError(r)
	in.log("%s failed: %v", in.name, failed)
	inv.settle(answer{err: failed})
	accept(w)
}

func (in *instance) initFailure(w http.ResponseWriter, r *http.Request) {
	failed := readError(r)
	in.mu.Lock()
	in.initErr = failed
	in.mu.Unlock()
	accept(w)
}

func readError(r *http.Request) *FunctionError {
	failed := &FunctionError{}
	_ = json.NewDecoder(io.LimitReader(r.Body, maxPrelude)).Decode(failed)
	if failed.Type == "" {
		failed.Type = r.Header.Get(errorTypeHeader)
	}
	return failed
}

func accept(w http.ResponseWriter) {
	reply(w, http.StatusAccepted, map[string]string{"status": "OK"})
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// traceID looks like an X-Ray trace that was not sampled.
func traceID(id string, now time.Time) string {
	digest := sha256.Sum256([]byte(id))
	return fmt.Sprintf("Root=1-%08x-%x;Sampled=0", now.Unix(), digest[:12])
}
