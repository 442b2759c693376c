package travel_test

import (
	"errors"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

func TestMain(m *testing.M) { localtest.Main(m) }

// agency is an organisation of one test.
type agency struct {
	t      testing.TB
	client *supabase.Client
	org    localtest.Org

	admin, manager, viewer identity.Caller
}

func newAgency(t testing.TB) *agency {
	t.Helper()
	client, err := supabase.New(localtest.Config(t, localtest.Stack(t)))
	if err != nil {
		t.Fatal(err)
	}
	a := &agency{t: t, client: client, org: localtest.NewOrg(t)}
	localtest.Give(t, localtest.Stack(t), a.org.ID, "travel")
	a.admin, a.manager, a.viewer = a.as(a.org.Admin), a.as(a.org.Manager), a.as(a.org.Viewer)
	return a
}

func (a *agency) as(p localtest.Person) identity.Caller {
	a.t.Helper()
	return must[identity.Caller](a.t)(a.client.Whoami(a.t.Context(), identity.Secret(p.Token)))
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
