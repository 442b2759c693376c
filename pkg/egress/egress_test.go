package egress_test

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/egress"
)

// testTimeout ends a connection to a public address, should one be tried.
const testTimeout = 200 * time.Millisecond

// canary listens where no one may connect to, on a port of this machine that
// every spelling leads to.
type canary struct {
	port     string
	connects atomic.Int32
	seen     chan struct{}
}

func listen(t *testing.T) *canary {
	t.Helper()
	l, err := net.Listen("tcp", ":0") // on all addresses of this machine
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	c := &canary{port: port, seen: make(chan struct{}, 1000)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			c.connects.Add(1)
			_ = conn.Close()
			c.seen <- struct{}{}
		}
	}()
	t.Cleanup(func() { _ = l.Close(); <-done })
	return c
}

// only fails unless the canary has heard exactly one connection: that which is
// made here, so that it is known to hear.
func (c *canary) only(t *testing.T) {
	t.Helper()
	conn, err := net.Dial("tcp", "127.0.0.1:"+c.port)
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.Close()
	<-c.seen
	if n := c.connects.Load(); n != 1 {
		t.Errorf("%d connections were made that may not be", n-1)
	}
}

// lax resolves as a careless system does: it knows every old spelling of a
// number, and names that lead to this machine.
type lax struct {
	mu    sync.Mutex
	asked map[string]int
}

func (r *lax) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	r.mu.Lock()
	r.asked[host]++
	n := r.asked[host]
	r.mu.Unlock()
	one := func(list ...string) (ips []netip.Addr, err error) {
		for _, s := range list {
			ips = append(ips, netip.MustParseAddr(s))
		}
		return ips, nil
	}
	if ip, ok := oldNumber(host); ok {
		return []netip.Addr{ip}, nil
	}
	switch {
	case host == "rebind.example.com" && n == 1:
		return one("203.0.114.7")
	case host == "mixed.example.com":
		return one("203.0.114.7", "127.0.0.1")
	case host == "mapped.example.com":
		return one("::ffff:127.0.0.1")
	case host == "six.example.com":
		return one("::1")
	case host == "nat64.example.com":
		return one("64:ff9b::7f00:1")
	case host == "metadata.google.internal", host == "meta.example.com":
		return one("169.254.169.254")
	case strings.HasSuffix(host, ".nip.example"):
		return one(strings.TrimSuffix(host, ".nip.example"))
	case host == "nowhere.example.com":
		return nil, nil
	}
	return one("127.0.0.1")
}

// oldNumber reads the spellings of an IPv4 address that inet_aton knows.
func oldNumber(host string) (netip.Addr, bool) {
	parts := strings.Split(host, ".")
	var n uint64
	for i, p := range parts {
		v, err := strconv.ParseUint(p, 0, 64)
		if err != nil || len(parts) > 4 {
			return netip.Addr{}, false
		}
		if i == len(parts)-1 {
			n = n<<(8*(5-len(parts))) | v
		} else {
			n = n<<8 | v
		}
	}
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], uint32(n))
	return netip.AddrFrom4(b), true
}

// spellings are hosts that must not be reached.
func spellings() []string {
	list := []string{
		// this machine, in IPv4
		"127.0.0.1", "127.0.0.1.", "127.1", "127.0.1", "127.1.", "127.255.255.254", "127.0.0.53", "2130706433",
		"2130706433.", "017700000001", "0177.0.0.1",
		"0177.0000.0000.0001", "0x7f000001", "0X7F000001", "0x7f.0.0.1", "0x7f.1", "0x7F.0x0.0x0.0x1", "0177.0x0.1",
		"127.0x0.0.01", "00000177.1", "127.0.0.0x1",
		"0", "0.0.0.0", "0.", "0x0", "00", "0.0", "0.1.2.3", "127.000.000.001",
		// and by name
		"localhost", "LOCALHOST", "localhost.", "localhost.localdomain", "ip6-localhost", "loopback",
		"here.localhost", "a.b.localhost.", "intranet", "host.docker.internal", "printer.local",
		"me.example.com", "127.0.0.1.nip.example", "10.0.0.1.nip.example", "rebind.example.com", "mixed.example.com",
		"mapped.example.com", "six.example.com", "nat64.example.com", "nowhere.example.com",
		// this machine, in IPv6
		"[::1]", "[0:0:0:0:0:0:0:1]", "[0000:0000:0000:0000:0000:0000:0000:0001]", "[::0001]", "[::]", "[0::0]",
		"[::1%25lo]", "[::1%lo]",
		"[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::FFFF:7F00:0001]", "[0:0:0:0:0:ffff:127.0.0.1]", "[::127.0.0.1]",
		"[::7f00:1]", "[::ffff:0:127.0.0.1]", "[::ffff:8.8.8.8]",
		"[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::7f00:1]",
		"[2002:7f00:1::]", "[2002:a9fe:a9fe::1]", "[2001:0:7f00:1::]", "[2001:db8::1]",
		// private and link-local
		"10.0.0.1", "10.255.255.255", "0xa.1", "012.0.0.1", "167772161", "172.16.0.1", "172.31.255.254",
		"0xac100001", "192.168.0.1", "192.168.1", "3232235521", "0xc0.0xa8.0.1",
		"169.254.0.1", "[fe80::1]", "[fe80::1%25eth0]", "[fe80::1%eth0]", "[fc00::1]", "[fd12:3456::1]", "[fec0::1]",
		"[::ffff:10.0.0.1]", "[::ffff:c0a8:1]",
		// shared, reserved, documentation, multicast
		"100.64.0.1", "100.127.255.254", "100.100.100.200", "192.0.0.1", "192.0.0.192", "192.0.2.1", "198.18.0.1",
		"198.19.255.255", "198.51.100.7", "203.0.113.9",
		"224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "4294967295", "192.88.99.1", "[ff02::1]",
		"[3fff::1]", "[100::1]", "[4000::1]",
		// metadata of clouds
		"169.254.169.254", "169.254.169.254.", "169.254.43518", "2852039166", "0xa9fea9fe", "0xA9.0xFE.0xA9.0xFE",
		"0251.0376.0251.0376", "025177524776", "169.254.170.2", "[fd00:ec2::254]",
		"[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]", "168.63.129.16", "metadata.google.internal",
		"meta.example.com",
		// signs that some programs change
		"127。0。0。1", "①②⑦.⓪.⓪.①", "loc%61lhost", "127.0.0.1%2e", "exa mple.com", "ⓛocalhost",
		"127.0.0.1%00.example.com",
	}
	return list
}

