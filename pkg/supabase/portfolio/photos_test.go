package portfolio_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/storage"
)

// widths are those of the renditions of photo, and what their bytes are.
var widths = map[int]string{480: "small", 960: "larger", 1600: "the largest"}

// send makes an upload of a person's that is waited for.
func (f *firm) send(by identity.Caller, purpose string) (id string) {
	f.t.Helper()
	return localtest.SQL(f.t, `insert into public.uploads (org_id, id, user_id, name, kind, type, size, purpose)
		values ($1, lower(app.human_code(6) || app.human_code(6) || app.human_code(6) || app.human_code(6)), $2,
			'IMG_1.jpg', 'image', 'image/jpeg', 1000, $3) returning id`, by.OrgID, by.UserID,
		purpose)[0]["id"].(string)
}

// settle keeps the renditions of a photo and says that it is ready.
func (f *firm) settle(by identity.Caller, id string) {
	f.t.Helper()
	bucket, sizes := storage.New(f.client, "uploads"), []projects.Rendition{}
	for width, content := range widths {
		err := bucket.Put(f.t.Context(), by, f.object(by, id, width), "image/jpeg", []byte(content))
		if err != nil {
			f.t.Fatal(err)
		}
		sizes = append(sizes, projects.Rendition{Width: width, Height: width / 2, Bytes: len(content)})
	}
	facts, err := json.Marshal(map[string]any{"width": 1600, "height": 800, "renditions": sizes})
	if err != nil {
		f.t.Fatal(err)
	}
	f.settled(by, id, "ready", "", string(facts))
}

// settled says what became of an upload.
func (f *firm) settled(by identity.Caller, id, state, reason, facts string) {
	f.t.Helper()
	must[any](f.t)(supabase.Call[any](f.t.Context(), f.client.As(by).Control(), "upload_settle", supabase.Args{
		"p_id": id, "p_state": state, "p_kind": "image", "p_type": "image/jpeg", "p_size": 1000, "p_reason": reason,
		"p_facts": json.RawMessage(facts), "p_body": "", "p_days": 30}))
}

// object is the name of a rendition in Storage.
func (f *firm) object(by identity.Caller, id string, width int) string {
	return fmt.Sprintf("%s/%s/%s-%d.jpg", by.OrgID, by.UserID, id, width)
}

// photo makes a photo that is ready.
func (f *firm) photo(by identity.Caller) (id string) {
	f.t.Helper()
	id = f.send(by, "photo")
	f.settle(by, id)
	return id
}

func (f *firm) attach(code string, ids ...string) projects.Project {
	f.t.Helper()
	return must[projects.Project](f.t)(f.store.Attach(f.t.Context(), f.manager, code, ids))
}

// ids returns those of a project's photos in their order.
func ids(p projects.Project) (list []string) {
	for _, i := range p.Images {
		list = append(list, i.ID)
	}
	return list
}

func TestPhotosAreAttachedAndFollowTheirUploads(t *testing.T) {
	t.Parallel()
	f := newFirm(t)
	p := f.begin()
	f.change(p.Code, projects.Changes{Type: new("kitchen renovation"), Story: &projects.Story{Solution: "New oak."}})
	ready, waiting, bad := f.photo(f.manager), f.send(f.manager, "photo"), f.send(f.manager, "photo")
	p = f.attach(p.Code, ready, waiting, bad, ready)
	if !slices.Equal(ids(p), []string{ready, waiting, bad}) || p.Phase != projects.Drafting ||
		p.Images[1].State != projects.Reading {
		t.Fatalf("attached were %+v in phase %s", p.Images, p.Phase)
	}
	first := p.Images[0]
	if first.State != projects.Ready || first.Width != 1600 || len(first.Renditions) != 3 ||
		first.Renditions[0].Width != 480 ||
		first.Name != "IMG_1.jpg" {
		t.Errorf("the photo is %+v", first)
	}
	version := p.Version
	f.settle(f.manager, waiting)
	f.settled(f.manager, bad, "refused", "This file is damaged.", "{}")
	p = f.attach(p.Code, ready)
	if p.Version != version || p.Images[1].State != projects.Ready || p.Images[2].State != projects.Refused ||
		p.Images[2].Reason != "This file is damaged." {
		t.Errorf("in version %d (before: %d) there are %+v", p.Version, version, p.Images)
	}
	// A photo whose bytes never come does not stay in the state of being read.
	late := f.send(f.manager, "photo")
	f.attach(p.Code, late)
	localtest.SQL(t, `update public.project_images set attached_at = now() - interval '4 hours' where code = $1`, late)
	p = must[projects.Project](t)(f.store.Get(t.Context(), f.viewer, p.Code))
	if image, _ := p.Image(late); image.State != projects.Refused || image.Reason == "" {
		t.Errorf("the photo that never came is %+v", image)
	}

	stranger := newFirm(t)
	for name, tt := range map[string]struct{ id, want string }{
		"nothing":        {"aaaaaaaaaaaaaaaaaaaaaaaa", "no_such_file"},
		"a colleague's":  {f.photo(f.admin), "no_such_file"},
		"a stranger's":   {stranger.photo(stranger.manager), "no_such_file"},
		"a file of chat": {f.send(f.manager, "chat"), "not_a_photo"},
		"refused":        {f.refused(), "not_a_photo"},
	} {
		_, err := f.store.Attach(t.Context(), f.manager, p.Code, []string{tt.id})
		t.Log(name)
		wantCode(t, err, tt.want)
	}
	_, err := stranger.store.Attach(t.Context(), stranger.manager, p.Code, []string{stranger.photo(stranger.manager)})
	wantCode(t, err, "project_not_found")
}

