package tool_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

type stay struct {
	Code   string          `json:"code,omitempty" jsonschema:"the code"`
	Names  []string        `json:"names,omitempty" jsonschema:"who comes"`
	Note   *string         `json:"note,omitempty" limits:"note" jsonschema:"wishes"`
	From   calendar.Date   `json:"from,omitzero" jsonschema:"the first day"`
	Others []calendar.Date `json:"others,omitempty" jsonschema:"other days"`
	Price  *money.Amount   `json:"price,omitempty" jsonschema:"the price"`
	Shift  money.Amount    `json:"shift,omitzero" limits:"signed" jsonschema:"what it changes"`
	party
}

type party struct {
	Guests int `json:"guests,omitempty" jsonschema:"how many come"`
	Uses   int `json:"uses,omitempty" limits:"max=5000" jsonschema:"how often"`
}

func bookStay(t *testing.T) tool.Tool {
	t.Helper()
	made := tool.New(tool.Spec{Name: "book_stay", Effect: tool.Writes, Description: "Books a stay for somebody."},
		func(context.Context, identity.Caller, stay) (bool, error) { return true, nil })
	if err := made.Check(); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return tool.Within([]tool.Tool{made}, tool.Bounds{Now: func() time.Time { return now }})[0]
}

// F-61, F-22: what fits the schema and makes no sense is refused by the type of
// its field, before anybody is asked.
func TestArgumentsThatMakeNoSenseAreRefused(t *testing.T) {
	t.Parallel()
	book := bookStay(t)
	for name, tc := range map[string]struct{ args, says string }{
		"the year 9999": {`{"from":"9999-01-01"}`,
			"from must be from 2016-03-01 to 2031-03-01, not 9999-01-01. Is the year right?"},
		"a day beyond the horizon": {`{"from":"2031-03-02"}`, "from must be from"},
		"a day long ago":           {`{"others":["2026-01-01","0001-01-01"]}`, "others[1] must be from 2016-03-01"},
		"a name of tags": {`{"names":["Asha","\udb40\udc41"]}`,
			"names[1] holds a character that nobody sees (U+E0041)"},
		"a code that hides": {`{"code":"CO\u200bCO"}`,
			"code holds a character that nobody sees (U+200B); write it without."},
		"a code of two scripts": {`{"code":"СOCO"}`,
			"code has letters of two scripts in one word: С (U+0421, Cyrillic)"},
		"a name without an end":      {`{"names":["` + strings.Repeat("a", 401) + `"]}`, "longer than 400 letters"},
		"a note of nothing":          {`{"note":"\u2063\u2064"}`, "made of characters that nobody sees"},
		"a price beyond all":         {`{"price":100000000}`, "price must be from 0 to 99999999, not 100000000."},
		"a price of forty digits":    {`{"price":1e30}`, "is not an amount"},
		"a price below nothing":      {`{"price":-0.01}`, "price must be from 0"},
		"a change beyond all":        {`{"shift":-100000000}`, "shift must be from -99999999 to 99999999"},
		"a crowd":                    {`{"guests":1001}`, "guests must be from 0 to 1000, not 1001."},
		"less than nobody":           {`{"guests":-1}`, "guests must be from 0"},
		"a count with its own limit": {`{"uses":5001}`, "uses must be from 0 to 5000"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := book.Prepare([]byte(tc.args))
			if !fault.Is(err, fault.Invalid) || !strings.Contains(fault.From(err).Message, tc.says) {
				t.Errorf("got %v", err)
			}
		})
	}
	for _, args := range []string{
		`{"code":"COCO कैबिन","names":["आशा","क्` + "\u200d" + `ष","Zoë Müller","Иван Петров","👩` + "\u200d" +
			`🍳"],"note":"no` + "\u202e" + `thing","from":"2031-03-01","price":0,"shift":-5,"guests":1000,"uses":5000}`,
		`{"code":"","names":[],"others":["2016-03-01"]}`,
	} {
		if _, err := book.Prepare([]byte(args)); err != nil {
			t.Errorf("%s: %v", args, err)
		}
	}
}

// A number has one form, so one amount is one call, in whatever form it is written.
func TestANumberHasOneForm(t *testing.T) {
	t.Parallel()
	book := bookStay(t)
	for want, written := range map[string][]string{
		`{"price":50}`:   {"50", "50.0", "5e1", "5E+1", "500e-1", "0.5e2", "50.000000"},
		`{"price":0}`:    {"0", "-0", "0.00", "0e5"},
		`{"price":0.05}`: {"0.05", "5e-2", "0.050"},
		`{"guests":20}`:  {"20", "2e1", "20.0"},
	} {
		hashes := map[string]bool{}
		for _, number := range written {
			name := want[2:strings.LastIndex(want, `"`)]
			call, err := book.Prepare([]byte(`{"` + name + `":` + number + `}`))
			if err != nil || string(call.Arguments) != want {
				t.Errorf("%s becomes %s, %v", number, call.Arguments, err)
			}
			hashes[call.Hash] = true
		}
		if len(hashes) != 1 {
			t.Errorf("%s has %d hashes", want, len(hashes))
		}
	}
	for _, number := range []string{"1e31", "1e-31", "1e999999999999999999", "1.5e30" + strings.Repeat("0", 40)} {
		if _, err := book.Prepare([]byte(`{"price":` + number + `}`)); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", number, err)
		}
	}
}

func TestLimitsThatFitNoFieldAreReported(t *testing.T) {
	t.Parallel()
	made := tool.New(tool.Spec{Name: "book_stay", Effect: tool.Writes, Description: "Books a stay for somebody."},
		func(context.Context, identity.Caller, struct {
			Guests int `json:"guests" limits:"note" jsonschema:"how many come"`
		}) (bool, error) {
			return true, nil
		})
	if err := made.Check(); err == nil || !strings.Contains(err.Error(), `the limits "note" do not fit`) {
		t.Errorf("got %v", err)
	}
}
