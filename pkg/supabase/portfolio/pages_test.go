package portfolio_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/supabase/storage"
)

// site saves a profile of the organisation under an address of its own.
func (f *firm) site() projects.Business {
	f.t.Helper()
	return must[projects.Business](f.t)(f.store.SaveBusiness(f.t.Context(), f.manager, projects.Business{
		Site: "site-" + uuid.NewString()[:13], Name: "Dale Joinery", Phone: "+44 113 496 0000"}))
}

// job is a project with two photos and texts.
func (f *firm) job() projects.Project {
	f.t.Helper()
	p := f.begin()
	a, b := f.photo(f.manager), f.photo(f.manager)
	f.attach(p.Code, a, b)
	return f.change(p.Code, projects.Changes{Title: new("Oak kitchen"), Type: new("kitchen renovation"),
		Place: &projects.Place{Street: "14 Rosewood Lane", City: "Leeds", Region: "Yorkshire"},
		Story: &projects.Story{Problem: "The Hendersons had no room.", Duration: "three weeks", Completed: "May 2026",
			Facts: []string{"It cost 9,000."}},
		Materials: &[]string{"oak"}, Description: new("A kitchen for four."), Hero: new(b),
		Blocks: &[]projects.Block{{Kind: projects.Gallery, Items: []string{a}}},
		Photos: []projects.PhotoChange{{ID: a, Alt: new("The wall"), Stage: new(projects.Before)}}})
}

func (f *firm) publish(p projects.Project, slug string) projects.Project {
	f.t.Helper()
	return must[projects.Project](f.t)(f.store.Publish(f.t.Context(), f.manager, p.Code, p.Version, slug,
		p.Place.Shown(p.Detail)))
}

func TestAPageIsWhatWasPublished(t *testing.T) {
	t.Parallel()
	f := newFirm(t)
	business, p := f.site(), f.job()
	_, err := f.pages.Page(t.Context(), business.Site, "oak-kitchen")
	wantCode(t, err, "page_not_found")
	live := f.publish(p, "oak-kitchen")
	if live.Status != projects.Published || live.Phase != projects.Live || live.Slug != "oak-kitchen" ||
		live.Changed ||
		live.URL != "/p/"+business.Site+"/oak-kitchen" || live.PublishedAt == nil || live.Version != p.Version+1 {
		t.Fatalf("published was %+v", live)
	}
	page := must[projects.Page](t)(f.pages.Page(t.Context(), business.Site, "oak-kitchen"))
	if page.Title != "Oak kitchen" || page.Place != "Leeds, Yorkshire" || page.Completed != "May 2026" ||
		page.Duration != "three weeks" || len(page.Images) != 2 || page.Images[0].Alt != "The wall" ||
		page.Images[0].Hero || !page.Images[1].Hero || len(page.Blocks) != 1 || len(page.Images[0].Renditions) != 3 ||
		!reflect.DeepEqual(page.Business, business) || !page.Published.Equal(*live.PublishedAt) ||
		page.Materials[0] != "oak" {
		t.Errorf("the page is %+v", page)
	}
	whole := string(must[[]byte](t)(json.Marshal(page)))
	for _, private := range []string{"Rosewood", "Henderson", "9,000", "IMG_1", f.org.ID, f.manager.UserID} {
		if strings.Contains(whole, private) {
			t.Errorf("the page tells %q: %s", private, whole)
		}
	}
	// What is changed afterwards is public when it is published again.
	changed := f.change(p.Code, projects.Changes{Title: new("Oak and brass kitchen"),
		Remove: []string{p.Images[0].ID}})
	if !changed.Changed || changed.Status != projects.Published {
		t.Errorf("after a change there is %+v", changed)
	}
	page = must[projects.Page](t)(f.pages.Page(t.Context(), business.Site, "oak-kitchen"))
	if page.Title != "Oak kitchen" || len(page.Images) != 2 {
		t.Errorf("the page became %+v", page)
	}
	for _, image := range page.Images {
		content, mediaType, err := f.pages.Photo(t.Context(), business.Site, image.ID, 960)
		if string(content) != "larger" || mediaType != "image/jpeg" || err != nil {
			t.Errorf("the photo is %q (%s), %v", content, mediaType, err)
		}
	}
	if back := must[projects.Project](t)(f.store.Undo(t.Context(), f.manager, p.Code)); len(back.Images) != 2 {
		t.Errorf("the undo led to %+v", back)
	}
	_, _, err = f.pages.Photo(t.Context(), business.Site, page.Images[0].ID, 961)
	wantCode(t, err, "photo_not_found")
}

