package control

import (
	"context"
	"encoding/json"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/turns"
)

// Turns is a turns.Store.
type Turns struct{ client *supabase.Client }

var _ turns.Store = Turns{}

// NewTurns returns the store in the project of client.
func NewTurns(client *supabase.Client) Turns { return Turns{client} }

// Begin claims a turn; see turns.Store. A lease that is not above zero is a
// fault.Unprocessable error with the code "no_time_left".
func (s Turns) Begin(ctx context.Context, by identity.Caller, t turns.Start) (turns.Begun, error) {
	answer, err := supabase.Call[TurnAnswer](ctx, s.client.As(by).Control(), "turn_begin", args(t))
	return answer.Begun(), err
}

// TurnAnswer is what the database's functions say to a turn that is to begin.
type TurnAnswer struct {
	Outcome      turns.Outcome `json:"outcome"`
	RetryAfterMs int           `json:"retryAfterMs"`
	Frames       string        `json:"frames"`
	Steps        []struct {
		Run    string          `json:"run"`
		Step   int             `json:"step"`
		Answer json.RawMessage `json:"answer"`
	} `json:"steps"`
}

// Begun returns the answer in the words of the product.
func (answer TurnAnswer) Begun() turns.Begun {
	begun := turns.Begun{
		Outcome:    answer.Outcome,
		RetryAfter: time.Duration(answer.RetryAfterMs) * time.Millisecond,
		Frames:     answer.Frames,
		Steps:      make(map[turns.Step]json.RawMessage, len(answer.Steps)),
	}
	for _, step := range answer.Steps {
		begun.Steps[turns.Step{Run: step.Run, Number: step.Step}] = step.Answer
	}
	return begun
}

// Save keeps the answer of a step; see turns.Store.
func (s Turns) Save(ctx context.Context, by identity.Caller, t turns.Start, step turns.Step,
	answer json.RawMessage) error {
	a := args(t)
	a["p_run"], a["p_step"], a["p_answer"] = step.Run, step.Number, answer
	_, err := supabase.Call[any](ctx, s.client.As(by).Control(), "turn_save", a)
	return err
}

// Release gives an unfinished turn back; see turns.Store.
func (s Turns) Release(ctx context.Context, by identity.Caller, turn string) error {
	_, err := supabase.Call[any](ctx, s.client.As(by).Control(), "turn_release", supabase.Args{"p_turn": turn})
	return err
}

// Stop asks running turns of a thread to end; see turns.Store.
func (s Turns) Stop(ctx context.Context, by identity.Caller, thread string) error {
	_, err := supabase.Call[int](ctx, s.client.As(by).Control(), "turn_stop", supabase.Args{"p_thread": thread})
	return err
}

// Stopped reports whether a turn was asked to end; see turns.Store.
func (s Turns) Stopped(ctx context.Context, by identity.Caller, turn string) (bool, error) {
	return supabase.Read[bool](ctx, s.client.As(by), "turn_stopped", supabase.Args{"p_turn": turn})
}

// Latest returns a turn to read again; see turns.Store.
func (s Turns) Latest(ctx context.Context, by identity.Caller, assistant, thread, turn string) (turns.Latest, error) {
	args := supabase.Args{"p_assistant": assistant, "p_thread": thread}
	if turn != "" {
		args["p_turn"] = turn
	}
	l, err := supabase.Read[struct {
		Turn    string `json:"turn"`
		Running bool   `json:"running"`
		Frames  string `json:"frames"`
	}](ctx, s.client.As(by), "turn_latest", args)
	return turns.Latest(l), err
}

// Finish ends a turn; see turns.Store.
func (s Turns) Finish(ctx context.Context, by identity.Caller, turn string, f turns.Finish) error {
	_, err := supabase.Call[any](ctx, s.client.As(by).Control(), "turn_finish", FinishArgs(turn, f))
	return err
}

// FinishArgs returns the arguments with which the database's functions end a turn.
func FinishArgs(turn string, f turns.Finish) supabase.Args {
	args := supabase.Args{
		"p_turn": turn, "p_finish": f.Reason, "p_frames": string(f.Frames), "p_usage": f.Usage, "p_model": f.Model,
	}
	if settle := SettlementsOf(f.Settle); settle != nil {
		args["p_settle"] = settle
	}
	return args
}

func args(t turns.Start) supabase.Args {
	return supabase.Args{
		"p_turn": t.Turn, "p_fingerprint": t.Fingerprint, "p_assistant": t.Assistant, "p_thread": t.Thread,
		"p_lease_ms": t.Lease.Milliseconds(),
	}
}
