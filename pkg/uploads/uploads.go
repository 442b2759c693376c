// Package uploads is about files that people hand to assistants: which are taken,
// what their bytes really are, and what is to be read in them.
//
// A file goes to the file store by itself, past our functions, to an address that
// is good for it alone. Then its bytes are looked at, once: what they are decides,
// never the name or the type that its sender gave. What is read is kept beside
// it, so that a later use needs no reader of files.
package uploads

import (
	"context"
	"fmt"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// State is how far a file is.
type State string

// The states of a file.
const (
	Waiting State = "waiting" // its bytes are on their way, or were not looked at
	Ready   State = "ready"
	Refused State = "refused" // Reason says why
	Expired State = "expired" // its time has passed
)

// File is a file of a user.
type File struct {
	ID     string `json:"id"`   // for programs: random, and no UUID
	Name   string `json:"name"` // for people and models
	Kind   Kind   `json:"kind"`
	Type   string `json:"type"` // media type; of a file that is ready, by its bytes
	Size   int64  `json:"size"` // bytes
	State  State  `json:"state"`
	Reason string `json:"reason"`
	Facts  Facts  `json:"facts"`
	// Body is the text that is read in it; only Store.Read fills it.
	Body string `json:"body"`
	// ExpiresAt is zero for a photo that a project has.
	ExpiresAt time.Time `json:"expiresAt"`
	// Path is where its bytes are; never shown. Those of a photo that is ready are beside
	// it, see Rendition.
	Path    string  `json:"path"`
	Purpose Purpose `json:"purpose"`
}

// Facts are what is known of a file's content. What does not apply is zero.
type Facts struct {
	Pages   int     `json:"pages,omitempty"`
	Sheets  int     `json:"sheets,omitempty"`
	Rows    int     `json:"rows,omitempty"`
	Width   int     `json:"width,omitempty"`
	Height  int     `json:"height,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`
	// Left is how many characters of the text are beyond what is kept.
	Left int `json:"left,omitempty"`
	// Renditions are those of a photo, the smallest first.
	Renditions []Rendition `json:"renditions,omitempty"`
}

// Rendition is a photo at one width: a JPEG file without metadata. Its bytes are at
// the path of the photo, with "-480.jpg" behind it.
type Rendition struct {
	Width   int    `json:"width"` // pixels
	Height  int    `json:"height"`
	Bytes   int    `json:"bytes"`
	Content []byte `json:"-"` // while it is made
}

// Photo is what is made of a photo.
type Photo struct {
	Width, Height int // of the largest rendition
	Renditions    []Rendition
}

// PhotoReader makes renditions of photos.
type PhotoReader interface {
	// Process returns the renditions of a photo, the smallest first. mediaType is what
	// its bytes are. Errors are faults with a sentence for people.
	Process(ctx context.Context, content []byte, mediaType string) (Photo, error)
}

// Describe returns what a file is, for people: "PDF file, 3 pages".
func (f File) Describe() string {
	text := f.Kind.noun()
	count := func(n int, one string) {
		if n == 1 {
			text += ", 1 " + one
		} else if n > 1 {
			text += fmt.Sprintf(", %d %ss", n, one)
		}
	}
	count(f.Facts.Pages, "page")
	count(f.Facts.Sheets, "sheet")
	count(f.Facts.Rows, "row")
	if f.Facts.Width > 0 {
		text += fmt.Sprintf(", %d × %d", f.Facts.Width, f.Facts.Height)
	}
	return text
}

// Draft is a file that a user wants to send.
type Draft struct {
	Name    string
	Kind    Kind
	Type    string
	Size    int64
	Purpose Purpose // "" is ForChat
}

// Finding is what a look at a file's bytes brought.
type Finding struct {
	Kind    Kind
	Type    string
	Size    int64
	Refusal string // a sentence; "" for a file that is ready
	Facts   Facts
	Body    string
	Days    int // how long it is kept; 0 is as long as others of its state
}

// Store keeps what is known of files. Each method acts for by, who has only
// files of their own.
type Store interface {
	// Begin makes room for a file. gone are the paths of files of by's whose time
	// has passed: their bytes should go. It returns fault.Conflict with the code
	// "too_many_files".
	Begin(ctx context.Context, by identity.Caller, d Draft) (f File, gone []string, err error)
	// Settle says what a look at a waiting file brought, and returns the file as
	// it is now: what an earlier look brought stays. It returns fault.NotFound.
	Settle(ctx context.Context, by identity.Caller, id string, found Finding) (File, error)
	// Read returns the files of these ids with their bodies, in no order. Ids that
	// are not by's are passed over.
	Read(ctx context.Context, by identity.Caller, ids ...string) ([]File, error)
	// Forget removes a file and returns it, or fault.NotFound.
	Forget(ctx context.Context, by identity.Caller, id string) (File, error)
}

// Bytes is where the bytes of files are. Each method acts for by, who reaches
// only paths of their own.
type Bytes interface {
	// SignUpload returns an address that takes the bytes of one file by PUT, and
	// the token in it.
	SignUpload(ctx context.Context, by identity.Caller, path string) (address, token string, err error)
	// SignDownload returns an address that gives the bytes away for so long.
	SignDownload(ctx context.Context, by identity.Caller, path, filename string, life time.Duration) (string, error)
	// Read returns at most so many bytes from the beginning, and how many there
	// are, or fault.NotFound.
	Read(ctx context.Context, by identity.Caller, path string, most int64) (content []byte, size int64, err error)
	// Put keeps the bytes of a file that is waited for.
	Put(ctx context.Context, by identity.Caller, path, mediaType string, content []byte) error
	// Remove removes what is there of the paths.
	Remove(ctx context.Context, by identity.Caller, paths ...string) error
}
