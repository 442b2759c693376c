package lambda_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/lambda"
)

// bootstrap is the built test function.
var bootstrap string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "bootstrap")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		bootstrap = filepath.Join(dir, "bootstrap")
		build := exec.Command("go", "build", "-tags", "lambda.norpc", "-o", bootstrap, "./testdata/bootstrap")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build the test function: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}

// start runs the test function and serves its URL.
func start(t *testing.T, cfg lambda.Config) (*lambda.Function, string) {
	t.Helper()
	cfg.Name, cfg.Binary, cfg.Log = "Echo", bootstrap, t.Logf
	if cfg.Streaming {
		cfg.Env = append(cfg.Env, "STREAMING=yes")
	}
	f, err := lambda.Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(f)
	t.Cleanup(func() {
		_ = f.Close()
		server.Close()
	})
	return f, server.URL
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// gate is an address at which function code arrives and waits to be let go.
type gate struct {
	url     string
	arrived chan struct{}
	open    chan struct{}
}

func newGate(t *testing.T) gate {
	g := gate{arrived: make(chan struct{}, 8), open: make(chan struct{})}
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		g.arrived <- struct{}{}
		<-g.open
	}))
	t.Cleanup(server.Close)
	g.url = server.URL
	return g
}

var modes = map[string]bool{"buffered": false, "streaming": true}

// SB-1 SB-5
func TestRequestArrivesAsItWasSent(t *testing.T) {
	for mode, streaming := range modes {
		t.Run(mode, func(t *testing.T) {
			_, url := start(t, lambda.Config{Streaming: streaming, Timeout: 20 * time.Second})
			body := bytes.Repeat([]byte{0xff, 0x00, 'x'}, 1<<20)
			r, _ := http.NewRequest("PUT", url+"/echo?b=2&a=%2B1&b=x+y", bytes.NewReader(body))
			r.Header.Add("Accept", "text/html")
			r.Header.Add("Accept", "text/plain")
			r.AddCookie(&http.Cookie{Name: "s", Value: "1"})
			r.AddCookie(&http.Cookie{Name: "t", Value: "2"})
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			var got struct {
				Method, URI, Query, Host, Remote, Cookie string
				Accept                                   []string
				Size, Sum                                int
				Left                                     int64
			}
			if err := json.NewDecoder(resp.Body).Decode(&got); err != nil {
				t.Fatal(err)
			}
			if got.Method != "PUT" || got.URI != "/echo?b=2&a=%2B1&b=x+y" || got.Host != strings.TrimPrefix(url,
				"http://") ||
				got.Remote != "127.0.0.1:0" || got.Cookie != "s=1; t=2" ||
				!slices.Equal(got.Accept, []string{"text/html,text/plain"}) {
				t.Errorf("the request arrived as %+v", got)
			}
			if got.Size != len(body) || got.Sum != (0xff+'x')<<20 {
				t.Errorf("%d bytes arrived", got.Size)
			}
			if got.Left < 10_000 || got.Left > 20_000 {
				t.Errorf("the deadline is %d ms away", got.Left)
			}
			if resp.StatusCode != 201 || !slices.Equal(resp.Header.Values("Set-Cookie"), []string{"a=1", "b=2"}) ||
				resp.Header.Get("Vary") != "Origin,Cookie" {
				t.Errorf("the answer is %d %v", resp.StatusCode, resp.Header)
			}
		})
	}
}

func TestEmptyAnswer(t *testing.T) {
	for mode, streaming := range modes {
		t.Run(mode, func(t *testing.T) {
			_, url := start(t, lambda.Config{Streaming: streaming})
			for range 2 {
				if status, body := get(t, url+"/empty"); status != 200 || body != "" {
					t.Errorf("%d %q", status, body)
				}
			}
		})
	}
}

// SB-5
func TestStreamArrivesWhileTheHandlerRuns(t *testing.T) {
	_, url := start(t, lambda.Config{Streaming: true})
	g := newGate(t)
	resp, err := http.Get(url + "/stream?at=" + g.url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewReader(resp.Body)
	// The handler cannot go on before the gate opens, which happens only
	// after its first line is here.
	if first, err := lines.ReadString('\n'); err != nil || first != "first\n" {
		t.Fatalf("%q, %v", first, err)
	}
	<-g.arrived
	close(g.open)
	if rest, err := io.ReadAll(lines); err != nil || string(rest) != "second\n" {
		t.Errorf("%q, %v", rest, err)
	}
	if resp.Header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("the header is %v", resp.Header)
	}
}

