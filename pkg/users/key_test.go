package users_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/users"
)

const somebody = "00112233-4455-6677-8899-aabbccddeeff"

// zeroes is the secret of which every bit is drawn as zero.
func zeroes(t *testing.T) users.Secret {
	t.Helper()
	s, err := users.NewSecret(bytes.NewReader(make([]byte, 30)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The key of the id 00112233… with a secret that is all zeroes. Its
// sum is that of the 46 bytes, as zlib's crc32 has it, and the digest that
// of sha256sum over 30 zero bytes.
func TestAKeyHasOneSpelling(t *testing.T) {
	t.Parallel()
	s := zeroes(t)
	key, err := s.Key(somebody)
	if err != nil {
		t.Fatal(err)
	}
	const want = "bellhop_aaisem2ekvthpcezvk54zxpo74aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaadkdecjn"
	if key.Reveal() != want {
		t.Errorf("the key is %s, want %s", key.Reveal(), want)
	}
	if got := s.Digest(); got != "0679246d6c4216de0daa08e5523fb2674db2b6599c3b72ff946b488a15290b62" {
		t.Errorf("the digest is %s", got)
	}
	for what, text := range map[string]string{"itself": want, "pasted with blanks": " " + want + "\n"} {
		id, again, err := users.ParseKey(identity.Secret(text))
		if err != nil || id != somebody || again != s {
			t.Errorf("%s: %s, %v", what, id, err)
		}
	}
	// Whatever one letter becomes, it is no key any more.
	for i := range want {
		for _, c := range "abcdefghijklmnopqrstuvwxyz234567ABC01=\n_" {
			if rune(want[i]) == c {
				continue
			}
			if id, _, err := users.ParseKey(identity.Secret(want[:i] + string(c) + want[i+1:])); err == nil {
				t.Errorf("with %q at %d it is a key of %s", c, i, id)
			}
		}
	}
	for _, text := range []string{"", "bellhop_", want + "a", want[:40] + "\n" + want[40:], strings.ToUpper(want),
		want[8:]} {
		if _, _, err := users.ParseKey(identity.Secret(text)); err == nil {
			t.Errorf("%q is a key", text)
		}
	}
}

func TestASecretDoesNotShowItself(t *testing.T) {
	t.Parallel()
	s := zeroes(t)
	password := s.Password().Reveal()
	asJSON, err := json.Marshal(map[string]any{"s": s})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{fmt.Sprint(s), fmt.Sprintf("%v %+v %#v %s %q", s, s, s, s, s),
		fmt.Sprintf("%v %#v", &s, struct{ S users.Secret }{s}), string(asJSON)} {
		if strings.Contains(text, password) || strings.Contains(text, "0, 0") || strings.Contains(text, "0,0") ||
			strings.Contains(text, "0 0") || strings.Contains(text, "0x0") {
			t.Errorf("it shows as %s", text)
		}
	}
	if len(password) != 48 {
		t.Errorf("a password of %d letters", len(password))
	}
	if _, err := users.NewSecret(strings.NewReader("too short")); err == nil {
		t.Error("a secret was drawn from too little")
	}
	if _, err := s.Key("nobody"); err == nil {
		t.Error("somebody without an id got a key")
	}
}
