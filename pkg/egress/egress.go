// Package egress makes requests to addresses that a customer configured, such
// as the base URL of an organisation's own model. Such an address is untrusted,
// so only servers on the public Internet are reached, over https.
//
// The check applies to the address of the connection, not to its spelling: each
// name is resolved here, all of its addresses are checked, and the connection
// is made to the checked address itself. So a name that answers differently the
// second time, a redirect, and any spelling of a number lead nowhere else.
package egress

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// ErrRefused is the cause of every refusal.
var ErrRefused = errors.New("this address may not be reached")

// maxRedirects is how many redirects are followed.
const maxRedirects = 3

// Resolver looks up the addresses of a name; *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Config says how addresses are reached. The zero Config is the strict one.
type Config struct {
	// Resolver looks names up; nil means the system's.
	Resolver Resolver
	// Loopback also admits this machine, with or without TLS. It is for
	// development and tests, and must be set by the operator alone.
	Loopback bool
	// TLS is the configuration of connections; nil means the standard one.
	TLS *tls.Config
	// Timeout bounds one connection; 0 means 5 s.
	Timeout time.Duration
}

// Check refuses an address by its spelling: one that is not https, that holds
// a user, that names no host, or whose host is a number that is not the usual
// spelling of a public address. What passes is checked again when it is
// connected to.
func (c Config) Check(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return fmt.Errorf("%w: it is no URL", ErrRefused)
	}
	return c.check(u)
}

func (c Config) check(u *url.URL) error {
	host := strings.ToLower(u.Hostname())
	refuse := func(why string) error { return fmt.Errorf("%w: %s", ErrRefused, why) }
	ip, parsed := netip.ParseAddr(host)
	local := c.Loopback && (host == "localhost" || parsed == nil && ip.IsLoopback())
	switch {
	case u.Scheme != "https" && !(local && u.Scheme == "http"):
		return refuse("it is not https")
	case u.User != nil:
		return refuse("it holds a user")
	case host == "" || u.Opaque != "":
		return refuse("it names no host")
	case local:
		return nil
	case strings.ContainsFunc(host, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`%\@`,
			r)
	}):
		return refuse("its host has a sign that no host has")
	case parsed == nil:
		if ip.Is4In6() || !Public(ip) {
			return refuse("its host is no public address")
		}
	case strings.Contains(host, ":"), numeric(host):
		return refuse("its host is an odd spelling of an address")
	case !strings.Contains(strings.TrimSuffix(host, "."), "."):
		return refuse("its host is a name of this network")
	}
	return nil
}

// numeric reports whether the last label of a host is a number, as in the old
// spellings of an IPv4 address: decimal, octal, hexadecimal, or of fewer parts.
func numeric(host string) bool {
	host = strings.TrimSuffix(host, ".")
	last := host[strings.LastIndexByte(host, '.')+1:]
	if hex, ok := strings.CutPrefix(last, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return last == "" || strings.Trim(last, "0123456789") == ""
}

// Client returns a client that reaches nothing else. It follows a few
// redirects, each of which is checked like the first address, and uses no
// proxy.
func (c Config) Client() *http.Client {
	return &http.Client{
		Transport: c.Transport(),
		CheckRedirect: func(_ *http.Request, via []*http.Request) error {
			if len(via) > maxRedirects {
				return fmt.Errorf("%w: it redirects too often", ErrRefused)
			}
			return nil
		},
	}
}

// Transport returns what carries the calls of Client.
func (c Config) Transport() http.RoundTripper {
	if c.Timeout == 0 {
		c.Timeout = 5 * time.Second
	}
	return guarded{c, &http.Transport{
		DialContext:           c.dial,
		TLSClientConfig:       c.TLS.Clone(),
		TLSHandshakeTimeout:   c.Timeout,
		ResponseHeaderTimeout: 2 * time.Minute,
		IdleConnTimeout:       90 * time.Second,
		MaxIdleConnsPerHost:   16,
		ForceAttemptHTTP2:     true,
	}}
}

// guarded checks the spelling of every address, those of redirects included.
type guarded struct {
	Config
	inner http.RoundTripper
}

func (g guarded) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := g.check(r.URL); err != nil {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, err
	}
	return g.inner.RoundTrip(r)
}

// dial connects to one of the addresses that a name stands for. If one of them
// is not public, the name is refused: such a mix is never accidental.
func (c Config) dial(ctx context.Context, network, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("%w: it has no port", ErrRefused)
	}
	ips, err := c.lookUp(ctx, host)
	if err != nil {
		return nil, err
	}
	for _, ip := range ips {
		if !c.admits(ip) {
			return nil, fmt.Errorf("%w: its name leads to no public address", ErrRefused)
		}
	}
	d := net.Dialer{KeepAlive: 30 * time.Second, Control: c.control}
	err = fmt.Errorf("%w: its name leads nowhere", ErrRefused)
	for _, ip := range ips {
		var conn net.Conn
		if conn, err = d.DialContext(ctx, network, net.JoinHostPort(ip.String(), port)); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

func (c Config) lookUp(ctx context.Context, host string) ([]netip.Addr, error) {
	if ip, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{ip}, nil
	}
	var r Resolver = net.DefaultResolver
	if c.Resolver != nil {
		r = c.Resolver
	}
	ips, err := r.LookupNetIP(ctx, "ip", host)
	for i := range ips {
		ips[i] = ips[i].Unmap() // resolvers write IPv4 so
	}
	return ips, err
}

// control checks the address again, right before the system connects to it.
func (c Config) control(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !c.admits(at.Addr()) {
		return ErrRefused
	}
	return nil
}

func (c Config) admits(ip netip.Addr) bool {
	return Public(ip) || c.Loopback && ip.Unmap().IsLoopback()
}
