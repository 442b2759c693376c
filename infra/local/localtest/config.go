package localtest

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/stack"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Config is how functions reach the project of s: with the publishable key and
// with proofs of its keys.
func Config(t testing.TB, s *stack.Stack) supabase.Config {
	t.Helper()
	proof, err := supabase.NewProver(identity.Secret(s.ProofKeys()), time.Now, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return supabase.Config{URL: s.URL(), PublishableKey: identity.Secret(s.Keys().Publishable), Proof: proof}
}
