package chat_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/chat"
)

// TestMain is the chat function itself where the test starts it as a process.
func TestMain(m *testing.M) {
	if os.Getenv("TALK_TEST_PROCESS") != "" {
		boot.Run("chat", boot.Options{Streaming: true}, func(ctx context.Context, s *boot.Service) (http.Handler,
			error) {
			b, err := backend.NewSealed(ctx, s)
			if err != nil {
				return nil, err
			}
			return chat.New(ctx, b)
		})
		os.Exit(0)
	}
	localtest.Main(m)
}

// process is a running chat function.
type process struct {
	url   string
	cmd   *exec.Cmd
	ended chan error
}

func start(t *testing.T, model string) *process {
	t.Helper()
	s := localtest.Stack(t)
	p := &process{cmd: exec.Command(os.Args[0]), ended: make(chan error, 1)}
	p.cmd.Env = []string{
		"TALK_TEST_PROCESS=1", "GOCOVERDIR=" + t.TempDir(), "BELLHOP_LOCAL=true", "PORT=0", "TURN_TIMEOUT=2m",
		"SUPABASE_URL=" + s.URL(), "SUPABASE_PUBLISHABLE_KEY=" + s.Keys().Publishable, "SUPABASE_JWKS=" +
			string(s.JWKS()), "PROOF_KEYS=" + s.ProofKeys(),
		"OPENAI_BASE_URL=" + model, "OPENAI_API_KEY=local", "OPENAI_PROFILE=openai",
		"SEAL_KEYS=k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
	}
	said, err := p.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		var line struct{ Message, Address string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Message == "listening" {
			p.url = "http://" + line.Address
			break
		}
		t.Log(lines.Text())
	}
	if p.url == "" {
		t.Fatal("the function did not start")
	}
	go func() {
		for lines.Scan() { // a full pipe would hold the function up
			continue
		}
		p.ended <- p.cmd.Wait()
	}()
	return p
}

// F-57: two hundred live streams end in their terminal event within ten seconds
// of the signal; what was read is handed back, and no turn is left behind.
func TestASignalEndsLiveStreamsProperly(t *testing.T) {
	const streams = 200
	org := localtest.NewOrg(t)
	people := []localtest.Person{org.Manager, org.Admin} // one person has a share of the places only
	var waiting atomic.Int32
	all := make(chan struct{})
	reading := func(r script.Request) bool { return script.FromAgent(r) && r.Last("tool").Role == "" }
	model := script.Start(t,
		func() script.Step { s := script.Route("inventory"); s.Times = -1; return s }(),
		script.Step{When: reading, Calls: []script.Call{{Name: "list_extras"}}, Times: -1},
		script.Step{When: func(r script.Request) bool { return r.Last("tool").Role != "" }, Times: -1,
			Hold: make(chan struct{}), Arrived: func(script.Request) {
				if waiting.Add(1) == streams {
					close(all)
				}
			}})
	p := start(t, model.URL)
	ends := make([]string, streams)
	var wg sync.WaitGroup
	for i := range streams {
		wg.Go(func() { ends[i] = lastEvent(t, p.url, people[i%len(people)].Token, i) })
	}
	<-all
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	told := time.Now()
	wg.Wait()
	if err := <-p.ended; err != nil {
		t.Errorf("the process ended with %v", err)
	}
	if took := time.Since(told); took > 10*time.Second {
		t.Errorf("it took %v to end", took)
	}
	for i, end := range ends {
		if end != "complete deadline" {
			t.Errorf("stream %d ended with %q", i, end)
		}
	}
	rows := localtest.SQL(t, `select count(*) as turns, count(*) filter (where finish = 'deadline') as ended from
		public.turns where org_id = $1`, org.ID)
	if rows[0]["turns"] != int64(streams) || rows[0]["ended"] != int64(streams) {
		t.Errorf("of the turns %v", rows)
	}
}

// lastEvent asks for a stream and returns the name of its last event and why
// the turn ended.
func lastEvent(t *testing.T, url, token string, i int) string {
	body := fmt.Sprintf(`{"turn":"turn-%04d","messages":[{"role":"user","content":"List the extras"}]}`, i)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/api/chat", strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return ""
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Accept", "text/event-stream")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer resp.Body.Close()
	name, finish := "", ""
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if event, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			name = event
		}
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			var d struct{ Finish string }
			_ = json.Unmarshal([]byte(data), &d) // other events have other data
			finish = d.Finish
		}
	}
	if err := lines.Err(); err != nil {
		return err.Error()
	}
	return name + " " + finish
}
