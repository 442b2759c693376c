// Package reading understands by rules what a person writes to the trip planner. It reads
// English, and the counts, dates and yes or no of plain Hinglish. It is pure: the same
// message in the same context gives the same reading.
//
// A reading never guesses silently: what was filled in is told (Assumed), what may mean
// several things is asked (Ask), what is impossible is said (Problems), and what the rules
// did not understand is left over (Rest), for a model or for a sentence that says so.
package reading

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/planner/questions"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/reading"
)

// Intent is what a message wants.
type Intent string

// The intents.
const (
	Plan      Intent = "plan" // what it says of the trip is merged, and planning goes on
	Confirm   Intent = "confirm"
	Reject    Intent = "reject" // the summary or the options; Ask may say what is to be another
	Skip      Intent = "skip"   // the open questions in Skipped
	Reset     Intent = "reset"
	Select    Intent = "select"
	SwapStay  Intent = "swap_stay"
	SwapGo    Intent = "swap_transport"
	SwapDay   Intent = "swap_day"
	SwapMeal  Intent = "swap_meal"
	Show      Intent = "show" // the options again
	Trips     Intent = "trips"
	Calendar  Intent = "calendar"
	PDF       Intent = "pdf"
	Share     Intent = "share"
	Unshare   Intent = "unshare"
	Compare   Intent = "compare"
	Why       Intent = "why" // why an option costs what it costs
	Help      Intent = "help"
	Thanks    Intent = "thanks"
	Greeting  Intent = "hello"
	Other     Intent = "other" // Rest has what was not understood
	maxAssume        = 8
)

// Shown is an option that the person sees.
type Shown struct {
	ID    string      `json:"id"` // "opt-1"
	Title string      `json:"title"`
	Tier  trip.Budget `json:"tier,omitempty"`
}

// Context is what a message is read in.
type Context struct {
	Now  time.Time
	Zone *time.Location // the person's; nil is UTC
	Trip trip.Context
	// Mode is that of the conversation: CLARIFY, CONFIRM, DISPATCH or FINALIZE.
	Mode    string
	Ledger  questions.Ledger
	Options []Shown // in the order in which they are shown
	// Home is the IATA code from which the person travels unless they say otherwise.
	Home string
}

func (c Context) today() calendar.Date {
	if c.Zone == nil {
		return calendar.Today(c.Now, time.UTC)
	}
	return calendar.Today(c.Now, c.Zone)
}

// Swap is what is to be another in an option.
type Swap struct {
	Day  int    `json:"day,omitempty"`  // from 1; 0 for all or not said
	Meal string `json:"meal,omitempty"` // "breakfast", "lunch", "dinner"; "" for not said
	With string `json:"with,omitempty"` // as the person called it; "" for the next best
}

// Answer is how the message answered a field, for the ledger.
type Answer struct {
	Field trip.Field `json:"field"`
	Text  string     `json:"text"`
}

// Reading is what a message says. Update holds only what is possible in the context.
type Reading struct {
	Intent Intent      `json:"intent"`
	Update trip.Update `json:"update,omitzero"`
	// Given are the fields that this message gives, without what was filled in.
	Given   []trip.Field `json:"given,omitempty"`
	Answers []Answer     `json:"answers,omitempty"`
	// Sure says that this message gives every critical field, and that nothing of it is left
	// over or has to be asked (S4-41).
	Sure bool `json:"sure,omitempty"`
	// SkipConfirm is the wish to plan without a confirmation. It is honoured where Sure.
	SkipConfirm bool `json:"skipConfirm,omitempty"`
	// Skipped are the fields whose open questions the person does not want to answer.
	Skipped []trip.Field `json:"skipped,omitempty"`
	Option  string       `json:"option,omitempty"` // id of the option that is meant
	Swap    Swap         `json:"swap,omitzero"`
	// ShareDays is for how many days a link is wanted; 0 where it was not said.
	ShareDays int                  `json:"shareDays,omitempty"`
	Assumed   []string             `json:"assumed,omitempty"`
	Ask       []questions.Question `json:"ask,omitempty"`
	Problems  []trip.Problem       `json:"problems,omitempty"`
	// Rest are the words that no rule accounts for; "" where all was understood.
	Rest string `json:"rest,omitempty"`
	// Foreign says that the message is in a language that the rules do not read: they read
	// English and plain Hinglish.
	Foreign bool `json:"foreign,omitempty"`
	// Refused are sentences about what was asked for and is not done.
	Refused []string `json:"refused,omitempty"`
}

