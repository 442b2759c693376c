package httpx_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// slow is a server whose endpoint knows callers by tokens of the form
// "person@organisation", and reads a JSON body. At /webhook it asks for none.
type slow struct {
	*httptest.Server
	reading chan string // whose body is read
}

func serveSlow(t *testing.T, atOnce int, a httpx.Arrival, timeout time.Duration) *slow {
	t.Helper()
	s := &slow{reading: make(chan string, 100)}
	identify := func(_ context.Context, token string) (identity.Caller, error) {
		person, org, ok := strings.Cut(token, "@")
		if !ok {
			return identity.Caller{}, fault.New(fault.Unauthorized, "Please sign in.")
		}
		return identity.Caller{UserID: person, OrgID: org}, nil
	}
	door := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		by, err := identity.Caller{UserID: "nobody"}, error(nil)
		if r.URL.Path != "/webhook" {
			by, err = httpx.Caller(r, identify)
		}
		if err == nil {
			s.reading <- by.UserID
			_, err = httpx.ReadJSON(w, r, new(any))
		}
		if err != nil {
			httpx.Fail(w, r, err)
			return
		}
		httpx.JSON(w, http.StatusOK, "done")
	})
	s.Server = httptest.NewServer(httpx.Wrap(door, httpx.Config{
		Log: zerolog.Nop(), NewID: func() string { return "request-1" }, Now: time.Now, AtOnce: atOnce, Arrival: a,
		Timeout: timeout,
	}))
	t.Cleanup(s.Close)
	return s
}

// conn is a request whose body of ten bytes is sent bit by bit.
type conn struct {
	net.Conn
	t *testing.T
}

func (s *slow) open(t *testing.T, path, token, begin string) conn {
	t.Helper()
	c, err := new(net.Dialer).DialContext(t.Context(), "tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_, err = fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Length: 10\r\n\r\n%s",
		path, token, begin)
	if err != nil {
		t.Fatal(err)
	}
	return conn{c, t}
}

// answer returns the status and the body of what is answered.
func (c conn) answer() (int, string) {
	c.t.Helper()
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return resp.StatusCode, string(raw)
}

// F-71: a member opens more slow requests than the process has places. Others
// are served, of the same organisation and of another, and so are users of other organisations'
// webhooks; what the member has open goes on.
func TestSlowBodiesTakeNobodysPlace(t *testing.T) {
	t.Parallel()
	s := serveSlow(t, 16, httpx.Arrival{Patience: time.Hour}, 0)
	var mine []conn
	for range 4 {
		mine = append(mine, s.open(t, "/", "asha@coco", `"a`))
		if who := <-s.reading; who != "asha" {
			t.Fatalf("the body of %s is read", who)
		}
	}
	var more [56]conn
	for i := range more {
		more[i] = s.open(t, "/", "asha@coco", `"a`)
	}
	for _, c := range more {
		if status, body := c.answer(); status != 429 || !strings.Contains(body, `"code":"too_many_at_once"`) {
			t.Fatalf("the fifth is answered with %d %s", status, body)
		}
	}
	for _, token := range []string{"maya@palm", "maya@palm", "lee@palm", "ravi@coco"} {
		if status, body := s.open(t, "/", token, `"abcdefgh"`).answer(); status != 200 {
			t.Errorf("%s: %d %s", token, status, body)
		}
		<-s.reading
	}
	// An organisation has half of the places, however many people open them.
	for range 4 {
		mine = append(mine, s.open(t, "/", "usha@coco", `"a`))
		if who := <-s.reading; who != "usha" {
			t.Fatalf("the body of %s is read", who)
		}
	}
	if status, body := s.open(t, "/", "ravi@coco", `"abcdefgh"`).answer(); status != 429 ||
		!strings.Contains(body, "of your organisation") {
		t.Errorf("a colleague: %d %s", status, body)
	}
	if status, body := s.open(t, "/webhook", "", `"abcdefgh"`).answer(); status != 200 {
		t.Errorf("a webhook: %d %s", status, body)
	}
	for _, c := range mine {
		if _, err := io.WriteString(c, `bcdefgh"`); err != nil {
			t.Fatal(err)
		}
		if status, body := c.answer(); status != 200 {
			t.Errorf("a slow one, at last: %d %s", status, body)
		}
	}
	// The places are free again.
	if status, body := s.open(t, "/", "ravi@coco", `"abcdefgh"`).answer(); status != 200 {
		t.Errorf("a colleague, afterwards: %d %s", status, body)
	}
}

