package projects

import (
	"context"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Changes are what changes of a project; nil members stay. Where it is encoded,
// members that stay are left out.
type Changes struct {
	Title       *string   `json:"title,omitempty"`
	Type        *string   `json:"type,omitempty"`
	Place       *Place    `json:"place,omitempty"`
	Detail      *Detail   `json:"locationDetail,omitempty"`
	Story       *Story    `json:"story,omitempty"`
	Materials   *[]string `json:"materials,omitempty"`
	Techniques  *[]string `json:"techniques,omitempty"`
	Tags        *[]string `json:"tags,omitempty"`
	Description *string   `json:"description,omitempty"`
	SEO         *SEO      `json:"seo,omitempty"`
	Blocks      *[]Block  `json:"descriptionBlocks,omitempty"`
	Private     *Private  `json:"privacy,omitempty"`
	// Images says how photos are shown: the ids in their new order. Photos that it does
	// not name follow in their order of today.
	Order *[]string `json:"order,omitempty"`
	Hero  *string   `json:"hero,omitempty"` // a photo's id
	// Photos are changes of single photos.
	Photos []PhotoChange `json:"photos,omitempty"`
	// Remove names photos that are taken out; an undo brings them back.
	Remove []string `json:"remove,omitempty"`
}

// PhotoChange changes what is said of a photo; nil members stay.
type PhotoChange struct {
	ID    string  `json:"id"`
	Alt   *string `json:"alt,omitempty"`
	Stage *Stage  `json:"stage,omitempty"`
}

// Item is a project in a list.
type Item struct {
	Code      string    `json:"code"`
	Title     string    `json:"title"`
	Type      string    `json:"type"`
	Status    Status    `json:"status"`
	Phase     Phase     `json:"phase"`
	URL       string    `json:"url"`
	Images    int       `json:"images"`
	Hero      string    `json:"hero"` // a photo's id; "" for none
	UpdatedAt time.Time `json:"updatedAt"`
}

// Version is a state of a project that an undo leads back to.
type Version struct {
	Version int       `json:"version"`
	What    string    `json:"what"` // what was changed then: "title, photos"
	By      string    `json:"by"`   // a person's name
	At      time.Time `json:"at"`
}

// Store keeps projects. Every method acts for by, with the caller's own token:
// members read, administrators and managers write. A project that the organisation
// does not have is a fault.NotFound error with the code "project_not_found". Methods
// that write return the project as it is then.
type Store interface {
	// Begin makes a project. With the same key, at most once for a person: again it
	// returns what the first call made.
	Begin(ctx context.Context, by identity.Caller, key, title string) (Project, error)
	List(ctx context.Context, by identity.Caller) ([]Item, error)
	Get(ctx context.Context, by identity.Caller, code string) (Project, error)
	// Update changes a project. version is the one that the caller saw, and another one
	// by now is a fault.Conflict error with the code "changed"; 0 changes any version.
	Update(ctx context.Context, by identity.Caller, code string, version int, c Changes) (Project, error)
	// Merge adds to the story, the materials and so on what read makes of the project as
	// it is: it reads, changes and, where it was changed meanwhile, begins again.
	Merge(ctx context.Context, by identity.Caller, code string, read func(Project) (Changes, error)) (Project, error)
	// Undo leads back to the state before the last change, of at most 50. It is a
	// fault.Conflict error with the code "nothing_to_undo" where there is none.
	Undo(ctx context.Context, by identity.Caller, code string) (Project, error)
	Versions(ctx context.Context, by identity.Caller, code string) ([]Version, error)
	// Attach takes uploads of the caller's (purpose "photo"), by their ids, as photos of
	// the project, behind the others. Ones that are attached already stay as they are. It
	// returns fault.NotFound "no_such_file", fault.Unprocessable "not_a_photo" and
	// fault.Conflict "too_many_images".
	Attach(ctx context.Context, by identity.Caller, code string, uploads []string) (Project, error)
	// Publish makes the page of the version public, under the slug or the first free one
	// of its kind (slug-2). place is where the job was, as it may be shown.
	Publish(ctx context.Context, by identity.Caller, code string, version int, slug, place string) (Project, error)
	Unpublish(ctx context.Context, by identity.Caller, code string) (Project, error)
	// Archive hides a project that is not public, and brings it back.
	Archive(ctx context.Context, by identity.Caller, code string, hidden bool) (Project, error)

	// Business returns the organisation's profile; its Version is 0 where there is none.
	Business(ctx context.Context, by identity.Caller) (Business, error)
	// SaveBusiness keeps it where it has still the version that b has, else it is a
	// fault.Conflict error with the code "changed"; "site_taken" is one of another
	// organisation. A Logo is an upload's id (purpose "photo") or the one that is there.
	SaveBusiness(ctx context.Context, by identity.Caller, b Business) (Business, error)

	// PhotoLink returns an address from which a photo can be fetched for some minutes, at
	// the smallest width that is at least that wide, else the largest.
	PhotoLink(ctx context.Context, by identity.Caller, code, image string, width int) (address string,
		life time.Duration, err error)
}

// Page is what is public of a project: as it was when it was published.
type Page struct {
	Slug        string    `json:"slug"`
	Title       string    `json:"title"`
	Type        string    `json:"type"`
	Place       string    `json:"place"` // as it may be shown; "" for nothing
	Description string    `json:"description"`
	SEO         SEO       `json:"seo"`
	Tags        []string  `json:"tags"`
	Materials   []string  `json:"materials"`
	Techniques  []string  `json:"techniques"`
	Completed   string    `json:"completed"`
	Duration    string    `json:"duration"`
	Blocks      []Block   `json:"descriptionBlocks"`
	Images      []Image   `json:"images"` // ready ones; without their names
	Business    Business  `json:"business"`
	Published   time.Time `json:"publishedAt"`
	Changed     time.Time `json:"modifiedAt"` // when it was last published
	// MovedTo is the slug of today, of a page that is asked for by an older one; then
	// nothing else is filled in.
	MovedTo string `json:"movedTo"`
}

// Site is what is public of an organisation: its profile and its pages, the newest
// first.
type Site struct {
	Business Business `json:"business"`
	Pages    []Page   `json:"pages"` // without blocks, and with the hero alone
}

// Pages reads what is public, for everybody. What is not there is a fault.NotFound
// error, and a page that was taken back a fault.Gone one.
type Pages interface {
	Page(ctx context.Context, site, slug string) (Page, error)
	Site(ctx context.Context, site string) (Site, error)
	// Photo returns a photo of a public page, or a logo, as JPEG (or PNG, of a logo), at
	// one of its widths.
	Photo(ctx context.Context, site, image string, width int) (content []byte, mediaType string, err error)
}
