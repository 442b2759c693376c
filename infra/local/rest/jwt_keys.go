package rest

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
)

// Key verifies tokens.
type Key struct {
	id        string
	algorithm string // the only one that it serves; empty is all of its kind
	encrypts  bool
	material  any // []byte, *rsa.PublicKey, *ecdsa.PublicKey or ed25519.PublicKey
}

// SecretKey is a shared secret for HS256.
func SecretKey(secret []byte) Key { return Key{algorithm: "HS256", material: secret} }

// ParseKeys reads PostgREST's jwt-secret: a JWK Set, one JWK, or else a shared
// secret for HS256. With base64 the text is first decoded, in the standard or
// the URL alphabet, padded or not.
func ParseKeys(text string, isBase64 bool) ([]Key, error) {
	if isBase64 {
		plain := strings.NewReplacer("-", "+", "_", "/", ".", "", "=", "", "\n", "").Replace(strings.TrimSpace(text))
		raw, err := base64.RawStdEncoding.DecodeString(plain)
		if err != nil {
			return nil, fmt.Errorf("rest: decode the JWT secret: %w", err)
		}
		text = string(raw)
	}
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		if text == "" {
			return nil, errNoKeys
		}
		return []Key{SecretKey([]byte(text))}, nil
	}
	var set struct {
		Keys []jwk `json:"keys"`
		jwk
	}
	if err := json.Unmarshal([]byte(text), &set); err != nil {
		return nil, fmt.Errorf("rest: read the JWT keys: %w", err)
	}
	list := set.Keys
	if set.Type != "" {
		list = append(list, set.jwk)
	}
	var keys []Key
	for _, one := range list {
		k, err := one.key()
		if err != nil {
			return nil, err
		}
		keys = append(keys, k)
	}
	if len(keys) == 0 {
		return nil, errNoKeys
	}
	return keys, nil
}

// jwk is a JSON Web Key, RFC 7517.
type jwk struct {
	Type      string `json:"kty"`
	ID        string `json:"kid"`
	Algorithm string `json:"alg"`
	Use       string `json:"use"`
	Curve     string `json:"crv"`
	Secret    string `json:"k"`
	N         string `json:"n"`
	E         string `json:"e"`
	X         string `json:"x"`
	Y         string `json:"y"`
}

func (j jwk) key() (Key, error) {
	k := Key{id: j.ID, algorithm: j.Algorithm, encrypts: j.Use == "enc"}
	fail := func(why string) (Key, error) {
		return Key{}, fmt.Errorf("rest: JWT key %q of type %q: %s", j.ID, j.Type, why)
	}
	part := map[string][]byte{}
	for name, text := range map[string]string{"k": j.Secret, "n": j.N, "e": j.E, "x": j.X, "y": j.Y} {
		raw, err := decode64(text)
		if err != nil {
			return fail("its " + name + " is not base64url")
		}
		part[name] = raw
	}
	number := func(name string) *big.Int { return new(big.Int).SetBytes(part[name]) }
	switch j.Type {
	case "oct":
		if len(part["k"]) == 0 {
			return fail("k is missing")
		}
		k.material = part["k"]
	case "RSA":
		e := number("e")
		if number("n").BitLen() < 1024 || !e.IsInt64() || e.Int64() < 3 || e.Int64() > 1<<31-1 {
			return fail("n or e is missing or too small")
		}
		k.material = &rsa.PublicKey{N: number("n"), E: int(e.Int64())}
	case "EC":
		curve, ok := map[string]elliptic.Curve{"P-256": elliptic.P256(), "P-384": elliptic.P384(),
			"P-521": elliptic.P521()}[j.Curve]
		if !ok {
			return fail("the curve " + j.Curve + " is unknown")
		}
		// The uncompressed form of a point: 4, x and y, each as long as the field.
		size := (curve.Params().BitSize + 7) / 8
		if len(part["x"]) > size || len(part["y"]) > size {
			return fail("x and y are no point of the curve")
		}
		form := make([]byte, 1+2*size)
		form[0] = 4
		copy(form[1+size-len(part["x"]):], part["x"])
		copy(form[1+2*size-len(part["y"]):], part["y"])
		point, err := ecdsa.ParseUncompressedPublicKey(curve, form)
		if err != nil {
			return fail("x and y are no point of the curve")
		}
		k.material = point
	case "OKP":
		if j.Curve != "Ed25519" || len(part["x"]) != ed25519.PublicKeySize {
			return fail("only Ed25519 is known")
		}
		k.material = ed25519.PublicKey(part["x"])
	default:
		return fail("the type is unknown")
	}
	return k, nil
}

// serves tells whether the key is of the kind that algorithm needs.
func (k Key) serves(algorithm string) bool {
	switch m := k.material.(type) {
	case []byte:
		return strings.HasPrefix(algorithm, "HS")
	case *rsa.PublicKey:
		return strings.HasPrefix(algorithm, "RS")
	case *ecdsa.PublicKey:
		return algorithm == map[int]string{256: "ES256", 384: "ES384", 521: "ES512"}[m.Curve.Params().BitSize]
	case ed25519.PublicKey:
		return algorithm == "EdDSA"
	}
	return false
}
