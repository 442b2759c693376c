package transcribe_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/pkg/api/transcribe"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/openai"
)

// provider answers transcriptions with one text after the other, the last one
// for ever, and keeps what it was sent.
type provider struct {
	answers []string
	status  []int // of each, 0 = 200

	mu     sync.Mutex
	files  [][]byte
	names  []string
	fields []map[string]string
	length []int64
}

func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	form := multipart.NewReader(r.Body, params["boundary"])
	fields := map[string]string{"path": r.URL.Path}
	var file []byte
	var name string
	for {
		part, err := form.NextPart()
		if err != nil {
			break
		}
		value, _ := io.ReadAll(part)
		if part.FormName() == "file" {
			file, name = value, part.FileName()
			continue
		}
		fields[part.FormName()] = string(value)
	}
	p.mu.Lock()
	i := min(len(p.files), len(p.answers)-1)
	p.files, p.names, p.fields, p.length = append(p.files, file), append(p.names, name), append(p.fields, fields),
		append(p.length, r.ContentLength)
	p.mu.Unlock()
	kind := "application/json"
	if strings.HasPrefix(p.answers[i], "data:") {
		kind = "text/event-stream"
	}
	w.Header().Set("Content-Type", kind)
	if i < len(p.status) && p.status[i] != 0 {
		w.WriteHeader(p.status[i])
	}
	_, _ = io.WriteString(w, p.answers[i])
}

func (p *provider) calls() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.files)
}

// says is a provider that writes down one text.
func says(text string) *provider {
	raw, _ := json.Marshal(map[string]any{"text": text, "usage": map[string]any{"type": "tokens", "input_tokens": 20,
		"output_tokens": 8, "total_tokens": 28}})
	return &provider{answers: []string{string(raw)}}
}

type door struct{ url string }

// open serves the endpoint with a model of that name at the provider. A caller who has
// the token "asha" is signed in, in an organisation with a budget.
func open(t *testing.T, p http.Handler, model string, change ...func(*transcribe.Config)) door {
	t.Helper()
	upstream := httptest.NewServer(p)
	t.Cleanup(upstream.Close)
	client, err := openai.New(openai.Config{BaseURL: upstream.URL + "/v1", Model: model,
		Wait: func(context.Context, time.Duration) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	cfg := transcribe.Config{Speech: client, NewID: uuid.NewString, Meter: limit.Meter{Model: model},
		Identify: func(_ context.Context, token string) (identity.Caller, error) {
			if token != "asha" {
				return identity.Caller{}, fault.New(fault.Unauthorized, "Please sign in.")
			}
			return identity.Caller{UserID: "u", Plan: identity.Plan{Budgeted: true}}, nil
		}}
	for _, c := range change {
		c(&cfg)
	}
	h, err := transcribe.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(httpx.Wrap(h, httpx.Config{Log: zerolog.Nop(), NewID: uuid.NewString, Now: time.Now,
		Timeout: time.Minute}))
	t.Cleanup(server.Close)
	return door{server.URL}
}

type reply struct {
	status int
	head   http.Header
	body   string
}

// as reads the body as JSON.
func (r reply) as(t *testing.T) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(r.body), &v); err != nil {
		t.Fatalf("%d %q: %v", r.status, r.body, err)
	}
	return v
}

func (d door) post(t *testing.T, query, kind string, body io.Reader, header ...string) reply {
	t.Helper()
	return d.send(t, "/api/transcribe"+query, "asha", kind, body, header...)
}

// send posts a body to an address with a bearer.
func (d door) send(t *testing.T, path, bearer, kind string, body io.Reader, header ...string) reply {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, d.url+path, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", kind)
	r.Header.Set("Authorization", "Bearer "+bearer)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{res.StatusCode, res.Header, string(raw)}
}

// form sends a recording under a name with fields beside it.
func (d door) form(t *testing.T, name string, file []byte, fields ...string) reply {
	t.Helper()
	return d.formTo(t, "/api/transcribe", "asha", name, file, fields...)
}

func (d door) formTo(t *testing.T, path, bearer, name string, file []byte, fields ...string) reply {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for i := 0; i+1 < len(fields); i += 2 {
		_ = w.WriteField(fields[i], fields[i+1])
	}
	part, _ := w.CreateFormFile("file", name)
	_, _ = part.Write(file)
	_ = w.Close()
	return d.send(t, path, bearer, w.FormDataContentType(), &b)
}

