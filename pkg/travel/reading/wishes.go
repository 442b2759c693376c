package reading

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/money"
)

// wishes are what a message wants of offers.
type wishes struct {
	cabin       string
	connections *int
	bags        int
	bagsSaid    bool
	handOnly    bool
	airlines    []string
	maxPrice    string
	minPrice    string
	currency    string
	forStay     bool // the bound is for everything
	perPerson   bool
	refundable  bool
	sort        string
	rooms       int
	amenities   []string
	// any lifts wishes that were made before: "any airline", "stops are fine".
	anyAirline, anyStops, anyTime, anyPrice, all bool
	assumed                                      []string
}

// set reports whether anything is wished of flights that were found.
func (w wishes) set() bool {
	return w.connections != nil || w.bagsSaid || len(w.airlines) > 0 || w.maxPrice != "" || w.refundable ||
		w.sort != "" ||
		w.anyAirline || w.anyStops || w.anyTime || w.anyPrice || w.all
}

const moneyWords = `euros?|eur|dollars?|usd|pounds?|gbp|quid|rupees?|rupaye|rs|inr|yen|jpy|dinars?|kwd|dirhams?|` +
	`aed|chf|francs?|` +
	`sgd|aud|cad|bucks`

var (
	premium  = lazily(`premium[- ]economy(?: class)?|premium eco`)
	business = lazily(`(?:in |fly |flying )?business[- ]class|in business|(?:make it|upgrade to|prefer|only|` +
		`and) business(?: class)?|business (?:cabin|seats?|fare|instead)|biz class`)
	first   = lazily(`(?:in |fly )?first[- ]class|first cabin`)
	economy = lazily(`(?:in )?economy(?: class)?|coach class|in coach`)

	nonStop = lazily(`non[- ]?stops?(?: (?:only|flights?))?|direct(?:ly)?(?: (?:only|flights?))?|without (?:any |` +
		`a )?(?:stops?|change|changes|changing|` +
		`layovers?|stopovers?|connections?)|no (?:stops?|layovers?|stopovers?|connections?|changes)|(?:0|` +
		`zero) stops?|bina ruke`)
	stopsMost = lazily(`(?:(?:with )?(?:at most|max(?:imum)?(?: of)?|no more than|not more than|up to|only|` +
		`with) )?(` + numbers +
		`)(?: or fewer)? (?:stops?|connections?|layovers?|stopovers?|changes?)(?: (?:max|maximum|at most|or less|` +
		`or fewer|is (?:ok|okay|fine)))?`)
	stopsFine = lazily(`(?:stops|connections|layovers|a stop) (?:are|is) (?:ok|okay|fine|no problem)|` +
		`any (?:number of )?stops|with stops too`)

	handBags = lazily(`(?:hand|cabin|carry[- ]on) (?:luggage|bags?|baggage)(?: only)?|(?:only|just) (?:hand|` +
		`cabin) (?:luggage|bags?|baggage)|` +
		`carry[- ]on(?: only)?|no (?:checked )?(?:bags?|luggage)|without (?:checked )?(?:bags?|luggage)`)
	checked = lazily(`(?:with |including |incl\.? |and )?(?:(` + numbers + `) )?(?:(?:checked|check[- ]in|hold|` +
		`big|large)[- ])?(?:bags?|suitcases?|luggage|` +
		`baggage)(?: (?:each|included|per person|per head))?`)

	refundable = lazily(`(?:fully )?refundable|(?:that |which )?(?:i|we) can (?:cancel|be refunded)|` +
		`free cancellation|cancell?able|flexible (?:fare|ticket)s?`)

	maxPrice = lazily(`(?:(?:for )?(?:under|below|less than|cheaper than|up to|upto|at most|max(?:imum)?(?: of)?|` +
		`no more than|not more than|within|budget(?: is| of|:)?|` +
		`not over|for less than|<|tops?|i have|we have|our budget is|my budget is)) ?(?:a budget of )?(?:about |` +
		`around )?(` + amount + `)( (?:per|a|each|/) ?(?:night|person|head|adult)| each| in total| total|` +
		` all in)?|` +
		`(` + amount + `) (?:max(?:imum)?|or less|tops|budget|se kam|tak)( (?:per|a) (?:night|person|head))?`)
	minPrice  = lazily(`(?:over|above|more than|at least|from) (` + amount + `)(?: (?:per|a) night)?`)
	priceSpan = lazily(`(?:between|from) (` + amount + `) (?:and|to|-) (` + amount + `)( (?:per|a) night)?`)
	amountIn  = lazily(`(?:(£|\$|€|₹|¥|us\$|rs\.? ?|inr ?|eur ?|usd ?|gbp ?|aed ?|kwd ?|jpy ?|` +
		`chf ?))?(\d[\d,]*(?:\.\d{1,3})?) ?(k|lakhs?|lac|hazaar|hazar|thousand|grand)?(?: ?(` +
		moneyWords + `|€|£|\$|₹))?`)

	byPrice = lazily(`cheap(?:est)? first|(?:sort|order)(?:ed)? (?:it |them )?by (?:the )?price|by price|` +
		`lowest price first|lowest fare first|(?:the )?cheapest (?:ones|options|offers) first|` +
		`(?:anything|something|any|is there anything|got anything) (?:that is |that's )?cheaper(?: than (?:that|` +
		`this))?(?: (?:one|option|flight)s?)?|cheaper(?: ones?| options?| flights?)?|less expensive|` +
		`too expensive|sasta|saste|sasti|show (?:me )?the cheapest(?: ones| flights)?`)
	byDuration = lazily(`(?:quickest|fastest|shortest) first|(?:sort|order)(?:ed)? (?:it |` +
		`them )?by (?:the )?(?:duration|time in the air|travel time|length)|(?:anything|something|any) (?:faster|` +
		`quicker|shorter)|(?:faster|quicker|shorter)(?: ones?| options?| flights?)`)
	byDeparture = lazily(`(?:earliest|earlier) (?:ones |departures? )?first|(?:sort|order)(?:ed)? (?:it |` +
		`them )?by (?:the )?(?:departure|time|departure time)|by departure(?: time)?|earlier (?:ones|flights|` +
		`departures)`)
	byArrival = lazily(`(?:sort|order)(?:ed)? (?:it |them )?by (?:the )?arrival(?: time)?|` +
		`earliest arrival(?: first)?`)
	byStops = lazily(`fewest stops(?: first)?|(?:sort|order)(?:ed)? (?:it |` +
		`them )?by (?:the )?(?:number of )?stops`)

	anyAirline = lazily(`(?:any|all|every|other) airlines?|whatever airline|no airline preference|` +
		`no preferred airline|airline doesn't matter`)
	anyTime  = lazily(`any time(?: of day)?|at any time|whatever time`)
	anyPrice = lazily(`any price|whatever (?:the )?price|price doesn't matter`)
	showAll  = lazily(`(?:show|see|list) (?:me )?(?:all|everything|all of them|all offers|` +
		`all flights)(?: again)?|(?:remove|clear|reset|drop|without) (?:all |the |any )*filters?|no filters?`)

	inMoney   = lazily(`in (?:us |indian |british )?(` + moneyWords + `|£|\$|€|₹)`)
	roomCount = lazily(`(` + numbers + `)(?: (?:double|single|twin|hotel|separate))? rooms?`)
	wifi      = lazily(`(?:free )?wi-?fi|internet`)
	pool      = lazily(`(?:swimming )?pools?`)
	spa       = lazily(`spas?|wellness`)
	gym       = lazily(`gyms?|fitness(?: (?:room|centre|center))?`)
	dining    = lazily(`restaurants?`)
	parking   = lazily(`(?:free )?(?:car )?parking|car park`)
)

