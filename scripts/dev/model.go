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
	// profile is what the model understands, or "" where only its host tells.
	profile string
}

// chooseModel takes the real model that the environment names, unless
// MOCK_OPENAI asks for the stand-in.
func chooseModel(getenv func(string) string) openAI {
	endpoint := stack.OpenAI{Key: getenv("OPENAI_API_KEY"), BaseURL: getenv("OPENAI_BASE_URL")}
	profile := getenv("OPENAI_PROFILE")
	mock, _ := strconv.ParseBool(getenv("MOCK_OPENAI"))
	switch {
	case mock:
		return openAI{reason: "MOCK_OPENAI is set", profile: "openai"}
	case endpoint.Key != "" && endpoint.BaseURL == "":
		return openAI{endpoint: endpoint, reason: "OPENAI_API_KEY is set", profile: cmp.Or(profile, "openai")}
	case endpoint.Key != "":
		return openAI{endpoint: endpoint, reason: "OPENAI_API_KEY is set", profile: profile}
	case endpoint.BaseURL != "":
		return openAI{endpoint: endpoint, reason: "OPENAI_BASE_URL is set", profile: profile}
	default:
		return openAI{reason: "set OPENAI_API_KEY for a real model", profile: "openai"}
	}
}

func (o openAI) real() bool { return o.endpoint != stack.OpenAI{} }

// through is the environment of functions that reach the model through the
// journal at url. A model of which only the host tells what it understands is
// reached directly.
func (o openAI) through(url string) []string {
	if o.profile == "" {
		return nil
	}
	return []string{"OPENAI_BASE_URL=" + url, "OPENAI_PROFILE=" + o.profile}
}

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
