package storage

import (
	"context"
	"crypto/md5" // S3 makes its entity tags so; nothing rests on it
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/google/uuid"
)

// maxField bounds a form's field, and the metadata in a header.
const maxField = 64 << 10

// incoming is what a request says about the bytes that it brings.
type incoming struct {
	mimeType     string
	cacheControl string
	metadata     map[string]any
}

// upload keeps an object for the bearer of a token.
func (s *Server) upload(w http.ResponseWriter, r *http.Request, k key, upsert bool) error {
	by, err := s.callerOf(r)
	if err != nil {
		return err
	}
	id, err := s.store(w, r, by, k, upsert)
	if err != nil {
		return err
	}
	return reply(w, map[string]string{"Id": id.String(), "Key": k.String()})
}

// store takes the bytes of a request: it asks whether by may write the row,
// keeps the bytes, then writes the row, and removes whichever bytes no row
// names in the end.
func (s *Server) store(w http.ResponseWriter, r *http.Request, by caller, k key, upsert bool) (uuid.UUID, error) {
	ctx := r.Context()
	if err := k.check(); err != nil {
		return uuid.Nil, err
	}
	b, err := s.anyBucket(ctx, k.bucket)
	if err != nil {
		return uuid.Nil, err
	}
	version, err := s.newID()
	if err != nil {
		return uuid.Nil, err
	}
	o := object{BucketID: k.bucket, Name: k.name, Version: version.String()}
	o.Owner, o.OwnerID = by.owner()
	// A caller that may not write does not get to fill the disk.
	if err := s.mayPut(ctx, by, o, upsert); err != nil {
		return uuid.Nil, err
	}
	if o.Metadata, o.UserMetadata, err = s.receive(w, r, b, o.Version); err != nil {
		return uuid.Nil, err
	}
	return s.commit(ctx, by, o, upsert)
}

// commit writes the row of bytes that are kept already.
func (s *Server) commit(ctx context.Context, by caller, o object, upsert bool) (id uuid.UUID, err error) {
	// The outcome decides which bytes go, so it must be known.
	ctx = context.WithoutCancel(ctx)
	var replaced string
	err = s.transact(ctx, by, func(db *transaction) (err error) {
		id, replaced, err = s.put(ctx, db, o, upsert)
		return err
	})
	if err != nil {
		s.files.remove(o.Version)
		return uuid.Nil, err
	}
	s.files.remove(replaced)
	return id, nil
}

// receive keeps the bytes of a request under version, within the limits of b.
func (s *Server) receive(w http.ResponseWriter, r *http.Request, b bucket, version string) (*metadata, map[string]any,
	error) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind == "multipart/form-data" {
		return s.receiveForm(r, b, version)
	}
	in := incoming{mimeType: r.Header.Get("Content-Type"), cacheControl: r.Header.Get("Cache-Control")}
	if text := r.Header.Get("X-Metadata"); text != "" {
		raw, err := base64.StdEncoding.DecodeString(text)
		if err == nil {
			err = json.Unmarshal(raw, &in.metadata)
		}
		if err != nil {
			return nil, nil, refuse(http.StatusBadRequest, "InvalidParameter",
				"x-metadata must be an object as JSON in base64")
		}
	}
	if r.ContentLength > s.limitOf(b) {
		// What is left unread would keep the connection from the next request.
		w.Header().Set("Connection", "close")
		return nil, nil, tooLarge()
	}
	m, err := s.keep(r.Context(), r.Body, in, b, version)
	return m, in.metadata, err
}

// receiveForm reads a form in which the file usually comes last, after fields
// that speak of it. Fields after the file are heard as well.
func (s *Server) receiveForm(r *http.Request, b bucket, version string) (*metadata, map[string]any, error) {
	form, err := r.MultipartReader()
	if err != nil {
		return nil, nil, invalid("The form could not be read")
	}
	var in incoming
	var kept *metadata
	failed := func(err error) (*metadata, map[string]any, error) {
		s.files.remove(version)
		return nil, nil, err
	}
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return failed(invalid("The form could not be read"))
		}
		if part.FileName() != "" {
			if kept != nil {
				continue
			}
			if in.mimeType == "" {
				in.mimeType = part.Header.Get("Content-Type")
			}
			if kept, err = s.keep(r.Context(), part, in, b, version); err != nil {
				return failed(err)
			}
			continue
		}
		text, err := io.ReadAll(io.LimitReader(part, maxField+1))
		if err != nil || len(text) > maxField {
			return failed(invalid("A field of the form is too long"))
		}
		switch part.FormName() {
		case "cacheControl":
			in.cacheControl = "max-age=" + string(text)
		case "contentType":
			in.mimeType = string(text)
		case "metadata":
			if err := json.Unmarshal(text, &in.metadata); err != nil {
				return failed(refuse(http.StatusBadRequest, "InvalidParameter", "metadata must be an object as JSON"))
			}
		}
	}
	if kept == nil {
		return nil, nil, invalid("No content provided")
	}
	kept.CacheControl = cleanCacheControl(in.cacheControl)
	return kept, in.metadata, nil
}

func (s *Server) limitOf(b bucket) int64 {
	if b.SizeLimit != nil {
		return min(*b.SizeLimit, s.maxBytes)
	}
	return s.maxBytes
}

func (s *Server) keep(ctx context.Context, body io.Reader, in incoming, b bucket, version string) (*metadata, error) {
	if in.mimeType == "" {
		in.mimeType = "application/octet-stream"
	}
	if !accepts(b.MimeTypes, in.mimeType) {
		return nil, refuse(http.StatusUnsupportedMediaType, "invalid_mime_type", "mime type "+in.mimeType+
			" is not supported")
	}
	sum := md5.New()
	size, err := s.files.write(ctx, version, body, s.limitOf(b), sum)
	if errors.Is(err, errTooLarge) {
		return nil, tooLarge()
	}
	if err != nil {
		return nil, fmt.Errorf("receive an object: %w", err)
	}
	return &metadata{
		ETag: `"` + hex.EncodeToString(sum.Sum(nil)) + `"`, Size: size, ContentLength: size,
		MimeType: in.mimeType, CacheControl: cleanCacheControl(in.cacheControl),
		LastModified: s.now().UTC(), HTTPStatusCode: http.StatusOK,
	}, nil
}

// accepts tells whether a bucket takes bytes of a type. An entry may end with
// /* for a whole family; parameters such as charset do not matter.
func accepts(allowed []string, mimeType string) bool {
	if len(allowed) == 0 {
		return true
	}
	kind, _, _ := strings.Cut(strings.ToLower(mimeType), ";")
	kind = strings.TrimSpace(kind)
	for _, entry := range allowed {
		entry, _, _ = strings.Cut(strings.ToLower(entry), ";")
		entry = strings.TrimSpace(entry)
		family, whole := strings.CutSuffix(entry, "/*")
		if entry == kind || entry == "*/*" || whole && strings.HasPrefix(kind, family+"/") {
			return true
		}
	}
	return false
}

// cleanCacheControl keeps out what could not be sent as a header.
func cleanCacheControl(text string) string {
	unfit := func(c rune) bool { return c < ' ' || c > '~' }
	if text == "" || len(text) > 256 || strings.ContainsFunc(text, unfit) {
		return "no-cache"
	}
	return text
}
