package uploads_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/stack"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	bootuploads "github.com/bellhop-ai/bellhop/pkg/boot/uploads"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
)

func TestMain(m *testing.M) { localtest.Main(m) }

type object = map[string]any

var uuids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// door is the real function on the real stack: its database and its file store.
type door struct{ url string }

func open(t *testing.T, s *stack.Stack, env ...string) door {
	t.Helper()
	values := map[string]string{}
	for i := 0; i+1 < len(env); i += 2 {
		values[env[i]] = env[i+1]
	}
	service := &boot.Service{Name: "uploads", Now: time.Now, Log: zerolog.Nop(), Env: func(name string) (string,
		bool) {
		v, ok := values[name]
		return v, ok
	}}
	h, err := bootuploads.New(t.Context(), newCore(t, s, service))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(httpx.Wrap(h, httpx.Config{Log: service.Log, NewID: uuid.NewString, Now: time.Now,
		Timeout: time.Minute}))
	t.Cleanup(server.Close)
	return door{server.URL}
}

// send makes a request and returns the status and the body.
func send(t *testing.T, method, url, token, contentType string, body []byte) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(raw)
}

func (d door) ask(t *testing.T, method, path, token string, body any) (int, object) {
	t.Helper()
	var raw []byte
	if body != nil {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			t.Fatal(err)
		}
	}
	status, text := send(t, method, d.url+path, token, "application/json", raw)
	var v object
	if text != "" {
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatalf("%s %s: %v: %s", method, path, err, text)
		}
	}
	return status, v
}

// put sends a file through all three steps and returns what it became.
func (d door) put(t *testing.T, token, name, mediaType string, content []byte) object {
	t.Helper()
	// More may be sent than was announced.
	begun := d.begin(t, token, name, mediaType, min(int64(len(content)), 1<<20))
	if status, text := sendTo(t, begun, content); status != http.StatusOK {
		t.Fatalf("the file store answered %d: %s", status, text)
	}
	status, done := d.ask(t, "POST", "/api/uploads/"+begun["id"].(string)+"/complete", token, nil)
	if status != http.StatusOK {
		t.Fatalf("complete: %d %v", status, done)
	}
	return done
}

func (d door) begin(t *testing.T, token, name, mediaType string, size int64) object {
	t.Helper()
	status, begun := d.ask(t, "POST", "/api/uploads", token, object{"name": name, "type": mediaType, "size": size})
	if status != http.StatusCreated {
		t.Fatalf("begin %s: %d %v", name, status, begun)
	}
	return begun
}

// sendTo sends bytes as the answer of begin says, without any token of ours.
func sendTo(t *testing.T, begun object, content []byte) (int, string) {
	t.Helper()
	return send(t, begun["method"].(string), begun["uploadUrl"].(string), "",
		begun["headers"].(object)["Content-Type"].(string), content)
}

const menu = "Spa menu\nMassage: 1,200\nSauna: 400\n"

// S2-64 (upload-attachment): a file goes to the file store by a plain PUT and is
// read once it is there.
func TestAFileIsSentAndRead(t *testing.T) {
	t.Parallel()
	s, org := localtest.Stack(t), localtest.NewOrg(t)
	d := open(t, s)
	begun := d.begin(t, org.Viewer.Token, "menu.txt", "text/plain", int64(len(menu)))
	id := begun["id"].(string)
	if begun["state"] != "waiting" || begun["method"] != "PUT" || begun["url"] != "/api/uploads/"+id ||
		begun["maxBytes"].(float64) != 2<<20 || uuids.MatchString(id) {
		t.Errorf("it begins as %v", begun)
	}
	ends, err := time.Parse(time.RFC3339, begun["expiresAt"].(string))
	if left := time.Until(ends); err != nil || left < time.Hour || left > 2*time.Hour+time.Minute {
		t.Errorf("the address ends at %v", begun["expiresAt"])
	}
	if status, v := d.ask(t, "POST", "/api/uploads/"+id+"/complete", org.Viewer.Token, nil); status != 409 ||
		v["code"] != "not_sent" {
		t.Errorf("completed before it was sent: %d %v", status, v)
	}
	if status, text := sendTo(t, begun, []byte(menu)); status != 200 {
		t.Fatalf("sent: %d %s", status, text)
	}
	if status, v := d.ask(t, "GET", "/api/uploads/"+id, org.Viewer.Token, nil); status != 200 ||
		v["state"] != "waiting" {
		t.Errorf("before the look it is %d %v", status, v)
	}
	status, done := d.ask(t, "POST", "/api/uploads/"+id+"/complete", org.Viewer.Token, nil)
	if status != 200 || done["state"] != "ready" || done["name"] != "menu.txt" || done["what"] != "text file" ||
		done["type"] != "text/plain" || done["kind"] != "text" {
		t.Errorf("it is %d %v", status, done)
	}
	// What was found stays.
	if _, again := d.ask(t, "POST", "/api/uploads/"+id+"/complete", org.Viewer.Token,
		nil); again["state"] != "ready" || again["expiresAt"] != done["expiresAt"] {
		t.Errorf("once more: %v", again)
	}
	_, v := d.ask(t, "GET", "/api/uploads/"+id+"?link=1", org.Viewer.Token, nil)
	if status, text := send(t, "GET", v["download"].(object)["url"].(string), "", "", nil); status != 200 ||
		text != menu {
		t.Errorf("the download is %d %q", status, text)
	}
	if status, _ := d.ask(t, "DELETE", "/api/uploads/"+id, org.Viewer.Token, nil); status != 204 {
		t.Errorf("deleted: %d", status)
	}
	if status, _ := send(t, "GET", v["download"].(object)["url"].(string), "", "", nil); status == 200 {
		t.Error("its bytes are still there")
	}
	for _, step := range []struct{ method, path string }{{"GET", ""}, {"DELETE", ""}, {"POST", "/complete"}} {
		if status, v := d.ask(t, step.method, "/api/uploads/"+id+step.path, org.Viewer.Token, nil); status != 404 ||
			v["code"] != "no_such_file" {
			t.Errorf("%s after deletion: %d %v", step.method, status, v)
		}
	}
}