// reader reads one message.
type reader struct {
	*reading.Scan
	c      Context
	today  calendar.Date
	out    Reading
	said   map[trip.Field]string // how a field was said
	unsure bool                  // something is impossible that does not follow from the message
	yes    bool                  // begins with a yes
	no     bool                  // begins with a no
	skip   bool
	// skipAll says that the person leaves everything that is open to the planner, skipped are
	// the fields of which alone they say so.
	skipAll bool
	skipped []trip.Field
	spare   []string // words that Spots counted as understood and that are no place
	limit   limit    // an amount that the message says
}

// Read returns what a message says. Of a long message the first 1500 bytes are read, and
// Rest says that more stood there.
func Read(message string, c Context) Reading {
	text := plain(message)
	more := upTo().FindString(text) // "2 to 3 nights" are three
	text = upTo().ReplaceAllString(text, "$1 $2")
	r := &reader{Scan: reading.NewScan(text), c: c, today: c.today(), said: map[trip.Field]string{}}
	if strings.TrimSpace(r.Plain()) == "" {
		return Reading{Intent: Other}
	}
	if r.private() {
		return Reading{Intent: Other, Refused: []string{"Numbers of passports and cards do not belong into the " +
			"chat. I have not used yours."}}
	}
	if r.foreign() {
		return Reading{Intent: Other, Foreign: true, Rest: rest(r.Plain())}
	}
	if in, ok := r.courtesy(); ok {
		return Reading{Intent: in}
	}
	if more != "" {
		r.assume("I took “" + more + "” as " + upTo().ReplaceAllString(more, "$1 $2") + ".")
	}
	r.opening()
	r.control()
	if r.acts() {
		r.finish(message)
		return r.out
	}
	r.amounts()
	r.wishes()
	r.when()
	r.who()
	r.levels()
	r.where()
	r.budget()
	r.defaults()
	r.check()
	r.question()
	r.decide()
	r.finish(message)
	return r.out
}

// give records that the message says a field, from i to j of it.
func (r *reader) give(f trip.Field, i, j int) {
	words := strings.TrimSpace(r.Plain()[i:j])
	if was := r.said[f]; was != "" && !strings.Contains(was, words) {
		words = was + ", " + words
	}
	r.said[f] = words
	if !slices.Contains(r.out.Given, f) {
		r.out.Given = append(r.out.Given, f)
	}
}

func (r *reader) assume(s string) {
	if !slices.Contains(r.out.Assumed, s) && len(r.out.Assumed) < maxAssume {
		r.out.Assumed = append(r.out.Assumed, s)
	}
}

func (r *reader) ask(q questions.Question) {
	q.Critical = q.Field.Critical()
	if !slices.ContainsFunc(r.out.Ask, func(o questions.Question) bool { return o.Field == q.Field }) {
		r.out.Ask = append(r.out.Ask, q)
	}
}

// open reports whether a question about the field is open.
func (r *reader) open(f trip.Field) bool {
	return slices.ContainsFunc(r.c.Ledger.Outstanding(), func(e questions.Entry) bool { return e.Field == f })
}

// check takes out of the update what is impossible, and says it. What does not follow from
// this message Accept says when the update is merged.
func (r *reader) check() {
	_, _, problems := r.c.Trip.Accept(r.out.Update, r.today)
	for _, p := range problems {
		if slices.Contains(r.out.Update.Fields(), p.Field) {
			r.problem(p)
		} else {
			r.unsure = true
		}
	}
}