func TestSlugsStayAndLeadOn(t *testing.T) {
	t.Parallel()
	f := newFirm(t)
	business, p, twin := f.site(), f.job(), f.job()
	page := func(slug string) projects.Page {
		t.Helper()
		return must[projects.Page](t)(f.pages.Page(t.Context(), business.Site, slug))
	}
	p = f.publish(p, "oak-kitchen")
	first := *p.PublishedAt
	twin = f.publish(twin, "oak-kitchen")
	if twin.Slug != "oak-kitchen-2" {
		t.Errorf("the other one is at %s", twin.Slug)
	}
	if twin = f.publish(twin, "oak-kitchen"); twin.Slug != "oak-kitchen-2" {
		t.Errorf("published again it is at %s", twin.Slug)
	}
	p = f.publish(f.change(p.Code, projects.Changes{Title: new("Pine kitchen")}), "pine-kitchen")
	if got := page("oak-kitchen"); got.MovedTo != "pine-kitchen" || got.Title != "" {
		t.Errorf("by its older slug the page is %+v", got)
	}
	if got := page("pine-kitchen"); got.Title != "Pine kitchen" || !got.Published.Equal(first) ||
		!got.Changed.After(first) {
		t.Errorf("the page is %+v", got)
	}
	// A slug that leads on is not free for another page.
	if third := f.publish(f.job(), "oak-kitchen"); third.Slug != "oak-kitchen-3" {
		t.Errorf("the third one is at %s", third.Slug)
	}
	if p = f.publish(p, ""); p.Slug != "pine-kitchen" {
		t.Errorf("without a slug it is at %s", p.Slug)
	}
	if p = f.publish(p, "oak-kitchen"); p.Slug != "oak-kitchen" || page("pine-kitchen").MovedTo != "oak-kitchen" {
		t.Errorf("back again it is at %s", p.Slug)
	}
	// Of pages that are published at once each has a slug of its own.
	slugs, list := make(chan string, 4), []projects.Project{f.job(), f.job(), f.job(), f.job()}
	for _, one := range list {
		go func() {
			one, err := f.store.Publish(t.Context(), f.manager, one.Code, 0, "ash", one.Place.Shown(one.Detail))
			if err != nil {
				t.Error(err)
			}
			slugs <- one.Slug
		}()
	}
	different := map[string]bool{}
	for range list {
		different[<-slugs] = true
	}
	if len(different) != len(list) {
		t.Errorf("the slugs are %v", different)
	}
	for _, one := range list {
		must[projects.Project](t)(f.store.Unpublish(t.Context(), f.manager, one.Code))
	}
	site := must[projects.Site](t)(f.pages.Site(t.Context(), business.Site))
	if len(site.Pages) != 3 || site.Pages[2].Slug != "oak-kitchen" || len(site.Pages[0].Images) != 1 ||
		!site.Pages[0].Images[0].Hero || site.Pages[0].Blocks != nil || site.Business.Name != "Dale Joinery" {
		t.Errorf("the site is %+v", site)
	}
}

