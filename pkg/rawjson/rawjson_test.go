package rawjson_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/rawjson"
)

// decoded reads a value with nothing but this package, numbers as json.Number.
func decoded(v rawjson.Value) any {
	switch {
	case v.Is('{'):
		object := map[string]any{}
		for name, member := range v.Members() {
			object[string(name)] = decoded(member)
		}
		return object
	case v.Is('['):
		list := []any{}
		for item := range v.Items() {
			list = append(list, decoded(item))
		}
		return list
	case v.IsNull():
		return nil
	case string(v) == "true", string(v) == "false":
		return string(v) == "true"
	}
	if text, ok := v.Text(); ok {
		return text
	}
	return json.Number(v)
}

// FuzzLikeEncodingJSON reads everything that encoding/json reads, as it does,
// and refuses the rest.
func FuzzLikeEncodingJSON(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[]`, `null`, `true`, `-0.5e+3`, `""`, ` { "a" : [ 1 , { } , [ ] , "x" ] , "b":null } `,
		"{\"a\\u0062\\\"\\\\\":\"\\ud83d\\ude00 \\n\"}",
		"[\"\xff\",\"a\xc3\"]", `{"a":1,"a":{"a":2}}`, `[[[["]"]]]]`, `{"}":"{","]":"["}`, `{"a":1,}`, `[1 2]`,
		`{"a"}`, `"`, ``, ` `, `nul`, `1 2`, "[\n\t1,\r\n2 ]",
		`"\ud83d x\u00e9\udE00\/\b\f\r\t"`, `"\u12"`, `"\x"`, "\"a long text with a tab\t in it\"", `-`, `01`, `1.`,
		`1e`, `-0`, `"ends with \\\\"`, `tru`, `{"a" 1}`, `{a:1}`, `[,]`,
		"\"12345678\x7f\u00e9\U0001f600 and \xf0\x9f\"",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var want any
		v, err := rawjson.Parse(data)
		if (err == nil) != json.Valid(data) {
			t.Fatalf("%q: we say %v", data, err)
		}
		if err != nil || json.Unmarshal(data, &want) != nil {
			return // not valid, or a number that no float holds
		}
		again, err := json.Marshal(decoded(v))
		if err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		var got any
		if err := json.Unmarshal(again, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %v, want %v (%v)", data, got, want, err)
		}
		if text, ok := v.Text(); ok {
			again, err := rawjson.Parse(rawjson.AppendText(nil, text))
			if same, _ := again.Text(); err != nil || same != text {
				t.Errorf("%q is written as %s: %v", text, again, err)
			}
		}
	})
}

// TestDepth nests as deep as encoding/json does, and no deeper than is asked for.
func TestDepth(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		open, close string
	}{{"[", "]"}, {`{"a":`, "}"}} {
		nested := func(depth int) []byte {
			return []byte(strings.Repeat(c.open, depth) + "1" + strings.Repeat(c.close, depth))
		}
		for _, depth := range []int{9_999, 10_000, 10_001} {
			if _, err := rawjson.Parse(nested(depth)); (err == nil) != json.Valid(nested(depth)) {
				t.Errorf("%d levels of %s: %v", depth, c.open, err)
			}
		}
		for depth, deep := range map[int]bool{0: false, 3: false, 4: true, 1_000_000: true} {
			if _, err := rawjson.ParseWithin(nested(depth), 3); errors.Is(err, rawjson.ErrDeep) != deep {
				t.Errorf("%d levels of %s, of 3: %v", depth, c.open, err)
			}
		}
	}
}

func BenchmarkParse(b *testing.B) {
	text := strings.Repeat("You work at the front desk of a store, and say what is free. ", 6)
	data := []byte("[" + strings.Repeat(`{"role":"user","content":"`+text+`","seal":"k1.0A","n":12.5},`, 30) + "null]")
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := rawjson.Parse(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendText(b *testing.B) {
	text := strings.Repeat("You work at the front desk of a store,\nand say \"what\" is free. ", 40)
	b.SetBytes(int64(len(text)))
	var out []byte
	for b.Loop() {
		out = rawjson.AppendText(out[:0], text)
	}
}

func TestReadingStopsWhereTheReaderStops(t *testing.T) {
	t.Parallel()
	v, err := rawjson.Parse([]byte(`{"a":1,"b":[10,20,30],"c":3}`))
	if err != nil {
		t.Fatal(err)
	}
	var names, items string
	for name, member := range v.Members() {
		names += string(name)
		for item := range member.Items() {
			items += string(item) + " "
			if n, ok := item.Int(); ok && n == 20 {
				break
			}
		}
		if string(name) == "b" {
			break
		}
	}
	if names != "ab" || items != "10 20 " {
		t.Errorf("read the members %q and the items %q", names, items)
	}
}

func TestWhatIsNotAskedForIsNotThere(t *testing.T) {
	t.Parallel()
	for _, v := range []rawjson.Value{nil, rawjson.Value(`"text"`), rawjson.Value(`1.5`), rawjson.Value(`null`),
		rawjson.Value(`[]`), rawjson.Value(`{}`)} {
		for name := range v.Members() {
			t.Errorf("%s has a member %s", v, name)
		}
		for item := range v.Items() {
			t.Errorf("%s has an item %s", v, item)
		}
		if n, ok := v.Int(); ok {
			t.Errorf("%s is the number %d", v, n)
		}
		if text, ok := v.Text(); ok != (string(v) == `"text"`) {
			t.Errorf("%s is the text %q", v, text)
		}
	}
}
