package conversations_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	store "github.com/bellhop-ai/bellhop/pkg/supabase/conversations"
)

// manyTalks are 10,000 conversations with 200,000 messages: one of 2,000, the
// others of about 20. ME takes part in the first 9,000.
const manyTalks = `
insert into public.chat_sessions (org_id, id, assistant, user_id, thread, prefix, number, title, message_count,
	last_seq, estimated_tokens, last_message_at, created_at)
select ORG, md5('c' || n)::uuid, 'hospitality', ME, 'c' || n, 'SC', n, 'Question ' || n, m, m, m * 20, now() - n *
	interval '1 minute', now() - n * interval '2 minutes'
from generate_series(1, 10000) n, lateral (select case n when 1 then 2000 else 20 end as m) x;
insert into public.chat_counters (org_id, assistant, last) values (ORG, 'hospitality', 10000);
insert into public.chat_people (org_id, session_id, user_id, added_by)
select ORG, md5('c' || n)::uuid, case when n <= 9000 then ME else gen_random_uuid() end, ME from generate_series(1,
	10000) n;
insert into public.chat_messages (org_id, session_id, seq, role, content, client_id, tokens, created_at)
select ORG, md5('c' || n)::uuid, k, case k % 2 when 1 then 'user' else 'assistant' end,
  'Message ' || k || ' of talk ' || n || ' about ' || (array['lanterns', 'blankets', 'breakfast', 'the valley',
  	'कमरा खाली है'])[1 + (n + k) % 5]
    || case when n = 4711 and k = 3 then ' and a xylophone' else '' end || repeat(' and some more words to read', 4),
    	'm' || k, 20, now() - n * interval '1 minute'
from generate_series(1, 10000) n, lateral generate_series(1, case n when 1 then 2000 else 20 end) k;`

// What a sidebar and a turn ask of 10,000 conversations.
func BenchmarkWhatASidebarAsks(b *testing.B) {
	s := localtest.Clone(b)
	org := localtest.NewOrgOn(b, s)
	localtest.Script(b, s, strings.NewReplacer("ORG", "'"+org.ID+"'::uuid", "ME", "'"+org.Manager.ID+
		"'::uuid").Replace(manyTalks))
	localtest.Script(b, s, `analyze`)
	client, err := supabase.New(localtest.Config(b, s))
	if err != nil {
		b.Fatal(err)
	}
	by, err := client.Whoami(b.Context(), identity.Secret(org.Manager.Token))
	if err != nil {
		b.Fatal(err)
	}
	talks := store.New(client)
	list := func(f conversations.Filter) func() error {
		return func() error { _, err := talks.List(b.Context(), by, f); return err }
	}
	first, err := talks.List(b.Context(), by, conversations.Filter{})
	if err != nil {
		b.Fatal(err)
	}
	long, short := first.Conversations[0].ID, first.Conversations[1].ID
	deep := *first.Next
	deep.At = deep.Until.Add(-8000 * 60e9)
	for _, each := range []struct {
		name string
		ask  func() error
	}{
		{"list", list(conversations.Filter{})},
		{"list, a later page", list(conversations.Filter{Cursor: *first.Next})},
		{"list, page 270", list(conversations.Filter{Cursor: deep})},
		{"search, a rare word", list(conversations.Filter{Query: "xylophone"})},
		{"search, a common word", list(conversations.Filter{Query: "lanterns"})},
		{"search, no such word", list(conversations.Filter{Query: "zeppelin"})},
		{"search, two letters", list(conversations.Filter{Query: "xy"})},
		{"search, two letters nowhere", list(conversations.Filter{Query: "qq"})},
		{"search, Hindi", list(conversations.Filter{Query: "खाली"})},
		{"search, Hindi nowhere", list(conversations.Filter{Query: "नहीं"})},
		{"search, a number", list(conversations.Filter{Query: "#SC-4711"})},
		{"context of 20 messages", func() error {
			_, err := talks.Load(b.Context(), by, short, "",
				conversations.ForPage())
			return err
		}},
		{"context of 2,000 messages", func() error {
			_, err := talks.Load(b.Context(), by, long, "",
				conversations.ForPage())
			return err
		}},
		{"context of 2,000 messages, for a model", func() error {
			_, err := talks.Load(b.Context(), by, long, "",
				conversations.ForModel())
			return err
		}},
		{"a page of 50 of 2,000", func() error {
			_, err := talks.Messages(b.Context(), by, long, 1000,
				50)
			return err
		}},
		{"something said", func() error {
			turn := uuid.NewString()
			_, err := talks.RecordMessage(b.Context(), by, saying(short, turn, "One more question about lanterns"))
			return err
		}},
		{"the first message", func() error {
			_, err := talks.RecordMessage(b.Context(), by, saying(uuid.NewString(), "t1", "A question about lanterns"))
			return err
		}},
	} {
		b.Run(each.name, func(b *testing.B) {
			for b.Loop() {
				if err := each.ask(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
