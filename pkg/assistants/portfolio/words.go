package portfolio

import "github.com/bellhop-ai/bellhop/pkg/vocabulary"

// Words are how people and models talk of a portfolio.
func Words() vocabulary.Words {
	return vocabulary.Words{
		Nouns: []vocabulary.Noun{
			{Object: "project", Said: []string{"project", "page", "job", "portfolio"}},
			{Object: "photo", Said: []string{"photo", "picture", "image"}},
			{Object: "business profile", Said: []string{"profile", "business", "company"}},
		},
		Verbs: []vocabulary.Verb{
			{Tools: []string{"publishProject"}, English: []string{"publish", "put it online", "go live"},
				Loans: []string{"publish", "पब्लिश"}, Done: []string{"published"}, Backed: []string{"publish"}},
			{Tools: []string{"unpublishProject"}, English: []string{"unpublish", "take it down", "take it offline"},
				Done: []string{"unpublished"}, Backed: []string{"unpublish"}},
		},
		Confirmed: []string{"page"},
		Authors:   "others, such as texts in photos,",
	}
}
