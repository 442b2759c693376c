package reading

import (
	"regexp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

var (
	mustDo = lazily(`(?:(?:and |but )?(?:we |i )?(?:absolutely |really |definitely |just )*(?:must|` +
		`have to|need to|gotta)[- ]` +
		`(?:see|do|visit|try|go to|include|have|eat at)s?|(?:my |our |the )?must[- ]?(?:dos?|sees?|visits?|` +
		`haves?)(?: (?:is|are|list))?|` +
		`(?:we |i )?(?:definitely|absolutely|really) want to (?:see|visit|go to|do)|` +
		`(?:we |i )?(?:can't|cannot|don't want to|do not want to|not to|don't|do not|not) miss|` +
		`(?:we |i )?(?:would like to|'d like to|want to|hope to|wish to) see|make sure (?:we|i|to) (?:see|` +
		`visit|get to|include))` +
		`:? ([^.;!?\n]+)`)
	plainSee = lazily(`must|have to|need to|definitely|absolutely|really|sure`)
	noMustDo = lazily(`(?:drop|remove|forget|skip|without|no need (?:to see|for)|cross out) (?:the ` +
		`must[- ]?dos?|all must[- ]?dos?)`)

	// field are words with which another subject begins, behind a comma or "and".
	otherField = lazily(`^(?:(?:and|but|also|with|for|from|we|i|on|in) )*(?:(?:a )?(?:mid|low|high|` +
		`cheap|budget|luxury|medium|moderate|relaxed|packed|` +
		`slow|vegetarian|vegan|halal|kosher|gluten|boutique|hostel|hotel|wheelchair|step-free|no |not |` +
		`two of|three of|four of|just me|\d+ (?:people|adults|of us|days|nights)|(?:we|i)(?:'re| are| am|'m|'d| ` +
		`would| have| like| love| eat| prefer| want| leave| fly| start)|` +
		`budget|around [€$£]|[€$£]|from |leaving|our |my )|(?:mon|tues|wednes|thurs|fri|satur|sun)day|` +
		`\d{1,2}(?:st|nd|rd|th)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|(?:jan|feb|mar|apr|may|jun|` +
		`jul|aug|sep|oct|nov|dec)[a-z]* \d)`)
)

// wishes reads everything that shapes options: must-dos and constraints first, since what
// they name is no destination and no interest.
func (r *reader) wishes() {
	u := &r.out.Update
	r.Take(mustDo(), func(g []string, from, to int) bool {
		start := to - len(g[1])
		cue := strings.TrimRight(r.Low()[from:start], ": ")
		if strings.HasSuffix(cue, "to see") && !plainSee().MatchString(cue) && !strings.HasPrefix(g[1], "the ") {
			return false // "want to see Rome"
		}
		text := r.Plain()[start:to]
		end := start
		for i, part := range pieces(text) {
			if i > 0 && otherField().MatchString(strings.ToLower(part.text)) {
				break
			}
			if low := strings.ToLower(part.text); i > 0 && strings.HasPrefix(low, "must") {
				end = start + part.to
				continue
			}
			if s := trip.Clean(strings.TrimSuffix(strings.TrimSuffix(part.text, " and"), ",")); s != "" {
				u.MustDos.Add = append(u.MustDos.Add, s)
				end = start + part.to
			}
		}
		if end == start {
			return false
		}
		r.give(trip.MustDos, start, end)
		r.Use(from, end)
		return false // the rest of the match is read by others
	})
	r.Take(noMustDo(), func(_ []string, from, to int) bool {
		u.MustDos.Clear = true
		r.give(trip.MustDos, from, to)
		return true
	})
	yes := true
	for _, c := range constraints {
		r.Take(c.words(), func(_ []string, from, to int) bool {
			u.Constraints.Add = append(u.Constraints.Add, c.text)
			r.give(trip.Constraints, from, to)
			return true
		})
	}
	r.Take(ownCar(), func(_ []string, from, to int) bool {
		u.OwnCar = &yes
		r.give(trip.Constraints, from, to)
		return true
	})
	r.Take(localOnly(), func(_ []string, from, to int) bool {
		u.LocalOnly = &yes
		r.give(trip.Origin, from, to)
		return true
	})
	for _, e := range excluded {
		r.Take(e.words(), func(_ []string, from, to int) bool {
			if !slices.Contains(u.Exclude, e.who) {
				u.Exclude = append(u.Exclude, e.who)
			}
			r.give(trip.Constraints, from, to)
			return true
		})
	}
	r.Take(petOrNot(), func(g []string, from, to int) bool { // "no hostels", "not too far"
		text := strings.TrimSpace(r.Low()[from:to])
		if _, what, ok := strings.Cut(text, "avoid"); ok {
			text = "no" + strings.TrimPrefix(what, "ing")
		}
		u.Constraints.Add = append(u.Constraints.Add, text)
		r.give(trip.Constraints, from, to)
		return true
	})
	r.each(dietary, trip.Dietary, &u.Dietary)
	r.Take(allergy(), func(g []string, from, to int) bool {
		u.Dietary.Add = append(u.Dietary.Add, "no "+strings.TrimSpace(g[1]+g[2]+g[3]))
		r.give(trip.Dietary, from, to)
		return true
	})
	r.Take(noneOfUs(), func(g []string, from, to int) bool { // "none of us eats fish"
		if !ofUs().MatchString(r.Low()[max(0, from-30):from]) {
			return false
		}
		if g[1] == "drink" && (g[2] == "" || g[2] == "alcohol") {
			g[2] = "alcohol"
		} else if g[2] == "" || g[1] == "drink" {
			return false
		}
		u.Dietary.Add = append(u.Dietary.Add, "no "+g[2])
		r.give(trip.Dietary, from, to)
		return true
	})
	r.Take(paceWords(), func(g []string, from, to int) bool {
		for i, p := range []trip.Pace{trip.Relaxed, trip.Packed, trip.Moderate} {
			if g[i+1] != "" {
				after := strings.TrimLeft(r.Low()[to:min(len(r.Low()), to+20)], " ")
				if g[i+1] == "moderate" && (r.open(trip.BudgetLevel) && !r.open(trip.PaceOf) ||
					firstWord(after, "budget", "price", "prices", "hotel", "hotels", "cost")) {
					return false
				}
				u.Pace = p
			}
		}
		r.give(trip.PaceOf, from, to)
		return true
	})
	r.Take(styles(), func(g []string, from, to int) bool {
		style := strings.TrimSuffix(strings.ReplaceAll(strings.TrimSpace(g[1]), "bed and breakfast", "b&b"), "s")
		if style == "airbnb" || style == "flat" || style == "holiday flat" {
			style = "apartment"
		}
		u.HotelStyle = &style
		r.give(trip.HotelStyle, from, to)
		return true
	})
	r.each(interests, trip.Interests, &u.Interests)
}

// denied is what stands before a word that does not hold: "no one is vegetarian".
var denied = lazily(`\b(?:nobody|no ?one|none of (?:us|them)|neither of (?:us|them)|not|isn't|aren't|i'm not|don't|` +
	`doesn't)(?: (?:is|are|am|a|an|any|really|actually|all|need(?:s)?|like(?:s)?|want(?:s)?|eat(?:s)?|interested in|` +
	`into|keen on))* *$`)

// each reads words of a vocabulary; those with a "no" before them, or of which it is said that
// they do not hold, are taken away.
func (r *reader) each(list []known, f trip.Field, c *trip.Change) {
	for _, k := range list {
		r.Take(k.words(), func(g []string, from, to int) bool {
			if denied().MatchString(r.Low()[max(0, from-40):from]) {
				c.Remove = append(c.Remove, k.text)
				r.give(f, from, to)
				return true
			}
			if g[1] != "" {
				if !strings.HasPrefix(g[1], "only") && !strings.HasPrefix(g[1], "just") {
					c.Remove = append(c.Remove, k.text)
					r.give(f, from, to)
					return true
				}
				c.Clear = true
			}
			if !slices.Contains(c.Add, k.text) {
				c.Add = append(c.Add, k.text)
			}
			r.give(f, from, to)
			return true
		})
	}
}

type piece struct {
	text string
	to   int // where it ends, in the text of all
}

// pieces splits "the Freedom Trail, Fenway Park and the harbour" at commas, and at "and"
// where both sides are names of their own.
func pieces(s string) []piece {
	var out []piece
	start := 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) && s[i] != ',' {
			continue
		}
		part := s[start:i]
		offset := start
		for {
			j := strings.Index(strings.ToLower(part), " and ")
			if j < 0 {
				break
			}
			left, right := part[:j], part[j+5:]
			name, _, _ := strings.Cut(strings.ToLower(right), " and ")
			two := len(strings.Fields(left)) > 1 == (len(strings.Fields(name)) > 1)
			if !two && !strings.HasPrefix(name, "the ") && !otherField().MatchString(name) {
				break
			}
			out = append(out, piece{strings.TrimSpace(left), offset + j})
			offset, part = offset+j+5, right
		}
		out = append(out, piece{strings.TrimSpace(part), offset + len(part)})
		start = i + 1
	}
	return out
}

