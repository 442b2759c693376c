package summarize

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/httpx/webhook"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/summary"
)

// JobsConfig is what the jobs need.
type JobsConfig struct {
	Jobs summary.Jobs
	// CronSecret is what a scheduler sends as a bearer token; "" disables that
	// endpoint.
	CronSecret identity.Secret
	// Hooks decides which requests of other servers are genuine; nil closes that
	// endpoint.
	Hooks *webhook.Verifier
}

// Jobs is the HTTP handler for requests that do not come from users. It is a
// boot.Worker, too.
type Jobs struct {
	cfg JobsConfig
	mux *http.ServeMux
}

// leastSecret is how long a secret must be that everybody may try to guess.
const leastSecret = 16

// NewJobs returns the handler, or an error that names what is wrong.
func NewJobs(cfg JobsConfig) (*Jobs, error) {
	if cfg.Jobs.Due == nil || cfg.Jobs.Store == nil {
		return nil, errors.New("summarize: jobs need a store and a list of what is due")
	}
	if n := len(cfg.CronSecret.Reveal()); n > 0 && n < leastSecret {
		return nil, errors.New("CRON_SECRET is too short: everybody may try to guess it")
	}
	j := &Jobs{cfg: cfg, mux: http.NewServeMux()}
	j.mux.HandleFunc("GET /api/jobs/summarize", j.cron)
	j.mux.HandleFunc("POST /api/webhooks/summarize", j.hook)
	j.mux.HandleFunc("/", httpx.Otherwise(j.mux, httpx.Fail))
	return j, nil
}

// ServeHTTP answers at /api/jobs/summarize and /api/webhooks/summarize.
func (j *Jobs) ServeHTTP(w http.ResponseWriter, r *http.Request) { j.mux.ServeHTTP(w, r) }

// Schedule makes the summaries that are due, or hands them to the queue.
func (j *Jobs) Schedule(ctx context.Context) (any, error) { return j.cfg.Jobs.Schedule(ctx) }

// Message makes the summary that a message of the queue names.
func (j *Jobs) Message(ctx context.Context, body []byte) error { return j.cfg.Jobs.Message(ctx, body) }

// cron is for schedulers that only know addresses, such as Vercel's.
func (j *Jobs) cron(w http.ResponseWriter, r *http.Request) {
	report, err := j.scheduled(r)
	if err != nil {
		httpx.Fail(w, r, err)
		return
	}
	httpx.JSON(w, http.StatusOK, report)
}

func (j *Jobs) scheduled(r *http.Request) (any, error) {
	token, err := httpx.Bearer(r)
	if err != nil {
		return nil, err
	}
	// Digests are of one length, so the comparison tells not even that.
	given, want := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(j.cfg.CronSecret.Reveal()))
	if j.cfg.CronSecret == "" || subtle.ConstantTimeCompare(given[:], want[:]) != 1 {
		return nil, fault.New(fault.Unauthorized, "This is for the scheduler alone.").WithCode("bad_cron_secret")
	}
	return j.Schedule(r.Context())
}

// hooked is the body of a webhook.
type hooked struct {
	Type string `json:"type"` // "conversation.summarize"
	Data struct {
		OrgID     string `json:"orgId"`
		SessionID string `json:"sessionId"`
	} `json:"data"`
}

const hookType = "conversation.summarize"

// hookAnswer says what came of a webhook.
type hookAnswer struct {
	Status string `json:"status"` // queued, done, repeated or ignored
}

func (j *Jobs) hook(w http.ResponseWriter, r *http.Request) {
	status, err := j.hooked(w, r)
	if err != nil {
		httpx.Fail(w, r, err)
		return
	}
	httpx.JSON(w, http.StatusOK, hookAnswer{status})
}

// hooked notes the wish first: then it is safe whatever becomes of the rest,
// and a sender who is answered need not come again.
func (j *Jobs) hooked(w http.ResponseWriter, r *http.Request) (string, error) {
	if j.cfg.Hooks == nil {
		return "", httpx.ErrNotFound()
	}
	body, again, err := j.cfg.Hooks.Read(w, r)
	if err != nil || again {
		return "repeated", err
	}
	var in hooked
	if err := json.Unmarshal(body, &in); err != nil || in.Type == "" {
		return "", fault.Wrap(fault.Invalid, err, "The request's body is not the JSON that this address takes.")
	}
	if in.Type != hookType {
		return "ignored", nil // senders add types, and would try for days
	}
	t := summary.Ticket{Org: in.Data.OrgID, ID: in.Data.SessionID}
	ctx := context.WithoutCancel(r.Context())
	if end, ok := r.Context().Deadline(); ok {
		var done context.CancelFunc
		ctx, done = context.WithDeadline(ctx, end)
		defer done()
	}
	if err := j.cfg.Jobs.Due.Want(ctx, t); err != nil {
		return "", err
	}
	if j.cfg.Jobs.Queue != nil {
		err = j.cfg.Jobs.Queue.Send(ctx, []summary.Ticket{t})
	} else if err = j.cfg.Jobs.Make(ctx, t); err == nil {
		return "done", nil
	}
	if err != nil {
		httpx.Note(r.Context(), err) // the next schedule does it
	}
	return "queued", nil
}
