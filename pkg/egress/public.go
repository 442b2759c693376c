package egress

import (
	"net/netip"
	"slices"
)

// Public reports whether an address belongs to a server on the public Internet,
// as far as the registries of special addresses tell. IPv4 inside of IPv6, in
// any of its forms, is not public: where it leads is for others to decide.
func Public(ip netip.Addr) bool {
	if !ip.IsValid() || ip.Zone() != "" || ip.Is4In6() {
		return false
	}
	within := func(list []string) bool {
		return slices.ContainsFunc(list, func(prefix string) bool { return netip.MustParsePrefix(prefix).Contains(ip) })
	}
	if ip.Is4() {
		return !within([]string{
			"0.0.0.0/8",        // this network
			"10.0.0.0/8",       // private
			"100.64.0.0/10",    // shared by carriers
			"127.0.0.0/8",      // loopback
			"169.254.0.0/16",   // link-local, metadata of clouds among it
			"172.16.0.0/12",    // private
			"192.0.0.0/24",     // protocol assignments
			"192.0.2.0/24",     // documentation
			"192.88.99.0/24",   // relays from IPv6
			"192.168.0.0/16",   // private
			"198.18.0.0/15",    // measurements
			"198.51.100.0/24",  // documentation
			"203.0.113.0/24",   // documentation
			"224.0.0.0/4",      // multicast
			"240.0.0.0/4",      // reserved, broadcast among it
			"168.63.129.16/32", // Azure's own services in every virtual machine
		})
	}
	// All that is given out lies in one prefix; ::ffff:0:0/96, 64:ff9b::/96,
	// fc00::/7 and fe80::/10 are outside of it.
	return netip.MustParsePrefix("2000::/3").Contains(ip) && !within([]string{
		"2001::/23",     // protocol assignments, Teredo among it
		"2001:db8::/32", // documentation
		"2002::/16",     // 6to4
		"3fff::/20",     // documentation
	})
}
