package intents

import "math"

// Count is what became of turns whose confidence lay in one range.
type Count struct{ Total, Failed int }

// The bounds of S2-57, and the precision that an admitted bucket keeps.
const (
	Step      = 0.05
	Lowest    = 0.70
	Highest   = 0.95
	Precision = 0.985
)

// Threshold returns the confidence from which an intent is matched (S2-57), computed
// from the default each time. below are the turns in the bucket that would be
// admitted next, above those in the lowest admitted one. It is the rule of
// app.intent_threshold in SQL: a step down, to Lowest at least, where more than 90 %
// of at least 20 turns below were right and Precision would still hold if one more
// were wrong; a step up, to Highest at most, where less than 70 % of at least 10
// above were right. Where the default is Highest or more already, the step up
// leads to 1: only whole phrases are matched then.
func Threshold(usual float64, below, above Count) float64 {
	switch right := below.Total - below.Failed; {
	case above.Total >= 10 && 10*(above.Total-above.Failed) < 7*above.Total:
		if usual >= Highest {
			return 1
		}
		return min(usual+Step, Highest)
	case below.Total >= 20 && 10*right > 9*below.Total &&
		1000*(below.Failed+1) <= 15*(below.Total+1):
		return min(usual, max(usual-Step, Lowest))
	}
	return usual
}

// Bucket returns the lower end of the bucket of a confidence: steps of 0.05 (S2-56).
func Bucket(confidence float64) float64 {
	return math.Floor(min(max(confidence, 0), 1)*20) / 20
}
