package hospitality_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// look returns what the person would see of a call.
func (h *hotel) look(name, arguments string) (tool.Preview, error) {
	h.t.Helper()
	call, err := h.prepare(name, arguments)
	if err != nil {
		return tool.Preview{}, err
	}
	p, err := call.Preview(h.t.Context(), h.by)
	p.Reads = nil // what is shown is compared
	return p, err
}

// shown is look for what has to be possible.
func (h *hotel) shown(name, arguments string) tool.Preview {
	h.t.Helper()
	p, err := h.look(name, arguments)
	if err != nil {
		h.t.Fatalf("%s %s: %v", name, arguments, err)
	}
	return p
}

// asked is a call that was previewed, and to which its person is about to say yes.
type asked struct {
	h        *hotel
	call     tool.Call
	proposal consent.Proposal
	service  *consent.Service
}

// ask previews a call and stores the proposal with all that it was made from.
func (h *hotel) ask(name, arguments string) asked {
	h.t.Helper()
	call, err := h.prepare(name, arguments)
	if err != nil {
		h.t.Fatal(err)
	}
	return h.askOf(call)
}

// askOf is ask for a call that is prepared.
func (h *hotel) askOf(call tool.Call) asked {
	h.t.Helper()
	p, err := call.Preview(h.t.Context(), h.by)
	if err != nil {
		h.t.Fatal(err)
	}
	// Each under a code and a thread of its own, so that none takes another's place.
	id, store := uuid.NewString(), control.NewProposals(h.client)
	_, err = store.Propose(h.t.Context(), h.by, consent.Draft{
		ID: id, Entity: h.by.Entity.ID, Assistant: "hospitality", Agent: "inventory", Thread: id, Turn: "turn-1",
		Tool:      call.Tool.Name(),
		Arguments: call.Arguments, Hash: call.Hash, Preview: p, Tier: call.Tool.Effect().Tier(), Code: id[:8],
	})
	if err != nil {
		h.t.Fatal(err)
	}
	service := &consent.Service{Store: store, NewID: uuid.NewString,
		Code: func() string { return uuid.NewString()[:8] }}
	stored, err := service.Find(h.t.Context(), h.by, id)
	if err != nil {
		h.t.Fatal(err)
	}
	return asked{h, call, stored, service}
}

// yes carries the call out as a button or a word does.
func (a asked) yes() (tool.Result, error) {
	return a.service.Execute(a.h.t.Context(), a.h.by, a.proposal, a.call.Tool)
}

// next is the question that took the place of one, about to be answered.
func (a asked) next(p consent.Proposal) asked {
	a.h.t.Helper()
	stored, err := a.service.Find(a.h.t.Context(), a.h.by, p.ID)
	if err != nil {
		a.h.t.Fatal(err)
	}
	a.proposal = stored
	return a
}

// changed is the error of a yes that was not carried out: a new question, which
// shows among its changes these.
func (a asked) changed(err error, want ...tool.Line) consent.Proposal {
	a.h.t.Helper()
	c, ok := errors.AsType[*consent.Changed](err)
	if !ok {
		a.h.t.Fatalf("%s ended with %v, want a new question", a.call.Tool.Name(), err)
	}
	for _, line := range want {
		if !slices.Contains(c.Proposal.Preview.Changed, line) {
			a.h.t.Errorf("the new question's changes are %+v, want %+v among them", c.Proposal.Preview.Changed, line)
		}
	}
	if c.Proposal.ID == a.proposal.ID || c.Proposal.State != consent.Pending || len(c.Proposal.Preview.Changed) == 0 {
		a.h.t.Errorf("the new question is %+v", c.Proposal)
	}
	return c.Proposal
}

// viewersAndStrangersChangeNothing tries a call that its hotel allows as the
// hotel's viewer, as a user whose role was taken away since, and as the
// manager of another hotel with this one's property chosen.
func (h *hotel) viewersAndStrangersChangeNothing(t *testing.T, name, arguments string) {
	t.Helper()
	before := h.state()
	viewer := *h
	viewer.by = h.as(h.org.Viewer.Token)
	_, err := viewer.run(name, arguments)
	sentence(t, err, fault.Forbidden, "may look")
	viewer.by.Role = "manager" // F-39
	_, err = viewer.run(name, arguments)
	sentence(t, err, fault.Forbidden, "may look")
	stranger := newHotel(t)
	stranger.by.Entity = h.by.Entity // F-42
	if r, err := stranger.run(name, arguments); err == nil {
		t.Errorf("a stranger's %s answers %s", name, r.Text)
	}
	if after := h.state(); after != before {
		t.Errorf("after %s by people who may not: %s\nbefore: %s", name, after, before)
	}
}

// state is the whole catalogue of the hotel as one text.
func (h *hotel) state() string {
	h.t.Helper()
	return h.sql(`select coalesce(string_agg(r, ' ' order by r), '') as state from (
		select t::text from public.extras t where org_id = $1 union all select t::text from public.room_types t where
			org_id = $1
		union all select t::text from public.rooms t where org_id = $1 union all select t::text from public.packages
			t where org_id = $1
		union all select t::text from public.packages_rooms t where org_id = $1 union all select t::text from
			public.packages_extras t where org_id = $1
		union all select t::text from public.chef_menu_items t where org_id = $1) all_rows (r)`)[0]["state"].(string)
}
