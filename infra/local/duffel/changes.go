package duffel

import (
	"fmt"
	"time"
)

// change is a change that an airline made to an order.
type change struct {
	ID      string        `json:"id"`
	OrderID string        `json:"order_id"`
	Created string        `json:"created_at"`
	Updated string        `json:"updated_at"`
	Added   []*shownSlice `json:"added"`
	Removed []*shownSlice `json:"removed"`
	Actions []string      `json:"available_actions"`
	Taken   *string       `json:"action_taken"`
	TakenAt *string       `json:"action_taken_at"`
	Ticket  any           `json:"travel_agent_ticket"`
}

// Change lets the airline move the first flight of an order by an hour, and sends the event.
func (s *Server) Change(orderID string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.state.orders[orderID]
	if o == nil || o.state != string(Created) {
		return fmt.Errorf("duffel: there is no order %s", orderID)
	}
	c := s.change(o)
	s.events.send(s.event("order.airline_initiated_change_detected", c.ID, c))
	return nil
}

// change moves a journey of one flight; of several, all of the slice.
func (s *Server) change(o *order) *change {
	now := stamp(s.now())
	c := &change{ID: s.name("aic"), OrderID: o.id, Created: now, Updated: now, Removed: o.slices[:1:1],
		Actions: []string{"accept", "cancel", "update"}}
	moved := *o.slices[0]
	moved.ID, moved.Segments = s.name("sli"), nil
	for _, old := range o.slices[0].Segments {
		seg := *old
		seg.ID, seg.Departs, seg.Arrives = s.name("seg"), later(old.Departs), later(old.Arrives)
		moved.Segments = append(moved.Segments, &seg)
	}
	c.Added = []*shownSlice{&moved}
	o.slices = append([]*shownSlice{&moved}, o.slices[1:]...)
	o.changes = append(o.changes, c)
	return c
}

// later is an hour after a local time.
func later(at string) string {
	t, err := time.Parse("2006-01-02T15:04:05", at)
	if err != nil {
		return at // it was written by local
	}
	return local(t.Add(time.Hour))
}

func (s *Server) listChanges(r *request) (answer, *problem) {
	id := r.URL.Query().Get("order_id")
	list := []*change{}
	for _, each := range s.state.orderIDs {
		o := s.state.orders[each]
		if id != "" && o.id != id {
			continue
		}
		if id != "" && o.offer.request.route() == "LHR-LTN" && o.cancelled == nil {
			s.change(o) // on this route looking makes one
		}
		list = append(list, o.changes...)
	}
	return ok(list)
}

func (s *Server) acceptChange(r *request) (answer, *problem) {
	for _, o := range s.state.orders {
		for i, c := range o.changes {
			switch {
			case c.ID != r.PathValue("id"):
			case i < len(o.changes)-1:
				return bad(conflict("stale_airline_initiated_change_accept", "Stale airline initiated change",
					"The change you tried to accept is not the latest. Please retry the request with the latest one"))
			default:
				for _, each := range o.changes {
					each.Taken, each.TakenAt = pointer("accepted"), pointer(stamp(s.now()))
					each.Actions = []string{}
				}
				return ok(c)
			}
		}
	}
	return bad(notFound())
}
