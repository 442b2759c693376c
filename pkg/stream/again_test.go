package stream_test

import (
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/stream"
)

// Native frames hold all that another form is made of: encoded again they are what the
// events themselves are in that form.
func TestNativeFramesAreReadInEveryForm(t *testing.T) {
	failed := stream.Fail(fault.New(fault.Conflict, "It is taken."), "request-1")
	runs := turnEvents(t)
	for i := range runs {
		if i > 0 && i < len(runs)-1 {
			runs[i].Run = []string{"flights", "hotels"}[i%2]
		}
	}
	for name, events := range map[string][]stream.Event{"a turn": turnEvents(t), "several runs": runs,
		"a turn that fails": append(turnEvents(t)[:4], failed)} {
		native := string(encode(t, "t1", events...))
		for form, newForm := range map[string]func() stream.Encoding{
			"native": func() stream.Encoding { return &stream.Encoder{Turn: "t1"} },
			"ui":     func() stream.Encoding { return stream.NewUI("t1", "thread", nil) },
			"agui":   func() stream.Encoding { return stream.NewAGUI("t1", "thread", "t1", nil) },
			"text":   func() stream.Encoding { return &stream.Text{} },
		} {
			var want strings.Builder
			enc := newForm()
			for _, e := range events {
				frame, err := enc.Encode(e)
				if err != nil {
					t.Fatal(err)
				}
				want.Write(frame)
			}
			got, err := stream.Encode(newForm(), native)
			if err != nil || got != want.String() {
				t.Errorf("%s as %s: %v\n%s\nwant\n%s", name, form, err, got, want.String())
			}
		}
	}
	for _, broken := range []string{"id: t1.0.1\nevent: part\n\n", "data: {}\n\n", "id: t1\nevent: part\ndata: {}\n\n",
		"id: t1.0.1\nevent: part\ndata: []\n\n"} {
		if got, err := stream.Encode(&stream.Text{}, broken); err == nil {
			t.Errorf("%q is read as %q", broken, got)
		}
	}
}

// A client that has some of the events gets the rest; one that names another event
// gets all.
func TestEventsAfterAnID(t *testing.T) {
	frames := string(encode(t, "t1", chunk("a"), chunk("b"), complete("ab")))
	all := strings.SplitAfter(frames, "\n\n")
	for id, want := range map[string]string{"": frames, "t1.0.1": strings.Join(all[1:], ""),
		"t1.0.2": strings.Join(all[2:], ""), "t1.0.3": "", "t1.0.9": frames, "t2.0.1": frames, "1.0.1": frames,
		"t1.0": frames} {
		if got := stream.After(frames, id); got != want {
			t.Errorf("after %q there is %q", id, got)
		}
	}
	for id, want := range map[string]string{"t1.0.1": "t1", "a.b.10.2": "a.b", "t1": "", "": "", "t1.x.1": ""} {
		if got := stream.TurnOf(id); got != want {
			t.Errorf("%q is of the turn %q", id, got)
		}
	}
}
