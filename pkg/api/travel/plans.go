package travel

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/plans"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
)

// planRoutes adds the addresses of plans.
func (h *Handler) planRoutes() {
	h.mux.HandleFunc("GET /api/plans", h.planner(h.plans))
	h.mux.HandleFunc("GET /api/trips/{code}/plan", h.planner(h.plan))
	h.mux.HandleFunc("DELETE /api/trips/{code}/plan", h.planner(h.resetPlan))
	h.mux.HandleFunc("GET /api/trips/{code}/plan.pdf", h.planner(h.planDocument))
	h.mux.HandleFunc("GET /api/trips/{code}/runs", h.planner(h.runs))
	h.mux.HandleFunc("GET /api/trips/{code}/runs/{number}", h.planner(h.run))
	h.mux.HandleFunc("POST /api/trips/{code}/selection", h.planner(h.selectOption))
	h.mux.HandleFunc("POST /api/trips/{code}/swap", h.planner(h.swap))
	h.mux.HandleFunc("GET /api/trips/{code}/shares", h.planner(h.planShares))
	h.mux.HandleFunc("POST /api/trips/{code}/shares", h.planner(h.sharePlan))
	h.mux.HandleFunc("DELETE /api/trips/{code}/shares/{share}", h.planner(h.unsharePlan))
	h.mux.HandleFunc("GET /t/{token}", h.sharedPlan)
}

// planner is member for organisations that have the assistant that plans trips.
func (h *Handler) planner(f work) http.HandlerFunc { return h.having(f, h.cfg.Planner) }

// planList is the answer with plans.
type planList struct {
	Plans []plans.Plan `json:"plans"`
}

// planAnswer is an answer with one plan, and its current options as people see them; nil
// where there are none.
type planAnswer struct {
	Plan    plans.Plan  `json:"plan"`
	Options *part.Plans `json:"options"`
}

// runList is the answer with runs; messages and options are left out.
type runList struct {
	Runs []plans.Run `json:"runs"`
}

// runAnswer is an answer with one run.
type runAnswer struct {
	Run plans.Run `json:"run"`
}

func (h *Handler) plans(_ http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	all, err := h.cfg.Plans.Plans(r.Context(), by)
	if all == nil {
		all = []plans.Plan{}
	}
	return http.StatusOK, planList{all}, err
}

func (h *Handler) plan(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	p, err := h.cfg.Plans.Plan(r.Context(), by, r.PathValue("code"))
	if err != nil {
		return 0, nil, err
	}
	var run plans.Run
	if p.Run > 0 {
		if run, err = h.cfg.Plans.Run(r.Context(), by, p.Trip, p.Run); err != nil {
			return 0, nil, err
		}
	}
	return answerPlan(w, p, run)
}

// answerPlan answers with a plan, its version for If-Match, and the options of its run.
func answerPlan(w http.ResponseWriter, p plans.Plan, run plans.Run) (int, any, error) {
	w.Header().Set("ETag", tag(p.Version))
	a := planAnswer{Plan: p}
	if run.Options != nil {
		shown := options.View(options.Viewed{Trip: p.Trip, Run: run.Number, Context: run.Context, Set: *run.Options,
			Selected: p.Option, Document: "/api/trips/" + p.Trip + "/plan.pdf", Closed: !p.Mine,
			Research: plans.Research(run.Messages)})
		a.Options = &shown
	}
	return http.StatusOK, a, nil
}

func (h *Handler) runs(_ http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	all, err := h.cfg.Plans.Runs(r.Context(), by, r.PathValue("code"))
	if all == nil {
		all = []plans.Run{}
	}
	return http.StatusOK, runList{all}, err
}

func (h *Handler) run(_ http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	number, err := strconv.Atoi(r.PathValue("number"))
	if err != nil || number < 1 {
		return 0, nil, fault.New(fault.Invalid, "The number of a run is a number from 1.")
	}
	run, err := h.cfg.Plans.Run(r.Context(), by, r.PathValue("code"), number)
	return http.StatusOK, runAnswer{run}, err
}

// resetPlan forgets what is known of the trip that is planned. Runs and itinerary stay.
func (h *Handler) resetPlan(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	if _, err := h.cfg.Plans.Reset(r.Context(), by, r.PathValue("code")); err != nil {
		return 0, nil, err
	}
	return h.plan(w, r, by)
}

