package runtimes_test

import (
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/ledger"
	"github.com/bellhop-ai/bellhop/infra/local/mail"
)

// The same session without any model: what is missing is asked for, one thing at a time.
func TestASessionWithoutAModel(t *testing.T) {
	t.Parallel()
	box, err := mail.Start(mail.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = box.Stop() })
	b := newBooks(t, ledger.Trading, "", "MOCK_OPENAI=true", "SMTP_URL="+box.URL(),
		"MAIL_FROM=Books <books@bellhop.example>")
	c := b.as(b.org.Manager)
	if sales := c.ask("pichle mahine ki bikri dikhao"); !strings.Contains(sales.Reply, "₹19.11 lakh") {
		t.Errorf("sales: %s", sales)
	}
	asked := c.ask("Konkan Kitchen Mart ka invoice banao")
	if asked.Confirmation != nil || len(asked.Parts) == 0 || asked.Parts[0].Kind != "params" ||
		!strings.Contains(asked.Reply, "kya likhna hai") || strings.Contains(asked.Reply, "<table") {
		t.Fatalf("it does not ask for the lines: %s", asked)
	}
	draft := c.ask("10 pressure cooker")
	if draft.Confirmation == nil || draft.Confirmation.Tool != "create_invoice" ||
		!strings.Contains(draft.Reply, "Dr 1100 Trade receivables") {
		t.Fatalf("the draft: %s", draft)
	}
	if other := c.ask("is mahine ka munafa kitna hua"); other.Path != "fast" || other.Confirmation != nil {
		t.Errorf("another question is taken as a correction: %s", other)
	}
	draft = c.ask("Konkan Kitchen Mart ka 10 pressure cooker ka invoice banao")
	more := c.ask("12 cooker karo")
	if more.Confirmation == nil || more.Confirmation.ID == draft.Confirmation.ID ||
		!strings.Contains(more.Reply, "12 ") {
		t.Errorf("a correction: %s", more)
	}
	made := c.ask("haan")
	number := documentOf(made.Reply)
	if number == "" {
		t.Fatalf("after a yes: %s", made)
	}
	if sent := c.decide(c.ask("bhej do"), "approve"); len(box.Messages()) != 1 ||
		!strings.Contains(box.Messages()[0].Subject, number) {
		t.Errorf("the letter: %s", sent)
	}
	if calls := made.Usage.Calls + draft.Usage.Calls + asked.Usage.Calls; calls != 0 {
		t.Errorf("a model was called %d times", calls)
	}
}
