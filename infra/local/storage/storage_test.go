package storage_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/bellhop-ai/bellhop/infra/local/postgres"
	"github.com/bellhop-ai/bellhop/infra/local/storage"
)

// database is shared: tests keep apart by their buckets.
var database *postgres.Server

// policies let members work in the folder named like their organisation.
const policies = `
create function public.my_org() returns text language sql stable as $$ select auth.jwt() -> 'app_metadata' ->>
	'org_id' $$;
create policy members_read on storage.objects for select to authenticated using ((storage.foldername(name))[1] =
	public.my_org());
create policy members_add on storage.objects for insert to authenticated with check ((storage.foldername(name))[1] =
	public.my_org());
create policy members_change on storage.objects for update to authenticated using ((storage.foldername(name))[1] =
	public.my_org());
create policy members_remove on storage.objects for delete to authenticated
  using ((storage.foldername(name))[1] = public.my_org() and storage.filename(name) <> 'kept.txt');
create policy drop_box on storage.objects for insert to anon with check ((storage.foldername(name))[1] = 'inbox');`

func TestMain(m *testing.M) {
	os.Exit(func() int {
		ctx := context.Background()
		var err error
		database, err = postgres.Start(ctx, postgres.Config{})
		if err == nil {
			defer database.Stop()
			err = database.Bootstrap(ctx, "postgres")
		}
		if err == nil {
			err = prepare(ctx)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "start the database:", err)
			return 1
		}
		return m.Run()
	}())
}

func prepare(ctx context.Context) error {
	pool, err := pgxpool.New(ctx, database.ConnString("postgres", "postgres"))
	if err != nil {
		return err
	}
	defer pool.Close()
	// As a migration writes them: by the role that runs migrations.
	_, err = pool.Exec(ctx, policies)
	return err
}

// Tokens of this bench are claims as JSON.
const (
	service = `{"role":"service_role"}`
	anon    = `{"role":"anon"}`
	nobody  = ``
)

func member(org string) string {
	return fmt.Sprintf(`{"role":"authenticated","sub":"%s","app_metadata":{"org_id":%q}}`,
		uuid.NewSHA1(uuid.Nil, []byte(org)), org)
}

// bench is a storage server with a bucket of its own and a clock that the test
// moves.
type bench struct {
	t      *testing.T
	server *storage.Server
	pool   *pgxpool.Pool
	dir    string
	bucket string
	mu     sync.Mutex
	time   time.Time
}

func newBench(t *testing.T, options string) *bench {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), database.ConnString("postgres", "authenticator"))
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, pool: pool, dir: t.TempDir(), bucket: "b-" + uuid.NewString(), time: time.Date(2026, 3, 1, 12, 0,
		0, 0, time.UTC)}
	b.start()
	t.Cleanup(func() { _ = b.server.Close(); pool.Close() })
	if out := b.call("POST", "/bucket", service, fmt.Sprintf(`{"name":%q%s}`, b.bucket, options)); out.status != 200 {
		t.Fatalf("make a bucket: %s", out.raw)
	}
	return b
}

// start makes a server on the folder, as after a restart.
func (b *bench) start() {
	b.t.Helper()
	verify := func(token string) (claims map[string]any, err error) {
		if json.Unmarshal([]byte(token), &claims) != nil {
			return nil, errors.New("no token of ours")
		}
		return claims, nil
	}
	var err error
	b.server, err = storage.New(b.t.Context(), storage.Config{Pool: b.pool, Dir: b.dir, Verify: verify, Now: b.now,
		MaxBytes: 1 << 20})
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) now() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.time
}

func (b *bench) pass(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.time = b.time.Add(d)
}

type answer struct {
	status int
	header http.Header
	raw    string
}

func (b *bench) call(method, path, token, body string, headers ...string) answer {
	b.t.Helper()
	return b.send(method, path, token, strings.NewReader(body), headers...)
}

