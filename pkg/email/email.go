// Package email is a message to a person outside, as mail: plain data.
package email

import (
	"context"
	"strings"
	"unicode"
)

// Message is one message to one person. The text and the HTML say the same.
type Message struct {
	// ID is unique to this email and is made from its claim, so that an email
	// that was sent can be found again. It becomes a part of the Message-ID.
	ID      string
	To      Address
	From    string // the name beside our own address, such as the property's; may be empty
	ReplyTo string // an address; may be empty
	Subject string
	Text    string
	HTML    string
	// Attachments stand below the text, in their order. Together they may have
	// MaxAttachments bytes.
	Attachments []Attachment
}

// MaxAttachments is how many bytes the attachments of an email may have together:
// base64 makes a third more of them, and many servers take 10 MB.
const MaxAttachments = 7 << 20

// Attachment is a file that comes with an email.
type Attachment struct {
	Name    string // a file name with its extension, without folders
	Type    string // a media type, such as application/pdf
	Content []byte
}

// Address is a mailbox and whose it is.
type Address struct {
	Name string
	Mail string // someone@example.com
}

// String writes the address as people read it.
func (a Address) String() string {
	if a.Name == "" {
		return a.Mail
	}
	return a.Name + " <" + a.Mail + ">"
}

// Sender takes emails to where they go, at most once for each call.
//
// A nil error says that the email was handed over. An error with the code
// CodeNotSent says that it was certainly not; any other error leaves it open,
// and the email must not be sent again blindly.
type Sender interface {
	Send(ctx context.Context, l Message) error
}

// CodeNotSent is the code of errors after which an email has certainly not
// been sent.
const CodeNotSent = "mail_not_sent"

// OneLine returns s without line breaks and other control characters, as a
// header needs it.
func OneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, unicode.IsControl), " ")
}