// known is a word of a vocabulary. The first group of its words is a "no" or "only".
type known struct {
	text  string
	words func() *regexp.Regexp
}

const notWord = `(?:(not too many |not many |few |hate |dislike |avoid |can't stand |bored (?:by|of) |no |not |` +
	`no more |no longer |without |` +
	`less |fewer |not (?:so |that )?(?:much |interested ` +
	`in |into )|don't (?:like |want |care (?:for|about) )(?:any )?|` +
	`do not (?:like |want )|drop (?:the )?|skip (?:the )?|remove (?:the )?|only |just ))?`

func vocabulary(list ...[2]string) []known {
	var out []known
	for _, l := range list {
		out = append(out, known{l[0], lazily(notWord + `(?:` + l[1] + `)\b`)})
	}
	return out
}

// dietary has the words of pkg/planner/guide for what it knows, and others.
var dietary = vocabulary(
	[2]string{"vegetarian", `(?:lacto[- ])?vegetarians?(?: food| meals| options)?|veggie|shakahari|(?:don't|do ` +
		`not|doesn't) eat meat|no meat`},
	[2]string{"vegan", `vegans?(?: food| meals| options)?|plant[- ]based`},
	[2]string{"gluten_free", `gluten[- ]?free|(?:no |without )gluten|(?:doesn't|does not|don't|do not|can't|` +
		`cannot) eat gluten|co?eliac`},
	[2]string{"halal", `halal(?: food| only)?`},
	[2]string{"kosher", `kosher(?: food| only)?`},
	[2]string{"pescatarian", `pescatarians?`},
	[2]string{"jain", `jain (?:food|meals)`},
	[2]string{"lactose-free", `lactose[- ](?:free|intoleran(?:t|ce))|dairy[- ]free|no dairy`},
	[2]string{"no nuts", `(?:nut|peanut)[- ](?:allergy|allergic|free)|allergic to (?:pea)?nuts|no nuts`},
	[2]string{"no shellfish", `shellfish allergy|allergic to (?:shellfish|seafood)|no (?:shellfish|seafood)`},
	[2]string{"no fish", `no (?:raw )?fish|fish[- ]free`},
	[2]string{"no beef", `no beef`},
	[2]string{"no eggs", `no eggs?|egg[- ]free`},
	[2]string{"no pork", `no pork|(?:don't|do not) eat pork`},
	[2]string{"no alcohol", `no alcohol|alcohol[- ]free|(?:don't|do not|doesn't|does not) drink(?: alcohol)?|` +
		`teetotal(?:lers?)?`},
)

