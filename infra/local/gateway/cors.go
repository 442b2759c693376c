package gateway

import "net/http"

const (
	allowedMethods = "GET,HEAD,PUT,PATCH,POST,DELETE,OPTIONS,TRACE,CONNECT"

	// exposedHeaders are those that clients read: paging and counts of REST,
	// paging and error codes of Auth.
	exposedHeaders = "Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, " +
		"Preference-Applied, Proxy-Status, Range-Unit, Server, Transfer-Encoding, " +
		"Link, X-Total-Count, X-Supabase-Api-Version, X-Sb-Error-Code"
)

// allowOrigins lets pages from anywhere call: the keys and tokens protect the
// data, not the origin. Nothing here is authorised by a cookie.
func allowOrigins(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", exposedHeaders)
	if r.Method != http.MethodOptions {
		return
	}
	h.Set("Access-Control-Allow-Methods", allowedMethods)
	h.Set("Access-Control-Max-Age", "3600")
	if asked := r.Header.Get("Access-Control-Request-Headers"); asked != "" {
		h.Set("Access-Control-Allow-Headers", asked)
	}
	h.Add("Vary", "Access-Control-Request-Headers")
}
