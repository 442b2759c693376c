package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Question is a sentence and all that its answer depends on.
type Question struct {
	By        identity.Caller // with the entity chosen
	Assistant string
	Pipeline  string
	Language  string // of the answer
	// Tools names what the assistant may use: a digest of the manifests and of the
	// assistant's own tools. It changes with each of them.
	Tools string
	Text  string
	Today calendar.Date // at the entity
}

// keys are the digests of a question for the person, and for all members in the
// role; shared is "" for a caller with a token of their own at the remote server,
// who may see less there than the organisation does, or more.
type keys struct{ own, shared string }

// list returns the keys in the order in which they are looked up.
func (k keys) list() []string {
	if k.shared == "" {
		return []string{k.own}
	}
	return []string{k.own, k.shared}
}

// version changes when entries or keys are made in another way.
const version = "1"

// keys returns the digests. It reports false for a question whose answer is not
// kept.
func (q Question) keys() (keys, bool) {
	text := Normal(q.Text)
	if text == "" || len(text) > MaxSentence || q.By.UserID == "" || q.By.OrgID == "" || q.By.Visitor != "" {
		return keys{}, false
	}
	shared := digest(version, q.By.OrgID, q.By.Entity.ID, string(q.By.Role), q.Assistant, q.Pipeline, q.Language,
		q.Tools, q.Today.String(), text)
	k := keys{own: digest(shared, q.By.Subject(), q.By.Remote.Reveal()), shared: shared}
	if q.By.Remote != "" {
		k.shared = ""
	}
	return k, true
}

// digest returns the SHA-256 of the parts, each with its length, in hexadecimal.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Normal returns the form in which sentences are compared: compatible characters
// are one (NFKC), case does not count, blanks are single, and signs that end a
// sentence are gone. Figures, names and all other signs stay.
func Normal(text string) string {
	text = strings.Join(strings.Fields(cases.Fold().String(norm.NFKC.String(text))), " ")
	return strings.TrimRight(text, " .?!।…")
}
