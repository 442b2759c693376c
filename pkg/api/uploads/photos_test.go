package uploads_test

import (
	"bytes"
	"fmt"
	"image/jpeg"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gen2brain/heic"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/localtest/photos"
	"github.com/bellhop-ai/bellhop/infra/local/stack"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	store "github.com/bellhop-ai/bellhop/pkg/supabase/uploads"
	"github.com/bellhop-ai/bellhop/pkg/uploads"
)

// photo announces and sends a photo, and returns what was begun.
func (d door) photo(t *testing.T, token, name, mediaType string, content []byte) object {
	t.Helper()
	status, begun := d.ask(t, "POST", "/api/uploads", token, object{"name": name, "type": mediaType,
		"size": max(1, len(content)), "purpose": "photo"})
	if status != http.StatusCreated {
		t.Fatalf("begin %s: %d %v", name, status, begun)
	}
	if status, text := sendTo(t, begun, content); status != http.StatusOK {
		t.Fatalf("the file store answered %d: %s", status, text)
	}
	return begun
}

func (d door) complete(t *testing.T, token string, begun object) object {
	t.Helper()
	status, done := d.ask(t, "POST", "/api/uploads/"+begun["id"].(string)+"/complete", token, nil)
	if status != http.StatusOK {
		t.Errorf("complete: %d %v", status, done)
	}
	return done
}

// kept returns the names of what the file store has of a file.
func kept(t *testing.T, id string) []string {
	t.Helper()
	var list []string
	for _, row := range localtest.SQL(t, `select name from storage.objects where bucket_id = 'uploads' and name
		like '%' || $1 || '%' order by name`, id) {
		list = append(list, strings.SplitN(row["name"].(string), "/", 3)[2])
	}
	return list
}

// A photo as a phone sends it becomes JPEG files of three widths that are upright and
// say nothing of the place, the phone and the time. The photo itself is not kept.
func TestAPhotoBecomesItsRenditions(t *testing.T) {
	t.Parallel()
	s, org := localtest.Stack(t), localtest.NewOrg(t)
	d := open(t, s)
	begun := d.photo(t, org.Manager.Token, "IMG_0412.jpeg", "image/jpeg", photos.JPEG(1, 1620, 1080, 6, true))
	id := begun["id"].(string)
	if begun["maxBytes"].(float64) != 15<<20 || begun["purpose"] != "photo" {
		t.Errorf("it begins as %v", begun)
	}
	done := d.complete(t, org.Manager.Token, begun)
	facts := done["facts"].(object)
	if done["state"] != "ready" || done["type"] != "image/jpeg" || facts["width"] != 1600.0 ||
		facts["height"] != 1067.0 || done["what"] != "picture, 1600 × 1067" {
		t.Errorf("it is %v", done)
	}
	var sizes []string
	for _, r := range facts["renditions"].([]any) {
		sizes = append(sizes, fmt.Sprintf("%v×%v", r.(object)["width"], r.(object)["height"]))
	}
	if got := strings.Join(sizes, " "); got != "480×320 960×640 1600×1067" {
		t.Errorf("the renditions are %s", got)
	}
	if got, want := kept(t, id), []string{id + "-1600.jpg", id + "-480.jpg", id + "-960.jpg"}; !slices.Equal(got,
		want) {
		t.Errorf("the file store has %v, want %v", got, want)
	}
	_, v := d.ask(t, "GET", "/api/uploads/"+id+"?link=1", org.Manager.Token, nil)
	link := v["download"].(object)["url"].(string)
	status, text := send(t, "GET", link, "", "", nil)
	m, err := jpeg.Decode(strings.NewReader(text))
	if status != 200 || err != nil || m.Bounds().Dx() != 1600 || float64(len(text)) != done["size"] {
		t.Errorf("the download is %d with %d bytes: %v", status, len(text), err)
	}
	if !strings.Contains(link, "IMG_0412.jpg") {
		t.Errorf("it is called otherwise: %s", link)
	}
	for _, word := range []string{"Exif", "GPS", photos.Camera, photos.Comment, photos.Creator} {
		if strings.Contains(text, word) {
			t.Errorf("%q is left", word)
		}
	}
	if again := d.complete(t, org.Manager.Token, begun); again["state"] != "ready" || again["size"] != done["size"] {
		t.Errorf("once more: %v", again)
	}
	if status, _ := d.ask(t, "DELETE", "/api/uploads/"+id, org.Manager.Token, nil); status != 204 {
		t.Errorf("deleted: %d", status)
	}
	if got := kept(t, id); len(got) > 0 {
		t.Errorf("after its deletion the file store has %v", got)
	}
}

