package chat_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"golang.org/x/tools/txtar"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/api/chat"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

var update = flag.Bool("update", false, "write the recorded turns in testdata anew")

// recordedAt is the clock of recorded turns: a Wednesday in India. It is years
// ahead, since the database has the real clock.
func recordedAt() time.Time { return time.Date(2031, 1, 15, 6, 30, 0, 0, time.UTC) }

// What a client gets for a turn, byte for byte, in each representation. Each
// case is a conversation with the hotel of testdata/turns/hotel.sql, in a txtar
// file; beside it stands what came of it, with the extension golden. After a
// change on purpose
//
//	go test ./pkg/api/chat -run TestRecordedTurns -update
//
// writes these anew, and the difference is for reading.
//
// The sections of a case, in order:
//
//	world    statements that change the hotel first
//	as       viewer, admin or visitor; otherwise a manager asks
//	user     begins a turn: what is said, or "confirm: approve" with an optional
//	         phrase behind it, or "confirm: reject", for the question that was
//	         asked last ("first confirm: …" for the one that was asked first)
//	setup    is user for a turn whose answer is not recorded
//	model    the turn's script; see script.Parse
//	history  messages that stand for all that was said before, as JSON
//	with     members of the request, as JSON, in our own API's words
//	how      words, one a line: see recordedTurn
//	sql      statements that run before the turn
//	rows     a query whose result is recorded after the turn
//
// Recorded are status, headers and body of each representation; under "asked"
// what the model was sent; and the rows. The last two are recorded for the plain
// answer, "json", and for another representation where they differ from it.
func TestRecordedTurns(t *testing.T) {
	files, err := filepath.Glob("testdata/turns/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded turns: %v", err)
	}
	buildHotel(t)
	kit := newKit(t)
	for _, file := range files {
		name := strings.TrimSuffix(file, ".txtar")
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			raw, err := os.ReadFile(file)
			fatal(t, err)
			turns, world := readTurns(t, txtar.Parse(raw))
			var sections []txtar.File
			home := newTenant(t, turns[0].as, world)
			for i, c := range clients() {
				if i > 0 && home.touched(t, turns) {
					home = newTenant(t, turns[0].as, world)
				}
				sections = append(sections, kit.play(t, c, turns, home)...)
			}
			comment := "Recorded from " + filepath.Base(file) + "; see TestRecordedTurns.\n"
			got := txtar.Format(&txtar.Archive{Comment: []byte(comment), Files: settled(sections)})
			if *update {
				fatal(t, os.WriteFile(name+".golden", got, 0o644))
				return
			}
			want, err := os.ReadFile(name + ".golden")
			fatal(t, err)
			if diff := cmp.Diff(byName(want), byName(got)); diff != "" {
				t.Errorf("what clients get has changed (-want +got):\n%s", diff)
			}
		})
	}
}

// buildHotel makes the function that makes the hotel of a case, unless a test before
// has.
func buildHotel(t *testing.T) {
	t.Helper()
	if len(localtest.SQL(t, "select 1 as one from pg_namespace where nspname = 'recorded'")) > 0 {
		return
	}
	hotel, err := os.ReadFile("testdata/turns/hotel.sql")
	fatal(t, err)
	localtest.Script(t, localtest.Stack(t), string(hotel))
}

// settled orders the sections by turn. What another representation was recorded
// with before, such as "1 asked of json", is not written a second time.
func settled(list []txtar.File) []txtar.File {
	before := map[string][]txtar.File{}
	var out []txtar.File
	for _, f := range list {
		if what, _, shared := strings.Cut(f.Name, " of "); shared {
			same := slices.IndexFunc(before[what], func(b txtar.File) bool { return string(b.Data) == string(f.Data) })
			if same == 0 {
				continue // as for the plain answer
			}
			if same > 0 {
				f.Data = []byte("(as " + before[what][same].Name + ")\n")
			}
			before[what] = append(before[what], f)
		}
		out = append(out, f)
	}
	slices.SortStableFunc(out, func(a, b txtar.File) int { return strings.Compare(a.Name[:2], b.Name[:2]) })
	return out
}

