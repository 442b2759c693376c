package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/faults"
	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/infra/local/stack"
	"github.com/bellhop-ai/bellhop/pkg/stream"
)

// mortal is functions/server as a process that can be killed, between a model
// and a project that can both be held.
type mortal struct {
	ctx     context.Context // of the whole test, not of one of its parts
	binary  string
	project *stack.Stack
	gate    *gate
	proxy   *faults.Proxy // between the REST server and PostgreSQL
	model   *script.Server
	env     []string
	token   string
	process *exec.Cmd
	url     string
}

func newMortal(t *testing.T, answer func(script.Request) script.Step) *mortal {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m := &mortal{ctx: t.Context(), binary: filepath.Join(t.TempDir(), "server"), gate: &gate{at: -1},
		proxy: faults.Start(t, "", "")}
	m.project = localtest.CloneWith(t, func(c *stack.Config) {
		c.Origin, c.Dial = "http://"+listener.Addr().String(),
			m.proxy.Dial
	})
	m.gate.project = m.project.Handler()
	server := &http.Server{Handler: m.gate}
	t.Cleanup(func() { server.Close() })
	go func() { _ = server.Serve(listener) }()
	m.model = script.Func(answer)
	models := http.Server{Handler: m.model}
	modelListener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { models.Close() })
	go func() { _ = models.Serve(modelListener) }()
	m.env = append(m.project.Env(), "OPENAI_BASE_URL=http://"+modelListener.Addr().String()+"/v1", "BELLHOP_LOCAL=1")
	m.token = localtest.TokenOn(t, m.project, "manager@sojourn.example")
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", m.binary,
		"../../functions/server")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the server: %v\n%s", err, out)
	}
	t.Cleanup(m.kill)
	m.start(t)
	return m
}

// start starts the function and returns when it listens.
func (m *mortal) start(t *testing.T) {
	t.Helper()
	probe, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := strconv.Itoa(probe.Addr().(*net.TCPAddr).Port)
	probe.Close()
	m.process = exec.CommandContext(m.ctx, m.binary)
	m.process.Env = append(m.env, "PORT="+port)
	log, err := m.process.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := m.process.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "listening") {
			m.url = "http://127.0.0.1:" + port
			go func() { _, _ = io.Copy(io.Discard, log) }()
			return
		}
	}
	t.Fatal("the server did not start")
}

// kill is kill -9.
func (m *mortal) kill() {
	if m.process != nil {
		_ = m.process.Process.Kill()
		_ = m.process.Wait()
		m.process = nil
	}
}

// heard is what the client got.
type heard struct {
	status int
	retry  string
	answer stream.Answer
	err    error
}

func (m *mortal) post(body map[string]any) heard {
	raw, err := json.Marshal(body)
	if err != nil {
		return heard{err: err}
	}
	r, err := http.NewRequestWithContext(m.ctx, http.MethodPost, m.url+"/api/chat", bytes.NewReader(raw))
	if err != nil {
		return heard{err: err}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	r.Header.Set("Authorization", "Bearer "+m.token)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return heard{err: err}
	}
	defer resp.Body.Close()
	h := heard{status: resp.StatusCode, retry: resp.Header.Get("Retry-After")}
	h.err = json.NewDecoder(resp.Body).Decode(&h.answer)
	return h
}

// swingStory is one swing: asked for in one turn, agreed to in the next.
type swingStory struct {
	name           string
	ask, agree     map[string]any
	toKill         map[string]any // the turn in which the process dies
	killedInAnswer bool
	mayLapse       bool // an honest "a newer preview has taken its place" will do
}

func (m *mortal) newStory(t *testing.T, inAnswer bool) *swingStory {
	t.Helper()
	s := &swingStory{name: "Swing " + uuid.NewString()[:8], killedInAnswer: inAnswer}
	thread := uuid.NewString()
	s.ask = map[string]any{"id": thread, "turn": uuid.NewString(),
		"messages": []any{map[string]any{"role": "user", "content": s.name}}}
	s.agree = map[string]any{"id": thread, "turn": uuid.NewString(), "confirm": map[string]any{"decision": "approve"}}
	s.toKill = s.ask
	if inAnswer {
		m.propose(t, s)
		s.toKill = s.agree
	}
	return s
}

