package hospitality_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// chef gives the hotel a menu and an extra that asks for a choice.
func (h *hotel) chef() {
	h.t.Helper()
	h.sql(`insert into public.extras (org_id, entity_id, code, name, price, selection_required)
		values ($1, $2, 'CHEF', 'Private Chef', 1800, true), ($1, $2, 'PICNIC', 'Picnic', 600, true)`, h.by.Entity.ID)
	h.sql(`insert into public.chef_menu_items (org_id, entity_id, code, name, category, available)
		values ($1, $2, 'DAL', 'Dal Makhani', 'local_mains', true), ($1, $2, 'SOUP', 'Tomato Soup', 'starters', true),
		       ($1, $2, 'TROUT', 'Grilled Trout', 'continental_mains', false)`, h.by.Entity.ID)
}

// selects adds a selection and returns its code. An empty day is none.
func (h *hotel) selects(reservation, extra, status, day string) string {
	h.t.Helper()
	return h.sql(`insert into public.extra_selections (org_id, entity_id, reservation_id, extra_id, status,
		service_date)
		select $1, r.entity_id, r.id, x.id, $4, nullif($5, '')::date from public.reservations r
		join public.extras x on x.org_id = r.org_id and x.code = $3 where r.org_id = $1 and r.code = $2 returning code`,
		reservation, extra, status, day)[0]["code"].(string)
}

// S0-34, S0-45: filters, and what is to be served next comes first.
func TestSelectionsAreListed(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.chef()
	past := h.book("2031-01-02", "2031-01-05", "checked_out", 100, 0, "COCO")
	next := h.book("2031-01-20", "2031-01-23", "confirmed", 100, 0, "COCO")
	later := h.book("2031-02-10", "2031-02-12", "confirmed", 100, 0, "COCO")
	done := h.selects(past, "CHEF", "submitted", "2031-01-03")
	far := h.selects(later, "CHEF", "pending", "")
	soon := h.selects(next, "CHEF", "completed", "2031-01-21")
	none := h.selects(next, "PICNIC", "not_required", "")
	for arguments, want := range map[string][]string{
		`{}`: {none, soon, far,
			done}, // 20 January, 21 January, 10 February; then 3 January
		`{"statuses":["pending","submitted"]}`:                   {far, done},
		`{"start_date":"2031-01-21","end_date":"2031-02-10"}`:    {soon, far},
		`{"reservation":" ` + strings.ToLower(next) + ` "}`:      {none, soon},
		`{"extra":"private chef","start_date":"2031-01-15"}`:     {soon, far},
		`{"extra":"CHEF","statuses":["not_required"],"limit":5}`: nil,
		`{"limit":1}`: {none},
	} {
		r := h.must("list_extra_selections", arguments)
		var got []string
		for _, row := range rows(r) {
			got = append(got, row[0])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", arguments, diff)
		}
	}
	r := h.must("list_extra_selections", `{}`)
	if r.Text != "4 selections found: 1 pending, 1 completed, 1 submitted, 1 not required." {
		t.Errorf("it says %q", r.Text)
	}
	if diff := cmp.Diff([]string{soon, "Private Chef", "completed", "21-Jan-2031", "0", "Test Guest", next, "COCO",
		"20-Jan-2031", "23-Jan-2031"}, rows(r)[1]); diff != "" {
		t.Errorf("a row (-want +got):\n%s", diff)
	}
	_, err := h.run("list_extra_selections", `{"extra":"private chief"}`)
	sentence(t, err, fault.NotFound, "Did you mean Private Chef (CHEF)")
	_, err = h.run("get_extra_selection_details", `{"reservation":"`+next+`"}`)
	sentence(t, err, fault.Invalid, "has several selections. Which one is meant: Picnic ("+none+"), Private Chef ("+
		soon+")?")
}

