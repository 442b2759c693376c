package supabase

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// FileRequest is one request to the project's Storage; package storage knows
// which there are.
type FileRequest struct {
	Method string
	// Path is what follows /storage/v1, part by part. A part is one name and is
	// escaped whole; empty ones, "." and ".." are refused.
	Path   []string
	Header http.Header
	Body   []byte
	// Reads says that nothing is changed, so that the request may be sent again.
	Reads bool
	// MaxBody caps the bytes of the answer; 0 is the client's own cap.
	MaxBody int64
}

// FileAnswer is an answer below 300.
type FileAnswer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Files sends one request to Storage as the person of c, or as the role anon where c
// has no token. Its refusals are *Error, with the status that Storage means in place
// of the one that it sends.
func (c Conn) Files(ctx context.Context, in FileRequest) (FileAnswer, error) {
	address, err := c.client.fileAddress(in.Path)
	if err != nil {
		return FileAnswer{}, err
	}
	d := c.Control().transport(ctx, "*/*")
	d.reads, d.maxBody = in.Reads, in.MaxBody
	// Storage wants an Authorization. For a publishable key the gateway makes one; a
	// legacy anon key is the token of the role anon itself.
	if key := c.client.cfg.PublishableKey; d.token == "" && strings.HasPrefix(key.Reveal(), "eyJ") {
		d.token = key
	}
	r, err := http.NewRequestWithContext(ctx, in.Method, address.String(), bytes.NewReader(in.Body))
	if err != nil {
		return FileAnswer{}, fmt.Errorf("build a request to Storage: %w", err)
	}
	for name, values := range in.Header {
		r.Header[name] = slices.Clone(values)
	}
	resp, err := d.RoundTrip(r)
	if err != nil {
		return FileAnswer{}, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body) // in memory already
	return FileAnswer{resp.StatusCode, resp.Header, body}, err
}

// FileURL returns the whole address of what Storage called by a relative one,
// such as "/object/sign/…?token=…". One that leads elsewhere is an error.
func (c Conn) FileURL(relative string) (string, error) {
	u, err := url.Parse(relative)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(u.Path, "/object/") {
		return "", fmt.Errorf("storage gave an address of no form that we know")
	}
	whole := c.client.base.JoinPath("storage/v1")
	whole.Path += u.Path
	whole.RawPath = ""
	whole.RawQuery = u.RawQuery
	return whole.String(), nil
}

func (c *Client) fileAddress(parts []string) (*url.URL, error) {
	address := c.base.JoinPath("storage/v1")
	plain, escaped := address.Path, address.EscapedPath()
	for _, part := range parts {
		if part == "" || part == "." || part == ".." {
			return nil, fmt.Errorf("a path in Storage has the part %q", part)
		}
		plain += "/" + part
		escaped += "/" + url.PathEscape(part)
	}
	address.Path, address.RawPath = plain, escaped
	return address, nil
}
