package uploads

import (
	"context"
	"encoding/base64"
	"fmt"
	"mime"
	"net/url"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/work"
)

// Limits of what stands in one prompt.
const (
	MaxAttached = 8
	maxPictures = 4
	maxPixelsOf = 8 << 20 // bytes of all pictures together
)

// Attached is a file as a message names it.
type Attached struct {
	// URL is "/api/uploads/" and the id of a file, or holds a whole one as
	// "data:". Nothing else is read, and nothing is fetched from anywhere.
	URL        string
	Name, Type string // of a file in a data: address
}

// Seen is what is read of an attached file.
type Seen struct {
	// ID is that of an upload that is ready, by which tools read it; "" for others.
	ID   string
	Name string
	What string // "PDF file, 3 pages"; "" when nothing is known
	Text string
	Left int // characters beyond Text
	// Image is a picture, of the media type Type.
	Image []byte
	Type  string
	// Picture is the file of a picture in Storage, whether the reader sees it or
	// not; nil for others. Its Path and Body are left out.
	Picture *File
	// Note is a sentence on why it cannot be read; then there is nothing else.
	Note string
}

// Attached reads the files of a conversation, as far as there is room: of more
// than MaxAttached the last ones. See says that the reader sees pictures. What
// cannot be read has a note; an error means that it is not known. All of them
// together may cost what one file may.
func (s *Service) Attached(ctx context.Context, by identity.Caller, list []Attached, see bool) ([]Seen, error) {
	known, err := s.named(ctx, by, list)
	if err != nil {
		return nil, err
	}
	out := make([]Seen, len(list))
	budget := work.ForFile(ctx)
	pictures, room := maxPictures, maxPixelsOf
	for i := len(list) - 1; i >= 0; i-- {
		one := &out[i]
		one.Name = CleanName(list[i].Name)
		switch id, ours := idOf(list[i].URL); {
		case len(list)-i > MaxAttached:
			if f, ok := known[id]; ok {
				one.Name = f.Name
			}
			one.Note = fmt.Sprintf("“%s” is not shown any more: %d files came after it.", one.Name, MaxAttached)
		case ours:
			err = s.seeUpload(ctx, budget, by, one, known[id], see)
		case strings.HasPrefix(list[i].URL, "data:"):
			err = seeData(budget, one, list[i])
		default:
			one.Note = fmt.Sprintf("“%s” was not read: files are read when they were uploaded here, and nothing is "+
				"fetched from other addresses.", one.Name)
		}
		if err != nil {
			return nil, err
		}
		if one.Image == nil {
			continue
		}
		switch pictures, room = pictures-1, room-len(one.Image); {
		case !see:
			one.Note = fmt.Sprintf("“%s” is a picture, which this model cannot see.", one.Name)
		case pictures < 0 || room < 0:
			one.Note = fmt.Sprintf("The picture “%s” is not shown: there is room for %d.", one.Name, maxPictures)
		}
		if one.Note != "" {
			one.Image = nil
		}
	}
	return out, nil
}

// idOf returns the id of an upload's address.
func idOf(address string) (string, bool) {
	id, ok := strings.CutPrefix(address, "/api/uploads/")
	return id, ok && IsID(id)
}

// named returns the uploads that the list names, by id.
func (s *Service) named(ctx context.Context, by identity.Caller, list []Attached) (map[string]File, error) {
	var ids []string
	known := map[string]File{}
	for _, a := range list[max(0, len(list)-50):] {
		if id, ok := idOf(a.URL); ok {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return known, nil
	}
	files, err := s.Store.Read(ctx, by, ids...)
	if fault.Is(err, fault.Unauthorized) || fault.Is(err, fault.Forbidden) {
		return known, nil // a visitor has no files
	}
	for _, f := range files {
		known[f.ID] = f
	}
	return known, err
}

func (s *Service) seeUpload(ctx context.Context, budget *work.Budget, by identity.Caller, one *Seen, f File,
	see bool) error {
	if f.ID == "" {
		one.Note = "A file that was attached is not there any more, or is not yours."
		return nil
	}
	one.Name = f.Name
	if f.State == Ready {
		one.ID = f.ID
	}
	switch {
	case f.State == Waiting:
		one.Note = fmt.Sprintf("“%s” has not been sent completely.", f.Name)
	case f.State == Refused:
		one.Note = f.Reason
	case f.State == Expired:
		one.Note = fmt.Sprintf("“%s” is not kept any more.", f.Name)
	case f.Kind == Sound:
		one.Note = fmt.Sprintf("“%s” is a recording: it has to be turned into words first.", f.Name)
	case f.Kind == Image:
		one.What, one.Type, one.Image = f.Describe(), f.Type, []byte{}
		one.Picture = &File{ID: f.ID, Name: f.Name, Kind: f.Kind, Type: f.Type, Size: f.Size, State: f.State,
			Facts: f.Facts, ExpiresAt: f.ExpiresAt}
		if !see {
			return nil
		}
		content, err := s.shown(ctx, by, f)
		if fault.Is(err, fault.NotFound) {
			one.Image, one.Picture, one.Note = nil, nil, fmt.Sprintf("“%s” is not kept any more.", f.Name)
			return nil
		}
		if err != nil {
			return err
		}
		// The bytes may be others than those that were looked at.
		one.Image = content
		found, err := Judge(budget, Draft{Name: f.Name, Kind: f.Kind, Type: f.Type}, content, int64(len(content)))
		if err != nil {
			return err
		}
		one.fill(found)
	default:
		one.What, one.Text, one.Left = f.Describe(), f.Body, f.Facts.Left
	}
	return nil
}

// fill takes what a look brought; pictures are put beside it by the caller.
func (s *Seen) fill(found Finding) {
	if found.Refusal != "" {
		s.Note, s.Image = found.Refusal, nil
		return
	}
	s.What, s.Type = File{Kind: found.Kind, Facts: found.Facts}.Describe(), found.Type
	s.Text, s.Left = found.Body, found.Facts.Left
}

// seeData reads a file that stands in its address.
func seeData(budget *work.Budget, one *Seen, a Attached) error {
	head, data, ok := strings.Cut(strings.TrimPrefix(a.URL, "data:"), ",")
	head, packed := strings.CutSuffix(head, ";base64")
	var content []byte
	var err error
	if packed {
		content, err = base64.StdEncoding.DecodeString(data)
	} else {
		var plain string
		plain, err = url.PathUnescape(data)
		content = []byte(plain)
	}
	if !ok || err != nil {
		one.Note = fmt.Sprintf("“%s” arrived damaged.", one.Name)
		return nil
	}
	mediaType, _, _ := mime.ParseMediaType(head)
	if mediaType == "" {
		mediaType = a.Type
	}
	draft, err := Ask(a.Name, mediaType, int64(len(content)), ForChat)
	if err != nil {
		one.Note = fault.From(err).Message
		return nil
	}
	one.Name = draft.Name
	found, err := Judge(budget, draft, content, int64(len(content)))
	if err != nil {
		return err
	}
	if found.Refusal == "" && draft.Kind == Image {
		one.Image = content
	}
	one.fill(found)
	return nil
}
