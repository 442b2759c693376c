package hospitality_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/effect"
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
	return call.Preview(h.t.Context(), h.by)
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
	h    *hotel
	call tool.Call
	ctx  context.Context
}

// ask previews a call and stores the proposal with the rows that it showed.
func (h *hotel) ask(name, arguments string) asked {
	h.t.Helper()
	call, err := h.prepare(name, arguments)
	if err != nil {
		h.t.Fatal(err)
	}
	p, err := call.Preview(h.t.Context(), h.by)
	if err != nil {
		h.t.Fatal(err)
	}
	id := uuid.NewString()
	claim := effect.Claim{Key: id, Proposal: id, ArgsHash: call.Hash, Tool: call.Tool.Name(), Turn: "turn-1", Assistant: "hospitality"}
	// Each under a code and a thread of its own, so that none takes another's place.
	_, err = control.NewProposals(h.client).Propose(h.t.Context(), h.by, consent.Draft{
		ID: id, Entity: h.by.Entity.ID, Assistant: claim.Assistant, Agent: "inventory", Thread: id, Turn: claim.Turn, Tool: claim.Tool,
		Arguments: call.Arguments, Hash: call.Hash, Preview: p, Tier: call.Tool.Effect().Tier(), Code: id[:8],
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return asked{h, call, effect.With(h.t.Context(), claim)}
}

func (a asked) yes() (tool.Result, error) { return a.call.Run(a.ctx, a.h.by) }

// viewersAndStrangersChangeNothing tries a call that its hotel allows as the
// hotel's viewer, as somebody whose role was taken away since, and as the
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
		select t::text from public.extras t where org_id = $1 union all select t::text from public.room_types t where org_id = $1
		union all select t::text from public.rooms t where org_id = $1 union all select t::text from public.packages t where org_id = $1
		union all select t::text from public.packages_rooms t where org_id = $1 union all select t::text from public.packages_extras t where org_id = $1
		union all select t::text from public.chef_menu_items t where org_id = $1) all_rows (r)`)[0]["state"].(string)
}
