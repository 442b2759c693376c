package prompt_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/prompt"
)

func TestAPromptIsFilledFromItsData(t *testing.T) {
	type place struct {
		Name  string
		Rooms []string
	}
	tests := map[string]struct {
		text string
		data any
		want string
	}{
		"a field": {"You serve {{.Name}}.\n", place{Name: "Sojourn"}, "You serve Sojourn."},
		"a list": {"{{range .Rooms}}- {{.}}\n{{end}}", place{Rooms: []string{"COCO", "FERN"}},
			"- COCO\n- FERN"},
		"a part that is left out":   {"A{{if .Name}} for {{.Name}}{{end}}.", place{}, "A."},
		"signs are not escaped":     {"{{.Name}}", place{Name: `Tea & <Cake> "Co"`}, `Tea & <Cake> "Co"`},
		"a template in the data":    {"{{.Name}}", place{Name: "{{.Rooms}}"}, "{{.Rooms}}"},
		"space around it goes away": {"\n\n  {{.Name}}  \n", place{Name: "x"}, "x"},
		"a key of a map":            {"{{.name}}", map[string]string{"name": "x"}, "x"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			p, err := prompt.Parse("persona", tc.text)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := p.Fill(tc.data); err != nil || got != tc.want {
				t.Errorf("got %q, %v, want %q", got, err, tc.want)
			}
		})
	}
}

// An empty place in a prompt would be read by a model as if it were meant.
func TestAPlaceThatCannotBeFilledIsAnError(t *testing.T) {
	for name, data := range map[string]any{"a struct without the field": struct{ Other string }{},
		"a map without the key": map[string]string{}, "a text": "x"} {
		p, err := prompt.Parse("persona", "You serve {{.Name}}.")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := p.Fill(data); err == nil || got != "" || !strings.Contains(err.Error(), "persona") {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}

func TestAPromptThatCannotBeReadIsNamed(t *testing.T) {
	for _, text := range []string{"{{.Name", "{{range .A}}", "{{unheard .A}}", "{{end}}"} {
		if _, err := prompt.Parse("persona", text); err == nil || !strings.Contains(err.Error(), "prompt persona") {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

func TestManyRequestsFillOnePromptAtOnce(t *testing.T) {
	p, err := prompt.Parse("persona", "{{range .}}{{.}},{{end}}")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if got, err := p.Fill([]int{1, 2, 3}); err != nil || got != "1,2,3," {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
	wg.Wait()
}
