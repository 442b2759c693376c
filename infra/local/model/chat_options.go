package model

import (
	"encoding/json"
	"slices"
	"strings"
)

func readChoice(raw json.RawMessage, tools []tool) (choice, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return choice{mode: "auto"}, nil
	}
	if len(tools) == 0 {
		return choice{}, invalid("tool_choice", "invalid_value",
			"'tool_choice' is only allowed when 'tools' are given.")
	}
	var mode string
	if json.Unmarshal(raw, &mode) == nil {
		if !slices.Contains([]string{"auto", "none", "required"}, mode) {
			return choice{}, invalid("tool_choice", "invalid_value",
				"'tool_choice' is %q: it must be auto, none, required or a function.", mode)
		}
		return choice{mode: mode}, nil
	}
	var named struct {
		Type     string `json:"type"`
		Name     string `json:"name"` // the Responses API names the tool here
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	}
	if json.Unmarshal(raw, &named) != nil || named.Type != "function" {
		return choice{}, invalid("tool_choice", "invalid_value",
			"'tool_choice' must be auto, none, required or a function.")
	}
	name := named.Function.Name + named.Name
	if !slices.ContainsFunc(tools, func(t tool) bool { return t.name == name }) {
		return choice{}, invalid("tool_choice", "invalid_value",
			"'tool_choice' names %q, which is not among the tools.", name)
	}
	return choice{mode: "named", name: name}, nil
}

func readFormat(in *chatFormat, messages []message) (*responseFormat, error) {
	if in == nil || in.Type == "text" {
		return nil, nil
	}
	switch in.Type {
	case "json_object":
		mentions := func(m message) bool { return strings.Contains(strings.ToLower(m.text), "json") }
		if !slices.ContainsFunc(messages, mentions) {
			return nil, invalid("response_format", "",
				"'response_format' is json_object, so some message must mention JSON.")
		}
		return &responseFormat{}, nil
	case "json_schema":
		if in.Schema == nil || in.Schema.Name == "" || len(in.Schema.Schema) == 0 {
			return nil, invalid("response_format.json_schema", "missing_required_parameter",
				"'response_format.json_schema' needs a name and a schema.")
		}
		s, err := parseSchema(in.Schema.Schema)
		if err == nil && in.Schema.Strict {
			err = checkStrict(s, in.Schema.Name)
		}
		if err != nil {
			return nil, invalid("response_format.json_schema.schema", "invalid_value",
				"The schema of the response format cannot be used: %v.", err)
		}
		return &responseFormat{schema: s}, nil
	}
	return nil, invalid("response_format.type", "invalid_value",
		"'response_format.type' is %q: it must be text, json_object or json_schema.", in.Type)
}