// What no photo is made of is refused with a sentence: before it is sent where that
// can be told, or when it is looked at, and then its bytes go.
func TestPhotosThatAreRefused(t *testing.T) {
	t.Parallel()
	s, org := localtest.Stack(t), localtest.NewOrg(t)
	d := open(t, s)
	for name, tc := range map[string]struct {
		body   object
		status int
		says   string
	}{
		"a document":  {object{"name": "a.pdf", "type": "application/pdf", "size": 9}, 422, "JPEG, PNG, WebP or HEIC"},
		"a GIF":       {object{"name": "a.gif", "type": "image/gif", "size": 9}, 422, "JPEG, PNG, WebP or HEIC"},
		"a recording": {object{"name": "a.mp4", "type": "video/mp4", "size": 9}, 422, "JPEG, PNG, WebP or HEIC"},
		"no type":     {object{"name": "a.bin", "size": 9}, 422, "JPEG, PNG, WebP or HEIC"},
		"too large":   {object{"name": "a.jpg", "type": "image/jpeg", "size": 15<<20 + 1}, 413, "at most 15 MB"},
		"empty":       {object{"name": "a.jpg", "type": "image/jpeg", "size": 0}, 400, "empty"},
	} {
		tc.body["purpose"] = "photo"
		status, v := d.ask(t, "POST", "/api/uploads", org.Manager.Token, tc.body)
		if said, _ := v["detail"].(string); status != tc.status || !strings.Contains(said, tc.says) {
			t.Errorf("%s: %d %v", name, status, v)
		}
	}
	whole := photos.JPEG(2, 300, 200, 1, true)
	for name, tc := range map[string]struct {
		content []byte
		says    string
	}{
		"empty":   {nil, "“a.jpg” is empty."},
		"words":   {[]byte("<script>alert(1)</script>"), "The bytes of “a.jpg” are those of a web page."},
		"a PDF":   {[]byte("%PDF-1.7"), "those of a PDF file"},
		"an AVIF": {[]byte("\x00\x00\x00\x14ftypavif\x00\x00\x00\x00avif"), "those of an AVIF picture"},
		"cut off": {whole[:2000], "damaged or cut off"},
		"HEIC with nothing in": {[]byte("\x00\x00\x00\x14ftypheic\x00\x00\x00\x00heic"),
			"Please send it as a JPEG file."},
		"too large": {append(bytes.Clone(whole), make([]byte, 15<<20)...), "at most 15 MB"},
	} {
		begun := d.photo(t, org.Manager.Token, "a.jpg", "image/jpeg", tc.content[:min(len(tc.content), 1<<20)])
		if len(tc.content) > 1<<20 {
			_, begun = d.ask(t, "POST", "/api/uploads", org.Manager.Token, object{"name": "a.jpg",
				"type": "image/jpeg", "size": 9, "purpose": "photo"})
			sendTo(t, begun, tc.content)
		}
		done := d.complete(t, org.Manager.Token, begun)
		if said, _ := done["reason"].(string); done["state"] != "refused" || !strings.Contains(said, tc.says) {
			t.Errorf("%s: %v", name, done)
		}
		if got := kept(t, begun["id"].(string)); len(got) > 0 {
			t.Errorf("%s: the file store has %v", name, got)
		}
	}
	// Where they are files of a conversation HEIC pictures are no pictures.
	if done := d.put(t, org.Manager.Token, "a.jpg", "image/jpeg",
		[]byte("\x00\x00\x00\x14ftypheic\x00\x00\x00\x00heic")); done["state"] != "refused" ||
		!strings.Contains(done["reason"].(string), "send it as a JPEG file") {
		t.Errorf("for a conversation: %v", done)
	}
}

// Forty photos come at once, each picture twice, and some are completed by two requests
// at the same time: all of them are ready, whole, and apart.
func TestFortyPhotosAtOnce(t *testing.T) {
	t.Parallel()
	s, org := localtest.Stack(t), localtest.NewOrg(t)
	d := open(t, s)
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			content := photos.JPEG(uint64(i/2), 200, 150, 1+i/2%4, true) // by two the same picture
			begun := d.photo(t, org.Manager.Token, fmt.Sprintf("%d.jpg", i), "", content)
			var twice sync.WaitGroup
			for range 1 + i%5/4 {
				twice.Go(func() {
					if done := d.complete(t, org.Manager.Token, begun); done["state"] != "ready" {
						t.Errorf("photo %d: %v", i, done)
					}
				})
			}
			twice.Wait()
			id := begun["id"].(string)
			if got, want := kept(t, id), []string{id + "-200.jpg"}; !slices.Equal(got, want) {
				t.Errorf("photo %d: the file store has %v, want %v", i, got, want)
			}
		})
	}
	all.Wait()
}

