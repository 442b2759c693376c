// Package sqs hands messages to a queue of Amazon SQS. It is one call of one
// service, signed by hand (Signature Version 4): the official SDK would add
// megabytes to every cold start.
package sqs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Credentials are what requests are signed with.
type Credentials struct {
	ID      string
	Secret  identity.Secret
	Session identity.Secret // "" for those that do not end
}

// Config says where the queue is and who sends.
type Config struct {
	// URL is the queue's, such as https://sqs.eu-west-1.amazonaws.com/123456789012/name.
	URL string
	// Region is the queue's; "" means the one that its host names.
	Region string
	// Credentials returns those of this moment. On Lambda they are in the
	// environment.
	Credentials func() Credentials
	Now         func() time.Time
	// HTTP carries the requests; nil means a client of its own.
	HTTP *http.Client
}

// Queue is safe for concurrent use.
type Queue struct {
	cfg      Config
	endpoint string
	host     string
}

// New checks cfg. Nothing is sent yet.
func New(cfg Config) (*Queue, error) {
	u, err := url.Parse(cfg.URL)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || strings.Count(u.Path, "/") != 2 {
		return nil, errors.New("sqs: the queue's address must look like " +
			"https://sqs.eu-west-1.amazonaws.com/123456789012/name")
	}
	if cfg.Credentials == nil || cfg.Now == nil {
		return nil, errors.New("sqs: credentials and a clock are required")
	}
	if cfg.Region == "" {
		parts := strings.Split(u.Hostname(), ".")
		if len(parts) < 4 || parts[0] != "sqs" {
			return nil, errors.New("sqs: the queue's address names no region")
		}
		cfg.Region = parts[1]
	}
	if cfg.HTTP == nil {
		cfg.HTTP = &http.Client{Timeout: 10 * time.Second, CheckRedirect: func(*http.Request,
			[]*http.Request) error {
			return http.ErrUseLastResponse
		}}
	}
	return &Queue{cfg, u.Scheme + "://" + u.Host + "/", u.Host}, nil
}

// atOnce is how many messages one request takes.
const atOnce = 10

// Send hands the messages over, ten to a request. After an error those that
// were not refused are on their way: it is for messages that may come twice.
func (q *Queue) Send(ctx context.Context, bodies []string) error {
	var failed []error
	for len(bodies) > 0 {
		n := min(atOnce, len(bodies))
		if err := q.batch(ctx, bodies[:n]); err != nil {
			failed = append(failed, err)
		}
		bodies = bodies[n:]
	}
	if len(failed) > 0 {
		return fault.Wrap(fault.Unavailable, errors.Join(failed...), "The queue did not take all of it.")
	}
	return nil
}

type entry struct {
	ID   string `json:"Id"`
	Body string `json:"MessageBody"`
}

func (q *Queue) batch(ctx context.Context, bodies []string) error {
	entries := make([]entry, len(bodies))
	for i, b := range bodies {
		entries[i] = entry{fmt.Sprintf("m%d", i), b}
	}
	body, err := json.Marshal(map[string]any{"QueueUrl": q.cfg.URL, "Entries": entries})
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, q.endpoint, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "AmazonSQS.SendMessageBatch")
	sign(r, body, q.cfg.Credentials(), q.cfg.Region, "sqs", q.cfg.Now())
	resp, err := q.cfg.HTTP.Do(r)
	if err != nil {
		return fmt.Errorf("send to the queue: %w", err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return fmt.Errorf("send to the queue: %w", err)
	}
	var out struct {
		Type   string `json:"__type"`
		Failed []struct{ Code string }
	}
	if err := json.Unmarshal(answer, &out); err != nil || resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the queue answered %s %s", resp.Status, out.Type)
	}
	if len(out.Failed) > 0 {
		return fmt.Errorf("the queue refused %d of %d messages, the first as %s", len(out.Failed), len(bodies),
			out.Failed[0].Code)
	}
	return nil
}
