package uploads

import (
	"context"
	"math"
	"mime"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/work"
)

// How long things are kept or may take.
const (
	linkLife = 5 * time.Minute
	keptLink = time.Hour
	// tidyWithin bounds the removal of bytes that are not needed any more, which
	// goes on when the request is over.
	tidyWithin = 3 * time.Second
)

// Service takes files in, looks at them, and gives them away again.
type Service struct {
	Store Store
	Bytes Bytes
	// Photos reads photos of projects; nil where they are not completed. Its decoders are
	// large, so only the function for uploads has them.
	Photos PhotoReader
}

// Begin makes room for a file and returns the address that takes its bytes.
func (s *Service) Begin(ctx context.Context, by identity.Caller, draft Draft) (f File, address, token string,
	err error) {
	f, gone, err := s.Store.Begin(ctx, by, draft)
	if err != nil {
		return f, "", "", err
	}
	s.tidy(ctx, by, gone...)
	address, token, err = s.Bytes.SignUpload(ctx, by, f.Path)
	return f, address, token, err
}

// tidy removes bytes that no file is about. What stays for now goes another
// time, or is out of reach at least.
func (s *Service) tidy(ctx context.Context, by identity.Caller, paths ...string) {
	if len(paths) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidyWithin)
	defer cancel()
	_ = s.Bytes.Remove(ctx, by, paths...)
}

// Get returns a file of by's. It returns fault.NotFound, and fault.Gone for one
// whose time has passed.
func (s *Service) Get(ctx context.Context, by identity.Caller, id string) (File, error) {
	if !IsID(id) {
		return File{}, noSuchFile()
	}
	list, err := s.Store.Read(ctx, by, id)
	switch {
	case err != nil:
		return File{}, err
	case len(list) == 0:
		return File{}, noSuchFile()
	case list[0].State == Expired:
		return File{}, fault.New(fault.Gone, "The time of “%s” has passed. Please send it again.",
			list[0].Name).WithCode("file_expired")
	}
	return list[0], nil
}

func noSuchFile() error {
	return fault.New(fault.NotFound, "There is no such file of yours.").WithCode("no_such_file")
}

// IsID reports whether a text has the form of a file's id.
func IsID(text string) bool {
	for _, c := range []byte(text) {
		if (c < 'a' || c > 'z') && (c < '2' || c > '9') {
			return false
		}
	}
	return len(text) == 24
}

// Complete looks at the bytes of a file, once. It returns fault.Conflict with
// the code "not_sent" while there are none. A refusal is no error: the file says
// that it is refused, and its bytes go.
func (s *Service) Complete(ctx context.Context, by identity.Caller, id string) (File, error) {
	f, err := s.Get(ctx, by, id)
	if err != nil || f.State != Waiting {
		return f, err
	}
	draft := Draft{Name: f.Name, Kind: f.Kind, Type: f.Type, Size: f.Size, Purpose: f.Purpose}
	content, size, err := s.Bytes.Read(ctx, by, f.Path, draft.MaxBytes())
	if fault.Is(err, fault.NotFound) {
		// Perhaps another request has looked at it meanwhile, and removed it.
		if now, err := s.Get(ctx, by, id); err != nil || now.State != Waiting {
			return now, err
		}
		return f, fault.Wrap(fault.Conflict, err, "“%s” has not arrived yet.", f.Name).WithCode("not_sent")
	}
	if err != nil {
		return f, err
	}
	found, err := s.look(ctx, by, f, draft, content, size)
	if err != nil {
		// Nothing can be put beside a photo that another request has settled meanwhile.
		if now, again := s.Get(ctx, by, id); again == nil && now.State != Waiting {
			return now, nil
		}
		return f, err
	}
	if f, err = s.Store.Settle(ctx, by, id, found); err == nil && (f.State == Refused || f.Purpose == ForPhoto) {
		s.tidy(ctx, by, f.Path) // of a photo only the renditions are kept
	}
	return f, err
}

// look says what a file's bytes are.
func (s *Service) look(ctx context.Context, by identity.Caller, f File, draft Draft, content []byte,
	size int64) (Finding, error) {
	if draft.Purpose == ForPhoto {
		return s.lookAtPhoto(ctx, by, f, draft, content, size)
	}
	return Judge(work.ForFile(ctx), draft, content, size)
}

