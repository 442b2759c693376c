// Package gateway stands in for the API gateway in front of a Supabase
// project: one origin for all its parts, API keys, CORS. An API key never goes
// further than this package; what stands behind sees a signed token in its
// place, or the user's own.
package gateway

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// Config says what stands behind the gateway and which keys it knows.
type Config struct {
	// Rest, Auth and Storage answer paths relative to /rest/v1, /auth/v1 and
	// /storage/v1. Storage may be nil; its paths are then unknown. It is
	// reached without a key as well, for public and signed addresses, and gets
	// its paths as they were sent.
	Rest, Auth, Storage http.Handler

	// Mint returns a signed token that carries role and lives for one
	// request. Required.
	Mint func(role string) (string, error)

	// PublishableKey stands for role anon, SecretKey for role service_role.
	// Both are required, and differ.
	PublishableKey, SecretKey string
}

type gateway struct {
	cfg     Config
	mux     *http.ServeMux
	storage http.Handler
	keys    []key
}

// key is an API key and the role that it stands for.
type key struct {
	text, role string
}

const serviceRole = "service_role"

// New checks cfg and returns the handler of a whole Supabase origin.
func New(cfg Config) (http.Handler, error) {
	switch {
	case cfg.Rest == nil || cfg.Auth == nil:
		return nil, errors.New("gateway: a handler for rest and for auth is needed")
	case cfg.Mint == nil:
		return nil, errors.New("gateway: a function that mints tokens is needed")
	case cfg.PublishableKey == "" || cfg.SecretKey == "" || cfg.PublishableKey == cfg.SecretKey:
		return nil, errors.New("gateway: a publishable and another, secret key are needed")
	}
	g := &gateway{cfg: cfg, mux: http.NewServeMux(), keys: []key{
		{cfg.PublishableKey, "anon"}, {cfg.SecretKey, serviceRole},
	}}
	auth := relativeTo("/auth/v1", cfg.Auth)
	g.mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
	})
	g.mux.Handle("GET /auth/v1/health", auth)
	g.mux.Handle("GET /auth/v1/.well-known/jwks.json", auth)
	g.mux.Handle("/auth/v1/", g.keyed(auth))
	g.mux.Handle("/rest/v1/", g.keyed(relativeTo("/rest/v1", cfg.Rest)))
	if cfg.Storage != nil {
		g.storage = g.keyedOrNot(relativeTo("/storage/v1", cfg.Storage))
	}
	g.mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		reject(w, http.StatusNotFound, "no Route matched with those values", "")
	})
	return g, nil
}

func (g *gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	allowOrigins(w, r)
	if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
		w.WriteHeader(http.StatusOK)
		return
	}
	// Past the mux, which would tidy a path up and send the caller elsewhere:
	// an object's name has to arrive as it is, to be refused if it is hostile.
	if g.storage != nil && strings.HasPrefix(r.URL.Path, "/storage/v1/") {
		g.storage.ServeHTTP(w, r)
		return
	}
	g.mux.ServeHTTP(w, r)
}

// keyedOrNot is keyed, but lets pass what carries no key at all.
func (g *gateway) keyedOrNot(next http.Handler) http.Handler {
	keyed := g.keyed(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, inQuery := cutParameter(r.URL.RawQuery, "apikey")
		if r.Header.Get("apikey") == "" && inQuery == "" {
			next.ServeHTTP(w, r)
			return
		}
		keyed.ServeHTTP(w, r)
	})
}

// keyed lets a request pass when it carries a known API key, and puts a token
// in the key's place.
func (g *gateway) keyed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query, inQuery := cutParameter(r.URL.RawQuery, "apikey")
		text := r.Header.Get("apikey")
		if text == "" {
			text = inQuery
		}
		if text == "" {
			reject(w, http.StatusUnauthorized, "No API key found in request",
				"No `apikey` request header or url param was found.")
			return
		}
		role := g.roleOf(text)
		if role == "" {
			reject(w, http.StatusUnauthorized, "Invalid API key",
				"Double check your Supabase `anon` or `service_role` API key.")
			return
		}
		if role == serviceRole && strings.HasPrefix(strings.TrimSpace(r.UserAgent()), "Mozilla/") {
			reject(w, http.StatusUnauthorized, "Forbidden use of secret API key in browser",
				"Secret API keys can only be used in a protected environment and should never be used in a browser. "+
					"Delete this secret API key immediately.")
			return
		}

		// The handler gets a copy: what came in belongs to the server.
		out := r.Clone(r.Context())
		out.Header.Del("apikey")
		out.URL.RawQuery = query
		bearer := bearerOf(r)
		if strings.HasPrefix(bearer, "sb_") && !same(bearer, text) {
			reject(w, http.StatusUnauthorized, "Invalid API key",
				"The key in the Authorization header differs from the `apikey`.")
			return
		}
		if r.Header.Get("Authorization") == "" || same(bearer, text) {
			token, err := g.cfg.Mint(role)
			if err != nil {
				reject(w, http.StatusInternalServerError, "The gateway could not sign a token.", "")
				return
			}
			out.Header.Set("Authorization", "Bearer "+token)
		}
		next.ServeHTTP(w, out)
	})
}

func (g *gateway) roleOf(text string) string {
	for _, k := range g.keys {
		if same(k.text, text) {
			return k.role
		}
	}
	return ""
}

func same(a, b string) bool {
	return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1
}

func bearerOf(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// cutParameter takes one parameter out of a raw query and leaves the others
// byte for byte as they were sent: in a REST query every byte may matter.
func cutParameter(raw, name string) (rest, value string) {
	if !strings.Contains(raw, name) {
		return raw, ""
	}
	var kept []string
	for part := range strings.SplitSeq(raw, "&") {
		key, text, _ := strings.Cut(part, "=")
		if key != name {
			kept = append(kept, part)
			continue
		}
		if unescaped, err := url.QueryUnescape(text); err == nil && value == "" {
			value = unescaped
		}
	}
	return strings.Join(kept, "&"), value
}

// relativeTo is http.StripPrefix for a prefix without its last slash, which
// also renews RequestURI for handlers that read the path as it was sent.
func relativeTo(prefix string, next http.Handler) http.Handler {
	return http.StripPrefix(prefix, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := *r
		out.RequestURI = r.URL.RequestURI()
		next.ServeHTTP(w, &out)
	}))
}

// reject writes an error in the gateway's form, which is not the form of
// what stands behind it.
func reject(w http.ResponseWriter, status int, message, hint string) {
	body := map[string]string{"message": message}
	if hint != "" {
		body["hint"] = hint
	}
	writeJSON(w, status, body)
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
