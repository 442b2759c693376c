package visitors_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx/visitors"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

const org = "b0000000-0000-4000-8000-000000000001"

// world is what an Authenticator works with; tests change it.
type world struct {
	now     time.Time
	signIns int
	failure error
	ended   map[string]bool // tokens that are good no more
	lasts   time.Duration
}

func newWorld() *world {
	return &world{now: time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC), ended: map[string]bool{}, lasts: time.Hour}
}

func (w *world) door(t *testing.T) *visitors.Authenticator {
	t.Helper()
	d, err := visitors.New(visitors.Config{
		Org: org, Keys: [][]byte{bytes.Repeat([]byte{7}, 32)}, Now: func() time.Time { return w.now },
		SignIn: func(context.Context) (identity.Secret, time.Duration, error) {
			w.signIns++
			return identity.Secret("token-" + string(rune('0'+w.signIns))), w.lasts, w.failure
		},
		Identify: func(_ context.Context, token string) (identity.Caller, error) {
			if w.ended[token] {
				return identity.Caller{}, fault.New(fault.Unauthorized, "Please sign in again.")
			}
			return identity.Caller{UserID: "u", Name: "Shared", Email: "shared@example.com", OrgID: org,
				Role: identity.Viewer, Token: identity.Secret(token)}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// admit sends a request with a cookie and returns the visitor and the cookie
// that is set, if one is.
func admit(t *testing.T, d *visitors.Authenticator, cookie string) (identity.Caller, string, error) {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "http://localhost:8787/api/chat", nil)
	if cookie != "" {
		r.Header.Set("Cookie", cookie)
	}
	w := httptest.NewRecorder()
	by, err := d.Admit(w, r)
	set, _, _ := strings.Cut(w.Header().Get("Set-Cookie"), ";")
	return by, set, err
}

// A visitor is known for thirty days after the cookie was last given, and it is
// given anew when half of them are over. Of several cookies ours counts.
func TestAVisitorIsKnownForAWhile(t *testing.T) {
	t.Parallel()
	w := newWorld()
	d := w.door(t)
	first, cookie, err := admit(t, d, "")
	if err != nil || first.Visitor == "" || cookie == "" || first.Name != "" || first.Email != "" ||
		first.Subject() != "u/"+first.Visitor {
		t.Fatalf("it admits %+v with %q, %v", first, cookie, err)
	}
	w.now = w.now.AddDate(0, 0, 14)
	if by, set, err := admit(t, d, "bellhop-visitor=nonsense; "+cookie); err != nil || by.Visitor != first.Visitor ||
		set != "" {
		t.Errorf("after fourteen days it admits %q with %q, %v", by.Visitor, set, err)
	}
	w.now = w.now.AddDate(0, 0, 2)
	by, renewed, err := admit(t, d, cookie)
	if err != nil || by.Visitor != first.Visitor || renewed == "" || renewed == cookie {
		t.Errorf("after sixteen days it admits %q with %q, %v", by.Visitor, renewed, err)
	}
	w.now = w.now.AddDate(0, 0, 15)
	if by, set, err := admit(t, d, cookie); err != nil || by.Visitor == first.Visitor || set == "" {
		t.Errorf("after thirty-one days it admits %q with %q, %v", by.Visitor, set, err)
	}
	if by, _, err := admit(t, d, renewed); err != nil || by.Visitor != first.Visitor {
		t.Errorf("with the newer cookie it admits %q, %v", by.Visitor, err)
	}
	w.now = w.now.AddDate(-1, 0, 0)
	if by, _, err := admit(t, d, renewed); err != nil || by.Visitor == first.Visitor {
		t.Errorf("a cookie of the future admits %q, %v", by.Visitor, err)
	}
}

// The account signs in once for all visitors, anew before its token ends or
// when it was ended elsewhere, and after a failure not at once.
func TestTheAccountSignsInNoOftenerThanItMust(t *testing.T) {
	t.Parallel()
	w := newWorld()
	d := w.door(t)
	expect := func(what string, signIns int, ok bool) {
		t.Helper()
		_, _, err := admit(t, d, "")
		if (err == nil) != ok || w.signIns != signIns || err != nil && fault.From(err).Code != "visitors_unavailable" {
			t.Errorf("%s: %d sign-ins, %v", what, w.signIns, err)
		}
	}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, _, err := admit(t, d, ""); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	expect("many at once", 1, true)
	w.now = w.now.Add(53 * time.Minute)
	expect("before the end", 1, true)
	w.now = w.now.Add(2 * time.Minute)
	expect("close to the end", 2, true)
	w.ended["token-2"] = true
	expect("ended elsewhere", 3, true)
	w.failure, w.now = errors.New("canary"), w.now.Add(time.Hour)
	expect("a failure", 4, false)
	expect("right after it", 4, false)
	w.now = w.now.Add(6 * time.Second)
	expect("a while after it", 5, false)
	w.failure, w.now = nil, w.now.Add(6*time.Second)
	expect("when it works again", 6, true)
	if _, _, err := admit(t, d, ""); err != nil && strings.Contains(fault.From(err).Message, "canary") {
		t.Errorf("the cause shows: %v", err)
	}
}
