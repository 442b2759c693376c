package httpx

import (
	"net"
	"net/http"
	"strings"
)

// Origin returns scheme and host of the address that was asked, such as
// "https://example.com". The host is what the client says that it is: a forged one
// must fool its sender alone.
func Origin(r *http.Request) string {
	scheme := "https"
	if loopback(r.Host) && r.Header.Get("X-Forwarded-Proto") != "https" {
		scheme = "http"
	}
	return scheme + "://" + r.Host
}

// loopback reports whether a host is this machine.
func loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
