package tools

import (
	"context"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed texts/promptForImages.md
var promptForImagesText string

//go:embed texts/reorderImages.md
var reorderImagesText string

//go:embed texts/attachPhotos.md
var attachPhotosText string

//go:embed texts/describePhoto.md
var describePhotoText string

//go:embed texts/removePhoto.md
var removePhotoText string

//go:embed texts/confirmPhotoPrivacy.md
var confirmPrivacyText string

// stage is when in the job a photo was taken.
type stage string

// Values returns the closed set.
func (stage) Values() []string {
	return []string{string(projects.Before), string(projects.During), string(projects.After)}
}

type promptInput struct {
	about
	Title  string  `json:"title,omitempty" jsonschema:"what the person is asked for, in one sentence"`
	Wanted []stage `json:"wanted,omitempty" jsonschema:"of which stages there are too few photos"`
}

func (t *set) promptForImages() tool.Tool {
	return on(tool.Spec{Name: "promptForImages", Effect: tool.Reads, Description: promptForImagesText,
		Shows: []string{"photos"}}, asking,
		func(ctx context.Context, by identity.Caller, in promptInput) (prompted, error) {
			p, err := t.Store.Get(ctx, by, in.code())
			if err != nil {
				return prompted{}, err
			}
			return in.prompt(p)
		})
}

func (in promptInput) prompt(p projects.Project) (prompted, error) {
	out := prompted{part.Photos{Project: p.Code, Most: projects.MaxImages}}
	of := map[projects.Stage]int{}
	for _, i := range p.Images {
		if i.State != projects.Refused {
			out.Have++
			of[i.Stage]++
		}
	}
	if len(p.Images) >= projects.MaxImages {
		return out, fault.New(fault.Conflict, "The project has %d photos, which is the most. Take some out first.",
			len(p.Images)).WithCode("too_many_images")
	}
	for _, s := range in.Wanted {
		out.Wanted = append(out.Wanted, string(s))
	}
	if len(in.Wanted) == 0 && out.Have > 0 {
		for _, s := range []projects.Stage{projects.Before, projects.After} {
			if of[s] == 0 {
				out.Wanted = append(out.Wanted, string(s))
			}
		}
	}
	out.Title = strings.Join(strings.Fields(in.Title), " ")
	switch {
	case out.Title != "":
	case out.Have == 0:
		out.Title = "Add photos of the job: before, during and after, as far as there are any."
	case len(out.Wanted) > 0:
		out.Title = "Add photos from " + strings.Join(out.Wanted, " and ") + " the job, if there are any."
	default:
		out.Title = "Add more photos of the job."
	}
	return out, nil
}

type prompted struct{ part.Photos }

// Summarize says what is asked for.
func (p prompted) Summarize() string { return p.Title }

// Show shows where photos are dropped.
func (p prompted) Show() []part.Data { return []part.Data{p.Photos} }

type reorderInput struct {
	about
	Order   []string `json:"order,omitempty" jsonschema:"the photos that come first, by number or id"`
	Hero    string   `json:"hero,omitempty" jsonschema:"the photo for the top of the page, by number or id"`
	Version int      `json:"version,omitempty" limits:"max=1000000000" jsonschema:"the version that the editor shows"`
}

// Check requires something to do.
func (in *reorderInput) Check() error {
	if len(in.Order) == 0 && strings.TrimSpace(in.Hero) == "" {
		return fault.New(fault.Invalid, "Write the new order of the photos, or the photo for the top as hero.")
	}
	return nil
}

func (t *set) reorderImages() tool.Tool {
	return on(tool.Spec{Name: "reorderImages", Effect: tool.Writes, Target: tool.Own, Shows: []string{"page"},
		Description: reorderImagesText}, editing,
		func(ctx context.Context, by identity.Caller, in reorderInput) (edited, error) {
			p, err := t.change(ctx, by, in.code(), in.Version, in.changes)
			if err != nil {
				return edited{}, err
			}
			said := "Put the photos into the new order."
			if hero, ok := p.Hero(); ok && strings.TrimSpace(in.Hero) != "" {
				said = fmt.Sprintf("Photo %d is at the top of the page now.", number(p, hero.ID))
			}
			return t.edited(ctx, by, p, said), nil
		})
}

func (in reorderInput) changes(p projects.Project) (c projects.Changes, err error) {
	if len(in.Order) > 0 {
		order, known := []string{}, map[string]bool{}
		for _, name := range in.Order {
			image, err := photo(p, name)
			if err != nil {
				return c, err
			}
			if known[image.ID] {
				return c, fault.New(fault.Invalid, "The photo %s stands twice in the order.", name)
			}
			known[image.ID] = true
			order = append(order, image.ID)
		}
		c.Order = &order
	}
	if strings.TrimSpace(in.Hero) != "" {
		image, err := photo(p, in.Hero)
		if err != nil {
			return c, err
		}
		if image.State == projects.Refused {
			return c, fault.New(fault.Unprocessable, "The photo %s could not be read, so it cannot be shown.", in.Hero)
		}
		c.Hero = &image.ID
	}
	return c, nil
}

type attachInput struct {
	about
	Uploads []string `json:"uploads" jsonschema:"the ids of uploaded photos of the person"`
}

// Check requires uploads.
func (in *attachInput) Check() error {
	if len(in.Uploads) == 0 || len(in.Uploads) > projects.MaxImages {
		return fault.New(fault.Invalid, "Write the ids of 1 to %d uploads.", projects.MaxImages)
	}
	return nil
}

func (t *set) attachPhotos() tool.Tool {
	return on(tool.Spec{Name: "attachPhotos", Effect: tool.Writes, Target: tool.Own, Shows: []string{"page"},
		Description: attachPhotosText, Extension: "photos of a message become photos of the project"}, editing,
		func(ctx context.Context, by identity.Caller, in attachInput) (edited, error) {
			p, err := t.Store.Attach(ctx, by, in.code(), in.Uploads)
			if err != nil {
				return edited{}, err
			}
			return t.edited(ctx, by, p, fmt.Sprintf("The project has %s now.", count(len(p.Images), "photo"))), nil
		})
}

type describeInput struct {
	about
	Photo  string   `json:"photo,omitempty" jsonschema:"the photo, by number or id"`
	Photos []string `json:"photos,omitempty" jsonschema:"several photos of one stage, by number or id"`
	Alt    *string  `json:"alt,omitempty" jsonschema:"what is to be seen: one short sentence without names"`
	Stage  *string  `json:"stage,omitempty" jsonschema:"before, during or after; empty for not said"`
}

// Check requires photos, and something to say of them.
func (in *describeInput) Check() error {
	if in.Photo = strings.TrimSpace(in.Photo); in.Photo != "" {
		in.Photos = append(in.Photos, in.Photo)
	}
	switch {
	case len(in.Photos) == 0 || len(in.Photos) > projects.MaxImages:
		return fault.New(fault.Invalid, "Write which photo it is, or which photos.")
	case len(in.Photos) > 1 && in.Alt != nil:
		return fault.New(fault.Invalid, "Describe each photo by itself; only the stage is said of several at once.")
	case in.Alt == nil && in.Stage == nil:
		return fault.New(fault.Invalid, "Write what is to be seen as alt, or when the photo was taken as stage.")
	}
	if in.Stage != nil && *in.Stage != "" && !slices.Contains(stage("").Values(), *in.Stage) {
		return fault.New(fault.Invalid, "The stage is before, during or after; empty for not said.")
	}
	return nil
}

func (t *set) describePhoto() tool.Tool {
	return on(tool.Spec{Name: "describePhoto", Effect: tool.Writes, Target: tool.Own, Shows: []string{"page"},
		Description: describePhotoText, Extension: "a page is published only with words for each photo"}, editing,
		func(ctx context.Context, by identity.Caller, in describeInput) (edited, error) {
			var numbers []string
			p, err := t.change(ctx, by, in.code(), 0, func(p projects.Project) (c projects.Changes, err error) {
				c.Photos, numbers, err = in.changes(p)
				return c, err
			})
			if err != nil {
				return edited{}, err
			}
			return t.edited(ctx, by, p, in.sentence(numbers)), nil
		})
}

// changes returns the changes of the photos, and their numbers.
func (in describeInput) changes(p projects.Project) (changes []projects.PhotoChange, numbers []string, err error) {
	for _, name := range in.Photos {
		image, err := photo(p, name)
		if err != nil {
			return nil, nil, err
		}
		c := projects.PhotoChange{ID: image.ID, Stage: (*projects.Stage)(in.Stage)}
		if in.Alt != nil {
			alt, err := oneLine("description of the photo", *in.Alt, maxAlt)
			if err != nil {
				return nil, nil, err
			}
			c.Alt = &alt
		}
		changes, numbers = append(changes, c), append(numbers, strconv.Itoa(number(p, image.ID)))
	}
	return changes, numbers, nil
}

// sentence says what is said of the photos of these numbers now.
func (in describeInput) sentence(numbers []string) string {
	which, are := "Photo "+numbers[0], "is"
	if len(numbers) > 1 {
		which, are = "Photos "+strings.Join(numbers, ", "), "are"
	}
	switch {
	case in.Alt != nil && strings.TrimSpace(*in.Alt) == "":
		return which + " has no description now."
	case in.Alt != nil:
		return which + " is described as “" + short(*in.Alt) + "”."
	case *in.Stage == "":
		return which + " " + are + " marked as of no stage now."
	}
	return which + " " + are + " marked as taken " + *in.Stage + " the job."
}

type removeInput struct {
	about
	Photo string `json:"photo" jsonschema:"the photo, by number or id"`
}

func (t *set) removePhoto() tool.Tool {
	return on(tool.Spec{Name: "removePhoto", Effect: tool.Writes, Target: tool.Own, Shows: []string{"page"},
		Description: removePhotoText, Extension: "a photo may show too much, or stand there twice"}, editing,
		func(ctx context.Context, by identity.Caller, in removeInput) (edited, error) {
			var at int
			p, err := t.change(ctx, by, in.code(), 0, func(p projects.Project) (projects.Changes, error) {
				image, err := photo(p, in.Photo)
				at = number(p, image.ID)
				return projects.Changes{Remove: []string{image.ID}}, err
			})
			if err != nil {
				return edited{}, err
			}
			return t.edited(ctx, by, p, fmt.Sprintf("Took out photo %d. It can be brought back with undo.", at)), nil
		})
}

// seen is what is to be seen of people or of number plates.
type seen string

// Values returns the closed set.
func (seen) Values() []string { return []string{"none", "agreed"} }

type privacyInput struct {
	about
	Faces  seen `json:"faces,omitempty" jsonschema:"people: none can be recognized, or they agreed"`
	Plates seen `json:"plates,omitempty" jsonschema:"number plates: none can be read, or the owners agreed"`
}

// Check requires an answer.
func (in *privacyInput) Check() error {
	if in.Faces == "" && in.Plates == "" {
		return fault.New(fault.Invalid, "Write what the person said of faces, of plates, or of both.")
	}
	return nil
}

// answers recognizes a message that says something of people or signs in photos, or
// says yes or no.
var answers = regexp.MustCompile(`(?i)\b(face|faces|people|person|persons|anyone|anybody|no ?one|nobody|none|plate|` +
	`plates|car|cars|van|vans|house numbers?|recogni[sz]\w*|consent\w*|agree\w*|permission|allowed|yes|yeah|yep|no|` +
	`nope|ok|okay|fine|clear|haan|nahi|nahin|sí|si|ninguna|nadie)\b`)

func (t *set) confirmPhotoPrivacy() tool.Tool {
	return on(tool.Spec{Name: "confirmPhotoPrivacy", Effect: tool.Writes, Target: tool.Own, Shows: []string{"page"},
		Description: confirmPrivacyText, Extension: "whether people agreed to be shown is theirs to say"}, editing,
		func(ctx context.Context, by identity.Caller, in privacyInput) (edited, error) {
			if said, ok := saidIn(ctx); ok && !answers.MatchString(said.Latest) {
				return edited{}, fault.New(fault.Unprocessable, "The person has not said this yet. Ask whether "+
					"people or number plates can be recognized in the photos, and whether they agreed.").
					WithCode("not_said")
			}
			p, err := t.change(ctx, by, in.code(), 0, in.changes)
			if err != nil {
				return edited{}, err
			}
			return t.edited(ctx, by, p, fmt.Sprintf("Noted for the %s of today: %s.",
				count(len(p.Private.Images), "photo"), privateWords(p.Private))), nil
		})
}

func (in privacyInput) changes(p projects.Project) (projects.Changes, error) {
	if len(p.Images) == 0 {
		return projects.Changes{}, fault.New(fault.Unprocessable, "The project has no photos yet.").
			WithCode("no_photos")
	}
	var today []string
	for _, i := range p.Images {
		if i.State == projects.Reading {
			return projects.Changes{}, fault.New(fault.Conflict, "A photo is still being read. Ask again in a "+
				"moment, when all of them can be seen.").WithCode("photos_reading").WithRetryAfter(readingTime)
		}
		if i.State == projects.Ready {
			today = append(today, i.ID)
		}
	}
	private := projects.Private{Faces: string(in.Faces), Plates: string(in.Plates), Images: today}
	// An answer for the same photos stays beside the new one.
	if same(p.Private.Images, today) {
		if private.Faces == "" {
			private.Faces = p.Private.Faces
		}
		if private.Plates == "" {
			private.Plates = p.Private.Plates
		}
	}
	return projects.Changes{Private: &private}, nil
}

func privateWords(p projects.Private) string {
	var said []string
	switch p.Faces {
	case "none":
		said = append(said, "no person can be recognized")
	case "agreed":
		said = append(said, "the people in them agreed")
	}
	switch p.Plates {
	case "none":
		said = append(said, "no number plates can be read")
	case "agreed":
		said = append(said, "the owners of the number plates agreed")
	}
	return strings.Join(said, ", and ")
}

// same reports whether two lists hold the same ids in any order.
func same(a, b []string) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}
