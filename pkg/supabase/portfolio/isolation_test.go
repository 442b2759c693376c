package portfolio_test

import (
	"reflect"
	"testing"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// Another organisation's project is none, whatever is asked of it, and a viewer changes
// nothing of their own organisation's.
func TestProjectsOfOthersAreNone(t *testing.T) {
	t.Parallel()
	f, stranger := newFirm(t), newFirm(t)
	stranger.site()
	p := f.job()
	image := p.Images[0].ID
	for name, try := range map[string]func(by identity.Caller, code string) error{
		"get": func(by identity.Caller, code string) error { return second(f.store.Get(t.Context(), by, code)) },
		"versions": func(by identity.Caller, code string) error {
			return second(f.store.Versions(t.Context(), by, code))
		},
		"link": func(by identity.Caller, code string) error {
			_, _, err := f.store.PhotoLink(t.Context(), by, code, image, 480)
			return err
		},
		"update": func(by identity.Caller, code string) error {
			return second(f.store.Update(t.Context(), by, code, 0, projects.Changes{Title: new("x")}))
		},
		"merge": func(by identity.Caller, code string) error {
			return second(f.store.Merge(t.Context(), by, code, func(projects.Project) (projects.Changes, error) {
				return projects.Changes{Title: new("x")}, nil
			}))
		},
		"undo": func(by identity.Caller, code string) error { return second(f.store.Undo(t.Context(), by, code)) },
		"attach": func(by identity.Caller, code string) error {
			return second(f.store.Attach(t.Context(), by, code, []string{image}))
		},
		"publish": func(by identity.Caller, code string) error {
			return second(f.store.Publish(t.Context(), by, code, 0, "x", "Leeds, Yorkshire"))
		},
		"unpublish": func(by identity.Caller, code string) error {
			return second(f.store.Unpublish(t.Context(), by, code))
		},
		"archive": func(by identity.Caller, code string) error {
			return second(f.store.Archive(t.Context(), by, code, true))
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, code := range []string{p.Code, "PRJ-AAAAAA", uuid.NewString(), "' or true --"} {
				wantCode(t, try(stranger.admin, code), "project_not_found")
			}
			if reads := name == "get" || name == "versions" || name == "link"; reads {
				if err := try(f.viewer, p.Code); err != nil {
					t.Error(err)
				}
			} else if name != "merge" {
				wantCode(t, try(f.viewer, p.Code), "role_required")
			}
		})
	}
	list := must[[]projects.Item](t)(stranger.store.List(t.Context(), stranger.viewer))
	if len(list) != 0 {
		t.Errorf("the stranger sees %+v", list)
	}
	if now := must[projects.Project](t)(f.store.Get(t.Context(), f.viewer, p.Code)); !reflect.DeepEqual(now, p) {
		t.Errorf("the project became %+v", now)
	}
}

func second[T any](_ T, err error) error { return err }