func (r *reader) problem(p trip.Problem) {
	if !slices.Contains(r.out.Problems, p) {
		r.out.Problems = append(r.out.Problems, p)
	}
	r.out.Update = r.out.Update.Without(p.Field)
	r.out.Given = slices.DeleteFunc(r.out.Given, func(f trip.Field) bool { return f == p.Field })
	delete(r.said, p.Field)
}

var (
	markup     = lazily(`<[^<>]{0,200}>`)
	hindiRange = lazily(`(\d{1,2}) se (\d{1,2}) `)
	midMonth   = lazily(`(?i)\b(early|mid|late)-(` + monthNames + `)\b`)
	movedTo    = lazily(`(?i)\b(?:move|shift|push|postpone|put)(?: it| the trip| that| everything| the ` +
		`dates)?(?: back| forward)? (?:to|into) (` + monthNames + `)([^0-9]{0,2}$|[,.;!])`)
	sameMonth = lazily(`(\d{4}-\d{2}-)(\d{2}) ?(?:to|until|till|-|–) ?(\d{2})($|[^\d-])`)
	upTo      = lazily(`(?i)\b\d{1,2} ?(?:to|-|or) ?(\d{1,2}) (nights|days|weeks|people|persons|adults|` +
		`travell?ers)\b`)
	dotted   = lazily(`\b([0-3]?\d)\.(1[0-2]|0?[1-9])\.($|[ ,–-])`)
	twins    = lazily(`(?i)\b(?:our |my )?twins\b`)
	suggests = lazily(`^(?:what about|what if|how about|can we|could we|can i|could you|can you|would you|will ` +
		`you|` +
		`shall we|is it possible)`)
	ofAge = lazily(`(?i)\b(my|our) (?:(?:[2-9]\d|1[89]|1\d\d)[ -]years?[ -]old|elderly|aged|old|retired|dear) (` +
		`mother|father|mum|mom|dad|grandmother|grandfather|grandma|grandpa|aunt|uncle|parents|wife|husband|` +
		`partner|brother|sister|friend)\b`)
	orders = lazily(`\b(?:book|reserve|buy|pay|hold)\b`)
)

// plain returns a message without markup, and with the spans of days of Hinglish in English.
func plain(message string) string {
	message = hindiRange().ReplaceAllString(markup().ReplaceAllString(message, " "), "$1 to $2 ")
	message = ofAge().ReplaceAllString(message, "$1 $2")
	message = midMonth().ReplaceAllString(message, "$1 $2")
	message = dotted().ReplaceAllString(message, "$1/$2$3")
	message = movedTo().ReplaceAllString(message, "in $1$2")
	message = sameMonth().ReplaceAllString(message, "$1$2 to $1$3$4")
	return twins().ReplaceAllString(message, "two children")
}

// question leaves a trip as it is where the message asks something about another place or
// another day: "Is Lisbon warmer?"
func (r *reader) question() {
	if (len(r.c.Trip.Destinations) > 0 || len(r.c.Options) > 0) && strings.HasSuffix(r.Plain(), "?") &&
		asksFirst().MatchString(r.Low()) && !suggests().MatchString(r.Low()) && !r.out.Update.Reset &&
		(!r.out.Update.Empty() || len(r.meaningful()) > 0 || len(r.c.Options) > 0) {
		r.out.Update, r.out.Given, r.out.Ask, r.out.Problems = trip.Update{}, nil, nil, nil
		r.out.Assumed, r.out.Skipped = nil, nil
		r.spare = strings.Fields(strings.Trim(r.Plain(), "?"))
		r.Use(0, len(r.Plain()))
	}
	if r.out.Update.Empty() && orders().MatchString(r.Low()) && len(r.out.Ask) == 0 {
		r.out.Refused = append(r.out.Refused, "I plan, and book or hold nothing: the travel assistant does, or "+
			"you where the price comes from.")
	}
}

