package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

const (
	eventStream = "text/event-stream"
	thread      = "5a3a2b7e-2b0e-4c53-8c5d-0d3ad5b7f0c2"
	question    = "Which items are free between the 3rd and the 7th of May for two, and what would \"Deluxe\" cost?"
)

// secrets are made anew for each run.
type secrets struct {
	jwks, sealKeys string
	key            *ecdsa.PrivateKey
}

func newSecrets() (*secrets, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	point, err := key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		return nil, err
	}
	enc := base64.RawURLEncoding.EncodeToString
	seal := make([]byte, 32)
	_, _ = rand.Read(seal) // never fails
	return &secrets{
		key: key,
		jwks: fmt.Sprintf(`{"keys":[{"kty":"EC","crv":"P-256","alg":"ES256","use":"sig","kid":"bench","x":%q,`+
			`"y":%q}]}`, enc(point[1:33]), enc(point[33:65])),
		sealKeys: "k1:" + base64.StdEncoding.EncodeToString(seal),
	}, nil
}

// token returns a token of the project at the address, as Auth makes them.
func (s *secrets) token(project string) (string, error) {
	now := time.Now()
	t := jwt.NewWithClaims(jwt.SigningMethodES256, jwt.MapClaims{
		"iss": project + "/auth/v1", "aud": "authenticated", "sub": userID, "role": "authenticated",
		"email": "mira@example.com",
		"iat":   now.Unix(), "exp": now.Add(time.Hour).Unix(), "session_id": "0d8f0b0c-8b1e-4f6b-9b0a-6b1d2f3a4c5d",
		"app_metadata":  map[string]string{"org_id": orgID, "provider": "email"},
		"user_metadata": map[string]string{"name": "Mira"},
	})
	t.Header["kid"] = "bench"
	return t.SignedString(s.key)
}

// dialogue is a history of pairs and a question after it, as our clients send
// it and as a plain client sends it. Every third answer had called a tool.
type dialogue struct {
	sealed []history.Message
	plain  []plainMessage
	scope  history.Scope
	keys   *history.Keys
}

func newDialogue(sealKeys string, pairs, answerLen int) (dialogue, error) {
	keys, err := history.NewKeys(history.KeysConfig{Spec: sealKeys, Now: time.Now})
	if err != nil {
		return dialogue{}, err
	}
	d := dialogue{keys: keys, scope: history.Scope{Tenant: orgID, User: userID, Thread: thread}}
	data, err := json.Marshal(findFreeItems())
	if err != nil {
		return dialogue{}, err
	}
	for i := range pairs {
		text := strings.Repeat("Two of the things are free then. ", answerLen/33+1)[:answerLen]
		d.sealed = append(d.sealed, history.Message{Role: llm.User, Text: question})
		d.plain = append(d.plain, plainMessage{Role: "user", Content: question})
		state := history.State{Agent: "desk"}
		if i%3 == 0 {
			id := history.CallID(2*i+1, 0, 0)
			args := `{"from":"2026-05-03","people":2,"to":"2026-05-07"}`
			state.Steps = []history.Step{{Calls: []llm.Call{{ID: id, Name: toolName(0), Arguments: args}},
				Results: []history.Result{{CallID: id, Text: string(data)}}}}
			d.plain = append(d.plain,
				plainMessage{Role: "assistant",
					Calls: []plainTool{{ID: id, Type: "function", Function: plainFunction{Name: toolName(0),
						Arguments: args}}}},
				plainMessage{Role: "tool", CallID: id, Content: string(data)})
		}
		seal, err := keys.Seal(d.scope, keys.Open(d.scope, d.sealed), text, state)
		if err != nil {
			return dialogue{}, err
		}
		d.sealed = append(d.sealed, history.Message{Role: llm.Assistant, Text: text, Seal: seal})
		d.plain = append(d.plain, plainMessage{Role: "assistant", Content: text})
	}
	return d, nil
}

// bodies returns the request with the question for our side and for the plain
// one. turn names it; "" leaves it unnamed.
func (d dialogue) bodies(turn string) (ours, plain []byte, err error) {
	type message struct {
		Role    llm.Role `json:"role"`
		Content string   `json:"content"`
		Seal    string   `json:"seal,omitempty"`
	}
	var in struct {
		Messages []message `json:"messages"`
		ID       string    `json:"id"`
		Turn     string    `json:"turn,omitempty"`
	}
	in.ID, in.Turn = thread, turn
	for _, m := range d.sealed {
		in.Messages = append(in.Messages, message{m.Role, m.Text, m.Seal})
	}
	in.Messages = append(in.Messages, message{Role: llm.User, Content: question})
	if ours, err = json.Marshal(in); err != nil {
		return nil, nil, err
	}
	plain, err = json.Marshal(map[string]any{"id": thread, "messages": append(d.plain[:len(d.plain):len(d.plain)],
		plainMessage{Role: "user", Content: question})})
	return ours, plain, err
}
