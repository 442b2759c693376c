package main

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestZipped(t *testing.T) {
	content := bytes.Repeat([]byte("machine code "), 10_000)
	archive, sum, err := zipped(content)
	if err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.File) != 1 || r.File[0].Name != "bootstrap" || r.File[0].Mode().Perm() != 0o755 {
		t.Fatalf("the archive holds %v, want one executable bootstrap", r.File)
	}
	f, err := r.File[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(f); err != nil || !bytes.Equal(got, content) {
		t.Fatalf("bootstrap does not come out as it went in: %d bytes, %v", len(got), err)
	}

	again, sumAgain, err := zipped(slices.Clone(content))
	if err != nil || !bytes.Equal(again, archive) || sumAgain != sum {
		t.Fatal("the same content gave another archive")
	}
	if _, other, err := zipped(append(content, 'x')); err != nil || other == sum {
		t.Fatal("another content gave the same checksum")
	}
}

func TestChooseFunctions(t *testing.T) {
	folder := t.TempDir()
	for _, file := range []string{"chat/main.go", "tools/main.go", "notes/readme.md"} {
		path := filepath.Join(folder, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tests := map[string]struct {
		folder string
		names  []string
		want   string // the chosen names
		fails  string // a part of the error
	}{
		"takes every folder with a main": {folder: folder, want: "chat tools"},
		"takes the named, each once":     {folder: folder, names: []string{"tools", "tools"}, want: "tools"},
		"refuses an unknown name": {folder: folder, names: []string{"chat", "notes"},
			fails: `no function "notes"`},
		"refuses a path":            {folder: folder, names: []string{"../chat"}, fails: "is a path"},
		"says where it must be run": {folder: t.TempDir(), fails: "root of the module"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := chooseFunctions(test.folder, test.names)
			if test.fails != "" {
				if err == nil || !strings.Contains(err.Error(), test.fails) {
					t.Fatalf("the error is %v, want one with %q", err, test.fails)
				}
				return
			}
			if err != nil || strings.Join(got, " ") != test.want {
				t.Fatalf("chose %q, %v, want %s", got, err, test.want)
			}
		})
	}
}
