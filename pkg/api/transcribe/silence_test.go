package transcribe_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/api/transcribe"
)

// S2-64: silence is no sentence. A recording in which there is nothing does not even
// reach the model.
func TestStillnessReachesNoModel(t *testing.T) {
	t.Parallel()
	p := says("Yes, please go ahead.")
	offset := wav(1, 0)
	for i := 44; i < len(offset); i += 2 {
		offset[i], offset[i+1] = 0x00, 0x10 // one eighth of the way up, as a cheap microphone rests
	}
	for name, file := range map[string][]byte{"digital silence": wav(1, 0), "hiss under -60 dB": wav(1, 0.0005),
		"an offset": offset} {
		got := open(t, p, "gpt-4o-mini-transcribe").form(t, "a.wav", file)
		v := got.as(t)
		if got.status != 200 || v["text"] != "" || v["silent"] != true || v["note"] != "The recording is silent." ||
			v["source"] != "speech" {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	if p.calls() != 0 {
		t.Errorf("the model was asked %d times", p.calls())
	}
	if got := open(t, p, "gpt-4o-mini-transcribe").form(t, "a.wav", wav(1, 0.01)); got.as(t)["silent"] != false ||
		p.calls() != 1 {
		t.Errorf("a quiet voice: %s", got.body)
	}
}

// S2-64: what a model makes up of noise is not passed on.
func TestWordsOutOfNothingAreNotBelieved(t *testing.T) {
	t.Parallel()
	for text, silent := range map[string]bool{
		"":                        true,
		" … ":                     true,
		"♪♪":                      true,
		"Thank you for watching!": true,
		"Thanks for watching.":    true,
		"you":                     true,
		"[Music]":                 true,
		"[BLANK_AUDIO]":           true,
		"ご視聴ありがとうございました":                                     true,
		"Sous-titres réalisés par la communauté d'Amara.org": true,
		strings.Repeat("I am sorry. ", 30):                   true,
		"Coco, Birch, spa, Mira":                             true, // the prompt
		"Yes.":                                               false,
		"Thank you.":                                         false,
		"No no no, not Coco!":                                false,
		"Book Coco for two nights, thank you for watching the calendar for me.": false,
		"हाँ, कर दीजिए":                                                         false,
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			got := open(t, says(text), "gpt-4o-mini-transcribe").form(t, "a.wav", wav(1, 0.2), "prompt",
				"Coco, Birch, spa, Mira")
			v := got.as(t)
			want := strings.TrimSpace(text)
			if silent {
				want = ""
			}
			if got.status != 200 || v["silent"] != silent || v["text"] != want || v["source"] != "speech" {
				t.Errorf("%d %s", got.status, got.body)
			}
		})
	}
}

// verbose is an answer of whisper with segments of two seconds: text, no_speech_prob, avg_logprob.
func verbose(segments ...[3]any) *provider {
	var list []map[string]any
	all := ""
	for i, s := range segments {
		list = append(list, map[string]any{"id": i, "start": 2 * i, "end": 2*i + 2, "text": s[0],
			"no_speech_prob": s[1], "avg_logprob": s[2]})
		all += s[0].(string)
	}
	raw, _ := json.Marshal(map[string]any{"task": "transcribe", "language": "english", "duration": 6, "text": all,
		"segments": list, "usage": map[string]any{"type": "duration", "seconds": 6}})
	return &provider{answers: []string{string(raw)}}
}

