package conversations_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	store "github.com/bellhop-ai/bellhop/pkg/supabase/conversations"
)

// Whatever several people do to the same few conversations at once, each of them
// numbers and counts what it holds, and no one waits for ever.
func TestAStormLeavesOrder(t *testing.T) {
	t.Parallel()
	stack := localtest.Clone(t)
	client, err := supabase.New(localtest.Config(t, stack))
	if err != nil {
		t.Fatal(err)
	}
	talks, org := store.New(client), localtest.NewOrgOn(t, stack)
	localtest.Give(t, stack, org.ID, "portfolio")
	var people []identity.Caller
	for _, p := range []localtest.Person{org.Admin, org.Manager, org.Viewer} {
		by, err := client.Whoami(t.Context(), identity.Secret(p.Token))
		if err != nil {
			t.Fatal(err)
		}
		people = append(people, by)
	}
	var ids, projects []string
	for n := range 3 {
		projects = append(projects, localtest.SQLOn(t, stack,
			`insert into public.projects (org_id, title) values ($1, $2) returning id::text as id`, org.ID,
			fmt.Sprint("Project ", n))[0]["id"].(string))
		for _, by := range people {
			d, _, err := talks.Open(t.Context(), by, conversations.Opening{Assistant: "portfolio", Prefix: "PF",
				ProjectID: projects[n]})
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, d.ID)
		}
	}
	// Each of the nine walks is the same every time; how they meet is not.
	walk := func(i int) error {
		r := rand.New(rand.NewPCG(uint64(i), 7))
		by := people[i%3]
		for n := range 25 {
			id, turn := ids[r.IntN(len(ids))], fmt.Sprintf("t%d-%d", i, n/2)
			s := conversations.UserMessage{Assistant: "portfolio", Prefix: "PF", Thread: id, Turn: turn,
				MessageID: fmt.Sprintf("m%d", r.IntN(12)), Text: fmt.Sprint("Words ", r.IntN(4))}
			var err error
			switch r.IntN(8) {
			case 0, 1:
				_, err = talks.RecordMessage(t.Context(), by, s)
			case 2:
				s.Replaces = s.MessageID
				_, err = talks.RecordMessage(t.Context(), by, s)
			case 3, 4:
				err = talks.Answer(t.Context(), by, conversations.Answer{ID: id, Turn: turn, Text: "An answer"})
			case 5:
				_, err = talks.Append(t.Context(), by, id, []conversations.Entry{{Role: "user", MessageID: s.MessageID,
					Text: "One"}, {Role: "assistant", MessageID: turn, Text: "Two"}})
			case 6:
				if err = talks.Delete(t.Context(), by, id); err == nil {
					_, err = talks.Restore(t.Context(), by, id)
				}
			default:
				_, _, err = talks.Open(t.Context(), by, conversations.Opening{Assistant: "portfolio", Prefix: "PF",
					ProjectID: projects[r.IntN(3)]})
			}
			if err != nil && !expected(err) {
				return fmt.Errorf("walk %d, step %d: %w", i, n, err)
			}
		}
		return nil
	}
	if err := errors.Join(together(9, walk)...); err != nil {
		t.Error(err)
	}
	localtest.Invariants(t, stack)
}

// expected reports whether another user's doing explains a refusal.
func expected(err error) bool {
	switch fault.From(err).PublicCode() {
	case "conversation_deleted", "project_taken", "not_yours", "conversation_not_found":
		return true
	}
	return false
}
