package rest

import (
	"slices"
	"strconv"
	"strings"
)

type shape int

const (
	shapeArray shape = iota
	shapeObject
	shapeCSV
)

// media is the negotiated form of the answer.
type media struct {
	shape       shape
	strip       bool // leave out nulls
	bare        bool // the value itself, as its function gives it
	binary      bool // bare, and bytes
	contentType string
}

const charset = "; charset=utf-8"

var jsonMedia = media{contentType: "application/json" + charset}

// negotiate picks the first acceptable form by quality and order. A function
// may return a domain that is named after a media type; it then offers that
// form, and prefers it where any is accepted.
func negotiate(accepts []string, fn *function) (media, error) {
	type choice struct {
		text    string
		quality float64
	}
	var choices []choice
	for _, header := range accepts {
		for part := range strings.SplitSeq(header, ",") {
			part = strings.TrimSpace(part)
			if part == "" {
				continue
			}
			quality := 1.0
			for p := range strings.SplitSeq(part, ";") {
				if v, ok := strings.CutPrefix(strings.TrimSpace(p), "q="); ok {
					if q, err := strconv.ParseFloat(v, 64); err == nil {
						quality = q
					}
				}
			}
			choices = append(choices, choice{part, quality})
		}
	}
	if len(choices) == 0 {
		choices = []choice{{"*/*", 1}}
	}
	slices.SortStableFunc(choices, func(a, b choice) int {
		switch {
		case a.quality > b.quality:
			return -1
		case a.quality < b.quality:
			return 1
		}
		return 0
	})
	var names []string
	for _, c := range choices {
		name, _, _ := strings.Cut(c.text, ";")
		name = strings.TrimSpace(name)
		if m, ok := fn.offers(name); ok {
			return m, nil
		}
		if m, ok := mediaFor(c.text); ok {
			return m, nil
		}
		names = append(names, name)
	}
	return media{}, unacceptable(names)
}

// offers gives the form that a function's own media type stands for.
func (f *function) offers(accepted string) (media, bool) {
	if f == nil || f.media == "" || !f.scalar || f.setOf || accepted != f.media && accepted != "*/*" &&
		f.media != "*/*" {
		return media{}, false
	}
	m := media{bare: true, binary: f.binary, contentType: f.media}
	switch {
	case f.media == "*/*":
		// Which type it truly is, only the function knows; it may set the header.
		m.contentType = "application/octet-stream"
	case strings.HasPrefix(f.media, "text/") || f.media == "application/json":
		m.contentType += charset
	}
	return m, true
}

func mediaFor(text string) (media, bool) {
	parts := strings.Split(text, ";")
	strip := false
	for _, p := range parts[1:] {
		strip = strip || strings.TrimSpace(p) == "nulls=stripped"
	}
	suffix := ""
	if strip {
		suffix = ";nulls=stripped"
	}
	switch strings.ToLower(strings.TrimSpace(parts[0])) {
	case "*/*", "application/json":
		return jsonMedia, true
	case "application/vnd.pgrst.array+json", "application/vnd.pgrst.array":
		if !strip {
			return jsonMedia, true
		}
		return media{strip: true, contentType: "application/vnd.pgrst.array+json" + suffix + charset}, true
	case "application/vnd.pgrst.object+json", "application/vnd.pgrst.object":
		return media{shape: shapeObject, strip: strip, contentType: "application/vnd.pgrst.object+json" + suffix +
			charset}, true
	case "text/csv":
		return media{shape: shapeCSV, contentType: "text/csv" + charset}, true
	}
	return media{}, false
}

// body writes the expression that aggregates the rows of pgrst_t. For a
// function, fn tells whether there is one value or a list of bare values.
func (m media) body(fn *function) string {
	row, list := "pgrst_t", true
	if fn != nil {
		list = fn.setOf
		if fn.scalar {
			row = "pgrst_t." + scalarName
		}
	}
	switch {
	case m.binary:
		return "encode(string_agg(" + row + "::bytea, ''), 'hex')"
	case m.bare:
		return "string_agg(" + row + "::text, '')"
	case m.shape == shapeCSV:
		return `coalesce((SELECT string_agg(pgrst_key, ',') FROM json_object_keys((SELECT row_to_json(pgrst_first) ` +
			`FROM pgrst_rows AS pgrst_first LIMIT 1)) AS pgrst_key), '') || E'\n' || ` +
			`coalesce(string_agg(substring(pgrst_t::text, 2, length(pgrst_t::text) - 2), E'\n'), '')`
	case m.shape == shapeObject || !list:
		expr := "json_agg(" + row + ")->0"
		if m.strip {
			expr = "json_strip_nulls(" + expr + ")"
		}
		return "coalesce(" + expr + ", 'null')"
	case m.strip:
		return "coalesce(json_strip_nulls(json_agg(" + row + ")), '[]')"
	}
	return "coalesce(json_agg(" + row + "), '[]')"
}
