package portfolio_test

import (
	"errors"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/portfolio"
)

func TestMain(m *testing.M) { localtest.Main(m) }

// firm is an organisation of one test with its store.
type firm struct {
	t      testing.TB
	client *supabase.Client
	store  portfolio.Store
	pages  portfolio.Pages
	org    localtest.Org

	admin, manager, viewer identity.Caller
}

func newFirm(t testing.TB) *firm {
	t.Helper()
	client, err := supabase.New(localtest.Config(t, localtest.Stack(t)))
	if err != nil {
		t.Fatal(err)
	}
	f := &firm{t: t, client: client, store: portfolio.New(client), pages: portfolio.NewPages(client),
		org: localtest.NewOrg(t)}
	localtest.Give(t, localtest.Stack(t), f.org.ID, "portfolio")
	f.admin, f.manager, f.viewer = f.as(f.org.Admin.Token), f.as(f.org.Manager.Token), f.as(f.org.Viewer.Token)
	return f
}

func (f *firm) as(token string) identity.Caller {
	f.t.Helper()
	by, err := f.client.Whoami(f.t.Context(), identity.Secret(token))
	if err != nil {
		f.t.Fatal(err)
	}
	return by
}

// begin makes a project.
func (f *firm) begin() projects.Project {
	f.t.Helper()
	return must[projects.Project](f.t)(f.store.Begin(f.t.Context(), f.manager, "", ""))
}

// change changes any version of a project.
func (f *firm) change(code string, c projects.Changes) projects.Project {
	f.t.Helper()
	return must[projects.Project](f.t)(f.store.Update(f.t.Context(), f.manager, code, 0, c))
}

// must returns a function that returns its first argument, and ends the test where
// there is an error.
func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatalf("%v (%v)", err, errors.Unwrap(err))
		}
		return v
	}
}

func wantCode(t testing.TB, err error, want string) {
	t.Helper()
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Code != want {
		t.Errorf("the error is %v (%v), want %s", err, errors.Unwrap(err), want)
	}
}

func TestAProjectIsBegunOnceForAKey(t *testing.T) {
	t.Parallel()
	f := newFirm(t)
	first := must[projects.Project](t)(f.store.Begin(t.Context(), f.manager, "thread 1", "Oak kitchen"))
	again := must[projects.Project](t)(f.store.Begin(t.Context(), f.manager, "thread 1", "Another title"))
	other := must[projects.Project](t)(f.store.Begin(t.Context(), f.admin, "thread 1", ""))
	if first.Code != again.Code || again.Title != "Oak kitchen" || other.Code == first.Code ||
		first.Phase != projects.Talking || first.Version != 1 || first.Status != projects.Draft {
		t.Errorf("begun were %+v, %+v and %+v", first, again, other)
	}
	_, err := f.store.Begin(t.Context(), f.viewer, "", "")
	wantCode(t, err, "role_required")
	list := must[[]projects.Item](t)(f.store.List(t.Context(), f.viewer))
	if len(list) != 2 || list[1].Code != first.Code || list[1].Title != "Oak kitchen" {
		t.Errorf("the list is %+v", list)
	}
	stranger := newFirm(t)
	_, err = stranger.store.Get(t.Context(), stranger.admin, first.Code)
	wantCode(t, err, "project_not_found")
}
