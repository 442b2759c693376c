package history

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Nothing of a state is lost on its way, also of members that are added later.
func TestAStateIsWrittenWhole(t *testing.T) {
	var s State
	fill(reflect.ValueOf(&s).Elem())
	got, err := readState(s.bytes())
	if err != nil || !reflect.DeepEqual(*got, s) {
		t.Errorf("%+v became %+v, %v", s, got, err)
	}
	if got, err := readState(State{}.bytes()); err != nil || !reflect.DeepEqual(*got, State{}) {
		t.Errorf("nothing became %+v, %v", got, err)
	}
}

// fill gives every member a value that is not its zero.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("x" + v.Type().Name())
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Uint8:
		v.SetUint(7)
	case reflect.Int:
		v.SetInt(7)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0))
		fill(v.Index(1))
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	default:
		panic("a state has a member of kind " + v.Kind().String() + ", which nobody writes")
	}
}

// F-34: what a seal is bound to is written so that no two lists of names, and no
// two lists of messages, are written alike.
func FuzzDifferentThingsAreWrittenDifferently(f *testing.F) {
	f.Add("sojourn", "mira", "t1", "hospitality", "sojournm", "ira", "t1", "hospitality")
	f.Add("", "a", "", "", "a", "", "", "")
	f.Add("a\x00", "b", "", "", "a", "\x00b", "", "")
	f.Add("\x00\x00\x00\x00\x00\x00\x00\x01a", "", "", "", "", "a", "", "")
	f.Fuzz(func(t *testing.T, a1, a2, a3, a4, b1, b2, b3, b4 string) {
		same := a1 == b1 && a2 == b2 && a3 == b3 && a4 == b4
		a, b := Scope{a1, a2, a3, a4}, Scope{b1, b2, b3, b4}
		if bytes.Equal(associated(a, 0), associated(b, 0)) != same || bytes.Equal(associated(a, 0), associated(a, 1)) {
			t.Errorf("%+v and %+v are written alike", a, b)
		}
		var x, y said
		x.add(Message{Role: llm.Role(a1), Text: a2})
		x.add(Message{Role: llm.Role(a3), Text: a4})
		y.add(Message{Role: llm.Role(b1), Text: b2})
		y.add(Message{Role: llm.Role(b3), Text: b4})
		if (x.sum() == y.sum()) != same {
			t.Errorf("%q and %q have one digest", []string{a1, a2, a3, a4}, []string{b1, b2, b3, b4})
		}
		y = said{}
		y.add(Message{Role: llm.Role(a1), Text: a2 + a3 + a4})
		if x.sum() == y.sum() {
			t.Errorf("%q as one message has the digest of two", []string{a1, a2, a3, a4})
		}
	})
}

// FuzzState: any bytes are read without harm, and what is read is what is
// written.
func FuzzState(f *testing.F) {
	var s State
	fill(reflect.ValueOf(&s).Elem())
	f.Add(s.bytes())
	f.Add(State{Replaces: Range{1, 300}}.bytes())
	f.Add(State{Shorter: Shorter{40, "Summary of the first 40 messages."}}.bytes())
	f.Add(State{Agent: "inventory", Path: "llm", Model: "m"}.bytes())
	f.Add([]byte(strings.Repeat("\xff", 12)))
	f.Add([]byte{0, 0, 0, 0, 0xff, 0xff, 0x7f})
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := readState(b)
		if err != nil {
			return
		}
		again, err := readState(got.bytes())
		if err != nil || !reflect.DeepEqual(got, again) {
			t.Errorf("%+v became %+v, %v", got, again, err)
		}
	})
}
