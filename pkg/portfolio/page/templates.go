package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"regexp"
	"strings"
	"sync"
)

//go:embed templates/*.html templates/style.css templates/words.json
var files embed.FS

// set are the templates, the policy under which their style sheet works, and their words.
type set struct {
	documents *template.Template
	policy    string
	words     map[string]words // by language
}

var (
	remarks = regexp.MustCompile(`(?s)/\*.*?\*/`)
	gaps    = regexp.MustCompile(`\s*\n\s*`)
)

// templates are parsed at their first use. Line breaks and remarks, which are for
// those who edit them, are taken out of what is sent.
var templates = sync.OnceValues(func() (set, error) {
	sheet, err := files.ReadFile("templates/style.css")
	if err != nil {
		return set{}, err
	}
	style := gaps.ReplaceAllString(remarks.ReplaceAllString(string(sheet), ""), "")
	sum := sha256.Sum256([]byte(style))
	s := set{documents: template.New("").Option("missingkey=error"), policy: fmt.Sprintf("default-src 'none'; "+
		"img-src 'self'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		base64.StdEncoding.EncodeToString(sum[:]))}
	own, err := files.ReadFile("templates/words.json")
	if err != nil {
		return set{}, err
	}
	if err := json.Unmarshal(own, &s.words); err != nil {
		return set{}, err
	}
	names, err := files.ReadDir("templates")
	if err != nil {
		return set{}, err
	}
	for _, f := range names {
		name, found := strings.CutSuffix(f.Name(), ".html")
		if !found {
			continue
		}
		text, err := files.ReadFile("templates/" + f.Name())
		if err != nil {
			return set{}, err
		}
		source := strings.ReplaceAll(gaps.ReplaceAllString(string(text), ""), "{{style}}", "<style>"+style+"</style>")
		if _, err := s.documents.New(name).Parse(source); err != nil {
			return set{}, err
		}
	}
	return s, nil
})

// Policy returns the Content-Security-Policy under which the pages work: photos of the
// same host, the one style sheet, and nothing else.
func Policy() (string, error) {
	s, err := templates()
	return s.policy, err
}