// decide says what the message wants after everything of it was read.
func (r *reader) decide() {
	left := len(r.meaningful())+len(r.unplaced()) > 0
	r.out.Ask = slices.DeleteFunc(r.out.Ask, func(q questions.Question) bool {
		return slices.Contains(r.out.Given, q.Field)
	})
	switch {
	case len(r.out.Skipped) > 0 && len(r.out.Given) == 0 && !r.out.Update.Reset && !left:
		r.out.Intent = Skip
	case !r.out.Update.Reset && !r.out.Update.Empty():
		r.out.Intent = Plan
	case r.out.Update.Reset && !r.out.Update.Empty() && len(r.out.Update.Fields()) > 0:
		r.out.Intent = Plan
	case r.out.Update.Reset:
		r.out.Intent = Reset
	case len(r.out.Problems) > 0 || len(r.out.Ask) > 0:
		r.out.Intent = Plan
		if r.no || r.out.Intent == Reject {
			r.out.Intent = Reject
		}
	case len(r.out.Skipped) > 0:
		r.out.Intent = Skip
	case r.skip && !left:
		r.out.Intent = Skip
	case r.no && !left:
		r.out.Intent = Reject
	case r.yes && !left, r.out.SkipConfirm && !left:
		r.out.Intent = Confirm
	case r.limit.set:
		r.out.Intent = Plan
	default:
		r.out.Intent = Other
		if !left {
			r.out.Intent = Plan // words such as "please" alone
		}
	}
}

// finish sorts what was given and says what was not understood.
func (r *reader) finish(message string) {
	slices.SortFunc(r.out.Given, func(a, b trip.Field) int {
		return slices.Index(trip.Fields(), a) - slices.Index(trip.Fields(), b)
	})
	for _, f := range r.out.Given {
		r.out.Answers = append(r.out.Answers, Answer{f, rest(r.said[f])})
	}
	r.out.Rest = rest(strings.Join(slices.Concat(r.meaningful(), r.unplaced()), " "))
	if len(message) > reading.MaxText && r.out.Rest == "" {
		r.out.Rest = "…"
	}
	next, _ := r.c.Trip.Merge(r.out.Update)
	sure := !r.unsure && next.Ready() && len(r.out.Problems) == 0 && len(r.out.Ask) == 0 && r.out.Rest == "" &&
		len(r.out.Skipped) == 0
	for _, f := range []trip.Field{trip.Destinations, trip.Dates, trip.Party, trip.BudgetLevel, trip.Origin} {
		if f == trip.Origin && !next.WantsOrigin() {
			continue
		}
		sure = sure && slices.Contains(r.out.Given, f)
	}
	r.out.Sure = sure && r.out.Intent == Plan
	if r.out.SkipConfirm && !r.out.Sure && r.out.Intent == Plan {
		r.out.Refused = append(r.out.Refused, "I ask before I plan unless one message says everything: where, "+
			"when, how many, the budget and from where.")
	}
}

// unplaced are the words that were taken for places and are none, without those that mean
// nothing.
func (r *reader) unplaced() []string {
	return slices.DeleteFunc(slices.Clone(r.spare), func(w string) bool { return filler[strings.ToLower(w)] })
}

// meaningful are the words that were not understood and that may mean something.
func (r *reader) meaningful() []string {
	return slices.DeleteFunc(r.Words(), func(w string) bool {
		return filler[strings.ToLower(w)] || !strings.ContainsFunc(w, func(c rune) bool {
			return unicode.IsLetter(c) || unicode.IsDigit(c)
		})
	})
}

// rest is a text of bounded length.
func rest(s string) string {
	if letters := []rune(s); len(letters) > 300 {
		return string(letters[:299]) + "…"
	}
	return s
}
