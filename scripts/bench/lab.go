package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/stack"
)

// lab is one run of the bench, with what several parts of it use: each is made
// when it is first asked for.
type lab struct {
	opt options
	out report

	secrets  *secrets
	upstream *child
	binaries string // folder of the built functions
	project  *stack.Stack
}

func (l *lab) close() error {
	var errs []error
	if l.upstream != nil {
		l.upstream.close()
	}
	if l.project != nil {
		errs = append(errs, l.project.Stop())
	}
	if l.binaries != "" {
		errs = append(errs, os.RemoveAll(l.binaries))
	}
	return errors.Join(errs...)
}

// canned returns the child that is model and project, and the keys of its
// callers.
func (l *lab) canned(ctx context.Context) (*child, *secrets, error) {
	if l.upstream == nil {
		s, err := newSecrets()
		if err != nil {
			return nil, nil, err
		}
		up, err := start(ctx, task{Role: roleUpstream})
		if err != nil {
			return nil, nil, err
		}
		l.upstream, l.secrets = up, s
	}
	return l.upstream, l.secrets, nil
}

// built returns the folder with all functions, built as they are deployed, for
// this machine.
func (l *lab) built(ctx context.Context) (string, error) {
	if l.binaries != "" {
		return l.binaries, nil
	}
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return "", err
	}
	l.binaries = dir
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-tags", "lambda.norpc,nodynamic",
		"-ldflags", "-s -w",
		"-o", dir+string(filepath.Separator), "./functions/...")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the functions: %w\n%s", err, out)
	}
	return dir, nil
}

// local returns a whole project with the demo data: PostgreSQL, the stand-ins
// of Supabase, and the built-in model.
func (l *lab) local(ctx context.Context) (*stack.Stack, error) {
	if l.project != nil {
		return l.project, nil
	}
	s, err := stack.Start(ctx, stack.Config{Seed: true})
	if err != nil {
		return nil, fmt.Errorf("start the local stack: %w", err)
	}
	l.project = s
	return s, nil
}

// environment is what the figures depend on.
type environment struct {
	At       time.Time `json:"at"`
	CPU      string    `json:"cpu,omitempty"`
	Cores    int       `json:"cores"`
	Platform string    `json:"platform"`
	Go       string    `json:"go"`
	Commit   string    `json:"commit,omitempty"` // with + when something is not committed
	// Load is what else the machine had to do: the part that began, and the
	// load averages of 1, 5 and 15 minutes before it.
	Load []string `json:"load,omitempty"`
}

func machine(ctx context.Context) environment {
	e := environment{At: time.Now().UTC().Truncate(time.Second), Cores: runtime.NumCPU(), Platform: runtime.GOOS +
		"/" + runtime.GOARCH, Go: runtime.Version()}
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		_, rest, _ := strings.Cut(string(info), "model name")
		line, _, _ := strings.Cut(rest, "\n")
		e.CPU = strings.Trim(line, "\t :")
	}
	if commit, err := exec.CommandContext(ctx, "git", "rev-parse", "--short", "HEAD").Output(); err == nil {
		e.Commit = strings.TrimSpace(string(commit))
		if changed, err := exec.CommandContext(ctx, "git", "status", "--porcelain").Output(); err == nil &&
			len(changed) > 0 {
			e.Commit += "+"
		}
	}
	return e
}

// loadAverage returns how busy the machine is, or "" where it does not say.
func loadAverage() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	return strings.Join(strings.Fields(string(data))[:3], " ")
}

// memory returns a line of the process's status, such as VmRSS, in bytes; 0
// where /proc does not tell.
func memory(pid int, line string) float64 {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0
	}
	for l := range strings.Lines(string(status)) {
		if text, ok := strings.CutPrefix(l, line+":"); ok {
			kb, err := strconv.ParseFloat(strings.Fields(text)[0], 64)
			if err != nil {
				return 0
			}
			return kb * 1024
		}
	}
	return 0
}
