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

// Suspended reports whether a bucket of confidence is not matched any more, given its
// checked turns: those for which the router's model was asked, beside the matcher or in
// its place. A turn failed where the model chose another agent, or the person corrected
// the answer. It is the rule of app.bucket_suspended in SQL: Precision would not hold if
// one more were wrong. No bucket can show that much with fewer than 66 turns; until then
// two failures decide.
func Suspended(checked Count) bool {
	return (checked.Total >= 66 || checked.Failed >= 2) && 1000*(checked.Failed+1) > 15*(checked.Total+1)
}

// Slot is a bucket of confidence of one intent, on one side of the default threshold.
type Slot struct {
	Intent string  `json:"intent"`
	Bucket float64 `json:"bucket"`
	Basis  Basis   `json:"basis"`
}

// SlotOf returns the slot of a confidence, given the default threshold.
func SlotOf(name string, confidence, usual float64) Slot {
	return Slot{name, Bucket(confidence), BasisOf("", confidence, usual)}
}

// comparable returns the slot with the bucket exactly as Bucket returns it; a decimal
// from elsewhere may be another float.
func (s Slot) comparable() Slot {
	s.Bucket = math.Round(s.Bucket*20) / 20
	return s
}

// Bucket returns the lower end of the bucket of a confidence: steps of 0.05 (S2-56).
func Bucket(confidence float64) float64 {
	return math.Floor(min(max(confidence, 0), 1)*20) / 20
}