// F-62
func TestPanicLeavesTheProcessAlive(t *testing.T) {
	for mode, streaming := range modes {
		t.Run(mode, func(t *testing.T) {
			// With room for one only, a second instance would mean that the first died.
			f, url := start(t, lambda.Config{Streaming: streaming, MaxInstances: 1})
			pid := func() any {
				_, body := get(t, url+"/echo")
				var got map[string]any
				if err := json.Unmarshal([]byte(body), &got); err != nil {
					t.Fatal(err)
				}
				return got["pid"]
			}
			before := pid()
			if status, body := get(t, url+"/panic"); status != 500 || !strings.Contains(body, `"status":500`) ||
				strings.Contains(body, "early") {
				t.Errorf("an early panic: %d %s", status, body)
			}
			if streaming {
				resp, err := http.Get(url + "/panic-late")
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(resp.Body)
				_ = resp.Body.Close()
				if string(body) != "half of it" || err == nil {
					t.Errorf("a late panic looks like a good end: %q, %v", body, err)
				}
			} else if status, body := get(t, url+"/panic-late"); status != 500 ||
				strings.Contains(body, "half of it") {
				t.Errorf("a late panic: %d %s", status, body)
			}
			if _, err := f.Invoke(t.Context(), []byte(`{"do":"panic"}`)); err == nil || !strings.Contains(err.Error(),
				"Handler.Panic") {
				t.Errorf("a panic in a direct event: %v", err)
			}
			if after := pid(); after != before || len(f.InitDurations()) != 1 {
				t.Errorf("the process changed from %v to %v", before, after)
			}
		})
	}
}

func TestTimeoutKillsTheInstance(t *testing.T) {
	f, url := start(t, lambda.Config{Timeout: time.Second})
	if status, body := get(t, url+"/hang"); status != 502 || !strings.Contains(body, "Internal Server Error") {
		t.Errorf("%d %s", status, body)
	}
	if status, _ := get(t, url+"/empty"); status != 200 {
		t.Errorf("the next request: %d", status)
	}
	if inits := f.InitDurations(); len(inits) != 2 || inits[0] <= 0 {
		t.Errorf("the starts took %v", inits)
	}
}

func TestCrashIsFollowedByAFreshInstance(t *testing.T) {
	f, url := start(t, lambda.Config{})
	if status, _ := get(t, url+"/exit"); status != 502 {
		t.Errorf("the crash answered %d", status)
	}
	if status, _ := get(t, url+"/empty"); status != 200 || len(f.InitDurations()) != 2 {
		t.Errorf("after it %d, starts %v", status, f.InitDurations())
	}
}

// SB-1
func TestBusyInstancesGetCompanyUpToTheLimit(t *testing.T) {
	f, url := start(t, lambda.Config{MaxInstances: 2})
	g := newGate(t)
	pids := make(chan string, 3)
	for range 3 {
		go func() {
			resp, err := http.Get(url + "/meet?at=" + g.url)
			if err != nil {
				pids <- err.Error()
				return
			}
			defer resp.Body.Close()
			body, _ := io.ReadAll(resp.Body)
			pids <- string(body)
		}()
	}
	// Two are inside at once; the third waits for one of their instances.
	<-g.arrived
	<-g.arrived
	close(g.open)
	seen := map[string]int{}
	for range 3 {
		seen[<-pids]++
	}
	if len(seen) != 2 || len(f.InitDurations()) != 2 {
		t.Errorf("processes %v, starts %v", seen, f.InitDurations())
	}
}

func TestDirectEvent(t *testing.T) {
	f, _ := start(t, lambda.Config{})
	out, err := f.Invoke(t.Context(), []byte(`{"source":"aws.scheduler","id":7}`))
	if err != nil || !strings.Contains(string(out), `"event":{"source":"aws.scheduler","id":7}`) {
		t.Errorf("%s, %v", out, err)
	}
	_, err = f.Invoke(t.Context(), []byte(`{"do":"fail"}`))
	if failed, ok := errors.AsType[*lambda.FunctionError](err); !ok || failed.Message != "the work failed" {
		t.Errorf("a failure: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Invoke(ctx, []byte(`{}`)); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller who left: %v", err)
	}
}

