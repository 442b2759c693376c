package chat_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	openaisdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/infra/local/nodetest"
	"github.com/bellhop-ai/bellhop/pkg/stream"
)

const responsesPath = "/api/v1/responses"

// OpenAI's JavaScript client uses an assistant by the Responses API: whole and
// streamed, with tools, consent, limits and errors.
func TestOpenAIsResponsesAreServed(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	localtest.SQL(t, `insert into public.extras (org_id, entity_id, name, price) values ($1, $2, 'Picnic', 20)`,
		org.ID, org.Entity.ID)
	d := open(t, slices.Concat([]script.Step{
		{When: script.FromRouter, Text: "Hello."},
		script.Route("inventory"), {Calls: []script.Call{{Name: "list_extras"}}}, {Text: "There is one."},
		script.Route("inventory"), {Text: "The Picnic, as I said."},
	}, kayakSteps("Kayak"), kayakSteps("Sauna"), []script.Step{
		{When: script.FromRouter, Text: "Good day."},
		script.Route("inventory"), {Text: "It is a long", Finish: "length"},
		{When: script.FromRouter, Fault: script.BadGateway()},
		script.Route("inventory"), {Text: "I begin to", Fault: script.CutStream(4), Times: 2},
	})...)
	nodetest.Run(t, "testdata/openai", "respond.mjs", 20, map[string]string{"url": d.url, "token": org.Manager.Token})
	if left := d.model.Unused(); len(left) > 0 {
		t.Errorf("the model was not asked for %q", left)
	}
	for _, r := range d.model.Requests() {
		if raw, err := json.Marshal(r.Messages); err != nil || bytes.Contains(raw, []byte("pirate")) ||
			bytes.Contains(raw, []byte("A lie.")) {
			t.Errorf("the model reads %s, %v", raw, err)
		}
	}
	if n := len(localtest.SQL(t, `select from public.extras where org_id = $1 and name in ('Kayak', 'Sauna')`,
		org.ID)); n != 2 {
		t.Errorf("%d extras were made", n)
	}
}

// OpenAI's Go client reads the same, and a failed stream ends in both events.
func TestOpenAIsGoClientReadsResponses(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	d := open(t, script.Step{When: script.FromRouter, Text: "Hello."}, script.Step{When: script.FromRouter,
		Text: "Hello."},
		script.Step{When: script.FromRouter, Fault: script.BadGateway()})
	client := openaisdk.NewClient(option.WithBaseURL(d.url+"/api/v1"), option.WithAPIKey(org.Manager.Token),
		option.WithMaxRetries(0))
	params := responses.ResponseNewParams{Model: "hospitality",
		Input: responses.ResponseNewParamsInputUnion{OfString: openaisdk.String("hi")}}
	whole, err := client.Responses.New(t.Context(), params)
	if err != nil || whole.OutputText() != "Hello." || whole.Status != "completed" {
		t.Fatalf("it answers %+v, %v", whole, err)
	}
	events := client.Responses.NewStreaming(t.Context(), params)
	var said strings.Builder
	last := ""
	for events.Next() {
		said.WriteString(events.Current().Delta)
		last = events.Current().Type
	}
	if err := events.Err(); err != nil || said.String() != "Hello." || last != "response.completed" {
		t.Errorf("it says %q and ends with %s, %v", said.String(), last, err)
	}
	_, raw := d.post(t, responsesPath, org.Manager.Token, "", map[string]any{"model": "hospitality", "input": "hi",
		"stream": true})
	frames := strings.Split(strings.TrimSpace(string(raw)), "\n\n")
	failed, refused := frames[len(frames)-1], frames[len(frames)-2]
	if !strings.HasPrefix(failed, "event: response.failed\n") || !strings.Contains(failed, `"status":"failed"`) ||
		!strings.HasPrefix(refused, "event: error\n") || !strings.Contains(refused, `"type":"server_error"`) ||
		strings.Contains(string(raw), "response.completed") {
		t.Errorf("the stream is %s", raw)
	}
}

// A repeated request with a key is the same turn, and a stream says what the whole
// answer says.
func TestAResponseThatIsSentAgainIsReplayed(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	for _, streamed := range []bool{false, true} {
		d := open(t, script.Step{When: script.FromRouter, Text: "Hello."})
		body := map[string]any{"model": "hospitality", "input": "hi", "stream": streamed,
			"bellhop": map[string]any{"turn": map[bool]string{false: "whole-1", true: "events-1"}[streamed]}}
		_, first := d.post(t, responsesPath, org.Manager.Token, "", body)
		resp, second := d.post(t, responsesPath, org.Manager.Token, "", body)
		if !bytes.Equal(first, second) || resp.Header.Get("Idempotent-Replayed") != "true" ||
			len(d.model.Requests()) != 1 {
			t.Errorf("first\n%s\nsecond\n%s", first, second)
		}
		if streamed {
			continue
		}
		var r stream.Response
		dec := json.NewDecoder(bytes.NewReader(first))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&r); err != nil || r.ID != "resp_whole-1" || r.Output[0].ID != "msg_whole-1" {
			t.Errorf("%+v, %v", r, err)
		}
	}
}
