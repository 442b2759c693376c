package chat_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model"
	"github.com/bellhop-ai/bellhop/pkg/api/chat"
	"github.com/bellhop-ai/bellhop/pkg/assistants/examples"
	"github.com/bellhop-ai/bellhop/pkg/openai"
	"github.com/bellhop-ai/bellhop/pkg/stream"
)

// morning is a manager at the real chat function, answered by the built-in
// model: nothing is scripted.
type morning struct {
	t        *testing.T
	door     door
	org      localtest.Org
	thread   string
	messages []map[string]any
	proposal string
}

// builtIn is the built-in model. What it learns from the examples costs more than what
// it is asked here, so all tests ask one.
var builtIn = sync.OnceValues(func() (*model.Server, error) {
	domains, err := model.ReadDomains(examples.Files)
	return model.New(model.Config{Now: time.Now, Domains: domains}), err
})

func newMorning(t *testing.T) *morning {
	t.Helper()
	if underRace {
		t.Skip("the race detector makes the built-in model ten times slower, which no product uses; " +
			"the same handlers run under it with scripted models")
	}
	learned, err := builtIn()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(learned)
	t.Cleanup(server.Close)
	m, err := openai.New(openai.Config{BaseURL: server.URL + "/v1", APIKey: "local", Profile: "openai", Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	d := openAs(t, localtest.Stack(t), func(c *chat.Config) { c.Model = m })
	out := &morning{t: t, door: d, org: localtest.NewOrg(t), thread: uuid.NewString()}
	for _, code := range []string{"COCO", "BIRCH"} {
		localtest.SQL(t, `insert into public.room_types (org_id, entity_id, code, name, capacity, included_guests,
			weekday_price, weekend_price)
			values ($1, $2, $3, $3, 4, 4, 5000, 6000)`, out.org.ID, out.org.Entity.ID, code)
	}
	return out
}

// turn says text, or decides on the last proposal when text is empty.
func (m *morning) turn(text, decision string) stream.Answer {
	m.t.Helper()
	body := map[string]any{"id": m.thread, "turn": uuid.NewString()}
	if decision != "" {
		body["confirm"] = map[string]any{"id": m.proposal, "decision": decision}
	} else {
		m.messages = append(m.messages, map[string]any{"role": "user", "content": text})
	}
	body["messages"] = m.messages
	resp, raw := m.door.post(m.t, "/api/chat", m.org.Manager.Token, "", body)
	if resp.StatusCode != http.StatusOK {
		m.t.Fatalf("%q: status %d: %s", text, resp.StatusCode, raw)
	}
	a := decodeAnswer(m.t, string(raw))
	if a.Confirmation != nil {
		m.proposal = a.Confirmation.ID
	}
	m.messages = append(m.messages, map[string]any{"role": "assistant", "content": a.Message.Content,
		"seal": a.Message.Seal})
	return a
}

// says expects the agent and a part of the reply.
func (m *morning) says(text, agent, part string) {
	m.t.Helper()
	a := m.turn(text, "")
	if reply := shortTables(a.Reply); agent != "" && a.Agent != agent || !strings.Contains(reply, part) {
		m.t.Errorf("after %q %s says\n%s\nwant %s with %q", text, a.Agent, reply, agent, part)
	}
}

func (m *morning) presses(part string) {
	m.t.Helper()
	if a := m.turn("", "approve"); !strings.Contains(a.Reply, part) {
		m.t.Errorf("the button is answered\n%s\nwant %q", a.Reply, part)
	}
}

func (m *morning) has(query, want string) {
	m.t.Helper()
	query = strings.ReplaceAll(query, "$org", "'"+m.org.ID+"'")
	if got := rows(m.t, query); got != want {
		m.t.Errorf("%s\n got %s\nwant %s", query, got, want)
	}
}

// S0-22, S0-35, S0-41: a morning at the desk without a key. Every change was shown, then done
// once; each step ends in rows.
func TestAManagersMorning(t *testing.T) {
	t.Parallel()
	m := newMorning(t)
	m.says("who arrives today?", "reservations", "Nobody checks in")
	m.says("book COCO from 1 March 2030 to 4 March 2030 for 2 guests, Asha Verma, asha@example.com, phone +91 98765 "+
		"43210", "reservations", "Shall I do this?")
	m.says("make it 3 guests", "reservations", "3 adults")
	m.has(`select count(*) from reservations where org_id = $org`, "count=0")
	m.says("yes", "reservations", "✓ Booked COCO for Asha Verma")
	const booked = `select guest_name, guest_email, guest_phone_country_code, guest_phone, adults, status,
		check_in, check_out from reservations where org_id = $org`
	m.has(booked, "adults=3 check_in=2030-03-01 check_out=2030-03-04 guest_email=asha@example.com guest_name=Asha "+
		"Verma guest_phone=98765 43210 guest_phone_country_code=+91 status=confirmed")
	code := strings.TrimPrefix(rows(t, `select code from reservations where org_id = '`+m.org.ID+`'`), "code=")

	m.says("block COCO from 2 March 2030 to 3 March 2030 for maintenance", "blocked_dates", "Nothing was blocked")
	m.has(`select count(*) from blocked_dates where org_id = $org`, "count=0")

	m.says("change the check-out of "+code+" to 5 March 2030", "edit_reservations", "05-Mar-2030")
	m.says("yes", "edit_reservations", "✓")
	m.has(`select check_out, nights from reservations where org_id = $org`, "check_out=2030-03-05 nights=4")

	m.says("raise the weekend price of BIRCH to 7000", "inventory", "₹6,000.00 → ₹7,000.00")
	m.presses("✓ Changed the room type")
	m.has(`select weekend_price from room_types where org_id = $org and code = 'BIRCH'`, "weekend_price=7000.00")

	m.says("create a coupon MONSOON20 with 20 percent off", "inventory", "20 %")
	m.says("yes", "inventory", "✓")
	m.has(`select code from coupons where org_id = $org`, "code=MONSOON20")

	// Money and nights that go back need more than a yes: the button or the code.
	m.says("cancel "+code+" because the guest is ill", "reservations", "**yes K7QM**")
	m.says("yes", "reservations", "K7QM")
	m.has(`select status from reservations where org_id = $org`, "status=confirmed")
	m.says("yes K7QM", "reservations", "✓")
	m.has(`select status from reservations where org_id = $org`, "status=cancelled")
	m.says("restore "+code, "reservations", "Shall I do this?")
	m.presses("✓")
	m.has(`select status from reservations where org_id = $org`, "status=confirmed")
	m.says("book COCO and BIRCH from 10 May 2030 to 12 May 2030 for Ravi Iyer, 2 adults each", "reservations",
		"Shall I do this?")
	m.says("yes", "reservations", "✓")
	m.has(`select count(*), count(distinct group_code) as groups from reservations where org_id = $org and
		guest_name = 'Ravi Iyer' and group_code like 'GRP-%'`, "count=2 groups=1")

	m.says("book COCO from 1 June 2030 to 2 June 2030 for Tara Bose, 2 adults", "reservations", "Shall I do this?")
	m.says("yes", "reservations", "✓ Booked COCO for Tara Bose")
	m.says("Cancel it please", "reservations", "Tara Bose")
	m.presses("✓")
	m.has(`select status from reservations where org_id = $org and guest_name = 'Tara Bose'`, "status=cancelled")

	m.says("simulate the price of COCO from 24 December 2030 to 26 December 2030", "pricing", "COCO")
	localtest.SQL(t, `insert into public.chef_menu_items (org_id, entity_id, code, name, category, price)
		values ($1, $2, 'TROUT', 'Trout', 'continental_mains', 500)`, m.org.ID, m.org.Entity.ID)
	m.says("the trout is off today", "chef_menu", "Trout")
	m.has(`select available from chef_menu_items where org_id = $org`, "available=false")
	m.says("revenue in March 2030", "analytics", "01-Mar-2030 to 31-Mar-2030")
}

// What the page and the README offer is answered on a clean start.
func TestSuggestionsWorkWithoutAKey(t *testing.T) {
	t.Parallel()
	m := newMorning(t)
	m.says("Which cabins do we have?", "inventory", "COCO")
	m.says("What was occupancy this month?", "analytics", "available nights occupied")
	m.says("Is COCO free next weekend?", "reservations", "is available from")
	m.says("Add an extra called Stargazing, 45 per guest", "inventory", "Shall I do this?")
	m.says("yes", "inventory", "✓ Added the extra Stargazing")
	m.has(`select name, price from extras where org_id = $org`, "name=Stargazing price=45.00")
}
