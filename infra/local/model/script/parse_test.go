package script_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/infra/local/model/script"
)

// lines says what each step does, one line a step.
func lines(steps []script.Step) []string {
	var out []string
	for _, s := range steps {
		line := fmt.Sprintf("%s | %s %d %d/%d %t %t", s, s.Finish, s.Times, s.Usage.Prompt, s.Usage.Completion,
			s.Bytes, s.CRLF)
		router, agent := script.Request{Tools: []string{"route_to_agent"}},
			script.Request{Tools: []string{"list_extras"}}
		if s.When != nil {
			line += fmt.Sprintf(" router=%t agent=%t", s.When(router), s.When(agent))
		}
		out = append(out, line)
	}
	return out
}

func TestParse(t *testing.T) {
	const usual = " |  0 0/0 false false"
	tests := map[string]struct {
		text string
		want []string
	}{
		"nothing": {"\n\n# nothing\n\n", nil},
		"a route, for a router only": {"route inventory",
			[]string{`call route_to_agent {"agent":"inventory","reasoning":"scripted"}` + usual +
				" router=true agent=false"}},
		"parallel calls": {"call list_extras {\"include_inactive\":false}\ncall list_room_types",
			[]string{`call list_extras {"include_inactive":false}; call list_room_types {}` + usual}},
		"calls one after the other": {"call a\n\ncall b\n", []string{"call a {}" + usual, "call b {}" + usual}},
		"text over lines": {"say Here they are.\nsay\nsay [[table:t2a]]",
			[]string{"say Here they are.\n\n[[table:t2a]]" + usual}},
		"text with calls":           {"say One moment.\ncall a", []string{"say One moment.; call a {}" + usual}},
		"comments inside an answer": {"say one\n# not said\nsay two", []string{"say one\ntwo" + usual}},
		"lines of another system": {"say one\r\n\r\nsay two\r\n", []string{"say one" + usual, "say two" +
			usual}},
		"arguments that are not JSON": {`call a {"x":NaN, }`, []string{`call a {"x":NaN, }` + usual}},
		"settings": {"finish length\nusage 7 9\ntimes 3\nwire bytes crlf\nfor agent\nsay half",
			[]string{"say half | length 3 7/9 true true router=false agent=true"}},
		"an answer that never ends": {"times forever\nfor router\ncall a",
			[]string{"call a {} |  -1 0/0 false false router=true agent=false"}},
		"faults end their answers": {"fault 429 retry-after=1\nfault html-502\nfault reset",
			[]string{"fault 429" + usual, "fault 502" + usual, "fault reset" + usual}},
		"text that breaks off": {"say One two three.\nfault cut-stream after=3",
			[]string{"say One two three.; fault cut-stream" + usual}},
		"arguments that break off": {`fault cut-args create_extra {"name":"X"`,
			[]string{`call create_extra {"name":"X"; fault cut-args` + usual}},
		"arguments with an equals sign": {`fault cut-args f a=1 b`, []string{`call f a=1 b; fault cut-args` + usual}},
		"every other fault": {
			"fault end-stream\nfault no-finish\nfault empty\nfault null\nfault refusal I cannot help with that.\n" +
				"fault filter\nfault error after=1 Overloaded\nfault long-line bytes=9",
			[]string{"fault end-stream" + usual, "fault no-finish" + usual, "fault empty" + usual, "fault null" +
				usual, "fault refusal" + usual, "fault filter" + usual, "fault error" + usual, "fault long-line" +
				usual},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			steps, err := script.Parse(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, lines(steps)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseNamesTheLine(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"an unknown word":          {"say hi\n\nshout hi", `script line 3: "shout"`},
		"a call without a name":    {"call ", "script line 1: call needs"},
		"a route without an agent": {"# who\nroute", "script line 2: route needs"},
		"a route with company":     {"route a\nsay hi", "script line 2: a route stands alone"},
		"a route after company":    {"say hi\nroute a", "script line 2: a route stands alone"},
		"text after a call":        {"call a\nsay hi", "script line 2: say stands before call"},
		"settings for nothing": {"say hi\n\nfinish length\ntimes 2\n\nsay ho",
			"script line 5: the answer that begins on line 3 says nothing"},
		"settings for nothing at last": {"say hi\n\nfinish length", "script line 3: the answer"},
		"an unknown fault":             {"fault fire", `script line 1: "fire" is no fault`},
		"a status that is no fault":    {"fault 200", `script line 1: "200" is no fault`},
		"an unknown option": {"fault cut-stream before=1",
			`script line 1: fault cut-stream has no option "before"`},
		"an option without a number":  {"fault cut-stream after=x", `script line 1: after needs a number`},
		"text where none belongs":     {"fault reset now", "script line 1: fault reset takes no text"},
		"arguments missing":           {"fault cut-args f", "script line 1: fault cut-args needs"},
		"a refusal without words":     {"fault refusal", "script line 1: fault refusal needs"},
		"text for a reset":            {"say hi\nfault reset", "script line 2: fault reset leaves no room"},
		"a reader nobody knows":       {"for guests\nsay hi", "script line 1: an answer is for router"},
		"a number of times below one": {"times 0\nsay hi", "script line 1: times needs"},
		"usage in words":              {"usage one two\nsay hi", "script line 1: "},
		"an unknown way to send":      {"wire pigeon\nsay hi", "script line 1: wire knows"},
		"two reasons":                 {"finish a b\nsay hi", "script line 1: finish needs"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			steps, err := script.Parse(tt.text)
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("steps %v, error %v, want %s…", steps, err, tt.want)
			}
		})
	}
}
