package openai

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// defaultBase is OpenAI's own address.
const defaultBase = "https://api.openai.com/v1/"

// profile is what one provider understands that another does not.
type profile struct {
	name string
	// developer: instructions have the role "developer", as Azure documents it.
	// Everybody else reads "system", also those that have renamed it.
	developer   bool
	maxTokens   string // the member that bounds an answer
	keyHeader   string // the header of the key; "" = Authorization: Bearer
	needsKey    bool
	store       bool // knows store:false
	parallel    bool // knows parallel_tool_calls
	images      bool // sees image_url parts; not known of a server for any model
	streamUsage bool // knows stream_options.include_usage
	schemas     bool // knows response_format json_schema
	strictTools bool // knows strict schemas of tools
	responses   bool // is known to have the Responses API
	// strictCalls: the server reads the arguments of earlier calls and fails
	// when they are not JSON, since its prompt template or the model behind it
	// wants them as an object.
	strictCalls bool
}

// profiles returns the table of what differs.
func profiles() []profile {
	return []profile{
		{name: "openai", maxTokens: "max_completion_tokens", needsKey: true,
			store: true, images: true, parallel: true,
			streamUsage: true, schemas: true, strictTools: true, responses: true},
		{name: "azure-v1", developer: true, maxTokens: "max_completion_tokens", keyHeader: "api-key", needsKey: true,
			store: true, images: true, parallel: true, streamUsage: true, schemas: true, strictTools: true,
			responses: true},
		{name: "openrouter", maxTokens: "max_tokens", needsKey: true, images: true, parallel: true, streamUsage: true,
			schemas: true, strictCalls: true},
		{name: "vllm", maxTokens: "max_tokens", parallel: true, streamUsage: true, schemas: true, strictCalls: true},
		{name: "ollama", maxTokens: "max_tokens", streamUsage: true, schemas: true, strictCalls: true},
		{name: "llama.cpp", maxTokens: "max_tokens", schemas: true, strictCalls: true},
		// Anybody else: some of them refuse every member that they do not know.
		{name: "compatible", maxTokens: "max_tokens", strictCalls: true},
	}
}

// profileFor returns the named profile, or the one that base suggests.
func profileFor(name string, base *url.URL) (profile, error) {
	if name == "" {
		name = guess(base)
	}
	var known []string
	for _, p := range profiles() {
		if p.name == name {
			return p, nil
		}
		known = append(known, p.name)
	}
	return profile{}, fmt.Errorf("the profile %q is none of %s", name, strings.Join(known, ", "))
}

// HasResponses reports whether a provider is known to have the Responses API: by the name
// of its profile, or by its address where that is "".
func HasResponses(profile, baseURL string) bool {
	base, err := url.Parse(cmp.Or(baseURL, defaultBase))
	if err != nil {
		return false
	}
	p, err := profileFor(profile, base)
	return err == nil && p.responses
}

// role returns the name of the role of a message to the provider.
func (p profile) role(r llm.Role) string {
	if r == llm.System && p.developer {
		return "developer"
	}
	return string(r)
}

func guess(base *url.URL) string {
	host := strings.ToLower(base.Hostname())
	switch {
	case host == "api.openai.com" || strings.HasSuffix(host, ".api.openai.com"):
		return "openai"
	case strings.HasSuffix(host, ".openai.azure.com"), strings.HasSuffix(host, ".services.ai.azure.com"),
		strings.HasSuffix(host, ".cognitiveservices.azure.com"):
		return "azure-v1"
	case host == "openrouter.ai" || strings.HasSuffix(host, ".openrouter.ai"):
		return "openrouter"
	case base.Port() == "11434":
		return "ollama"
	}
	return "compatible"
}
