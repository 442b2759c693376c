package chart

import (
	"math"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/money"
)

// number is an amount as a place on a drawing.
func number(a money.Amount) float64 {
	f, err := strconv.ParseFloat(a.String(), 64)
	if err != nil {
		return 0
	}
	return f
}

// extent returns the lowest and the highest value, and with stack the highest
// sum of a label. The highest is that without a sign, so that bars below zero
// fit too, where stack is false.
func (c Chart) extent(stack bool) (low, high float64) {
	for i := range c.Len() {
		sum := 0.0
		for _, s := range c.Series {
			if s.Values[i] == nil {
				continue
			}
			v := number(*s.Values[i])
			sum += v
			low, high = min(low, v), max(high, math.Abs(v))
		}
		if stack {
			high = max(high, sum)
		}
	}
	return low, high
}

// scale is an axis of figures with its round ticks.
type scale struct {
	low, high float64
	ticks     []tick
}

type tick struct {
	at    float64
	value money.Amount
}

// newScale covers all values with about so many ticks. Bars begin at zero;
// lines need not.
func (c Chart) newScale(about int) scale {
	low, high := math.Inf(1), math.Inf(-1)
	for i := range c.Len() {
		sum := 0.0
		for _, s := range c.Series {
			if s.Values[i] == nil {
				continue
			}
			v := number(*s.Values[i])
			sum += v
			low, high = min(low, v), max(high, v)
		}
		if c.Form == Stacked {
			high = max(high, sum)
		}
	}
	if math.IsInf(low, 0) {
		low, high = 0, 0
	}
	if c.Form != Lines || low > 0 && low < high/2 || high < 0 && high > low/2 || low == high {
		low, high = min(low, 0), max(high, 0)
	}
	if low == high { // all are zero: there is nothing to measure
		return scale{high: 1, ticks: []tick{{}}}
	}
	// The step is 1, 2 or 5 times a power of ten; counts are not parted.
	power := int(math.Floor(math.Log10((high - low) / float64(about))))
	factor := 1
	for _, f := range []int{1, 2, 5, 10} {
		factor = f
		if (high-low)/(float64(f)*math.Pow10(power)) <= float64(about) {
			break
		}
	}
	if c.whole() && power < 0 {
		power, factor = 0, 1
	}
	step := float64(factor) * math.Pow10(power)
	first, last := int(math.Floor(low/step+1e-9)), int(math.Ceil(high/step-1e-9))
	s := scale{low: float64(first) * step, high: float64(last) * step}
	for n := first; n <= last; n++ {
		if value, ok := decimal(n*factor, power); ok {
			s.ticks = append(s.ticks, tick{at: float64(n) * step, value: value})
		}
	}
	return s
}

// whole reports whether all values are counts.
func (c Chart) whole() bool {
	if c.Unit == "%" || isCurrency(c.Unit) {
		return false
	}
	for _, s := range c.Series {
		for _, v := range s.Values {
			if v != nil && v.Decimals() > 0 {
				return false
			}
		}
	}
	return true
}

// decimal returns n × 10^power, exactly.
func decimal(n, power int) (money.Amount, bool) {
	digits := strconv.Itoa(n)
	if power >= 0 {
		digits += strings.Repeat("0", power)
	} else {
		digits, minus := strings.CutPrefix(digits, "-")
		digits = strings.Repeat("0", max(0, 1-power-len(digits))) + digits
		digits = digits[:len(digits)+power] + "." + digits[len(digits)+power:]
		if minus {
			digits = "-" + digits
		}
		a, err := money.Parse(digits)
		return a, err == nil
	}
	a, err := money.Parse(digits)
	return a, err == nil
}

// place returns where a value stands between two ends of a drawing.
func (s scale) place(v, from, to float64) float64 {
	return from + (v-s.low)/(s.high-s.low)*(to-from)
}
