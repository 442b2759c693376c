package storage_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestBuckets(t *testing.T) {
	b := newBench(t, `,"public":false`)
	type bucket struct {
		ID, Name  string
		Public    bool
		SizeLimit *int64   `json:"file_size_limit"`
		MimeTypes []string `json:"allowed_mime_types"`
	}
	get := func() bucket { return decode[bucket](t, b.call("GET", "/bucket/"+b.bucket, service, "")) }
	if got := get(); got.ID != b.bucket || got.Name != b.bucket || got.Public || got.SizeLimit != nil ||
		got.MimeTypes != nil {
		t.Errorf("a new bucket is %+v", got)
	}
	out := decode[map[string]string](t, b.call("PUT", "/bucket/"+b.bucket, service,
		`{"public":true,"file_size_limit":"20kb","allowed_mime_types":["image/*"]}`))
	if out["message"] != "Successfully updated" {
		t.Errorf("update: %v", out)
	}
	// What is not said stays.
	decode[map[string]string](t, b.call("PUT", "/bucket/"+b.bucket, service, `{"public":false}`))
	if got := get(); got.Public || *got.SizeLimit != 20000 || !slices.Equal(got.MimeTypes, []string{"image/*"}) {
		t.Errorf("an updated bucket is %+v", got)
	}
	list := decode[[]bucket](t, b.call("GET", "/bucket?search="+b.bucket[:12]+
		"&limit=5&sortColumn=created_at&sortOrder=desc", service, ""))
	if len(list) != 1 || list[0].ID != b.bucket {
		t.Errorf("the list holds %+v", list)
	}

	b.wantError(b.call("POST", "/bucket", service, fmt.Sprintf(`{"name":%q}`, b.bucket)), 409, "Duplicate")
	b.wantError(b.call("POST", "/bucket", service, `{"name":"a/b"}`), 400, "Invalid Input")
	b.wantError(b.call("POST", "/bucket", service, `{}`), 400, "Error")
	b.wantError(b.call("GET", "/bucket/none", service, ""), 404, "Bucket not found")
	b.wantError(b.call("PUT", "/bucket/none", service, `{"public":true}`), 404, "Bucket not found")
	b.wantError(b.call("DELETE", "/bucket/none", service, ""), 404, "Bucket not found")
	b.wantError(b.call("POST", "/bucket/none/empty", service, ""), 404, "Bucket not found")
	for _, size := range []string{`"lots"`, `-1`, `"-1B"`, `"1e3"`, `1.5`, `{}`, `"NaN"`, `"99999999999999GB"`} {
		b.wantError(b.call("PUT", "/bucket/"+b.bucket, service, `{"file_size_limit":`+size+`}`), 400, "InvalidRequest")
	}

	decode[map[string]string](t, b.call("PUT", "/bucket/"+b.bucket, service, `{"allowed_mime_types":null}`))
	b.put("a/x", "x")
	b.put("y", "y")
	b.wantError(b.call("DELETE", "/bucket/"+b.bucket, service, ""), 409, "InvalidRequest")
	if out := decode[map[string]string](t, b.call("POST", "/bucket/"+b.bucket+"/empty", service,
		"")); out["message"] != "Successfully emptied" {
		t.Errorf("empty: %v", out)
	}
	if n := b.kept(); n != 0 {
		t.Errorf("%d files of an empty bucket", n)
	}
	if out := decode[map[string]string](t, b.call("DELETE", "/bucket/"+b.bucket, service,
		"")); out["message"] != "Successfully deleted" {
		t.Errorf("delete: %v", out)
	}
	b.wantError(b.call("GET", "/bucket/"+b.bucket, service, ""), 404, "Bucket not found")
}

func TestBucketsAreClosedWithoutAPolicy(t *testing.T) {
	b := newBench(t, ``)
	ada := member("org-a")
	for _, token := range []string{ada, anon} {
		b.wantError(b.call("POST", "/bucket", token, `{"name":"mine"}`), 403, "Unauthorized")
		b.wantError(b.call("GET", "/bucket/"+b.bucket, token, ""), 404, "Bucket not found")
		b.wantError(b.call("PUT", "/bucket/"+b.bucket, token, `{"public":true}`), 404, "Bucket not found")
		b.wantError(b.call("DELETE", "/bucket/"+b.bucket, token, ""), 404, "Bucket not found")
		b.wantError(b.call("POST", "/bucket/"+b.bucket+"/empty", token, ""), 404, "Bucket not found")
		if list := decode[[]any](t, b.call("GET", "/bucket", token, "")); len(list) != 0 {
			t.Errorf("sees %v", list)
		}
	}
	b.wantError(b.call("GET", "/bucket", nobody, ""), 400, "Error")
	b.wantError(b.call("GET", "/bucket", "forged", ""), 403, "Unauthorized")
}