// interests are the tags of sights in pkg/planner/guide.
var interests = vocabulary(
	[2]string{"history", `culture|cultural(?: sights)?|histor(?:y|ical|ic)(?: sights| sites| places)?|heritage|` +
		`ancient (?:sites|ruins)|ruins|` +
		`castles?|old towns?`},
	[2]string{"art", `arts?|museums?|galler(?:y|ies)|paintings?`},
	[2]string{"food", `(?:good |great |local |the |street )*food(?: scene| and wine| tours?)?|foodies?|` +
		`gastronomy|cuisine|eating(?: well| out)?|wine(?: tasting)?|restaurants?`},
	[2]string{"nature", `nature|outdoors?|hik(?:es?|ing)|parks?|gardens?|walks? in the countryside|mountains?|` +
		`wildlife|countryside`},
	[2]string{"views", `(?:nice |great )?views?|viewpoints?|panoramas?|photography`},
	[2]string{"architecture", `architecture|buildings|churches and buildings|skyscrapers`},
	[2]string{"markets", `(?:flea |street |food )?markets?|bazaars?`},
	[2]string{"beach", `(?:the )?beach(?:es)?|swimming|sunbathing|surfing`},
	[2]string{"nightlife", `night ?life|bars?|clubs?|clubbing|pubs?|party(?:ing)? at night|going out`},
	[2]string{"family", `family[- ]friendly|child[- ]friendly|kid[- ]friendly|(?:things|stuff) for (?:the ` +
		`)?(?:kids|children)|zoos?|playgrounds?|theme parks?|aquariums?`},
	[2]string{"shopping", `shopping|shops|boutiques`},
	[2]string{"religion", `church(?:es)?|temples?|cathedrals?|mosques?|religious sites`},
	[2]string{"science", `science|technology|planetarium|space`},
	[2]string{"music", `(?:live )?music|concerts?|opera|jazz|fado`},
	[2]string{"sport", `sports?|football|baseball|stadiums?|cycling|running|active(?: trip| holiday)?`},
)

