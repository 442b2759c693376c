package visitors

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// The parts of a cookie: who it is, when it was given, and a code that shows
// that it was we who gave it, for this organisation.
const (
	visitorBytes = 16
	givenBytes   = 8
	cookieLabel  = "bellhop visitor 1"
)

// cookieName returns what the cookie is called. The prefix makes browsers
// refuse one that another host of the domain has set; it needs TLS.
func cookieName(secure bool) string {
	if secure {
		return "__Host-bellhop-visitor"
	}
	return "bellhop-visitor"
}

// visitor returns the visitor of a request. One without a cookie of ours, or
// with an old one, is new; then, and when half of its time is over, the cookie
// is set.
func (a *Authenticator) visitor(w http.ResponseWriter, r *http.Request) (id string, fresh bool, err error) {
	secure := !local(r.Host) || r.Header.Get("X-Forwarded-Proto") == "https" // a proxy on this machine has the TLS
	name := cookieName(secure)
	for _, c := range r.CookiesNamed(name) {
		raw, given, ok := a.open(c.Value)
		age := a.cfg.Now().Sub(given)
		if !ok || age < -time.Hour || age >= a.cfg.Lasts {
			continue
		}
		if age > a.cfg.Lasts/2 {
			a.set(w, name, secure, raw)
		}
		return encode(raw), false, nil
	}
	raw := make([]byte, visitorBytes)
	if _, err := io.ReadFull(a.cfg.Random, raw); err != nil {
		return "", false, fmt.Errorf("draw a visitor: %w", err)
	}
	a.set(w, name, secure, raw)
	return encode(raw), true, nil
}

func (a *Authenticator) set(w http.ResponseWriter, name string, secure bool, raw []byte) {
	body := binary.BigEndian.AppendUint64(append([]byte{}, raw...), uint64(a.cfg.Now().Unix()))
	// Not shown to scripts, and not sent when another site posts here.
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: encode(append(body, a.code(a.cfg.Keys[0], body)...)), Path: "/",
		MaxAge:   int(a.cfg.Lasts.Seconds()),
		HttpOnly: true, Secure: secure, SameSite: http.SameSiteLaxMode,
	})
}

// open reads a cookie and reports whether it is ours.
func (a *Authenticator) open(value string) (raw []byte, given time.Time, ok bool) {
	all, err := base64.RawURLEncoding.Strict().DecodeString(value)
	if err != nil || len(all) != visitorBytes+givenBytes+sha256.Size {
		return nil, given, false
	}
	body, code := all[:visitorBytes+givenBytes], all[visitorBytes+givenBytes:]
	for _, key := range a.cfg.Keys {
		ok = hmac.Equal(code, a.code(key, body)) || ok
	}
	return body[:visitorBytes], time.Unix(int64(binary.BigEndian.Uint64(body[visitorBytes:])), 0), ok
}

// code authenticates what a cookie says, for one organisation.
func (a *Authenticator) code(key, body []byte) []byte {
	h := hmac.New(sha256.New, key)
	fmt.Fprintf(h, "%s\n%s\n", cookieLabel, a.cfg.Org)
	h.Write(body)
	return h.Sum(nil)
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// local reports whether the request came to this machine by name; there
// browsers are spoken to without TLS.
func local(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}
