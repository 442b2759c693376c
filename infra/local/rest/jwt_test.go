package rest_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/big"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/rest"
	"github.com/golang-jwt/jwt/v5"
)

func at(seconds int64) func() time.Time { return func() time.Time { return time.Unix(seconds, 0) } }

func sign(t *testing.T, method jwt.SigningMethod, key any, kid string, claims string) string {
	t.Helper()
	var c jwt.MapClaims
	if err := json.Unmarshal([]byte(claims), &c); err != nil {
		t.Fatal(err)
	}
	token := jwt.NewWithClaims(method, c)
	if kid != "" {
		token.Header["kid"] = kid
	}
	text, err := token.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func raw64(n *big.Int) string { return base64.RawURLEncoding.EncodeToString(n.Bytes()) }

// TestJWTVerifier holds tokens of every kind against the keys that PostgREST
// would take them from.
func TestJWTVerifier(t *testing.T) {
	const now = 1_800_000_000
	shared := []byte("a secret of thirty-two characters")
	pair, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	point, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	rsaKey := map[string]any{"kty": "RSA", "kid": "r", "alg": "RS256", "n": raw64(pair.N), "e": "AQAB", "use": "sig"}
	ecKey := map[string]any{"kty": "EC", "kid": "e", "crv": "P-256", "x": raw64(point.X), "y": raw64(point.Y)}
	set, err := json.Marshal(map[string]any{"keys": []any{rsaKey, ecKey}})
	if err != nil {
		t.Fatal(err)
	}
	jwks, err := rest.ParseKeys(string(set), false)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := rest.ParseKeys(base64.URLEncoding.EncodeToString(shared), true)
	if err != nil {
		t.Fatal(err)
	}
	const ok = `{"role":"clerk"}`
	tests := map[string]struct {
		keys                   []rest.Key
		token                  string
		code, message, details string
	}{
		"a shared secret, given as base64": {keys: secret, token: sign(t, jwt.SigningMethodHS256, shared, "",
			ok)},
		"RS256 by a key set": {keys: jwks, token: sign(t, jwt.SigningMethodRS256, pair, "r",
			ok)},
		"ES256 by a key set": {keys: jwks, token: sign(t, jwt.SigningMethodES256, point, "e",
			ok)},
		"ES256 without a key id": {keys: jwks, token: sign(t, jwt.SigningMethodES256, point, "",
			ok)},
		"an unknown key id": {keys: jwks, token: sign(t, jwt.SigningMethodES256, point, "x",
			ok), code: "PGRST301", message: "No suitable key or wrong key type",
			details: "No suitable key was found to decode the JWT"},
		"a key of another algorithm": {keys: jwks, token: sign(t, jwt.SigningMethodRS512, pair, "r",
			ok), code: "PGRST301", message: "No suitable key or wrong key type",
			details: "No suitable key was found to decode the JWT"},
		"another secret": {keys: secret, token: sign(t, jwt.SigningMethodHS256,
			[]byte("not the one"), "", ok), code: "PGRST301", message: "No suitable key or wrong key type",
			details: "None of the keys was able to decode the JWT"},
		"a public key taken for a secret": {keys: jwks, token: sign(t, jwt.SigningMethodHS256,
			pair.N.Bytes(), "r", ok), code: "PGRST301", message: "No suitable key or wrong key type",
			details: "No suitable key was found to decode the JWT"},
		"an unsigned token": {keys: secret, token: "eyJhbGciOiJub25lIn0.e30.",
			code: "PGRST301", message: "Unsupported token type"},
		"two parts": {keys: secret, token: "a.b", code: "PGRST301",
			message: "Expected 3 parts in JWT; got 2"},
		"a header that is no JSON": {keys: secret, token: "bm8.e30.bm8", code: "PGRST301",
			message: "JWT couldn't be decoded"},
		"claims that are no object": {keys: secret, token: signText(t, shared, `[1]`),
			code: "PGRST303", message: "Parsing claims failed"},
		"expired, beyond the tolerance": {keys: secret, token: sign(t, jwt.SigningMethodHS256, shared, "",
			`{"exp":1799999969}`), code: "PGRST303", message: "JWT expired"},
		"expired, within the tolerance": {keys: secret, token: sign(t, jwt.SigningMethodHS256, shared, "",
			`{"exp":1799999970}`)},
		"not yet valid": {keys: secret, token: sign(t, jwt.SigningMethodHS256, shared, "",
			`{"nbf":1800000031}`), code: "PGRST303", message: "JWT not yet valid"},
		"issued in the future": {keys: secret, token: sign(t, jwt.SigningMethodHS256, shared, "",
			`{"iat":1800000031}`), code: "PGRST303", message: "JWT issued at future"},
		"an expiry that is no number": {keys: secret, token: sign(t, jwt.SigningMethodHS256, shared, "",
			`{"exp":"x"}`), code: "PGRST303", message: "The JWT 'exp' claim must be a number"},
		"another audience": {keys: secret, token: sign(t, jwt.SigningMethodHS256, shared, "",
			`{"aud":["others"]}`), code: "PGRST303", message: "JWT not in audience"},
		"an audience that is neither text nor list": {keys: secret, token: sign(t, jwt.SigningMethodHS256, shared, "",
			`{"aud":{"a":1}}`), code: "PGRST303",
			message: "The JWT 'aud' claim must be a string or an array of strings"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			claims, err := rest.JWTVerifier(rest.JWTChecks{Audience: "guests", Now: at(now)}, tt.keys...)(tt.token)
			if tt.code == "" {
				if err != nil || claims == nil {
					t.Fatalf("claims %v, error %v", claims, err)
				}
				return
			}
			var refused *rest.TokenError
			if !errors.As(err, &refused) || refused.Code != tt.code || refused.Message != tt.message ||
				refused.Details != tt.details {
				t.Errorf("%#v, want %s %q %q", err, tt.code, tt.message, tt.details)
			}
		})
	}
}

