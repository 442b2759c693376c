package tool

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/plaintext"
)

// Raw is how a foreign tool gets its arguments: canonical JSON of one object.
type Raw = json.RawMessage

// FromSchema makes a tool from the JSON Schema of a third party, such as an MCP
// server. Its declaration is untrusted: spec.Name may be any name (see
// ModelName), the description is cut to 1,000 characters and cleaned of
// invisible ones, and only the validation keywords of the schema are kept.
// References must stay within the schema, otherwise they are an error.
//
// The effect and the target are set by our code in spec.Effect and spec.Target,
// never by the third party. A nil spec.Untrusted means that the whole result is
// untrusted text; an empty list that is not nil means that none of it is. The
// preview shows each argument in a line, unless Previewed is given, which gets the
// arguments with ids in the place of handles.
//
// Ids in answers are replaced by handles of the conversation (see Handles), and
// handles in arguments by the ids: spec.IDs names the members that hold some,
// besides what looks like a UUID or a ULID.
//
// run gets the checked arguments of a tool that reads. What a third party writes
// is outside our transactions, so a tool that writes has no run but the option
// AtMostOnce; without it, it is an error. A json.RawMessage that either returns
// is encoded again, so that escapes hide nothing.
// An invalid declaration is an error.
func FromSchema(spec Spec, schema []byte, run func(context.Context, identity.Caller, Raw) (any, error),
	options ...Option[Raw]) (Tool, error) {
	spec = foreignSpec(spec)
	in := foreignInput(schema)
	return foreignTool(spec, func() input { return in }, run, options...)
}

// foreignSpec returns the checked form of a third party's spec.
func foreignSpec(spec Spec) Spec {
	spec.Foreign, spec.Name = spec.Name, ModelName(spec.Name)
	spec.Description = described(spec.Description)
	if spec.Untrusted == nil {
		spec.Untrusted = []string{"*"}
	}
	return spec
}

func foreignTool(spec Spec, in func() input, run func(context.Context, identity.Caller, Raw) (any, error),
	options ...Option[Raw]) (Tool, error) {
	t := Tool{spec: spec, input: in, plain: true, kinds: spec.Shows}
	t.decode = func(raw []byte) (any, error) { return new(Raw(bytes.Clone(raw))), nil }
	if run != nil {
		t.run = func(ctx context.Context, by identity.Caller, input any) (any, error) {
			in, err := restored(ctx, *input.(*Raw))
			if err != nil {
				return nil, err
			}
			out, err := run(ctx, by, in)
			return answered(ctx, spec.IDs, out, err)
		}
	}
	for _, o := range options {
		o(&t)
	}
	if t.present != nil && t.run != nil {
		t.run = presenting(t.present, t.run)
	}
	if t.run == nil || t.once && run != nil {
		return t, fmt.Errorf("tool %s: either a function that reads runs it or an act that happens at most once",
			spec.Name)
	}
	if spec.Foreign == "" || !utf8.ValidString(spec.Foreign) || len(spec.Foreign) > maxForeignName {
		return t, fmt.Errorf("tool %.60q: the name is empty, no text, or longer than %d bytes", spec.Foreign,
			maxForeignName)
	}
	if fault := in().fault; fault != nil {
		return t, fmt.Errorf("tool %s: %w", spec.Name, fault)
	}
	return t, t.checkSpec()
}

// answered returns what a third party answered, with handles in the place of its
// ids.
func answered(ctx context.Context, ids []string, out any, err error) (any, error) {
	raw, ok := out.(json.RawMessage)
	if !ok || err != nil {
		return out, err
	}
	v, err := rewritten(raw)
	if err != nil {
		return nil, err
	}
	return handlesOf(ctx).hide(v, ids, false), nil
}

// rewritten decodes and encodes an answer.
func rewritten(raw json.RawMessage) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("read the answer of a foreign tool: %w", err)
	}
	return v, nil
}

const (
	maxForeignName = 512
	maxModelName   = 64
	nameDigest     = 12 // hex digits
)

var (
	modelName  = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	markedName = regexp.MustCompile(`-[0-9a-f]{12}$`)
	otherSigns = regexp.MustCompile(`[^a-zA-Z0-9_-]+`)
)

// ModelName returns the name by which a model calls the third-party tool called
// name. A name that providers accept stays unchanged. Any other is rewritten in
// allowed characters, cut, and suffixed with the beginning of its digest; so is
// a name that looks as if it had the suffix. So different names stay different,
// today's name is tomorrow's, and Spec.Foreign leads back.
func ModelName(name string) string {
	if modelName.MatchString(name) && !markedName.MatchString(name) {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	readable := strings.Trim(otherSigns.ReplaceAllString(name, "_"), "_-")
	readable = readable[:min(len(readable), maxModelName-1-nameDigest)]
	if readable == "" {
		readable = "tool"
	}
	return readable + "-" + hex.EncodeToString(sum[:])[:nameDigest]
}

// maxDescribed is the number of characters of a third-party description that
// are kept.
const maxDescribed = 1000

// described returns a third-party description as models read it.
func described(text string) string {
	text = strings.TrimSpace(plaintext.Clean(strings.ToValidUTF8(text, "")))
	if utf8.RuneCountInString(text) > maxDescribed {
		text = string([]rune(text)[:maxDescribed]) + "…"
	}
	return text
}
