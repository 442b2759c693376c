// Package prompt fills the documents that models read. A prompt is a Markdown
// file, embedded and parsed once, filled from a struct.
package prompt

import (
	"fmt"
	"strings"
	"sync/atomic"
	"text/template"
)

// Template is one parsed prompt. It is immutable and safe for concurrent use.
type Template struct {
	t *template.Template
	// last is how long the prompt was that was filled last: the next is about as long.
	last *atomic.Int64
}

// Parse reads a prompt. A field that the data does not have is an error when
// it is filled, not an empty place.
func Parse(name, text string) (*Template, error) {
	t, err := template.New(name).Option("missingkey=error").Parse(text)
	if err != nil {
		return nil, fmt.Errorf("prompt %s: %w", name, err)
	}
	return &Template{t, new(atomic.Int64)}, nil
}

// Fill returns the prompt with data in its places. What never changes should
// stand first in the text: a stable beginning is read once by the provider.
func (p *Template) Fill(data any) (string, error) {
	var b strings.Builder
	b.Grow(int(p.last.Load()))
	if err := p.t.Execute(&b, data); err != nil {
		return "", fmt.Errorf("fill the prompt: %w", err)
	}
	p.last.Store(int64(b.Len()))
	return strings.TrimSpace(b.String()), nil
}
