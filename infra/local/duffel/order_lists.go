package duffel

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"
)

// shownOrder is an order in Duffel's form.
type shownOrder struct {
	ID         string            `json:"id"`
	OfferID    string            `json:"offer_id"`
	Type       string            `json:"type"`
	Content    string            `json:"content"`
	LiveMode   bool              `json:"live_mode"`
	Created    string            `json:"created_at"`
	Synced     string            `json:"synced_at"`
	Cancelled  *string           `json:"cancelled_at"`
	VoidUntil  *string           `json:"void_window_ends_at"`
	Reference  string            `json:"booking_reference"`
	References []any             `json:"booking_references"`
	Owner      *airline          `json:"owner"`
	Total      string            `json:"total_amount"`
	Currency   string            `json:"total_currency"`
	Base       string            `json:"base_amount"`
	BaseCur    string            `json:"base_currency"`
	Tax        string            `json:"tax_amount"`
	TaxCur     string            `json:"tax_currency"`
	Payment    paymentStatus     `json:"payment_status"`
	Conditions conditions        `json:"conditions"`
	Actions    []string          `json:"available_actions"`
	Documents  []ticket          `json:"documents"`
	Services   []service         `json:"services"`
	Passengers []shownTraveller  `json:"passengers"`
	Slices     []*shownSlice     `json:"slices"`
	Metadata   map[string]string `json:"metadata"`
	Changes    []*change         `json:"airline_initiated_changes"`
	Cancel     any               `json:"cancellation"`
	Users      []string          `json:"users"`
}

type paymentStatus struct {
	Awaiting   bool    `json:"awaiting_payment"`
	PayBy      *string `json:"payment_required_by"`
	PriceUntil *string `json:"price_guarantee_expires_at"`
	Paid       *string `json:"paid_at"`
}

type ticket struct {
	Number     string   `json:"unique_identifier"`
	Type       string   `json:"type"`
	Passengers []string `json:"passenger_ids"`
}

// shownTraveller is a passenger of an order. Identity documents are not told again.
type shownTraveller struct {
	ID      string  `json:"id"`
	Type    string  `json:"type"`
	Title   string  `json:"title"`
	Gender  string  `json:"gender"`
	Given   string  `json:"given_name"`
	Family  string  `json:"family_name"`
	Born    string  `json:"born_on"`
	Email   string  `json:"email"`
	Phone   string  `json:"phone_number"`
	Infant  *string `json:"infant_passenger_id"`
	Loyalty []any   `json:"loyalty_programme_accounts"`
}

func (o *order) shown(now time.Time) shownOrder {
	f := o.offer
	out := shownOrder{
		ID: o.id, OfferID: f.id, Type: "instant", Content: "managed", Created: stamp(o.made), Synced: stamp(now),
		Reference: o.reference, References: []any{map[string]any{"booking_reference": o.reference,
			"carrier": f.owner.shown}},
		Owner: f.owner.shown, Total: o.total.text(f.currency), Currency: f.currency, Base: o.base.text(f.currency),
		BaseCur: f.currency, Tax: f.tax.text(f.currency), TaxCur: f.currency, Conditions: f.conditions(),
		Actions: o.actions(now), Documents: []ticket{}, Services: o.services, Slices: o.slices, Metadata: o.metadata,
		Changes: o.changes, Users: []string{},
	}
	if o.services == nil {
		out.Services = []service{}
	}
	if o.changes == nil {
		out.Changes = []*change{}
	}
	if o.held {
		out.Type = "pay_later"
		out.Payment.PayBy, out.Payment.PriceUntil = pointer(second(o.payBy)), pointer(second(o.until))
	}
	out.Payment.Awaiting = o.paid == nil && o.cancelled == nil && !o.lapsed(now)
	if o.paid != nil {
		out.Payment.Paid = pointer(stamp(*o.paid))
		out.Payment.PayBy, out.Payment.PriceUntil = nil, nil
	}
	if o.cancelled != nil {
		out.Cancelled = pointer(stamp(*o.cancelled))
	}
	if o.cancel != nil && o.cancel.confirmed != nil {
		out.Cancel = o.cancel.shown()
	}
	for i, t := range o.people {
		p := shownTraveller{ID: t.ID, Title: t.Title, Gender: t.Gender, Given: t.Given, Family: t.Family,
			Born:  t.Born,
			Email: t.Email, Phone: t.Phone, Loyalty: []any{}}
		for _, q := range f.request.passengers {
			if q.ID == t.ID {
				p.Type = q.Type
			}
		}
		if t.Infant != "" {
			p.Infant = &t.Infant
		}
		out.Passengers = append(out.Passengers, p)
		if o.paid != nil {
			out.Documents = append(out.Documents, ticket{o.ticket(i), "electronic_ticket", []string{t.ID}})
		}
	}
	return out
}

