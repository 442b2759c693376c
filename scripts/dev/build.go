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
	"slices"
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
func (b *builder) build(ctx context.Context, pkg, name string) (string, time.Duration, error) {
	target := filepath.Join(b.bin, name)
	took, err := b.run(ctx, target, pkg)
	return target, took, err
}

// buildAll compiles packages to bin/<folder>/<last element of the package> in one run
// of the go command, so that it looks at what they share once, and returns the folder.
func (b *builder) buildAll(
	ctx context.Context, folder string, pkgs []string, flags ...string,
) (string, time.Duration, error) {
	target := filepath.Join(b.bin, folder)
	if err := os.MkdirAll(target, 0o755); err != nil {
		return "", 0, fmt.Errorf("make the folder %s: %w", folder, err)
	}
	took, err := b.run(ctx, target+string(filepath.Separator), slices.Concat(flags, pkgs)...)
	return target, took, err
}

// run runs go build with an output and the arguments that follow it.
func (b *builder) run(ctx context.Context, target string, args ...string) (time.Duration, error) {
	began := time.Now()
	cmd := exec.CommandContext(ctx, b.tool, slices.Concat([]string{"build", "-o", target}, args)...)
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
			return 0, ctx.Err()
		}
		return 0, fmt.Errorf("%s does not build (%w); mend this and start again:\n%s", args[len(args)-1], err,
			bytes.TrimSpace(said.Bytes()))
	}
	return time.Since(began).Round(100 * time.Millisecond), nil
}
