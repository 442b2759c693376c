package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"

	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/rawjson"
)

// api is one of the ways in which a model is asked. Retries, time limits and
// the meaning of errors are the same for all; see Client.
type api interface {
	// encode appends the body of one call to b.
	encode(b []byte, r llm.Request, stream bool) ([]byte, error)
	// send makes one call with the options, which hold the body and say where
	// the answer goes.
	send(ctx context.Context, options ...option.RequestOption) error
	// draft begins an answer to r.
	draft(r llm.Request) draft
}

// draft is an answer in the making.
type draft interface {
	// take adds the whole answer, or one event of a stream, and returns the
	// error object that the provider sent instead, if any.
	take(data []byte, whole bool, say func(string) error) (refusal rawjson.Value, err error)
	// finished returns the reason for which the answer ended, "" while it goes
	// on, and how long what may follow the end is waited for.
	finished() (reason string, grace time.Duration)
	// answer checks the draft and returns it.
	answer() (llm.Answer, *failure)
	// dropped returns how many bytes of reasoning were too many to carry.
	dropped() int
}

// newAPI returns the way of that name; host is where the server is.
func newAPI(name string, p profile, model, host string, options []option.RequestOption) (api, error) {
	switch name {
	case "", "chat":
		return chatAPI{service: sdk.NewChatCompletionService(options...), profile: p, model: model,
			unread: param.Override[sdk.ChatCompletionNewParams](json.RawMessage("{}"))}, nil
	case "responses":
		return responsesAPI{service: responses.NewResponseService(options...), profile: p, model: model, host: host,
			unread: param.Override[responses.ResponseNewParams](json.RawMessage("{}"))}, nil
	}
	return nil, fmt.Errorf("the API %q is neither chat nor responses", name)
}

// chatAPI asks with POST /chat/completions.
type chatAPI struct {
	service sdk.ChatCompletionService
	profile profile
	model   string
	// unread are the parameters that openai-go writes in any case, and that the
	// options replace. Empty ones would be looked through field by field.
	unread sdk.ChatCompletionNewParams
}

func (c chatAPI) send(ctx context.Context, options ...option.RequestOption) error {
	_, err := c.service.New(ctx, c.unread, options...)
	return err
}

func (c chatAPI) draft(llm.Request) draft { return new(chatDraft) }

// responsesAPI asks with POST /responses.
type responsesAPI struct {
	service responses.ResponseService
	profile profile
	model   string
	host    string
	unread  responses.ResponseNewParams // see chatAPI
}

func (c responsesAPI) send(ctx context.Context, options ...option.RequestOption) error {
	_, err := c.service.New(ctx, c.unread, options...)
	return err
}

func (c responsesAPI) draft(r llm.Request) draft {
	d := &responseDraft{host: c.host}
	if c.profile.strictTools {
		d.tools = r.Tools
	}
	return d
}

// reasons reports whether OpenAI's model of that name thinks before it answers.
// Such models refuse a temperature, and hand their thoughts out encrypted.
func reasons(model string) bool {
	if i := strings.LastIndexByte(model, '/'); i >= 0 {
		model = model[i+1:]
	}
	if version, ok := strings.CutPrefix(model, "gpt-"); ok {
		number, _, _ := strings.Cut(version, "-")
		return !strings.Contains(version, "chat") && (len(number) > 0 && number[0] >= '5' && number[0] <= '9')
	}
	return len(model) > 1 && model[0] == 'o' && model[1] >= '1' && model[1] <= '9'
}