func TestPartsWithoutSpeechAreDropped(t *testing.T) {
	t.Parallel()
	p := verbose([3]any{" Is Coco free?", 0.02, -0.2}, [3]any{" Yes, delete it.", 0.8, -1.4},
		[3]any{" Tonight & <tomorrow>.", 0.7, -0.3})
	d := open(t, p, "whisper-1")
	v := d.form(t, "a.wav", wav(6, 0.3)).as(t)
	segments := []any{
		map[string]any{"start": 0.0, "end": 2.0, "text": "Is Coco free?"},
		map[string]any{"start": 4.0, "end": 6.0, "text": "Tonight & <tomorrow>."},
	}
	if v["text"] != "Is Coco free? Tonight & <tomorrow>." || v["language"] != "english" ||
		cmp.Diff(segments, v["segments"]) != "" {
		t.Errorf("%v", v)
	}
	// Six seconds at ten tokens each.
	if u := v["usage"].(map[string]any); u["input"] != 60.0 || u["calls"] != 1.0 {
		t.Errorf("the usage is %v", u)
	}
	if p.fields[0]["response_format"] != "verbose_json" || p.fields[0]["timestamp_granularities[]"] != "segment" ||
		p.fields[0]["stream"] != "" {
		t.Errorf("the model was asked %v", p.fields[0])
	}
	srt := d.form(t, "a.wav", wav(6, 0.3), "response_format", "srt")
	if srt.body != "1\n00:00:00,000 --> 00:00:02,000\nIs Coco free?\n\n2\n00:00:04,000 --> 00:00:06,000\nTonight & "+
		"<tomorrow>.\n\n" {
		t.Errorf("%q", srt.body)
	}
	vtt := d.form(t, "a.wav", wav(6, 0.3), "response_format", "vtt")
	if vtt.body != "WEBVTT\n\nNOTE source: speech\n\n00:00:00.000 --> 00:00:02.000\nIs Coco free?\n\n00:00:04.000 "+
		"--> 00:00:06.000\nTonight &amp; &lt;tomorrow&gt;.\n\n" ||
		vtt.head.Get("Content-Type") != "text/vtt; charset=utf-8" {
		t.Errorf("%q", vtt.body)
	}
	nobody := open(t, verbose([3]any{" Yes.", 0.95, -0.4}), "whisper-1").form(t, "a.wav", wav(2, 0.3))
	if v := nobody.as(t); v["text"] != "" || v["silent"] != true {
		t.Errorf("%s", nobody.body)
	}
}

func TestAModelWithoutTimesGivesOneCue(t *testing.T) {
	t.Parallel()
	d := open(t, says("First --> second\n\nline"), "gpt-4o-mini-transcribe")
	if got := d.form(t, "a.wav", wav(2.5, 0.3), "response_format",
		"srt"); got.body != "1\n00:00:00,000 --> 00:00:02,500\nFirst → second line\n\n" {
		t.Errorf("%q", got.body)
	}
	silent := d.form(t, "a.wav", wav(1, 0), "response_format", "srt")
	if silent.status != 200 || silent.body != "" || silent.head.Get("X-Transcript-Silent") != "true" {
		t.Errorf("silence: %d %q %v", silent.status, silent.body, silent.head)
	}
}

// events is a streamed answer of the provider.
func events(text string) *provider {
	var b strings.Builder
	for _, piece := range strings.SplitAfter(text, " ") {
		fmt.Fprintf(&b, "data: {\"type\":\"transcript.text.delta\",\"delta\":%q}\n\n", piece)
	}
	fmt.Fprintf(&b, "data: {\"type\":\"transcript.text.done\",\"text\":%q,\"usage\":{\"type\":\"tokens\","+
		"\"input_tokens\":30,\"output_tokens\":20,\"total_tokens\":50}}\n\ndata: [DONE]\n\n", text)
	return &provider{answers: []string{b.String()}}
}

// heard splits a stream into the names of its events, the text of all chunks,
// and the data of the last one.
func heard(t *testing.T, body string) (names []string, text string, last map[string]any) {
	t.Helper()
	for frame := range strings.SplitSeq(strings.TrimSpace(body), "\n\n") {
		_, rest, _ := strings.Cut(frame, "event: ")
		name, data, _ := strings.Cut(rest, "\ndata: ")
		last = map[string]any{}
		if err := json.Unmarshal([]byte(data), &last); err != nil {
			t.Fatalf("%q: %v", frame, err)
		}
		names = append(names, name)
		if name == "transcript_chunk" {
			text += last["text"].(string)
		}
	}
	return names, text, last
}

