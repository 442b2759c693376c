package guide

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/bellhop-ai/bellhop/pkg/money"
)

//go:embed data/*.json links.json rates.json
var files embed.FS

// library is what the files say. What was made is never changed.
type library struct {
	codes  []string
	byCode map[string]*City // codes of cities, and of airports of no other city
	links  []Link
	rates  rates
}

// rates are approximate: how many units of a currency one unit of Base is.
type rates struct {
	Date  string                  `json:"date"` // "2026-11"
	Base  string                  `json:"base"`
	Rates map[string]money.Amount `json:"rates"`
}

// shelf reads the files at its first use.
var shelf = sync.OnceValue(func() *library {
	l, err := load(files)
	if err != nil {
		panic(err) // a part of the program, which a test reads
	}
	return l
})

func load(files fs.FS) (*library, error) {
	l := &library{byCode: map[string]*City{}}
	names, err := fs.Glob(files, "data/*.json")
	if err != nil {
		return nil, err
	}
	var cities []*City
	for _, name := range names {
		c := new(City)
		if err := read(files, name, c); err != nil {
			return nil, err
		}
		if path.Base(name) != strings.ToLower(c.Code)+".json" || l.byCode[c.Code] != nil {
			return nil, fmt.Errorf("%s describes %q", name, c.Code)
		}
		if err := c.complete(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		cities = append(cities, c)
		l.codes = append(l.codes, c.Code)
		l.byCode[c.Code] = c
	}
	slices.Sort(l.codes)
	for _, c := range cities {
		for _, airport := range c.Airports {
			if l.byCode[airport] == nil {
				l.byCode[airport] = c
			}
		}
	}
	if err := read(files, "links.json", &l.links); err != nil {
		return nil, err
	}
	for i := range l.links {
		link := &l.links[i]
		if err := link.Price.complete(link.Currency); err != nil {
			return nil, fmt.Errorf("links.json: %s to %s, %s: %w", link.From, link.To, link.Option, err)
		}
	}
	return l, read(files, "rates.json", &l.rates)
}

// read decodes one value, with no member that the type lacks and nothing behind it.
func read(files fs.FS, name string, into any) error {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if dec.More() {
		return fmt.Errorf("%s: there is more than one value", name)
	}
	return nil
}

// complete gives all prices their currency, and stays their usual platforms.
func (c *City) complete() error {
	for i := range c.Stays {
		s := &c.Stays[i]
		if len(s.BookingPlatforms) == 0 {
			s.BookingPlatforms = usualPlatforms(*s)
		}
		if err := completeAll(c.Currency, s.Name, &s.Price, s.Bed); err != nil {
			return err
		}
	}
	for i := range c.Eats {
		if err := completeAll(c.Currency, c.Eats[i].Name, &c.Eats[i].Price); err != nil {
			return err
		}
	}
	for i := range c.Sights {
		if err := completeAll(c.Currency, c.Sights[i].Name, &c.Sights[i].Price, c.Sights[i].Child); err != nil {
			return err
		}
	}
	for i := range c.Local {
		if err := completeAll(c.Currency, c.Local[i].Option, &c.Local[i].Price); err != nil {
			return err
		}
	}
	return nil
}

func usualPlatforms(s Stay) []string {
	switch {
	case s.Kind == "area":
		return []string{"general booking sites"}
	case s.Type == "hostel":
		return []string{"the hostel's own site", "hostel booking sites"}
	}
	return []string{"the hotel's own site", "general booking sites"}
}

func completeAll(currency, of string, prices ...*Range) error {
	for _, r := range prices {
		if r == nil {
			continue
		}
		if err := r.complete(currency); err != nil {
			return fmt.Errorf("%s: %w", of, err)
		}
	}
	return nil
}

func (r *Range) complete(currency string) error {
	if currency == "" || r.Currency != "" && r.Currency != currency {
		return fmt.Errorf("the price is in %q where all are in %q", r.Currency, currency)
	}
	if r.From.Negative() || r.From.Cmp(r.To) > 0 {
		return fmt.Errorf("the price is from %s to %s", r.From, r.To)
	}
	r.Currency = currency
	return nil
}