// F-54: whatever an address is spelled like, nothing is connected to.
func TestNothingOfOursIsReached(t *testing.T) {
	c := listen(t)
	if n := len(spellings()); n < 120 {
		t.Fatalf("%d spellings", n)
	}
	cfg := egress.Config{Resolver: &lax{asked: map[string]int{}}, Timeout: testTimeout}
	client := cfg.Client()
	for _, host := range spellings() {
		if host == "rebind.example.com" {
			continue // its first answer is public: see below
		}
		for _, address := range []string{
			"https://" + host + ":" + c.port + "/v1", "http://" + host + ":" + c.port, "https://" + host + "/",
			"https://user:pass@" + host + ":" + c.port + "/v1", "HTTPS://api.openai.com@" + host + ":" + c.port,
			"https:\\\\" + host + ":" + c.port,
		} {
			res, err := client.Get(address)
			if err == nil {
				_ = res.Body.Close()
				t.Errorf("%s was reached", address)
				continue
			}
			// What net/url refuses never comes to us.
			if _, bad := url.Parse(address); bad == nil && !errors.Is(err, egress.ErrRefused) &&
				!strings.Contains(err.Error(), "no Host") {
				t.Errorf("%s failed for another reason: %v", address, err)
			}
		}
	}
	for _, address := range []string{"", "api.openai.com", "//api.openai.com", "ftp://api.openai.com",
		"file:///etc/passwd", "gopher://127.0.0.1:" + c.port, "https:api.openai.com", "https://", "https://:443/",
		"http://api.openai.com/v1", "ws://api.openai.com", "https://a:b@api.openai.com"} {
		if err := cfg.Check(address); !errors.Is(err, egress.ErrRefused) {
			t.Errorf("%q is not refused: %v", address, err)
		}
	}
	c.only(t)
}

// A name is looked up once for a connection, and what was checked is what is
// connected to. F-54
func TestANameThatAnswersDifferentlyLeadsNowhere(t *testing.T) {
	c := listen(t)
	r := &lax{asked: map[string]int{"rebind.example.com": 1}} // its second answer is this machine
	client := egress.Config{Resolver: r, Timeout: testTimeout}.Client()
	if _, err := client.Get("https://rebind.example.com:" + c.port); !errors.Is(err, egress.ErrRefused) {
		t.Errorf("got %v", err)
	}
	if n := r.asked["rebind.example.com"]; n != 2 {
		t.Errorf("looked up %d times", n-1)
	}
	c.only(t)
}

// F-54: a redirect is an address like any other.
func TestRedirectsLeadNowhereElse(t *testing.T) {
	c := listen(t)
	var to string
	hops := 0
	door := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hops++
		http.Redirect(w, r, to, http.StatusTemporaryRedirect)
	}))
	t.Cleanup(door.Close)
	// This machine stands for the public server that redirects.
	client := egress.Config{Loopback: true, Resolver: &lax{asked: map[string]int{}}, Timeout: testTimeout}.Client()
	for _, to = range []string{"http://10.0.0.1:" + c.port, "https://169.254.169.254/latest/meta-data",
		"http://api.openai.com/", "https://[fd00:ec2::254]/", "https://meta.example.com/", "file:///etc/passwd",
		"https://0xa9fea9fe/"} {
		if _, err := client.Post(door.URL, "text/plain", strings.NewReader("x")); err == nil {
			t.Errorf("the redirect to %s was followed", to)
		} else if !errors.Is(err, egress.ErrRefused) {
			t.Errorf("the redirect to %s: %v", to, err)
		}
	}
	hops, to = 0, door.URL
	if _, err := client.Get(door.URL); !errors.Is(err, egress.ErrRefused) || hops > 4 {
		t.Errorf("a circle was left after %d hops: %v", hops, err)
	}
	c.only(t)
}

func TestThisMachineIsReachedWhereTheOperatorSaysSo(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(server.Close)
	res, err := egress.Config{Loopback: true}.Client().Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if _, err := (egress.Config{}).Client().Get(server.URL); !errors.Is(err, egress.ErrRefused) {
		t.Errorf("the strict client: %v", err)
	}
}

func TestPublicAddresses(t *testing.T) {
	for _, ip := range []string{"8.8.8.8", "1.1.1.1", "172.32.0.1", "172.15.255.255", "100.63.255.255", "100.128.0.1",
		"192.0.1.1", "198.17.0.1", "223.255.255.254", "2606:4700::1111", "2a00:1450::1", "2600::1"} {
		if !egress.Public(netip.MustParseAddr(ip)) {
			t.Errorf("%s is public", ip)
		}
	}
	var strict egress.Config
	for _, address := range []string{"https://api.openai.com/v1", "https://api.openai.com./v1",
		"https://my-resource.openai.azure.com:443/openai/v1/", "https://8.8.8.8/v1", "https://[2606:4700::1111]/v1",
		"https://xn--bcher-kva.example/v1"} {
		if err := strict.Check(address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}