// S2-64: the transcription function. The upload reaches the provider byte for
// byte, under a name that is true.
func TestWhatIsSaidIsWrittenDown(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		file    []byte
		called  string
		sent    string
		seconds float64
	}{
		"wav":             {wav(2, 0.3), "note.wav", "recording.wav", 2},
		"wav from a pipe": {wavOf(wav(1, 0.3)[44:], 0xFFFFFFFF), "note.wav", "recording.wav", 1},
		"wav by a lie":    {wav(1, 0.3), "note.exe", "recording.wav", 1},
		"flac":            {flac(48_000, 12), "note.flac", "recording.flac", 3.072},
		"mp3":             {mp3(50, 0), "note.mpga", "recording.mp3", 1.2},
		"mp3 with a tag": {append(be("ID3", []byte{4, 0, 0, 0, 0, 0, 5}, "title"), mp3(50, 49)...), "note.mp3",
			"recording.mp3", 1.2},
		"ogg":              {ogg(4, 4*48_000+312), "note.ogg", "recording.ogg", 4},
		"webm of a page":   {webm(2), "blob", "recording.webm", 19.06},
		"m4a":              {mp4(2500, 2500), "note.m4a", "recording.mp4", 2.5},
		"mp4 of a browser": {fragments(3), "note.mp4", "recording.mp4", 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := says(" Is Coco free tonight? ")
			got := open(t, p, "gpt-4o-mini-transcribe").form(t, tc.called, tc.file, "language", "en-IN", "prompt",
				"Coco", "model", "another")
			want := map[string]any{
				"text": "Is Coco free tonight?", "language": "en", "duration": tc.seconds, "source": "speech",
				"silent": false, "model": "gpt-4o-mini-transcribe",
				"usage": map[string]any{"input": 20.0, "output": 8.0, "total": 28.0, "cached": 0.0, "calls": 1.0},
			}
			if d := cmp.Diff(want, got.as(t)); got.status != 200 || d != "" {
				t.Fatalf("%d %s", got.status, d)
			}
			if p.calls() != 1 || !bytes.Equal(p.files[0], tc.file) || p.names[0] != tc.sent || p.length[0] <= 0 {
				t.Errorf("the provider got %d bytes as %q in a body of %d; sent were %d", len(p.files[0]), p.names[0],
					p.length[0], len(tc.file))
			}
			fields := map[string]string{"path": "/v1/audio/transcriptions", "model": "gpt-4o-mini-transcribe",
				"response_format": "json", "language": "en", "prompt": "Coco"}
			if d := cmp.Diff(fields, p.fields[0]); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestABodyMayBeTheRecording(t *testing.T) {
	t.Parallel()
	p, file := says("Good evening, is the pool open?"), wav(1, 0.3)
	got := open(t, p, "gpt-4o-mini-transcribe").post(t, "?language=hi&response_format=text", "audio/mpeg",
		bytes.NewReader(file),
		"Accept", "application/json, text/event-stream")
	if got.status != 200 || got.body != "Good evening, is the pool open?" ||
		got.head.Get("X-Transcript-Source") != "speech" {
		t.Errorf("%d %q %v", got.status, got.body, got.head)
	}
	if p.names[0] != "recording.wav" || p.fields[0]["language"] != "hi" || !bytes.Equal(p.files[0], file) {
		t.Errorf("the provider got %q, %v", p.names, p.fields)
	}
}

// F-53: audio that is cut off, lies about itself, or is none, is refused before
// anything is sent.
func TestNothingIsSentOfWhatIsNoRecording(t *testing.T) {
	t.Parallel()
	long := make([]byte, 601*32_000)
	whole := wav(1, 0.3)
	loud := func(b []byte) []byte { b = bytes.Clone(b); b[50], b[51] = 0xFF, 0x7F; return b }
	for name, tc := range map[string]struct {
		file   []byte
		status int
		code   string
	}{
		"nothing":                     {nil, 422, "audio_empty"},
		"a text":                      {[]byte("please transcribe this sentence"), 422, "audio_unknown"},
		"a picture":                   {[]byte("\x89PNG\r\n\x1a\n0000000000"), 422, "audio_unknown"},
		"over 25 MB":                  {make([]byte, 25<<20+1), 413, "too_large"},
		"601 seconds of wav":          {wavOf(long, uint32(len(long))), 413, "audio_too_long"},
		"a tap":                       {wav(0.05, 0.3), 422, "audio_too_short"},
		"wav without its second half": {whole[:len(whole)/2], 422, "audio_broken"},
		"wav without its head's half": {whole[:30], 422, "audio_broken"},
		"wav whose speed does not fit": {loud(append(append(bytes.Clone(whole[:28]), 0, 0, 0, 1), whole[32:]...)),
			422, "audio_broken"},
		"601 seconds of flac":        {flac(601*16_000, 2350), 413, "audio_too_long"},
		"flac that says one second":  {flac(16_000, 2350), 413, "audio_too_long"},
		"flac that tells nothing":    {flac(0, 2350), 413, "audio_too_long"},
		"flac without frames":        {flac(16_000, 0), 422, "audio_broken"},
		"flac that promises minutes": {flac(500*16_000, 10), 422, "audio_broken"},
		"half a flac":                {flac(100*16_000, 195), 422, "audio_broken"},
		"1,100 seconds of adpcm":     {adpcm(1100, 16_000), 413, "audio_too_long"},
		"wav with a compression": {append(le("RIFF", uint32(99), "WAVE", "fmt ", uint32(16), uint16(0x55),
			uint16(1), uint32(8000), uint32(1000), uint16(1), uint16(0), "data", uint32(999)), make([]byte, 999)...),
			422, "audio_unknown"},
		"wav of more than 4 GB": {append([]byte("RF64\xff\xff\xff\xffWAVEds64"), make([]byte, 99)...), 422,
			"audio_unknown"},
		"aac": {bytes.Repeat([]byte{0xFF, 0xF1, 0x50, 0x80, 0x01, 0x1F, 0xFC, 0x00}, 50),
			422, "audio_unknown"},
		"aac behind a tag": {append(be("ID3", []byte{4, 0, 0, 0, 0, 0, 5}, "title"),
			bytes.Repeat([]byte{0xFF, 0xF1, 0x50, 0x80, 0x01, 0x1F, 0xFC, 0x00}, 50)...), 422, "audio_unknown"},
		"caf": {append([]byte("caff\x00\x01\x00\x00desc"), make([]byte, 99)...), 422,
			"audio_unknown"},
		"aiff": {append([]byte("FORM\x00\x00\x00\x63AIFFCOMM"), make([]byte, 99)...), 422,
			"audio_unknown"},
		"601 seconds of mp3":              {mp3(25_042, 0), 413, "audio_too_long"},
		"mp3 that promises more":          {mp3(50, 400), 422, "audio_broken"},
		"mp3 and then something else":     {append(mp3(50, 0), make([]byte, 100_000)...), 422, "audio_broken"},
		"a tag alone":                     {be("ID3", []byte{4, 0, 0, 0, 0, 0, 5}, "title"), 422, "audio_broken"},
		"601 seconds of ogg":              {ogg(602, 602*48_000), 413, "audio_too_long"},
		"601 seconds before an early end": {ogg(602, 5000), 413, "audio_too_long"},
		"ogg that says a tenth": {append(oggPage(2, 0, le("\x01vorbis", uint32(0), byte(1), uint32(48_000))),
			bytes.Repeat(oggPage(0, 5000, make([]byte, 200)), 2000)...), 422, "audio_broken"},
		"2,360 seconds of joined ogg":      {bytes.Repeat(ogg(590, 590*48_000), 4), 413, "audio_too_long"},
		"ogg whose pages tell no time":     {opus(601, 48_000), 413, "audio_too_long"},
		"ogg of a thousand streams":        {manyStreams(), 422, "audio_broken"},
		"ogg cut in a page":                {ogg(4, 192_000)[:400], 422, "audio_broken"},
		"610 seconds of webm":              {webm(61), 413, "audio_too_long"},
		"webm of pictures alone":           {webmOf(1, "V_VP8", 2, 1), 422, "audio_unknown"},
		"webm whose blocks tell no time":   {webmOf(2, "A_OPUS", 1, 3005), 413, "audio_too_long"},
		"mp4 of pictures alone":            {mp4Of("vide", 2500, 2500), 422, "audio_unknown"},
		"mp4 whose samples take no time":   {aac(601 * 48_000 / 960), 413, "audio_too_long"},
		"pieces that are all at the start": {fragmentsAt(601, 0), 413, "audio_too_long"},
		"two files of mp4":                 {append(mp4(2500, 2500), mp4(2500, 2500)...), 422, "audio_broken"},
		"speex that says a second":         {speex(601), 413, "audio_too_long"},
		"flac in ogg that says a second":   {flacInOgg(2350), 413, "audio_too_long"},
		"ogg of pictures alone": {append(oggPage(2, 0, le("\x80theora", make([]byte, 40))),
			oggPage(0, 500, make([]byte, 200))...), 422, "audio_unknown"},
		"webm with too much for its time": {bigWebM(), 422, "audio_broken"},
		"601 seconds of joined mp3": {bytes.Repeat(append(be("ID3", []byte{4, 0, 0, 0, 0, 0, 0}), mp3(5009, 0)...), 5),
			413, "audio_too_long"},
		"webm cut in a block":       {webm(1)[:60], 422, "audio_broken"},
		"601 seconds of mp4":        {mp4(601_000, 601_000), 413, "audio_too_long"},
		"mp4 whose table says more": {mp4(1000, 601_000), 413, "audio_too_long"},
		"601 seconds of pieces":     {fragments(601), 413, "audio_too_long"},
		"mp4 without its end":       {mp4(1000, 1000)[:250], 422, "audio_broken"},
		"mp4 with a box of no size": {append(box("ftyp", []byte("M4A "), make([]byte, 4)),
			be(uint32(3), "moov")...), 422, "audio_broken"},
		"mp4 with a table of a thousand": {append(box("ftyp", []byte("M4A "), make([]byte, 4)),
			box("moov", box("trak", box("mdia",
				box("minf", box("stbl", box("stts", be(uint32(0), uint32(1<<31))))))))...), 422, "audio_broken"},
		"webm with an element of no size": {append(webm(0), 0xA3, 0x00), 422, "audio_broken"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := says("never")
			began := time.Now()
			got := open(t, p, "gpt-4o-mini-transcribe").form(t, "note.wav", tc.file)
			took := time.Since(began)
			v := got.as(t)
			if got.status != tc.status || v["code"] != tc.code || v["detail"] == "" {
				t.Errorf("%d %s", got.status, got.body)
			}
			if p.calls() != 0 {
				t.Error("it was sent")
			}
			if took > 5*time.Second {
				t.Errorf("the refusal took %s", took)
			}
		})
	}
}

func TestAFormMustBeWhole(t *testing.T) {
	t.Parallel()
	file := string(wav(1, 0.3))
	part := func(head, body string) string {
		return "--x\r\nContent-Disposition: form-data; " + head + "\r\n\r\n" + body + "\r\n"
	}
	recording := part(`name="file"; filename="a.wav"`, file)
	for name, tc := range map[string]struct {
		kind, body string
		status     int
		code       string
	}{
		"no type":     {"", file, 400, "invalid"},
		"json":        {"application/json", `{"file":"…"}`, 400, "invalid"},
		"no boundary": {"multipart/form-data", recording + "--x--\r\n", 400, "invalid"},
		"no end":      {"multipart/form-data; boundary=x", recording, 400, "invalid"},
		"no file": {"multipart/form-data; boundary=x", part(`name="language"`, "en") + "--x--\r\n", 400,
			"invalid"},
		"base64": {"multipart/form-data; boundary=x",
			part("name=\"file\"; filename=\"a.wav\"\r\nContent-Transfer-Encoding: base64", "UklGRg==") + "--x--\r\n",
			400, "invalid"},
		"two files": {"multipart/form-data; boundary=x", recording + recording + "--x--\r\n", 400, "invalid"},
		"a field twice": {"multipart/form-data; boundary=x", recording +
			strings.Repeat(part(`name="language"`, "en"), 2) + "--x--\r\n", 400, "invalid"},
		"many fields": {"multipart/form-data; boundary=x", strings.Join(manyParts(part), "") + recording +
			"--x--\r\n", 400, "invalid"},
		"a long prompt": {"multipart/form-data; boundary=x", part(`name="prompt"`, strings.Repeat("a", 2001)) +
			recording + "--x--\r\n", 400, "invalid"},
		"no such language": {"multipart/form-data; boundary=x", part(`name="language"`, "xx") + recording +
			"--x--\r\n", 400, "unknown_language"},
		"a language's name": {"multipart/form-data; boundary=x", part(`name="language"`, "english") + recording +
			"--x--\r\n", 400, "unknown_language"},
		"no such form": {"multipart/form-data; boundary=x", part(`name="response_format"`, "docx") + recording +
			"--x--\r\n", 400, "invalid"},
		"a stream of an srt": {"multipart/form-data; boundary=x", part(`name="response_format"`, "srt") +
			part(`name="stream"`, "true") + recording + "--x--\r\n", 400, "invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := says("never")
			got := open(t, p, "gpt-4o-mini-transcribe").post(t, "", tc.kind, strings.NewReader(tc.body))
			if v := got.as(t); got.status != tc.status || v["code"] != tc.code || p.calls() != 0 {
				t.Errorf("%d %s, %d calls", got.status, got.body, p.calls())
			}
		})
	}
}

