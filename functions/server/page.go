package main

import (
	"github.com/bellhop-ai/bellhop/functions/server/page"
	"github.com/bellhop-ai/bellhop/pkg/boot"
)

// pageConfig tells the page where people sign in.
func pageConfig(s *boot.Service) page.Config {
	return page.Config{SupabaseURL: s.SupabaseURL, PublishableKey: s.PublishableKey, Dev: s.Local}
}