// byName makes of a record what differs in lines, section by section.
func byName(raw []byte) map[string][]string {
	out := map[string][]string{}
	for _, f := range txtar.Parse(raw).Files {
		out[f.Name] = strings.SplitAfter(string(f.Data), "\n")
	}
	return out
}

// recordedTurn is one turn of a case. how may hold
//
//	again    it is sent twice, and the second answer is recorded
//	forget   the client keeps only texts, no seals
//	keep     the conversation is kept by the function
//	stop     the person stops it while the model's last answer is made
//	leave    the process has to end while the model's last answer is made
//	blind    the model cannot see pictures
//	rewrite  the client writes other words into the first message
//	spare    a client without a stream does not need all of the script
//	file=…   an address of what is attached to the message
type recordedTurn struct {
	user    string
	setup   bool
	steps   []script.Step
	history []said
	with    map[string]any
	how     []string
	as      string
	sql     string
	rows    string
}

func (r recordedTurn) is(how string) bool { return slices.Contains(r.how, how) }

func readTurns(t *testing.T, a *txtar.Archive) (turns []recordedTurn, world string) {
	t.Helper()
	as := "manager"
	for _, f := range a.Files {
		text := strings.TrimSpace(string(f.Data))
		n := len(turns) - 1
		if n < 0 && !slices.Contains([]string{"world", "as", "user", "setup"}, f.Name) {
			t.Fatalf("the section %s stands before any turn", f.Name)
		}
		var err error
		switch f.Name {
		case "world":
			world = text
		case "as":
			as = text
		case "user", "setup":
			turns = append(turns, recordedTurn{user: text, setup: f.Name == "setup", as: as})
		case "model":
			turns[n].steps, err = script.Parse(text)
		case "history":
			err = json.Unmarshal(f.Data, &turns[n].history)
		case "with":
			err = json.Unmarshal(f.Data, &turns[n].with)
		case "how":
			turns[n].how = strings.Fields(text)
		case "sql":
			turns[n].sql = text
		case "rows":
			turns[n].rows = text
		default:
			t.Fatalf("a case has no section %q", f.Name)
		}
		fatal(t, err)
	}
	return turns, world
}

// kit is what all cases share: a backend with the real clock, by which tokens are
// checked, and assistants with that of the records.
type kit struct {
	backend  *backend.Backend
	bernard  []*flow.Assistant
	visitors []*flow.Assistant
}

func newKit(t *testing.T) kit {
	t.Helper()
	stack := localtest.Stack(t)
	k := kit{backend: backendOf(t, stack, time.Now), bernard: assistantsOf(t, backendOf(t, stack, recordedAt))}
	for _, a := range k.bernard {
		k.visitors = append(k.visitors, a.Restrict(a.Public...))
	}
	return k
}

// guest lets everybody in as a visitor of one organisation.
type guest struct {
	identify func(context.Context, string) (identity.Caller, error)
	token    string
}

// Admit returns the visitor.
func (g guest) Admit(_ http.ResponseWriter, r *http.Request) (identity.Caller, error) {
	by, err := g.identify(r.Context(), g.token)
	by.Name, by.Email, by.Visitor = "", "", "visitor-1"
	return by, err
}

// blind is a model that cannot see pictures.
type blind struct{ llm.Model }

