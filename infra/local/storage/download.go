package storage

import (
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// download answers with an object that the caller may see. An object of a
// public bucket is there for everybody who has a token.
func (s *Server) download(w http.ResponseWriter, r *http.Request, k key) error {
	by, err := s.readerOf(r, k)
	if err != nil {
		return err
	}
	return s.serve(w, r, by, k, time.Time{})
}

// readerOf returns whom to read an object as.
func (s *Server) readerOf(r *http.Request, k key) (caller, error) {
	by, err := s.callerOf(r)
	if err != nil {
		return caller{}, err
	}
	if err := k.check(); err != nil {
		return caller{}, err
	}
	b, err := s.anyBucket(r.Context(), k.bucket)
	if err != nil {
		return caller{}, err
	}
	if b.Public {
		return service(), nil
	}
	return by, nil
}

// downloadPublic needs no token.
func (s *Server) downloadPublic(w http.ResponseWriter, r *http.Request, k key) error {
	if err := s.mustBePublic(r, k); err != nil {
		return err
	}
	return s.serve(w, r, service(), k, time.Time{})
}

// mustBePublic hides whether there is a bucket that is not public.
func (s *Server) mustBePublic(r *http.Request, k key) error {
	if err := k.check(); err != nil {
		return err
	}
	b, err := s.anyBucket(r.Context(), k.bucket)
	if err == nil && !b.Public {
		return noBucket()
	}
	return err
}

// serve sends the bytes of an object that by may see. A time in ends says how
// long a signed address still holds.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, by caller, k key, ends time.Time) error {
	o, file, err := s.open(r, by, k)
	if err != nil {
		return err
	}
	defer file.Close()
	whole, err := wantsAll(r.Header.Get("Range"), o.Metadata.Size)
	if err != nil {
		return err
	}
	if whole && r.Header.Get("Range") != "" {
		r = r.Clone(r.Context())
		r.Header.Del("Range")
	}
	h := w.Header()
	h.Set("Content-Type", safeType(o.Metadata.MimeType))
	h.Set("ETag", o.Metadata.ETag)
	if ends.IsZero() {
		h.Set("Cache-Control", o.Metadata.CacheControl)
	} else {
		h.Set("Expires", ends.UTC().Format(http.TimeFormat))
	}
	if query := r.URL.Query(); query.Has("download") {
		h.Set("Content-Disposition", disposition(query.Get("download")))
	}
	http.ServeContent(w, r, "", o.Metadata.LastModified, file)
	return nil
}

// open returns the row and the bytes of one and the same version.
func (s *Server) open(r *http.Request, by caller, k key) (object, *os.File, error) {
	// A writer removes the old bytes once the new row is there, so a row may
	// be old by the time that its bytes are wanted.
	for range 5 {
		o, err := s.see(r.Context(), by, k)
		if err != nil {
			return object{}, nil, err
		}
		file, err := s.files.open(o.Version)
		if err == nil && o.Metadata != nil {
			return o, file, nil
		}
		if err == nil {
			_ = file.Close()
			break
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return object{}, nil, err
		}
	}
	return object{}, nil, refuse(http.StatusNotFound, "Not found", "The resource was not found")
}

// wantsAll tells whether a Range header is to be left out of account: it asks
// for several ranges, or cannot be read. A range that lies outside is refused.
func wantsAll(header string, size int64) (bool, error) {
	text, ok := strings.CutPrefix(header, "bytes=")
	first, last, dash := strings.Cut(strings.TrimSpace(text), "-")
	if !ok || !dash || !isNumber(first) || !isNumber(last) || first == "" && last == "" {
		return true, nil
	}
	from, errFrom := strconv.ParseInt(first, 10, 64)
	to, errTo := strconv.ParseInt(last, 10, 64)
	outside := errFrom != nil || from >= size
	if first == "" { // the last bytes, however few there are
		outside = errTo == nil && to == 0 || size == 0
	}
	if outside {
		return false, refuse(http.StatusRequestedRangeNotSatisfiable, "InvalidRange",
			"The requested range is not satisfiable")
	}
	// What does not fit into a number lies behind any end.
	return errTo != nil && last != "" || first != "" && last != "" && to < from, nil
}

func isNumber(text string) bool { return strings.Trim(text, "0123456789") == "" }

// safeType keeps a browser from running an uploaded page.
func safeType(mimeType string) string {
	if strings.Contains(strings.ToLower(mimeType), "text/html") {
		return "text/plain"
	}
	return mimeType
}

func disposition(name string) string {
	if name == "" {
		return "attachment;"
	}
	escaped := strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
	return "attachment; filename=" + escaped + "; filename*=UTF-8''" + escaped + ";"
}

// info answers with what is known about an object. The path may begin with
// authenticated/ or public/.
func (s *Server) info(w http.ResponseWriter, r *http.Request, path string) error {
	k := keyOf(path)
	var by caller
	var err error
	switch k.bucket {
	case "public":
		k = keyOf(k.name)
		by, err = service(), s.mustBePublic(r, k)
	case "authenticated":
		k = keyOf(k.name)
		by, err = s.readerOf(r, k)
	default:
		by, err = s.readerOf(r, k)
	}
	if err != nil {
		return err
	}
	o, err := s.see(r.Context(), by, k)
	if err != nil {
		return err
	}
	if o.Metadata == nil {
		o.Metadata = &metadata{}
	}
	return reply(w, map[string]any{
		"id": o.ID, "name": o.Name, "version": o.Version, "bucket_id": o.BucketID,
		"size": o.Metadata.Size, "content_type": o.Metadata.MimeType, "cache_control": o.Metadata.CacheControl,
		"etag": o.Metadata.ETag, "metadata": o.UserMetadata, "last_modified": o.UpdatedAt, "created_at": o.CreatedAt,
	})
}
