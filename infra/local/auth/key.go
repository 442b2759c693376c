package auth

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// signingKey is a private key with the name and the public half that others
// know it by.
type signingKey struct {
	private *ecdsa.PrivateKey
	id      string
	set     []byte
}

// LoadOrCreateKey returns the P-256 key kept in the PEM file at path. When
// there is no such file it makes a key and keeps it there, readable by the
// owner only, so that tokens outlive a restart.
func LoadOrCreateKey(path string) (*ecdsa.PrivateKey, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return createKey(path)
	}
	if err != nil {
		return nil, fmt.Errorf("read the signing key: %w", err)
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, fmt.Errorf("the signing key %s is not a PEM file; remove it to get a new one", path)
	}
	key, err := x509.ParseECPrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("parse the signing key %s: %w", path, err)
	}
	return key, nil
}

func createKey(path string) (*ecdsa.PrivateKey, error) {
	key, err := newKey()
	if err != nil {
		return nil, fmt.Errorf("make a signing key: %w", err)
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("encode the signing key: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("keep the signing key: %w", err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})
	// Written aside and renamed: a crash leaves no half of a key behind.
	aside := path + ".new"
	if err := os.WriteFile(aside, text, 0o600); err != nil {
		return nil, fmt.Errorf("keep the signing key: %w", err)
	}
	if err := os.Rename(aside, path); err != nil {
		return nil, fmt.Errorf("keep the signing key: %w", err)
	}
	return key, nil
}

func newKey() (*ecdsa.PrivateKey, error) {
	return ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
}

// newSigningKey names the key by its RFC 7638 thumbprint, so the same key has
// the same kid in every run.
func newSigningKey(key *ecdsa.PrivateKey) (signingKey, error) {
	if key.Curve != elliptic.P256() {
		return signingKey{}, fmt.Errorf("the signing key is on curve %s; ES256 needs P-256", key.Curve.Params().Name)
	}
	point, err := key.PublicKey.Bytes()
	if err != nil {
		return signingKey{}, fmt.Errorf("encode the public key: %w", err)
	}
	// The point is 0x04, then 32 bytes for each coordinate.
	x := base64.RawURLEncoding.EncodeToString(point[1:33])
	y := base64.RawURLEncoding.EncodeToString(point[33:])
	digest := sha256.Sum256(fmt.Appendf(nil, `{"crv":"P-256","kty":"EC","x":%q,"y":%q}`, x, y))
	id := base64.RawURLEncoding.EncodeToString(digest[:])
	set, err := json.Marshal(map[string]any{"keys": []any{map[string]any{
		"kty": "EC", "crv": "P-256", "x": x, "y": y,
		"kid": id, "alg": "ES256", "use": "sig", "key_ops": []string{"verify"}, "ext": true,
	}}})
	if err != nil {
		return signingKey{}, fmt.Errorf("encode the key set: %w", err)
	}
	return signingKey{private: key, id: id, set: set}, nil
}
