package tools

import "encoding/json"

// forModel is how many bytes of an answer models read, the sentence not among them.
const forModel = 3200

// short encodes the longest of some forms of an answer that models can read: that with most
// entries, or fewer ones. form returns the answer with at most n entries.
func short(most int, form func(n int) any) ([]byte, error) {
	for n := most; ; n-- {
		raw, err := json.Marshal(form(n))
		if err != nil || len(raw) <= forModel || n <= 0 {
			return raw, err
		}
	}
}
