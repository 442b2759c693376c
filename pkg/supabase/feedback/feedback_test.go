package feedback_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	domain "github.com/bellhop-ai/bellhop/pkg/feedback"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/feedback"
)

func TestMain(m *testing.M) { localtest.Main(m) }

// lossy is a line on which answers get lost after the request was served.
type lossy struct {
	lose int
	sent int
}

func (l *lossy) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || !strings.Contains(r.URL.Path, "feedback_give") {
		return resp, err
	}
	if l.sent++; l.sent <= l.lose {
		resp.Body.Close()
		return nil, errors.New("the line broke")
	}
	return resp, nil
}

// A rating whose answer was lost is sent once more, and kept once; when that is
// lost, too, the person hears that it is not known.
func TestALostAnswerIsAskedForOnceMore(t *testing.T) {
	t.Parallel()
	for lost, want := range map[int]string{0: "", 1: "", 2: "outcome_unknown"} {
		project, org, line := localtest.Stack(t), localtest.NewOrg(t), &lossy{lose: lost}
		cfg := localtest.Config(t, project)
		cfg.HTTP = line
		client, err := supabase.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		by := identity.Caller{UserID: org.Viewer.ID, OrgID: org.ID, Token: identity.Secret(org.Viewer.Token)}
		err = feedback.New(client).Give(t.Context(), by, domain.Answer{Assistant: "hospitality", Text: "Two.",
			At: time.Now()}, domain.Judgement{Rating: domain.Up}, "")
		code := ""
		if err != nil {
			code = fault.From(err).Code
		}
		n := len(localtest.SQL(t, `select from public.feedback_log where org_id = $1 and version = 1`, org.ID))
		if code != want || n != 1 || line.sent != min(lost, 1)+1 {
			t.Errorf("with %d lost answers: %q after %d requests, %d rows", lost, code, line.sent, n)
		}
	}
}
