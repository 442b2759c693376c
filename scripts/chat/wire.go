package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// wire is the way to the server.
type wire struct {
	client         *http.Client
	url, assistant string
	who            *session
}

// event is one of the native stream; see docs/streams.md.
type event struct {
	name string
	data json.RawMessage
}

// refusal is a request that the server did not take.
type refusal struct {
	Status     int
	Detail     string `json:"detail"`
	Code       string `json:"code"`
	RequestID  string `json:"requestId"`
	retryAfter time.Duration
}

func (r *refusal) Error() string {
	text := cmp.Or(r.Detail, fmt.Sprintf("the server answered %d", r.Status))
	if r.RequestID != "" {
		text += " (ref " + r.RequestID + ")"
	}
	return text
}

// errCut is a stream that ended before its terminal event.
var errCut = errors.New("the connection broke before the answer was complete")

const (
	attempts = 3                // of one turn; it has a name, so it runs once
	longest  = 8 << 20          // bytes of one line of a stream
	silent   = 45 * time.Second // the server says something every ten
)

// ask sends a turn and hands its events to heard, until the terminal one. What
// broke is sent again under the same name: the server answers what it answered,
// and begin is called so that the reader can begin anew.
func (w wire) ask(ctx context.Context, body []byte, begin func(), heard func(event) error) error {
	var err error
	for n := range attempts {
		if n > 0 {
			if err := sleep(ctx, pauseAfter(err)); err != nil {
				return err
			}
		}
		begin()
		err = w.once(ctx, body, heard)
		var r *refusal
		again := err != nil && ctx.Err() == nil && (!errors.As(err, &r) || r.Code == "turn_in_flight" ||
			r.Status == http.StatusServiceUnavailable)
		if !again {
			return err
		}
	}
	return err
}

func pauseAfter(err error) time.Duration {
	var r *refusal
	if errors.As(err, &r) && r.retryAfter > 0 {
		return min(r.retryAfter, 10*time.Second)
	}
	return time.Second
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

func (w wire) once(ctx context.Context, body []byte, heard func(event) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	resp, err := w.post(ctx, "/api/chat/"+url.PathEscape(w.assistant), body)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return refused(resp)
	}
	watchdog := time.AfterFunc(silent, cancel)
	defer watchdog.Stop()
	return read(resp.Body, func() { watchdog.Reset(silent) }, heard)
}

// stop asks the server to end the running turns of a conversation.
func (w wire) stop(ctx context.Context, id string) error {
	resp, err := w.post(ctx, "/api/chat/"+url.PathEscape(w.assistant)+"/"+url.PathEscape(id)+"/stop", []byte("{}"))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return refused(resp)
	}
	return nil
}

func (w wire) post(ctx context.Context, path string, body []byte) (*http.Response, error) {
	token, err := w.who.token(ctx)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	return w.client.Do(r)
}

func refused(resp *http.Response) error {
	r := &refusal{Status: resp.StatusCode}
	// A page of a proxy in between is no problem document; the status says it.
	_ = json.NewDecoder(io.LimitReader(resp.Body, 64<<10)).Decode(r)
	r.Status = resp.StatusCode
	if n, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil {
		r.retryAfter = time.Duration(n) * time.Second
	}
	return r
}

// read reads named events. alive is called for each line, comments included.
func read(body io.Reader, alive func(), heard func(event) error) error {
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, longest)
	var e event
	for lines.Scan() {
		alive()
		line := lines.Text()
		if line == "" {
			if e.name == "" {
				continue
			}
			if err := heard(e); err != nil {
				return err
			}
			if e.name == "complete" || e.name == "error" {
				return nil
			}
			e = event{}
			continue
		}
		field, value, _ := strings.Cut(line, ":")
		switch value = strings.TrimPrefix(value, " "); field {
		case "event":
			e.name = value
		case "data":
			e.data = json.RawMessage(value)
		}
	}
	return cmp.Or(lines.Err(), errCut)
}
