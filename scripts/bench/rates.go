package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/stack"
)

// demoManager may write, in the demo data.
const demoManager = "manager@sojourn.example"

// served is functions/server as its own process, over the local stack.
type served struct {
	cmd   *exec.Cmd
	url   string
	token string // of demoManager
	// postmaster is the process of the database; 0 when it is not known.
	postmaster int
}

// serve starts the server with this model.
func (l *lab) serve(ctx context.Context, model string) (*served, error) {
	dir, err := l.built(ctx)
	if err != nil {
		return nil, err
	}
	project, err := l.local(ctx)
	if err != nil {
		return nil, err
	}
	token, err := project.Token(ctx, demoManager)
	if err != nil {
		return nil, err
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	address := free.Addr().String()
	_, port, _ := net.SplitHostPort(address) // of an address that was just made
	if err := free.Close(); err != nil {
		return nil, err
	}
	s := &served{cmd: exec.CommandContext(ctx, filepath.Join(dir, "server")), url: "http://" + address, token: token}
	s.cmd.Env = append(os.Environ(), project.Env()...)
	s.cmd.Env = append(s.cmd.Env, "PORT="+port, "OPENAI_API_KEY=sk-bench", "OPENAI_PROFILE=openai", "OPENAI_BASE_URL="+
		model)
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	if s.postmaster, err = postmaster(ctx, project); err != nil {
		s.stop()
		return nil, err
	}
	var dialer net.Dialer
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if conn, err := dialer.DialContext(ctx, "tcp", address); err == nil {
			return s, conn.Close()
		}
		if time.Now().After(end) {
			s.stop()
			return nil, errors.New("the server does not listen")
		}
	}
}

func (s *served) stop() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

// measureRates counts what gets through functions/server in front of a real
// database: whole turns, and writes that a person confirms.
func (l *lab) measureRates(ctx context.Context) error {
	for _, sc := range scenarios() {
		if err := l.measureRatesOf(ctx, sc); err != nil {
			return fmt.Errorf("%s: %w", sc.assistant, err)
		}
	}
	return nil
}

func (l *lab) measureRatesOf(ctx context.Context, sc scenario) error {
	up, _, err := l.canned(ctx)
	if err != nil {
		return err
	}
	s, err := l.serve(ctx, up.url+sc.model(pathDesk))
	if err != nil {
		return err
	}
	defer s.stop()
	turns, writes := 3000, 1600
	if l.opt.short {
		turns, writes = 100, 100
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	defer client.CloseIdleConnections()
	body, err := json.Marshal(map[string]any{"messages": []map[string]string{{"role": "user",
		"content": sc.question}}})
	if err != nil {
		return err
	}
	turn := load{
		client: client, url: s.url, path: sc.chat(), token: s.token, accept: "application/json",
		body:  body,
		marks: [][]byte{[]byte(lastWords), []byte(`"calls":3`)},
	}
	if _, err := turn.run(ctx, turns/10, 16); err != nil { // warms up
		return err
	}
	before, err := used(s.cmd.Process.Pid, s.postmaster)
	if err != nil {
		return err
	}
	t, err := turn.run(ctx, turns, 16)
	if err != nil {
		return err
	}
	after, err := used(s.cmd.Process.Pid, s.postmaster)
	if err != nil {
		return err
	}
	row := t.row("turns: router, agent, one tool, answer", 16).with(after.minus(before))
	row.Aim = 300
	row.Memory = memory(s.cmd.Process.Pid, "VmRSS")
	l.out.Rates = append(l.out.Rates, row)
	if sc.writes == nil {
		return nil
	}
	return l.measureWrites(ctx, s, sc, client, writes)
}

// measureWrites makes proposals by the tools endpoint and confirms them.
func (l *lab) measureWrites(ctx context.Context, s *served, sc scenario, client *http.Client, n int) error {
	post := func(path string, body any) ([]byte, error) {
		data, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		r := load{client: client, url: s.url, path: path, token: s.token, accept: "application/json", body: data}
		resp, err := r.send(ctx)
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		answer, err := io.ReadAll(resp.Body)
		if err == nil && resp.StatusCode >= 300 {
			err = fmt.Errorf("%s: %s: %.300s", path, resp.Status, answer)
		}
		return answer, err
	}
	// A person has few open questions at a time, each of another row.
	const open = 32
	made, err := count(ctx, l.project, sc.writes.rows, open)
	if err != nil {
		return err
	}
	if made != open {
		return fmt.Errorf("%d rows were made instead of %d", made, open)
	}
	ids := make([]string, n)
	propose := func(i int) error {
		answer, err := post("/api/tools/"+sc.assistant+"/"+sc.writes.tool, sc.writes.arguments(1+i%open, i))
		if err != nil {
			return err
		}
		var out struct{ Confirmation struct{ ID string } }
		err = json.Unmarshal(answer, &out)
		ids[i] = out.Confirmation.ID
		return err
	}
	confirm := func(i int) error {
		answer, err := post("/api/confirmations/"+ids[i], map[string]string{"decision": "approve"})
		if err == nil && !bytes.Contains(answer, []byte(`"result":{`)) {
			err = fmt.Errorf("the write was not done: %.300s", answer)
		}
		return err
	}
	var asked, done timing
	var ofAsking, ofWriting cpuOf
	before, err := used(s.cmd.Process.Pid, s.postmaster)
	if err != nil {
		return err
	}
	for from := 0; from < n; from += open {
		for _, step := range []struct {
			sum *timing
			cpu *cpuOf
			do  func(int) error
		}{{&asked, &ofAsking, propose}, {&done, &ofWriting, confirm}} {
			t, err := timed(min(open, n-from), 16, func(i int) error { return step.do(from + i) })
			if err != nil {
				return err
			}
			step.sum.walls, step.sum.all = append(step.sum.walls, t.walls...), step.sum.all+t.all
			after, err := used(s.cmd.Process.Pid, s.postmaster)
			if err != nil {
				return err
			}
			*step.cpu, before = step.cpu.plus(after.minus(before)), after
		}
	}
	written, err := count(ctx, l.project, `select count(*) from public.effects where tool = $1`,
		sc.writes.tool)
	if err != nil {
		return err
	}
	if written != n {
		return fmt.Errorf("%d writes were confirmed, %d are in the database", n, written)
	}
	asks := asked.row("proposals by the tools door", 16).with(ofAsking)
	writes := done.row("confirmed writes", 16).with(ofWriting)
	writes.Aim = 500
	l.out.Rates = append(l.out.Rates, asks, writes)
	return nil
}

// count runs a query that counts, past all row policies.
func count(ctx context.Context, s *stack.Stack, query string, args ...any) (int, error) {
	var n int
	err := inDatabase(ctx, s, func(conn querier) error { return conn.QueryRow(ctx, query, args...).Scan(&n) })
	return n, err
}
