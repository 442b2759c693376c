package hospitality_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	sink "github.com/bellhop-ai/bellhop/infra/local/mail"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/mail"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// postOffice is a hotel with a mail server of its own.
type postOffice struct {
	*hotel
	server *sink.Server
	tool   tool.Tool
}

func newPostOffice(t *testing.T, wrong sink.Fault) postOffice {
	t.Helper()
	server, err := sink.Start(sink.Config{Now: noon, Fault: func() sink.Fault { return wrong }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	sender, err := mail.New(mail.Config{URL: identity.Secret(server.URL()), From: "desk@bellhop.example", Now: noon,
		Timeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	h := newHotel(t)
	h.sql(`update public.entities set settings = settings ||
		'{"checkInTime":"14:00","checkOutTime":"11:00","phone":"+91 80 5550 0100",
		"email":"stay@testhouse.example","address":"1 Hill Road"}' where org_id = $1 returning id`)
	h.cabin("COCO", "Coco", 1)
	tools := catalogueWith(h.client, sender)
	i := slices.IndexFunc(tools, func(t tool.Tool) bool { return t.Name() == "send_booking_email" })
	return postOffice{h, server, tools[i]}
}

// guest books COCO and gives the booking a guest.
func (p postOffice) guest(status, name, address string) string {
	p.t.Helper()
	code := p.book("2031-01-20", "2031-01-23", status, 3000, 0, "COCO")
	p.sql(`update public.reservations set guest_name = $3, guest_email = $4 where org_id = $1 and code = $2
		returning code`, code, name, address)
	return code
}

func (p postOffice) call(arguments string) tool.Call {
	p.t.Helper()
	call, err := p.tool.Prepare([]byte(arguments))
	if err != nil {
		p.t.Fatal(err)
	}
	return call
}

// S0-23: the email is shown to whom and what, is written from the booking, and
// is recorded.
func TestAConfirmationIsPreviewedAndMailed(t *testing.T) {
	t.Parallel()
	p := newPostOffice(t, sink.None)
	code := p.guest("confirmed", `Priya <script>alert(1)</script>`, "priya@example.com")
	call := p.call(`{"code":" ` + strings.ToLower(code) + `","note":"The road is icy."}`)
	shown, err := call.Preview(t.Context(), p.by)
	if err != nil {
		t.Fatal(err)
	}
	want := []tool.Line{
		{Label: "To", After: `Priya <script>alert(1)</script> <priya@example.com>`},
		{Label: "Subject", After: "Your booking " + code + " at Test House"},
		{Label: "Stay", After: "Coco, 20-Jan-2031 to 23-Jan-2031"}, {Label: "Total", After: "₹3,000.00"},
		{Label: "Still to pay", After: "₹3,000.00"},
		{Label: "Note", After: "The road is icy."},
	}
	if diff := cmp.Diff(want, shown.Lines); diff != "" || shown.Title != "Mail the confirmation of "+code+
		" to priya@example.com" {
		t.Errorf("the preview %q (-want +got):\n%s", shown.Title, diff)
	}
	if n := len(p.server.Messages()); n != 0 {
		t.Fatalf("the preview sent %d emails", n)
	}
	ctx := p.consented(call)
	r, err := call.Run(ctx, p.by)
	if err != nil {
		t.Fatal(err)
	}
	if r.Text != "Mailed the confirmation of reservation "+code+" to priya@example.com." {
		t.Errorf("it says %q", r.Text)
	}
	emails := p.server.Messages()
	if len(emails) != 1 {
		t.Fatalf("%d emails came", len(emails))
	}
	m := emails[0]
	for _, part := range []string{code, "Arrival:     20-Jan-2031, from 14:00",
		"Departure:   23-Jan-2031, until 11:00", "Nights:      3", "Room:        Coco",
		"Total: ₹3,000.00", "Still to pay: ₹3,000.00", "The road is icy.", "1 Hill Road", "Dear Priya <script>"} {
		if !strings.Contains(m.Text, part) {
			t.Errorf("the email lacks %q:\n%s", part, m.Text)
		}
	}
	if strings.Contains(m.HTML, "<script>") || !strings.Contains(m.HTML, "Dear Priya &lt;script&gt;") ||
		!strings.Contains(m.HTML, "The road is icy.") {
		t.Errorf("the HTML form is\n%s", m.HTML)
	}
	if m.From != `"Test House" <desk@bellhop.example>` || m.ReplyTo != "<stay@testhouse.example>" {
		t.Errorf("it comes from %s, answers go to %s", m.From, m.ReplyTo)
	}
	kept := p.sql(`select state, payload ->> 'to' as "to", payload ->> 'kind' as kind from public.outbox where
		org_id = $1`)
	if diff := cmp.Diff([]map[string]any{{"state": "DONE", "to": "priya@example.com", "kind": "confirmation"}},
		kept); diff != "" {
		t.Errorf("the record (-want +got):\n%s", diff)
	}

	// F-37, F-50: the same consent again sends nothing and gives the same receipt.
	again, err := call.Run(ctx, p.by)
	if err != nil || string(again.Data) != string(r.Data) || len(p.server.Messages()) != 1 {
		t.Errorf("again: %s, %v; %d emails", again.Data, err, len(p.server.Messages()))
	}
}

func TestAnEmailSaysWhatIsSo(t *testing.T) {
	t.Parallel()
	p := newPostOffice(t, sink.None)
	confirmed, cancelled := p.guest("confirmed", "Asha", "asha@example.com"),
		p.guest("cancelled", "Ravi", "ravi@example.com")
	nobody := p.book("2031-02-01", "2031-02-02", "confirmed", 1000, 0, "COCO")
	gone := p.guest("no_show", "Vik", "vik@example.com")
	tests := map[string]struct{ arguments, says string }{
		"a cancellation of what stands": {`{"code":"` + confirmed + `","kind":"cancellation"}`,
			"is confirmed, not cancelled"},
		"a confirmation of what is off": {`{"code":"` + cancelled + `","kind":"confirmation"}`,
			"Only the cancellation can be sent"},
		"no address":             {`{"code":"` + nobody + `"}`, "has no e-mail address"},
		"a guest who never came": {`{"code":"` + gone + `"}`, "is no-show"},
		"an unknown code":        {`{"code":"ZZZZZZ"}`, "ZZZZZZ"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := p.call(tc.arguments).Preview(t.Context(), p.by)
			if err == nil || !strings.Contains(fault.From(err).Message, tc.says) {
				t.Errorf("it says %v", err)
			}
		})
	}
	call := p.call(`{"code":"` + cancelled + `"}`)
	if _, err := call.Run(p.consented(call), p.by); err != nil {
		t.Fatal(err)
	}
	if m := p.server.Messages(); len(m) != 1 || !strings.HasPrefix(m[0].Subject, "Cancelled: your booking "+
		cancelled) || strings.Contains(m[0].Text, "Still to pay") {
		t.Errorf("the cancellation is %+v", m)
	}
}

// F-50: an email that may have gone out is never sent again, and no one says
// that it was sent.
func TestAnEmailOfWhichNobodyKnowsIsNotSentAgain(t *testing.T) {
	t.Parallel()
	p := newPostOffice(t, sink.Silence)
	call := p.call(`{"code":"` + p.guest("confirmed", "Asha", "asha@example.com") + `"}`)
	ctx := p.consented(call)
	for range 2 {
		_, err := call.Run(ctx, p.by)
		if f := fault.From(err); f == nil || f.Code != "outcome_unknown" {
			t.Fatalf("it ended with %v", err)
		}
	}
	if n := len(p.server.Messages()); n != 1 {
		t.Errorf("%d emails came", n)
	}
	if kept := p.sql(`select state from public.outbox where org_id = $1`); kept[0]["state"] != "UNKNOWN" {
		t.Errorf("the record says %v", kept)
	}
}

func TestAnEmailThatIsRefusedWasNotSent(t *testing.T) {
	t.Parallel()
	p := newPostOffice(t, sink.Refuse)
	call := p.call(`{"code":"` + p.guest("confirmed", "Asha", "asha@example.com") + `"}`)
	_, err := call.Run(p.consented(call), p.by)
	sentence(t, err, fault.Upstream, "nothing was sent")
	if kept := p.sql(`select state from public.outbox where org_id = $1`); kept[0]["state"] != "FAILED" {
		t.Errorf("the record says %v", kept)
	}
}

func TestWithoutMailTheToolSaysSo(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	call, err := h.prepare("send_booking_email", `{"code":"K7QMPX"}`)
	if err != nil {
		t.Fatal(err)
	}
	_, err = call.Preview(t.Context(), h.by)
	sentence(t, err, fault.Unavailable, "Mail is not set up here")
}
