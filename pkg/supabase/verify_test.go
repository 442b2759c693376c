package supabase_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

const user = "11111111-1111-4111-8111-111111111111"

// signer signs tokens as a project does, with a clock that tests move.
type signer struct {
	t   testing.TB
	ec  *ecdsa.PrivateKey
	rsa *rsa.PrivateKey
	now time.Time
}

func newSigner(t testing.TB) *signer {
	t.Helper()
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	r, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return &signer{t: t, ec: ec, rsa: r, now: time.Date(2031, 1, 15, 12, 0, 0, 0, time.UTC)}
}

func (s *signer) claims(changes jwt.MapClaims) jwt.MapClaims {
	c := jwt.MapClaims{
		"iss": "https://project.test/auth/v1", "aud": "authenticated", "sub": user, "role": "authenticated",
		"email": "mira@test.example",
		"exp":   s.now.Add(time.Hour).Unix(), "iat": s.now.Unix(), "session_id": "s-1",
		"app_metadata": map[string]any{"org_id": "org-1"}, "user_metadata": map[string]any{"name": "Mira"},
	}
	maps.Copy(c, changes)
	return c
}

func (s *signer) sign(method jwt.SigningMethod, kid string, key any, changes jwt.MapClaims) identity.Secret {
	s.t.Helper()
	token := jwt.NewWithClaims(method, s.claims(changes))
	if kid != "" {
		token.Header["kid"] = kid
	}
	text, err := token.SignedString(key)
	if err != nil {
		s.t.Fatal(err)
	}
	return identity.Secret(text)
}

// signWith signs with a header of one's own choice.
func (s *signer) signWith(key *ecdsa.PrivateKey, header map[string]any) identity.Secret {
	s.t.Helper()
	token := jwt.NewWithClaims(jwt.SigningMethodES256, s.claims(nil))
	maps.Copy(token.Header, header)
	text, err := token.SignedString(key)
	if err != nil {
		s.t.Fatal(err)
	}
	return identity.Secret(text)
}

// jwk returns the public EC key.
func (s *signer) jwk() any {
	s.t.Helper()
	var set struct{ Keys []any }
	if err := json.Unmarshal([]byte(s.set("ec")), &set); err != nil {
		s.t.Fatal(err)
	}
	return set.Keys[0]
}

func (s *signer) good() identity.Secret { return s.sign(jwt.SigningMethodES256, "ec", s.ec, nil) }

