package rest

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxBody bounds a request body.
const maxBody = 64 << 20

// payload is a request body as the dialect sees it.
type payload struct {
	media string // without parameters; application/json where none is given
	raw   []byte
	array []byte     // as a JSON array of objects; of a function call, the object of arguments
	keys  []string   // of the objects
	form  []argument // of a form
}

func readBody(w http.ResponseWriter, r *http.Request) (*payload, error) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return nil, &Error{Status: http.StatusRequestEntityTooLarge, Code: "PGRST102",
				Message: "The body is too large"}
		}
		return nil, invalidBody("The body could not be read")
	}
	p := &payload{media: "application/json", raw: raw}
	if h := r.Header.Get("Content-Type"); h != "" {
		media, _, err := mime.ParseMediaType(h)
		if err != nil {
			media = h
		}
		p.media = media
	}
	return p, nil
}

// rows makes the payload an array of objects. With columns given, the keys of
// the objects need not agree.
func (p *payload) rows(columns []string) error {
	switch p.media {
	case "application/json", "application/vnd.pgrst.object+json", "application/vnd.pgrst.array+json":
		return p.jsonRows(columns != nil)
	case "text/csv":
		return p.csvRows()
	case "application/x-www-form-urlencoded":
		object := map[string]string{}
		if err := p.readForm(); err != nil {
			return err
		}
		for _, a := range p.form {
			object[a.name] = a.value
		}
		p.keys = slices.Sorted(maps.Keys(object))
		p.array, _ = json.Marshal([]any{object})
		return nil
	}
	return invalidBody("Content-Type not acceptable: " + p.media)
}

func (p *payload) readForm() (err error) {
	p.form, _, err = splitQuery(string(p.raw))
	return err
}

func (p *payload) jsonRows(anyKeys bool) error {
	text := bytes.TrimSpace(p.raw)
	if !json.Valid(text) {
		return invalidBody("Empty or invalid json")
	}
	p.array = text
	if text[0] == '{' {
		p.array = slices.Concat([]byte("["), text, []byte("]"))
	}
	if anyKeys {
		return nil
	}
	if text[0] != '{' && text[0] != '[' {
		p.array = []byte("[]") // PostgREST takes a bare value for no rows
		return nil
	}
	var objects []map[string]json.RawMessage
	if err := json.Unmarshal(p.array, &objects); err != nil {
		return invalidBody("All object keys must match")
	}
	for i, o := range objects {
		if i == 0 {
			p.keys = slices.Sorted(maps.Keys(o))
			continue
		}
		if len(o) != len(p.keys) {
			return invalidBody("All object keys must match")
		}
		for k := range o {
			if _, found := slices.BinarySearch(p.keys, k); !found {
				return invalidBody("All object keys must match")
			}
		}
	}
	return nil
}

// csvRows reads CSV with a header line; the bare word NULL is null.
func (p *payload) csvRows() error {
	if !utf8.Valid(p.raw) {
		return invalidBody("The CSV is not valid UTF-8")
	}
	r := csv.NewReader(bytes.NewReader(p.raw))
	r.FieldsPerRecord = -1
	records, err := r.ReadAll()
	if err != nil {
		return invalidBody("Could not read the CSV: " + err.Error())
	}
	if len(records) == 0 {
		return invalidBody("Empty or invalid CSV")
	}
	p.keys = records[0]
	objects := make([]map[string]*string, 0, len(records)-1)
	for _, rec := range records[1:] {
		if len(rec) != len(p.keys) {
			return invalidBody("All lines must have same number of fields")
		}
		o := map[string]*string{}
		for i := range rec {
			o[p.keys[i]] = &rec[i]
			if rec[i] == "NULL" {
				o[p.keys[i]] = nil
			}
		}
		objects = append(objects, o)
	}
	p.array, err = json.Marshal(objects)
	return err
}

// arguments reads the payload of a function call: the names that it gives.
func (p *payload) arguments(columns []string) error {
	switch p.media {
	case "application/x-www-form-urlencoded":
		if err := p.readForm(); err != nil {
			return err
		}
		for _, a := range p.form {
			p.keys = append(p.keys, a.name)
		}
	case "application/json", "application/vnd.pgrst.object+json", "application/vnd.pgrst.array+json":
		p.media = "application/json"
		if len(bytes.TrimSpace(p.raw)) == 0 {
			p.raw = []byte("{}")
		}
		if !json.Valid(p.raw) {
			return invalidBody("Empty or invalid json")
		}
		p.array = p.raw
		var list []json.RawMessage
		if json.Unmarshal(p.raw, &list) == nil && len(list) > 0 {
			p.array = list[0] // of a list only the first object gives arguments
		}
		var object map[string]json.RawMessage
		if json.Unmarshal(p.array, &object) == nil {
			p.keys = slices.Sorted(maps.Keys(object))
		}
	case "text/plain", "text/xml", "application/octet-stream":
	default:
		return invalidBody("Content-Type not acceptable: " + p.media)
	}
	if columns != nil {
		p.keys = columns
	}
	slices.Sort(p.keys)
	p.keys = slices.Compact(p.keys)
	return nil
}

// bytea writes bytes in PostgreSQL's hex form.
func bytea(raw []byte) []byte {
	const digits = "0123456789abcdef"
	var b strings.Builder
	b.WriteString(`\x`)
	for _, c := range raw {
		b.WriteByte(digits[c>>4])
		b.WriteByte(digits[c&15])
	}
	return []byte(b.String())
}