// Where a look was cut off, or something else was put beside the photo, the renditions
// are those of the photo in the end.
func TestALookThatWasCutOff(t *testing.T) {
	t.Parallel()
	s, org := localtest.Stack(t), localtest.NewOrg(t)
	d := open(t, s)
	begun := d.photo(t, org.Manager.Token, "a.jpg", "image/jpeg", photos.JPEG(5, 500, 400, 1, true))
	id := begun["id"].(string)
	path := s.URL() + "/storage/v1/object/uploads/" + org.ID + "/" + org.Manager.ID + "/" + id + "-480.jpg"
	if status, text := send(t, "POST", path, org.Manager.Token, "image/jpeg", photos.JPEG(6, 500, 400, 1,
		true)); status != 200 {
		t.Fatalf("the owner may not put it there: %d %s", status, text)
	}
	done := d.complete(t, org.Manager.Token, begun)
	_, v := d.ask(t, "GET", "/api/uploads/"+id+"?link=1", org.Manager.Token, nil)
	_, text := send(t, "GET", v["download"].(object)["url"].(string), "", "", nil)
	if done["state"] != "ready" || strings.Contains(text, photos.Camera) || float64(len(text)) != done["size"] {
		t.Errorf("it is %v, and %d bytes are there", done, len(text))
	}
	// Another width, and anything once it is ready, is not taken.
	for name, at := range map[string]string{"another one": "-481.jpg", "no picture": "-480.html", "the photo": ""} {
		if status, _ := send(t, "POST", strings.TrimSuffix(path, "-480.jpg")+at, org.Manager.Token, "image/jpeg",
			[]byte("x")); status == 200 {
			t.Errorf("%s was taken after the photo was ready", name)
		}
	}
	chat := d.begin(t, org.Manager.Token, "a.txt", "text/plain", 5)
	if status, _ := send(t, "POST", strings.Replace(path, id, chat["id"].(string), 1), org.Manager.Token, "image/jpeg",
		[]byte("x")); status == 200 {
		t.Error("a rendition of a text was taken")
	}
}

// A photo that a project has stays: it does not expire, does not count, and its owner
// cannot remove it past the project.
func TestPhotosOfProjectsAreKept(t *testing.T) {
	t.Parallel()
	s := localtest.Clone(t)
	d := open(t, s)
	token := localtest.TokenOn(t, s, "manager@sojourn.example")
	begun := d.photo(t, token, "a.jpg", "image/jpeg", photos.JPEG(5, 500, 400, 1, true))
	loose := d.photo(t, token, "b.jpg", "image/jpeg", photos.JPEG(6, 500, 400, 1, true))
	late := d.photo(t, token, "c.jpg", "image/jpeg", photos.JPEG(7, 500, 400, 1, true))
	d.complete(t, token, begun)
	d.complete(t, token, loose)
	id := begun["id"].(string)
	localtest.SQLOn(t, s, `update public.uploads set kept = true where id in ($1, $2)`, id, late["id"])
	localtest.SQLOn(t, s, `update public.uploads set expires_at = now() - interval '2 hours'`)
	localtest.SQLOn(t, s, `select app.forget_files()`)
	status, v := d.ask(t, "GET", "/api/uploads/"+id+"?link=1", token, nil)
	if _, ends := v["expiresAt"]; status != 200 || v["state"] != "ready" || v["name"] != "a.jpg" || ends {
		t.Errorf("it is %d %v", status, v)
	}
	// One whose bytes did not come in time is not waited for any longer.
	if status, v := d.ask(t, "GET", "/api/uploads/"+late["id"].(string), token, nil); status != 410 {
		t.Errorf("the one that did not come is %d %v", status, v)
	}
	if status, v := d.ask(t, "DELETE", "/api/uploads/"+id, token, nil); status != 409 || v["code"] != "file_in_use" {
		t.Errorf("deleted: %d %v", status, v)
	}
	link := v["download"].(object)["url"].(string)
	path := strings.TrimPrefix(strings.SplitN(strings.SplitN(link, "?", 2)[0], "/object/sign/", 2)[1], "uploads/")
	_, _ = send(t, "DELETE", s.URL()+"/storage/v1/object/uploads/"+path, token, "", nil)
	if status, _ := send(t, "GET", link, "", "", nil); status != 200 {
		t.Error("its owner removed its bytes past the project")
	}
	// The next file makes room: what no project has goes, with all its renditions.
	d.begin(t, token, "next.txt", "text/plain", 5)
	var left []any
	for _, row := range localtest.SQLOn(t, s,
		`select split_part(name, '/', 3) as name from storage.objects where bucket_id = 'uploads' and name like
			'%.jpg' order by 1`) {
		left = append(left, row["name"])
	}
	if len(left) != 1 || left[0] != id+"-480.jpg" {
		t.Errorf("the file store has %v, want only the renditions of %s", left, id)
	}
	localtest.SQLOn(t, s, `update public.uploads set kept = true, purpose = 'photo'`)
	localtest.SQLOn(t, s, `insert into public.uploads (org_id, id, user_id, name, kind, type, size, purpose, kept)
		select org_id, lower(app.human_code(6) || app.human_code(6) || app.human_code(6) || app.human_code(6)),
			user_id, 'x', 'image', 'image/jpeg', 1, 'photo', true
		from public.uploads, generate_series(1, 199)`)
	d.begin(t, token, "one more.txt", "text/plain", 5)
}

