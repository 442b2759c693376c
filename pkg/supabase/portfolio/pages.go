package portfolio

import (
	"context"
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/storage"
)

// maxPhoto bounds the bytes of a rendition, which has at most 1,600 pixels of width.
const maxPhoto = 8 << 20

// Pages is a projects.Pages. It has no token: it sees what the database shows to
// everybody.
type Pages struct {
	client *supabase.Client
	bytes  storage.Bucket
}

var _ projects.Pages = Pages{}

// NewPages returns the public pages in the project of client.
func NewPages(client *supabase.Client) Pages { return Pages{client, storage.New(client, "uploads")} }

// Page returns a public page; see projects.Pages.
func (p Pages) Page(ctx context.Context, site, slug string) (projects.Page, error) {
	return supabase.Read[projects.Page](ctx, p.client.As(identity.Caller{}), "public_page",
		supabase.Args{"p_site": site, "p_slug": slug})
}

// Site returns the pages of an organisation; see projects.Pages.
func (p Pages) Site(ctx context.Context, site string) (projects.Site, error) {
	return supabase.Read[projects.Site](ctx, p.client.As(identity.Caller{}), "public_site",
		supabase.Args{"p_site": site})
}

// Photo returns a rendition of a public photo; see projects.Pages.
func (p Pages) Photo(ctx context.Context, site, image string, width int) ([]byte, string, error) {
	k, err := supabase.Read[kept](ctx, p.client.As(identity.Caller{}), "public_photo",
		supabase.Args{"p_site": site, "p_image": image})
	if err != nil {
		return nil, "", err
	}
	for _, r := range k.Renditions {
		if r.Width == width {
			content, _, err := p.bytes.Read(ctx, identity.Caller{}, rendition(k.Path, width), maxPhoto)
			return content, "image/jpeg", err
		}
	}
	return nil, "", noPhoto()
}

// rendition returns the name in Storage of a photo's rendition.
func rendition(path string, width int) string { return fmt.Sprintf("%s-%d.jpg", path, width) }

func noPhoto() error {
	return fault.New(fault.NotFound, "There is no such photo, or not of this width.").WithCode("photo_not_found")
}
