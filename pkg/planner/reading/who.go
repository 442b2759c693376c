package reading

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/planner/questions"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/reading"
)

var (
	crowd = lazily(`(?:we are |we're |for |make it )?(\d{1,4}|zero|no|(?:a |one |two )?(?:hundred|thousand|` +
		`million)s?(?: of)?) (?:people|persons?|` +
		`travell?ers?|adults?|pax|guests|of us|passengers)`)
	theAges = lazily(`(?:(?:the |our |my )?(?:kids?|children|child|son|daughter|they|he|she|ages?|` +
		`aged?|both)(?: are| is|'re|'s)? ?(?:aged? )?|ages? )` +
		`(\d{1,2}(?:(?:, ?| ?& ?| and |, and )\d{1,2})*)(?: years? old| years| yrs)?`)
	several = lazily(`\b(?:family|we|our|us|we'd|we're|we'll)\b`)
	groups  = lazily(`(\d{1,2}|two|three|four|five|six|seven|eight|nine|ten) (guys|girls|ladies|men|women|` +
		`students|couples|travellers|` +
		`travelers)|(?:travell?ers|people|party|guests|pax|adults) ?: ?(\d{1,2})(?:$|[ .,;])`)
	forCount   = lazily(`(?:for|of) (\d{1,2}|two|three|four|five|six|seven|eight)(?: ?[:;,.)]|$)`)
	oddCount   = lazily(`(?:-\d+|\d+[.,]\d+) (?:people|persons?|travell?ers?|adults?|pax|guests|of us)`)
	onlyNumber = lazily(`^(?:(?:we are|we're|there are|just|only|us|of|it's|for) )*(\d{1,4}|zero|` +
		`one|two|three|four|five|six|seven|eight|nine|ten|ek|do|teen|char|paanch)(?: (?:people|persons?|adults?|` +
		`of us|log))?$`)
	honeymoon = lazily(`(?:our |a |romantic )*(?:honeymoon(?:ers)?|couple's (?:trip|weekend|break)|` +
		`anniversary(?: trip)?)`)
)

var (
	someone = `(?:my|our) (wife|husband|partner|spouse|girlfriend|boyfriend|fiancée?|mother|father|mom|mum|dad|` +
		`brother|sister|` +
		`friend|colleague|son|daughter|child|kid|baby|cousin|aunt|uncle|grandmother|grandfather|grandma|grandpa|` +
		`mother-in-law)`
	notComing = lazily(someone + ` (?:is not|isn't|can't|cannot|won't|will not|is no longer) (?:be )?(?:com(?:e|` +
		`ing)|join(?:ing)?|able to come)|` +
		`without ` + strings.Replace(someone, "(wife", "(?:wife", 1))
	comingToo = lazily(`(?:and )?` + someone + ` (?:is |will be |will )?(?:also )?(?:com(?:e|es|ing)|join(?:s|` +
		`ing)?|travel(?:s|ling)?)(?: with (?:us|me))?` +
		`(?: too| as well| along| also)*`)
	oneOf    = lazily(someone)
	aboutOne = lazily(`^(?:(?:is|are) (?:[a-z]|not )|(?:has|have|can't|cannot|can|doesn't|does not|eats?|likes?|` +
		`loves?|` +
		`needs?|wants?|hates?|must|would|only)\b)`)
	nowMany = lazily(`(?:we are|we're|we will be|we'll be|there are|there're|there will be|there'll be|make it|` +
		`make that) ` +
		`(\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)(?: ?[.,;!]|$)`)
)

// leaving reads that one of those who travel does not, and passes over what is said of one
// of them: "my son is vegetarian".
func (r *reader) leaving(was trip.Travellers, set func(trip.Travellers, int, int)) trip.Travellers {
	if r.c.Trip.Travellers == nil {
		return was
	}
	r.Take(notComing(), func(g []string, from, to int) bool {
		switch n := len(was.Children); {
		case childWord().MatchString(g[0]) && n > 0:
			was.Children = was.Children[:n-1]
		case was.Adults > 1 && !childWord().MatchString(g[0]):
			was.Adults--
		default:
			return true
		}
		set(was, from, to)
		return true
	})
	r.Take(comingToo(), func(g []string, from, to int) bool {
		if childWord().MatchString(g[1]) {
			was.Children = append(slices.Clone(was.Children), usualAge)
			r.assume(fmt.Sprintf("I assumed that the child is %d years old. Say the age: prices "+
				"depend on it.", usualAge))
		} else {
			was.Adults++
		}
		set(was, from, to)
		return true
	})
	r.Take(nowMany(), func(g []string, from, to int) bool {
		n := countOf(g[1]) - len(was.Children)
		if n < 1 {
			return false
		}
		set(trip.Travellers{Adults: n, Children: was.Children}, from, to)
		return true
	})
	r.Take(oneOf(), func(_ []string, from, to int) bool {
		return aboutOne().MatchString(strings.TrimLeft(r.Low()[to:], " "))
	})
	// Those who are known to travel may be spoken of: "the kids need a beach".
	if !joining().MatchString(r.Low()) {
		r.Take(theOnes(), func(g []string, from, to int) bool {
			return !theAges().MatchString(r.Low()[from:min(len(r.Low()), to+20)])
		})
	}
	return was
}

