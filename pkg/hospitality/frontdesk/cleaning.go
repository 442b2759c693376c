package frontdesk

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/forms"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/list_rooms_to_clean.md
var listRoomsToCleanText string

//go:embed tools/set_room_clean.md
var setRoomCleanText string

// State says whether a unit is clean.
type State string

// The states. Occupied is no state of its own: the guest of a clean unit leaves that day.
const (
	Clean    State = "clean"
	ToClean  State = "to_clean"
	Occupied State = "occupied"
)

// Words returns the state as people read it.
func (s State) Words() string { return strings.ReplaceAll(string(s), "_", " ") }

// UnitState is whether a unit is clean, since when, and who said so.
type UnitState struct {
	Unit     string    `json:"unit"`
	Room     string    `json:"room"` // the name of its room type
	RoomCode string    `json:"roomCode"`
	State    State     `json:"state"`
	Since    time.Time `json:"since"`
	By       string    `json:"by,omitempty"`    // the member's name; "" for no member, as at a check-out by the system
	Guest    string    `json:"guest,omitempty"` // who is in it, with the reservation's code
	Code     string    `json:"code,omitempty"`
	Next     string    `json:"next,omitempty"` // who arrives in it that day
	Was      State     `json:"was,omitempty"`  // the state before, in the answer of SetStates
	Version  int       `json:"version"`
}

// SeenUnit is a unit by its code with the version that was seen; 0 for any.
type SeenUnit struct {
	Unit    string `json:"unit"`
	Version int    `json:"version,omitempty"`
}

// said is a state as people say it.
type said string

// Values returns the closed set.
func (said) Values() []string { return []string{"clean", "dirty"} }

// saidOf returns how people say a state.
func saidOf(s State) said { return map[State]said{Clean: "clean", ToClean: "dirty"}[s] }

// state returns what is kept.
func (s said) state() State {
	if s == "dirty" {
		return ToClean
	}
	return Clean
}

type unitsInput struct {
	Room string `json:"room,omitempty" jsonschema:"only this room type or unit, by its code or name"`
	All  bool   `json:"all,omitempty" jsonschema:"with the rooms that are clean"`
}

type stateInput struct {
	Rooms []string `json:"rooms" jsonschema:"the rooms' codes, names or numbers, such as COCO or Birch 2"`
	State said     `json:"state,omitempty" jsonschema:"clean, when left out, or dirty"`
	// Versions come from buttons, so that one that is pressed hours later does not
	// undo what happened since.
	Versions []int `json:"versions,omitempty" limits:"free" jsonschema:"of each room, as a list had it; left out for as it is now"`
}

// Check tidies the names.
func (in *stateInput) Check() error {
	if err := forms.List("rooms", &in.Rooms, 60); err != nil {
		return err
	}
	if len(in.Rooms) == 0 {
		return fault.New(fault.Invalid, "Which rooms? Give at least one code or name.")
	}
	if len(in.Versions) > 0 && len(in.Versions) != len(in.Rooms) {
		return fault.New(fault.Invalid, "versions must have one number for each room, or be left out.")
	}
	return nil
}

func cleaningTools(store Store, now calendar.Clock) []tool.Tool {
	return []tool.Tool{
		tool.New(tool.Spec{Name: "list_rooms_to_clean", Effect: tool.Reads, Description: listRoomsToCleanText,
			Extension: "housekeeping asks all day which rooms are still dirty, which no list of bookings says"},
			func(ctx context.Context, by identity.Caller, in unitsInput) (unitStates, error) {
				return listStates(ctx, store, by, in, now)
			}),
		// A room is clean or not, and the same call sets it back. So it runs unasked.
		tool.New(tool.Spec{Name: "set_room_clean", Effect: tool.Writes, Description: setRoomCleanText,
			Repeatable: true,
			Extension:  "a room that was cleaned must be known to the desk before the next guest gets its key"},
			func(ctx context.Context, by identity.Caller, in stateInput) (stateSet, error) {
				return setStates(ctx, store, by, in, now)
			}),
	}
}

func listStates(ctx context.Context, store Store, by identity.Caller, in unitsInput, now calendar.Clock) (unitStates,
	error) {
	zone, err := by.Entity.Location()
	if err != nil {
		return unitStates{}, err
	}
	today := calendar.Today(now(), zone)
	all, err := store.States(ctx, by, today, nil)
	if err != nil {
		return unitStates{}, err
	}
	l := unitStates{Date: today, Rooms: []UnitState{}, Units: len(all), all: in.All, zone: zone,
		writes: by.Role.Writes()}
	if in.Room != "" {
		if all, err = unitsCalled(all, in.Room); err != nil {
			return unitStates{}, err
		}
		l.Units, l.all = len(all), true
	}
	for _, u := range all {
		if l.all || u.State == ToClean {
			l.Rooms = append(l.Rooms, u)
		}
	}
	return l, nil
}

