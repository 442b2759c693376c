package main

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
)

// S2-65: the questions that a new conversation offers are the organisation's own,
// first those of the entity.
func TestQuickSuggestionsAreTheOrganisationsOwn(t *testing.T) {
	refusing := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(refusing.Close)
	v := visitor{t, run(t, localtest.Stack(t), refusing.URL+"/v1").URL}
	org, other := localtest.NewOrg(t), localtest.NewOrg(t)
	offered := func(by localtest.Person, query string) []string {
		t.Helper()
		var model struct {
			Bellhop struct{ Suggestions []string } `json:"bellhop"`
		}
		v.must(200, by, "GET", "/api/v1/models/hospitality"+query, nil, &model)
		var list struct {
			Data []struct {
				Bellhop struct{ Suggestions []string } `json:"bellhop"`
			}
		}
		v.must(200, by, "GET", "/api/v1/models"+query, nil, &list)
		if len(list.Data) == 0 || !slices.Equal(list.Data[0].Bellhop.Suggestions, model.Bellhop.Suggestions) {
			t.Errorf("the list offers %v, one model %v", list.Data, model)
		}
		return model.Bellhop.Suggestions
	}
	usual := offered(org.Viewer, "")
	set := func(entity string, list ...map[string]any) {
		t.Helper()
		var kept any
		v.must(200, org.Admin, "PUT", "/api/intents/quick-suggestions",
			map[string]any{"assistant": "hospitality", "entity": entity, "suggestions": list}, &kept)
	}
	ask, change := map[string]any{"text": "Who arrives today?"}, map[string]any{"text": "Add an extra",
		"changes": true}
	set("", ask, change)
	for name, tt := range map[string]struct {
		got, want []string
	}{
		"a viewer":             {offered(org.Viewer, ""), []string{"Who arrives today?"}},
		"an administrator":     {offered(org.Admin, ""), []string{"Who arrives today?", "Add an extra"}},
		"another organisation": {offered(other.Viewer, ""), usual},
	} {
		if !slices.Equal(tt.got, tt.want) {
			t.Errorf("%s is offered %v, want %v", name, tt.got, tt.want)
		}
	}
	set("TST", map[string]any{"text": "Is it full?"})
	for _, query := range []string{"", "?entityId=TST", "?entityId=" + org.Entity.ID} {
		if got := offered(org.Viewer, query); !slices.Equal(got, []string{"Is it full?"}) {
			t.Errorf("%q offers %v", query, got)
		}
	}
	set("TST")
	set("")
	if got := offered(org.Viewer, ""); !slices.Equal(got, usual) {
		t.Errorf("without own ones %v are offered, want %v", got, usual)
	}
}
