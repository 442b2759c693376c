package hospitality

import (
	"encoding/json"
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// rowIn makes the answer of a repeated call from what the first one left in the
// table: the row as it stood then.
func rowIn[T any](table string) func(effect.Outcome) (T, error) {
	return func(did effect.Outcome) (row T, err error) {
		for _, r := range did.Rows {
			if r.Table != table {
				continue
			}
			text, err := json.Marshal(r.After)
			if err == nil {
				err = json.Unmarshal(text, &row)
			}
			if err != nil {
				return row, fmt.Errorf("read what was written to %s: %w", table, err)
			}
			return row, nil
		}
		return row, doneBefore()
	}
}

// keyIn makes the answer of a repeated call that returns a code.
func keyIn(table string) func(effect.Outcome) (string, error) {
	return func(did effect.Outcome) (string, error) {
		for _, r := range did.Rows {
			if r.Table == table {
				return r.Key, nil
			}
		}
		return "", doneBefore()
	}
}

func doneBefore() error {
	return fault.New(fault.Conflict, "This was done before and is not done twice.").WithCode("effect_claimed")
}