// propose plays the first turn.
func (m *mortal) propose(t *testing.T, s *swingStory) {
	t.Helper()
	h := m.post(s.ask)
	if h.err != nil || h.answer.Confirmation == nil {
		t.Fatalf("the question: %+v", h)
	}
	s.agree["confirm"] = map[string]any{"id": h.answer.Confirmation.ID, "decision": "approve"}
}

// survive kills the process while its request is held, starts it again, and
// sends the same turn until it is answered. free lets what is held go on.
func (m *mortal) survive(t *testing.T, s *swingStory, held <-chan struct{}, free func()) {
	t.Helper()
	lost := make(chan heard, 1)
	go func() { lost <- m.post(s.toKill) }()
	select {
	case <-held:
	case h := <-lost:
		t.Fatalf("nothing was held; the client heard %+v", h)
	}
	m.kill()
	if h := <-lost; h.err == nil {
		t.Fatalf("the client of a dead process heard %+v", h)
	}
	m.start(t)
	h := m.post(s.toKill)
	if h.status == http.StatusConflict {
		// F-07: its lease is still running.
		if n, err := strconv.Atoi(h.retry); err != nil || n < 1 || n > 70 {
			t.Errorf("409 with Retry-After %q", h.retry)
		}
		localtest.SQLOn(t, m.project, "update public.turns set lease_until = clock_timestamp() where turn = $1 and "+
			"finished_at is null", s.toKill["turn"])
		h = m.post(s.toKill)
	}
	free()
	if h.err != nil || h.status != http.StatusOK {
		t.Fatalf("sent again: %+v", h)
	}
	again := m.post(s.toKill)
	if again.answer.Reply != h.answer.Reply {
		t.Errorf("a replay reads %q, the answer %q", again.answer.Reply, h.answer.Reply)
	}
	if s.killedInAnswer {
		m.check(t, s, h)
		return
	}
	if h.answer.Confirmation == nil {
		t.Fatalf("no question: %+v", h)
	}
	s.agree["confirm"] = map[string]any{"id": h.answer.Confirmation.ID, "decision": "approve"}
	m.check(t, s, m.post(s.agree))
}

// check wants one swing and a person who knows of it.
func (m *mortal) check(t *testing.T, s *swingStory, h heard) {
	t.Helper()
	rows := localtest.SQLOn(t, m.project, "select code from public.extras where name = $1", s.name)
	if s.mayLapse && len(rows) == 0 && strings.HasPrefix(h.answer.Reply, "A newer preview has taken the place") {
		localtest.Invariants(t, m.project)
		return
	}
	told := strings.Contains(h.answer.Reply, "Added the extra "+s.name)
	if h.status != http.StatusOK || len(rows) != 1 || !told {
		t.Errorf("%d swings; the person reads %d %q %v", len(rows), h.status, h.answer.Reply, h.answer.Degraded)
	}
	proposal, _ := s.agree["confirm"].(map[string]any)["id"].(string)
	localtest.Invariants(t, m.project, proposal)
}

// F-06, F-07, F-09: whenever the process dies, the turn that is sent again is
// completed, and its write is there once.
func TestAKilledProcessWritesOnce(t *testing.T) {
	var model held
	m := newMortal(t, model.answer)
	t.Run("at each request to the project", m.killAtRequests)
	t.Run("around the commit", m.killAtCommit)
	t.Run("while the model speaks", func(t *testing.T) { m.killAtModel(t, &model) })
}

