package hospitality_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/frontdesk"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/supabase/hospitality"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

func column(r tool.Result, key string) []string {
	if r.Table == nil {
		return nil
	}
	i := slices.IndexFunc(r.Table.Columns, func(c render.Column) bool { return c.Key == key })
	var texts []string
	for _, row := range rows(r) {
		texts = append(texts, row[i])
	}
	return texts
}

// S0-40: who comes and goes today, which is 15 January 2031 in India.
func TestTodaysArrivalsAndDepartures(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.cabin("BIRCH", "Birch", 2)
	h.cabin("DEODAR", "Deodar", 2)
	leaves := h.book("2031-01-12", "2031-01-15", "checked_in", 100, 0, "COCO")
	comes := h.book("2031-01-15", "2031-01-18", "confirmed", 100, 50, "COCO", "BIRCH")
	h.sql(`update public.reservations set special_requests = 'A cot, please.', guest_name = 'Asha Meadowlark',
		children = 1 where org_id = $1 and code = $2`, comes)
	h.sql(`insert into public.payments (org_id, entity_id, reservation_id, method, amount, currency, received_on)
		select org_id, entity_id, id, 'upi', 40, 'INR', '2031-01-10' from public.reservations where org_id = $1 and
			code = $2`, comes)
	stays := h.book("2031-01-14", "2031-01-16", "checked_in", 100, 0, "BIRCH-2")
	h.book("2031-01-15", "2031-01-17", "cancelled", 100, 0, "DEODAR")
	h.book("2031-01-15", "2031-01-17", "no_show", 100, 0, "DEODAR")
	overdue := h.book("2031-01-10", "2031-01-13", "checked_in", 100, 0, "DEODAR-2")
	h.block("2031-01-14", "2031-01-17", "DEODAR")
	dayUse := h.book("2031-01-15", "2031-01-15", "checked_out", 0, 0, "DEODAR-2")

	in := h.must("get_today_checkins", `{}`)
	// The total is 100 for the nights of the two rooms' price line and 50 of extras; 40 are paid.
	if diff := cmp.Diff([][]string{
		{"Asha Meadowlark", comes, "BIRCH, COCO", "confirmed", "18-Jan-2031", "3", "2", "₹110.00", "A cot, please."},
		{"Test Guest", dayUse, "DEODAR-2", "checked out", "15-Jan-2031", "0", "1", "₹0.00", ""},
	}, rows(in)); diff != "" {
		t.Errorf("the check-ins (-want +got):\n%s", diff)
	}
	if in.Text != "2 check-ins on 15-Jan-2031, of which 1 here already. Staying over from before: 1 reservation." ||
		in.Table.Title != "Check-ins on 15-Jan-2031" {
		t.Errorf("it says %q", in.Text)
	}
	out := h.must("get_today_checkouts", `{}`)
	want := []string{leaves, dayUse}
	got := column(out, "code")
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the check-outs (-want +got):\n%s", diff)
	}
	if out.Text != "2 check-outs on 15-Jan-2031, of which 1 left already. Still checked in after the end of the "+
		"stay: "+overdue+" of Test Guest (until 13-Jan-2031)." {
		t.Errorf("it says %q", out.Text)
	}
	if r := h.must("get_today_checkins", `{"date":"2031-01-19"}`); r.Text != "Nobody checks in on 19-Jan-2031." ||
		r.Table != nil {
		t.Errorf("another day: %q", r.Text)
	}

	sheet := h.must("list_arrivals_departures", `{}`)
	if diff := cmp.Diff([][]string{
		{"BIRCH", "Birch", "", "Asha Meadowlark (" + comes + ")", "", "make ready"},
		{"BIRCH-2", "Birch", "", "", "Test Guest (" + stays + ")", "daily service"},
		{"COCO", "Coco", "Test Guest (" + leaves + ")", "Asha Meadowlark (" + comes + ")", "",
			"clean, then make ready"},
		{"DEODAR", "Deodar", "", "", "", "blocked: maintenance"},
		{"DEODAR-2", "Deodar", "", "", "", "free"},
	}, rows(sheet)); diff != "" {
		t.Errorf("the day list (-want +got):\n%s", diff)
	}
	if !strings.HasPrefix(sheet.Text, "15-Jan-2031: 2 arriving, 2 leaving, 1 staying; 1 room to clean, 1 free, 1 "+
		"blocked. Still checked in") {
		t.Errorf("it says %q", sheet.Text)
	}
}

