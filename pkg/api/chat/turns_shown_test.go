package chat_test

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/infra/local/model/script"
)

// These are the only values that differ from run to run, since the tenant and
// the database's clock do: the token of a seal, when a question expires, the id
// of a conversation that is kept, and when a used-up budget is renewed.
var opaque = []struct {
	value *regexp.Regexp
	shown string
}{
	{regexp.MustCompile(`"seal":"[^"]+"`), `"seal":"(token)"`},
	{regexp.MustCompile(`"expiresAt":"[^"]+"`), `"expiresAt":"(time)"`},
	{regexp.MustCompile(`"conversation":\{"id":"[^"]+"`), `"conversation":{"id":"(id)"`},
}

var renewal = regexp.MustCompile(`"retryAfter":\d+`)

// unlike are headers that differ from run to run, or say what the body shows.
var unlike = []string{"Content-Length", "Date"}

// shownAnswer writes an answer down: status, headers, and the body as it came.
func shownAnswer(resp *http.Response, raw []byte) string {
	var b strings.Builder
	fmt.Fprintln(&b, resp.StatusCode)
	for _, name := range slices.Sorted(maps.Keys(resp.Header)) {
		if value := resp.Header.Get(name); !slices.Contains(unlike, name) {
			if name == "Retry-After" && strings.Contains(string(raw), "budget_exhausted") {
				value = "(seconds until it is renewed)"
			}
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	text := string(raw)
	if strings.Contains(text, "budget_exhausted") {
		text = renewal.ReplaceAllString(text, `"retryAfter":"(seconds)"`)
	}
	for _, o := range opaque {
		text = o.value.ReplaceAllString(text, o.shown)
	}
	b.WriteString("\n" + text)
	if !strings.HasSuffix(text, "\n") {
		b.WriteString("\n(no end of line)\n")
	}
	return b.String()
}

// shownRequests writes down what the model was sent: settings, the tools and
// the persona by their digests, and all that was said. A request that begins
// as the one before it is written from there on.
func shownRequests(list []script.Request) string {
	var b strings.Builder
	var before []string
	for i, r := range list {
		raw := decoded[struct {
			Tools    json.RawMessage
			Messages []struct{ Content json.RawMessage }
		}](r.Body)
		temperature := "none"
		if r.Temperature != nil {
			temperature = fmt.Sprint(*r.Temperature)
		}
		fmt.Fprintf(&b, "request %d: model %s, %d tokens at most, temperature %s, choice %q, %d tools %s\n",
			i+1, r.Model, r.MaxTokens, temperature, r.ToolChoice, len(r.Tools), digest(raw.Tools))
		lines := make([]string, len(r.Messages))
		for j, m := range r.Messages {
			lines[j] = shownMessage(m) + otherParts(raw.Messages[j].Content)
		}
		from := 0
		if n := len(before); n > 0 && n <= len(lines) && slices.Equal(before, lines[:n]) {
			fmt.Fprintf(&b, "  (%d messages as before)\n", n)
			from = n
		}
		for _, line := range lines[from:] {
			b.WriteString("  " + line + "\n")
		}
		before = lines
	}
	return cmp.Or(b.String(), "nothing")
}

func shownMessage(m script.Message) string {
	text := strings.ReplaceAll(m.Content, "\n", " ⏎ ")
	if m.Role == "system" {
		text = digest([]byte(m.Content))
	}
	text = m.Role + ": " + text
	for _, c := range m.ToolCalls {
		text += fmt.Sprintf(" [%s %s %s]", c.ID, c.Name, c.Arguments)
	}
	if m.ToolCallID != "" {
		text += " (" + m.ToolCallID + ")"
	}
	return text
}

// otherParts names the parts of a message that are no text, such as pictures.
func otherParts(content json.RawMessage) (names string) {
	for _, p := range decoded[[]struct{ Type string }](content) {
		if p.Type != "text" {
			names += " [" + p.Type + "]"
		}
	}
	return names
}

func digest(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:6])
}
