package chat

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/stream"
)

// askEvery is how often the store is asked for a turn that another process runs.
const askEvery = time.Second

// resume answers GET /api/chat/{assistant}/{thread}/stream: with a turn of the
// caller's that runs in the thread, from its beginning, or with one that has just
// ended where the query names it. Where there is none, or only one in another
// form than is asked for, there is no content.
func (h *Handler) resume(w http.ResponseWriter, r *http.Request) {
	by, err := h.asks(w, r)
	if err != nil {
		httpx.Fail(w, r, err)
		return
	}
	assistant, thread, name := r.PathValue("assistant"), r.PathValue("thread"), r.URL.Query().Get("turn")
	if len(thread) > maxName || name != "" && !turnShape.MatchString(name) {
		httpx.Fail(w, r, fault.New(fault.Invalid, "The address does not name a conversation, or the query no turn."))
		return
	}
	as := resumedAs(r.Header.Get("Accept"))
	if feed := h.live.feed(liveName(by, thread), assistant, as); feed != nil {
		stream.Follow(r.Context(), w, encodingOf(as), feed)
		return
	}
	latest, err := h.cfg.Turns.Latest(r.Context(), by, assistant, thread, name)
	switch {
	case err != nil:
		httpx.Fail(w, r, err)
	case latest.Running:
		err := stream.Await(r.Context(), w, encodingOf(as), askEvery, func(ctx context.Context) (string, bool, error) {
			now, err := h.cfg.Turns.Latest(ctx, by, assistant, thread, latest.Turn)
			if !isIn(now.Frames, as) {
				now.Frames = ""
			}
			return now.Frames, !now.Running, err
		})
		if err != nil {
			httpx.Note(r.Context(), err)
		}
	case latest.Frames != "" && isIn(latest.Frames, as):
		if err := stream.Replay(w, encodingOf(as), latest.Frames); err != nil {
			httpx.Note(r.Context(), err)
		}
	default:
		w.WriteHeader(http.StatusNoContent)
	}
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

// encodingOf returns the encoding of a form, for frames that were made before.
func encodingOf(as representation) stream.Encoding {
	switch as {
	case asEvents:
		return &stream.Encoder{}
	case asText:
		return &stream.Text{}
	}
	return stream.NewUI("", "", nil)
}

// isIn reports whether frames that were stored are in a form.
func isIn(frames string, as representation) bool {
	switch as {
	case asEvents:
		return strings.HasPrefix(frames, "id: ")
	case asUI:
		return strings.HasPrefix(frames, `data: {"type":"start"`)
	}
	return false // a text cannot be told from another form
}

// detach returns the context and the writer of a turn that runs on when its
// client disconnects, and the feed by which the client finds it again. The time
// for the turn stays what it is.
func detach(ctx context.Context, w http.ResponseWriter) (context.Context, context.CancelFunc, http.ResponseWriter,
	*stream.Feed) {
	feed := stream.NewFeed()
	lasting, cancel := context.WithCancel(context.WithoutCancel(ctx))
	if deadline, ok := ctx.Deadline(); ok {
		lasting, cancel = context.WithDeadline(context.WithoutCancel(ctx), deadline)
	}
	return lasting, cancel, stream.Detach(w, feed), feed
}