func (b *bench) send(method, path, token string, body io.Reader, headers ...string) answer {
	b.t.Helper()
	r := httptest.NewRequestWithContext(b.t.Context(), method, "/x", body)
	raw, query, _ := strings.Cut(path, "?")
	r.URL.Path, r.URL.RawQuery = raw, query
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	b.server.ServeHTTP(w, r)
	return answer{w.Code, w.Header(), w.Body.String()}
}

// at is the path of an object of the bench's bucket.
func (b *bench) at(name string) string { return "/object/" + b.bucket + "/" + name }

// put uploads a text as service_role.
func (b *bench) put(name, text string) {
	b.t.Helper()
	out := b.call("POST", b.at(name), service, text, "Content-Type", "text/plain", "X-Upsert", "true", "Cache-Control",
		"max-age=60")
	if out.status != 200 {
		b.t.Fatalf("upload %s: %s", name, out.raw)
	}
}

func (b *bench) wantText(out answer, want string) {
	b.t.Helper()
	if out.status != 200 || out.raw != want {
		b.t.Errorf("got %d %s, want %q", out.status, out.raw, want)
	}
}

// wantError checks the body's statusCode and error; HTTP says 400.
func (b *bench) wantError(out answer, status int, kind string) {
	b.t.Helper()
	var e struct{ StatusCode, Error, Message string }
	if err := json.Unmarshal([]byte(out.raw), &e); err != nil || out.status != 400 ||
		e.StatusCode != fmt.Sprint(status) || e.Error != kind || e.Message == "" {
		b.t.Errorf("got %d %s, want %d %s", out.status, out.raw, status, kind)
	}
}

func decode[T any](t *testing.T, out answer) (v T) {
	t.Helper()
	if out.status != 200 {
		t.Fatalf("%d %s", out.status, out.raw)
	}
	if err := json.Unmarshal([]byte(out.raw), &v); err != nil {
		t.Fatalf("%s: %v", out.raw, err)
	}
	return v
}

// kept counts the files in the folder.
func (b *bench) kept() int {
	b.t.Helper()
	entries, err := os.ReadDir(filepath.Join(b.dir, "objects"))
	if err != nil {
		b.t.Fatal(err)
	}
	return len(entries)
}

func TestUploadAndDownload(t *testing.T) {
	b := newBench(t, ``)
	out := decode[map[string]string](t, b.call("POST", b.at("a/hello world.txt"), service, "hello",
		"Content-Type", "text/plain;charset=UTF-8", "Cache-Control", "max-age=3600", "X-Metadata",
		"eyJndWVzdCI6Ik1pcmEifQ=="))
	if out["Key"] != b.bucket+"/a/hello world.txt" || uuid.Validate(out["Id"]) != nil {
		t.Errorf("the upload answered %v", out)
	}
	for _, path := range []string{b.at("a/hello world.txt"), "/object/authenticated/" + b.bucket +
		"/a/hello world.txt"} {
		got := b.call("GET", path, service, "")
		b.wantText(got, "hello")
		for name, want := range map[string]string{
			"Content-Type": "text/plain;charset=UTF-8", "Cache-Control": "max-age=3600", "Content-Length": "5",
			"Etag": `"5d41402abc4b2a76b9719d911017c592"`, "Last-Modified": "Sun, 01 Mar 2026 12:00:00 GMT",
			"Accept-Ranges": "bytes",
		} {
			if got.header.Get(name) != want {
				t.Errorf("%s is %q, want %q", name, got.header.Get(name), want)
			}
		}
	}
	if head := b.call("HEAD", b.at("a/hello world.txt"), service, ""); head.status != 200 || head.raw != "" ||
		head.header.Get("Content-Length") != "5" {
		t.Errorf("HEAD: %d %v", head.status, head.header)
	}
	info := decode[map[string]any](t, b.call("GET", "/object/info/"+b.bucket+"/a/hello world.txt", service, ""))
	if info["size"] != 5.0 || info["content_type"] != "text/plain;charset=UTF-8" || info["id"] != out["Id"] ||
		info["metadata"].(map[string]any)["guest"] != "Mira" {
		t.Errorf("info: %v", info)
	}
	same := b.call("GET", b.at("a/hello world.txt"), service, "", "If-None-Match",
		`"5d41402abc4b2a76b9719d911017c592"`)
	if same.status != 304 || same.raw != "" {
		t.Errorf("what the client has came again: %d %s", same.status, same.raw)
	}
	b.wantError(b.call("GET", b.at("a/none.txt"), service, ""), 404, "not_found")
	b.wantError(b.call("GET", "/object/no-such-bucket/x", service, ""), 404, "Bucket not found")
	if missing := b.call("GET", b.at("a/none.txt"), service,
		""); missing.raw != `{"error":"not_found","message":"Object not found","statusCode":"404"}` {
		t.Errorf("the error reads %s", missing.raw)
	}
}