var allergy = lazily(`(?:(?:has |have |with )?(?:a |an )?(?:food )?allerg(?:y|ies)(?: to|:)|allergic to) ` +
	`([a-z]+(?: and [a-z]+)?)|` +
	`(?:(?:has |have |with )?(?:a |an )([a-z]+) allergy)|` +
	`(?:doesn't|does not|don't|do not|can't|cannot|never|nobody|no one) eats? (?:any )?([a-z]+)`)

var (
	noneOfUs = lazily(`(eat|drink)s?(?: (?:any )?([a-z]+))?`)
	ofUs     = lazily(`\b(?:none|neither|not one) of (?:us|them) *$`)
)

// crammed are words for days with too much in them.
const crammed = `crammed|packed|busy|full|rushed|hectic|stressful|tight|crowded|intense`

var paceWords = lazily(`(?:(?:a|at|an|with|in|our|the|nice and|very|quite|more) )*(?:(relaxed|` +
	`relaxing|slow(?:er|ly)?|easy(?:[- ]going)?|leisurely|` +
	`laid[- ]back|chill(?:ed)?(?: out)?|low[- ]key|unhurried|take it easy|(?:hate|no|without|don't like|avoid) ` +
	`(?:being )?(?:rush(?:ing|ed)?|stress|hurry(?:ing)?)|not (?:too |so )?(?:busy|packed|` +
	`rushed|stressful|hectic|full)|` +
	`(?:too|less) (?:` + crammed + `|fast)|` +
	`nothing (?:too )?(?:busy|packed|rushed|stressful|hectic)|aaram se)|` +
	`(packed|busy|full (?:days|program(?:me)?)|action[- ]packed|fast(?:[- ]paced)?|as much as (?:possible|we ` +
	`can|i can)|` +
	`too (?:slow|relaxed|relaxing|easy|leisurely|empty)|(?:less|not so) (?:relaxed|slow)|` +
	`see (?:everything|as much as (?:possible|we can|i can))|intense)|` +
	`(moderate|balanced(?: pace)?|normal pace|medium pace|steady|not too fast))(?: (?:pace|days?|trip|tempo|` +
	`rhythm))*`)

var styles = lazily(`(?:(?:in |at )?(?:a |an |some )?(?:nice |small |cosy |cozy )*)?(boutique|` +
	`hostels?|resorts?|apartments?|airbnb|holiday flat|flat|guest ?houses?|b&b|bed and breakfast|` +
	`historic hotels?|modern hotels?|design hotels?|luxury hotels?|chain hotels?|spa hotels?|business hotels?|` +
	`family[- ]run|ryokan|riad|` +
	`(?:3|4|5|three|four|five)[- ]star(?: hotels?)?|villa)(?: (?:hotels?|style|stay|accommodation|please))*`)

