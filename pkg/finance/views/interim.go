// Package views shows the answers of a ledger's tools.
package views

import (
	"encoding/json"

	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Present shows an answer.
func Present(string, json.RawMessage, json.RawMessage) tool.Presentation { return tool.Presentation{} }

// Say says it.
func Say(language.Language, string, json.RawMessage, json.RawMessage) string { return "" }