// set returns the public keys as a JWKS, the EC one under the given id.
func (s *signer) set(kid string) string {
	s.t.Helper()
	point, err := s.ec.PublicKey.Bytes()
	if err != nil {
		s.t.Fatal(err)
	}
	b64 := base64.RawURLEncoding.EncodeToString
	text, err := json.Marshal(map[string]any{"keys": []any{
		map[string]any{"kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": kid, "x": b64(point[1:33]),
			"y": b64(point[33:])},
		map[string]any{"kty": "RSA", "alg": "RS256", "kid": "rsa", "n": b64(s.rsa.N.Bytes()), "e": "AQAB"},
		map[string]any{"kty": "oct", "alg": "HS256", "kid": "shared", "k": b64([]byte("a public secret"))},
	}})
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

func (s *signer) verifier(cfg supabase.VerifierConfig) *supabase.Verifier {
	s.t.Helper()
	cfg.URL, cfg.Now = "https://project.test", func() time.Time { return s.now }
	v, err := supabase.NewVerifier(cfg)
	if err != nil {
		s.t.Fatal(err)
	}
	return v
}

func offline(*http.Request) (*http.Response, error) { return nil, errors.New("offline") }

// F-44
func TestOnlyGoodTokensPass(t *testing.T) {
	s := newSigner(t)
	stranger := newSigner(t)
	public, err := s.ec.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	es := func(changes jwt.MapClaims) identity.Secret {
		return s.sign(jwt.SigningMethodES256, "ec", s.ec, changes)
	}
	at := func(d time.Duration) int64 { return s.now.Add(d).Unix() }
	parts := strings.Split(s.good().Reveal(), ".")
	tests := map[string]struct {
		token identity.Secret
		good  bool
	}{
		"as the project signs":        {s.good(), true},
		"by the RSA key":              {s.sign(jwt.SigningMethodRS256, "rsa", s.rsa, nil), true},
		"expired within the leeway":   {es(jwt.MapClaims{"exp": at(-20 * time.Second)}), true},
		"several audiences":           {es(jwt.MapClaims{"aud": []string{"x", "authenticated"}}), true},
		"expired":                     {es(jwt.MapClaims{"exp": at(-40 * time.Second)}), false},
		"without an end":              {es(jwt.MapClaims{"exp": nil}), false},
		"not yet valid":               {es(jwt.MapClaims{"nbf": at(time.Minute)}), false},
		"another issuer":              {es(jwt.MapClaims{"iss": "https://other.test/auth/v1"}), false},
		"another audience":            {es(jwt.MapClaims{"aud": "anon"}), false},
		"another role":                {es(jwt.MapClaims{"role": "service_role"}), false},
		"no issuer":                   {es(jwt.MapClaims{"iss": nil}), false},
		"no audience":                 {es(jwt.MapClaims{"aud": nil}), false},
		"no role":                     {es(jwt.MapClaims{"role": nil}), false},
		"a role that is no text":      {es(jwt.MapClaims{"role": []string{"authenticated"}}), false},
		"an issuer that begins alike": {es(jwt.MapClaims{"iss": "https://project.test/auth/v1/"}), false},
		"an end that is a text":       {es(jwt.MapClaims{"exp": "never"}), false},
		"valid within the leeway":     {es(jwt.MapClaims{"nbf": at(20 * time.Second)}), true},
		"its own key in the header": {s.signWith(stranger.ec,
			map[string]any{"kid": "ec", "jwk": stranger.jwk()}), false},
		"an address of its own key": {s.signWith(stranger.ec,
			map[string]any{"kid": "ec", "jku": "https://evil.test/keys"}), false},
		"a key id that is no text": {s.signWith(s.ec, map[string]any{"kid": 1}), false},
		"a key id that is SQL":     {s.signWith(s.ec, map[string]any{"kid": "ec' or '1'='1"}), false},
		"a key id of another's address": {s.signWith(s.ec, map[string]any{"kid": "https://evil.test/keys#ec"}),
			false},
		"words after the signature": {s.good() + ".x", false},
		"spaces around it":          {" " + s.good(), false},
		"no subject":                {es(jwt.MapClaims{"sub": nil}), false},
		"a subject that is no uuid": {es(jwt.MapClaims{"sub": "admin"}), false},
		"no algorithm": {s.sign(jwt.SigningMethodNone, "ec", jwt.UnsafeAllowNoneSignatureType, nil),
			false},
		"a shared secret":                 {s.sign(jwt.SigningMethodHS256, "", []byte("guess"), nil), false},
		"the public key as shared secret": {s.sign(jwt.SigningMethodHS256, "ec", public, nil), false},
		"the secret in the public set": {s.sign(jwt.SigningMethodHS256, "shared", []byte("a public secret"), nil),
			false},
		"an algorithm of another key": {s.sign(jwt.SigningMethodRS256, "ec", s.rsa, nil), false},
		"no key id":                   {s.sign(jwt.SigningMethodES256, "", s.ec, nil), false},
		"a key id that is a path":     {s.sign(jwt.SigningMethodES256, "../../ec", s.ec, nil), false},
		"somebody else's key":         {s.sign(jwt.SigningMethodES256, "ec", stranger.ec, nil), false},
		"a changed payload": {identity.Secret(parts[0] + "." + parts[1][:len(parts[1])-4] + "AAAA." +
			parts[2]), false},
		"no signature":   {identity.Secret(parts[0] + "." + parts[1] + "."), false},
		"nothing":        {"", false},
		"something else": {"sb_publishable_x", false},
		"far too long":   {identity.Secret(strings.Repeat("a", 1<<20)), false},
	}
	v := s.verifier(supabase.VerifierConfig{JWKS: s.set("ec"), HTTP: wire(offline)})
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			claims, err := v.Verify(t.Context(), tc.token)
			if !tc.good {
				isUnauthorized(t, err)
				return
			}
			if err != nil || claims.UserID != user || claims.OrgID != "org-1" || claims.Name != "Mira" ||
				claims.SessionID != "s-1" {
				t.Errorf("got %+v, %v", claims, err)
			}
		})
	}
	legacy := s.verifier(supabase.VerifierConfig{JWKS: s.set("ec"), Secret: "a long shared secret of the project",
		HTTP: wire(offline)})
	if _, err := legacy.Verify(t.Context(), s.sign(jwt.SigningMethodHS256, "",
		[]byte("a long shared secret of the project"), nil)); err != nil {
		t.Errorf("with the secret set: %v", err)
	}
	_, err = legacy.Verify(t.Context(), s.sign(jwt.SigningMethodHS256, "", []byte("guess"), nil))
	isUnauthorized(t, err)
}