func TestExistingObjectIsReplacedOnRequestOnly(t *testing.T) {
	b := newBench(t, ``)
	first := decode[map[string]string](t, b.call("POST", b.at("x.txt"), service, "one"))
	b.wantError(b.call("POST", b.at("x.txt"), service, "two"), 409, "Duplicate")
	b.wantText(b.call("GET", b.at("x.txt"), service, ""), "one")
	second := decode[map[string]string](t, b.call("POST", b.at("x.txt"), service, "three", "X-Upsert", "true"))
	b.wantText(b.call("GET", b.at("x.txt"), service, ""), "three")
	decode[map[string]string](t, b.call("PUT", b.at("x.txt"), service, "four"))
	b.wantText(b.call("GET", b.at("x.txt"), service, ""), "four")
	if first["Id"] != second["Id"] {
		t.Error("a replaced object has another id")
	}
	if n := b.kept(); n != 1 {
		t.Errorf("%d files for one object", n)
	}
}

func TestFormUpload(t *testing.T) {
	form := func(parts ...string) (string, string) {
		return "multipart/form-data; boundary=cut", "--cut\r\n" + strings.Join(parts, "\r\n--cut\r\n") +
			"\r\n--cut--\r\n"
	}
	field := func(name, value string) string {
		return "Content-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value
	}
	const file = "Content-Disposition: form-data; name=\"\"; filename=\"blob\"\r\nContent-Type: image/png\r\n\r\n" +
		"pixels"
	t.Run("with fields before the file", func(t *testing.T) {
		b := newBench(t, ``)
		kind, body := form(field("cacheControl", "7200"), field("metadata", `{"room":"12"}`), file)
		decode[map[string]string](t, b.call("POST", b.at("p.png"), service, body, "Content-Type", kind))
		got := b.call("GET", b.at("p.png"), service, "")
		b.wantText(got, "pixels")
		if got.header.Get("Content-Type") != "image/png" || got.header.Get("Cache-Control") != "max-age=7200" {
			t.Errorf("headers: %v", got.header)
		}
		info := decode[map[string]any](t, b.call("GET", "/object/info/"+b.bucket+"/p.png", service, ""))
		if info["metadata"].(map[string]any)["room"] != "12" {
			t.Errorf("info: %v", info)
		}
	})
	t.Run("with fields after the file", func(t *testing.T) {
		b := newBench(t, ``)
		kind, body := form(file, field("cacheControl", "60\r\nX-Evil: 1"))
		decode[map[string]string](t, b.call("POST", b.at("p.png"), service, body, "Content-Type", kind))
		if got := b.call("GET", b.at("p.png"), service, ""); got.header.Get("Cache-Control") != "no-cache" ||
			got.header.Get("X-Evil") != "" {
			t.Errorf("headers: %v", got.header)
		}
	})
	for name, parts := range map[string][]string{
		"without a file":                {field("cacheControl", "1")},
		"with metadata that is no JSON": {file, field("metadata", "{")},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, ``)
			kind, body := form(parts...)
			if out := b.call("POST", b.at("p.png"), service, body, "Content-Type", kind); out.status != 400 {
				t.Errorf("%d %s", out.status, out.raw)
			}
			if b.kept() != 0 {
				t.Error("bytes of a refused upload stayed")
			}
		})
	}
}

