package flights

import (
	"fmt"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Duration returns minutes as people write them: "2 h 45 min", "2 h", "45 min".
func Duration(minutes int) string {
	h, m := minutes/60, minutes%60
	switch {
	case h == 0:
		return fmt.Sprintf("%d min", m)
	case m == 0:
		return fmt.Sprintf("%d h", h)
	}
	return fmt.Sprintf("%d h %d min", h, m)
}

// stopWords returns "non-stop", "1 stop", "2 stops".
func stopWords(n int) string {
	switch n {
	case 0:
		return "non-stop"
	case 1:
		return "1 stop"
	}
	return fmt.Sprintf("%d stops", n)
}

// String returns the journey in a line with local times:
// "LHR 21:35 – JFK 00:40 +1, 8 h 5 min, non-stop".
func (l Leg) String() string {
	arrives := l.Arrives.Clock()
	if n := l.Nights(); n != 0 {
		arrives += fmt.Sprintf(" %+d", n)
	}
	stops := stopWords(l.Stops())
	if via := l.Via(); len(via) > 0 {
		stops += " (" + strings.Join(via, "; ") + ")"
	}
	return fmt.Sprintf("%s %s – %s %s, %s, %s", l.Origin, l.Departs.Clock(), l.Destination, arrives,
		Duration(l.Minutes), stops)
}

// Via returns where the journey stops, with the time between two flights by the clock of
// the airport: "AMS, 1 h 25 min"; without one where the plane only lands.
func (l Leg) Via() []string {
	var via []string
	for i, s := range l.Segments {
		via = append(via, s.Stops...)
		if i == len(l.Segments)-1 {
			break
		}
		next := l.Segments[i+1]
		at := s.Destination
		if next.Origin != s.Destination {
			at += " to " + next.Origin
		}
		wait := next.Departs.In(time.UTC).Sub(s.Arrives.In(time.UTC))
		via = append(via, at+", "+Duration(int(wait.Minutes())))
	}
	return via
}

// Numbers returns the flights' numbers: "BA117".
func (l Leg) Numbers() []string {
	var list []string
	for _, s := range l.Segments {
		list = append(list, s.Number)
	}
	return list
}

// String returns the bags in words: "1 carry-on, no checked bag".
func (b Bags) String() string {
	carry, checked := "no carry-on", "no checked bag"
	if b.CarryOn > 0 {
		carry = fmt.Sprintf("%d carry-on", b.CarryOn)
	}
	switch {
	case b.Checked == 1:
		checked = "1 checked bag"
	case b.Checked > 1:
		checked = fmt.Sprintf("%d checked bags", b.Checked)
	}
	return carry + ", " + checked
}

// RefundWords says what is given back before departure.
func (o Offer) RefundWords() string {
	return o.Refund.words("Not refundable", "Refundable in full", "Refundable for a fee of %s",
		"Refundable for a fee that the airline does not tell", "The airline does not tell whether it is refundable")
}

// ChangeWords says whether it may be changed before departure.
func (o Offer) ChangeWords() string {
	return o.Change.words("No changes", "Changes without a fee", "Changes for a fee of %s",
		"Changes for a fee that the airline does not tell", "The airline does not tell whether it may be changed")
}

func (c Condition) words(no, free, fee, someFee, unknown string) string {
	switch {
	case !c.Known:
		return unknown
	case !c.Allowed:
		return no
	case c.Penalty == nil:
		return someFee
	case c.Penalty.Amount.IsZero():
		return free
	}
	return fmt.Sprintf(fee, *c.Penalty)
}

// AgeWords returns the passengers of a query: "2 adults, 1 child (7), 1 infant (0)".
func AgeWords(ages []int) string {
	adults := 0
	var children, infants []string
	for _, age := range ages {
		switch {
		case age == Adult:
			adults++
		case KindOf(age) == Infant:
			infants = append(infants, fmt.Sprint(age))
		default:
			children = append(children, fmt.Sprint(age))
		}
	}
	var words []string
	add := func(n int, one, many, rest string) {
		switch {
		case n == 1:
			words = append(words, "1 "+one+rest)
		case n > 1:
			words = append(words, fmt.Sprintf("%d %s%s", n, many, rest))
		}
	}
	add(adults, "adult", "adults", "")
	add(len(children), "child", "children", " ("+strings.Join(children, ", ")+")")
	add(len(infants), "infant", "infants", " ("+strings.Join(infants, ", ")+")")
	return strings.Join(words, ", ")
}

// String returns the kind as people say it.
func (k Kind) String() string {
	if k == Infant {
		return "infant"
	}
	return string(k)
}

// Each returns the price for each of n travellers, rounded to the digits of the currency;
// the zero Price for fewer than two.
func Each(total money.Price, n int) money.Price {
	if n < 2 {
		return money.Price{}
	}
	each, ok := total.Amount.Quo(money.FromInt(n), money.Digits(total.Currency))
	if !ok {
		return money.Price{}
	}
	return money.Price{Amount: each, Currency: total.Currency}
}
