package mcptools

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// Every beginning of a JSON text becomes JSON that says no more than the text.
func TestEveryBeginningBecomesJSON(t *testing.T) {
	t.Parallel()
	for _, whole := range []string{
		`{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"a\"b\\c\u20ac\ud83d\ude00 ₹ é"}],` +
			`"n":[1,-2.5e3,true,null,{}]}}`,
		`[["a",["b"]], {"k" : "v" , "l":false } , 12]`,
		`{"a":{},"b":[],"c":""}`,
		`"text"`,
	} {
		for n := range len(whole) + 1 {
			out := closed([]byte(whole[:n]))
			if out == nil {
				if n > 1 && whole[0] != '"' {
					t.Errorf("nothing is left of %s", whole[:n])
				}
				continue
			}
			if !json.Valid(out) || !utf8.Valid(out) {
				t.Errorf("%s becomes %s", whole[:n], out)
			}
			if kept := strings.TrimRight(string(out), `"]}`); !strings.HasPrefix(whole, kept) {
				t.Errorf("%s becomes %s", whole[:n], out)
			}
			if n == len(whole) && string(out) != whole {
				t.Errorf("all of it becomes %s", out)
			}
		}
	}
}

func FuzzEveryBeginningBecomesJSON(f *testing.F) {
	f.Add([]byte(`{"a":[1,"b\n",{"c":null}]}`), 7)
	f.Fuzz(func(t *testing.T, whole []byte, n int) {
		if !json.Valid(whole) || n < 0 || n > len(whole) {
			return
		}
		if out := closed(whole[:n]); out != nil && !json.Valid(out) {
			t.Errorf("%q becomes %q", whole[:n], out)
		}
	})
}