// S2-64: the stream of a transcript ends with one event that says all.
func TestATranscriptCanBeStreamed(t *testing.T) {
	t.Parallel()
	long := "We would like to book the cabin at the lake for three nights from the twentieth of January with breakfast"
	p := events(long)
	got := open(t, p, "gpt-4o-mini-transcribe").post(t, "", "audio/wav", bytes.NewReader(wav(8, 0.3)), "Accept",
		"text/event-stream")
	names, text, last := heard(t, got.body)
	if got.status != 200 || text != long || last["text"] != long || last["source"] != "speech" ||
		p.fields[0]["stream"] != "true" {
		t.Errorf("%d %s", got.status, got.body)
	}
	if len(names) < 5 || names[len(names)-1] != "complete" || strings.Count(strings.Join(names, " "),
		"complete") != 1 {
		t.Errorf("the events are %v", names)
	}

	// Words that are not believed are never shown.
	made := open(t, events("Thank you so much for watching"), "gpt-4o-mini-transcribe").post(t, "?stream=true",
		"audio/wav", bytes.NewReader(wav(8, 0.3)))
	if names, _, last := heard(t, made.body); strings.Join(names, " ") != "complete" || last["silent"] != true ||
		last["text"] != "" {
		t.Errorf("%s", made.body)
	}

	// A model without pieces gives one.
	whole := open(t, verbose([3]any{" Is Coco free?", 0.02, -0.2}), "whisper-1").post(t, "?stream=true", "audio/wav",
		bytes.NewReader(wav(2, 0.3)))
	if names, text, _ := heard(t, whole.body); strings.Join(names, " ") != "transcript_chunk complete" ||
		text != "Is Coco free?" {
		t.Errorf("%s", whole.body)
	}
}

func TestAFailingModelIsOneSentence(t *testing.T) {
	t.Parallel()
	cut := "data: {\"type\":\"transcript.text.delta\",\"delta\":\"Is\"}\n\n"
	for name, tc := range map[string]struct {
		answers []string
		states  []int
		status  int
		code    string
		calls   int
	}{
		"busy, then not": {[]string{`{"error":{"message":"slow down"}}`, `{"text":"Yes."}`}, []int{429, 0}, 200, "",
			2},
		"busy for ever": {[]string{`{"error":{"message":"slow down"}}`}, []int{429}, 429, "rate_limited", 3},
		"cannot decode it": {[]string{`{"error":{"message":"Audio file might be corrupted or unsupported",` +
			`"code":"invalid_value"}}`}, []int{400}, 422, "audio_unheard", 1},
		"too large for it": {[]string{`{"error":{"message":"too big"}}`}, []int{413}, 413, "too_large", 1},
		"it broke":         {[]string{`oops at /srv/app.py line 3`}, []int{500}, 502, "upstream", 1},
		"no text":          {[]string{`{}`}, nil, 502, "upstream", 1},
		"no json":          {[]string{`<html>`}, nil, 502, "upstream", 1},
		"no such model": {[]string{`{"error":{"message":"no such model","code":"model_not_found"}}`}, []int{404},
			503, "model_unavailable", 1},
		"a stream cut off": {[]string{cut}, nil, 502, "upstream", 1},
		"a stream of fault": {[]string{"data: {\"error\":{\"message\":\"no\",\"code\":\"server_error\"}}\n\n"}, nil,
			502, "upstream", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &provider{answers: tc.answers, status: tc.states}
			got := open(t, p, "gpt-4o-mini-transcribe", func(*transcribe.Config) {}).form(t, "a.wav", wav(1, 0.3))
			v := got.as(t)
			if got.status != tc.status || p.calls() != tc.calls || tc.code != "" && v["code"] != tc.code ||
				strings.Contains(got.body, "app.py") {
				t.Errorf("%d %s after %d calls", got.status, got.body, p.calls())
			}
		})
	}
	p := &provider{answers: []string{cut}}
	got := open(t, p, "gpt-4o-mini-transcribe").post(t, "?stream=true", "audio/wav", bytes.NewReader(wav(1, 0.3)))
	names, text, _ := heard(t, got.body)
	if strings.Join(names, " ") != "error" || text != "" {
		t.Errorf("a stream cut off is told as %s", got.body)
	}
}