// current returns a plan and its current run, for a change to an option that the caller
// saw in a run. Options of another run are refused.
func (h *Handler) current(r *http.Request, by identity.Caller, version, number int) (plans.Plan, plans.Run, error) {
	p, err := h.cfg.Plans.Plan(r.Context(), by, r.PathValue("code"))
	switch {
	case err != nil:
		return p, plans.Run{}, err
	case p.Run == 0:
		return p, plans.Run{}, noOptions()
	case number != 0 && number != p.Run:
		return p, plans.Run{}, fault.New(fault.Conflict,
			"These plans were replaced by newer ones. Look at those first.").WithCode("replaced")
	case version != 0 && version != p.Version:
		return p, plans.Run{}, fault.New(fault.Conflict,
			"The plan has changed since. Look at it again first.").WithCode("changed")
	}
	run, err := h.cfg.Plans.Run(r.Context(), by, p.Trip, p.Run)
	if err == nil && run.Options == nil {
		err = noOptions()
	}
	return p, run, err
}

func noOptions() error {
	return fault.New(fault.NotFound, "There are no plans for this trip yet.").WithCode("no_options")
}

// optionOf returns an option of a run.
func optionOf(set options.Set, id string) (options.Option, error) {
	for _, o := range set.Options {
		if o.ID == id {
			return o, nil
		}
	}
	return options.Option{}, fault.New(fault.NotFound, "There is no option %q among the plans.", id).
		WithCode("unknown_option")
}

// selectionForm is the body that selects an option of a run.
type selectionForm struct {
	Run     int    `json:"run"` // 0 for the current one
	Option  string `json:"option"`
	Version int    `json:"version"` // of the plan that the person saw; 0 for any
}

// selectOption puts an option into the itinerary.
func (h *Handler) selectOption(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	var in selectionForm
	if err := read(w, r, &in); err != nil {
		return 0, nil, err
	}
	version, err := versionOf(r, in.Version)
	if err != nil {
		return 0, nil, err
	}
	p, run, err := h.current(r, by, version, in.Run)
	if err != nil {
		return 0, nil, err
	}
	o, err := optionOf(*run.Options, in.Option)
	if err != nil {
		return 0, nil, err
	}
	p, err = h.cfg.Plans.Select(r.Context(), by, p.Trip, p.Version, run.Number, o.ID, options.Items(o, run.Context))
	if err != nil {
		return 0, nil, err
	}
	return answerPlan(w, p, run)
}

// swapForm is the body that replaces one thing of an option; see options.SwapRequest.
type swapForm struct {
	Run     int    `json:"run"`
	Option  string `json:"option"`
	What    string `json:"what"`
	Day     int    `json:"day"`
	Meal    string `json:"meal"`
	With    string `json:"with"`
	Version int    `json:"version"`
}

func (h *Handler) swap(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	var in swapForm
	if err := read(w, r, &in); err != nil {
		return 0, nil, err
	}
	version, err := versionOf(r, in.Version)
	if err != nil {
		return 0, nil, err
	}
	p, run, err := h.current(r, by, version, in.Run)
	if err != nil {
		return 0, nil, err
	}
	found := make([]specialists.Output, len(run.Messages))
	for i, m := range run.Messages {
		found[i] = m.Output
	}
	wanted := options.SwapRequest{What: options.Swapped(in.What), Day: in.Day, Meal: in.Meal, With: in.With}
	set, err := options.Swap(run.Context, *run.Options, in.Option, wanted, found, guide.Of)
	if err != nil {
		return 0, nil, err
	}
	var items []itinerary.Item
	if p.Option == in.Option {
		o, err := optionOf(set, in.Option)
		if err != nil {
			return 0, nil, err
		}
		items = options.Items(o, run.Context)
	}
	// The version is that of the plan whose selection was looked at.
	p, err = h.cfg.Plans.Revise(r.Context(), by, p.Trip, p.Version, run.Number, set, items)
	if err != nil {
		return 0, nil, err
	}
	run.Options = &set
	return answerPlan(w, p, run)
}

// runAsked returns the run that the address names, "" for the current one.
func (h *Handler) runAsked(r *http.Request, by identity.Caller, p plans.Plan) (plans.Run, error) {
	number, err := strconv.Atoi(cmp.Or(r.URL.Query().Get("run"), strconv.Itoa(p.Run)))
	if err != nil || number < 0 {
		return plans.Run{}, fault.New(fault.Invalid, "The number of a run is a number from 1.")
	}
	if number == 0 {
		return plans.Run{}, noOptions()
	}
	run, err := h.cfg.Plans.Run(r.Context(), by, p.Trip, number)
	if err == nil && (run.Options == nil || len(run.Options.Options) == 0) {
		err = noOptions()
	}
	return run, err
}

// selected returns the id of the selected option among those of a run, "" for none.
func selected(p plans.Plan, run plans.Run) string {
	if p.Run != run.Number || !slices.ContainsFunc(run.Options.Options, func(o options.Option) bool {
		return o.ID == p.Option
	}) {
		return ""
	}
	return p.Option
}
