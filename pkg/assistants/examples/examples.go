// Package examples holds what people say to each agent of an assistant, a file
// for each assistant: data for the built-in model and for evaluations. Nothing
// that is deployed imports it, and no prompt shows it to a real model.
package examples

import "embed"

// Files holds a file such as "hospitality.txt" for each assistant, and a folder of
// its name with sentences for each agent, in the form that
// [github.com/bellhop-ai/bellhop/infra/local/model.ReadDomains] reads.
//
//go:embed *.txt */*.txt
var Files embed.FS