type constraint struct {
	text  string
	words func() *regexp.Regexp
}

// byOnly is how people say that they travel by one means.
func byOnly(means string) string {
	return `(?:only |just )?(?:by |on )(?:the )?(?:` + means + `)(?: only)?|only (?:the )?(?:` + means + `)|` +
		`(?:` + means + `) only|` +
		`(?:we|i)(?:'ll| will|'d| would)? (?:rather |prefer to |want to |like to )*(?:take|go by|travel by|come ` +
		`by|use|prefer) ` +
		`(?:the |a )?(?:` + means + `)(?: instead)?`
}

var constraints = []constraint{
	{"no flights", lazily(`(?:no (?:flights?|flying|planes?|air ?planes?)|(?:we |i )?(?:don't|do ` +
		`not|won't|will not|can't|cannot|rather not|refuse to|hate to) (?:want to |like to |like )?` +
		`fly(?:ing)?|without (?:flying|flights?|a flight|planes?)|(?:we |i )?(?:are |am |'m )?afraid of flying|` +
		`forget the flights?)`)},
	{"train only", lazily(byOnly("trains?|rail"))},
	{"bus only", lazily(byOnly("bus(?:es)?|coach(?:es)?"))},
	{"car only", lazily(byOnly("car") + `|(?:we|i)(?:'ll| will| would|'d)? (?:rather )?drive(?: there| ` +
		`ourselves)?`)},
	{"no trains", lazily(`(?:no|without) (?:trains?|rail)`)},
	{"no buses", lazily(`(?:no|without) (?:bus(?:es)?|coach(?:es)?)`)},
	{"no ferries", lazily(`(?:no|without) (?:ferr(?:y|ies)|ships?)|(?:gets?|am|is|are) (?:very |easily )?sea ?sick`)},
	{"step-free", lazily(`(?:with |in |uses? )?(?:a )?(?:wheelchair(?:[- ](?:user|accessible|` +
		`friendly))?|step[- ]free(?: access)?|` +
		`(?:limited|reduced) mobility|(?:can't|cannot) (?:climb stairs|walk (?:far|much|long))|no stairs|` +
		`accessible|(?:pram|stroller|pushchair)(?: friendly)?)`)},
	{"little walking", lazily(`(?:has |have |with )?(?:a )?(?:bad|weak|sore) (?:knees?|hips?|back|legs?|foot|feet)|` +
		`(?:is |am |'m )?(?:\w+ months )?pregnant|little walking|not (?:too )?much walking`)},
	{"no heights", lazily(`(?:has |have |with )?vertigo|(?:is |am |'m |are )?(?:afraid|scared) of heights`)},
	{"no early mornings", lazily(`(?:no|without|not) (?:too )?early (?:mornings?|starts?|flights?)|` +
		`late starts?|sleep in`)},
	{"no night flights", lazily(`no (?:night flights?|red[- ]?eyes?|overnight (?:flights?|travel))`)},
	{"direct flights only", lazily(`(?:only )?(?:direct|non[- ]?stop)(?: flights?)?(?: only)?`)},
	{"no car", lazily(`no (?:car|driving|rental cars?)|without a car|(?:we |i )?(?:don't|do not|` +
		`can't|cannot) drive|public transport(?:ation)? only|only public transport`)},
	{"with a dog", lazily(`(?:with|and|plus) (?:a|my|our|the|one) (?:dog|pet|cat)|(?:dog|pet)[- ]friendly`)},
	{"romantic", lazily(`romantic`)},
	{"hotel with a pool", lazily(`(?:with |has |have )*(?:a |an )?(?:swimming )?pool`)},
	{"hand luggage only", lazily(`(?:only |just )?(?:hand|cabin|carry[- ]on) (?:luggage|bags?|baggage)(?: ` +
		`only)?|(?:only |just )(?:a )?carry[- ]on|carry[- ]on only`)},
	{"with breakfast", lazily(`(?:with|including|and) breakfast(?: included)?|breakfast included`)},
	{"birthday", lazily(`(?:(?:for|on|celebrat\w+) )?(?:my |our |his |her |a )?(?:[a-z]+'s )?(?:\d{1,3}(?:st|nd|` +
		`rd|th)? )?birthday(?: trip)?`)},
	{"quiet", lazily(`(?:somewhere |a )?quiet(?: (?:area|place|hotel|room))?`)},
	{"central", lazily(`(?:(?:very )?central(?:ly located)?|(?:near|close to|in) the (?:city ` +
		`)?cent(?:re|er)|within walking distance|walking distance|walkable|downtown)`)},
}