func TestOrganisationsAreApart(t *testing.T) {
	b := newBench(t, ``)
	ada, bob := member("org-a"), member("org-b")
	decode[map[string]string](t, b.call("POST", b.at("org-a/plan.txt"), ada, "secret of A"))
	b.put("org-a/kept.txt", "kept")

	b.wantText(b.call("GET", b.at("org-a/plan.txt"), ada, ""), "secret of A")
	b.wantError(b.call("POST", b.at("org-b/plan.txt"), ada, "x"), 403, "Unauthorized")
	b.wantError(b.call("POST", b.at("plan.txt"), ada, "x"), 403, "Unauthorized")

	for _, token := range []string{bob, anon} {
		for name, path := range map[string]string{"read": b.at("org-a/plan.txt"),
			"read by its long name": "/object/authenticated/" + b.bucket + "/org-a/plan.txt",
			"ask about":             "/object/info/" + b.bucket + "/org-a/plan.txt"} {
			t.Run("another may not "+name, func(t *testing.T) {
				b.wantError(b.call("GET", path, token, ""), 404, "not_found")
			})
		}
		b.wantError(b.call("POST", b.at("org-a/plan.txt"), token, "x", "X-Upsert", "true"), 403, "Unauthorized")
		b.wantError(b.call("PUT", b.at("org-a/plan.txt"), token, "x"), 403, "Unauthorized")
		b.wantError(b.call("DELETE", b.at("org-a/plan.txt"), token, ""), 404, "not_found")
		b.wantError(b.call("POST", "/object/sign/"+b.bucket+"/org-a/plan.txt", token, `{"expiresIn":60}`), 404,
			"not_found")
		b.wantError(b.call("POST", "/object/upload/sign/"+b.bucket+"/org-a/new.txt", token, `{}`), 403, "Unauthorized")
		if gone := decode[[]any](t, b.call("DELETE", "/object/"+b.bucket, token,
			`{"prefixes":["org-a/plan.txt"]}`)); len(gone) != 0 {
			t.Errorf("deleted %v", gone)
		}
		if seen := decode[[]any](t, b.call("POST", "/object/list/"+b.bucket, token,
			`{"prefix":"org-a"}`)); len(seen) != 0 {
			t.Errorf("sees %v", seen)
		}
		for _, kind := range []string{"move", "copy"} {
			b.wantError(b.call("POST", "/object/"+kind, token, fmt.Sprintf(
				`{"bucketId":%q,"sourceKey":"org-a/plan.txt","destinationKey":"org-b/plan.txt"}`, b.bucket)), 404,
				"not_found")
		}
	}
	// A member cannot hand a file to another organisation, either.
	for _, kind := range []string{"move", "copy"} {
		b.wantError(b.call("POST", "/object/"+kind, ada, fmt.Sprintf(
			`{"bucketId":%q,"sourceKey":"org-a/plan.txt","destinationKey":"org-b/gift.txt"}`, b.bucket)), 403,
			"Unauthorized")
	}
	// Seen, and not the member's to delete.
	b.wantError(b.call("DELETE", b.at("org-a/kept.txt"), ada, ""), 404, "not_found")
	b.wantText(b.call("GET", b.at("org-a/kept.txt"), ada, ""), "kept")
	b.wantText(b.call("GET", b.at("org-a/plan.txt"), ada, ""), "secret of A")
	if n := b.kept(); n != 2 {
		t.Errorf("%d files, want 2: refused uploads left bytes", n)
	}
}

func TestWhoMayOnlyAddGetsNoMore(t *testing.T) {
	b := newBench(t, ``)
	decode[map[string]string](t, b.call("POST", b.at("inbox/x"), anon, "first"))
	b.wantError(b.call("POST", b.at("inbox/x"), anon, "second"), 409, "Duplicate")
	b.wantError(b.call("POST", b.at("inbox/x"), anon, "second", "X-Upsert", "true"), 403, "Unauthorized")
	b.wantError(b.call("GET", b.at("inbox/x"), anon, ""), 404, "not_found")
	b.wantText(b.call("GET", b.at("inbox/x"), service, ""), "first")
}

