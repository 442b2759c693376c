package views_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/finance/views"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// markup is what must not come out of the text of an answer: tags, links, images, code,
// tables, and the start of a list, a quotation or a heading.
var markup = regexp.MustCompile("(^|[^\\\\])(<|\\]\\(|!\\[|`|\\|)|^\\s*([-+*#>] |[0-9]+[.)] )|\n")

// intact demands that an answer, whatever it is, is shown as text, without ids, and in
// parts that can be sent.
func intact(t *testing.T, name string, arguments, answer []byte) {
	t.Helper()
	for _, l := range []language.Language{language.English, language.Hinglish, language.Hindi, "fr"} {
		said := views.Say(l, name, arguments, answer)
		if len(said) > 6000 || uuid.MatchString(said) {
			t.Errorf("%s: said %d bytes: %.200q", name, len(said), said)
		}
		if m := markup.FindString(said); m != "" {
			t.Errorf("%s: said markup %q in %.300q", name, m, said)
		}
	}
	p := views.Present(name, arguments, answer)
	parts := p.Parts
	if p.Table != nil {
		parts = append([]part.Data{part.Table{Table: *p.Table}}, parts...)
	}
	for _, d := range parts {
		made, err := part.New(d, name, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if table, ok := d.(part.Table); ok {
			for _, row := range table.Rows {
				if len(row) != len(table.Columns) {
					t.Errorf("%s: a row has %d cells for %d columns", name, len(row), len(table.Columns))
				}
			}
			if text := table.Title + table.Plain() + table.Note; uuid.MatchString(text) ||
				strings.ContainsAny(text, "\u202e\u200b\x00") {
				t.Errorf("%s: shows an id or a hidden letter: %.300q", name, text)
			}
			if html := table.HTML(); strings.Contains(html, "<b>") || strings.Contains(html, "<script") {
				t.Errorf("%s: shows markup: %.300q", name, html)
			}
		}
		_ = made
	}
}

const evil = `"<b>x</b><script>alert(1)</script> [a](https://evil.example) ![i](https://evil.example/p) | # *x* ` +
	"`code`" +
	` \u202e\u200b\u0000\n\n- item\n1. one 0d000000-0000-4000-8000-000000000001"`

// hostile are values in the place of any other.
func hostile() []string {
	return []string{`null`, evil, evil, `[]`, `true`, `-1e999999`, `1e400`, `0`, `"0.00"`, `{}`, `[null]`, `[[[]]]`,
		`"9999-99-99"`,
		`12345678901234567890123456789012345678901234567890`, `"id-abcdefgh"`,
		`{"id":"0d000000-0000-4000-8000-000000000001"}`}
}

// S2-29, S2-50: answers are untrusted: a value of another type, a missing one, markup and ids
// in names change nothing but the text that is shown.
func testHostile(t *testing.T, c company) {
	for _, asked := range c.calls {
		var answer map[string]any
		if err := json.Unmarshal(c.answers[asked], &answer); err != nil {
			t.Fatal(err)
		}
		for i, value := range hostile()[:6] {
			mutated, err := json.Marshal(replaced(answer, json.RawMessage(value), i%2))
			if err != nil {
				t.Fatal(err)
			}
			intact(t, asked.tool, []byte(asked.arguments), mutated)
		}
		intact(t, asked.tool, []byte(`{"customer":`+evil+`,"status":`+evil+`,"vendor":`+evil+`}`), c.answers[asked])
		intact(t, asked.tool, nil, nil)
	}
	for _, value := range hostile() {
		intact(t, "get_invoice", []byte(value), []byte(value))
		intact(t, "get_aged_receivables_report", []byte(value), []byte(value))
		intact(t, "unknown", []byte(value), []byte(value))
	}
}

// replaced is an answer with a value in the place of those that are neither list nor
// object; of each object every second member, by name, beginning with the given one.
func replaced(v any, value json.RawMessage, begin int) any {
	switch x := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for i, name := range slices.Sorted(maps.Keys(x)) {
			out[name] = x[name]
			_, object := x[name].(map[string]any)
			_, array := x[name].([]any)
			if object || array || i%2 == begin {
				out[name] = replaced(x[name], value, begin)
			}
		}
		return out
	case []any:
		var out []any
		for _, element := range x {
			out = append(out, replaced(element, value, begin))
		}
		return out
	}
	return value
}

// A long answer takes no long text, and more records than a part holds are counted.
func TestALongAnswerIsCut(t *testing.T) {
	long := strings.Repeat("अ long name ", 300_000)
	intact(t, "get_invoice", nil, fmt.Appendf(nil, `{"invoice":{"number":"1","contact":"%s","total":"1"}}`, long))
	var rows []string
	for i := range 3000 {
		rows = append(rows, fmt.Sprintf(`{"number":"INV/%d","customer":"C%d","total":%d}`, i, i, i))
	}
	answer := []byte(`{"count":3000,"total":3000,"more":false,"invoices":[` + strings.Join(rows, ",") + `]}`)
	intact(t, "get_all_invoices", nil, answer)
	intact(t, "list_everything", nil, answer)
	if n := views.Present("get_all_invoices", nil, answer).Records; n != 3000 {
		t.Errorf("%d records", n)
	}
}

