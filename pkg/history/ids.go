package history

import "strconv"

// CallID names the call with that ordinal in that step of that turn. Ids are
// ours, not the model's: two providers, or two turns of one, may use the same.
func CallID(turn, step, ordinal int) string {
	return "call_" + strconv.Itoa(turn) + "_" + strconv.Itoa(step) + "_" + strconv.Itoa(ordinal)
}