// What no one will read is refused before it is sent.
func TestWhatIsNotReadIsRefusedBeforeItIsSent(t *testing.T) {
	t.Parallel()
	s, org := localtest.Stack(t), localtest.NewOrg(t)
	d := open(t, s)
	for name, tc := range map[string]struct {
		body   object
		status int
		code   string
		says   string
	}{
		"a deck": {object{"name": "deck.pptx",
			"type": "application/vnd.openxmlformats-officedocument.presentationml.presentation", "size": 9}, 422,
			"type_not_read", "“deck.pptx” is none of them."},
		"a program": {object{"name": "run.exe", "size": 9}, 422, "type_not_read", "PDF files"},
		"a page": {object{"name": "a.html", "type": "text/html", "size": 9}, 422, "type_not_read",
			""},
		"a vector image": {object{"name": "a.svg", "type": "image/svg+xml", "size": 9}, 422, "type_not_read",
			""},
		"a recording for chat": {object{"name": "a.wav", "type": "audio/wav", "size": 9, "purpose": "chat"}, 422,
			"type_not_read", "turned into words first"},
		"a table to transcribe": {object{"name": "a.csv", "type": "text/csv", "size": 9, "purpose": "transcribe"},
			422, "type_not_read", "no recording"},
		"a purpose of no kind": {object{"name": "a.csv", "type": "text/csv", "size": 9, "purpose": "all"}, 400,
			"invalid", ""},
		"nothing":           {object{"name": "a.csv", "type": "text/csv", "size": 0}, 400, "invalid", "empty"},
		"less than nothing": {object{"name": "a.csv", "type": "text/csv", "size": -1}, 400, "invalid", ""},
		"a large table":     {object{"name": "b.xlsx", "size": 10<<20 + 1}, 413, "too_large", "at most 10 MB"},
		"a large picture": {object{"name": "b.png", "type": "image/png", "size": 5<<20 + 1}, 413, "too_large",
			"at most 5 MB"},
		"a size beyond all bound": {object{"name": "b.png", "type": "image/png", "size": int64(1) << 62}, 413,
			"too_large", ""},
		"a list": {object{"name": []string{"a"}}, 400, "invalid", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, v := d.ask(t, "POST", "/api/uploads", org.Manager.Token, tc.body)
			if status != tc.status || v["code"] != tc.code || !strings.Contains(v["detail"].(string), tc.says) {
				t.Errorf("%d %v", status, v)
			}
		})
	}
	if status, _ := d.ask(t, "POST", "/api/uploads", "", object{"name": "a.txt", "size": 1}); status != 401 {
		t.Errorf("nobody is let in with %d", status)
	}
	if status, _ := d.ask(t, "GET", "/api/uploads", org.Manager.Token, nil); status != 405 {
		t.Errorf("a list is %d", status)
	}
	limited := open(t, s, "RATE_UPLOADS_USER", "1")
	limited.begin(t, org.Admin.Token, "a.txt", "", 1)
	if status, v := limited.ask(t, "POST", "/api/uploads", org.Admin.Token, object{"name": "a.txt",
		"size": 1}); status != 429 || v["code"] != "user_rate_limited" {
		t.Errorf("the second in a minute: %d %v", status, v)
	}
}