// F-71: who says nothing of themselves has the share of their address.
func TestSlowBodiesOfStrangersTakeOneShare(t *testing.T) {
	t.Parallel()
	s := serveSlow(t, 16, httpx.Arrival{Patience: time.Hour}, 0)
	answers := make(chan int)
	for range 12 {
		c := s.open(t, "/webhook", "", "")
		go func() {
			resp, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil {
				return // it is closed when the test ends
			}
			answers <- resp.StatusCode
		}()
		<-s.reading
	}
	for range 8 { // all but four
		if status := <-answers; status != 429 {
			t.Errorf("a stranger is answered with %d", status)
		}
	}
	if status, body := s.open(t, "/", "maya@palm", `"abcdefgh"`).answer(); status != 200 {
		t.Errorf("a member: %d %s", status, body)
	}
}

// F-71: a body that makes no progress is given up with a sentence, and its place
// is free; one that makes some is waited for.
func TestABodyThatStandsStillIsGivenUp(t *testing.T) {
	t.Parallel()
	s := serveSlow(t, 2, httpx.Arrival{Patience: 300 * time.Millisecond, Rate: 1}, 0)
	for _, begin := range []string{"", `"a`} {
		c := s.open(t, "/", "asha@coco", begin)
		status, body := c.answer()
		if status != http.StatusRequestTimeout || !strings.Contains(body, `"code":"request_stalled"`) ||
			!strings.Contains(body, "did not arrive in time") {
			t.Errorf("after %q: %d %s", begin, status, body)
		}
		if _, err := c.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
			t.Errorf("after %q the connection stays: %v", begin, err)
		}
	}
	if status, body := s.open(t, "/", "asha@coco", `"abcdefgh"`).answer(); status != 200 {
		t.Errorf("afterwards: %d %s", status, body)
	}
}

// F-71: a body that always makes some progress ends with the request's time.
func TestABodyEndsWithItsRequest(t *testing.T) {
	t.Parallel()
	s := serveSlow(t, 2, httpx.Arrival{Patience: time.Hour}, 300*time.Millisecond)
	if status, body := s.open(t, "/", "asha@coco", `"a`).answer(); status != http.StatusRequestTimeout {
		t.Errorf("%d %s", status, body)
	}
}

// F-71: a request that is refused before its body was read is answered although
// the body never comes.
func TestARefusalDoesNotWaitForTheBody(t *testing.T) {
	t.Parallel()
	s := serveSlow(t, 2, httpx.Arrival{Patience: 50 * time.Millisecond}, 0)
	if status, body := s.open(t, "/", "nobody", "").answer(); status != 401 {
		t.Errorf("%d %s", status, body)
	}
}

// deadlines is a writer that keeps the deadlines for reading.
type deadlines struct {
	http.ResponseWriter
	set []time.Time
}

func (d *deadlines) SetReadDeadline(at time.Time) error {
	d.set = append(d.set, at)
	return nil
}

// F-71: what a body may take is not what its answer may take: a stream goes on
// after its request has arrived.
func TestADeadlineOfABodyIsNotThatOfItsAnswer(t *testing.T) {
	t.Parallel()
	w := &deadlines{ResponseWriter: httptest.NewRecorder()}
	h := httpx.Wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		if n := len(w.set); n < 2 || w.set[0].IsZero() || !w.set[n-1].IsZero() {
			t.Errorf("the deadlines are %v", w.set)
		}
	}), httpx.Config{Log: zerolog.Nop(), NewID: func() string { return "request-1" }, Now: time.Now})
	h.ServeHTTP(w, httptest.NewRequest("POST", "/", strings.NewReader(`"abcdefgh"`)))
	if n := len(w.set); n == 0 || !w.set[n-1].IsZero() {
		t.Errorf("after all the deadlines are %v", w.set)
	}
}
