package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// thread is a conversation as it is kept: whose it is, and all messages with
// their seals, as the server sent them.
type thread struct {
	Server    string            `json:"server"`
	Assistant string            `json:"assistant"`
	User      string            `json:"user"` // whose token it was made with
	ID        string            `json:"id"`
	Messages  []json.RawMessage `json:"messages"`

	path string
}

// openThread returns the conversation that the file holds, or a new one. The
// file of another person, server or assistant is not taken: its seals would
// open nowhere, and it may not be meant to be read.
func openThread(path string, fresh thread, newID func() string) (*thread, error) {
	t := &fresh
	t.path, t.ID = path, newID()
	if path == "" {
		return t, nil
	}
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return t, t.save()
	}
	if err != nil {
		return nil, err
	}
	var kept thread
	if json.Unmarshal(raw, &kept) != nil || kept.ID == "" {
		return nil, fmt.Errorf("%s holds no conversation of this program. Name another file", path)
	}
	switch {
	case kept.User != fresh.User:
		return nil, fmt.Errorf("%s holds somebody else's conversation. Sign in as that person, or name another file",
			path)
	case kept.Server != fresh.Server || kept.Assistant != fresh.Assistant:
		return nil, fmt.Errorf("%s holds a conversation with %s at %s. Name another file", path, kept.Assistant,
			kept.Server)
	}
	kept.path = path
	return &kept, nil
}

// save writes the file anew beside itself and puts it in its place, so that
// there is a whole one at any moment. Only its owner may read it.
func (t *thread) save() error {
	if t.path == "" {
		return nil
	}
	raw, err := json.MarshalIndent(t, "", " ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(t.path), ".chat-*") // made with mode 0600
	if err != nil {
		return fmt.Errorf("keep the conversation: %w", err)
	}
	_, err = f.Write(raw)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), t.path)
	}
	if err != nil {
		return fmt.Errorf("keep the conversation: %w", errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}

// add appends messages and keeps them.
func (t *thread) add(messages ...json.RawMessage) error {
	t.Messages = append(t.Messages, messages...)
	return t.save()
}

// takeBack removes the last question and what was answered to it, and returns
// the question. Whatever was done stays done.
func (t *thread) takeBack() (question string, ok bool, err error) {
	for i := len(t.Messages) - 1; i >= 0; i-- {
		var m struct{ Role, Content string }
		if json.Unmarshal(t.Messages[i], &m) == nil && m.Role == "user" {
			t.Messages = t.Messages[:i:i]
			return m.Content, true, t.save()
		}
	}
	return "", false, nil
}

// userMessage is what a person said.
func userMessage(text string) (json.RawMessage, error) {
	return json.Marshal(map[string]string{"role": "user", "content": text})
}
