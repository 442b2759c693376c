package main

import (
	"cmp"
	"strconv"

	"github.com/bellhop-ai/bellhop/infra/local/stack"
)

// openAI says which model the functions talk to.
type openAI struct {
	endpoint stack.OpenAI // zero: the stand-in
	reason   string
}

// chooseModel takes the real model that the environment names, unless
// MOCK_OPENAI asks for the stand-in.
func chooseModel(getenv func(string) string) openAI {
	endpoint := stack.OpenAI{Key: getenv("OPENAI_API_KEY"), BaseURL: getenv("OPENAI_BASE_URL")}
	mock, _ := strconv.ParseBool(getenv("MOCK_OPENAI"))
	switch {
	case mock:
		return openAI{reason: "MOCK_OPENAI is set"}
	case endpoint.Key != "":
		return openAI{endpoint: endpoint, reason: "OPENAI_API_KEY is set"}
	case endpoint.BaseURL != "":
		return openAI{endpoint: endpoint, reason: "OPENAI_BASE_URL is set"}
	default:
		return openAI{reason: "set OPENAI_API_KEY for a real model"}
	}
}

func (o openAI) real() bool { return o.endpoint != stack.OpenAI{} }

// url is where the model is, given where the stack has it.
func (o openAI) url(base string) string {
	return cmp.Or(base, "https://api.openai.com/v1")
}

func (o openAI) describe(base string) string {
	if o.real() {
		return o.url(base) + " (" + o.reason + ")"
	}
	return "the stand-in, which follows rules, at " + base + " (" + o.reason + ")"
}