func TestPublicBucket(t *testing.T) {
	b := newBench(t, `,"public":true`)
	b.put("org-a/logo.png", "logo")
	public := "/object/public/" + b.bucket + "/org-a/logo.png"
	b.wantText(b.call("GET", public, nobody, ""), "logo")
	b.wantText(b.call("GET", b.at("org-a/logo.png"), anon, ""), "logo")
	if info := b.call("GET", "/object/info/public/"+b.bucket+"/org-a/logo.png", nobody, ""); info.status != 200 {
		t.Errorf("info: %s", info.raw)
	}
	// Reading is open, the rest is not.
	b.wantError(b.call("POST", b.at("org-a/other.png"), anon, "x"), 403, "Unauthorized")
	b.wantError(b.call("GET", "/object/public/"+b.bucket+"/none", nobody, ""), 404, "not_found")
	decode[map[string]string](t, b.call("PUT", "/bucket/"+b.bucket, service, `{"public":false}`))
	b.wantError(b.call("GET", public, nobody, ""), 404, "Bucket not found")
}

func TestList(t *testing.T) {
	b := newBench(t, ``)
	for _, name := range []string{"a.txt", "B.txt", "docs/1.txt", "docs/2.txt", "docs/old/3.txt", "docs/Old/4.txt",
		"photos/p.png", "x_y", "x-y"} {
		b.put(name, name)
		b.pass(time.Minute)
	}
	tests := map[string]struct{ body, want string }{
		"the root, objects and folders by name": {`{"prefix":""}`, "a.txt B.txt docs/ photos/ x-y x_y"},
		"a folder":                              {`{"prefix":"docs"}`, "1.txt 2.txt Old/"},
		"a folder with its slash":               {`{"prefix":"docs/"}`, "1.txt 2.txt Old/"},
		"backwards": {`{"prefix":"","sortBy":{"column":"name","order":"desc"}}`,
			"x_y x-y photos/ docs/ B.txt a.txt"},
		"by time, folders first": {`{"prefix":"","sortBy":{"column":"created_at","order":"desc"}}`,
			"photos/ docs/ x-y x_y B.txt a.txt"},
		"a page":                      {`{"prefix":"","limit":2,"offset":1}`, "B.txt docs/"},
		"a search, whatever the case": {`{"prefix":"","search":"b"}`, "B.txt"},
		"a search in a folder":        {`{"prefix":"docs","search":"old"}`, "Old/"},
		"no wildcard":                 {`{"prefix":"","search":"x%"}`, ""},
		"no wildcard for one letter":  {`{"prefix":"","search":"x_"}`, "x_y"},
		"an unknown column is the name": {`{"prefix":"","limit":1,"sortBy":{"column":"id;` +
			` drop table storage.objects"}}`, "a.txt"},
		"nothing": {`{"prefix":"none"}`, ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, e := range decode[[]struct {
				Name     string
				ID       *string
				Metadata map[string]any
			}](t, b.call("POST", "/object/list/"+b.bucket, service, tc.body)) {
				if e.ID == nil {
					e.Name += "/"
				} else if e.Metadata["mimetype"] != "text/plain" || e.Metadata["size"] == nil {
					t.Errorf("%s has the metadata %v", e.Name, e.Metadata)
				}
				got = append(got, e.Name)
			}
			if strings.Join(got, " ") != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
	b.wantError(b.call("POST", "/object/list/"+b.bucket, service, `{}`), 400, "Error")
	b.wantError(b.call("POST", "/object/list/"+b.bucket, service, `{"prefix":"","limit":0}`), 400, "Error")
	b.wantError(b.call("POST", "/object/list/"+b.bucket, service, `{"prefix":7}`), 400, "InvalidRequest")
}

func TestMoveAndCopy(t *testing.T) {
	b, other := newBench(t, ``), newBench(t, `,"file_size_limit":3`)
	b.put("a", "bytes")
	b.put("taken", "taken")
	ask := func(kind, from, to, bucket string, headers ...string) answer {
		return b.call("POST", "/object/"+kind, service, fmt.Sprintf(
			`{"bucketId":%q,"sourceKey":%q,"destinationKey":%q,"destinationBucket":%q}`, b.bucket, from, to, bucket),
			headers...)
	}
	moved := decode[map[string]string](t, ask("move", "a", "deep/b", ""))
	if moved["message"] != "Successfully moved" {
		t.Errorf("move: %v", moved)
	}
	b.wantError(b.call("GET", b.at("a"), service, ""), 404, "not_found")
	b.wantText(b.call("GET", b.at("deep/b"), service, ""), "bytes")

	copied := decode[map[string]string](t, ask("copy", "deep/b", "c", ""))
	if copied["Key"] != b.bucket+"/c" || copied["Id"] == moved["Id"] {
		t.Errorf("copy: %v", copied)
	}
	got := b.call("GET", b.at("c"), service, "")
	b.wantText(got, "bytes")
	if got.header.Get("Cache-Control") != "max-age=60" || got.header.Get("Content-Type") != "text/plain" {
		t.Errorf("a copy has %v", got.header)
	}
	// Each has bytes of its own.
	b.put("c", "new")
	b.wantText(b.call("GET", b.at("deep/b"), service, ""), "bytes")

	b.wantError(ask("move", "c", "taken", ""), 409, "Duplicate")
	b.wantError(ask("copy", "c", "taken", ""), 409, "Duplicate")
	decode[map[string]string](t, ask("copy", "c", "taken", "", "X-Upsert", "true"))
	b.wantText(b.call("GET", b.at("taken"), service, ""), "new")
	b.wantError(ask("move", "none", "x", ""), 404, "not_found")
	b.wantError(ask("copy", "none", "x", ""), 404, "not_found")
	b.wantError(ask("copy", "c", "x", "no-such-bucket"), 404, "Bucket not found")
	b.wantError(ask("copy", "deep/b", "x", other.bucket), 413, "Payload too large")
	decode[map[string]string](t, ask("move", "c", "c", other.bucket))
	b.wantText(b.call("GET", "/object/"+other.bucket+"/c", service, ""), "new")
	if n := b.kept(); n != 3 {
		t.Errorf("%d files for three objects", n)
	}
}

func TestDelete(t *testing.T) {
	b := newBench(t, ``)
	for _, name := range []string{"a", "b", "c/d"} {
		b.put(name, name)
	}
	if out := decode[map[string]string](t, b.call("DELETE", b.at("a"), service,
		"")); out["message"] != "Successfully deleted" {
		t.Errorf("delete: %v", out)
	}
	b.wantError(b.call("DELETE", b.at("a"), service, ""), 404, "not_found")
	gone := decode[[]struct{ Name string }](t, b.call("DELETE", "/object/"+b.bucket, service,
		`{"prefixes":["b","none","c","c/d"]}`))
	if len(gone) != 2 {
		t.Errorf("deleted %v", gone)
	}
	b.wantError(b.call("DELETE", "/object/"+b.bucket, service, `{"prefixes":[]}`), 400, "Error")
	b.wantError(b.call("DELETE", "/object/"+b.bucket, service, `{"prefixes":["\u0000"]}`), 400, "InvalidKey")
	if n := b.kept(); n != 0 {
		t.Errorf("%d files stayed", n)
	}
}

func TestSignedDownload(t *testing.T) {
	b := newBench(t, ``)
	ada := member("org-a")
	b.put("org-a/bill 1.txt", "bill")
	b.put("org-a/other.txt", "other")
	signed := decode[map[string]string](t, b.call("POST", "/object/sign/"+b.bucket+"/org-a/bill 1.txt", ada,
		`{"expiresIn":60}`))["signedURL"]
	path, query, _ := strings.Cut(signed, "?")
	if path != "/object/sign/"+b.bucket+"/org-a/bill 1.txt" || !strings.HasPrefix(query, "token=") {
		t.Fatalf("the address is %s", signed)
	}
	got := b.call("GET", signed+"&download=bill.txt", nobody, "")
	b.wantText(got, "bill")
	if got.header.Get("Expires") != "Sun, 01 Mar 2026 12:01:00 GMT" ||
		!strings.Contains(got.header.Get("Content-Disposition"), "bill.txt") {
		t.Errorf("headers: %v", got.header)
	}
	b.wantError(b.call("GET", "/object/sign/"+b.bucket+"/org-a/other.txt?"+query, nobody, ""), 400, "InvalidSignature")
	b.wantError(b.call("GET", path+"?token="+strings.TrimSuffix(query, query[len(query)-6:])[6:]+"AAAAAA", nobody, ""),
		400, "InvalidJWT")
	b.wantError(b.call("GET", path+"?token=x", nobody, ""), 400, "InvalidJWT")
	b.wantError(b.call("GET", path, nobody, ""), 400, "Error")
	// Signed for reading is not signed for writing.
	b.wantError(b.call("PUT", "/object/upload/sign/"+b.bucket+"/org-a/bill 1.txt?"+query, nobody, "forged"), 400,
		"InvalidSignature")
	none := "eyJhbGciOiJub25lIn0." + strings.Split(query, ".")[1] + "."
	b.wantError(b.call("GET", path+"?token="+none, nobody, ""), 400, "InvalidJWT")

	b.pass(59 * time.Second)
	b.wantText(b.call("GET", signed, nobody, ""), "bill")
	b.pass(time.Second)
	b.wantError(b.call("GET", signed, nobody, ""), 400, "InvalidJWT")

	many := decode[[]struct {
		Error, SignedURL *string
		Path             string
	}](t, b.call("POST", "/object/sign/"+b.bucket, ada,
		`{"expiresIn":60,"paths":["org-a/other.txt","org-b/x","../x"]}`))
	if len(many) != 3 || many[0].Error != nil || many[1].Error == nil || many[1].SignedURL != nil ||
		many[2].Error == nil {
		t.Fatalf("many: %+v", many)
	}
	b.wantText(b.call("GET", *many[0].SignedURL, nobody, ""), "other")
	for _, life := range []string{`0`, `-5`, `"x"`, `1e30`, `9999999999999`} {
		if out := b.call("POST", "/object/sign/"+b.bucket+"/org-a/other.txt", ada, `{"expiresIn":`+life+
			`}`); out.status != 400 {
			t.Errorf("a life of %s: %d %s", life, out.status, out.raw)
		}
	}
}

func TestSignedUpload(t *testing.T) {
	b := newBench(t, `,"file_size_limit":10`)
	ada := member("org-a")
	sign := func(name string, headers ...string) string {
		out := decode[map[string]string](t, b.call("POST", "/object/upload/sign/"+b.bucket+"/"+name, ada, `{}`,
			headers...))
		if want := "/object/upload/sign/" + b.bucket + "/" + name + "?token=" +
			url.QueryEscape(out["token"]); out["url"] != want {
			t.Errorf("the address is %s, want %s", out["url"], want)
		}
		return out["url"]
	}
	once := sign("org-a/new.txt")
	if b.kept() != 0 {
		t.Error("signing alone left bytes")
	}
	b.wantError(b.call("PUT", once, nobody, "far too long"), 413, "Payload too large")
	if out := decode[map[string]string](t, b.call("PUT", once, nobody, "new")); out["Key"] != b.bucket+
		"/org-a/new.txt" {
		t.Errorf("upload: %v", out)
	}
	b.wantText(b.call("GET", b.at("org-a/new.txt"), ada, ""), "new")
	b.wantError(b.call("PUT", once, nobody, "again", "X-Upsert", "true"), 409, "Duplicate")
	// The owner is who asked for the address.
	gone := decode[[]struct {
		OwnerID string `json:"owner_id"`
	}](t, b.call("DELETE", "/object/"+b.bucket, ada, `{"prefixes":["org-a/new.txt"]}`))
	if len(gone) != 1 || !strings.Contains(ada, gone[0].OwnerID) || gone[0].OwnerID == "" {
		t.Errorf("the owner is %v", gone)
	}

	often := sign("org-a/x.txt", "X-Upsert", "true")
	for _, text := range []string{"one", "two"} {
		decode[map[string]string](t, b.call("PUT", often, nobody, text))
		b.wantText(b.call("GET", b.at("org-a/x.txt"), ada, ""), text)
	}
	_, query, _ := strings.Cut(often, "?")
	b.wantError(b.call("PUT", "/object/upload/sign/"+b.bucket+"/org-b/x.txt?"+query, nobody, "x"), 400,
		"InvalidSignature")
	b.wantError(b.call("GET", "/object/sign/"+b.bucket+"/org-a/x.txt?"+query, nobody, ""), 400, "InvalidSignature")
	b.wantError(b.call("POST", "/object/upload/sign/"+b.bucket+"/org-a/x.txt", ada, `{}`), 409, "Duplicate")
	b.pass(2 * time.Hour)
	b.wantError(b.call("PUT", often, nobody, "late"), 400, "InvalidJWT")
}

func TestUnknownRoutes(t *testing.T) {
	b := newBench(t, ``)
	for _, route := range []string{"GET /", "GET /render/image/public/x/y", "PATCH /object/x/y", "POST /bucket/x/fill",
		"PUT /object/upload/x"} {
		method, path, _ := strings.Cut(route, " ")
		out := b.call(method, path, service, "")
		if out.status != 400 {
			t.Errorf("%s: %d %s", route, out.status, out.raw)
		}
	}
}