func TestNamesThatCouldEscapeAreRefused(t *testing.T) {
	b := newBench(t, ``)
	b.put("safe.txt", "safe")
	long := strings.Repeat("x", 1025)
	for _, name := range []string{
		"..", "../x", "a/../x", "a/..", "./x", "a/./x", "a//x", "/x", "a/", "x\x00y", "x\ny", "x\x7fy", "x\\..\\y",
		`x"y`, "x%2e", "x<y", "über", "x\xff", long,
	} {
		for _, call := range []answer{
			b.call("POST", b.at(name), service, "bytes"),
			b.call("GET", b.at(name), service, ""),
			b.call("POST", "/object/sign/"+b.bucket+"/"+name, service, `{"expiresIn":60}`),
			b.call("POST", "/object/upload/sign/"+b.bucket+"/"+name, service, `{}`),
			b.call("DELETE", b.at(name), service, ""),
		} {
			b.wantError(call, 400, "InvalidKey")
		}
		for _, kind := range []string{"move", "copy"} {
			body, err := json.Marshal(map[string]string{"bucketId": b.bucket, "sourceKey": "safe.txt",
				"destinationKey": name})
			if err != nil {
				t.Fatal(err)
			}
			b.wantError(b.call("POST", "/object/"+kind, service, string(body)), 400, "InvalidKey")
		}
	}
	for _, bucket := range []string{"..", ".", "a\x00b", "a b\n", strings.Repeat("b", 101)} {
		b.wantError(b.call("POST", "/object/"+bucket+"/x", service, "bytes"), 400, "Invalid Input")
	}
	for _, name := range []string{"...", "..a", strings.Repeat("y", 1024), "it's (1) & $2 @ a=b;c:d+e,f!*.txt", "con",
		"-rf"} {
		b.put(name, name)
		b.wantText(b.call("GET", b.at(name), service, ""), name)
	}
	entries, err := os.ReadDir(filepath.Join(b.dir, "objects"))
	if err != nil || len(entries) != 7 {
		t.Fatalf("%d files, %v", len(entries), err)
	}
	for _, e := range entries {
		if uuid.Validate(e.Name()) != nil {
			t.Errorf("a file is named %q", e.Name())
		}
	}
}