// S0-40, F-59: after half past six in the evening in London it is tomorrow in India.
func TestTodayIsThePropertys(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 2)
	h.book("2031-01-15", "2031-01-16", "confirmed", 100, 0, "COCO")
	tomorrow := h.book("2031-01-16", "2031-01-17", "confirmed", 100, 0, "COCO-2")
	tools := frontdesk.Tools(hospitality.NewFrontDesk(h.client), func() time.Time {
		return time.Date(2031, 1, 15, 18, 45, 0, 0, time.UTC)
	})
	checkIns := slices.IndexFunc(tools, func(t tool.Tool) bool { return t.Name() == "get_today_checkins" })
	call, err := tools[checkIns].Prepare([]byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := call.Run(t.Context(), h.by)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{tomorrow}, column(r, "code")); diff != "" {
		t.Errorf("the check-ins of 16 January (-want +got):\n%s", diff)
	}
}

// Who changed what: in words, newest first, for those who may know.
func TestChangesAreTold(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.must("create_extra", stargazing)
	h.sql(`update public.extras set price = 50, active = false where org_id = $1`)
	r := h.must("get_change_history", `{"code":"stargazing"}`)
	got := rows(r)
	for i := range got {
		got[i] = got[i][1:] // the time is the database's
	}
	if diff := cmp.Diff([][]string{
		{"the system", "extra changed", "active: yes → no; price: ₹45.00 → ₹50.00"},
		{"Max Testwright, with the assistant", "extra added",
			"active: yes; category: experience; name: Stargazing; per: guest; price: ₹45.00; selection required: " +
				"no; tax rate: 18.00"},
	}, got); diff != "" {
		t.Errorf("the changes (-want +got):\n%s", diff)
	}
	if !strings.HasPrefix(r.Text, "2 changes of STARGAZING recorded. The newest: ") ||
		!strings.HasSuffix(r.Text, "the system: extra changed (active: yes → no; price: ₹45.00 → ₹50.00).") {
		t.Errorf("it says %q", r.Text)
	}
	h.cabin("COCO", "Coco", 1)
	code := h.book("2031-02-01", "2031-02-03", "confirmed", 100, 0, "COCO")
	h.sql(`update public.reservations set status = 'cancelled', cancellation_reason = 'Flu' where org_id = $1 and
		code = $2`, code)
	changes := rows(h.must("get_change_history", `{"code":"`+code+`"}`))
	if len(changes) != 3 || changes[0][3] != "cancellation reason: Flu; status: confirmed → cancelled" ||
		changes[1][2] != "room COCO added" || changes[2][2] != "reservation added" {
		t.Errorf("the reservation: %v", changes)
	}
	if r := h.must("get_change_history", `{"code":"`+code+`","limit":1}`); r.Records != 1 ||
		r.Table.Note != "Showing 1–1 of 3, the newest first." {
		t.Errorf("one of them: %+v", r.Table)
	}

	other := newHotel(t)
	_, err := other.run("get_change_history", `{"code":"`+code+`"}`)
	sentence(t, err, fault.NotFound, "No change of")
	h.by = h.as(h.org.Viewer.Token)
	_, err = h.run("get_change_history", `{"code":"`+code+`"}`)
	sentence(t, err, fault.Forbidden, "Only administrators and managers may see who changed what.")
}