func isUnauthorized(t *testing.T, err error) {
	t.Helper()
	if !fault.Is(err, fault.Unauthorized) || !strings.Contains(fault.From(err).Message, "sign in again") {
		t.Errorf("got %v", err)
	}
}

func TestKeysAreFetchedSeldomAndKept(t *testing.T) {
	s := newSigner(t)
	fetches, up, kid := 0, true, "ec"
	v := s.verifier(supabase.VerifierConfig{HTTP: wire(func(r *http.Request) (*http.Response, error) {
		fetches++
		if r.URL.String() != "https://project.test/auth/v1/.well-known/jwks.json" {
			t.Errorf("fetched %s", r.URL)
		}
		if !up {
			return offline(r)
		}
		return answer(200, s.set(kid)), nil
	})})
	check := func(when string, token identity.Secret, kind fault.Kind, want int) {
		t.Helper()
		if _, err := v.Verify(t.Context(), token); fault.KindOf(err) != kind || fetches != want {
			t.Errorf("%s: %v after %d fetches, want %q after %d", when, err, fetches, kind, want)
		}
	}
	rotated := func() identity.Secret { return s.sign(jwt.SigningMethodES256, "next", s.ec, nil) }

	up = false
	check("the first fetch fails", s.good(), fault.Unavailable, 1)
	up = true
	s.now = s.now.Add(3 * time.Second)
	check("soon after", s.good(), "", 2)
	s.now = s.now.Add(9 * time.Minute)
	check("within ten minutes", s.good(), "", 2)
	check("an unknown key", rotated(), fault.Unauthorized, 3)
	check("an unknown key once more", rotated(), fault.Unauthorized, 3)
	kid = "next"
	s.now = s.now.Add(time.Minute)
	check("the key has been rotated", rotated(), "", 4)
	check("the old key is gone", s.good(), fault.Unauthorized, 4)
	up = false
	s.now = s.now.Add(11 * time.Minute)
	check("old keys serve while none can be fetched", rotated(), "", 5)
	s.now = s.now.Add(30 * time.Second)
	check("and are not fetched at each request", rotated(), "", 5)
}

// A token that was found good is remembered for a minute, never beyond its end,
// and only as a whole.
func TestAGoodTokenIsNotCheckedAgainAtOnce(t *testing.T) {
	s := newSigner(t)
	token := s.sign(jwt.SigningMethodES256, "ec", s.ec, jwt.MapClaims{"exp": s.now.Add(100 * time.Second).Unix()})
	v := s.verifier(supabase.VerifierConfig{JWKS: s.set("ec"), HTTP: wire(offline)})
	good := func(when string, want bool) {
		t.Helper()
		if _, err := v.Verify(t.Context(), token); (err == nil) != want {
			t.Errorf("%s: %v", when, err)
		}
	}
	good("at first", true)
	good("again", true)
	for _, other := range []identity.Secret{token + "A", token[:len(token)-1], "x" + token} {
		_, err := v.Verify(t.Context(), other)
		isUnauthorized(t, err)
	}
	s.now = s.now.Add(90 * time.Second)
	good("before its end", true)
	s.now = s.now.Add(30 * time.Second)
	good("within the leeway", true) // as any token is
	s.now = s.now.Add(11 * time.Second)
	good("after its end", false)
	// However many tokens come, all are judged right.
	for range 1200 {
		if _, err := v.Verify(t.Context(), s.good()); err != nil {
			t.Fatal(err)
		}
	}
	good("after many others", false)
}

func BenchmarkVerify(b *testing.B) {
	s := newSigner(b)
	token := s.good()
	for name, fresh := range map[string]bool{"known": false, "new": true} {
		b.Run(name, func(b *testing.B) {
			v := s.verifier(supabase.VerifierConfig{JWKS: s.set("ec"), HTTP: wire(offline)})
			for b.Loop() {
				if fresh {
					v = s.verifier(supabase.VerifierConfig{JWKS: s.set("ec"), HTTP: wire(offline)})
				}
				if _, err := v.Verify(b.Context(), token); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