// Link returns an address from which a file that is ready can be fetched for
// some minutes, and when it ends by the caller's clock.
func (s *Service) Link(ctx context.Context, by identity.Caller, f File) (address string, life time.Duration,
	err error) {
	path, name := f.Path, f.Name
	if r, ok := f.Rendition(math.MaxInt); ok {
		path, name = f.at(r.Width), jpegName(f.Name)
	}
	address, err = s.Bytes.SignDownload(ctx, by, path, name, linkLife)
	return address, linkLife, err
}

// Save keeps a file of our own making for by, for a day, and returns the address
// that gives it away for an hour.
func (s *Service) Save(ctx context.Context, by identity.Caller, name, mediaType string,
	content []byte) (address string, life time.Duration, err error) {
	kind, known := kindOfName(name)
	if !known {
		kind = Text
	}
	plain, _, _ := mime.ParseMediaType(mediaType)
	draft := Draft{Name: CleanName(name), Kind: kind, Type: plain, Size: int64(len(content))}
	f, gone, err := s.Store.Begin(ctx, by, draft)
	if err != nil {
		return "", 0, err
	}
	s.tidy(ctx, by, gone...)
	if err := s.Bytes.Put(ctx, by, f.Path, mediaType, content); err != nil {
		return "", 0, err
	}
	found, err := Judge(work.ForFile(ctx), draft, content, draft.Size)
	if err != nil {
		return "", 0, err
	}
	if found.Refusal != "" {
		found = Finding{Kind: kind, Type: plain, Size: draft.Size} // such as a page, which is not meant to be attached
	}
	found.Days = 1
	if f, err = s.Store.Settle(ctx, by, f.ID, found); err != nil {
		return "", 0, err
	}
	address, err = s.Bytes.SignDownload(ctx, by, f.Path, f.Name, keptLink)
	return address, keptLink, err
}

// Delete forgets a file and removes its bytes.
func (s *Service) Delete(ctx context.Context, by identity.Caller, id string) error {
	if !IsID(id) {
		return noSuchFile()
	}
	f, err := s.Store.Forget(ctx, by, id)
	if err != nil {
		return err
	}
	return s.Bytes.Remove(ctx, by, f.paths()...)
}

// ReadFile returns the name and the bytes of a file of by's that is ready; see Get and
// Content.
func (s *Service) ReadFile(ctx context.Context, by identity.Caller, id string) (name string, content []byte,
	err error) {
	f, err := s.Get(ctx, by, id)
	if err != nil {
		return "", nil, err
	}
	content, err = s.Content(ctx, by, f)
	return f.Name, content, err
}

// ReadText returns the name and the text of a file of by's that is ready, as it was
// read when it came; of a picture there is none. It returns the errors of Get and
// fault.Conflict for a file that is not ready, and fault.Unprocessable for a recording.
func (s *Service) ReadText(ctx context.Context, by identity.Caller, id string) (name, text string, picture bool,
	err error) {
	f, err := s.Get(ctx, by, id)
	switch {
	case err != nil:
		return "", "", false, err
	case f.State != Ready:
		return "", "", false, fault.New(fault.Conflict, "“%s” is not ready to be read.",
			f.Name).WithCode("file_not_ready")
	case f.Kind == Sound:
		return "", "", false, fault.New(fault.Unprocessable, "“%s” is a recording.", f.Name)
	}
	return f.Name, f.Body, f.Kind == Image, nil
}

// Content returns the bytes of a file that is ready, for those who need more
// than its text; of a photo those of its largest rendition. It returns fault.Conflict
// for one that is not.
func (s *Service) Content(ctx context.Context, by identity.Caller, f File) ([]byte, error) {
	if f.State != Ready {
		return nil, fault.New(fault.Conflict, "“%s” is not ready to be read.", f.Name).WithCode("file_not_ready")
	}
	if r, ok := f.Rendition(math.MaxInt); ok {
		return s.content(ctx, by, f, f.at(r.Width))
	}
	return s.content(ctx, by, f, f.Path)
}

func (s *Service) content(ctx context.Context, by identity.Caller, f File, path string) ([]byte, error) {
	d := Draft{Name: f.Name, Kind: f.Kind, Purpose: f.Purpose}
	content, size, err := s.Bytes.Read(ctx, by, path, d.MaxBytes())
	if err == nil && size > d.MaxBytes() {
		err = tooLarge(d)
	}
	return content, err
}
