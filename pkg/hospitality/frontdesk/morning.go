package frontdesk

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/reservations"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/get_morning.md
var getMorningText string

// mornings is how many entries a list of the morning has.
const mornings = 8

// Morning is what is to be done on a day. The lists are cut; Counts has how many
// entries there are in all.
type Morning struct {
	Date       calendar.Date `json:"date"`
	Arrivals   []Guest       `json:"arrivals"`   // to arrive by that day and not here yet
	Departures []Guest       `json:"departures"` // here, and to leave by that day
	InHouse    []Guest       `json:"inHouse"`    // here, and to stay longer
	Dues       []Guest       `json:"dues"`       // of these, those who owe money
	Cleaning   []Cleaning    `json:"cleaning"`   // units to be cleaned, then those that are left that day
	ToClean    []SeenUnit    `json:"toClean"`    // all that are to be cleaned, at most 60
	Counts     struct {
		Arrivals   int `json:"arrivals"`
		Arrived    int `json:"arrived"`
		Departures int `json:"departures"`
		Departed   int `json:"departed"`
		InHouse    int `json:"inHouse"` // reservations that are checked in
		Dues       int `json:"dues"`
		Cleaning   int `json:"cleaning"` // with those that are occupied
		Occupied   int `json:"occupied"`
		Free       int `json:"free"` // units that nothing takes tonight
		Units      int `json:"units"`
	} `json:"counts"`
}

// Guest is a reservation of the morning. The balance is in Currency.
type Guest struct {
	Code     string              `json:"code"`
	Guest    string              `json:"guest"`
	Rooms    []string            `json:"rooms"`
	CheckIn  calendar.Date       `json:"checkIn"`
	CheckOut calendar.Date       `json:"checkOut"`
	People   int                 `json:"people"`
	Status   reservations.Status `json:"status"`
	Balance  money.Amount        `json:"balance"`
	Currency string              `json:"currency"`
	Requests string              `json:"specialRequests,omitempty"`
}

// Cleaning is a unit that is to be cleaned on the day: now, or once its guest has left.
type Cleaning struct {
	Unit    string    `json:"unit"`
	Room    string    `json:"room"`
	State   State     `json:"state"` // ToClean or Occupied
	Since   time.Time `json:"since"` // of ToClean
	Version int       `json:"version"`
	Guest   string    `json:"guest,omitempty"` // who is in it; "" for nobody
	Code    string    `json:"code,omitempty"`
	Next    string    `json:"next,omitempty"` // who arrives in it that day; "" for nobody
}

func morningTool(store Store, now calendar.Clock) tool.Tool {
	return tool.New(tool.Spec{Name: "get_morning", Effect: tool.Reads, Description: getMorningText,
		Shows:     []string{"morning"},
		Extension: "the day at the desk begins with one look, not with four questions"},
		func(ctx context.Context, by identity.Caller, _ noInput) (morning, error) {
			today, err := dayInput{}.day(by, now)
			if err != nil {
				return morning{}, err
			}
			zone, err := by.Entity.Location()
			if err != nil {
				return morning{}, err
			}
			m, err := store.Morning(ctx, by, today, mornings)
			return morning{m, by.Role.Writes(), zone}, err
		})
}

// morning is a Morning for somebody who may or may not write.
type morning struct {
	Morning
	writes bool
	zone   *time.Location
}

// Table counts the day, for whoever reads no lists.
func (m morning) Table() render.Table {
	t := render.Table{Title: "Today, " + m.Date.Show(), Columns: []render.Column{{Key: "what", Label: "What"},
		{Key: "number", Label: "Number", Right: true}, {Key: "who", Label: "Who"}}}
	for _, s := range m.sections() {
		var who []string
		for _, i := range s.Items {
			who = append(who, i.Title)
		}
		if s.Count > len(who) {
			who = append(who, fmt.Sprintf("%d more", s.Count-len(who)))
		}
		t.Rows = append(t.Rows, []render.Cell{render.Text(s.Title), render.Int(s.Count),
			render.Text(strings.Join(who, ", "))})
	}
	return t
}

// Summarize counts the day in a sentence.
func (m morning) Summarize() string {
	c := m.Counts
	return fmt.Sprintf("%s: %d still to arrive (%d here already), %d to leave (%d gone), %s in the house, "+
		"%s to clean%s, %d owing; %d of %s free tonight.", m.Date.Show(), c.Arrivals, c.Arrived, c.Departures,
		c.Departed,
		count(c.InHouse, "reservation"), count(c.Cleaning, "room"), m.occupied(), c.Dues, c.Free,
		count(c.Units, "room"))
}

// Count is how much there is to do.
func (m morning) Count() int {
	return m.Counts.Arrivals + m.Counts.Departures + m.Counts.Cleaning + m.Counts.Dues
}

// Show lays the day out with its buttons.
func (m morning) Show() []part.Data {
	c := m.Counts
	return []part.Data{part.Morning{
		Title: "Today, " + m.Date.Show(),
		Figures: []part.MorningFigure{
			{Label: "Arriving", Value: fmt.Sprintf("%d of %d", c.Arrivals, c.Arrivals+c.Arrived)},
			{Label: "Leaving", Value: fmt.Sprintf("%d of %d", c.Departures, c.Departures+c.Departed)},
			{Label: "In house", Value: fmt.Sprint(c.InHouse)},
			{Label: "Free tonight", Value: fmt.Sprintf("%d of %d", c.Free, c.Units)},
		},
		Sections: m.sections(),
	}}
}

