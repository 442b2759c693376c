// Package storage is the project's Storage as far as we use it: addresses to
// which a client sends a file by itself, and from which it fetches one, and
// bounded reads. Everything is done with the caller's own token, so the policies
// on storage.objects decide what is there.
package storage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Bucket is one bucket of the project. Names of objects are paths with slashes;
// nothing of them is cleaned, and a part such as ".." is an error.
type Bucket struct {
	client *supabase.Client
	name   string
}

// New returns the bucket of that name. Nothing is sent yet.
func New(client *supabase.Client, name string) Bucket { return Bucket{client, name} }

// Object is what Storage knows of an object.
type Object struct {
	Size int64
	Type string // as its sender stated
}

// SignUpload returns the address to which one object can be sent by PUT, within
// the two hours that Storage gives, by anyone who has it. What is there already
// is not replaced. It returns fault.Forbidden where by may not write there, and
// fault.Conflict where something is there.
func (b Bucket) SignUpload(ctx context.Context, by identity.Caller, name string) (address, token string, err error) {
	// It is said to read since it writes nothing: it may be sent again.
	answer, err := b.send(ctx, by, supabase.FileRequest{Method: http.MethodPost, Path: b.path(name, "object", "upload",
		"sign"), Reads: true})
	if err != nil {
		return "", "", err
	}
	var signed struct{ URL, Token string }
	if err := json.Unmarshal(answer.Body, &signed); err != nil || signed.URL == "" {
		return "", "", fault.Wrap(fault.Upstream, errors.Join(err, errors.New("no address for an upload")),
			"The file store gave an answer that makes no sense.")
	}
	address, err = b.client.As(by).FileURL(signed.URL)
	return address, signed.Token, err
}

// SignDownload returns the address from which anyone who has it can fetch an
// object of by's, for so long. filename, if not empty, is the name under which
// browsers keep it.
func (b Bucket) SignDownload(ctx context.Context, by identity.Caller, name, filename string,
	life time.Duration) (string, error) {
	body, err := json.Marshal(map[string]int64{"expiresIn": max(1, int64(life.Seconds()))})
	if err != nil {
		return "", err
	}
	answer, err := b.send(ctx, by, supabase.FileRequest{Method: http.MethodPost, Path: b.path(name, "object", "sign"),
		Body: body, Header: jsonHeader(), Reads: true})
	if err != nil {
		return "", err
	}
	var signed struct{ SignedURL string }
	if err := json.Unmarshal(answer.Body, &signed); err != nil || signed.SignedURL == "" {
		return "", fault.Wrap(fault.Upstream, errors.Join(err, errors.New("no address for a download")),
			"The file store gave an answer that makes no sense.")
	}
	if filename != "" {
		signed.SignedURL += "&download=" + url.QueryEscape(filename)
	}
	return b.client.As(by).FileURL(signed.SignedURL)
}

// Info returns what is known of an object of by's, or fault.NotFound.
func (b Bucket) Info(ctx context.Context, by identity.Caller, name string) (Object, error) {
	answer, err := b.send(ctx, by, supabase.FileRequest{Method: http.MethodGet, Path: b.path(name, "object", "info")})
	if err != nil {
		return Object{}, err
	}
	var known struct {
		Size        int64  `json:"size"`
		ContentType string `json:"content_type"`
	}
	if err := json.Unmarshal(answer.Body, &known); err != nil {
		return Object{}, fault.Wrap(fault.Upstream, err, "The file store gave an answer that makes no sense.")
	}
	return Object{known.Size, known.ContentType}, nil
}

// leastAnswer is room for a refusal.
const leastAnswer = 64 << 10

// Read returns up to most bytes of an object of by's, from its beginning, and
// how large it is as a whole. More than that is never asked for.
func (b Bucket) Read(ctx context.Context, by identity.Caller, name string, most int64) (content []byte, size int64,
	err error) {
	answer, err := b.send(ctx, by, supabase.FileRequest{
		Method: http.MethodGet, Path: b.path(name, "object", "authenticated"), MaxBody: max(most, leastAnswer),
		Header: http.Header{"Range": {fmt.Sprintf("bytes=0-%d", most-1)}},
	})
	if e, ok := errors.AsType[*supabase.Error](err); ok && e.Status == http.StatusRequestedRangeNotSatisfiable {
		return nil, 0, nil // there is no first byte
	}
	if err != nil {
		return nil, 0, err
	}
	if size = int64(len(answer.Body)); size > most {
		return nil, size, fault.New(fault.TooLarge, "The file is larger than %d bytes.", most)
	}
	if _, whole, ok := strings.Cut(answer.Header.Get("Content-Range"), "/"); ok &&
		answer.Status == http.StatusPartialContent {
		if size, err = strconv.ParseInt(whole, 10, 64); err != nil {
			return nil, 0, fault.Wrap(fault.Upstream, err, "The file store gave an answer that makes no sense.")
		}
	}
	return answer.Body, size, nil
}

