package selections

import (
	"context"
	_ "embed"
	"strings"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/pages"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/list_extra_selections.md
var listExtraSelectionsText string

//go:embed tools/get_extra_selection_details.md
var getExtraSelectionDetailsText string

//go:embed tools/update_extra_selection_status.md
var updateExtraSelectionStatusText string

type listInput struct {
	Statuses    []Status      `json:"statuses,omitempty" jsonschema:"only selections with one of these statuses"`
	From        calendar.Date `json:"start_date,omitzero" jsonschema:"only selections to be served on or after this day, YYYY-MM-DD"`
	To          calendar.Date `json:"end_date,omitzero" jsonschema:"only selections to be served on or before this day, YYYY-MM-DD"`
	Reservation string        `json:"reservation,omitempty" jsonschema:"only selections of the reservation with this code, such as K7QMPX"`
	Extra       string        `json:"extra,omitempty" jsonschema:"only selections for this extra, by code or name"`
	Limit       int           `json:"limit,omitempty" jsonschema:"how many to list, 1 to 200; 50 when left out"`
	Offset      int           `json:"offset,omitempty" limits:"max=100000" jsonschema:"how many to pass over"`
}

// Check fills the limit and refuses dates in the wrong order.
func (in *listInput) Check() error {
	if err := pages.Check(&in.Limit, in.Offset, 50, 200); err != nil {
		return err
	}
	if !in.From.IsZero() && !in.To.IsZero() && in.To.Before(in.From) {
		return fault.New(fault.Invalid, "end_date (%s) must not come before start_date (%s).", in.To.Show(),
			in.From.Show())
	}
	return nil
}

// which names one selection: by its own code, or by its reservation and, where
// that has several, the extra.
type which struct {
	Selection   string `json:"selection,omitempty" jsonschema:"the selection's code, such as SEL-K7QMPX"`
	Reservation string `json:"reservation,omitempty" jsonschema:"the reservation's code, where the selection's own is not known"`
	Extra       string `json:"extra,omitempty" jsonschema:"the extra's code or name, where the reservation has several selections"`
}

// Check asks for one of the codes.
func (in *which) Check() error {
	in.Selection = strings.ToUpper(strings.TrimSpace(in.Selection))
	in.Reservation = strings.ToUpper(strings.TrimSpace(in.Reservation))
	if in.Selection == "" && in.Reservation == "" {
		return fault.New(fault.Invalid, "Name the selection by its code, or its reservation's.")
	}
	return nil
}

type updateInput struct {
	which
	Status      Status        `json:"status" jsonschema:"what it becomes: completed when the guest has chosen, submitted when it is handed to those who prepare it, not_required when nothing is to be chosen, pending to ask for a choice after all; the present one to change only the choices"`
	Choices     []choiceInput `json:"choices,omitempty" jsonschema:"the meals chosen; they replace all that were recorded; as they are when left out"`
	Preferences string        `json:"preferences,omitempty" limits:"note" jsonschema:"wishes such as mild spices or no nuts; as they are when left out"`
	ServiceDate calendar.Date `json:"service_date,omitzero" jsonschema:"the day on which the extra is served, within the stay, YYYY-MM-DD; as it is when left out"`
}

type choiceInput struct {
	Date   calendar.Date `json:"date,omitzero" jsonschema:"the day of the meal, within the stay, YYYY-MM-DD; the service date when left out"`
	Meal   string        `json:"meal,omitempty" jsonschema:"breakfast, lunch, dinner or another word for the meal"`
	Guest  string        `json:"guest,omitempty" jsonschema:"who eats it, where guests choose differently"`
	Dishes []string      `json:"dishes" jsonschema:"codes or names of dishes on the chef's menu"`
}

// Check tidies the texts and refuses what is too much.
func (in *updateInput) Check() error {
	in.Preferences = strings.TrimSpace(in.Preferences)
	switch {
	case utf8.RuneCountInString(in.Preferences) > 2000:
		return fault.New(fault.Invalid, "The preferences are longer than 2,000 letters.")
	case len(in.Choices) > 60:
		return fault.New(fault.Invalid, "At most 60 meals can be recorded for one selection.")
	}
	for i := range in.Choices {
		c := &in.Choices[i]
		c.Meal, c.Guest = strings.ToLower(strings.TrimSpace(c.Meal)), strings.TrimSpace(c.Guest)
		switch {
		case len(c.Dishes) == 0 || len(c.Dishes) > 20:
			return fault.New(fault.Invalid, "Each meal of choices needs 1 to 20 dishes.")
		case utf8.RuneCountInString(c.Meal) > 40 || utf8.RuneCountInString(c.Guest) > 160:
			return fault.New(fault.Invalid, "The name of a meal or a guest is too long.")
		}
	}
	return in.which.Check()
}

// Tools returns the tools with which an assistant sees and follows what guests
// chose. now decides what is still to be served, and dates what is done.
func Tools(store Store, now calendar.Clock) []tool.Tool {
	d := service{store, now}
	return []tool.Tool{
		tool.New(tool.Spec{Name: "list_extra_selections", Effect: tool.Reads, Description: listExtraSelectionsText},
			d.list),
		tool.New(tool.Spec{Name: "get_extra_selection_details", Effect: tool.Reads,
			Description: getExtraSelectionDetailsText},
			func(ctx context.Context, by identity.Caller, in which) (details, error) {
				s, err := d.find(ctx, by, in)
				if err != nil {
					return details{}, err
				}
				menu, err := store.Dishes(ctx, by)
				return newDetails(s, menu), err
			}),
		tool.New(tool.Spec{Name: "update_extra_selection_status", Effect: tool.Changes,
			Description: updateExtraSelectionStatusText},
			d.update, tool.Previewed(d.previewUpdate)),
	}
}

// service is what the tools share.
type service struct {
	store Store
	now   calendar.Clock
}

func (d service) today(by identity.Caller) (calendar.Date, error) {
	zone, err := by.Entity.Location()
	if err != nil {
		return calendar.Date{}, err
	}
	return calendar.Today(d.now(), zone), nil
}

func (d service) list(ctx context.Context, by identity.Caller, in listInput) (list, error) {
	today, err := d.today(by)
	if err != nil {
		return list{}, err
	}
	f := Filter{
		Reservation: strings.ToUpper(strings.TrimSpace(in.Reservation)), Statuses: in.Statuses, From: in.From,
		To: in.To, Limit: in.Limit, Offset: in.Offset,
	}
	if f.Extra, err = d.extra(ctx, by, in.Extra); err != nil {
		return list{}, err
	}
	found, err := d.store.List(ctx, by, today, f)
	if err != nil {
		return list{}, err
	}
	return newList(found, in), nil
}

// extra finds the code of an extra that is named; "" for none.
func (d service) extra(ctx context.Context, by identity.Caller, wanted string) (string, error) {
	if strings.TrimSpace(wanted) == "" {
		return "", nil
	}
	all, err := d.store.Extras(ctx, by)
	if err != nil {
		return "", err
	}
	x, err := names.Find(all, wanted, "extra")
	return x.Code, err
}

// find returns the one selection that is named.
func (d service) find(ctx context.Context, by identity.Caller, in which) (Selection, error) {
	today, err := d.today(by)
	if err != nil {
		return Selection{}, err
	}
	f := Filter{Code: in.Selection, Reservation: in.Reservation, Limit: 20}
	if f.Extra, err = d.extra(ctx, by, in.Extra); err != nil {
		return Selection{}, err
	}
	found, err := d.store.List(ctx, by, today, f)
	switch {
	case err != nil:
		return Selection{}, err
	case len(found.Selections) == 1:
		return found.Selections[0], nil
	case len(found.Selections) == 0 && in.Selection != "":
		return Selection{}, fault.New(fault.NotFound,
			"There is no selection %.20q in %s. Look at the list of selections.", in.Selection,
			by.Entity.Name)
	case len(found.Selections) == 0:
		return Selection{}, fault.New(fault.NotFound,
			"The reservation %.20q has no such selection. Look at the list of selections.", in.Reservation)
	}
	var each []string
	for _, s := range found.Selections {
		each = append(each, s.Extra+" ("+s.Code+")")
	}
	return Selection{}, fault.New(fault.Invalid, "Reservation %s has several selections. Which one is meant: %s?",
		in.Reservation, strings.Join(each, ", "))
}