func TestRESTEventOverTheRuntimeAPI(t *testing.T) {
	event := []byte(`{"httpMethod":"POST","path":"/echo","headers":{"Host":"api.example.com"},` +
		`"requestContext":{"identity":{"sourceIp":"10.0.0.1"}},"body":"hi"}`)
	for _, streaming := range []bool{false, true} {
		f, _ := start(t, lambda.Config{Streaming: streaming})
		if out, err := f.Invoke(t.Context(), event); err != nil || !strings.Contains(string(out),
			`"multiValueHeaders":{"Set-Cookie":["a=1","b=2"]}`) {
			t.Errorf("%s, %v", out, err)
		}
	}
}

func TestSizesAreCapped(t *testing.T) {
	f, url := start(t, lambda.Config{})
	resp, err := http.Post(url+"/echo", "text/plain", strings.NewReader(strings.Repeat("x", 6<<20)))
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != 413 {
		t.Errorf("a large request: %d", resp.StatusCode)
	}
	if status, _ := get(t, url+"/big"); status != 502 {
		t.Errorf("a large answer: %d", status)
	}
	if status, _ := get(t, url+"/empty"); status != 200 {
		t.Errorf("the next one: %d", status)
	}
	if _, err := f.Invoke(t.Context(), make([]byte, 7<<20)); err == nil {
		t.Error("a large event was taken")
	}
	_, url = start(t, lambda.Config{Streaming: true})
	if status, body := get(t, url+"/big"); status != 200 || len(body) != 7<<20 {
		t.Errorf("a large stream: %d, %d bytes", status, len(body))
	}
}

func TestInstanceSeesOnlyWhatItWasGiven(t *testing.T) {
	t.Setenv("OUR_OWN_SECRET", "hush")
	_, url := start(t, lambda.Config{Env: []string{"GREETING=hello"}, MemoryMB: 256})
	_, body := get(t, url+"/env")
	var env []string
	if err := json.Unmarshal([]byte(body), &env); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"GREETING=hello", "AWS_LAMBDA_FUNCTION_NAME=Echo",
		"AWS_LAMBDA_FUNCTION_MEMORY_SIZE=256", "_HANDLER=bootstrap"} {
		if !slices.Contains(env, want) {
			t.Errorf("%s is missing in %v", want, env)
		}
	}
	if strings.Contains(body, "hush") {
		t.Error("our environment leaked")
	}
}

func TestMismatchedInvokeModeIsNoticed(t *testing.T) {
	_, url := start(t, lambda.Config{Env: []string{"STREAMING=yes"}})
	if status, _ := get(t, url+"/empty"); status != 502 {
		t.Errorf("a stream at a buffered URL: %d", status)
	}
}

func TestBinaryThatCannotStartIsReported(t *testing.T) {
	_, err := lambda.Start(t.Context(), lambda.Config{Name: "x", Binary: bootstrap, Env: []string{"FAIL_INIT=1"}})
	if err == nil || !strings.Contains(err.Error(), "exit status 3") || !strings.Contains(err.Error(),
		"SETTING_X is missing") {
		t.Errorf("a failing start: %v", err)
	}
	if _, err := lambda.Start(t.Context(), lambda.Config{Name: "x", Binary: bootstrap + "-not"}); err == nil {
		t.Error("a missing binary started")
	}
}

func TestCloseEndsWhatIsInFlight(t *testing.T) {
	f, url := start(t, lambda.Config{})
	g := newGate(t)
	defer close(g.open)
	status := make(chan int, 1)
	go func() {
		resp, err := http.Get(url + "/meet?at=" + g.url)
		if err != nil {
			status <- 0
			return
		}
		_ = resp.Body.Close()
		status <- resp.StatusCode
	}()
	<-g.arrived
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if got := <-status; got != 502 {
		t.Errorf("the request in flight got %d", got)
	}
	if _, err := f.Invoke(t.Context(), []byte(`{}`)); err == nil {
		t.Error("a closed function answered")
	}
}