func TestVersionOfARowNeverBecomesAPath(t *testing.T) {
	b := newBench(t, ``)
	b.put("x.txt", "x")
	conn, err := pgxpool.New(t.Context(), database.ConnString("postgres", "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Exec(t.Context(), `update storage.objects set version = '../signing-key' where bucket_id = $1`,
		b.bucket); err != nil {
		t.Fatal(err)
	}
	b.wantError(b.call("GET", b.at("x.txt"), service, ""), 404, "Not found")
}

func TestLimits(t *testing.T) {
	b := newBench(t, `,"file_size_limit":"1KB","allowed_mime_types":["image/*","text/plain"]`)
	kilobyte := strings.Repeat("x", 1000)
	decode[map[string]string](t, b.call("POST", b.at("full.txt"), service, kilobyte, "Content-Type",
		"text/plain;charset=UTF-8"))
	decode[map[string]string](t, b.call("POST", b.at("full.png"), service, "x", "Content-Type", "Image/PNG"))
	b.wantError(b.call("POST", b.at("more.txt"), service, kilobyte+"x", "Content-Type", "text/plain"), 413,
		"Payload too large")
	// Without a length it is the stream that is counted.
	b.wantError(b.send("POST", b.at("more.txt"), service, io.MultiReader(strings.NewReader(kilobyte),
		strings.NewReader("x")), "Content-Type", "text/plain"), 413, "Payload too large")
	for _, kind := range []string{"text/html", "application/pdf", "imagexpng", ""} {
		b.wantError(b.call("POST", b.at("other"), service, "x", "Content-Type", kind), 415, "invalid_mime_type")
	}
	if n := b.kept(); n != 2 {
		t.Errorf("%d files, want 2", n)
	}
	b.wantError(b.call("GET", b.at("more.txt"), service, ""), 404, "not_found")

	decode[map[string]string](t, b.call("PUT", "/bucket/"+b.bucket, service,
		`{"file_size_limit":null,"allowed_mime_types":null}`))
	decode[map[string]string](t, b.call("POST", b.at("more.pdf"), service, kilobyte+"x", "Content-Type",
		"application/pdf"))
	b.wantError(b.send("POST", b.at("most"), service, bytes.NewReader(make([]byte, 1<<20+1))), 413,
		"Payload too large")
	b.wantError(b.call("PUT", "/bucket/"+b.bucket, service, `{"file_size_limit":"2MB"}`), 413, "Payload too large")
}

func TestRange(t *testing.T) {
	b := newBench(t, ``)
	b.put("digits", "0123456789")
	b.put("empty", "")
	tests := map[string]struct {
		asked, got, says string
		status           int
	}{
		"the first bytes":          {"bytes=0-3", "0123", "bytes 0-3/10", 206},
		"from the middle":          {"bytes=7-", "789", "bytes 7-9/10", 206},
		"the last bytes":           {"bytes=-2", "89", "bytes 8-9/10", 206},
		"more than there are":      {"bytes=5-99", "56789", "bytes 5-9/10", 206},
		"more of the last ones":    {"bytes=-99", "0123456789", "bytes 0-9/10", 206},
		"several ranges":           {"bytes=0-1,4-5", "0123456789", "", 200},
		"backwards":                {"bytes=5-2", "0123456789", "", 200},
		"another unit":             {"rows=0-1", "0123456789", "", 200},
		"what cannot be read":      {"bytes=x-y", "0123456789", "", 200},
		"an end beyond any number": {"bytes=5-99999999999999999999", "0123456789", "", 200},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got := b.call("GET", b.at("digits"), service, "", "Range", tc.asked)
			if got.status != tc.status || got.raw != tc.got || got.header.Get("Content-Range") != tc.says {
				t.Errorf("%d %q %q", got.status, got.raw, got.header.Get("Content-Range"))
			}
		})
	}
	for _, outside := range []string{"bytes=10-", "bytes=99-100", "bytes=-0", "bytes=99999999999999999999-"} {
		b.wantError(b.call("GET", b.at("digits"), service, "", "Range", outside), 416, "InvalidRange")
	}
	b.wantError(b.call("GET", b.at("empty"), service, "", "Range", "bytes=0-"), 416, "InvalidRange")
}

func TestDownloadByName(t *testing.T) {
	b := newBench(t, `,"public":true`)
	b.put("x.html", "<script>")
	for query, want := range map[string]string{
		"download=":             "attachment;",
		"download=a%20b.txt":    "attachment; filename=a%20b.txt; filename*=UTF-8''a%20b.txt;",
		"download=a%0d%0aX:%22": "attachment; filename=a%0D%0AX%3A%22; filename*=UTF-8''a%0D%0AX%3A%22;",
	} {
		got := b.call("GET", "/object/public/"+b.bucket+"/x.html?"+query, nobody, "")
		b.wantText(got, "<script>")
		if got.header.Get("Content-Disposition") != want {
			t.Errorf("%s: %q", query, got.header.Get("Content-Disposition"))
		}
	}
	b.call("POST", b.at("page"), service, "<script>", "Content-Type", "text/html")
	if got := b.call("GET", "/object/public/"+b.bucket+"/page", nobody,
		""); got.header.Get("Content-Type") != "text/plain" {
		t.Errorf("a page would run: %v", got.header)
	}
}

func TestRowAndBytesStayTogether(t *testing.T) {
	b := newBench(t, ``)
	var wait sync.WaitGroup
	for i := range 12 {
		wait.Go(func() {
			text := strings.Repeat(fmt.Sprint(i%10), 2000)
			if out := b.call("POST", b.at("x"), service, text, "X-Upsert", "true"); out.status != 200 {
				t.Errorf("upsert: %s", out.raw)
			}
			got := b.call("GET", b.at("x"), service, "")
			if got.status != 200 || len(got.raw) != 2000 || strings.Trim(got.raw, got.raw[:1]) != "" {
				t.Errorf("a reader got %d and %d bytes", got.status, len(got.raw))
			}
		})
	}
	wait.Wait()
	if n := b.kept(); n != 1 {
		t.Errorf("%d files for one object", n)
	}

	created := make(chan int, 8)
	for range cap(created) {
		wait.Go(func() { created <- b.call("POST", b.at("once"), service, "x").status })
	}
	wait.Wait()
	close(created)
	won := 0
	for status := range created {
		if status == 200 {
			won++
		}
	}
	if won != 1 || b.kept() != 2 {
		t.Errorf("%d uploads made one object, %d files stayed", won, b.kept())
	}
}