func signText(t *testing.T, key []byte, payload string) string {
	t.Helper()
	e := base64.RawURLEncoding
	text := e.EncodeToString([]byte(`{"alg":"HS256"}`)) + "." + e.EncodeToString([]byte(payload))
	signature, err := jwt.SigningMethodHS256.Sign(text, key)
	if err != nil {
		t.Fatal(err)
	}
	return text + "." + e.EncodeToString(signature)
}

func TestParseKeysRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":                 ``,
		"a set without keys":      `{"keys":[]}`,
		"an unknown type":         `{"kty":"zip"}`,
		"a point off the curve":   `{"kty":"EC","crv":"P-256","x":"AQ","y":"AQ"}`,
		"an RSA key that is tiny": `{"kty":"RSA","n":"AQAB","e":"AQAB"}`,
		"a secret without bytes":  `{"kty":"oct","k":""}`,
	} {
		t.Run(name, func(t *testing.T) {
			if keys, err := rest.ParseKeys(text, false); err == nil {
				t.Errorf("%v", keys)
			}
		})
	}
}

// TestRoleClaim finds the role where the setting says, and falls back to the
// anonymous role where the path leads nowhere.
func TestRoleClaim(t *testing.T) {
	w := newWorld(t)
	claims := map[string]any{
		"role": "anon",
		"org":  map[string]any{"a-b": []any{"x", "authenticated"}},
		"many": []any{"guest_role", "authenticated"},
	}
	tests := map[string]struct{ path, want string }{
		"the usual place":         {"", `"anon"`},
		"a quoted key, an index":  {`.org."a-b"[1]`, `"authenticated"`},
		"the first that is equal": {`.many[?(@ == "authenticated")]`, `"authenticated"`},
		"one that begins so":      {`.many[?(@ ^== "auth")]`, `"authenticated"`},
		"one that ends so":        {`.many[?(@ ==^ "cated")]`, `"authenticated"`},
		"nowhere":                 {`.org.none`, `"anon"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := w.serve(t, func(c *rest.Config) {
				c.RoleClaim = tt.path
				c.Verify = func(string) (map[string]any, error) { return claims, nil }
			})
			if got := call(s, "GET", "/rpc/me", map[string]string{"as": "x"}, ""); got.Body.String() != tt.want {
				t.Errorf("%d %s, want %s", got.Code, got.Body, tt.want)
			}
		})
	}
	if _, err := rest.New(t.Context(), rest.Config{Pool: w.pool, Schemas: []string{"public"},
		RoleClaim: "role"}); err == nil {
		t.Error("a path without a dot is taken")
	}
}
