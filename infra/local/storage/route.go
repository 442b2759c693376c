package storage

import (
	"net/http"
	"strings"
)

// key names an object.
type key struct {
	bucket, name string
}

func (k key) String() string { return k.bucket + "/" + k.name }

func (k key) check() error {
	if err := checkBucket(k.bucket); err != nil {
		return err
	}
	return checkName(k.name)
}

// route reads the path as it was sent, decoded but never cleaned: a name that
// needs cleaning is refused.
func (s *Server) route(w http.ResponseWriter, r *http.Request) error {
	first, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch first {
	case "status", "health":
		return reply(w, map[string]any{"healthy": true})
	case "bucket":
		return s.routeBucket(w, r, rest)
	case "object":
		return s.routeObject(w, r, rest)
	}
	return unknown(r)
}

func unknown(r *http.Request) error {
	return refuse(http.StatusNotFound, "Not Found", "Route "+r.Method+":"+r.URL.Path+" not found")
}

func (s *Server) routeBucket(w http.ResponseWriter, r *http.Request, path string) error {
	by, err := s.callerOf(r)
	if err != nil {
		return err
	}
	id, action, _ := strings.Cut(path, "/")
	switch r.Method + " " + action {
	case "GET ":
		if id == "" {
			return s.listBuckets(w, r, by)
		}
		return s.getBucket(w, r, by, id)
	case "POST ":
		if id == "" {
			return s.createBucket(w, r, by)
		}
	case "PUT ":
		return s.updateBucket(w, r, by, id)
	case "DELETE ":
		return s.deleteBucket(w, r, by, id)
	case "POST empty":
		return s.emptyBucket(w, r, by, id)
	}
	return unknown(r)
}

// routeObject takes the words that come first in a path for themselves, as
// Supabase does: a bucket named like one of them is out of reach.
func (s *Server) routeObject(w http.ResponseWriter, r *http.Request, path string) error {
	first, rest, _ := strings.Cut(path, "/")
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	switch method + " " + first {
	case "GET public":
		return s.downloadPublic(w, r, keyOf(rest))
	case "GET sign":
		return s.downloadSigned(w, r, keyOf(rest))
	case "GET authenticated":
		return s.download(w, r, keyOf(rest))
	case "GET info":
		return s.info(w, r, rest)
	case "PUT upload":
		if signed, ok := strings.CutPrefix(rest, "sign/"); ok {
			return s.uploadSigned(w, r, keyOf(signed))
		}
	case "POST upload":
		if signed, ok := strings.CutPrefix(rest, "sign/"); ok {
			return s.signUpload(w, r, keyOf(signed))
		}
	case "POST sign":
		if k := keyOf(rest); k.name != "" {
			return s.signDownload(w, r, k)
		}
		return s.signDownloads(w, r, rest)
	case "POST list":
		return s.list(w, r, rest)
	case "POST move":
		return s.move(w, r)
	case "POST copy":
		return s.copy(w, r)
	case "DELETE " + first:
		if k := keyOf(path); k.name != "" {
			return s.deleteOne(w, r, k)
		}
		return s.deleteMany(w, r, first)
	}
	switch method {
	case http.MethodGet:
		return s.download(w, r, keyOf(path))
	case http.MethodPost:
		return s.upload(w, r, keyOf(path), r.Header.Get("X-Upsert") == "true")
	case http.MethodPut:
		return s.upload(w, r, keyOf(path), true)
	}
	return unknown(r)
}

func keyOf(path string) key {
	bucket, name, _ := strings.Cut(path, "/")
	return key{bucket, name}
}