// shownAccepted is an order whose outcome is not known, or that was not made.
func (o *order) shownAccepted(now time.Time) map[string]any {
	return map[string]any{
		"id": o.id, "offer_id": o.offer.id, "live_mode": false, "status": o.state, "created_at": stamp(o.made),
		"synced_at": stamp(now), "metadata": o.metadata, "booking_reference": nil, "documents": []any{},
		"total_amount": o.total.text(o.offer.currency), "total_currency": o.offer.currency,
		"available_actions": []any{},
	}
}

func (s *Server) getOrder(r *request) (answer, *problem) {
	o := s.state.orders[r.PathValue("id")]
	switch {
	case o == nil:
		return bad(notFound())
	case o.state != string(Created):
		return ok(o.shownAccepted(s.now()))
	}
	return ok(o.shown(s.now()))
}

// updateOrder replaces the metadata, which is all that can be changed.
func (s *Server) updateOrder(r *request) (answer, *problem) {
	o := s.state.orders[r.PathValue("id")]
	if o == nil || o.state != string(Created) {
		return bad(notFound())
	}
	var in struct {
		Metadata map[string]string `json:"metadata"`
		Options  struct {
			Metadata map[string]string `json:"metadata"`
		} `json:"options"` // so @duffel/api
	}
	if p := r.into(&in); p != nil {
		return bad(p)
	}
	if in.Metadata == nil {
		in.Metadata = in.Options.Metadata
	}
	if p := checkMetadata(in.Metadata); p != nil {
		return bad(p)
	}
	if in.Metadata != nil {
		o.metadata = in.Metadata
	}
	return ok(o.shown(s.now()))
}

// listOrders are the orders that were made, the newest first. Those that are only accepted
// are not among them.
func (s *Server) listOrders(r *request) (answer, *problem) {
	now, q := s.now(), r.URL.Query()
	var list []*order
	for _, id := range slices.Backward(s.state.orderIDs) {
		if o := s.state.orders[id]; o.state == string(Created) && o.matches(r, now) {
			list = append(list, o)
		}
	}
	sort, descending := strings.CutPrefix(q.Get("sort"), "-")
	by := map[string]func(a, b *order) int{
		"":                    func(a, b *order) int { return 0 },
		"created_at":          func(a, b *order) int { return a.made.Compare(b.made) },
		"payment_required_by": func(a, b *order) int { return a.payBy.Compare(b.payBy) },
		"total_amount":        func(a, b *order) int { return cmp.Compare(a.total, b.total) },
		"departing_at":        func(a, b *order) int { return a.departs().Compare(b.departs()) },
	}[sort]
	if by == nil {
		return bad(invalid("validation_inclusion", "/sort", "Field 'sort' is not one that orders can be sorted by"))
	}
	slices.SortStableFunc(list, func(a, b *order) int {
		if descending {
			return by(b, a)
		}
		return by(a, b)
	})
	part, m, p := page(r, list)
	if p != nil {
		return bad(p)
	}
	shown := make([]shownOrder, len(part))
	for i, o := range part {
		shown[i] = o.shown(now)
	}
	return answer{http.StatusOK, shown, m}, nil
}

// matches compares an order with the filters of a list.
func (o *order) matches(r *request, now time.Time) bool {
	q := r.URL.Query()
	equal := func(name, value string) bool {
		given := append(q[name], q[name+"[]"]...)
		return len(given) == 0 || slices.Contains(given, value)
	}
	between := func(name string, at time.Time) bool {
		after, before := q.Get(name+"[after]"), q.Get(name+"[before]")
		text := stamp(at)
		return (after == "" || text >= after) && (before == "" || text <= before)
	}
	shown := o.shown(now)
	first, last := o.offer.journeys[0], o.offer.journeys[len(o.offer.journeys)-1]
	awaiting, acts := "false", "false"
	if shown.Payment.Awaiting {
		awaiting = "true"
	}
	if slices.ContainsFunc(o.changes, func(c *change) bool { return c.Taken == nil }) {
		acts = "true"
	}
	named := len(q["passenger_name[]"]) == 0 && len(q["passenger_name"]) == 0
	for _, name := range append(q["passenger_name[]"], q["passenger_name"]...) {
		named = named || slices.ContainsFunc(o.people, func(t traveller) bool {
			return strings.Contains(t.name(), strings.ToLower(name))
		})
	}
	return named && equal("booking_reference", o.reference) && equal("offer_id", o.offer.id) &&
		equal("awaiting_payment", awaiting) && equal("requires_action", acts) &&
		equal("owner_id", o.offer.owner.shown.ID) && equal("origin_id", first[0].from.ID) &&
		equal("destination_id", first[len(first)-1].to.ID) && between("created_at", o.made) &&
		between("departing_at", o.departs()) && between("arriving_at", last[len(last)-1].arrives)
}