func (f *firm) refused() (id string) {
	f.t.Helper()
	id = f.send(f.manager, "photo")
	f.settled(f.manager, id, "refused", "This file is empty.", "{}")
	return id
}

func TestAProjectHasThirtyPhotos(t *testing.T) {
	t.Parallel()
	f := newFirm(t)
	p := f.begin()
	var sent []string
	for range 31 {
		sent = append(sent, f.send(f.manager, "photo"))
	}
	_, err := f.store.Attach(t.Context(), f.manager, p.Code, sent)
	wantCode(t, err, "too_many_images")
	if p = f.attach(p.Code, sent[:30]...); len(p.Images) != 30 {
		t.Errorf("there are %d photos", len(p.Images))
	}
	// The one that was not taken is not kept.
	if got := localtest.SQL(t, `select kept from public.uploads where id = $1`, sent[30])[0]["kept"]; got != false {
		t.Errorf("it is kept: %v", got)
	}
}

func TestUndoBringsPhotosAndTextsBack(t *testing.T) {
	t.Parallel()
	f := newFirm(t)
	p := f.begin()
	_, err := f.store.Undo(t.Context(), f.manager, p.Code)
	wantCode(t, err, "nothing_to_undo")
	a, b, c := f.photo(f.manager), f.photo(f.manager), f.photo(f.manager)
	f.attach(p.Code, a, b, c)
	blocks := []projects.Block{{Kind: projects.Paragraph, Text: "We took the wall out."},
		{Kind: projects.Comparison, Items: []string{a, b}}, {Kind: projects.Gallery, Items: []string{a, c}}}
	before := f.change(p.Code, projects.Changes{Title: new("Oak kitchen"), Hero: new(a), Blocks: &blocks,
		Photos: []projects.PhotoChange{{ID: a, Alt: new("The old wall"), Stage: new(projects.Before)}},
		Story:  &projects.Story{Problem: "No room.", Asked: []string{"type"}}})
	if hero, ok := before.Hero(); !ok || hero.ID != a || hero.Alt != "The old wall" || hero.Stage != projects.Before {
		t.Errorf("the hero is %+v", hero)
	}
	f.change(p.Code, projects.Changes{Order: &[]string{c, a}})
	after := f.change(p.Code, projects.Changes{Remove: []string{a}, Title: new("Another"),
		Story: &projects.Story{Asked: []string{"type", "place"}}})
	if !slices.Equal(ids(after), []string{c, b}) || len(after.Blocks) != 2 ||
		!slices.Equal(after.Blocks[1].Items, []string{c}) {
		t.Errorf("after the removal there are %v in %+v", ids(after), after.Blocks)
	}
	if hero, _ := after.Hero(); hero.ID != c {
		t.Errorf("the hero is %+v", hero)
	}
	versions := must[[]projects.Version](t)(f.store.Versions(t.Context(), f.viewer, p.Code))
	if len(versions) != 4 || versions[0].What != "title, story, blocks, photos" || versions[1].What != "photos" ||
		versions[0].By != "Max Testwright" || versions[0].Version != after.Version-1 {
		t.Errorf("the versions are %+v", versions)
	}
	undo := func() projects.Project {
		t.Helper()
		return must[projects.Project](t)(f.store.Undo(t.Context(), f.manager, p.Code))
	}
	if now := undo(); !slices.Equal(ids(now), []string{c, a, b}) || now.Title != "Oak kitchen" ||
		len(now.Blocks) != 3 ||
		now.Version != after.Version+1 || now.Story.Problem != "No room." || len(now.Story.Asked) != 2 {
		t.Errorf("after the first undo there is %+v", now)
	}
	if now := undo(); !slices.Equal(ids(now), []string{a, b, c}) || !now.Images[0].Hero ||
		now.Images[0].Alt != "The old wall" {
		t.Errorf("after the second undo there are %+v", now.Images)
	}
	if now := undo(); now.Title != "" || now.Images[0].Hero || now.Images[0].Alt != "" || len(now.Blocks) != 0 {
		t.Errorf("after the third undo there is %+v", now)
	}
	kept := func() any {
		return localtest.SQL(t, `select count(*)::int as n from public.uploads where kept and id = any ($1)`,
			[]string{a, b, c})[0]["n"]
	}
	if n := kept(); n != int32(3) {
		t.Errorf("%v uploads are kept", n)
	}
	if now := undo(); len(now.Images) != 0 {
		t.Errorf("after the last undo there are %+v", now.Images)
	}
	// No undo leads to them any more, so they expire as other uploads do.
	if n := kept(); n != int32(0) {
		t.Errorf("%v uploads are kept", n)
	}
	_, err = f.store.Undo(t.Context(), f.manager, p.Code)
	wantCode(t, err, "nothing_to_undo")
}