var (
	petOrNot = lazily(`(?:(?:want to |like to )?avoid(?:ing)?|no|without) (?:the |any )?(?:hostels?|tourist ` +
		`traps?|crowds|chains?|big hotels?|long walks|long ` +
		`drives|shared bathrooms?|boats?|heights)(?: (?:and|or) (?:the |any )?(?:hostels?|tourist traps?|crowds|` +
		`chains?|big hotels?|long walks|long drives|boats?|heights))?|` +
		`(?:don't|do not|nothing|no) (?:plan |do )?(?:anything |things |activities )?(?:before|after) ` +
		`\d{1,2}(?::\d\d)? ?(?:am|pm|o'clock)?|` +
		`(?:two|three|four|five|\d|separate) (?:separate |double |single )?rooms`)
	ownCar = lazily(`(?:we|i)(?:'ll| will)? (?:have|will have|bring|got|'ve got|have got) (?:a|` +
		`our own|my own|our|my) car(?: (?:there|with us|with me))?|` +
		`(?:with|in) (?:our|my) own car|(?:we|i)(?:'ll| will)? (?:rent|hire) a car(?: there)?|(?:have|own) a ` +
		`car(?: there)?`)
	localOnly = lazily(`(?:we|i)(?:'re| are|'m| am|'ll be| will be) already (?:in|at)|` +
		`(?:we|i)(?:'re| are|'m| am| will be)(?: already)? (?:already )?(?:there|in ` +
		`town)(?: (?:already|anyway))?|` +
		`already there|no (?:need (?:for|of) )?(?:transport|travel)(?:ation)? (?:there )?(?:needed|required|` +
		`necessary)|` +
		`(?:we|i) (?:live|are) (?:there|here)|(?:no|without) (?:the )?(?:journey|way) there|(?:we|i) (?:already ` +
		`)?(?:have|booked|'ve booked|have booked) (?:our |my |the )?(?:flights?|trains?|tickets?)(?: already)?`)
	excluded = []struct {
		who   trip.Specialist
		words func() *regexp.Regexp
	}{
		{trip.Transport, lazily(`(?:we |i )?(?:don't|do not) (?:need|want) (?:any ` +
			`)?(?:transport(?:ation)?|flights? and trains?)|` +
			`no (?:need for )?transport(?:ation)?(?: (?:please|at all))?`)},
		{trip.Stay, lazily(`(?:we |i )?(?:don't|do not) (?:need|want) (?:a |any )?(?:hotels?|` +
			`accommodation|place to stay)|` +
			`(?:no|skip|without|forget) (?:the )?(?:hotels?|accommodation)(?: (?:needed|required|please|` +
			`necessary))?|(?:we|i)(?:'ll| will|'re| ` +
			`are|'m| am)? (?:be )?stay(?:ing)? (?:with|at) (?:friends|family|my [a-z]+|our [a-z]+|a ` +
			`friend(?:'s)?(?: place)?)|` +
			`hotel is (?:already )?booked|(?:we|i) (?:already )?(?:have|booked) (?:a|our|my|the) hotel(?: ` +
			`already)?`)},
		{trip.Food, lazily(`(?:we |i )?(?:don't|do not) (?:need|want) (?:any )?(?:restaurants?|food|` +
			`meals?)(?: (?:tips|recommendations|suggestions))?|` +
			`no (?:restaurants?|food|meals?)(?: (?:tips|recommendations|suggestions|needed|please))*|(?:we|` +
			`i)(?:'ll| will) cook(?: (?:ourselves|myself))?`)},
	}
)