func TestAPageThatIsTakenBackIsGone(t *testing.T) {
	t.Parallel()
	f := newFirm(t)
	business, p := f.site(), f.job()
	p = f.publish(f.publish(p, "oak-kitchen"), "pine-kitchen")
	object := f.object(f.manager, p.Images[0].ID, 480)
	read := func(by identity.Caller) error {
		_, _, err := storage.New(f.client, "uploads").Read(t.Context(), by, object, 100)
		return err
	}
	if err := read(identity.Caller{}); err != nil {
		t.Errorf("a public photo is not public: %v", err)
	}
	_, err := f.store.Archive(t.Context(), f.manager, p.Code, true)
	wantCode(t, err, "is_published")
	_, err = f.store.Unpublish(t.Context(), f.viewer, p.Code)
	wantCode(t, err, "role_required")
	p = must[projects.Project](t)(f.store.Unpublish(t.Context(), f.manager, p.Code))
	if p.Status != projects.Draft || p.Phase != projects.Review || p.URL != "" || p.PublishedAt != nil || p.Changed {
		t.Errorf("taken back it is %+v", p)
	}
	for _, slug := range []string{"oak-kitchen", "pine-kitchen"} {
		if _, err := f.pages.Page(t.Context(), business.Site, slug); !fault.Is(err, fault.Gone) {
			t.Errorf("the page at %s: %v", slug, err)
		}
	}
	_, err = f.pages.Site(t.Context(), business.Site)
	wantCode(t, err, "page_not_found")
	_, _, err = f.pages.Photo(t.Context(), business.Site, p.Images[0].ID, 480)
	wantCode(t, err, "photo_not_found")
	if err := read(identity.Caller{}); err == nil {
		t.Error("the photo of a page that was taken back is public")
	}
	if p = must[projects.Project](t)(f.store.Archive(t.Context(), f.manager, p.Code,
		true)); p.Status != projects.Archived {
		t.Errorf("hidden it is %s", p.Status)
	}
	_, err = f.store.Publish(t.Context(), f.manager, p.Code, 0, "x", p.Place.Shown(p.Detail))
	wantCode(t, err, "not_publishable")
	p = must[projects.Project](t)(f.store.Archive(t.Context(), f.manager, p.Code, false))
	if p = f.publish(p, "pine-kitchen"); p.Slug != "pine-kitchen" {
		t.Errorf("public again it is at %s", p.Slug)
	}
	if err := read(identity.Caller{}); err != nil {
		t.Errorf("a public photo is not public: %v", err)
	}
}

func TestWhatIsNotReadyIsNotPublished(t *testing.T) {
	t.Parallel()
	f := newFirm(t)
	p := f.job()
	try := func(version int, slug, place, want string) {
		t.Helper()
		_, err := f.store.Publish(t.Context(), f.manager, p.Code, version, slug, place)
		wantCode(t, err, want)
	}
	const place = "Leeds, Yorkshire"
	try(p.Version, "oak", place, "no_profile")
	business := f.site()
	try(p.Version-1, "oak", place, "changed")
	try(p.Version, "Oak Kitchen", place, "bad_slug")
	try(p.Version, "oak/../x", place, "bad_slug")
	try(p.Version, "", place, "bad_slug")
	try(p.Version, "oak", "14 Rosewood Lane, Leeds", "bad_place")
	_, err := f.store.Publish(t.Context(), f.viewer, p.Code, p.Version, "oak", place)
	wantCode(t, err, "role_required")
	p = f.attach(p.Code, f.send(f.manager, "photo"))
	try(p.Version, "oak", place, "not_publishable")
	p = f.change(p.Code, projects.Changes{Remove: []string{p.Images[2].ID}, Title: new("")})
	try(p.Version, "oak", place, "not_publishable")
	p = f.change(p.Code, projects.Changes{Title: new("Oak")})
	stranger := newFirm(t)
	stranger.site()
	_, err = stranger.store.Publish(t.Context(), stranger.manager, p.Code, p.Version, "oak", place)
	wantCode(t, err, "project_not_found")
	if _, err := f.pages.Site(t.Context(), business.Site); !fault.Is(err, fault.NotFound) {
		t.Errorf("something is public: %v", err)
	}
}

// Everybody sees what is public, and of the rest nothing: neither rows nor photos.
func TestEverybodySeesPagesAlone(t *testing.T) {
	t.Parallel()
	f := newFirm(t)
	business, public, draft := f.site(), f.job(), f.job()
	public = f.publish(public, "oak")
	bucket := storage.New(f.client, "uploads")
	for name, tt := range map[string]struct {
		object string
		seen   bool
	}{
		"a photo of a page":     {f.object(f.manager, public.Images[0].ID, 480), true},
		"a photo of a draft":    {f.object(f.manager, draft.Images[0].ID, 480), false},
		"a photo of no project": {f.object(f.manager, f.photo(f.manager), 480), false},
	} {
		if _, _, err := bucket.Read(t.Context(), identity.Caller{}, tt.object, 100); (err == nil) != tt.seen {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, _, err := f.pages.Photo(t.Context(), business.Site, draft.Images[0].ID, 480)
	wantCode(t, err, "photo_not_found")
	_, err = f.store.Get(t.Context(), identity.Caller{}, public.Code)
	if err == nil {
		t.Error("a project is read without a token")
	}
}
