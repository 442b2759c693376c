package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

const modulePath = "github.com/bellhop-ai/bellhop"

// moduleRoot looks for go.mod in the working folder and above it.
func moduleRoot() (string, error) {
	from, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the working folder: %w", err)
	}
	for dir := from; ; dir = filepath.Dir(dir) {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		first, _, _ := strings.Cut(string(text), "\n")
		if err == nil && strings.TrimSpace(first) == "module "+modulePath {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("%s is not inside Bellhop's source; go to the folder with its go.mod", from)
		}
	}
}

// builder compiles programs of the module into a folder.
type builder struct {
	tool, root, bin string
}

func newBuilder(root, data string) (*builder, error) {
	tool, err := exec.LookPath("go")
	if err != nil {
		return nil, errors.New("there is no go command in PATH, which builds the functions; install Go from " +
			"https://go.dev/dl")
	}
	bin := filepath.Join(data, "bin")
	// PostgreSQL runs as another user when we are root, and passes through.
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return nil, fmt.Errorf("cannot make the data folder (%w); choose another one with -data", err)
	}
	return &builder{tool: tool, root: root, bin: bin}, nil
}

// build compiles a package to bin/<name> and returns that path.
func (b *builder) build(ctx context.Context, pkg, name string, flags ...string) (string, time.Duration, error) {
	began := time.Now()
	target := filepath.Join(b.bin, name)
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return "", 0, fmt.Errorf("make a folder for %s: %w", name, err)
	}
	args := append([]string{"build", "-o", target}, flags...)
	cmd := exec.CommandContext(ctx, b.tool, append(args, pkg)...)
	cmd.Dir = b.root
	// Without cgo no C compiler is needed. A platform that is set
	// for a deployment is not the one that we run on.
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 3 * time.Second
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", 0, ctx.Err()
		}
		return "", 0, fmt.Errorf("%s does not build (%w); mend this and start again:\n%s", pkg, err,
			bytes.TrimSpace(said.Bytes()))
	}
	return target, time.Since(began).Round(100 * time.Millisecond), nil
}
