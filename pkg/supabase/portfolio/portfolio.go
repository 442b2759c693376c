// Package portfolio keeps projects, their photos and their pages in the project's
// database, and reads what is public of them.
package portfolio

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/storage"
)

// Limits of what is asked of the project.
const (
	mergeTries = 5
	linkLife   = 10 * time.Minute
)

// Store is a projects.Store. It acts with the caller's own token; the functions of
// the database decide by its role. Where the context has a claim, a write happens
// once under it.
type Store struct {
	client *supabase.Client
	bytes  storage.Bucket
}

var _ projects.Store = Store{}

// New returns the store in the project of client.
func New(client *supabase.Client) Store { return Store{client, storage.New(client, "uploads")} }

// writes returns the connection for what is written: under the claim of the context,
// else as the server's own affair. Both bear the proof.
func (s Store) writes(ctx context.Context, by identity.Caller) supabase.Conn {
	c := s.client.As(by)
	if _, ok := effect.From(ctx); !ok {
		return c.Control()
	}
	return c
}

// change calls a function that returns the project as it is then. Under a claim that
// was used before, it is the project as it is now.
func (s Store) change(ctx context.Context, by identity.Caller, function string, args supabase.Args) (projects.Project,
	error) {
	return supabase.Call(ctx, s.writes(ctx, by), function, args, func(did effect.Outcome) (projects.Project, error) {
		for _, r := range did.Rows {
			if r.Table == "projects" {
				return s.Get(ctx, by, r.Key)
			}
		}
		code, ok := args["p_project"].(string)
		if !ok {
			return projects.Project{}, fault.New(fault.Conflict,
				"This was done before and is not done twice.").WithCode("effect_claimed")
		}
		return s.Get(ctx, by, code)
	})
}

// Begin makes a project; see projects.Store.
func (s Store) Begin(ctx context.Context, by identity.Caller, key, title string) (projects.Project, error) {
	return s.change(ctx, by, "project_begin", supabase.Args{"p_key": key, "p_title": title})
}

// List returns headings of projects; see projects.Store.
func (s Store) List(ctx context.Context, by identity.Caller) ([]projects.Item, error) {
	return supabase.Read[[]projects.Item](ctx, s.client.As(by), "project_list", nil)
}

// Get returns a project; see projects.Store. For a preview, and for the act that
// follows one, it has no summary.
func (s Store) Get(ctx context.Context, by identity.Caller, code string) (projects.Project, error) {
	args := supabase.Args{"p_project": code}
	if claim, _ := effect.From(ctx); claim.Proposal != "" || effect.Recording(ctx) != nil {
		args["p_summary"] = false
	}
	return supabase.Read[projects.Project](ctx, s.client.As(by), "project_get", args)
}

// Update changes a project; see projects.Store.
func (s Store) Update(ctx context.Context, by identity.Caller, code string, version int,
	c projects.Changes) (projects.Project, error) {
	raw, err := json.Marshal(c)
	if err != nil {
		return projects.Project{}, err
	}
	return s.change(ctx, by, "project_change", supabase.Args{"p_project": code, "p_version": version,
		"p_changes": json.RawMessage(raw)})
}

// Merge changes a project by what read makes of it; see projects.Store.
func (s Store) Merge(ctx context.Context, by identity.Caller, code string,
	read func(projects.Project) (projects.Changes, error)) (projects.Project, error) {
	for try := 1; ; try++ {
		now, err := s.Get(ctx, by, code)
		if err != nil {
			return now, err
		}
		c, err := read(now)
		if err != nil {
			return now, err
		}
		then, err := s.Update(ctx, by, code, now.Version, c)
		if f, ok := errors.AsType[*fault.Error](err); !ok || f.Code != "changed" || try == mergeTries {
			return then, err
		}
	}
}

// Undo leads back to the state before the last change; see projects.Store.
func (s Store) Undo(ctx context.Context, by identity.Caller, code string) (projects.Project, error) {
	return s.change(ctx, by, "project_undo", supabase.Args{"p_project": code})
}

// Versions returns the states to which an undo leads back; see projects.Store.
func (s Store) Versions(ctx context.Context, by identity.Caller, code string) ([]projects.Version, error) {
	return supabase.Read[[]projects.Version](ctx, s.client.As(by), "project_versions",
		supabase.Args{"p_project": code})
}

// Attach takes uploads as photos; see projects.Store.
func (s Store) Attach(ctx context.Context, by identity.Caller, code string,
	uploads []string) (projects.Project, error) {
	if uploads == nil {
		uploads = []string{}
	}
	return s.change(ctx, by, "project_attach", supabase.Args{"p_project": code, "p_uploads": uploads})
}

// Publish makes the page public; see projects.Store.
func (s Store) Publish(ctx context.Context, by identity.Caller, code string, version int, slug,
	place string) (projects.Project, error) {
	return s.change(ctx, by, "project_publish", supabase.Args{"p_project": code, "p_version": version, "p_slug": slug,
		"p_place": place})
}

// Unpublish takes the page back; see projects.Store.
func (s Store) Unpublish(ctx context.Context, by identity.Caller, code string) (projects.Project, error) {
	return s.change(ctx, by, "project_unpublish", supabase.Args{"p_project": code})
}

// Archive hides a project or brings it back; see projects.Store.
func (s Store) Archive(ctx context.Context, by identity.Caller, code string, hidden bool) (projects.Project, error) {
	return s.change(ctx, by, "project_archive", supabase.Args{"p_project": code, "p_hidden": hidden})
}

// Business returns the organisation's profile; see projects.Store.
func (s Store) Business(ctx context.Context, by identity.Caller) (projects.Business, error) {
	return supabase.Read[projects.Business](ctx, s.client.As(by), "business_profile_get", nil)
}

// SaveBusiness keeps the profile; see projects.Store. Without a Site it keeps the one
// that it has, and a new profile gets one of its name.
func (s Store) SaveBusiness(ctx context.Context, by identity.Caller, b projects.Business) (projects.Business, error) {
	raw, err := json.Marshal(b)
	if err != nil {
		return b, err
	}
	return supabase.Call(ctx, s.writes(ctx, by), "business_profile_save", supabase.Args{"p": json.RawMessage(raw)},
		func(effect.Outcome) (projects.Business, error) { return s.Business(ctx, by) })
}

// kept is where the bytes of a photo are.
type kept struct {
	Path       string               `json:"path"`
	Renditions []projects.Rendition `json:"renditions"` // the smallest first
}

// object returns the name in Storage of the smallest rendition that is at least that
// wide, else of the largest.
func (k kept) object(width int) (string, bool) {
	for i, r := range k.Renditions {
		if r.Width >= width || i == len(k.Renditions)-1 {
			return rendition(k.Path, r.Width), true
		}
	}
	return "", false
}

// PhotoLink returns an address of a photo; see projects.Store. Without a code the
// image is the logo of the organisation's profile.
func (s Store) PhotoLink(ctx context.Context, by identity.Caller, code, image string, width int) (string,
	time.Duration, error) {
	function, args := "project_photo", supabase.Args{"p_project": code, "p_image": image}
	if code == "" {
		function, args = "business_logo", nil
	}
	k, err := supabase.Read[kept](ctx, s.client.As(by), function, args)
	if err != nil {
		return "", 0, err
	}
	name, ok := k.object(width)
	if !ok {
		return "", 0, noPhoto()
	}
	address, err := s.bytes.SignDownload(ctx, by, name, "", linkLife)
	return address, linkLife, err
}
