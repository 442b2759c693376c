package model_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/bellhop-ai/bellhop/infra/local/model"
)

// The words of a business, and what people say to its agents, come from a file.
// Without it the model knows neither.
func TestADomainIsData(t *testing.T) {
	files := fstest.MapFS{"library.txt": {Data: []byte(`# A lending library.

[synonyms]
volume tome book

[phrases]
overdue: out of time

[shelves]
about: volumes, where they stand
where is the red tome

[members]
about: readers and their cards
mine has expired, what now
is it overdue
`)}}
	domains, err := model.ReadDomains(files)
	if err != nil {
		t.Fatal(err)
	}
	route := object(`{"name":"route_to_agent","description":"Hands the message to an agent.","parameters":{"type":"object","properties":{
		"agent":{"type":"string","enum":["shelves","members"],"description":"who"}},"required":["agent"]}}`)
	for text, want := range map[string]string{
		"find a tome about hawks":      `route_to_agent {"agent":"shelves"}`,
		"mine has expired, what to do": `route_to_agent {"agent":"members"}`,
		"is it out-of-time?":           `route_to_agent {"agent":"members"}`,
	} {
		for name, tt := range map[string]struct {
			domains []model.Domain
			want    string
		}{"with the domain": {domains, want}, "without": {nil, "I am not sure"}} {
			t.Run(text+" "+name, func(t *testing.T) {
				srv := httptest.NewServer(model.New(model.Config{Now: friday, Domains: tt.domains}))
				defer srv.Close()
				c := openai.NewClient(option.WithBaseURL(srv.URL+"/v1/"), option.WithAPIKey("none"),
					option.WithMaxRetries(0))
				got := said(ask(t, c, []map[string]any{route}, openai.SystemMessage("You route."),
					openai.UserMessage(text)))
				if !strings.HasPrefix(got, tt.want) {
					t.Errorf("got %s, want %s", got, tt.want)
				}
			})
		}
	}
	if _, err := model.ReadDomains(fstest.MapFS{"x.txt": {Data: []byte("no section\n")}}); err == nil {
		t.Error("a line without a section passes")
	}
}
