package rest

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// JWTChecks says what JWTVerifier asks of a token besides its signature.
type JWTChecks struct {
	Audience string           // empty accepts any
	Now      func() time.Time // nil is time.Now
}

// JWTVerifier returns a Config.Verify that accepts tokens signed by one of
// keys: HS256 to HS512, RS256 to RS512, ES256 to ES512 and EdDSA. A key serves
// only its own kind and, where it names them, its algorithm and key id; so a
// public key never passes for a secret. Refusals are *TokenError with
// PostgREST's code, message and details.
func JWTVerifier(checks JWTChecks, keys ...Key) func(token string) (map[string]any, error) {
	now := checks.Now
	if now == nil {
		now = time.Now
	}
	return func(token string) (map[string]any, error) {
		claims, err := verifySignature(token, keys)
		if err != nil {
			return nil, err
		}
		return claims, CheckClaims(claims, now(), checks.Audience)
	}
}

type jwtHeader struct {
	Algorithm string  `json:"alg"`
	KeyID     *string `json:"kid"`
}

func verifySignature(token string, keys []Key) (map[string]any, error) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return nil, BadToken(fmt.Sprintf("Expected 3 parts in JWT; got %d", len(parts)))
	}
	header, err := readHeader(parts[0])
	if err != nil {
		return nil, err
	}
	if header.Algorithm == "none" {
		return nil, BadToken("Unsupported token type")
	}
	method := jwt.GetSigningMethod(header.Algorithm)
	if method == nil || strings.HasPrefix(header.Algorithm, "PS") {
		return nil, BadToken("JWT couldn't be decoded")
	}
	suitable := keysFor(header, keys)
	if len(suitable) == 0 {
		return nil, noKey("No suitable key was found to decode the JWT")
	}
	signature, err := decode64(parts[2])
	if err != nil {
		return nil, BadToken("JWT cryptographic operation failed")
	}
	for _, k := range suitable {
		if method.Verify(parts[0]+"."+parts[1], signature, k.material) == nil {
			return readClaims(parts[1])
		}
	}
	return nil, noKey("None of the keys was able to decode the JWT")
}

func noKey(details string) *TokenError {
	return &TokenError{Code: "PGRST301", Message: "No suitable key or wrong key type", Details: details}
}

func readHeader(part string) (jwtHeader, error) {
	var h jwtHeader
	raw, err := decode64(part)
	if err != nil || json.Unmarshal(raw, &h) != nil {
		return h, BadToken("JWT couldn't be decoded")
	}
	return h, nil
}

// readClaims reads the payload. Numbers stay as written, so that a large one
// reaches SQL unrounded.
func readClaims(part string) (map[string]any, error) {
	raw, err := decode64(part)
	if err != nil {
		return nil, BadToken("JWT couldn't be decoded")
	}
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	var claims map[string]any
	if err := d.Decode(&claims); err != nil || claims == nil || d.More() {
		return nil, BadClaim("Parsing claims failed")
	}
	return claims, nil
}

func keysFor(h jwtHeader, keys []Key) []Key {
	var out []Key
	for _, k := range keys {
		named := h.KeyID == nil || *h.KeyID == k.id
		if named && !k.encrypts && (k.algorithm == "" || k.algorithm == h.Algorithm) && k.serves(h.Algorithm) {
			out = append(out, k)
		}
	}
	return out
}

// decode64 reads base64url; some issuers pad it.
func decode64(text string) ([]byte, error) {
	return base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
}

var errNoKeys = errors.New("rest: the JWT secret holds no key")