// A model sees a photo at 960 pixels, and tools read the largest rendition.
func TestPhotosAreSeenSmall(t *testing.T) {
	t.Parallel()
	s, org := localtest.Stack(t), localtest.NewOrg(t)
	d := open(t, s)
	begun := d.photo(t, org.Manager.Token, "a.jpg", "image/jpeg", photos.JPEG(8, 1300, 300, 1, true))
	d.complete(t, org.Manager.Token, begun)
	service := &boot.Service{Name: "uploads", Now: time.Now, Log: zerolog.Nop(), Env: func(string) (string,
		bool) {
		return "", false
	}}
	c := newCore(t, s, service)
	by, err := c.Identify(t.Context(), org.Manager.Token)
	if err != nil {
		t.Fatal(err)
	}
	files := store.NewService(c.Client)
	seen, err := files.Attached(t.Context(), by, []uploads.Attached{{URL: begun["url"].(string)}}, true)
	if err != nil || len(seen) != 1 || seen[0].Note != "" {
		t.Fatalf("%+v %v", seen, err)
	}
	m, err := jpeg.DecodeConfig(bytes.NewReader(seen[0].Image))
	if err != nil || m.Width != 960 || seen[0].Picture.Facts.Width != 1300 {
		t.Errorf("it is seen %d wide, of %d (%v)", m.Width, seen[0].Picture.Facts.Width, err)
	}
	_, content, err := files.ReadFile(t.Context(), by, begun["id"].(string))
	if err != nil {
		t.Fatal(err)
	}
	if m, err := jpeg.DecodeConfig(bytes.NewReader(content)); err != nil || m.Width != 1300 {
		t.Errorf("it is read %d wide (%v)", m.Width, err)
	}
}

func newCore(t *testing.T, s *stack.Stack, service *boot.Service) *core.Core {
	t.Helper()
	service.SupabaseURL, service.PublishableKey, service.JWKS = s.URL(), s.Keys().Publishable, string(s.JWKS())
	service.ProofKeys = s.ProofKeys()
	c, err := core.New(service)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Browsers often know no type for the photos of iPhones: the name is enough, and the
// bytes decide.
func TestAPhotoOfAnIPhoneIsTaken(t *testing.T) {
	t.Parallel()
	s, org := localtest.Stack(t), localtest.NewOrg(t)
	d := open(t, s)
	for name, mediaType := range map[string]string{"IMG_1.HEIC": "", "IMG_2.heif": "image/heif",
		"IMG_3.jpg": "image/jpeg"} {
		begun := d.photo(t, org.Manager.Token, name, mediaType, photos.HEIC(3, 130, 70, 1))
		done := d.complete(t, org.Manager.Token, begun)
		if heic.Dynamic() == nil {
			if done["state"] != "refused" { // built without the tag nodynamic, where there is a libheif
				t.Errorf("%s: %v", name, done)
			}
			continue
		}
		if done["state"] != "ready" || done["type"] != "image/jpeg" || done["what"] != "picture, 130 × 70" {
			t.Errorf("%s: %v", name, done)
		}
		if got, want := kept(t, begun["id"].(string)), []string{begun["id"].(string) + "-130.jpg"}; !slices.Equal(got,
			want) {
			t.Errorf("%s: the file store has %v, want %v", name, got, want)
		}
	}
}
