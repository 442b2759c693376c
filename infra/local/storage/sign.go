package storage

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// uploadTTL is how long a signed upload may take to begin, as in the cloud.
const uploadTTL = 2 * time.Hour

// What a signed token is for. A token for one is no token for the other.
const (
	forDownload = "download"
	forUpload   = "upload"
)

// ticket is what a signed token says.
type ticket struct {
	jwt.RegisteredClaims
	URL    string `json:"url"`
	Use    string `json:"use"`
	Owner  string `json:"owner,omitempty"`
	Upsert bool   `json:"upsert,omitempty"`
}

func (s *Server) sign(t ticket, life time.Duration) (string, error) {
	now := s.now()
	t.IssuedAt, t.ExpiresAt = jwt.NewNumericDate(now), jwt.NewNumericDate(now.Add(life))
	text, err := jwt.NewWithClaims(jwt.SigningMethodHS256, t).SignedString(s.secret)
	if err != nil {
		return "", fmt.Errorf("sign an address: %w", err)
	}
	return text, nil
}

// ticketOf reads the token of a request and holds it to the object and to what
// is done with it.
func (s *Server) ticketOf(r *http.Request, k key, use string) (ticket, error) {
	if err := k.check(); err != nil {
		return ticket{}, err
	}
	text := r.URL.Query().Get("token")
	if text == "" {
		return ticket{}, refuse(http.StatusBadRequest, "Error", "querystring must have required property 'token'")
	}
	var t ticket
	_, err := jwt.ParseWithClaims(text, &t, func(*jwt.Token) (any, error) { return s.secret, nil },
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}), jwt.WithExpirationRequired(),
		jwt.WithTimeFunc(s.now))
	switch {
	case errors.Is(err, jwt.ErrTokenSignatureInvalid):
		return ticket{}, refuse(http.StatusBadRequest, "InvalidJWT", "signature verification failed")
	case errors.Is(err, jwt.ErrTokenExpired):
		return ticket{}, refuse(http.StatusBadRequest, "InvalidJWT", `"exp" claim timestamp check failed`)
	case err != nil:
		return ticket{}, refuse(http.StatusBadRequest, "InvalidJWT", "Invalid Compact JWS")
	case t.URL != k.String() || t.Use != use:
		return ticket{}, refuse(http.StatusBadRequest, "InvalidSignature", "Invalid signature")
	}
	return t, nil
}

// signRequest is the body with which addresses for downloads are asked for.
type signRequest struct {
	ExpiresIn int64    `json:"expiresIn"`
	Paths     []string `json:"paths"`
}

// maxLife keeps seconds within what a duration holds: ten years and more.
const maxLife = 1 << 28

func readSign(w http.ResponseWriter, r *http.Request) (in signRequest, life time.Duration, err error) {
	if err := readJSON(w, r, &in); err != nil {
		return in, 0, err
	}
	if in.ExpiresIn < 1 || in.ExpiresIn > maxLife {
		return in, 0, refuse(http.StatusBadRequest, "Error", "body/expiresIn must be >= 1")
	}
	return in, time.Duration(in.ExpiresIn) * time.Second, nil
}

// signDownload returns an address of an object that the caller may see. It is
// relative to the root of this server, and its path is not escaped.
func (s *Server) signDownload(w http.ResponseWriter, r *http.Request, k key) error {
	by, err := s.callerOf(r)
	if err != nil {
		return err
	}
	_, life, err := readSign(w, r)
	if err != nil {
		return err
	}
	address, err := s.signSeen(r, by, k, life)
	if err != nil {
		return err
	}
	return reply(w, map[string]string{"signedURL": address})
}

func (s *Server) signSeen(r *http.Request, by caller, k key, life time.Duration) (string, error) {
	if err := k.check(); err != nil {
		return "", err
	}
	if _, err := s.see(r.Context(), by, k); err != nil {
		return "", err
	}
	token, err := s.sign(ticket{URL: k.String(), Use: forDownload}, life)
	return "/object/sign/" + k.String() + "?token=" + token, err
}

// signDownloads signs many. One that fails is named in its entry.
func (s *Server) signDownloads(w http.ResponseWriter, r *http.Request, bucket string) error {
	by, err := s.callerOf(r)
	if err != nil {
		return err
	}
	in, life, err := readSign(w, r)
	if err != nil {
		return err
	}
	if len(in.Paths) == 0 || len(in.Paths) > maxDeletes {
		return refuse(http.StatusBadRequest, "Error", "body/paths must hold between 1 and 1000 items")
	}
	type signed struct {
		Error     *string `json:"error"`
		Path      string  `json:"path"`
		SignedURL *string `json:"signedURL"`
	}
	out := make([]signed, len(in.Paths))
	for i, path := range in.Paths {
		out[i].Path = path
		address, err := s.signSeen(r, by, key{bucket, path}, life)
		if err == nil {
			out[i].SignedURL = &address
			continue
		}
		if toRefusal(err).status == http.StatusInternalServerError {
			return err
		}
		sentence := "Either the object does not exist or you do not have access to it"
		out[i].Error = &sentence
	}
	return reply(w, out)
}

func (s *Server) downloadSigned(w http.ResponseWriter, r *http.Request, k key) error {
	t, err := s.ticketOf(r, k, forDownload)
	if err != nil {
		return err
	}
	return s.serve(w, r, service(), k, t.ExpiresAt.Time)
}

// signUpload returns an address to which anybody may upload one object, for a
// caller who could upload it now.
func (s *Server) signUpload(w http.ResponseWriter, r *http.Request, k key) error {
	by, err := s.callerOf(r)
	if err != nil {
		return err
	}
	if err := k.check(); err != nil {
		return err
	}
	if _, err := s.anyBucket(r.Context(), k.bucket); err != nil {
		return err
	}
	upsert := r.Header.Get("X-Upsert") == "true"
	version, err := s.newID()
	if err != nil {
		return err
	}
	o := object{BucketID: k.bucket, Name: k.name, Version: version.String()}
	o.Owner, o.OwnerID = by.owner()
	if err := s.mayPut(r.Context(), by, o, upsert); err != nil {
		return err
	}
	token, err := s.sign(ticket{URL: k.String(), Use: forUpload, Owner: by.subject, Upsert: upsert}, uploadTTL)
	if err != nil {
		return err
	}
	return reply(w, map[string]string{"url": "/object/upload/sign/" + k.String() + "?token=" + token, "token": token})
}

func (s *Server) uploadSigned(w http.ResponseWriter, r *http.Request, k key) error {
	t, err := s.ticketOf(r, k, forUpload)
	if err != nil {
		return err
	}
	by := service()
	by.subject = t.Owner
	if _, err := s.store(w, r, by, k, t.Upsert); err != nil {
		return err
	}
	return reply(w, map[string]string{"Key": k.String()})
}
