package part

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Gallery is the content of a part of the kind gallery: pictures in Storage. It
// names them and holds no address from which they can be fetched: clients get a
// signed one, valid for minutes, each time that they show a picture.
type Gallery struct {
	Title    string    `json:"title"`
	Pictures []Picture `json:"pictures"`
}

// Picture is one picture of a gallery.
type Picture struct {
	// Source is the path of an uploaded file, "/api/uploads/" and its id. With
	// link=1 its answer has the signed address.
	Source string `json:"source"`
	// Alt says what the picture is, for those who do not see it.
	Alt    string `json:"alt"`
	Width  int    `json:"width"` // pixels
	Height int    `json:"height"`
}

// Limits of a gallery.
const (
	maxPictures = 12
	maxAlt      = 200
	maxSide     = 20_000
)

var pictureSource = regexp.MustCompile(`^/api/uploads/[a-z2-9]{24}$`)

// Kind is "gallery".
func (Gallery) Kind() string { return "gallery" }

// Text lists the pictures with their sizes.
func (g Gallery) Text() string {
	lines := []string{g.Title}
	for _, p := range g.Pictures {
		lines = append(lines, fmt.Sprintf("- %s (%d × %d pixels)", p.Alt, p.Width, p.Height))
	}
	return strings.Join(lines, "\n")
}

// Check refuses pictures that are elsewhere than in Storage, and those without a
// text or a size.
func (g Gallery) Check() error {
	if strings.TrimSpace(g.Title) == "" || len(g.Pictures) == 0 || len(g.Pictures) > maxPictures {
		return errors.New("the gallery has no title, no pictures, or too many")
	}
	for _, p := range g.Pictures {
		switch {
		case !pictureSource.MatchString(p.Source):
			return fmt.Errorf("%q is no file in Storage", p.Source)
		case strings.TrimSpace(p.Alt) == "" || utf8.RuneCountInString(p.Alt) > maxAlt:
			return errors.New("a picture has no text, or a long one")
		case p.Width < 1 || p.Width > maxSide || p.Height < 1 || p.Height > maxSide:
			return errors.New("a picture has no size")
		}
	}
	return nil
}