// S0-34, S0-45: pending → completed with meals → submitted, each step previewed.
func TestASelectionGoesItsWay(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.chef()
	booked := h.book("2031-01-20", "2031-01-23", "confirmed", 100, 0, "COCO")
	code := h.selects(booked, "CHEF", "pending", "")
	arguments := `{"reservation":"` + booked +
		`","status":"completed","service_date":"2031-01-21","preferences":"No nuts",
		"choices":[{"meal":"Dinner","dishes":["dal makhani","SOUP"]},{"date":"2031-01-22","meal":"lunch","guest":"Asha","dishes":["soup"]}]}`
	p, err := h.preview("update_extra_selection_status", arguments)
	if err != nil {
		t.Fatal(err)
	}
	want := tool.Preview{Title: "Set the selection " + code + " for Private Chef to completed", Lines: []tool.Line{
		{Label: "Property", After: "Test House"},
		{Label: "Reservation", After: booked + " of Test Guest in COCO, 20-Jan-2031 to 23-Jan-2031"},
		{Label: "Status", Before: "pending", After: "completed"}, {Label: "Served on", After: "21-Jan-2031"},
		{Label: "Preferences", After: "No nuts"}, {Label: "Dinner on 21-Jan-2031", After: "Dal Makhani, Tomato Soup"},
		{Label: "Lunch on 22-Jan-2031 for Asha", After: "Tomato Soup"},
	}, Targets: []tool.Target{{Table: "extra_selections", Key: code, Version: 1},
		{Table: "chef_menu_items", Key: "DAL", Version: 1}, {Table: "chef_menu_items", Key: "SOUP", Version: 1}}}
	p.Reads = nil
	if diff := cmp.Diff(want, p); diff != "" {
		t.Errorf("the preview (-want +got):\n%s", diff)
	}
	call, err := h.prepare("update_extra_selection_status", arguments)
	if err != nil {
		t.Fatal(err)
	}
	ctx := h.consented(call)
	first, err := call.Run(ctx, h.by)
	if err != nil {
		t.Fatal(err)
	}
	if first.Text != "The selection "+code+" for Private Chef (reservation "+booked+
		", Test Guest) is now completed, to be served on 21-Jan-2031, with 2 meals." {
		t.Errorf("it says %q", first.Text)
	}
	again, err := call.Run(ctx, h.by)
	if err != nil || string(again.Data) != string(first.Data) {
		t.Errorf("again: %s, %v", again.Data, err)
	}

	shown := rows(h.must("get_extra_selection_details", `{"selection":"`+strings.ToLower(code)+`"}`))
	if diff := cmp.Diff([][]string{
		{"Extra", "Private Chef (CHEF)"}, {"Status", "completed"},
		{"Reservation", booked + " of Test Guest in COCO, 20-Jan-2031 to 23-Jan-2031"},
		{"Adults", "1"}, {"Children", "0"}, {"Served on", "21-Jan-2031"},
		{"Dinner on 21-Jan-2031", "Dal Makhani, Tomato Soup"},
		{"Lunch on 22-Jan-2031 for Asha", "Tomato Soup"}, {"Preferences", "No nuts"},
	}, shown); diff != "" {
		t.Errorf("the details (-want +got):\n%s", diff)
	}
	// A dish that has gone from the menu since is still named, as gone.
	h.sql(`update public.chef_menu_items set available = false where org_id = $1 and code = 'DAL'`)
	var details struct {
		Choices []struct {
			Dishes []struct {
				Name      string
				Available bool
			}
		}
	}
	r := h.must("get_extra_selection_details", `{"selection":"`+code+`"}`)
	if err := json.Unmarshal(r.Data, &details); err != nil {
		t.Fatal(err)
	}
	if d := details.Choices[0].Dishes; d[0].Name != "Dal Makhani" || d[0].Available || !d[1].Available ||
		rows(r)[6][1] != "Dal Makhani (not available at present), Tomato Soup" {
		t.Errorf("the dishes: %s", r.Data)
	}

	h.must("update_extra_selection_status", `{"selection":"`+code+`","status":"submitted"}`)
	if got := h.sql(`select status, completed_at = submitted_at as same, completed_at is null as open from
		public.extra_selections where org_id = $1`); cmp.Diff([]map[string]any{{"status": "submitted", "same": true,
		"open": false}}, got) != "" {
		t.Errorf("stored: %v", got)
	}
}

// S0-34: only the steps of the life cycle, each refusal with its reason; the
// act refuses what the preview refuses.
func TestOtherStepsAreRefused(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.chef()
	statuses := []string{"pending", "completed", "submitted", "not_required"}
	allowed := map[string]bool{"pending completed": true, "pending not_required": true, "completed submitted": true,
		"not_required pending": true}
	says := map[string]string{
		"pending pending": "is pending already", "pending submitted": "has to be completed before",
		"completed pending": "does not become pending again", "completed completed": "is completed already",
		"completed not_required": "Only a pending one",
		"submitted submitted":    "is submitted already", "submitted pending": "cannot be changed any more",
		"submitted completed":    "cannot be changed any more",
		"submitted not_required": "cannot be changed any more", "not_required not_required": "is not required already",
		"not_required completed": "Set it to pending first", "not_required submitted": "Set it to pending first",
	}
	booked := h.book("2031-01-20", "2031-01-23", "confirmed", 100, 0, "COCO")
	code := h.selects(booked, "CHEF", "pending", "")
	for _, from := range statuses {
		for _, to := range statuses {
			h.sql(`update public.extra_selections set status = $2 where org_id = $1`, from)
			arguments := `{"selection":"` + code + `","status":"` + to + `"}`
			_, shown := h.preview("update_extra_selection_status", arguments)
			_, ran := h.run("update_extra_selection_status", arguments)
			if allowed[from+" "+to] {
				if shown != nil || ran != nil {
					t.Errorf("%s to %s: %v, %v", from, to, shown, ran)
				}
				continue
			}
			sentence(t, shown, fault.Conflict, says[from+" "+to])
			sentence(t, ran, fault.Conflict, "nothing was done")
		}
	}
	h.sql(`update public.extra_selections set status = 'pending' where org_id = $1`)
	for name, tc := range map[string]struct {
		more, says string
		kind       fault.Kind
	}{
		"a dish that nobody cooks": {`"choices":[{"dishes":["Dal Makani"]}]`, "Did you mean Dal Makhani (DAL)",
			fault.NotFound},
		"a dish that is off": {`"choices":[{"dishes":["Grilled Trout"]}]`,
			"not available at present. Available are, among others: Dal Makhani, Tomato Soup.", fault.Conflict},
		"a meal after the departure": {`"choices":[{"date":"2031-01-24","dishes":["DAL"]}]`, "outside of the stay",
			fault.Invalid},
		"a service before arrival": {`"service_date":"2031-01-19"`, "19-Jan-2031 lies outside of the stay",
			fault.Invalid},
	} {
		_, err := h.preview("update_extra_selection_status", `{"selection":"`+code+`","status":"completed",`+tc.more+
			`}`)
		t.Run(name, func(t *testing.T) { sentence(t, err, tc.kind, tc.says) })
	}
	h.by = h.as(h.org.Viewer.Token)
	_, err := h.run("update_extra_selection_status", `{"selection":"`+code+`","status":"completed"}`)
	sentence(t, err, fault.Forbidden, "may look")
}