// unitsCalled returns the units of the room type of that code or name, or the unit of that
// code or number. The code of a type with several units means the type, Birch 1 its first one.
func unitsCalled(all []UnitState, wanted string) ([]UnitState, error) {
	var types []namedType
	for _, u := range all {
		if n := len(types); n == 0 || types[n-1].code != u.RoomCode {
			types = append(types, namedType{u.RoomCode, u.Room, nil})
		}
		t := &types[len(types)-1]
		t.units = append(t.units, u)
	}
	if found, err := names.Find(types, wanted, "room"); err == nil || !fault.Is(err, fault.NotFound) {
		return found.units, err
	}
	units := make([]namedUnit, 0, len(all))
	for _, t := range types {
		for _, u := range t.units {
			units = append(units, namedUnit{u, t.called(u)})
		}
	}
	found, err := names.Find(units, wanted, "room")
	return []UnitState{found.UnitState}, err
}

type namedType struct {
	code, name string
	units      []UnitState
}

// Naming returns the code and the name.
func (t namedType) Naming() (code, name string) { return t.code, t.name }

// called returns what people call a unit of the type: COCO-2 is Coco 2, and COCO is Coco 1 where
// there are several.
func (t namedType) called(u UnitState) string {
	number, found := strings.CutPrefix(u.Unit, t.code+"-")
	switch {
	case found:
		return t.name + " " + number
	case u.Unit == t.code && len(t.units) > 1:
		return t.name + " 1"
	}
	return t.name
}

type namedUnit struct {
	UnitState
	called string
}

// Naming returns the code and what people call it.
func (u namedUnit) Naming() (code, name string) { return u.Unit, u.called }

// meant returns the one unit that the words mean. Where a room type has several, it is
// the only one whose state the call changes; several of them are asked about.
func meant(all []UnitState, wanted string, to State) (UnitState, error) {
	found, err := unitsCalled(all, wanted)
	if err != nil {
		return UnitState{}, err
	}
	if len(found) == 1 {
		return found[0], nil
	}
	other := slices.DeleteFunc(slices.Clone(found), func(u UnitState) bool { return u.State == to })
	if len(other) == 1 {
		return other[0], nil
	}
	if len(other) == 0 {
		other = found
	}
	t := namedType{found[0].RoomCode, found[0].Room, found}
	called := make([]string, len(other))
	for i, u := range other {
		called[i] = t.called(u)
	}
	return UnitState{}, fault.New(fault.Invalid, "%s has several rooms. Which one is meant: %s?", found[0].Room,
		strings.Join(called, ", "))
}

func setStates(ctx context.Context, store Store, by identity.Caller, in stateInput, now calendar.Clock) (stateSet,
	error) {
	zone, err := by.Entity.Location()
	if err != nil {
		return stateSet{}, err
	}
	today := calendar.Today(now(), zone)
	all, err := store.States(ctx, by, today, nil)
	if err != nil {
		return stateSet{}, err
	}
	var units []SeenUnit
	var missing error
	for i, wanted := range in.Rooms {
		u := UnitState{Unit: wanted}
		if len(in.Versions) > 0 { // a button names units by their codes
			u.Version = in.Versions[i]
		} else if u, err = meant(all, wanted, in.State.state()); err != nil {
			// A repeated call may find another state than its first one did: the store
			// knows the act by its claim and gives the first one's answer.
			if missing == nil {
				missing = err
			}
			u = UnitState{Unit: wanted, Version: -1}
		}
		if !slices.ContainsFunc(units, func(s SeenUnit) bool { return s.Unit == u.Unit }) {
			units = append(units, SeenUnit{u.Unit, u.Version})
		}
	}
	done, err := store.SetStates(ctx, by, units, in.State.state(), today)
	if err != nil && missing != nil && (fault.Is(err, fault.NotFound) || fault.Is(err, fault.Conflict)) {
		err = missing
	}
	return stateSet{Rooms: done, State: in.State.state(), zone: zone}, err
}

// unitStates are units with their states.
type unitStates struct {
	Date   calendar.Date `json:"date"`
	Rooms  []UnitState   `json:"rooms"`
	Units  int           `json:"units"` // how many were looked at
	all    bool
	zone   *time.Location
	writes bool
}

