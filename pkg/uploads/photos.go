package uploads

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// shownWidth is the width of a photo that models see, in pixels.
const shownWidth = 960

// Rendition returns the smallest rendition of a photo that is at least that wide, else
// the largest. It reports false for files that are no photos of projects, and for ones
// that are not ready.
func (f File) Rendition(width int) (Rendition, bool) {
	list := f.Facts.Renditions
	if f.Purpose != ForPhoto || len(list) == 0 {
		return Rendition{}, false
	}
	for _, r := range list {
		if r.Width >= width {
			return r, true
		}
	}
	return list[len(list)-1], true
}

// at returns where the rendition of that width is.
func (f File) at(width int) string { return fmt.Sprintf("%s-%d.jpg", f.Path, width) }

// paths returns where bytes of the file may be.
func (f File) paths() []string {
	list := []string{f.Path}
	for _, r := range f.Facts.Renditions {
		list = append(list, f.at(r.Width))
	}
	return list
}

// jpegName returns the name of a photo with the ending of what is kept of it.
func jpegName(name string) string { return strings.TrimSuffix(name, path.Ext(name)) + ".jpg" }

// shown returns the bytes of a picture as models see it.
func (s *Service) shown(ctx context.Context, by identity.Caller, f File) ([]byte, error) {
	if r, ok := f.Rendition(shownWidth); ok {
		return s.content(ctx, by, f, f.at(r.Width))
	}
	return s.Content(ctx, by, f)
}

// lookAtPhoto makes the renditions of a photo and keeps them.
func (s *Service) lookAtPhoto(ctx context.Context, by identity.Caller, f File, draft Draft, content []byte,
	size int64) (Finding, error) {
	found := Finding{Kind: Image, Type: draft.Type, Size: min(max(1, size), Sound.MaxBytes())}
	refuse := func(err error) (Finding, error) {
		found.Refusal = fault.From(err).Message
		return found, nil
	}
	if s.Photos == nil {
		return found, fault.New(fault.Unavailable, "Photos cannot be read here.")
	}
	what := sniff(content)
	switch {
	case size == 0:
		return refuse(fault.New(fault.Unprocessable, "“%s” is empty.", f.Name))
	case size > draft.MaxBytes():
		return refuse(tooLarge(draft))
	case what.kind != Image || !isPhoto(what.mediaType):
		return refuse(fault.New(fault.Unprocessable, "%s The bytes of “%s” are those of %s.", sayPhotos, f.Name,
			what.name))
	}
	made, err := s.Photos.Process(ctx, content, what.mediaType)
	switch {
	case err == nil:
	case fault.Is(err, fault.Unprocessable):
		return refuse(fault.Wrap(fault.Unprocessable, err, "“%s”: %s", f.Name, fault.From(err).Message))
	default:
		return found, err
	}
	for _, r := range made.Renditions { // one after another: three requests are no reason for goroutines
		if err := s.putRendition(ctx, by, f.at(r.Width), r.Content); err != nil {
			return found, err
		}
	}
	last := made.Renditions[len(made.Renditions)-1]
	found.Type, found.Size = "image/jpeg", int64(last.Bytes)
	found.Facts = Facts{Width: made.Width, Height: made.Height, Renditions: made.Renditions}
	return found, nil
}

// putRendition keeps a rendition. An earlier look that did not come to its end, or one
// at the same time, may have put the same there; anything else goes.
func (s *Service) putRendition(ctx context.Context, by identity.Caller, path string, content []byte) error {
	err := s.Bytes.Put(ctx, by, path, "image/jpeg", content)
	if !fault.Is(err, fault.Conflict) {
		return err
	}
	there, size, readErr := s.Bytes.Read(ctx, by, path, int64(len(content)))
	switch {
	case readErr == nil && size == int64(len(content)) && bytes.Equal(there, content):
		return nil
	case readErr != nil && !fault.Is(readErr, fault.NotFound) && !fault.Is(readErr, fault.TooLarge):
		return errors.Join(err, readErr)
	}
	if err := s.Bytes.Remove(ctx, by, path); err != nil {
		return err
	}
	return s.Bytes.Put(ctx, by, path, "image/jpeg", content)
}
