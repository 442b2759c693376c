package part

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
)

// Link is the content of a part of the kind link. Make it with NewLink.
type Link struct {
	Label string `json:"label"`
	// URL is an https address at an allowed host, or a path below /api/. At an allowed
	// host of this machine, where development runs, it may be http.
	URL string `json:"url"`

	allowed []string
}

// NewLink returns a link to one of the hosts, or to an endpoint of ours.
func NewLink(label, address string, hosts []string) Link { return Link{label, address, hosts} }

// Kind is "link".
func (Link) Kind() string { return "link" }

// Text is the label and the address.
func (l Link) Text() string { return l.Label + ": " + l.URL }

// Check refuses other hosts and other schemes.
func (l Link) Check() error {
	if strings.TrimSpace(l.Label) == "" {
		return errors.New("the link has no label")
	}
	u, err := url.Parse(l.URL)
	if err != nil || strings.ContainsAny(l.URL, "\\ \t\r\n") || u.User != nil {
		return fmt.Errorf("%q is no address", l.URL)
	}
	if u.Scheme == "" && u.Host == "" && strings.HasPrefix(u.Path, "/api/") &&
		!slices.Contains(strings.Split(u.Path, "/"), "..") {
		return nil
	}
	ip := net.ParseIP(u.Hostname())
	local := u.Scheme == "http" && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback())
	if u.Scheme != "https" && !local ||
		!slices.ContainsFunc(l.allowed, func(h string) bool { return strings.EqualFold(h, u.Host) }) {
		return fmt.Errorf("%q leads to a host that is not allowed", u.Host)
	}
	return nil
}