func TestAFormMaySayMoreThanWeRead(t *testing.T) {
	t.Parallel()
	p, file := says("Is the spa open?"), wav(1, 0.3)
	body := "--x\r\nContent-Disposition: form-data; name=\"temperature\"\r\n\r\n0\r\n" +
		"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"../../a.wav\"\r\nContent-Type: " +
		"text/html\r\nContent-Transfer-Encoding: binary\r\n\r\n" + string(file) + "\r\n--x--\r\n"
	got := open(t, p, "gpt-4o-mini-transcribe").post(t, "", "multipart/form-data; boundary=x", strings.NewReader(body))
	if got.status != 200 || got.as(t)["text"] != "Is the spa open?" || !bytes.Equal(p.files[0], file) ||
		p.names[0] != "recording.wav" || p.fields[0]["temperature"] != "" {
		t.Errorf("%d %s; the provider got %q, %v", got.status, got.body, p.names, p.fields)
	}
}

func manyStreams() []byte {
	var out []byte
	for i := range 1000 {
		page := oggPage(2, 0, nil)
		page[14], page[15] = byte(i), byte(i>>8)
		out = append(out, page...)
	}
	return out
}

func manyParts(part func(head, body string) string) []string {
	var out []string
	for i := range 20 {
		out = append(out, part(`name="f`+string(rune('a'+i))+`"`, "v"))
	}
	return out
}

