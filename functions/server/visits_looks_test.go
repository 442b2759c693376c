package main

import (
	"net/http/httptest"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/infra/local/nodetest"
	"github.com/bellhop-ai/bellhop/infra/local/stack"
)

// The pictures of the page, as they are laid out in a window and on a telephone.
func TestVisitsOfPictures(t *testing.T) {
	t.Parallel()
	chromium := nodetest.Chromium(t)
	project := localtest.Clone(t)
	words := &words{}
	model := httptest.NewServer(script.Func(words.next))
	t.Cleanup(model.Close)
	server := run(t, project, model.URL+"/v1")
	control := httptest.NewServer(controls(t, project, words, server))
	t.Cleanup(control.Close)
	const email = "manager@sojourn.example"
	nodetest.Run(t, "testdata/visits", "pictures.mjs", 20, map[string]string{
		"url": server.URL, "supabase": project.URL(), "control": control.URL, "chromium": chromium,
		"email": email, "password": stack.DemoPassword, "token": localtest.TokenOn(t, project, email),
	})
	if err := words.wrong(); err != nil {
		t.Error(err)
	}
}