// A server that no declaration knows is shown by what its answers look like.
func TestAnotherServersAnswersAreShown(t *testing.T) {
	const answer = `{"page":{"items":[
		{"itemId":"x1","id":7,"sku_code":"P-1","dueDate":"2026-12-01","unit_price":1234567.5,"on_hold":true,"name":"Kettle"},
		{"itemId":"x2","id":8,"sku_code":"P-2","dueDate":null,"unit_price":"2","on_hold":false,"name":"Pan"}]},
		"currency":"INR","requestUuid":"0d000000-0000-4000-8000-000000000001"}`
	p := views.Present("list_items", json.RawMessage(`{}`), json.RawMessage(answer))
	const want = "Name | Due date | On hold | SKU code | Unit price\nKettle | 01/12/2026 | yes | P-1 | 12,34,567.5\n" +
		"Pan |  | no | P-2 | 2"
	if p.Table == nil || p.Table.Title != "List items" || p.Table.Plain() != want || p.Text != "2 records." {
		t.Errorf("shown are %+v\n%s", p, p.Table.Plain())
	}
	if said := views.Say(language.Hindi, "list_items", nil, json.RawMessage(`[{"a":1}]`)); said != "1 रिकॉर्ड।" {
		t.Error(said)
	}
	if said := views.Say(language.English, "list_items", nil,
		json.RawMessage(`{"items":[]}`)); said != "There are no records." {
		t.Error(said)
	}
	if p := views.Present("ping", nil, json.RawMessage(`{"up":true,"since":"2026-11-20T10:00:00Z"}`)); p.Table == nil ||
		p.Table.Plain() != "Particulars | Value\nSince | 20/11/2026\nUp | yes" {
		t.Errorf("%+v", p.Table)
	}
}

// Our own tools say what they did in English themselves.
func TestOurOwnToolsAreSaidInHindi(t *testing.T) {
	tests := []struct{ tool, answer, hinglish, hindi string }{
		{"calculate_gst", `{"taxable":100000,"rate":12,"tax":{"cgst":6000,"sgst":6000,"igst":0},"total":112000,` +
			`"interstate":false,"state_tax":"SGST","findings":[{"code":"rate","text":"12 % had ended."}]}`,
			"₹1,00,000.00 par 12 % GST: CGST ₹6,000.00, SGST ₹6,000.00, kul ₹1,12,000.00. 12 % had ended.",
			"₹1,00,000.00 पर 12 % GST: CGST ₹6,000.00, SGST ₹6,000.00, कुल ₹1,12,000.00। 12 % had ended."},
		{"calculate_gst", `{"taxable":500,"rate":18,"tax":{"cgst":0,"sgst":0,"igst":90},"total":590,` +
			`"interstate":true,"findings":null}`,
			"₹500.00 par 18 % GST: IGST ₹90.00, kul ₹590.00.", "₹500.00 पर 18 % GST: IGST ₹90.00, कुल ₹590.00।"},
		{"email_invoice", `{"number":"INV/26-27/0194","to":"pay@nilgiri.example"}`,
			"Invoice INV/26-27/0194 pay@nilgiri.example ko mail kar diya.",
			"इनवॉइस INV/26-27/0194 pay@nilgiri.example को मेल कर दिया।"},
		{"email_payment_reminder", `{"number":"INV/26-27/0012","to":"pay@nilgiri.example",` +
			`"at":"2026-11-20T09:00:00Z","earlier":true}`,
			"Invoice INV/26-27/0012 ka yeh reminder 20/11/2026 ko mail ho chuka hai; dobara nahi bheja.",
			"इनवॉइस INV/26-27/0012 का यह रिमाइंडर 20/11/2026 को मेल हो चुका है; दोबारा नहीं भेजा।"},
		{"check_tax_details", `{"fits":[],"findings":[{"code":"form","text":"x"}]}`, "", ""},
	}
	for _, tc := range tests {
		answer := json.RawMessage(tc.answer)
		if said := views.Say(language.English, tc.tool, nil, answer); said != "" {
			t.Errorf("%s: said %q besides its own sentence", tc.tool, said)
		}
		if said := views.Say(language.Hinglish, tc.tool, nil, answer); tc.hinglish != "" && said != tc.hinglish {
			t.Errorf("%s: said %q, want %q", tc.tool, said, tc.hinglish)
		}
		if said := views.Say(language.Hindi, tc.tool, nil, answer); tc.hindi != "" && said != tc.hindi {
			t.Errorf("%s: said %q, want %q", tc.tool, said, tc.hindi)
		}
	}
}

func FuzzPresent(f *testing.F) {
	f.Add("get_overdue_invoices", `{"customer":"Acme"}`, `{"invoices":[{"number":`+evil+
		`,"balance":1}],"total":1,"count":1}`)
	f.Add("get_profit_loss", ``, `{"from":"2026-04-01","totals":{"net_profit":-5},"accounts":[{"section":"revenue",`+
		`"amount":2}]}`)
	f.Add("trend", `{}`, `{"metric":"revenue","months":[{"period":"2026-11","amount":3},{"period":"2026-12",`+
		`"amount":4}]}`)
	f.Add("other", `[]`, `[{"a":{"b":1}},2]`)
	f.Fuzz(func(t *testing.T, name, arguments, answer string) {
		if len(name) > 64 || strings.ContainsAny(name, "<>`|\n") {
			return
		}
		intact(t, name, []byte(arguments), []byte(answer))
	})
}
