package guide

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestLoad(t *testing.T) {
	t.Parallel()
	const city = `{"code":"AAA","name":"A","country":"US","currency":"USD","checked":"2026-11","airports":["AAB"],` +
		`"areas":[],"stays":[],"eats":[],"sights":[{"name":"S","lat":1,"lon":1,"area":"A","minutes":30,` +
		`"tags":["art"],"price":{"from":"5","to":"7"}}],"local":[],"season":[]}`
	const rates = `{"date":"2026-11","base":"EUR","rates":{}}`
	for name, test := range map[string]struct{ city, links, want string }{
		"as it should be":        {city, `[]`, ""},
		"a member is unknown":    {strings.Replace(city, `"minutes"`, `"hours"`, 1), `[]`, "hours"},
		"two values":             {city + `{}`, `[]`, "more than one"},
		"the name is another's":  {strings.Replace(city, "AAA", "AAC", 1), `[]`, "describes"},
		"from is more than to":   {strings.Replace(city, `"5"`, `"9"`, 1), `[]`, "from 9 to 7"},
		"no amount":              {strings.Replace(city, `"5"`, `"5 dollars"`, 1), `[]`, "is not an amount"},
		"another currency":       {strings.Replace(city, `"to":"7"`, `"to":"7","currency":"EUR"`, 1), `[]`, "EUR"},
		"a link has no currency": {city, `[{"from":"AAA","to":"BBB","price":{"from":"1","to":"2"}}]`, "price is in"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, err := load(fstest.MapFS{
				"data/aaa.json": {Data: []byte(test.city)},
				"links.json":    {Data: []byte(test.links)},
				"rates.json":    {Data: []byte(rates)},
			})
			if test.want != "" {
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("got %v, want %q", err, test.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if c := l.byCode["AAB"]; c == nil || c.Sights[0].Price.Currency != "USD" {
				t.Errorf("%+v", c)
			}
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := load(files); err != nil {
			b.Fatal(err)
		}
	}
}
