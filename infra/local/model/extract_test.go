package model_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// Asked to summarise numbered items in a form of lists, the stand-in extracts: its
// lines are the items' own words, with their numbers.
func TestItExtractsFromItems(t *testing.T) {
	t.Parallel()
	const form = `{"type":"object","properties":{
		"points":{"type":"array","items":{"type":"object","properties":{"line":{"type":"string"},"of":{"type":"array","items":{"type":"integer"}}},"required":["line","of"],"additionalProperties":false}},
		"facts":{"type":"array","items":{"type":"object","properties":{"line":{"type":"string"}},"required":["line"],"additionalProperties":false}}},
		"required":["points","facts"],"additionalProperties":false}`
	items := []string{`{"n":1,"text":"Hello! I need a boat for 6 people. It may be small."}`,
		`{"n":2,"text":"Thanks."}`, `no item`, `{"n":3,"text":"Which harbour has 40 berths?"}`}
	for range 20 {
		items = append(items, `{"n":4,"text":"The sea is calm."}`)
	}
	items = append(items, `{"n":5,"text":"`+strings.Repeat("word ", 100)+`"}`)
	ask := func(system, format string) string {
		body, err := json.Marshal(map[string]any{
			"model": "any", "response_format": json.RawMessage(format),
			"messages": []map[string]string{{"role": "system", "content": system},
				{"role": "user", "content": "The items:\n" + strings.Join(items, "\n")}},
		})
		if err != nil {
			t.Fatal(err)
		}
		status, answer := post(t, string(body))
		var out struct {
			Choices []struct{ Message struct{ Content string } }
		}
		if err := json.Unmarshal([]byte(answer), &out); err != nil || status != 200 || len(out.Choices) != 1 {
			t.Fatalf("%d %s", status, answer)
		}
		return out.Choices[0].Message.Content
	}
	strict := ask("You summarise logs.", `{"type":"json_schema","json_schema":{"name":"x","strict":true,"schema":`+
		form+`}}`)
	loose := ask("You summarise logs.\nAnswer with JSON:\n```json\n"+form+"\n```", `{"type":"json_object"}`)
	if strict != loose {
		t.Errorf("by schema it says %s, by prompt %s", strict, loose)
	}
	var got struct {
		Points []struct {
			Line string
			Of   []int
		}
		Facts []struct{ Line string }
	}
	if err := json.Unmarshal([]byte(strict), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Points) != 10 || got.Points[0].Line != "I need a boat for 6 people." || got.Points[0].Of[0] != 1 ||
		got.Points[1].Line != "Which harbour has 40 berths?" ||
		len(got.Points[9].Line) > 180 || !strings.HasSuffix(got.Points[9].Line, "word") || got.Points[9].Of[0] != 5 {
		t.Errorf("its points are %+v", got.Points)
	}
	if len(got.Facts) != 1 || got.Facts[0].Line != "I need a boat for 6 people." {
		t.Errorf("its facts are %+v", got.Facts)
	}
	if other := ask("You answer questions.", `{"type":"json_schema","json_schema":{"name":"x","strict":true,"schema":`+
		form+`}}`); strings.Contains(other, "boat") {
		t.Errorf("without being asked to, it extracts %s", other)
	}
}