// Put keeps an object of by's. What is there already is not replaced, but is a
// fault.Conflict error.
func (b Bucket) Put(ctx context.Context, by identity.Caller, name, contentType string, content []byte) error {
	_, err := b.send(ctx, by, supabase.FileRequest{
		Method: http.MethodPost, Path: b.path(name, "object"), Body: content,
		Header: http.Header{"Content-Type": {contentType}, "X-Upsert": {"false"}},
	})
	return err
}

// Remove deletes objects of by's. Those that are not there are passed over.
func (b Bucket) Remove(ctx context.Context, by identity.Caller, names ...string) error {
	if len(names) == 0 {
		return nil
	}
	body, err := json.Marshal(map[string][]string{"prefixes": names})
	if err != nil {
		return err
	}
	_, err = b.send(ctx, by, supabase.FileRequest{Method: http.MethodDelete, Path: []string{"object", b.name},
		Body: body, Header: jsonHeader()})
	return err
}

func jsonHeader() http.Header { return http.Header{"Content-Type": {"application/json"}} }

func (b Bucket) path(name string, action ...string) []string {
	return append(append(action, b.name), strings.Split(name, "/")...)
}

// send sends a request and gives refusals their kind.
func (b Bucket) send(ctx context.Context, by identity.Caller, in supabase.FileRequest) (supabase.FileAnswer, error) {
	answer, err := b.client.As(by).Files(ctx, in)
	if err == nil {
		return answer, nil
	}
	e, ok := errors.AsType[*supabase.Error](err)
	if !ok {
		if f, ok := errors.AsType[*fault.Error](err); ok {
			return answer, f
		}
		if ctx.Err() != nil {
			return answer, fault.From(ctx.Err())
		}
		return answer, fault.Wrap(fault.Unavailable, err, "The file store did not answer. Please try again.")
	}
	switch {
	case full(e):
		return answer, fault.Wrap(fault.Full, e,
			"There is no room left to keep the file. Please tell whoever runs this service.")
	case e.Status == http.StatusNotFound:
		return answer, fault.Wrap(fault.NotFound, e, "There is no such file.")
	case e.Status == http.StatusConflict:
		return answer, fault.Wrap(fault.Conflict, e, "There is a file already.")
	case e.Status == http.StatusRequestEntityTooLarge:
		return answer, fault.Wrap(fault.TooLarge, e, "The file is too large.")
	case e.Status == http.StatusForbidden, e.Status == http.StatusUnauthorized:
		return answer, fault.Wrap(fault.Forbidden, e, "You are not allowed to do that with this file.")
	case e.Status == http.StatusRequestedRangeNotSatisfiable:
		return answer, fault.Wrap(fault.Unprocessable, e, "The file is empty.")
	case e.Status == http.StatusTooManyRequests:
		return answer, fault.Wrap(fault.Limited, e,
			"The file store takes no more requests for now. Please try again shortly.").WithRetryAfter(e.RetryAfter)
	case e.Status >= 500:
		return answer, fault.Wrap(fault.Unavailable, e, "The file store did not answer. Please try again.")
	}
	return answer, fault.Wrap(fault.Internal, e, "Something went wrong with the file store.")
}

// full reports whether a refusal says that there is no room: the disk's own
// words, or what object stores and the database of the file store say.
func full(e *supabase.Error) bool {
	switch e.Code {
	case "53100", "25006", "InsufficientStorage", "XMinioStorageFull", "QuotaExceeded":
		return true
	}
	return e.Status == http.StatusInsufficientStorage || strings.Contains(e.Message, "ENOSPC") ||
		strings.Contains(e.Message, "No space left on device")
}