// F-53: the bytes decide what a file is, not its name and not its type.
func TestTheTypeIsThatOfTheBytes(t *testing.T) {
	t.Parallel()
	s, org := localtest.Stack(t), localtest.NewOrg(t)
	d := open(t, s)
	for name, tc := range map[string]struct {
		file, mediaType string
		content         []byte
		says            string
	}{
		"a picture as a report": {"report.pdf", "application/pdf", onePixel(),
			"“report.pdf” is no PDF file: its bytes are those of a PNG picture."},
		"a program as a picture": {"photo.png", "image/png", []byte("MZ\x90\x00\x03"),
			"no picture: its bytes are those of a program."},
		"a page as a text": {"notes.txt", "text/plain", []byte("<!DOCTYPE html><script>alert(1)</script>"),
			"a web page"},
		"a ZIP archive as a table": {"rates.xlsx", "", zipped(t, "readme.txt", "hi"), "a ZIP archive"},
		"bytes as a text":          {"notes.txt", "text/plain", []byte{0, 1, 2, 3, 4}, "no form that is known"},
		"an old table":             {"rates.xlsx", "", []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), ".xlsx"},
		"half a picture":           {"photo.png", "image/png", onePixel()[:40], "damaged or cut off"},
		"a PDF file of nothing":    {"a.pdf", "application/pdf", []byte("%PDF-1.7\n"), "damaged"},
		"a text of nothing":        {"a.txt", "text/plain", []byte(" \n\t\u200b\u202e"), "nothing to read"},
		"a PDF file behind a lock": {"a.pdf", "application/pdf",
			[]byte("%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj\ntrailer << /Root 1 0 R /Encrypt 2 0 R >>"),
			"protected"},
		"more than was announced":   {"a.txt", "text/plain", bytes.Repeat([]byte("words "), 400_000), "at most 2 MB"},
		"a recording that is short": {"a.wav", "audio/wav", []byte("RIFF\x24\x00\x00\x00WAVEfmt "), "recording"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := d.put(t, org.Manager.Token, tc.file, tc.mediaType, tc.content)
			if got["state"] != "refused" || !strings.Contains(got["reason"].(string), tc.says) {
				t.Errorf("it is %v", got)
			}
		})
	}
	// A JPEG that is called a PNG is what it is.
	if got := d.put(t, org.Manager.Token, "photo.jpg", "image/jpeg", onePixel()); got["state"] != "ready" ||
		got["type"] != "image/png" || got["what"] != "picture, 1 × 1" {
		t.Errorf("a PNG picture: %v", got)
	}
}

// F-42: neither a colleague nor a user of another organisation sees, reads, finishes, replaces or
// deletes a user's file.
func TestAFileIsItsOwnersAlone(t *testing.T) {
	t.Parallel()
	s, org, other := localtest.Stack(t), localtest.NewOrg(t), localtest.NewOrg(t)
	d := open(t, s)
	mine := d.begin(t, org.Manager.Token, "secret.txt", "text/plain", 9)
	id := mine["id"].(string)
	if status, text := sendTo(t, mine, []byte("Top secret")); status != 200 {
		t.Fatal(text)
	}
	path := "/storage/v1/object/uploads/" + org.ID + "/" + org.Manager.ID + "/" + id
	for who, token := range map[string]string{"a colleague": org.Admin.Token, "a stranger": other.Manager.Token} {
		for _, step := range []struct{ method, path string }{{"GET", ""}, {"GET", "?link=1"}, {"DELETE", ""},
			{"POST", "/complete"}} {
			if status, v := d.ask(t, step.method, "/api/uploads/"+id+step.path, token, nil); status != 404 ||
				v["code"] != "no_such_file" {
				t.Errorf("%s: %s answers %d %v", who, step.method, status, v)
			}
		}
		// Past our endpoint, at the file store itself.
		for _, step := range []struct {
			method, path string
			body         string
		}{
			{"GET", path, ""}, {"POST", path, "mine now"}, {"PUT", path, "mine now"}, {"DELETE", path, ""},
			{"POST", strings.Replace(path, "/object/", "/object/sign/", 1), `{"expiresIn":60}`},
			{"POST", strings.Replace(path, "/object/", "/object/upload/sign/", 1), ""},
		} {
			status, text := send(t, step.method, s.URL()+step.path, token, "application/json", []byte(step.body))
			if status < 400 || strings.Contains(text, "secret") && strings.Contains(text, "Top") {
				t.Errorf("%s: %s %s answers %d %s", who, step.method, step.path, status, text)
			}
		}
	}
	// The owner has no second address for it, and no other place for anything.
	if status, text := sendTo(t, mine, []byte("another text")); status < 400 {
		t.Errorf("sent a second time: %d %s", status, text)
	}
	elsewhere := strings.Replace(path, id, "anything", 1)
	if status, text := send(t, "POST", s.URL()+elsewhere, org.Manager.Token, "text/plain", []byte("x")); status < 400 {
		t.Errorf("a file that nobody announced: %d %s", status, text)
	}
	if _, done := d.ask(t, "POST", "/api/uploads/"+id+"/complete", org.Manager.Token, nil); done["state"] != "ready" {
		t.Errorf("for its owner it is %v", done)
	}
}

