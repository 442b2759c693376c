package identity_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	_ "time/tzdata" // zones must be there wherever the tests run

	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/pkg/identity"
)

func TestASecretNeverShowsItself(t *testing.T) {
	const canary = "canary-9f3b"
	by := identity.Caller{UserID: "u", Token: canary}
	var log bytes.Buffer
	zero := zerolog.New(&log)
	zero.Info().Interface("caller", by).Any("token", by.Token).Stringer("s", by.Token).Msg("x")
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "token", by.Token, "caller", by)
	encoded, err := json.Marshal(by)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"as a text": fmt.Sprint(by.Token), "quoted": fmt.Sprintf("%q", by.Token), "in Go's syntax": fmt.Sprintf("%#v",
			by),
		"inside its owner": fmt.Sprintf("%+v", by), "behind a pointer": fmt.Sprintf("%+v", &by),
		"in an error": fmt.Errorf("for %v: %s", by, by.Token).Error(),
		"in JSON":     string(encoded), "in the log": log.String(),
	} {
		if strings.Contains(text, canary) {
			t.Errorf("%s it shows: %s", name, text)
		}
	}
	if by.Token.Reveal() != canary {
		t.Error("who asks for it does not get it")
	}
}

func TestWhoWrites(t *testing.T) {
	for role, want := range map[identity.Role]bool{identity.Admin: true, identity.Manager: true,
		identity.Viewer: false, "": false, "owner": false, "ADMIN": false} {
		if role.Writes() != want {
			t.Errorf("%q writes: %v", role, role.Writes())
		}
	}
}

func TestACallerChoosesOnlyAmongTheirOwn(t *testing.T) {
	by := identity.Caller{Entities: []identity.Entity{
		{ID: "id-books", Key: "BOOKS", Kind: "company"}, {ID: "id-lake", Key: "LAKE", Kind: "property"},
		{ID: "id-hill", Key: "HILL", Kind: "property"},
	}}
	tests := map[string]struct{ name, kind, want string }{
		"the first of the kind":        {"", "property", "LAKE"},
		"the first of all":             {"", "", "BOOKS"},
		"by id":                        {"id-hill", "property", "HILL"},
		"by key":                       {"HILL", "property", "HILL"},
		"of any kind by key":           {"BOOKS", "", "BOOKS"},
		"somebody else's":              {"id-other", "property", ""},
		"a name that is nearly one":    {"hill", "property", ""},
		"none of the kind":             {"", "fleet", ""},
		"its own, but of another kind": {"BOOKS", "property", ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got, ok := by.Choose(tc.name, tc.kind)
			if ok != (tc.want != "") || got.Entity.Key != tc.want {
				t.Errorf("got %q, %v, want %q", got.Entity.Key, ok, tc.want)
			}
		})
	}
	if by.Entity.Key != "" {
		t.Error("choosing changed the caller who was asked")
	}
}

func TestAZoneThatThereIsNotIsReported(t *testing.T) {
	if _, err := (identity.Entity{Key: "LAKE", TimeZone: "Asia/Nowhere"}).Location(); err == nil ||
		!strings.Contains(err.Error(), "LAKE") {
		t.Errorf("got %v", err)
	}
	if loc, err := (identity.Entity{TimeZone: "Asia/Kolkata"}).Location(); err != nil ||
		loc.String() != "Asia/Kolkata" {
		t.Errorf("got %v, %v", loc, err)
	}
}