func (m morning) sections() []part.MorningSection {
	list := func(title, empty string, n int, more *part.Choice, guests []Guest,
		item func(Guest) part.MorningItem) part.MorningSection {
		s := part.MorningSection{Title: title, Count: n, Empty: empty, Items: []part.MorningItem{}}
		for _, g := range guests {
			s.Items = append(s.Items, item(g))
		}
		if n > len(s.Items) {
			s.More = more
		}
		return s
	}
	c := m.Counts
	return []part.MorningSection{
		list("Arrivals", "Nobody is still to arrive.", c.Arrivals, act("All arrivals", "get_today_checkins", nil),
			m.Arrivals, func(g Guest) part.MorningItem {
				return m.item(g, g.until(m.Date), "Check in", "checked_in")
			}),
		list("Departures", "Nobody is still to leave.", c.Departures, act("All departures", "get_today_checkouts",
			nil),
			m.Departures, func(g Guest) part.MorningItem {
				return m.item(g, g.until(m.Date), "Check out", "checked_out")
			}),
		m.cleaning(),
		list("To pay", "Nobody who comes, stays or leaves owes anything.", c.Dues,
			act("All balances due", "list_balances_due", nil), m.Dues, func(g Guest) part.MorningItem {
				i := part.MorningItem{Title: g.Guest, Detail: strings.Join(g.Rooms, ", "),
					Value: g.Balance.Format(g.Currency), Open: g.open()}
				if m.writes {
					i.Do = []part.Choice{*act("Payment", "record_payment",
						map[string]any{"code": g.Code, "amount": g.Balance})}
				}
				return i
			}),
		list("In house", "Nobody stays longer than today.", c.InHouse-c.Departures,
			act("All guests in the house", "list_in_house", nil), m.InHouse, func(g Guest) part.MorningItem {
				return m.item(g, g.until(m.Date), "", "")
			}),
	}
}

// occupied says how many of the rooms to clean are not empty yet; "" for none.
func (m morning) occupied() string {
	if m.Counts.Occupied == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d still occupied)", m.Counts.Occupied)
}

func (m morning) cleaning() part.MorningSection {
	s := part.MorningSection{Title: "To clean", Count: m.Counts.Cleaning, Empty: "All rooms are clean.",
		Items: []part.MorningItem{}}
	for _, c := range m.Cleaning {
		i := part.MorningItem{Title: c.Unit, Open: act("Show "+c.Unit, "get_room_type_details",
			map[string]any{"room": c.Unit})}
		switch {
		case c.State == Occupied:
			i.Detail = "occupied · " + c.Guest + " is still in it"
		case c.Guest != "":
			i.Detail = "to clean · " + c.Guest + " is in it"
		default:
			i.Detail = "to clean · since " + m.since(c.Since)
		}
		if c.Next != "" {
			i.Note = c.Next + " arrives today"
		}
		if m.writes && c.State == ToClean {
			i.Do = []part.Choice{part.Do("Clean", "set_room_clean",
				setCall(Clean, UnitState{Unit: c.Unit, Version: c.Version}))}
		}
		s.Items = append(s.Items, i)
	}
	if m.writes && len(m.ToClean) > 1 {
		all := make([]UnitState, len(m.ToClean))
		for i, u := range m.ToClean {
			all[i] = UnitState{Unit: u.Unit, Version: u.Version}
		}
		s.Do = []part.Choice{part.Do(fmt.Sprintf("All %d clean", len(all)), "set_room_clean", setCall(Clean, all...))}
	}
	if m.Counts.Cleaning > len(s.Items) {
		s.More = act("All rooms to clean", "list_rooms_to_clean", nil)
	}
	return s
}

// since says a time of the property: the time of day today, else the day.
func (m morning) since(at time.Time) string {
	at = at.In(m.zone)
	if day := calendar.Of(at); day != m.Date {
		return day.Show()
	}
	return at.Format("15:04")
}

// item is a reservation with what is to be done; do is "" for nothing.
func (m morning) item(g Guest, detail, do string, status reservations.Status) part.MorningItem {
	i := part.MorningItem{Title: g.Guest, Detail: strings.Join(g.Rooms, ", ") + " · " + count(g.People, "guest") +
		" · " + detail, Note: g.Requests, Open: g.open()}
	if m.writes && do != "" {
		code := map[string]any{"code": g.Code, "status": status}
		i.Do = []part.Choice{*act(do, "update_reservation_status", code)}
		if g.Status == "pending" {
			code["status"] = "confirmed"
			i.Do = []part.Choice{*act("Confirm", "update_reservation_status", code)}
		}
	}
	return i
}

// until says when the stay begins or ends, where that is not the day itself.
func (g Guest) until(today calendar.Date) string {
	switch {
	case g.CheckOut.Before(today):
		return "should have left on " + g.CheckOut.Show()
	case g.Status != "checked_in" && g.CheckIn.Before(today):
		return "expected since " + g.CheckIn.Show() + ", until " + g.CheckOut.Show()
	case g.CheckOut == today:
		return "leaves today"
	}
	return "until " + g.CheckOut.Show()
}

func (g Guest) open() *part.Choice {
	return act("Show "+g.Code, "get_reservation_details", map[string]any{"code": g.Code})
}

// act is a call that an item offers.
func act(label, name string, arguments map[string]any) *part.Choice {
	if arguments == nil {
		arguments = map[string]any{}
	}
	c := part.Call(label, name, arguments)
	return &c
}
