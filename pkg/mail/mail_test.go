package mail_test

import (
	"bytes"
	"net"
	"strings"
	"testing"
	"time"

	sink "github.com/bellhop-ai/bellhop/infra/local/mail"
	"github.com/bellhop-ai/bellhop/pkg/email"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/mail"
)

func at() time.Time { return time.Date(2031, 1, 15, 6, 30, 0, 0, time.UTC) }

func newSink(t *testing.T, wrong sink.Fault) *sink.Server {
	t.Helper()
	s, err := sink.Start(sink.Config{Now: at, Fault: func() sink.Fault { return wrong }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func newClient(t *testing.T, url string) *mail.Client {
	t.Helper()
	c, err := mail.New(mail.Config{URL: identity.Secret(url), From: "Front desk <stay@hotel.example>", Now: at,
		Timeout: 3 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func confirmation() email.Message {
	return email.Message{
		ID: "act-1", To: email.Address{Name: "Priya Añez", Mail: "priya@example.com"}, From: "Sojourn, Cabins",
		ReplyTo: "desk@hotel.example",
		Subject: "Your booking K7QMPX – स्वागत है", Text: "Dear Priya,\nsee you soon – ₹1,200.\n",
		HTML: "<p>Dear Priya, see you soon – ₹1,200.</p>",
	}
}

func TestAnEmailArrivesAsItWasWritten(t *testing.T) {
	t.Parallel()
	s := newSink(t, sink.None)
	if err := newClient(t, s.URL()).Send(t.Context(), confirmation()); err != nil {
		t.Fatal(err)
	}
	got := s.Messages()
	if len(got) != 1 {
		t.Fatalf("%d messages came", len(got))
	}
	m := got[0]
	want := sink.Message{
		ID: "act-1@hotel.example", From: `"Sojourn, Cabins" <stay@hotel.example>`, To: []string{"priya@example.com"},
		ReplyTo: "<desk@hotel.example>",
		Subject: "Your booking K7QMPX – स्वागत है", Date: "Wed, 15 Jan 2031 06:30:00 +0000",
		Text: confirmation().Text, HTML: confirmation().HTML, Caught: at(),
	}
	m.Text, m.HTML = strings.TrimRight(m.Text, "\n")+"\n", strings.TrimSpace(m.HTML)
	if m.ID != want.ID || m.From != want.From || m.To[0] != want.To[0] || m.ReplyTo != want.ReplyTo ||
		m.Subject != want.Subject ||
		m.Date != want.Date || m.Text != want.Text || m.HTML != want.HTML || !m.Caught.Equal(want.Caught) {
		t.Errorf("it arrived as %+v, want %+v", m, want)
	}
}

// F-50: what is certain and what is open are told apart.
func TestARefusedEmailDiffersFromOneOfUnknownState(t *testing.T) {
	t.Parallel()
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := "smtp://" + gone.Addr().String()
	if err := gone.Close(); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		url    func(t *testing.T) (string, *sink.Server)
		code   string
		says   string
		caught int
	}{
		"nobody listens": {url: func(*testing.T) (string, *sink.Server) { return nobody, nil },
			code: email.CodeNotSent, says: "could not be reached"},
		"the address is refused": {url: func(t *testing.T) (string, *sink.Server) {
			s := newSink(t,
				sink.Refuse)
			return s.URL(), s
		},
			code: email.CodeNotSent, says: "does not take mail for this address"},
		"the message is refused": {url: func(t *testing.T) (string, *sink.Server) {
			s := newSink(t,
				sink.RefuseData)
			return s.URL(), s
		},
			code: email.CodeNotSent, says: "refused the mail"},
		"the server takes it and goes silent": {url: func(t *testing.T) (string, *sink.Server) {
			s := newSink(t,
				sink.Silence)
			return s.URL(), s
		},
			code: "outcome_unknown", says: "not known whether", caught: 1},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, s := tc.url(t)
			err := newClient(t, url).Send(t.Context(), confirmation())
			f := fault.From(err)
			if f == nil || f.Code != tc.code || !strings.Contains(f.Message, tc.says) {
				t.Errorf("it says %v", err)
			}
			if s != nil && len(s.Messages()) != tc.caught {
				t.Errorf("%d messages came", len(s.Messages()))
			}
		})
	}
}

func TestNoHeaderIsSmuggledIn(t *testing.T) {
	t.Parallel()
	s := newSink(t, sink.None)
	c := newClient(t, s.URL())
	for _, to := range []string{"", "nobody", "a@b.example\r\nBcc: c@d.example", "a@b.example, c@d.example",
		"A <a@b.example>", " a@b.example"} {
		l := confirmation()
		l.To.Mail = to
		if f := fault.From(c.Send(t.Context(), l)); f == nil || f.Code != email.CodeNotSent {
			t.Errorf("%q was taken as an address: %v", to, f)
		}
	}
	l := confirmation()
	l.Subject, l.To.Name = "Hello\r\nBcc: c@d.example", "Eve\nX-Evil: yes"
	if err := c.Send(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	if got := s.Messages(); len(got) != 1 || got[0].Subject != "Hello Bcc: c@d.example" || len(got[0].To) != 1 {
		t.Errorf("it arrived as %+v", got)
	}
}

func TestWrongSettingsAreNamedWithoutTheirSecrets(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		cfg  mail.Config
		says string
	}{
		"no scheme": {mail.Config{URL: "mail.example:587", From: "a@b.example", Now: at}, "SMTP_URL"},
		"a web address": {mail.Config{URL: "https://user:hunter2@mail.example", From: "a@b.example", Now: at},
			"SMTP_URL"},
		"a broken one": {mail.Config{URL: "smtp://user:hunter2@mail.example:port", From: "a@b.example", Now: at},
			"SMTP_URL"},
		"no own address": {mail.Config{URL: "smtp://user:hunter2@mail.example", Now: at}, "MAIL_FROM"},
		"no clock":       {mail.Config{URL: "smtp://mail.example", From: "a@b.example"}, "clock"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := mail.New(tc.cfg)
			if err == nil || !strings.Contains(err.Error(), tc.says) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("it says %v", err)
			}
		})
	}
	if _, err := mail.New(mail.Config{URL: "smtps://user:hunter2@mail.example", From: "a@b.example",
		Now: at}); err != nil {
		t.Error(err)
	}
}

func TestFilesArriveAsTheyWere(t *testing.T) {
	t.Parallel()
	s := newSink(t, sink.None)
	m := confirmation()
	file := make([]byte, 200_000)
	for i := range file {
		file[i] = byte(i * 7)
	}
	m.Attachments = []email.Attachment{
		{Name: "INV-26-27-0012.pdf", Type: "application/pdf", Content: file},
		{Name: "बिल क्रमांक 12.txt", Type: "text/plain; charset=utf-8", Content: []byte("not the body\n")},
	}
	if err := newClient(t, s.URL()).Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	got := s.Messages()[0]
	if len(got.Files) != 2 || got.Text != m.Text || strings.TrimSpace(got.HTML) != m.HTML {
		t.Fatalf("%d files and the text %q came", len(got.Files), got.Text)
	}
	for i, f := range got.Files {
		if f.Name != m.Attachments[i].Name || !strings.HasPrefix(m.Attachments[i].Type, f.Type) ||
			!bytes.Equal(f.Content, m.Attachments[i].Content) {
			t.Errorf("%s came as %s, %s, %d bytes", m.Attachments[i].Name, f.Name, f.Type, len(f.Content))
		}
	}
}

func TestAFileThatCannotBeAttachedSendsNothing(t *testing.T) {
	t.Parallel()
	s := newSink(t, sink.None)
	for name, f := range map[string]email.Attachment{
		"no name":              {Type: "application/pdf"},
		"a path":               {Name: "../invoice.pdf", Type: "application/pdf"},
		"a path of Windows":    {Name: `c:\invoice.pdf`, Type: "application/pdf"},
		"a hidden file":        {Name: ".profile", Type: "application/pdf"},
		"a header in a name":   {Name: "a.pdf\r\nBcc: thief@example.com", Type: "application/pdf"},
		"no type":              {Name: "invoice.pdf"},
		"a header in a type":   {Name: "invoice.pdf", Type: "application/pdf\r\nBcc: thief@example.com"},
		"a message of its own": {Name: "a.eml", Type: "message/rfc822"},
		"too large": {Name: "a.pdf", Type: "application/pdf", Content: make([]byte, email.MaxAttachments+
			1)},
	} {
		m := confirmation()
		m.Attachments = []email.Attachment{f}
		err := newClient(t, s.URL()).Send(t.Context(), m)
		if failed := fault.From(err); failed == nil || failed.Code != email.CodeNotSent {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(s.Messages()); n != 0 {
		t.Errorf("%d messages came", n)
	}
}