// killAtRequests kills the process at each request of a turn that asks and of
// one that writes.
func (m *mortal) killAtRequests(t *testing.T) {
	points := 0
	for _, inAnswer := range []bool{false, true} {
		// What such a turn asks of the project when nothing happens.
		calm := m.newStory(t, inAnswer)
		m.gate.close(-1, "")
		if h := m.post(calm.toKill); h.status != http.StatusOK {
			t.Fatalf("a calm turn: %+v", h)
		}
		for n, request := range m.gate.requests() {
			for _, f := range []fate{dropped, late, unheard} {
				if strings.HasPrefix(request, "GET") && f != dropped {
					continue // reading changes nothing
				}
				points++
				t.Run(fmt.Sprintf("%d %s %s", n, request, f), func(t *testing.T) {
					s := m.newStory(t, inAnswer)
					// The question of the dead process comes last and is the newer one.
					s.mayLapse = f == late && request == "POST proposal_create"
					m.gate.close(n, f)
					m.survive(t, s, m.gate.closed, func() { close(m.gate.open); <-m.gate.over })
				})
			}
		}
	}
	if points < 12 {
		t.Errorf("only %d points", points)
	}
}

// killAtCommit kills it while the database is about to commit, or has.
func (m *mortal) killAtCommit(t *testing.T) {
	for name, f := range map[string]faults.Fault{
		"the commit never arrives":    {First: "x-bellhop-effect", On: "COMMIT", Before: true, Then: faults.Reset},
		"the commit arrives late":     {First: "x-bellhop-effect", On: "COMMIT", Before: true},
		"the commit's answer is lost": {First: "x-bellhop-effect", On: "COMMIT", Then: faults.Reset},
	} {
		t.Run(name, func(t *testing.T) {
			s := m.newStory(t, true)
			arrived, hold, killed := make(chan struct{}), make(chan struct{}), make(chan struct{})
			f.Hit, f.Hold = func() { close(arrived) }, hold
			m.proxy.Set(f)
			defer m.proxy.Set()
			process := m.process.Process
			go func() {
				<-arrived
				_ = process.Kill()
				// What holds the row lets go, so that the turn can be sent again.
				close(hold)
				close(killed)
			}()
			// The client may hear of the end before this test is told of it.
			m.survive(t, s, arrived, func() { <-killed })
		})
	}
}

// killAtModel kills it while the model speaks, to the router and to the agent,
// before and in the middle of the answer.
func (m *mortal) killAtModel(t *testing.T, model *held) {
	tests := map[string]struct {
		who   func(script.Request) bool
		words int
	}{
		"the router is asked":    {script.FromRouter, 0},
		"the agent is asked":     {script.FromAgent, 0},
		"the agent has begun":    {script.FromAgent, 2},
		"a call is half written": {script.FromAgent, 7},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := m.newStory(t, false)
			arrived, hold := model.next(tt.who, tt.words)
			m.survive(t, s, arrived, func() { close(hold) })
		})
	}
}

// held is a model that can be made to wait in the middle of an answer.
type held struct {
	mu      sync.Mutex
	who     func(script.Request) bool
	words   int
	arrived chan struct{}
	hold    chan struct{}
}

// next holds the next answer of that kind after so many events.
func (h *held) next(who func(script.Request) bool, words int) (arrived <-chan struct{}, hold chan<- struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.who, h.words, h.arrived, h.hold = who, words, make(chan struct{}), make(chan struct{})
	return h.arrived, h.hold
}

// answer adds what the person named. It is asked once for each person's turn.
func (h *held) answer(in script.Request) script.Step {
	h.mu.Lock()
	defer h.mu.Unlock()
	step := script.Route("inventory")
	if !script.FromRouter(in) {
		step = script.Step{Text: "I will add it.", Calls: []script.Call{{Name: "create_extra",
			Arguments: fmt.Sprintf(`{"name":%q,"price":45,"per":"guest"}`, in.Last("user").Content)}}}
	}
	if h.who != nil && h.who(in) {
		arrived := h.arrived
		step.Hold, step.HoldAfter, step.Arrived = h.hold, h.words, func(script.Request) { close(arrived) }
		h.who = nil
	}
	return step
}