var (
	joining = lazily(`\b(?:make it|make that|add|plus|also|too|as well|coming|comes|join\w*|bring\w*|with (?:a|` +
		`an|my|our|two|three)|without|` +
		`not coming|and (?:my|our|a)|for (?:my|our)|instead)\b`)
	theOnes = lazily(`(?:(?:for|with) )?(?:the|our|my|both|all) (?:two |three )?(?:kids?|children|child|sons?|` +
		`daughters?|baby|family|wife|husband|` +
		`partner|parents|mother|father|mum|mom|dad)`)
)

var childWord = lazily(`son|daughter|child|kid|baby`)

// usualAge is the age that is assumed of a child until it is said.
const (
	usualAge = 8
	teenAge  = 15
)

// who reads who travels.
func (r *reader) who() {
	was := trip.Travellers{}
	if r.c.Trip.Travellers != nil {
		was = *r.c.Trip.Travellers
	}
	set := func(t trip.Travellers, from, to int) {
		r.out.Update.Travellers = &t
		r.give(trip.Party, from, to)
	}
	r.Take(oddCount(), func(_ []string, from, to int) bool {
		r.ask(questions.Question{Field: trip.Party, Text: "How many people are travelling?"})
		return true
	})
	if len(r.out.Ask) > 0 && r.out.Ask[len(r.out.Ask)-1].Field == trip.Party {
		return
	}
	r.Take(crowd(), func(g []string, from, to int) bool {
		n, err := strconv.Atoi(g[1])
		if strings.Contains(g[1], "nd") || strings.Contains(g[1], "million") {
			n, err = 1000, nil
		}
		if err == nil && n > 0 && n < 100 {
			return false // counted with those around them
		}
		set(trip.Travellers{Adults: n}, from, to)
		return true
	})
	if n := len(was.Children); n > 0 {
		r.Take(theAges(), func(g []string, from, to int) bool {
			ages := numbersIn(g[1])
			if len(ages) != n {
				return false
			}
			set(trip.Travellers{Adults: was.Adults, Children: ages}, from, to)
			return true
		})
	}
	r.Take(groups(), func(g []string, from, to int) bool {
		n := countOf(g[1] + g[3])
		if strings.HasPrefix(g[2], "couple") {
			n *= 2
		}
		set(trip.Travellers{Adults: n}, from, to)
		return true
	})
	if r.out.Update.Travellers != nil {
		return
	}
	if m := onlyNumber().FindStringSubmatch(r.Folded()); m != nil && r.open(trip.Party) {
		n := countOf(m[1])
		set(trip.Travellers{Adults: n}, 0, len(r.Low()))
		r.Use(0, len(r.Low()))
		return
	}
	was = r.leaving(was, set)
	if r.out.Update.Travellers != nil {
		return
	}
	adults, ages, assumed, said := r.Party(was.Adults, slices.Clone(was.Children))
	if said && (adults > 0 || len(ages) > 0) {
		t := trip.Travellers{Adults: adults, Children: ages}
		unknown, usual := 0, usualAge
		if strings.Contains(r.Low(), "teen") {
			usual = teenAge
		}
		same := sameAge(t.Children)
		for i, age := range t.Children {
			if age == reading.UnknownAge && same >= 0 && bothOf().MatchString(r.Low()) {
				t.Children[i] = same
			} else if age == reading.UnknownAge {
				t.Children[i], unknown = usual, unknown+1
			}
		}
		if slices.ContainsFunc(assumed, func(a string) bool { return strings.HasPrefix(a, "One adult") }) &&
			several().MatchString(r.Low()) {
			t.Adults = 2
			assumed = []string{"I took two adults as those who travel with the children."}
		}
		for _, a := range assumed {
			if !strings.Contains(a, "fares are often lower") && !strings.Contains(a, "You are not among") {
				r.assume(a)
			}
		}
		if unknown > 0 {
			child := "the child is"
			if unknown > 1 {
				child = fmt.Sprintf("%d children are", unknown)
			}
			r.assume(fmt.Sprintf("I assumed that %s %d years old. Say the ages, such as “ages 4 and 7”: prices "+
				"depend on them.", child, usual))
		}
		set(t, 0, 0)
		r.said[trip.Party] = partyWords(t)
		return
	}
	if r.c.Trip.Travellers == nil {
		r.Take(forCount(), func(g []string, from, to int) bool {
			set(trip.Travellers{Adults: countOf(g[1])}, from, to)
			return true
		})
	}
	if r.c.Trip.Travellers == nil && r.out.Update.Travellers == nil {
		r.Take(honeymoon(), func(_ []string, from, to int) bool {
			set(trip.Travellers{Adults: 2}, from, to)
			return true
		})
	}
}

var bothOf = lazily(`\b(?:twins|two children who are|both)\b`)

// sameAge returns the age that is the only one known of several children, or -1.
func sameAge(ages []int) int {
	same := -1
	for _, age := range ages {
		switch {
		case age == reading.UnknownAge || age == same:
		case same >= 0:
			return -1
		default:
			same = age
		}
	}
	return same
}

func partyWords(t trip.Travellers) string {
	words, _, _ := strings.Cut(trip.Context{Travellers: &t}.Detail(), " · ")
	return words
}

func numbersIn(s string) []int {
	var out []int
	for _, f := range strings.FieldsFunc(s, func(c rune) bool { return c < '0' || c > '9' }) {
		if n, err := strconv.Atoi(f); err == nil {
			out = append(out, n)
		}
	}
	return out
}
