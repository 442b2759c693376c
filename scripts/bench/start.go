package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/lambda"
)

// startRuns is how often each function is started; the first time, its file is
// not in the page cache, does not count.
const startRuns = 10

// first is a function and the request that it answers first.
type first struct {
	function, answer string
	streaming        bool // its Function URL's invoke mode
	talks            bool // a chat turn with two model calls, instead of /api/health
	env              []string
}

// firsts returns all functions that were built.
func firsts(dir string) ([]first, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []first
	for _, e := range entries {
		f := first{function: e.Name(), answer: "health"}
		main, err := os.ReadFile(filepath.Join("functions", f.function, "main.go"))
		if err != nil {
			return nil, err
		}
		f.streaming = bytes.Contains(main, []byte("Streaming: true"))
		switch f.function {
		case "chat", "server":
			out = append(out, f)
			f.talks, f.answer = true, "turn"
		case "users", "summarize":
			f.env = []string{"SUPABASE_SECRET_KEY=sb_secret_bench"}
		}
		out = append(out, f)
	}
	return out, nil
}

// measureStarts starts each of the functions anew for every run.
func (l *lab) measureStarts(ctx context.Context) error {
	dir, err := l.built(ctx)
	if err != nil {
		return err
	}
	up, s, err := l.canned(ctx)
	if err != nil {
		return err
	}
	token, err := s.token(up.url)
	if err != nil {
		return err
	}
	env := []string{
		"SUPABASE_URL=" + up.url, "SUPABASE_PUBLISHABLE_KEY=" + publishableKey, "SUPABASE_JWKS=" + s.jwks,
		"OPENAI_API_KEY=sk-bench", "OPENAI_BASE_URL=" + up.url + scenarios()[0].model(pathShort),
		"OPENAI_PROFILE=openai", "SEAL_KEYS=" +
			s.sealKeys, "PROOF_KEYS=" + proofKeys,
	}
	all, err := firsts(dir)
	if err != nil {
		return err
	}
	runs := startRuns
	if l.opt.short {
		runs = 2
	}
	for _, f := range all {
		row, err := f.measure(ctx, filepath.Join(dir, f.function), slices.Concat(env, f.env), token, runs)
		if err != nil {
			// The others are worth knowing all the same.
			row.Failed = err.Error()
		}
		l.out.Starts = append(l.out.Starts, row)
	}
	return nil
}

func (f first) measure(ctx context.Context, binary string, env []string, token string, runs int) (startRow, error) {
	row := startRow{Function: f.function, Answer: f.answer, Runs: runs}
	info, err := os.Stat(binary)
	if err != nil {
		return row, err
	}
	row.Binary = info.Size()
	var inits, answers, resident []float64
	for i := range runs + 1 {
		init, answer, rss, err := f.once(ctx, binary, env, token)
		if err != nil {
			return row, err
		}
		if i == 0 {
			continue // the file was not in the page cache
		}
		inits, answers, resident = append(inits, ms(init)), append(answers, ms(answer)), append(resident, rss)
	}
	row.Init, row.FirstByte, row.RSS = spreadOf(inits), spreadOf(answers), spreadOf(resident)
	return row, nil
}

// once starts the function, asks it, and looks at its memory.
func (f first) once(ctx context.Context, binary string, env []string, token string) (init, answer time.Duration,
	rss float64, err error) {
	began := time.Now()
	fn, err := lambda.Start(ctx, lambda.Config{Name: f.function, Binary: binary, Env: env, MaxInstances: 1,
		Streaming: f.streaming})
	if err != nil {
		return 0, 0, 0, err
	}
	defer func() { err = errors.Join(err, fn.Close()) }()
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/health", nil)
	if f.talks {
		sc := scenarios()[0]
		body := `{"id":"` + thread + `","messages":[{"role":"user","content":` + strconv.Quote(sc.question) + `}]}`
		r = httptest.NewRequestWithContext(ctx, http.MethodPost, sc.chat(), strings.NewReader(body))
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
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(link)))
		if err != nil {
			return 0
		}
		return memory(pid, "VmRSS")
	}
	return 0
}
