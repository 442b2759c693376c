package lambda_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/boot/lambda"
)

const queueEvent = `{"Records":[
	{"messageId":"11111111-aaaa","receiptHandle":"r1","body":"good","attributes":{"ApproximateReceiveCount":"1"},"messageAttributes":{},"md5OfBody":"x","eventSource":"aws:sqs","eventSourceARN":"arn:aws:sqs:eu-west-1:1:q","awsRegion":"eu-west-1"},
	{"messageId":"22222222-bbbb","body":"bad","eventSource":"aws:sqs"},
	{"messageId":"33333333-cccc","body":"panics","eventSource":"aws:sqs"},
	{"messageId":"44444444-dddd","body":"good too","eventSource":"aws:sqs"}]}`

// A queue's messages are taken one by one, and exactly those that failed come
// again.
func TestOnlyFailedMessagesComeAgain(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var took []string
	panics := 0
	w := lambda.Work{
		Message: func(_ context.Context, body []byte) error {
			mu.Lock()
			took = append(took, string(body))
			mu.Unlock()
			switch string(body) {
			case "bad":
				return errors.New("no")
			case "panics":
				panic("canary")
			}
			return nil
		},
		Panicked: func(context.Context, any, []byte) { panics++ },
	}
	answer, err := w.Direct(t.Context(), []byte(queueEvent))
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(answer)
	if err != nil || string(got) != `{"batchItemFailures":[{"itemIdentifier":"22222222-bbbb"},`+
		`{"itemIdentifier":"33333333-cccc"}]}` {
		t.Errorf("it answers %s, %v", got, err)
	}
	slices.Sort(took)
	if !slices.Equal(took, []string{"bad", "good", "good too", "panics"}) || panics != 1 {
		t.Errorf("it took %q, and %d panicked", took, panics)
	}
	if answer, err := w.Direct(t.Context(),
		[]byte(`{"Records":[{"messageId":"1","body":"good","eventSource":"aws:sqs"}]}`)); err != nil {
		t.Error(err)
	} else if got, _ := json.Marshal(answer); string(got) != `{"batchItemFailures":[]}` {
		t.Errorf("when all is well it answers %s", got)
	}
}

func TestAScheduleIsKnownInEveryForm(t *testing.T) {
	t.Parallel()
	for event, known := range map[string]bool{
		`{"version":"0","id":"x","detail-type":"Scheduled Event","source":"aws.scheduler","account":"1",` +
			`"time":"2026-11-21T00:00:00Z","region":"eu-west-1","resources":[],"detail":"{}"}`: true,
		`{"version":"0","id":"x","detail-type":"Scheduled Event","source":"aws.events","detail":{}}`: true,
		`{"schedule":"summarize"}`:                       true,
		`{"schedule":""}`:                                false,
		`{"source":"aws.s3"}`:                            false,
		`{"Records":[]}`:                                 false,
		`{"Records":[{"eventSource":"aws:s3","s3":{}}]}`: false,
		`[]`: false, `"x"`: false, `{}`: false, ``: false,
	} {
		runs := 0
		w := lambda.Work{Schedule: func(context.Context) (any, error) { runs++; return "done", nil }}
		answer, err := w.Direct(t.Context(), []byte(event))
		if known && (err != nil || answer != "done" || runs != 1) || !known && (err == nil || runs != 0) {
			t.Errorf("%s: %v, %v after %d runs", event, answer, err, runs)
		}
	}
}