func TestOnlyWhoIsSignedInIsHeard(t *testing.T) {
	t.Parallel()
	p := says("never")
	d := open(t, p, "whisper-1")
	got := d.post(t, "", "audio/wav", bytes.NewReader(wav(1, 0.3)), "Authorization", "Bearer someone")
	if got.status != 401 || p.calls() != 0 {
		t.Errorf("%d %s", got.status, got.body)
	}
	res, err := http.Get(d.url + "/api/transcribe")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != 405 || res.Header.Get("Allow") == "" {
		t.Errorf("GET answers %d, Allow %q", res.StatusCode, res.Header.Get("Allow"))
	}
}

// ledger is a budget that keeps what was held and settled.
type ledger struct {
	mu    sync.Mutex
	lines []string
	full  bool
}

func (l *ledger) Reserve(_ context.Context, _ identity.Caller, e limit.Estimate,
	_ ...limit.Settlement) (limit.Hold, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.full {
		return "", fault.New(fault.Limited, "The budget is used up.").WithCode(llm.Exhausted)
	}
	raw, _ := json.Marshal([]any{"hold", e.Model, e.In, e.Out})
	l.lines = append(l.lines, string(raw))
	return "h", nil
}

func (l *ledger) Prolong(context.Context, identity.Caller, limit.Hold) error { return nil }

