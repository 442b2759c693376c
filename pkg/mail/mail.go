// Package mail carries emails by SMTP. It is the only package that knows the
// protocol and its library.
package mail

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"mime"
	"net"
	"net/mail"
	"net/url"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/email"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Config says which server takes our mail.
type Config struct {
	// URL is smtp://user:password@host:587, where the connection is encrypted
	// by STARTTLS, or smtps://user:password@host:465. A server on this machine
	// may be spoken to in the clear. Required.
	URL identity.Secret
	// From is our address, such as "Front desk <stay@example.com>". Required.
	From string
	// Now dates the emails; required.
	Now calendar.Clock
	// Timeout bounds each wait for the server. The default is 15 seconds.
	Timeout time.Duration
}

// Client is an email.Sender. It is immutable and safe for concurrent use;
// each email has a connection of its own.
type Client struct {
	host    string
	options []gomail.Option
	from    *mail.Address
	domain  string // what follows the @ of a Message-ID
	now     calendar.Clock
}

var _ email.Sender = (*Client)(nil)

// New checks cfg. Nothing is sent yet. Its errors never hold the password.
func New(cfg Config) (*Client, error) {
	if cfg.Now == nil {
		return nil, errors.New("mail: no clock")
	}
	from, err := mail.ParseAddress(cfg.From)
	if err != nil {
		return nil, errors.New("mail: MAIL_FROM must be an address such as Front desk <stay@example.com>")
	}
	u, err := url.Parse(cfg.URL.Reveal())
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return nil, errors.New("mail: SMTP_URL must look like smtp://user:password@host:587 or " +
			"smtps://user:password@host:465")
	}
	options := []gomail.Option{gomail.WithTimeout(cmp.Or(cfg.Timeout, 15*time.Second)), gomail.WithoutNoop()}
	port := 587
	switch {
	case u.Scheme == "smtps":
		port = 465
		options = append(options, gomail.WithSSL())
	case loopback(u.Hostname()):
		options = append(options, gomail.WithTLSPolicy(gomail.TLSOpportunistic))
	default:
		options = append(options, gomail.WithTLSPolicy(gomail.TLSMandatory))
	}
	if p := u.Port(); p != "" {
		if port, err = strconv.Atoi(p); err != nil {
			return nil, errors.New("mail: the port in SMTP_URL is not a number")
		}
	}
	options = append(options, gomail.WithPort(port))
	if password, ok := u.User.Password(); ok {
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover),
			gomail.WithUsername(u.User.Username()), gomail.WithPassword(password))
	}
	_, domain, _ := strings.Cut(from.Address, "@")
	c := &Client{host: u.Hostname(), options: options, from: from, domain: domain, now: cfg.Now}
	if _, err := gomail.NewClient(c.host, c.options...); err != nil {
		return nil, errors.New("mail: SMTP_URL names no server that can be used")
	}
	return c, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Send hands the email to the server; see email.Sender.
func (c *Client) Send(ctx context.Context, l email.Message) error {
	m, err := c.message(l)
	if err != nil {
		return err
	}
	client, err := gomail.NewClient(c.host, c.options...)
	if err != nil {
		return notSent(err, "The mail server cannot be used.")
	}
	if err := client.DialWithContext(ctx); err != nil {
		return notSent(err, "The mail server could not be reached, so nothing was sent.")
	}
	err = client.Send(m)
	// What comes after the server has taken the email does not undo it, and
	// not even a good-bye that fails is news then.
	_ = client.Close()
	if err == nil || m.IsDelivered() {
		return nil
	}
	return judge(err)
}

// judge tells an email that was refused from one whose fate is open: the
// connection broke after the whole email had gone out and before the server
// said what became of it.
func judge(err error) error {
	failure, ok := errors.AsType[*gomail.SendError](err)
	if ok && failure.Reason == gomail.ErrSMTPDataClose && failure.ErrorCode() == 0 || !ok {
		return fault.Wrap(fault.Upstream, err,
			"It is not known whether the mail was sent: the mail server went silent.").WithCode("outcome_unknown")
	}
	switch failure.Reason {
	case gomail.ErrSMTPRcptTo, gomail.ErrGetRcpts:
		return notSent(err, "The mail server does not take mail for this address, so nothing was sent.")
	case gomail.ErrSMTPMailFrom, gomail.ErrGetSender:
		return notSent(err, "The mail server does not take mail from our address, so nothing was sent.")
	}
	return notSent(err, "The mail server refused the mail, so nothing was sent.")
}

func notSent(cause error, sentence string) error {
	return fault.Wrap(fault.Upstream, cause, "%s", sentence).WithCode(email.CodeNotSent)
}

// message writes the email with both of its forms.
func (c *Client) message(l email.Message) (*gomail.Msg, error) {
	m := gomail.NewMsg(gomail.WithCharset(gomail.CharsetUTF8))
	to, err := mail.ParseAddress(l.To.Mail)
	// A header may not be smuggled in, nor a second recipient.
	if err != nil || to.Name != "" || to.Address != l.To.Mail || strings.ContainsAny(l.To.Mail, "\r\n,;") {
		return nil, fault.New(fault.Invalid, "%s is not an e-mail address.",
			email.OneLine(l.To.Mail)).WithCode(email.CodeNotSent)
	}
	name := cmp.Or(email.OneLine(l.From), c.from.Name)
	if err := m.FromFormat(name, c.from.Address); err != nil {
		return nil, notSent(err, "Our own address cannot be used.")
	}
	if err := m.AddToFormat(email.OneLine(l.To.Name), to.Address); err != nil {
		return nil, notSent(err, "The address cannot be used.")
	}
	if l.ReplyTo != "" {
		if err := m.ReplyTo(l.ReplyTo); err != nil {
			return nil, notSent(err, "The address for answers cannot be used.")
		}
	}
	m.Subject(email.OneLine(l.Subject))
	m.SetDateWithValue(c.now())
	m.SetMessageIDWithValue(fmt.Sprintf("%s@%s", l.ID, c.domain))
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	m.SetBodyString(gomail.TypeTextPlain, l.Text)
	m.AddAlternativeString(gomail.TypeTextHTML, l.HTML)
	return m, attach(m, l.Attachments)
}

// attach adds files to a message. A file's name is a header, too, and must not
// lead out of the folder in which it is saved.
func attach(m *gomail.Msg, files []email.Attachment) error {
	size := 0
	for _, f := range files {
		size += len(f.Content)
		kind, _, err := mime.ParseMediaType(f.Type)
		if err != nil || kind == "" || strings.HasPrefix(kind, "multipart/") || strings.HasPrefix(kind, "message/") {
			return notSent(fmt.Errorf("media type %q", f.Type), "A file of the mail has no type, so nothing was sent.")
		}
		if f.Name == "" || f.Name != email.OneLine(f.Name) || strings.ContainsAny(f.Name, `/\"`) || f.Name[0] == '.' {
			return notSent(fmt.Errorf("file name %q", f.Name),
				"A file of the mail has no proper name, so nothing was sent.")
		}
		if err := m.AttachReader(f.Name, bytes.NewReader(f.Content),
			gomail.WithFileContentType(gomail.ContentType(f.Type))); err != nil {
			return notSent(err, "A file could not be attached, so nothing was sent.")
		}
	}
	if size > email.MaxAttachments {
		return fault.New(fault.TooLarge, "The files of a mail may have %d MB together, so nothing was sent.",
			email.MaxAttachments>>20).WithCode(email.CodeNotSent)
	}
	return nil
}
