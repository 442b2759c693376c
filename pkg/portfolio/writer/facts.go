package writer

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/plaintext"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// maxSent bounds a text that a model reads, in letters.
const maxSent = 6000

// facts is what a model reads of a project: nothing that the page must not show.
type facts struct {
	Type       string     `json:"type"`
	Place      string     `json:"place"`
	Materials  []string   `json:"materials"`
	Techniques []string   `json:"techniques"`
	Problem    []string   `json:"problem"`
	Challenge  []string   `json:"challenge"`
	Solution   []string   `json:"solution"`
	Result     []string   `json:"result"`
	Detail     []string   `json:"detail"`
	Duration   string     `json:"duration"`
	Completed  string     `json:"completed"`
	Size       string     `json:"size"`
	Facts      []string   `json:"facts"`
	Photos     []shot     `json:"photos,omitempty"`
	Business   business   `json:"business"`
	Asked      []string   `json:"asked,omitempty"`
	Skipped    []string   `json:"skipped,omitempty"`
	Written    *written   `json:"written,omitempty"`
	Blocks     []numbered `json:"blocks,omitempty"`
	project    projects.Project
	page       page
	secret     secret
	ids        map[string]string // of photos, by the names that a model reads
}

type shot struct {
	ID     string `json:"id"`
	Stage  string `json:"stage"`
	Shows  string `json:"shows"`
	Wide   bool   `json:"wide"`
	Chosen bool   `json:"chosen,omitempty"`
}

type business struct {
	Name  string `json:"name"`
	Trade string `json:"trade"`
	City  string `json:"city"`
	About string `json:"about"`
}

// written is what a page says today.
type written struct {
	Title       string       `json:"title"`
	Description string       `json:"description"`
	SEO         projects.SEO `json:"seo"`
	Tags        []string     `json:"tags,omitempty"`
}

// numbered is a text block with its number.
type numbered struct {
	N     int      `json:"n"`
	Kind  string   `json:"kind"`
	Text  string   `json:"text,omitempty"`
	Items []string `json:"items,omitempty"`
}

// factsOf returns what may be told to a model, in the person's words.
func factsOf(p projects.Project, b projects.Business) facts {
	g := newPage(p)
	f := facts{
		Problem: g.problem, Challenge: g.challenge, Solution: g.solution, Result: g.result, Detail: g.detail,
		Facts: g.facts, Place: p.Place.Shown(p.Detail), Asked: p.Story.Asked, Skipped: p.Story.Skipped,
		project: p, page: g, secret: g.secret, ids: map[string]string{},
	}
	f.Type, f.Duration = f.safe(p.Type), f.safe(p.Story.Duration)
	f.Completed, f.Size = f.safe(p.Story.Completed), f.safe(p.Story.Size)
	f.Materials, f.Techniques = f.each(p.Materials), f.each(p.Techniques)
	f.Business = business{f.safe(b.Name), f.safe(b.Trade), f.safe(b.City), f.safe(b.About)}
	for _, list := range []*[]string{&f.Problem, &f.Challenge, &f.Solution, &f.Result, &f.Detail, &f.Facts} {
		*list = bound(*list)
	}
	return f
}

// withPhotos adds what the photos show.
func (f facts) withPhotos() facts {
	f.Photos = nil
	for i, photo := range f.project.Ready() {
		id := "p" + strconv.Itoa(i+1)
		f.ids[id] = photo.ID
		f.Photos = append(f.Photos, shot{id, string(photo.Stage), f.safe(photo.Alt), photo.Width >= photo.Height,
			photo.Hero})
	}
	return f
}

// withWritten adds what the page says today.
func (f facts) withWritten() facts {
	p := f.project
	f.Written = &written{f.safe(p.Title), strings.Join(bound(public(f.secret, p.Description)), " "),
		projects.SEO{Title: f.safe(p.SEO.Title), Description: f.safe(p.SEO.Description)}, f.each(p.Tags)}
	return f
}

// withBlocks adds the text blocks.
func (f facts) withBlocks(blocks []projects.Block) facts {
	f.Blocks = nil
	for i, b := range blocks {
		f.Blocks = append(f.Blocks, numbered{i + 1, string(b.Kind), strings.Join(bound(public(f.secret, b.Text)), " "),
			f.each(b.Items)})
	}
	return f
}

// json is what a model reads.
func (f facts) json() string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(f) // Texts, numbers and lists always encode.
	return strings.TrimSpace(b.String())
}

// safe returns a short text without what is private, "" where that is its sense.
func (f facts) safe(text string) string {
	text = cut(strings.TrimSpace(spaces.ReplaceAllString(plaintext.Clean(text), " ")), 600)
	if isPrivate(text, f.secret) {
		var kept []string
		for _, s := range split(text) {
			if s = without(s, f.secret); s != "" {
				kept = append(kept, s)
			}
		}
		return strings.Join(kept, " ")
	}
	return text
}

func (f facts) each(list []string) []string {
	out := []string{}
	for _, s := range list {
		if s = f.safe(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// bound keeps the first sentences, as far as a model reads them.
func bound(sentences []string) []string {
	out, letters := []string{}, 0
	for _, s := range sentences {
		if letters += len(s); letters > maxSent {
			break
		}
		out = append(out, s)
	}
	return out
}