const amount = `(?:£|\$|€|₹|¥|us\$|rs\.? ?|inr ?|eur ?|usd ?|gbp ?|aed ?|kwd ?|jpy ?|` +
	`chf ?)?\d[\d,]*(?:\.\d{1,3})? ?(?:k|lakhs?|lac|hazaar|hazar|thousand|grand)?(?: ?(?:` +
	moneyWords + `|€|£|\$|₹))?`

// wishes finds what is wanted of offers.
func (t *text) wishes() wishes {
	var w wishes
	switch {
	case t.take(premium):
		w.cabin = "premium_economy"
	case t.take(business):
		w.cabin = "business"
	case t.take(first):
		w.cabin = "first"
	case t.take(economy):
		w.cabin = "economy"
	}
	zero := 0
	if t.take(stopsFine) {
		w.anyStops = true
	} else if t.take(nonStop) {
		w.connections = &zero
	} else if m, ok := t.find(stopsMost); ok {
		n := min(number(m.groups[1]), 2)
		w.connections = &n
	}
	if t.take(handBags) {
		w.handOnly = true
	} else if m, ok := t.find(checked); ok {
		w.bags, w.bagsSaid = max(number(m.groups[1]), 1), true
		if n := number(m.groups[1]); n > 1 && !strings.Contains(m.groups[0], "each") &&
			!strings.Contains(m.groups[0], "per") {
			w.assumed = append(w.assumed, fmt.Sprintf("%s bags for each traveller.", upperFirst(countWord(n))))
		}
	}
	if t.take(refundable) {
		w.refundable = true
	}
	w.readPrices(t)
	if m, ok := t.find(inMoney); ok {
		w.assumed = append(w.assumed, fmt.Sprintf("Prices stay in the currency of the airline or the hotel; "+
			"nothing is converted to %s.",
			currencyOf(m.groups[1])))
	}
	switch {
	case t.take(byDuration):
		w.sort = "duration"
	case t.take(byDeparture):
		w.sort = "departure"
	case t.take(byArrival):
		w.sort = "arrival"
	case t.take(byStops):
		w.sort = "stops"
	case t.take(byPrice):
		w.sort = "price"
	}
	w.anyAirline, w.anyTime, w.anyPrice = t.take(anyAirline), t.take(anyTime), t.take(anyPrice)
	w.all = t.take(showAll)
	if m, ok := t.find(roomCount); ok {
		w.rooms = number(m.groups[1])
	}
	for _, a := range []struct {
		pattern func() bool
		is      string
	}{
		{func() bool { return t.take(wifi) }, "free_wifi"}, {func() bool { return t.take(pool) }, "pool"},
		{func() bool { return t.take(spa) }, "spa"}, {func() bool { return t.take(gym) }, "gym"},
		{func() bool { return t.take(dining) }, "restaurant"}, {func() bool { return t.take(parking) }, "parking"},
	} {
		if a.pattern() {
			w.amenities = append(w.amenities, a.is)
		}
	}
	w.airlines = t.airlines()
	return w
}