// during is a body that does something before its last bytes.
type during func() error

func (do during) Read([]byte) (int, error) { return 0, do() }

func TestBytesWithoutARowAreRemoved(t *testing.T) {
	b := newBench(t, ``)
	t.Run("when another was faster", func(t *testing.T) {
		overtake := during(func() error {
			b.put("x", "winner")
			return io.EOF
		})
		b.wantError(b.send("POST", b.at("x"), service, io.MultiReader(strings.NewReader("loser"), overtake)), 409,
			"Duplicate")
		b.wantText(b.call("GET", b.at("x"), service, ""), "winner")
	})
	t.Run("when the client goes away", func(t *testing.T) {
		gone := during(func() error { return io.ErrUnexpectedEOF })
		out := b.send("POST", b.at("x"), service, io.MultiReader(strings.NewReader("half"), gone), "X-Upsert", "true")
		if out.status != 500 {
			t.Errorf("%d %s", out.status, out.raw)
		}
		b.wantText(b.call("GET", b.at("x"), service, ""), "winner")
	})
	t.Run("when the bucket goes away", func(t *testing.T) {
		away := during(func() error {
			decode[map[string]string](t, b.call("POST", "/bucket/"+b.bucket+"/empty", service, ""))
			decode[map[string]string](t, b.call("DELETE", "/bucket/"+b.bucket, service, ""))
			return io.EOF
		})
		b.wantError(b.send("POST", b.at("y"), service, io.MultiReader(strings.NewReader("late"), away)), 404,
			"InvalidRequest")
	})
	if n := b.kept(); n != 0 {
		t.Errorf("%d files without a row", n)
	}
}

func TestOrphansGoAtTheStart(t *testing.T) {
	b := newBench(t, ``)
	b.put("x", "mine")
	orphan := filepath.Join(b.dir, "objects", uuid.NewString())
	if err := os.WriteFile(orphan, []byte("lost"), 0o600); err != nil {
		t.Fatal(err)
	}
	signed := decode[map[string]string](t, b.call("POST", "/object/sign/"+b.bucket+"/x", service,
		`{"expiresIn":60}`))["signedURL"]
	if err := b.server.Close(); err != nil {
		t.Fatal(err)
	}
	b.start()
	if _, err := os.Stat(orphan); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("bytes that no row names stayed: %v", err)
	}
	b.wantText(b.call("GET", b.at("x"), service, ""), "mine")
	// The key outlives the restart, too.
	b.wantText(b.call("GET", signed, nobody, ""), "mine")
}

func TestTemporaryFolderGoesAtClose(t *testing.T) {
	b := newBench(t, ``)
	t.Setenv("TMPDIR", t.TempDir())
	s, err := storage.New(t.Context(), storage.Config{Pool: b.pool, Verify: func(string) (map[string]any,
		error) {
		return nil, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	count := func() int {
		entries, err := os.ReadDir(os.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	if count() != 1 {
		t.Errorf("%d folders while it runs", count())
	}
	if err := s.Close(); err != nil || count() != 0 {
		t.Errorf("%d folders stayed, %v", count(), err)
	}
}

func TestConfigIsChecked(t *testing.T) {
	b := newBench(t, ``)
	for name, cfg := range map[string]storage.Config{
		"no pool":   {Verify: func(string) (map[string]any, error) { return nil, nil }},
		"no verify": {Pool: b.pool},
	} {
		if _, err := storage.New(t.Context(), cfg); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
