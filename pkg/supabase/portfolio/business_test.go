package portfolio_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/supabase/storage"
)

// S3-32
func TestABusinessHasAProfile(t *testing.T) {
	t.Parallel()
	f := newFirm(t)
	if b := must[projects.Business](t)(f.store.Business(t.Context(), f.viewer)); !reflect.DeepEqual(b,
		projects.Business{Name: f.org.Name}) {
		t.Errorf("before it is saved the profile is %+v", b)
	}
	save := func(b projects.Business) (projects.Business, error) {
		return f.store.SaveBusiness(t.Context(), f.admin, b)
	}
	name := "Señor Øst & Söhne " + uuid.NewString()[:8]
	b := must[projects.Business](t)(save(projects.Business{Name: name, WhatsApp: "+44 (0) 7700-900.123"}))
	if want := "senor-ost-sohne-" + strings.ToLower(name[len(name)-8:]); b.Site != want || b.Version != 1 ||
		b.WhatsApp != "447700900123" {
		t.Errorf("saved was %+v at %s", b, want)
	}
	_, err := save(projects.Business{Name: "Late"})
	wantCode(t, err, "changed")
	want := projects.Business{Site: b.Site + "x", Name: "Dale", About: "Two joiners.\nKitchens.", Trade: "joiner",
		City:  "Leeds",
		Phone: "+44 113 496 0123", Email: "hello@dale.example", Website: "https://dale.example/", Version: 1}
	b = must[projects.Business](t)(save(want))
	want.Version, want.LogoSizes = 2, []projects.Rendition{}
	if !reflect.DeepEqual(b, want) || !reflect.DeepEqual(b, must[projects.Business](t)(f.store.Business(t.Context(),
		f.viewer))) {
		t.Errorf("saved was %+v, want %+v", b, want)
	}
	for name, tt := range map[string]struct {
		change func(*projects.Business)
		want   string
	}{
		"no name":    {func(b *projects.Business) { b.Name = " " }, "bad_value"},
		"about":      {func(b *projects.Business) { b.About = strings.Repeat("x", 601) }, "too_long"},
		"site":       {func(b *projects.Business) { b.Site = "../admin" }, "bad_value"},
		"phone":      {func(b *projects.Business) { b.Phone = "call me" }, "bad_value"},
		"whatsApp":   {func(b *projects.Business) { b.WhatsApp = "12" }, "bad_value"},
		"email":      {func(b *projects.Business) { b.Email = "hello" }, "bad_value"},
		"website":    {func(b *projects.Business) { b.Website = "javascript:alert(1)" }, "bad_value"},
		"http":       {func(b *projects.Business) { b.Website = "http://dale.example" }, "bad_value"},
		"no logo":    {func(b *projects.Business) { b.Logo = "aaaaaaaaaaaaaaaaaaaaaaaa" }, "no_such_file"},
		"chat image": {func(b *projects.Business) { b.Logo = f.send(f.admin, "chat") }, "not_a_photo"},
		"version":    {func(b *projects.Business) { b.Version = 1 }, "changed"},
	} {
		bad := b
		tt.change(&bad)
		_, err := save(bad)
		t.Log(name)
		wantCode(t, err, tt.want)
	}
	_, err = f.store.SaveBusiness(t.Context(), f.viewer, b)
	wantCode(t, err, "role_required")

	other := newFirm(t)
	_, err = other.store.SaveBusiness(t.Context(), other.admin, projects.Business{Name: "Dale", Site: b.Site})
	wantCode(t, err, "site_taken")
	// A business of the same name gets another address.
	twin := must[projects.Business](t)(other.store.SaveBusiness(t.Context(), other.admin,
		projects.Business{Name: b.Site}))
	if twin.Site != b.Site+"-2" {
		t.Errorf("the other business is at %s", twin.Site)
	}
}

func TestALogoIsPublicWithThePages(t *testing.T) {
	t.Parallel()
	f := newFirm(t)
	b := f.site()
	b.Logo = f.send(f.manager, "photo")
	b = must[projects.Business](t)(f.store.SaveBusiness(t.Context(), f.manager, b))
	_, _, err := f.store.PhotoLink(t.Context(), f.viewer, "", b.Logo, 480)
	wantCode(t, err, "photo_not_found")
	f.settle(f.manager, b.Logo)
	b = must[projects.Business](t)(f.store.Business(t.Context(), f.viewer))
	if len(b.LogoSizes) != 3 {
		t.Fatalf("the profile is %+v", b)
	}
	address, _, err := f.store.PhotoLink(t.Context(), f.viewer, "", b.Logo, 480)
	if err != nil || fetch(t, address) != "small" {
		t.Errorf("the logo is at %s, %v", address, err)
	}
	_, _, err = f.pages.Photo(t.Context(), b.Site, b.Logo, 480)
	wantCode(t, err, "photo_not_found")
	p := f.publish(f.job(), "oak")
	content, _, err := f.pages.Photo(t.Context(), b.Site, b.Logo, 480)
	if string(content) != "small" || err != nil {
		t.Errorf("the logo is %q, %v", content, err)
	}
	// What is said of the business is on all pages at once; their address stays.
	logo := f.object(f.manager, b.Logo, 480)
	b.Name, b.Logo = "Dale & Daughter", ""
	if b = must[projects.Business](t)(f.store.SaveBusiness(t.Context(), f.manager, b)); len(b.LogoSizes) != 0 {
		t.Errorf("without a logo the profile is %+v", b)
	}
	if page := must[projects.Page](t)(f.pages.Page(t.Context(), b.Site,
		p.Slug)); page.Business.Name != "Dale & Daughter" {
		t.Errorf("the page is by %+v", page.Business)
	}
	b.Site += "-new"
	_, err = f.store.SaveBusiness(t.Context(), f.manager, b)
	wantCode(t, err, "site_in_use")
	if n := localtest.SQL(t, `select count(*)::int as n from public.uploads u where u.org_id = $1 and u.kept
		and not exists (select from public.project_images i where i.code = u.id)`, f.org.ID)[0]["n"]; n != int32(0) {
		t.Errorf("%v former logos are kept", n)
	}
	if _, _, err := storage.New(f.client, "uploads").Read(t.Context(), identity.Caller{}, logo,
		100); err == nil {
		t.Error("a former logo is public")
	}
}