func TestFiftyStatesAreKept(t *testing.T) {
	t.Parallel()
	f := newFirm(t)
	p := f.begin()
	for i := range 53 {
		f.change(p.Code, projects.Changes{Title: new(strings.Repeat("x", i+1))})
	}
	versions := must[[]projects.Version](t)(f.store.Versions(t.Context(), f.viewer, p.Code))
	if len(versions) != 50 || versions[49].Version != 4 {
		t.Errorf("there are %d, the oldest is %+v", len(versions), versions[len(versions)-1])
	}
}

// Members fetch photos whoever sent them, at the width that they want.
func TestMembersFetchPhotos(t *testing.T) {
	t.Parallel()
	f := newFirm(t)
	p := f.begin()
	id := f.photo(f.manager)
	f.attach(p.Code, id)
	for width, want := range map[int]string{0: "small", 480: "small", 481: "larger", 1600: "the largest",
		4000: "the largest"} {
		address, life, err := f.store.PhotoLink(t.Context(), f.viewer, p.Code, id, width)
		if err != nil || life < time.Minute {
			t.Fatal(life, err)
		}
		if got := fetch(t, address); got != want {
			t.Errorf("at %d: %q, want %q", width, got, want)
		}
	}
	_, _, err := f.store.PhotoLink(t.Context(), f.viewer, p.Code, f.photo(f.manager), 480)
	wantCode(t, err, "photo_not_found")
	stranger := newFirm(t)
	_, _, err = stranger.store.PhotoLink(t.Context(), stranger.admin, p.Code, id, 480)
	wantCode(t, err, "project_not_found")
	for name, by := range map[string]identity.Caller{"a stranger": stranger.admin, "anybody": {}} {
		_, _, err := storage.New(f.client, "uploads").Read(t.Context(), by, f.object(f.manager, id, 480), 100)
		if err == nil {
			t.Errorf("%s reads a photo of a draft", name)
		}
	}
	// A photo that is no project's is its sender's alone.
	_, _, err = storage.New(f.client, "uploads").Read(t.Context(), f.viewer, f.object(f.manager, f.photo(f.manager),
		480), 100)
	if err == nil {
		t.Error("a colleague reads a photo of no project")
	}
}

func fetch(t *testing.T, address string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatal(resp.Status, err)
	}
	return string(body)
}

// What a person sent stays the project's when that person leaves.
func TestPhotosStayWhenTheirSenderLeaves(t *testing.T) {
	t.Parallel()
	f := newFirm(t)
	p := f.begin()
	id, waiting := f.photo(f.admin), f.send(f.admin, "photo")
	must[projects.Project](t)(f.store.Attach(t.Context(), f.admin, p.Code, []string{id, waiting}))
	localtest.SQL(t, `delete from public.memberships where org_id = $1 and user_id = $2`, f.org.ID, f.admin.UserID)
	p = must[projects.Project](t)(f.store.Get(t.Context(), f.manager, p.Code))
	if len(p.Images) != 2 || p.Images[0].State != projects.Ready || p.Images[1].State != projects.Refused {
		t.Fatalf("there are %+v", p.Images)
	}
	address, _, err := f.store.PhotoLink(t.Context(), f.viewer, p.Code, id, 480)
	if err != nil || fetch(t, address) != "small" {
		t.Errorf("the photo is at %s, %v", address, err)
	}
	versions := must[[]projects.Version](t)(f.store.Versions(t.Context(), f.viewer, p.Code))
	if len(versions) != 1 || versions[0].By != "" {
		t.Errorf("the versions are %+v", versions)
	}
}
