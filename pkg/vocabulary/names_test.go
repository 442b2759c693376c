package vocabulary_test

import (
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/vocabulary"
)

func TestWordsOfAToolsName(t *testing.T) {
	for name, want := range map[string]string{"list_rooms": "list rooms", "publishProject": "publish project",
		"validateForPublish": "validate for publish", "export_GSTR_return": "export GSTR return", "": "", "a": "a",
		"readGSTReturn": "read GST return", "Weather.At": "Weather.At", "get2Things": "get2 things"} {
		if got := vocabulary.ToolWords(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
