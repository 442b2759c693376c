package main

import (
	"github.com/bellhop-ai/bellhop/functions/server/page"
	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/boot"
)

// pageConfig tells the page which assistants there are.
func pageConfig(s *boot.Service, all []*assistants.Assistant) page.Config {
	cfg := page.Config{SupabaseURL: s.SupabaseURL, PublishableKey: s.PublishableKey, Dev: s.Local}
	for _, a := range all {
		cfg.Assistants = append(cfg.Assistants, page.Assistant{Name: a.Name, Title: a.Title, Greeting: a.Greeting, Suggestions: a.Suggestions})
	}
	return cfg
}