// timed reports whether an amount is a time of day.
func (t *text) timed(m match) bool {
	timed := clockFollows().MatchString(t.after(m.to)) || strings.Contains(m.groups[0], ":")
	if timed {
		for i := m.from; i < m.to; i++ {
			t.used[i] = false
		}
	}
	return timed
}

var clockFollows = lazily(`^(?:am|pm|a\.m|p\.m|o'?clock|h\b|hrs|:\d|in the (?:morning|afternoon|evening))`)

func (w *wishes) readPrices(t *text) {
	if m, ok := t.find(priceSpan); ok && !t.timed(m) {
		low, currency := readAmount(m.groups[1])
		high, other := readAmount(m.groups[2])
		if low != "" && high != "" {
			w.minPrice, w.maxPrice, w.currency = low, high, cmp.Or(other, currency)
			return
		}
	}
	t.each(maxPrice, func(m match) bool {
		said, per := m.groups[1], m.groups[2]
		if said == "" {
			said, per = m.groups[3], m.groups[4]
		}
		value, currency := readAmount(said)
		if value == "" || w.maxPrice != "" || t.timed(m) || peopleFollow().MatchString(t.after(m.to)) ||
			beginsWith(t.after(m.to), "stop", "stops", "connection", "connections", "bag", "bags", "hour",
				"hours", "star", "stars", "minutes", "km") {
			return false
		}
		w.maxPrice, w.currency = value, currency
		w.forStay = strings.Contains(per, "total") || strings.Contains(per, "all in")
		w.perPerson = per != "" && !w.forStay && !strings.Contains(per, "night")
		return true
	})
	t.each(minPrice, func(m match) bool {
		value, currency := readAmount(m.groups[1])
		if value == "" || currency == "" || w.minPrice != "" {
			return false
		}
		w.minPrice, w.currency = value, cmp.Or(w.currency, currency)
		return true
	})
}

// readAmount reads "£400", "40k", "50,000 rupees". The currency is "" where none was said.
func readAmount(s string) (value, currency string) {
	m := amountIn().FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return "", ""
	}
	a, err := money.ParseGrouped(m[2])
	if err != nil {
		if a, err = money.Parse(strings.ReplaceAll(m[2], ",", "")); err != nil {
			return "", ""
		}
	}
	switch unit := m[3]; {
	case unit == "":
	case unit[0] == 'l':
		a, err = a.Mul(money.FromInt(100_000))
	default:
		a, err = a.Mul(money.FromInt(1000))
	}
	if err != nil || a.IsZero() || a.Negative() {
		return "", ""
	}
	return a.String(), currencyOf(cmp.Or(strings.TrimSpace(m[1]), m[4]))
}

func currencyOf(s string) string {
	switch s = strings.Trim(s, ". "); {
	case s == "":
		return ""
	case strings.HasPrefix(s, "eur"), s == "€":
		return "EUR"
	case strings.HasPrefix(s, "pound"), s == "gbp", s == "quid", s == "£":
		return "GBP"
	case strings.HasPrefix(s, "rup"), s == "rs", s == "inr", s == "₹":
		return "INR"
	case strings.HasPrefix(s, "dollar"), s == "usd", s == "$", s == "us$", s == "bucks":
		return "USD"
	case s == "yen", s == "jpy", s == "¥":
		return "JPY"
	case strings.HasPrefix(s, "dinar"), s == "kwd":
		return "KWD"
	case strings.HasPrefix(s, "dirham"), s == "aed":
		return "AED"
	case strings.HasPrefix(s, "franc"), s == "chf":
		return "CHF"
	}
	return strings.ToUpper(s)
}
