package hospitality_test

import (
	"encoding/json"
	"testing"
)

func (h *hotel) booked(name, arguments string) (code string) {
	h.t.Helper()
	r := h.must(name, arguments)
	var out struct{ Reservations []struct{ Code string } }
	if err := json.Unmarshal(r.Data, &out); err != nil || len(out.Reservations) == 0 {
		h.t.Fatalf("%s answers %s", name, r.Data)
	}
	return out.Reservations[0].Code
}

func TestTmp(t *testing.T) {
	h := newHotel(t)
	h.cabin("COCO", "Coco", 2)
	for _, a := range []string{`{"room":"coco","check_in":"2031-03-10","check_out":"2031-03-13","adults":2,"guest_name":"Asha Rao"}`} {
		call, err := h.prepare("create_reservation", a)
		if err != nil {
			t.Fatal(err)
		}
		p, err := call.Preview(t.Context(), h.by)
		t.Logf("%+v %v", p, err)
		for range 3 {
			r, err := h.run("create_reservation", a)
			t.Logf("%s %s %v", r.Text, r.Data, err)
		}
	}
}
