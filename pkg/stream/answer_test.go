package stream

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// fill gives each field of a struct, and of what it holds, a value of its own, so
// that a field that is added later is in the comparison, too.
func fill(t *testing.T, v reflect.Value, n *int) {
	t.Helper()
	*n++
	switch {
	case v.Type() == reflect.TypeFor[json.RawMessage]():
		v.SetBytes(fmt.Appendf(nil, `{"n": %d, "html":"<b>"}`, *n))
	case v.Type() == reflect.TypeFor[consent.View]():
		v.FieldByName("ID").SetString(fmt.Sprint("view ", *n))
	case v.Kind() == reflect.String:
		v.SetString(fmt.Sprintf("text %d \"<b>\" ö\n", *n))
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.CanInt():
		v.SetInt(int64(*n))
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), n)
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(t, v.Index(i), n)
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), n)
		}
	default:
		t.Fatalf("a field of the type %s cannot be filled", v.Type())
	}
}

func TestAnswerIsEncodedAsEncodingJSONDoes(t *testing.T) {
	t.Parallel()
	var full Answer
	n := 0
	fill(t, reflect.ValueOf(&full).Elem(), &n)
	for _, a := range []Answer{full, {}, {Parts: []part.Part{}, Degraded: []string{}},
		{Parts: []part.Part{{Kind: "x"}}}} {
		want, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		got, err := a.encode()
		if err != nil {
			t.Fatal(err)
		}
		var wanted, gotten any
		if err := errors.Join(json.Unmarshal(want, &wanted), json.Unmarshal(got, &gotten)); err != nil {
			t.Fatalf("%s: %v", got, err)
		}
		if diff := cmp.Diff(wanted, gotten); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if strings.Contains(string(got), `\u003c`) {
			t.Errorf("markup is escaped in %s", got)
		}
	}
	broken := Answer{Parts: []part.Part{{ID: "t1a", Data: json.RawMessage(`{"a":`)}}}
	if _, err := broken.encode(); err == nil {
		t.Error("a part whose data is no JSON was encoded")
	}
}
