package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/localtest/photos"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/infra/local/nodetest"
)

// The public page of a project in a browser, with photos that went the way of all
// photos: not there, published, looked at in both colours on a phone and on a desk,
// taken back. The visit is testdata/visits/published.mjs.
func TestVisitsOfPublishedPages(t *testing.T) {
	chromium := nodetest.Chromium(t)
	project := localtest.Stack(t)
	org := localtest.NewOrg(t)
	localtest.Give(t, project, org.ID, "portfolio")
	model := httptest.NewServer(script.Func((&words{}).next))
	t.Cleanup(model.Close)
	server := run(t, project, model.URL+"/v1")
	c := contractor{t, server.URL, org.Manager.Token}

	site := "t-" + org.ID[:8]
	c.ask("PUT", "/api/business-profile", object{"site": site, "name": "Dale Joinery", "trade": "Joiners",
		"city": "Leeds", "about": "We build kitchens and stairs in our own workshop.\n\nWe answer on the same day.",
		"phone": "0113 496 0000", "whatsApp": "441134960000", "email": "hello@dalejoinery.example",
		"website": "https://dalejoinery.example"})
	begun := c.ask("POST", "/api/projects", object{"title": "Kitchen"})
	path := "/api/projects/" + begun.Project.Code
	var ids []string
	for n, shape := range [][3]int{{1600, 1000, 6}, {1000, 750, 1}, {1000, 750, 3}, {500, 700, 8}} {
		ids = append(ids, c.photo(photos.JPEG(uint64(n), shape[0], shape[1], shape[2], true)))
	}
	p := c.ask("POST", path+"/images", object{"uploads": ids}).Project
	var said []object
	ids = ids[:0]
	for n, i := range p.Images {
		ids = append(ids, i.ID)
		said = append(said, object{"id": i.ID, "alt": fmt.Sprintf("The kitchen from side %d", n+1)})
	}
	p = c.ask("PATCH", path, object{"version": p.Version, "title": "Oak kitchen <script>hacked()</script>",
		"type": "Kitchen renovation", "place": object{"street": "14 Rosewood Lane", "city": "Leeds",
			"region": "Yorkshire"},
		"story": object{"duration": "three weeks", "completed": "May 2026"},
		"description": "A dark galley kitchen became one bright room, with a solid oak island in it and a window " +
			"seat " +
			"beside it.\n\nThe old units were from 1978.",
		"materials": []string{"European oak", "Hard wax oil"}, "techniques": []string{"Dovetail joints"},
		"tags": []string{"kitchen"},
		"descriptionBlocks": []object{{"kind": "heading", "text": "What was there"},
			{"kind": "paragraph", "text": "Two narrow rooms with a wall between them."},
			{"kind": "comparison", "items": ids[1:3]}, {"kind": "list", "items": []string{"An island of 2.4 m",
				"A seat"}},
			{"kind": "quote", "text": "We cook together now."}},
		"photos": said, "hero": ids[0], "privacy": object{"faces": "none", "plates": "none", "images": ids},
	}).Project
	nodetest.Run(t, "testdata/visits", "published.mjs", 20, map[string]any{"url": server.URL, "chromium": chromium,
		"token": org.Manager.Token, "path": path, "version": p.Version, "site": site, "photos": len(ids)})
}

type object = map[string]any

// contractor asks the server as a user.
type contractor struct {
	*testing.T
	url, token string
}

// given is what is read of answers.
type given struct {
	ID        string
	UploadURL string
	Headers   map[string]string
	State     string
	Project   struct {
		Code    string
		Version int
		Images  []struct{ ID string }
	}
}

func (c contractor) ask(method, path string, body any) given {
	c.Helper()
	encoded, err := json.Marshal(body)
	if err != nil {
		c.Fatal(err)
	}
	return c.send(method, c.url+path, encoded, map[string]string{"Authorization": "Bearer " + c.token,
		"Content-Type": "application/json"})
}

func (c contractor) send(method, address string, body []byte, head map[string]string) given {
	c.Helper()
	r, err := http.NewRequestWithContext(c.Context(), method, address, bytes.NewReader(body))
	if err != nil {
		c.Fatal(err)
	}
	for name, value := range head {
		r.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		c.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode >= 300 {
		c.Fatalf("%s %s: %d %v %s", method, address, resp.StatusCode, err, text)
	}
	var out given
	_ = json.Unmarshal(text, &out) // Storage answers otherwise
	return out
}

// photo uploads a photo and returns its id.
func (c contractor) photo(content []byte) string {
	c.Helper()
	begun := c.ask("POST", "/api/uploads", object{"name": "kitchen.jpg", "type": "image/jpeg", "size": len(content),
		"purpose": "photo"})
	c.send("PUT", begun.UploadURL, content, begun.Headers)
	if done := c.ask("POST", "/api/uploads/"+begun.ID+"/complete", nil); done.State != "ready" {
		c.Fatalf("the photo is %s", done.State)
	}
	return begun.ID
}
