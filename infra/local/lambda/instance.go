package lambda

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// instance is one process of a function with a Runtime API of its own, so that
// who calls that API needs no telling.
type instance struct {
	name string
	log  func(string, ...any)
	arn  string

	cmd    *exec.Cmd
	server *http.Server

	asked chan struct{}    // closed at the first request for an event
	init  time.Duration    // set before asked is closed
	work  chan *invocation // handed to the request for the next event
	dead  chan struct{}    // closed when the process is gone

	output *lines
	exit   error // set before dead is closed

	mu      sync.Mutex
	began   time.Time
	ready   bool
	current *invocation
	initErr *FunctionError
}

func startInstance(cfg Config, name string) (*instance, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	in := &instance{
		name: name, log: cfg.Log, arn: "arn:aws:lambda:us-east-1:000000000000:function:" + cfg.Name,
		asked: make(chan struct{}), work: make(chan *invocation), dead: make(chan struct{}),
	}
	in.server = &http.Server{Handler: in.runtimeAPI()}
	go func() { _ = in.server.Serve(listener) }()

	in.cmd = exec.Command(cfg.Binary)
	in.cmd.Dir = filepath.Dir(cfg.Binary)
	in.cmd.Env = append(lambdaEnv(cfg, listener.Addr().String()), cfg.Env...)
	in.cmd.SysProcAttr = processAttributes()
	in.output = &lines{print: func(line string) { in.log("%s: %s", name, line) }}
	in.cmd.Stdout, in.cmd.Stderr = in.output, in.output
	// A child of the child may hold the output open; it is not waited for.
	in.cmd.WaitDelay = time.Second
	started := make(chan error)
	go in.run(started)
	if err := <-started; err != nil {
		_ = in.server.Close()
		return nil, err
	}
	return in, nil
}

// lambdaEnv is what Lambda sets. Our own environment stays out, so a setting
// that the template forgot is missed here as it would be there.
func lambdaEnv(cfg Config, api string) []string {
	return []string{
		"AWS_LAMBDA_RUNTIME_API=" + api,
		"AWS_LAMBDA_FUNCTION_NAME=" + cfg.Name,
		"AWS_LAMBDA_FUNCTION_VERSION=$LATEST",
		"AWS_LAMBDA_FUNCTION_MEMORY_SIZE=" + strconv.Itoa(cfg.MemoryMB),
		"AWS_LAMBDA_INITIALIZATION_TYPE=on-demand",
		"AWS_LAMBDA_LOG_GROUP_NAME=/aws/lambda/" + cfg.Name,
		"AWS_LAMBDA_LOG_STREAM_NAME=local",
		"AWS_REGION=us-east-1",
		"AWS_DEFAULT_REGION=us-east-1",
		"_HANDLER=bootstrap",
		"LAMBDA_TASK_ROOT=" + filepath.Dir(cfg.Binary),
		"LANG=en_US.UTF-8",
		"TZ=:UTC",
		"PATH=" + os.Getenv("PATH"),
	}
}

// run lives as long as the process. It holds its thread, because the kernel
// kills the child of a thread that ends, not only of a process that ends.
func (in *instance) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	in.mu.Lock()
	in.began = time.Now()
	in.mu.Unlock()
	err := in.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	err = in.cmd.Wait()
	in.output.flush()
	in.exit = err
	_ = in.server.Close()
	in.log("%s ended: %v", in.name, in.cmd.ProcessState)
	close(in.dead)
}

func (in *instance) lives() bool {
	select {
	case <-in.dead:
		return false
	default:
		return true
	}
}

func (in *instance) kill() { _ = in.cmd.Process.Kill() }

// end says why the process ended. Call it after dead is closed.
func (in *instance) end() *FunctionError {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.initErr != nil {
		return in.initErr
	}
	reason := "exit status 0"
	if exit, ok := errors.AsType[*exec.ExitError](in.exit); ok {
		reason = exit.String()
	}
	message := "Runtime exited: " + reason
	if tail := in.output.last(); len(tail) > 0 {
		message += "\n" + strings.Join(tail, "\n")
	}
	return &FunctionError{Type: "Runtime.ExitError", Message: message}
}

// FunctionError is the failure of an invocation that the function or its
// runtime reported, or that its end or its time limit stands for.
type FunctionError struct {
	Type    string `json:"errorType"`
	Message string `json:"errorMessage"`
}

func (e *FunctionError) Error() string { return fmt.Sprintf("%s: %s", e.Type, e.Message) }