// Table lays the units out.
func (l unitStates) Table() render.Table {
	title := "Rooms to clean"
	if l.all {
		title = "Rooms and whether they are clean"
	}
	t := render.Table{Title: title, Columns: []render.Column{
		render.Column{Key: "unit", Label: "Unit", Priority: 1}.Opens("get_room_type_details", "room", ""),
		{Key: "room", Label: "Room"}, {Key: "state", Label: "State", Priority: 1}, {Key: "since", Label: "Since"},
		{Key: "by", Label: "By"}, {Key: "guest", Label: "Guest"}, {Key: "next", Label: "Arrives today", Priority: 1},
	}}
	for _, u := range l.Rooms {
		t.Rows = append(t.Rows, []render.Cell{render.Text(u.Unit), render.Text(u.Room), render.Text(u.State.Words()),
			render.Text(u.Since.In(l.zone).Format("02-Jan-2006 15:04")), render.Text(u.By), render.Text(u.Guest),
			render.Text(u.Next)})
	}
	return t
}

// dirty are the units that are to be cleaned.
func (l unitStates) dirty() []UnitState {
	return slices.DeleteFunc(slices.Clone(l.Rooms), func(u UnitState) bool { return u.State != ToClean })
}

// Summarize names the units that are to be cleaned.
func (l unitStates) Summarize() string {
	dirty := l.dirty()
	switch {
	case l.Units == 0:
		return "There are no rooms."
	case len(dirty) == 0 && l.Units == 1 && len(l.Rooms) == 1:
		return l.Rooms[0].Unit + " is clean."
	case len(dirty) == 0:
		return fmt.Sprintf("All %s are clean.", count(l.Units, "room"))
	}
	var parts []string
	for _, u := range dirty {
		text := u.Unit
		if u.Next != "" {
			text += " (" + u.Next + " arrives today)"
		}
		parts = append(parts, text)
	}
	verb := "is"
	if len(dirty) > 1 {
		verb = "are"
	}
	return fmt.Sprintf("%d of %s %s still to be cleaned: %s.", len(dirty), count(l.Units, "room"), verb,
		forms.Joined(parts))
}

// Count is the number of units listed.
func (l unitStates) Count() int { return len(l.Rooms) }

// Show offers to say of each that it is clean, and of all.
func (l unitStates) Show() []part.Data {
	dirty := l.dirty()
	if !l.writes || len(dirty) == 0 {
		return nil
	}
	var choices []part.Choice
	for _, u := range dirty[:min(6, len(dirty))] {
		choices = append(choices, part.Do(u.Unit+" is clean", "set_room_clean", setCall(Clean, u)))
	}
	if len(dirty) > 1 {
		most := dirty[:min(60, len(dirty))]
		choices = append(choices, part.Do(fmt.Sprintf("All %d are clean", len(most)), "set_room_clean",
			setCall(Clean, most...)))
	}
	return part.Next(choices...)
}

// setCall returns the arguments that set the units as they were seen.
func setCall(to State, units ...UnitState) map[string]any {
	codes, versions := make([]string, len(units)), make([]int, len(units))
	for i, u := range units {
		codes[i], versions[i] = u.Unit, u.Version
	}
	return map[string]any{"rooms": codes, "state": saidOf(to), "versions": versions}
}

// stateSet is what became of the units.
type stateSet struct {
	Rooms []UnitState `json:"rooms"`
	State State       `json:"state"`
	zone  *time.Location
}

// changed are the units that were in the other state.
func (s stateSet) changed() []UnitState {
	return slices.DeleteFunc(slices.Clone(s.Rooms), func(u UnitState) bool { return u.Was == "" || u.Was == u.State })
}

// Summarize says which units are so now, and which were so before.
func (s stateSet) Summarize() string {
	var done, before []string
	for _, u := range s.Rooms {
		if u.Was != "" && u.Was != u.State {
			done = append(done, u.Unit)
			continue
		}
		text := u.Unit + " since " + u.Since.In(s.zone).Format("02-Jan 15:04")
		if u.By != "" {
			text += " (" + u.By + ")"
		}
		before = append(before, text)
	}
	is := func(list []string) string {
		if len(list) == 1 {
			return "is"
		}
		return "are"
	}
	words := map[State]string{Clean: "clean", ToClean: "to be cleaned"}[s.State]
	var parts []string
	if len(done) > 0 {
		parts = append(parts, fmt.Sprintf("%s %s %s now.", forms.Joined(done), is(done), words))
	}
	if len(before) > 0 {
		parts = append(parts, fmt.Sprintf("Already %s: %s.", words, forms.Joined(before)))
	}
	return strings.Join(parts, " ")
}

// Count is the number of units that changed.
func (s stateSet) Count() int { return len(s.changed()) }

// Show offers to set back what was changed, and what is still to be cleaned.
func (s stateSet) Show() []part.Data {
	var choices []part.Choice
	if changed := s.changed(); len(changed) > 0 {
		other := map[State]State{Clean: ToClean, ToClean: Clean}[s.State]
		choices = append(choices, part.Do("Undo: "+other.Words()+" again", "set_room_clean",
			setCall(other, changed...)))
	}
	return part.Next(append(choices, part.Call("Rooms still to clean", "list_rooms_to_clean", nil))...)
}
