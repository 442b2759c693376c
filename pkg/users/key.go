package users

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// KeyPrefix begins every API key, so that people and scanners of source code
// know one when they see it: bellhop_[a-z2-7]{80}.
const KeyPrefix = "bellhop_"

// The parts of a key in bytes. Their sum is a multiple of five, so a key has
// exactly one spelling in base 32.
const (
	idBytes     = 16
	secretBytes = 30
	sumBytes    = 4
)

func spelling() *base32.Encoding {
	return base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)
}

// Secret is the random part of an API key: 240 random bits.
type Secret [secretBytes]byte

// NewSecret draws a secret.
func NewSecret(random io.Reader) (Secret, error) {
	var s Secret
	if _, err := io.ReadFull(random, s[:]); err != nil {
		return s, fmt.Errorf("draw a secret: %w", err)
	}
	return s, nil
}

// Password is the secret as the password of the machine user's account.
func (s Secret) Password() identity.Secret { return identity.Secret(spelling().EncodeToString(s[:])) }

// Digest is what is stored of the secret: its SHA-256 in hexadecimal digits.
// The secret is random, so a slow hash would add nothing.
func (s Secret) Digest() string {
	sum := sha256.Sum256(s[:])
	return hex.EncodeToString(sum[:])
}

// String returns a mark instead of the secret.
func (Secret) String() string { return "[secret]" }

// GoString returns a mark instead of the secret.
func (Secret) GoString() string { return "[secret]" }

// MarshalText returns a mark instead of the secret.
func (Secret) MarshalText() ([]byte, error) { return []byte("[secret]"), nil }

// Key returns the whole key of a user, which is shown once.
func (s Secret) Key(userID string) (identity.Secret, error) {
	id, err := uuid.Parse(userID)
	if err != nil {
		return "", fmt.Errorf("a key of a user without an id: %w", err)
	}
	whole := append(id[:], s[:]...)
	whole = binary.BigEndian.AppendUint32(whole, crc32.ChecksumIEEE(whole))
	return identity.Secret(KeyPrefix + spelling().EncodeToString(whole)), nil
}

// ParseKey returns whose key it is, and its secret. The sum at its end finds
// what was mistyped or made up without asking the database.
func ParseKey(key identity.Secret) (userID string, s Secret, err error) {
	text, ok := strings.CutPrefix(strings.TrimSpace(key.Reveal()), KeyPrefix)
	whole, broken := spelling().DecodeString(text)
	// The decoder forgives a letter too many, and line breaks.
	if !ok || broken != nil || len(whole) != idBytes+secretBytes+sumBytes ||
		len(text) != spelling().EncodedLen(len(whole)) {
		return "", s, errors.New("it has not the form of a key")
	}
	body, sum := whole[:idBytes+secretBytes], whole[idBytes+secretBytes:]
	if binary.BigEndian.Uint32(sum) != crc32.ChecksumIEEE(body) {
		return "", s, errors.New("its sum is wrong")
	}
	copy(s[:], body[idBytes:])
	return uuid.UUID(body[:idBytes]).String(), s, nil
}
