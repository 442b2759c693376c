package page

import (
	"net/mail"
	"net/url"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/plaintext"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// Contact is a way to reach a business.
type Contact struct {
	Kind    string // "phone", "whatsapp", "email" or "website"
	Text    string // as it is shown
	Address string // of the link: "tel:+441134960000"
}

// Contacts returns the ways to reach a business that a page can link to. What is not
// of the form that its field asks for is left out.
func Contacts(b projects.Business) []Contact {
	var out []Contact
	if n := digits(b.Phone); len(n) >= 5 && len(n) <= 15 {
		if strings.HasPrefix(strings.TrimSpace(b.Phone), "+") {
			n = "+" + n
		}
		out = append(out, Contact{"phone", clean(b.Phone), "tel:" + n})
	}
	if n := digits(b.WhatsApp); len(n) >= 8 && len(n) <= 15 {
		shown := "+" + n
		if len(out) > 0 && strings.HasSuffix(out[0].Address, "+"+n) {
			shown = out[0].Text // the same number, with its spaces
		}
		out = append(out, Contact{"whatsapp", shown, "https://wa.me/" + n})
	}
	if a, err := mail.ParseAddress(b.Email); err == nil && a.Name == "" &&
		!strings.ContainsAny(a.Address, " \"<>?&%") {
		out = append(out, Contact{"email", a.Address, "mailto:" + a.Address})
	}
	if u, ok := website(b.Website); ok {
		out = append(out, Contact{"website", strings.TrimSuffix(u.Host+u.Path, "/"), u.String()})
	}
	return out
}

// website reads an https address without a password.
func website(s string) (*url.URL, bool) {
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil || u.Scheme != "https" || !strings.Contains(u.Hostname(), ".") || u.User != nil {
		return nil, false
	}
	return u, true
}

func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

// clean returns a text without invisible characters and without spaces around it.
func clean(s string) string { return strings.TrimSpace(plaintext.Clean(s)) }
