package history

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
)

// The encodings below are injective: every text is preceded by its length, so
// no two different lists of texts are written with the same bytes.

// appendScope writes a label and a scope.
func appendScope(b []byte, label string, s Scope) []byte {
	for _, text := range []string{label, s.Tenant, s.User, s.Assistant, s.Thread} {
		b = binary.BigEndian.AppendUint64(b, uint64(len(text)))
		b = append(b, text...)
	}
	return b
}

// associated is what a token is bound to besides the key that made it.
func associated(scope Scope, position int) []byte {
	b := appendScope(nil, version, scope)
	return binary.BigEndian.AppendUint64(b, uint64(position))
}

func digest(text string) [32]byte { return sha256.Sum256([]byte(text)) }

// said is the running digest of messages. It is made once for each message,
// however many seals are compared with it.
type said struct {
	h hash.Hash
	b []byte // the last message as it is written, to be written over
}

func (s *said) add(m Message) {
	if s.h == nil {
		s.h = sha256.New()
	}
	s.b = binary.BigEndian.AppendUint64(s.b[:0], uint64(len(m.Role)))
	s.b = binary.BigEndian.AppendUint64(s.b, uint64(len(m.Text)))
	s.b = append(append(s.b, m.Role...), m.Text...)
	if len(m.Files) > 0 {
		s.addFiles(m.Files)
	}
	s.h.Write(s.b)
}

// addFiles writes the files behind a message. The length of a role has no bit as
// high as the one that they begin with, so they are no message, and a message
// without files is written as it always was.
func (s *said) addFiles(files []File) {
	s.b = binary.BigEndian.AppendUint64(s.b, 1<<63|uint64(len(files)))
	for _, f := range files {
		for _, text := range []string{f.URL, f.Name, f.Type} {
			s.b = append(binary.BigEndian.AppendUint64(s.b, uint64(len(text))), text...)
		}
	}
}

// sum returns the digest so far; more may be added afterwards.
func (s said) sum() (d [32]byte) {
	if s.h == nil {
		return digest("")
	}
	s.h.Sum(d[:0])
	return d
}
