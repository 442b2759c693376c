// Package control keeps turns and proposals in Supabase, behind functions that
// guard tables without any grants.
package control

import (
	"context"
	"encoding/json"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Proposals is a consent.Store.
type Proposals struct{ client *supabase.Client }

var _ consent.Store = Proposals{}

// NewProposals returns the store in the project of client.
func NewProposals(client *supabase.Client) Proposals { return Proposals{client} }

// proposal is a proposal as the database's functions write it.
type proposal struct {
	ID        string        `json:"id"`
	Assistant string        `json:"assistant"`
	Agent     string        `json:"agent"`
	Thread    string        `json:"thread"`
	Turn      string        `json:"turn"`
	Tool      string        `json:"tool"`
	ArgsText  string        `json:"argsText"`
	ArgsHash  string        `json:"argsHash"`
	Preview   preview       `json:"preview"`
	Tier      string        `json:"tier"`
	Code      string        `json:"code"`
	Targets   []tool.Target `json:"targets"`
	Reads     []effect.Read `json:"reads"`
	State     consent.State `json:"state"`
	CreatedAt time.Time     `json:"createdAt"`
	ExpiresAt time.Time     `json:"expiresAt"`
}

// preview is what is stored of a preview: what people see, how many of its
// warnings are not the tool's own, and for which entity it was made.
type preview struct {
	tool.Preview
	Notes  int    `json:"notes,omitempty"`
	Entity string `json:"entity"`
}

func (p proposal) proposal() consent.Proposal {
	p.Preview.Targets, p.Preview.Reads = p.Targets, p.Reads
	return consent.Proposal{
		Draft: consent.Draft{
			ID: p.ID, Entity: p.Preview.Entity, Assistant: p.Assistant, Agent: p.Agent, Thread: p.Thread, Turn: p.Turn,
			Tool:      p.Tool,
			Arguments: json.RawMessage(p.ArgsText), Hash: p.ArgsHash, Preview: p.Preview.Preview,
			Notes: p.Preview.Notes,
			Tier:  p.Tier, Code: p.Code,
		},
		State: p.State, CreatedAt: p.CreatedAt, ExpiresAt: p.ExpiresAt,
	}
}

// Propose stores a draft; see consent.Store.
func (s Proposals) Propose(ctx context.Context, by identity.Caller, d consent.Draft) (consent.Proposal, error) {
	reads, err := basis(by, d.Preview)
	if err != nil {
		return consent.Proposal{}, err
	}
	p, err := supabase.Call[proposal](ctx, s.client.As(by).Control(), "proposal_create", supabase.Args{
		"p_id": d.ID, "p_assistant": d.Assistant, "p_agent": d.Agent, "p_thread": d.Thread, "p_turn": d.Turn,
		"p_tool": d.Tool, "p_args_text": string(d.Arguments), "p_args_hash": d.Hash,
		"p_preview": preview{d.Preview, d.Notes, d.Entity},
		"p_tier":    d.Tier, "p_code": d.Code, "p_targets": targets(by, d.Preview), "p_reads": reads,
	})
	return p.proposal(), err
}

// Renew lets a proposal rest on what was found now; see consent.Store.
func (s Proposals) Renew(ctx context.Context, by identity.Caller, p consent.Proposal, found tool.Preview) error {
	reads, err := basis(by, found)
	if err != nil {
		return err
	}
	_, err = supabase.Call[json.RawMessage](ctx, s.client.As(by).Control(), "proposal_renew", supabase.Args{
		"p_id": p.ID, "p_targets": targets(by, found), "p_reads": reads,
	})
	return err
}

// basis is what a preview was made from: all that was read for it, and what the
// caller was told of the entity, such as its currency.
func basis(by identity.Caller, p tool.Preview) ([]effect.Read, error) {
	reads := append([]effect.Read{}, p.Reads...)
	if by.Entity.ID == "" {
		return reads, nil
	}
	facts, err := json.Marshal(by.Entity)
	if err != nil {
		return nil, err
	}
	arguments := map[string]string{"p_entity": by.Entity.ID}
	return append(reads, effect.Read{Function: "entity_facts", Arguments: arguments, Answer: facts}), nil
}

func targets(by identity.Caller, p tool.Preview) []target {
	list := make([]target, len(p.Targets))
	for i, t := range p.Targets {
		list[i] = target{Target: t, Entity: by.Entity.ID}
	}
	return list
}

// target says in which entity the key of a row is meant: codes are unique
// within one only.
type target struct {
	tool.Target
	Entity string `json:"entity,omitempty"`
}

// Proposals returns those that match q; see consent.Store.
func (s Proposals) Proposals(ctx context.Context, by identity.Caller, q consent.Query) ([]consent.Proposal, error) {
	args := supabase.Args{}
	for name, value := range map[string]string{"p_id": q.ID, "p_thread": q.Thread, "p_code": q.Code} {
		if value != "" {
			args[name] = value
		}
	}
	found, err := supabase.Read[[]proposal](ctx, s.client.As(by), "proposal_list", args)
	if err != nil {
		return nil, err
	}
	return proposals(found), nil
}

func proposals(found []proposal) []consent.Proposal {
	list := make([]consent.Proposal, len(found))
	for i, p := range found {
		list[i] = p.proposal()
	}
	return list
}

// Open returns the person behind a verified token and that person's proposal of this
// id, none when there is no such one, in one request. The id is a uuid. The errors are
// those of supabase.Client.Whoami.
func (s Proposals) Open(ctx context.Context, token identity.Secret, id string) (identity.Caller, []consent.Proposal,
	error) {
	answer, err := supabase.Read[struct {
		Who       supabase.Who `json:"who"`
		Proposals []proposal   `json:"proposals"`
	}](ctx, s.client.As(identity.Caller{Token: token}), "proposal_open", supabase.Args{"p_id": id})
	if err != nil {
		return identity.Caller{}, nil, err
	}
	by, err := s.client.Caller(answer.Who, token)
	return by, proposals(answer.Proposals), err
}

// Reject ends a pending proposal; see consent.Store.
func (s Proposals) Reject(ctx context.Context, by identity.Caller, id string) (consent.Proposal, error) {
	p, err := supabase.Call[proposal](ctx, s.client.As(by).Control(), "proposal_reject", supabase.Args{"p_id": id})
	return p.proposal(), err
}

// Done returns when the same was done last; see consent.Store.
func (s Proposals) Done(ctx context.Context, by identity.Caller, act consent.Act, within time.Duration) (time.Time,
	bool, error) {
	at, err := supabase.Read[*time.Time](ctx, s.client.As(by), "effect_recent", supabase.Args{
		"p_tool": act.Tool, "p_args_hash": act.Hash, "p_key": act.Key, "p_minutes": int(within.Minutes()),
	})
	if err != nil || at == nil {
		return time.Time{}, false, err
	}
	return *at, true, nil
}
