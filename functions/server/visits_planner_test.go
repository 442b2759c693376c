package main

import (
	"net/http/httptest"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/duffel"
	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/infra/local/nodetest"
	"github.com/bellhop-ai/bellhop/infra/local/stack"
	"github.com/bellhop-ai/bellhop/pkg/boot"
)

// S4-33, S4-37, S4-43: the page as a couple uses it that plans a weekend from a sentence,
// without a model.
func TestVisitsOfPlanner(t *testing.T) {
	chromium := nodetest.Chromium(t)
	project := localtest.Stack(t)
	org := localtest.NewOrg(t)
	localtest.Take(t, project, org.ID, "hospitality")
	localtest.Give(t, project, org.ID, "planner")
	supplier, err := duffel.Start(duffel.Config{Token: "duffel_test_visits"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = supplier.Close() })
	words := &words{}
	model := httptest.NewServer(script.Func(words.next))
	t.Cleanup(model.Close)
	server := run(t, project, model.URL+"/v1", func(s *boot.Service, env map[string]string) {
		s.Local, env["MOCK_OPENAI"] = true, "true"
		env["DUFFEL_URL"], env["DUFFEL_API_KEY"] = supplier.URL(), "duffel_test_visits"
	})
	control := httptest.NewServer(controls(t, project, words, server))
	t.Cleanup(control.Close)
	nodetest.Run(t, "testdata/visits", "planner.mjs", 20, map[string]string{
		"url": server.URL, "supabase": project.URL(), "control": control.URL, "chromium": chromium,
		"email": org.Admin.Email, "password": stack.DemoPassword, "token": org.Admin.Token,
	})
	if err := words.wrong(); err != nil {
		t.Error(err)
	}
}
