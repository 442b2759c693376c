package intents_test

import (
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// Tools are counted per organisation and assistant, with what the matcher learns and
// without it, and administrators read how often each was used.
func TestToolsAreCounted(t *testing.T) {
	t.Parallel()
	s, org, other := store(t), localtest.NewOrg(t), localtest.NewOrg(t)
	viewer, admin := caller(org, org.Viewer), caller(org, org.Admin)
	must(t, s.Used(t.Context(), viewer, hotel, []string{"get_bills", "list_extras", "get_bills", ""}))
	must(t, s.Learn(t.Context(), viewer, heard("what is there besides the rooms", 1)))
	must(t, s.Used(t.Context(), viewer, "finance", []string{"get_bills"})) // it does not have the assistant
	r, err := s.Report(t.Context(), admin, hotel, 30, 0.85)
	must(t, err)
	if len(r.Uses) != 2 || r.Uses[0].Used != 2 || r.Uses[1].Used != 2 || r.Uses[0].Tool != "get_bills" ||
		r.Uses[0].Module != "bills" || r.Uses[1].Tool != "list_extras" || r.Uses[1].Module != "" ||
		r.Uses[0].LastAt.IsZero() {
		t.Errorf("counted %+v", r.Uses)
	}
	if r, err := s.Report(t.Context(), caller(other, other.Admin), hotel, 30, 0.85); err != nil || len(r.Uses) != 0 {
		t.Errorf("another organisation reads %+v (%v)", r.Uses, err)
	}
	if _, err := s.Report(t.Context(), viewer, hotel, 30, 0.85); !fault.Is(err, fault.Forbidden) {
		t.Errorf("a viewer reads it: %v", err)
	}
	if n := len(localtest.SQL(t, `select from public.tool_usage where org_id = $1`, org.ID)); n != 2 {
		t.Errorf("%d rows", n)
	}
}
