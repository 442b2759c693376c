package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func sample() report {
	cpu := func(ms float64) side { return side{CPU: spread{Median: ms, Min: ms - 0.1, Max: ms + 0.1}} }
	return report{
		Turns: []turnRow{{Name: "json", AtOnce: 16, Ours: cpu(0.75), Plain: cpu(0.6), Ratio: 1.25}},
		Growth: []growthRow{
			{By: "messages", Size: 12, Ours: spread{Median: 1}, Plain: spread{Median: 0.9}},
			{By: "messages", Size: 400, Ours: spread{Median: 4}, Plain: spread{Median: 4.01}},
		},
		Starts: []startRow{{Function: "chat", Answer: "<turn>", FirstByte: spread{Median: 10, Min: 9, Max: 12}},
			{Function: "export", Failed: "it ended"}},
		Calls: []callRow{{Assistant: "hospitality", Calls: 3, In: 1000, Cached: 250},
			{Assistant: "hospitality", Calls: 1, In: 1000, Cached: 750}},
	}
}

func TestADrawingIsXMLWithAllThatWasMeasured(t *testing.T) {
	t.Parallel()
	drawing := sample().draw()
	var shown strings.Builder
	for d := xml.NewDecoder(bytes.NewReader(drawing)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, drawing)
		}
		if text, ok := token.(xml.CharData); ok {
			shown.Write(text)
		}
	}
	for _, want := range []string{"json, 16 at once, ours", "CPU per turn by messages", "400", "chat, <turn>",
		"aim: 20"} {
		if !strings.Contains(shown.String(), want) {
			t.Errorf("%q is not shown", want)
		}
	}
	if strings.Contains(shown.String(), "export") {
		t.Error("a function that failed is drawn")
	}
	if empty := (report{}).draw(); xml.Unmarshal(empty, new(struct{})) != nil {
		t.Errorf("a report without figures is drawn as\n%s", empty)
	}
}

func TestATableHasTheSums(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := sample().print(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"2.0 a turn", "50 %", "1.25", "failed: it ended",
		"matching without a model"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, &out)
		}
	}
}

func TestPartsArePickedByName(t *testing.T) {
	t.Parallel()
	parts, err := pick([]string{"start", "turn"})
	if err != nil || len(parts) != 2 || parts[0].name != "turn" || parts[1].name != "start" {
		t.Errorf("%d parts, %v", len(parts), err)
	}
	if _, err := pick([]string{"turns"}); err == nil {
		t.Error("a part that there is not was picked")
	}
}