func (l *ledger) Settle(_ context.Context, _ identity.Caller, settle ...limit.Settlement) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range settle {
		raw, _ := json.Marshal([]any{"settle", s.Model, s.Used.In, s.Used.Out})
		l.lines = append(l.lines, string(raw))
	}
	return nil
}

func TestABudgetBoundsWhatIsWrittenDown(t *testing.T) {
	t.Parallel()
	book := &ledger{}
	p := says("Is Coco free tonight?")
	d := open(t, p, "gpt-4o-mini-transcribe", func(c *transcribe.Config) { c.Meter.Budget = book })
	if got := d.form(t, "a.wav", wav(2, 0.3)); got.status != 200 {
		t.Fatal(got.body)
	}
	// 2 seconds and one for rounding: 30 tokens in, 15 and a hundred out.
	if diff := cmp.Diff([]string{`["hold","gpt-4o-mini-transcribe",30,115]`,
		`["settle","gpt-4o-mini-transcribe",20,8]`}, book.lines); diff != "" {
		t.Error(diff)
	}
	book.full = true
	if got := d.form(t, "a.wav", wav(2, 0.3)); got.status != 429 || got.as(t)["code"] != "budget_exhausted" ||
		p.calls() != 1 {
		t.Errorf("%d %s, %d calls", got.status, got.body, p.calls())
	}
}
