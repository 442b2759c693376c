// Package mail is an SMTP server that keeps what it is given and delivers
// nothing, so that mail can be seen on a laptop and in tests.
package mail

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/textproto"
	"strings"
	"sync"
	"time"

	"encoding/base64"

	"github.com/emersion/go-smtp"
)

// Limits of the server.
const (
	maxMessage = 10 << 20
	maxKept    = 200 // older messages go first
)

// Message is one caught message, newest first in lists.
type Message struct {
	ID      string    `json:"id"` // of the Message-ID header
	From    string    `json:"from"`
	To      []string  `json:"to"` // of the envelope
	ReplyTo string    `json:"replyTo,omitempty"`
	Subject string    `json:"subject"`
	Date    string    `json:"date"`
	Text    string    `json:"text"`
	HTML    string    `json:"html"`
	Files   []File    `json:"files,omitempty"`
	Caught  time.Time `json:"caught"`
}

// File is an attachment; its content is in base64 in JSON.
type File struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Content []byte `json:"content"`
}

// Fault is what a test wants a server to do wrong.
type Fault string

// The faults.
const (
	None       Fault = ""
	Refuse     Fault = "refuse"      // no recipient is accepted
	RefuseData Fault = "refuse_data" // the message is refused after it was read
	Silence    Fault = "silence"     // the message is kept, and the connection breaks before that is said
)

// Config says how the server behaves.
type Config struct {
	// Addr is where it listens. The default is a free port of 127.0.0.1.
	Addr string
	// Now dates what is caught. The default is time.Now.
	Now func() time.Time
	// Fault is asked for each message. Nil means that nothing goes wrong.
	Fault func() Fault
}

// Server catches mail. It is safe for concurrent use.
type Server struct {
	cfg      Config
	listener net.Listener
	smtp     *smtp.Server
	served   chan struct{}

	mu       sync.Mutex
	messages []Message
}

// Start listens and serves until Stop.
func Start(cfg Config) (*Server, error) {
	if cfg.Addr == "" {
		cfg.Addr = "127.0.0.1:0"
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Fault == nil {
		cfg.Fault = func() Fault { return None }
	}
	listener, err := net.Listen("tcp", cfg.Addr)
	if err != nil {
		return nil, fmt.Errorf("mail: listen at %s: %w", cfg.Addr, err)
	}
	s := &Server{cfg: cfg, listener: listener, served: make(chan struct{})}
	s.smtp = smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		return &session{server: s, conn: c.Conn()}, nil
	}))
	s.smtp.Domain = "localhost"
	s.smtp.MaxMessageBytes = maxMessage
	s.smtp.MaxRecipients = 50
	s.smtp.ReadTimeout, s.smtp.WriteTimeout = time.Minute, time.Minute
	s.smtp.EnableSMTPUTF8 = true
	s.smtp.ErrorLog = silent{}
	go func() {
		defer close(s.served)
		_ = s.smtp.Serve(listener) // until Stop
	}()
	return s, nil
}

// URL is what a function is given as SMTP_URL.
func (s *Server) URL() string { return "smtp://" + s.listener.Addr().String() }

// Messages returns what was caught, newest first. The slice is the caller's.
func (s *Server) Messages() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]Message, len(s.messages))
	for i, m := range s.messages {
		list[len(list)-1-i] = m
	}
	return list
}

// Stop ends the server and its connections.
func (s *Server) Stop() error {
	err := s.smtp.Close()
	<-s.served
	return err
}

func (s *Server) keep(m Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.messages = append(s.messages, m)
	if n := len(s.messages) - maxKept; n > 0 {
		s.messages = append([]Message(nil), s.messages[n:]...)
	}
}

// session is one connection's current message.
type session struct {
	server *Server
	conn   net.Conn
	from   string
	to     []string
	fault  Fault
}

func (s *session) Reset()        { s.from, s.to = "", nil }
func (s *session) Logout() error { return nil }

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.from, s.fault = from, s.server.cfg.Fault()
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if s.fault == Refuse {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such mailbox"}
	}
	s.to = append(s.to, to)
	return nil
}

func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if s.fault == RefuseData {
		return &smtp.SMTPError{Code: 554, EnhancedCode: smtp.EnhancedCode{5, 7, 1}, Message: "refused"}
	}
	m, err := read(raw)
	if err != nil {
		return &smtp.SMTPError{Code: 554, EnhancedCode: smtp.EnhancedCode{5, 6, 0}, Message: "unreadable message"}
	}
	m.To, m.Caught = s.to, s.server.cfg.Now()
	s.server.keep(m)
	if s.fault == Silence {
		return errors.Join(s.conn.Close(), errors.New("gone"))
	}
	return nil
}

// read takes a message apart.
func read(raw []byte) (Message, error) {
	parsed, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return Message{}, err
	}
	words := mime.WordDecoder{}
	header := func(name string) string {
		decoded, err := words.DecodeHeader(parsed.Header.Get(name))
		if err != nil {
			return parsed.Header.Get(name)
		}
		return decoded
	}
	m := Message{
		ID: strings.Trim(header("Message-Id"), "<>"), From: header("From"), ReplyTo: header("Reply-To"),
		Subject: header("Subject"), Date: header("Date"),
	}
	return m, m.take(textproto.MIMEHeader(parsed.Header), parsed.Body)
}

// take reads a part, and the parts in it.
func (m *Message) take(header textproto.MIMEHeader, body io.Reader) error {
	kind, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		kind = "text/plain"
	}
	if strings.HasPrefix(kind, "multipart/") {
		parts := multipart.NewReader(body, params["boundary"])
		for {
			part, err := parts.NextRawPart()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			if err := m.take(part.Header, part); err != nil {
				return err
			}
		}
	}
	switch strings.ToLower(header.Get("Content-Transfer-Encoding")) {
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	if how, params, err := mime.ParseMediaType(header.Get("Content-Disposition")); err == nil && how == "attachment" {
		name, err := new(mime.WordDecoder).DecodeHeader(params["filename"])
		m.Files = append(m.Files, File{name, kind, text})
		return err
	}
	// Mail ends its lines in its own way.
	said := strings.ReplaceAll(string(text), "\r\n", "\n")
	switch kind {
	case "text/html":
		m.HTML = said
	case "text/plain":
		m.Text = said
	}
	return nil
}

// silent keeps what clients do wrong out of our own output.
type silent struct{}

func (silent) Printf(string, ...any) {}
func (silent) Println(...any)        {}
