package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/lambda"
)

const startRuns = 10

// first is a function and the request that it answers first.
type first struct {
	function, answer string
	streaming        bool // its Function URL's invoke mode
	talks            bool // a chat turn instead of /api/health
}

func firsts() []first {
	return []first{
		{function: "chat", answer: "health", streaming: true},
		{function: "chat", answer: "turn", streaming: true, talks: true},
		{function: "tools", answer: "health"},
		{function: "server", answer: "health", streaming: true},
		{function: "server", answer: "turn", streaming: true, talks: true},
	}
}

// measureStarts builds the functions as they are deployed, for this machine,
// and starts each of them anew for every run.
func measureStarts(ctx context.Context, _ options, r *report) error {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-tags", "lambda.norpc", "-ldflags", "-s -w", "-o", dir+string(filepath.Separator),
		"./functions/chat", "./functions/tools", "./functions/server")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the functions: %w\n%s", err, out)
	}
	s, err := newSecrets()
	if err != nil {
		return err
	}
	up, err := start(ctx, task{Role: roleUpstream})
	if err != nil {
		return err
	}
	defer up.close()
	token, err := s.token(up.url)
	if err != nil {
		return err
	}
	env := []string{
		"SUPABASE_URL=" + up.url, "SUPABASE_PUBLISHABLE_KEY=" + publishableKey, "SUPABASE_JWKS=" + s.jwks,
		"OPENAI_API_KEY=sk-bench", "OPENAI_BASE_URL=" + up.url + pathShort, "OPENAI_PROFILE=openai", "SEAL_KEYS=" + s.sealKeys,
	}
	for _, f := range firsts() {
		row, err := f.measure(ctx, filepath.Join(dir, f.function), env, token)
		if err != nil {
			return fmt.Errorf("%s, %s: %w", f.function, f.answer, err)
		}
		r.Starts = append(r.Starts, row)
	}
	return nil
}

func (f first) measure(ctx context.Context, binary string, env []string, token string) (startRow, error) {
	info, err := os.Stat(binary)
	if err != nil {
		return startRow{}, err
	}
	row := startRow{Function: f.function, Binary: info.Size(), Answer: f.answer, Runs: startRuns}
	var inits, answers, memory []float64
	for i := range startRuns + 1 {
		init, answer, rss, err := f.once(ctx, binary, env, token)
		if err != nil {
			return row, err
		}
		if i == 0 {
			continue // the file was not in the page cache
		}
		inits, answers, memory = append(inits, ms(init)), append(answers, ms(answer)), append(memory, rss)
	}
	row.Init, row.FirstByte, row.RSS = spreadOf(inits), spreadOf(answers), spreadOf(memory)
	return row, nil
}

// once starts the function, asks it, and looks at its memory.
func (f first) once(ctx context.Context, binary string, env []string, token string) (init, answer time.Duration, rss float64, err error) {
	began := time.Now()
	fn, err := lambda.Start(ctx, lambda.Config{Name: f.function, Binary: binary, Env: env, MaxInstances: 1, Streaming: f.streaming})
	if err != nil {
		return 0, 0, 0, err
	}
	defer func() { err = errors.Join(err, fn.Close()) }()
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/health", nil)
	if f.talks {
		body := `{"id":"` + thread + `","messages":[{"role":"user","content":"Which cabins do we have?"}]}`
		r = httptest.NewRequestWithContext(ctx, http.MethodPost, "/api/chat/hospitality", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json")
		r.Header.Set("Authorization", "Bearer "+token)
	}
	w := httptest.NewRecorder()
	fn.ServeHTTP(w, r)
	answer = time.Since(began)
	resp := w.Result()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, 0, 0, err
	}
	if resp.StatusCode != http.StatusOK || f.talks && !strings.Contains(string(body), `"reply"`) {
		return 0, 0, 0, fmt.Errorf("%s: %.300s", resp.Status, body)
	}
	return fn.InitDurations()[0], answer, residentMemory(binary), nil
}

// residentMemory returns the VmRSS of the process that runs the binary, in
// bytes, or 0 where /proc does not tell.
func residentMemory(binary string) float64 {
	links, err := filepath.Glob("/proc/[0-9]*/exe")
	if err != nil {
		return 0
	}
	for _, link := range links {
		if target, err := os.Readlink(link); err != nil || target != binary {
			continue
		}
		status, err := os.ReadFile(filepath.Join(filepath.Dir(link), "status"))
		if err != nil {
			return 0
		}
		for line := range strings.Lines(string(status)) {
			if text, ok := strings.CutPrefix(line, "VmRSS:"); ok {
				kb, err := strconv.ParseFloat(strings.Fields(text)[0], 64)
				if err != nil {
					return 0
				}
				return kb * 1024
			}
		}
	}
	return 0
}
