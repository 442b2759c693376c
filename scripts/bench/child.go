package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"
)

// The roles of a child.
const (
	roleUpstream = "upstream"
	roleOurs     = "ours"
	rolePlain    = "plain"
)

// task is what a child is told on its standard input, as one line of JSON. It
// serves until that input ends, so it never outlives the bench.
type task struct {
	Role     string `json:"role"`
	Upstream string `json:"upstream"` // address of the canned project
	Model    string `json:"model"`    // address of the canned model
	JWKS     string `json:"jwks"`
	SealKeys string `json:"sealKeys"`
	Tools    int    `json:"tools"` // of the specialist
	Keep     bool   `json:"keep"`  // turns, with their conversations
	// Memory is how much the platform says that the process has, in MiB; 0 when
	// it says nothing.
	Memory int `json:"memory"`
}

// usage is what a process has used since it began.
type usage struct {
	User   time.Duration `json:"user"`
	System time.Duration `json:"system"`
	Allocs uint64        `json:"allocs"`
	Bytes  uint64        `json:"bytes"`
}

// child is a running child.
type child struct {
	cmd   *exec.Cmd
	input io.Closer
	url   string
}

// start runs this program again with the task and returns when it serves.
func start(ctx context.Context, t task) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	// The log of ours is written by real system calls, but it is not read.
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	cmd := exec.CommandContext(ctx, self, childFlag)
	cmd.Stderr = null
	input, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start a child: %w", err)
	}
	c := &child{cmd: cmd, input: input}
	if err := json.NewEncoder(input).Encode(t); err != nil {
		c.close()
		return nil, fmt.Errorf("tell the child %s its task: %w", t.Role, err)
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	address, ok := strings.CutPrefix(strings.TrimSpace(line), "http://")
	if !ok {
		c.close()
		return nil, fmt.Errorf("the child %s does not serve: %w", t.Role,
			errors.Join(errors.New(strings.TrimSpace(line)), err))
	}
	c.url = "http://" + address
	return c, nil
}

// close ends the child and waits until it is gone.
func (c *child) close() {
	_ = c.input.Close()
	_ = c.cmd.Wait()
}

// usage asks the child what it has used.
func (c *child) usage(ctx context.Context) (usage, error) {
	var u usage
	err := c.get(ctx, "/bench/usage", func(r io.Reader) error { return json.NewDecoder(r).Decode(&u) })
	return u, err
}

// profile records the child's CPU for a while.
func (c *child) profile(ctx context.Context, d time.Duration, into io.Writer) error {
	return c.get(ctx, "/bench/profile?for="+d.String(), copyTo(into))
}

// allocated writes the child's profile of allocations.
func (c *child) allocated(ctx context.Context, into io.Writer) error {
	return c.get(ctx, "/bench/allocs", copyTo(into))
}

func copyTo(into io.Writer) func(io.Reader) error {
	return func(r io.Reader) error {
		_, err := io.Copy(into, r)
		return err
	}
}

func (c *child) get(ctx context.Context, path string, read func(io.Reader) error) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+path, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", path, resp.Status)
	}
	return read(resp.Body)
}

// serveChild is a child's main.
func serveChild(in io.Reader, out io.Writer) error {
	lines := bufio.NewReader(in)
	line, err := lines.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("read the task: %w", err)
	}
	var t task
	if err := json.Unmarshal(line, &t); err != nil {
		return fmt.Errorf("read the task: %w", err)
	}
	h, err := handlerFor(t)
	if err != nil {
		fmt.Fprintln(out, err)
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /bench/usage", showUsage)
	mux.HandleFunc("GET /bench/profile", recordProfile)
	mux.HandleFunc("GET /bench/allocs", func(w http.ResponseWriter,
		_ *http.Request) {
		_ = pprof.Lookup("allocs").WriteTo(w, 0)
	})
	mux.Handle("/", h)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		_, _ = io.Copy(io.Discard, lines) // until the bench ends
		_ = server.Close()
	}()
	fmt.Fprintf(out, "http://%s\n", listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func handlerFor(t task) (http.Handler, error) {
	switch t.Role {
	case roleUpstream:
		return newUpstream(), nil
	case roleOurs:
		return newOurs(t)
	case rolePlain:
		return newPlain(t), nil
	}
	return nil, fmt.Errorf("there is no role %q", t.Role)
}

func showUsage(w http.ResponseWriter, _ *http.Request) {
	user, system, err := processTimes()
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotImplemented)
		return
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	_ = json.NewEncoder(w).Encode(usage{User: user, System: system, Allocs: m.Mallocs, Bytes: m.TotalAlloc})
}

func recordProfile(w http.ResponseWriter, r *http.Request) {
	d, err := time.ParseDuration(r.FormValue("for"))
	if err == nil {
		err = pprof.StartCPUProfile(w)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	defer pprof.StopCPUProfile()
	select {
	case <-time.After(d):
	case <-r.Context().Done():
	}
}