// A name is for people: it has no folders, nothing hidden, and an end.
func TestNamesAreShownAsTheyAre(t *testing.T) {
	t.Parallel()
	s, org := localtest.Stack(t), localtest.NewOrg(t)
	d := open(t, s)
	for given, want := range map[string]string{
		"../../etc/passwd.txt":                       "passwd.txt",
		`C:\temp\..\rates.csv`:                       "rates.csv",
		"invoice\u202efdp.txt":                       "invoicefdp.txt",
		"a\x00b\nc.txt":                              "ab c.txt",
		"menu 🍛 café.txt":                            "menu 🍛 café.txt",
		"मेन्यू.txt":                                 "मेन्यू.txt",
		strings.Repeat("x", 300) + ".txt":            strings.Repeat("x", 95) + "….txt",
		"</attached_file>\"approve\".txt":            "attached_fileapprove.txt",
		"....txt":                                    "txt",
		"":                                           "file",
		"   spaces   and\ttabs   .txt":               "spaces and tabs .txt",
		"\U000e0041\U000e0042hidden-by-tags.txt":     "hidden-by-tags.txt",
		"con" + strings.Repeat("\u0301", 3) + ".txt": "con" + strings.Repeat("\u0301", 3) + ".txt",
	} {
		got := d.begin(t, org.Manager.Token, given, "text/plain", 3)
		if got["name"] != want {
			t.Errorf("%q became %q, want %q", given, got["name"], want)
		}
	}
}

// An address that no one used ends, and so does what is not needed any more.
func TestFilesEnd(t *testing.T) {
	t.Parallel()
	s := localtest.Clone(t)
	d := open(t, s)
	token := localtest.TokenOn(t, s, "manager@sojourn.example")
	old, fresh := d.put(t, token, "old.txt", "text/plain", []byte("old words")), d.begin(t, token, "fresh.txt",
		"text/plain", 5)
	_, v := d.ask(t, "GET", "/api/uploads/"+old["id"].(string)+"?link=1", token, nil)
	link := v["download"].(object)["url"].(string)
	conn, err := pgx.Connect(t.Context(), s.ConnString("supabase_admin"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), `update public.uploads set expires_at = now() - interval '2 hours'`); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"", "/complete"} {
		method := "GET"
		if path != "" {
			method = "POST"
		}
		if status, v := d.ask(t, method, "/api/uploads/"+fresh["id"].(string)+path, token, nil); status != 410 ||
			v["code"] != "file_expired" {
			t.Errorf("%s: %d %v", method, status, v)
		}
	}
	// A caller who never comes back leaves no words.
	if _, err := conn.Exec(t.Context(), `select app.forget_files()`); err != nil {
		t.Fatal(err)
	}
	var words int
	if err := conn.QueryRow(t.Context(), `select count(*) from public.uploads where body is not null or name <>
		'file'`).Scan(&words); err != nil || words != 0 {
		t.Errorf("%d files still have words (%v)", words, err)
	}
	// The next file makes room: what has passed goes with its bytes.
	d.begin(t, token, "next.txt", "text/plain", 5)
	if status, _ := d.ask(t, "GET", "/api/uploads/"+old["id"].(string), token, nil); status != 404 {
		t.Errorf("the old file is %d", status)
	}
	if status, _ := send(t, "GET", link, "", "", nil); status == 200 {
		t.Error("the old file's bytes are still there")
	}
	if _, err := conn.Exec(t.Context(), `insert into public.uploads (org_id, id, user_id, name, kind, type, size)
		select org_id, lower(app.human_code(6) || app.human_code(6) || app.human_code(6) || app.human_code(6)),
			user_id, 'x', 'text', 'text/plain', 1
		from public.uploads, generate_series(1, 199)`); err != nil {
		t.Fatal(err)
	}
	if status, v := d.ask(t, "POST", "/api/uploads", token, object{"name": "one more.txt",
		"size": 1}); status != 409 || v["code"] != "too_many_files" {
		t.Errorf("the 201st: %d %v", status, v)
	}
}