// play runs a case through one client and returns what was recorded.
func (k kit) play(t *testing.T, c client, turns []recordedTurn, home tenant) []txtar.File {
	t.Helper()
	talk := conversation{client: c}
	number, codes := 0, 0
	var out []txtar.File
	for i, turn := range turns {
		if turn.sql != "" {
			localtest.Script(t, localtest.Stack(t), home.fill(turn.sql))
		}
		steps := slices.Clone(turn.steps)
		leaving, leave := context.WithCancel(context.Background())
		defer leave()
		var d door
		last := len(steps) - 1
		if turn.is("stop") {
			steps[last].Arrived = func(script.Request) {
				d.post(t, "/api/chat/hospitality/"+thread+"/stop", home.token, "", map[string]any{})
			}
		}
		if turn.is("leave") {
			steps[last].Arrived, steps[last].Hold = func(script.Request) { leave() }, make(chan struct{})
		}
		d = openWith(t, k.backend, func(cfg *chat.Config) {
			keys, err := history.NewKeys(history.KeysConfig{Spec: sealKeys, Now: recordedAt})
			fatal(t, err)
			newID := func() string {
				number++
				return fmt.Sprintf("00000000-0000-4000-8000-%012d", number)
			}
			cfg.Consent = &consent.Service{Store: cfg.Consent.Store, NewID: newID, Code: func() string {
				codes++
				return "K7Q" + string(rune('A'+codes))
			}}
			cfg.Assistants, cfg.Now, cfg.Keys, cfg.NewID, cfg.Leaving = k.bernard, recordedAt, keys, newID, leaving
			if turn.is("keep") {
				cfg.Recorder = k.backend.Conversations
			}
			if turn.is("blind") {
				cfg.Model = blind{cfg.Model}
			}
			if turn.as == "visitor" {
				cfg.Visitors, cfg.ForVisitors = guest{cfg.Identify, home.token}, k.visitors
			}
		}, steps...)
		body, err := json.Marshal(talk.request(turn))
		fatal(t, err)
		times := 1
		if turn.is("again") {
			times = 2
		}
		signed := home.token
		if turn.as == "visitor" {
			signed = ""
		}
		var answered string
		var raw []byte
		for range times {
			var resp *http.Response
			resp, raw = send(t, d.url+c.path, signed, c.accept, "request-1", body)
			answered = shownAnswer(resp, raw)
		}
		talk.keep(turn, raw)
		if left := d.model.Unused(); len(left) > 0 && !turn.is("spare") {
			t.Errorf("%s, turn %d: the model was not asked for %q", c.name, i+1, left)
		}
		if wrong := d.model.Violations(); len(wrong) > 0 {
			t.Errorf("%s, turn %d: the model would refuse %q", c.name, i+1, wrong)
		}
		if turn.setup {
			continue
		}
		section := func(name, text string) {
			text = strings.TrimSuffix(text, "\n") + "\n"
			out = append(out, txtar.File{Name: fmt.Sprintf("%d %s", i+1, name), Data: []byte(text)})
		}
		section(c.name, answered)
		section("asked of "+c.name, shownRequests(d.model.Requests()))
		if turn.rows != "" {
			section("rows of "+c.name, rows(t, home.fill(turn.rows)))
		}
	}
	return out
}

// tenant is what a case has of its own: an organisation with the hotel, and the
// token of one person.
type tenant struct{ org, token string }

func newTenant(t *testing.T, as, world string) tenant {
	t.Helper()
	home := tenant{org: uuid.NewString()}
	localtest.SQL(t, "select recorded.hotel($1, $2)", home.org, uuid.NewString())
	if world != "" {
		localtest.Script(t, localtest.Stack(t), home.fill(world))
	}
	if as == "visitor" {
		as = "viewer"
	}
	home.token = localtest.NewPerson(t, localtest.Stack(t), home.org, as, "Max Testwright").Token
	return home
}

func (h tenant) fill(sql string) string { return strings.ReplaceAll(sql, "$org", "'"+h.org+"'") }

// touched reports whether playing a case may have left something that the next
// client would find. Making a tenant takes longer than most turns.
func (h tenant) touched(t *testing.T, turns []recordedTurn) bool {
	t.Helper()
	if slices.ContainsFunc(turns, func(r recordedTurn) bool { return r.sql != "" }) {
		return true
	}
	return len(localtest.SQL(t, `select from proposals where org_id = $1 union all select from effects where org_id =
		$1
		union all select from turns where org_id = $1 union all select from chat_sessions where org_id = $1
		union all select from budgets where org_id = $1`, h.org)) > 0
}
