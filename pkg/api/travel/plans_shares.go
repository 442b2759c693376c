package travel

import (
	"bytes"
	"cmp"
	"net"
	"net/http"
	"regexp"
	"sync"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/planner/page"
	"github.com/bellhop-ai/bellhop/pkg/planner/plans"
)

// shareList is the answer with the links of a plan.
type shareList struct {
	Shares []plans.Share `json:"shares"`
}

// shareAnswer is an answer with one link. URL is its address, only when it is made.
type shareAnswer struct {
	plans.Share
	URL string `json:"url,omitempty"`
}

// shareForm is the body that makes a link.
type shareForm struct {
	Expires time.Time `json:"expires"` // none = after usualTime
}

const usualTime, mostTime = 30 * 24 * time.Hour, 180 * 24 * time.Hour

func (h *Handler) planShares(_ http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	all, err := h.cfg.Plans.Shares(r.Context(), by, r.PathValue("code"))
	if all == nil {
		all = []plans.Share{}
	}
	return http.StatusOK, shareList{all}, err
}

func (h *Handler) sharePlan(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	var in shareForm
	if err := read(w, r, &in); err != nil {
		return 0, nil, err
	}
	now := h.cfg.Now()
	expires := cmp.Or(in.Expires, now.Add(usualTime))
	// A minute is what clocks of clients may be ahead.
	if !expires.After(now) || expires.After(now.Add(mostTime+time.Minute)) {
		return 0, nil, refuse([]fieldProblem{{"expires", "A link works for at most 180 days from now."}})
	}
	if most := now.Add(mostTime); expires.After(most) {
		expires = most
	}
	s, err := h.cfg.Plans.Share(r.Context(), by, r.PathValue("code"), h.cfg.NewToken(), expires)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusCreated, shareAnswer{s, cmp.Or(h.cfg.Base, httpx.Origin(r)) + "/t/" + s.Token}, nil
}

func (h *Handler) unsharePlan(_ http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	s, err := h.cfg.Plans.Revoke(r.Context(), by, r.PathValue("code"), r.PathValue("share"))
	return http.StatusOK, shareAnswer{Share: s}, err
}

// tokenShape is how tokens of links look; nothing else is looked up.
var tokenShape = regexp.MustCompile(`^[A-Za-z0-9_-]{20,100}$`)

// sharedPlan answers with the page of a shared plan. A link that never was, has ended or
// was revoked leads to one same page.
func (h *Handler) sharedPlan(w http.ResponseWriter, r *http.Request) {
	if err := h.visitors.admit(r); err != nil {
		httpx.Fail(w, r, err)
		return
	}
	var body bytes.Buffer
	status := http.StatusOK
	p, err := h.opened(r)
	switch {
	case err == nil:
		err = page.Write(&body, page.Plan{Title: p.Context.Title(), Detail: p.Context.Detail(), Selected: p.Option,
			Options: p.Options, Expires: p.Expires})
	case fault.Is(err, fault.NotFound):
		status = http.StatusNotFound
		err = page.WriteGone(&body)
	}
	if err != nil {
		httpx.Fail(w, r, err)
		return
	}
	head := w.Header()
	head.Set("Content-Type", "text/html; charset=utf-8")
	head.Set("Content-Security-Policy", h.policy)
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("X-Frame-Options", "DENY") // for browsers that don't read frame-ancestors
	head.Set("X-Robots-Tag", "noindex")
	head.Set("Referrer-Policy", "no-referrer") // the address is the key to the page
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // the reader may be gone
}

// opened returns what the link of the address shows.
func (h *Handler) opened(r *http.Request) (plans.Public, error) {
	token := r.PathValue("token")
	if !tokenShape.MatchString(token) {
		return plans.Public{}, httpx.ErrNotFound()
	}
	return h.cfg.Links.Open(r.Context(), token)
}

// visitors counts requests for public pages by the address that they come from. Each
// process has its own count.
type visitors struct {
	now func() time.Time

	mu    sync.Mutex
	since time.Time      // when the minute began
	asked map[string]int // in it, by address
}

const (
	mostVisits    = 120    // requests a minute from one address
	mostAddresses = 10_000 // beyond which new ones share one count
)

func (v *visitors) admit(r *http.Request) error {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	now := v.now()
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.asked == nil || now.Sub(v.since) >= time.Minute || now.Before(v.since) {
		v.since, v.asked = now, map[string]int{}
	}
	if _, known := v.asked[host]; !known && len(v.asked) >= mostAddresses {
		host = ""
	}
	if v.asked[host]++; v.asked[host] > mostVisits {
		return fault.New(fault.Limited, "That was a lot at once. Please try again shortly.").
			WithCode("user_rate_limited").WithRetryAfter(v.since.Add(time.Minute).Sub(now))
	}
	return nil
}
