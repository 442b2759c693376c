package chat

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/stream"
)

// askEvery is how often the store is asked for a turn that another process runs.
const askEvery = time.Second

// resume answers GET /api/chat/{assistant}/{thread}/stream: with a turn of the caller's
// that runs in the thread, from its beginning, or with one that has just ended where the
// query or the id of an event names it. With a runId it is a run of AG-UI. After the
// event that Last-Event-ID names there is only what follows. Where there is nothing,
// there is no content.
func (h *Handler) resume(w http.ResponseWriter, r *http.Request) {
	by, err := h.asks(w, r)
	if err != nil {
		httpx.Fail(w, r, err)
		return
	}
	again := rereading{assistant: r.PathValue("assistant"), thread: r.PathValue("thread"),
		turn: r.URL.Query().Get("turn"), as: resumedAs(r.Header.Get("Accept"))}
	if again.run = r.URL.Query().Get("runId"); again.run != "" {
		again.as, again.turn = asAGUI, cmp.Or(again.turn, again.run)
	}
	if again.as == asEvents {
		again.after = r.Header.Get("Last-Event-ID")
		again.turn = cmp.Or(again.turn, stream.TurnOf(again.after))
	}
	if len(again.thread) > maxName || again.turn != "" && !turnShape.MatchString(again.turn) {
		httpx.Fail(w, r, fault.New(fault.Invalid, "The address does not name a conversation, or the query no turn."))
		return
	}
	if run := h.live.read(liveName(by, again.thread), again.assistant, again.turn); run != nil {
		enc := again.encoding(run.turn)
		if run.as == again.as {
			enc = run.encoding()
		}
		err = stream.Follow(r.Context(), w, enc, run.feed, again.after)
	} else {
		err = h.reread(w, r, by, again)
	}
	if err != nil {
		httpx.Note(r.Context(), err)
	}
}

// reread answers with a turn that another process runs, once it is complete, or that
// is stored. The error is one of a stream that has begun.
func (h *Handler) reread(w http.ResponseWriter, r *http.Request, by identity.Caller, again rereading) error {
	latest, err := h.cfg.Turns.Latest(r.Context(), by, again.assistant, again.thread, again.turn)
	if err != nil {
		httpx.Fail(w, r, err)
		return nil
	}
	if latest.Running {
		ask := func(ctx context.Context) (string, bool, error) {
			now, err := h.cfg.Turns.Latest(ctx, by, again.assistant, again.thread, latest.Turn)
			if err != nil || now.Running {
				return "", false, err
			}
			frames, err := again.frames(now.Frames)
			return frames, true, err
		}
		return stream.Await(r.Context(), w, again.encoding(""), askEvery, ask)
	}
	frames, err := again.frames(latest.Frames)
	if err != nil {
		httpx.Note(r.Context(), err)
	}
	if frames == "" {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return stream.Replay(w, again.encoding(""), frames)
}

// rereading is what a client wants to read again.
type rereading struct {
	assistant, thread string
	turn              string // "" for the newest
	run               string // what AG-UI calls the turn; "" in other forms
	as                representation
	after             string // the id of the last event that the client has, or ""
}

// encoding returns the encoding of a turn that was asked for in another form.
func (a rereading) encoding(turn string) stream.Encoding {
	switch a.as {
	case asEvents:
		return &stream.Encoder{Turn: turn}
	case asText:
		return &stream.Text{}
	case asAGUI:
		return stream.NewAGUI(turn, a.thread, a.run, nil)
	}
	return stream.NewUI(turn, a.thread, nil)
}

// frames returns what was kept of a turn in the form that is wanted; "" where it was
// kept in another one only.
func (a rereading) frames(kept string) (string, error) {
	own, form, native := stream.Split(kept)
	switch {
	case form == "" && strings.HasPrefix(own, "id: "):
		form, native = string(asEvents), own
	case form == "" && strings.HasPrefix(own, `data: {"type":"start"`):
		form = string(asUI)
	}
	switch {
	case a.as == asEvents:
		return stream.After(native, a.after), nil
	case form == string(a.as):
		return own, nil
	case native == "":
		return "", nil
	}
	id, _, _ := strings.Cut(strings.TrimPrefix(native, "id: "), "\n")
	return stream.Encode(a.encoding(stream.TurnOf(id)), native)
}

// resumedAs is the form in which a client goes on reading: the AI SDK's, which
// names none, unless another is named.
func resumedAs(accept string) representation {
	switch {
	case strings.Contains(accept, "text/plain"):
		return asText
	case strings.Contains(accept, "text/event-stream"):
		return asEvents
	}
	return asUI
}

// lasting returns the context of a turn that runs on when its client disconnects. The
// time for the turn stays what it is.
func lasting(ctx context.Context) (context.Context, context.CancelFunc) {
	if deadline, ok := ctx.Deadline(); ok {
		return context.WithDeadline(context.WithoutCancel(ctx), deadline)
	}
	return context.WithCancel(context.WithoutCancel(ctx))
}
