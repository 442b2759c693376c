package enrich

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// phrase is a format in English, Hinglish and Hindi; its arguments are numbered.
type phrase [3]string

// sentence is a phrase with what it says.
type sentence struct {
	phrase phrase
	args   []any // name, word, period, calendar.Date, phrase, sentence, []sentence, days, string or int
}

func say(p phrase, args ...any) sentence { return sentence{p, args} }

// name is a text of the books: untrusted.
type name string

// days is a number of days.
type days int

// word is a name of a member or a figure, such as "net_profit": untrusted as well.
type word string

// printer writes sentences for a reader.
type printer struct {
	language language.Language
	quote    func(string) string // for names
	model    bool
}

// forPeople writes Markdown in which names are literal.
func forPeople(l language.Language) printer { return printer{l, render.Escape, false} }

// forModel writes names as JSON texts, so that it is seen where each begins and ends.
func forModel() printer {
	return printer{language.English, strconv.QuoteToGraphic, true}
}

func (p printer) sentence(s sentence) string {
	format := s.phrase[0]
	switch {
	case p.language == language.Hinglish && s.phrase[1] != "":
		format = s.phrase[1]
	case p.language == language.Hindi && s.phrase[2] != "":
		format = s.phrase[2]
	}
	if len(s.args) == 0 {
		return format
	}
	texts := make([]any, len(s.args))
	for i, a := range s.args {
		texts[i] = p.text(a)
	}
	return fmt.Sprintf(format, texts...)
}

func (p printer) text(a any) string {
	switch a := a.(type) {
	case name:
		return p.quote(short(string(a)))
	case word:
		return p.word(string(a))
	case period:
		return a.show(p.language)
	case calendar.Date:
		return rupees.Date(a)
	case phrase:
		return p.sentence(sentence{phrase: a})
	case sentence:
		return p.sentence(a)
	case []sentence:
		texts := make([]string, len(a))
		for i, s := range a {
			texts[i] = p.sentence(s)
		}
		return strings.Join(texts, ", ")
	case int:
		return strconv.Itoa(a)
	case days:
		switch {
		case p.language == language.Hindi:
			return strconv.Itoa(int(a)) + " दिन"
		case p.language == language.Hinglish:
			return strconv.Itoa(int(a)) + " din"
		case a == 1:
			return "1 day"
		}
		return strconv.Itoa(int(a)) + " days"
	case string:
		return a
	}
	panic(fmt.Sprintf("a sentence has no %T", a))
}

// plainWord is what a member's name may be to be said as a word.
var plainWord = regexp.MustCompile(`^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$`)

// word says what a member is about: in the reader's language where it is known.
func (p printer) word(s string) string {
	if known, ok := subjects[s]; ok {
		return p.sentence(sentence{phrase: known})
	}
	// The names of members are a server's words, too.
	if s = short(s); plainWord.MatchString(s) && !p.model {
		return strings.ReplaceAll(s, "_", " ")
	}
	return p.quote(s)
}

// maxName is how many runes of a name are said.
const maxName = 60

// short returns a text on one line without characters that hide or turn text, cut where
// it is long.
func short(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.Is(unicode.Cf, r), unicode.IsControl(r), r == utf8.RuneError:
			return -1
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= maxName {
		return s
	}
	return string([]rune(s)[:maxName-1]) + "…"
}

// sign is the mark of a change: ▲ up, ▼ down, ► none.
func sign(change money.Amount) string {
	switch {
	case change.IsZero():
		return "►"
	case change.Negative():
		return "▼"
	}
	return "▲"
}

// change says by how much a figure has changed: "▲ 28.4 %". Where the ratio has no
// meaning it is the difference in money.
func change(is, was money.Amount, currency string) string {
	difference, err := is.Sub(was)
	if err != nil {
		return "n/a"
	}
	if rate, ok := growth(is, was); ok {
		return sign(rate) + " " + unsigned(rate).Round(1).String() + " %"
	}
	return sign(difference) + " " + in(currency, unsigned(difference))
}

func unsigned(a money.Amount) money.Amount {
	if !a.Negative() {
		return a
	}
	if a, err := money.Zero.Sub(a); err == nil {
		return a
	}
	return a
}

// in formats an amount of a currency; "" is for plain numbers.
func in(currency string, a money.Amount) string {
	if currency == "" {
		return strings.TrimPrefix(a.Round(a.Decimals()).String(), "+")
	}
	return a.Format(currency)
}

// subjects says what the figures of the ledger are about.
var subjects = map[string]phrase{
	"revenue":           {"revenue", "bikri", "बिक्री"},
	"other_income":      {"other income", "doosri aamdani", "अन्य आय"},
	"cost_of_sales":     {"cost of sales", "bikri ki laagat", "बिक्री की लागत"},
	"gross_profit":      {"gross profit", "gross munafa", "सकल लाभ"},
	"expenses":          {"expenses", "kharcha", "खर्च"},
	"expense":           {"expenses", "kharcha", "खर्च"},
	"net_profit":        {"net profit", "net munafa", "शुद्ध लाभ"},
	"cash_in":           {"cash in", "cash aaya", "नकद आवक"},
	"cash_out":          {"cash out", "cash gaya", "नकद जावक"},
	"cash_flow":         {"cash flow", "cash flow", "नकद प्रवाह"},
	"cash":              {"cash", "cash", "नकद"},
	"closing":           {"closing balance", "closing balance", "अंतिम शेष"},
	"receivables":       {"receivables", "lena baaki", "प्राप्य राशि"},
	"payables":          {"payables", "dena baaki", "देय राशि"},
	"invoices":          {"invoices", "invoice", "इनवॉइस"},
	"overdue_invoices":  {"overdue invoices", "overdue invoice", "बकाया इनवॉइस"},
	"bills":             {"bills", "bill", "बिल"},
	"open_bills":        {"open bills", "khule bill", "खुले बिल"},
	"payments":          {"payments", "payment", "भुगतान"},
	"customers":         {"customers", "grahak", "ग्राहक"},
	"vendors":           {"vendors", "vendor", "विक्रेता"},
	"products":          {"products", "product", "उत्पाद"},
	"stock":             {"stock value", "stock ki keemat", "स्टॉक का मूल्य"},
	"input_credit":      {"input credit", "input credit", "इनपुट क्रेडिट"},
	"revenue_customer":  {"revenue by customer", "grahak ke hisaab se bikri", "ग्राहक के अनुसार बिक्री"},
	"revenue_product":   {"revenue by product", "product ke hisaab se bikri", "उत्पाद के अनुसार बिक्री"},
	"revenue_state":     {"revenue by state", "state ke hisaab se bikri", "राज्य के अनुसार बिक्री"},
	"revenue_hsn":       {"revenue by HSN", "HSN ke hisaab se bikri", "HSN के अनुसार बिक्री"},
	"expense_account":   {"expenses by account", "khaate ke hisaab se kharcha", "खाते के अनुसार खर्च"},
	"expense_group":     {"expenses by group", "group ke hisaab se kharcha", "समूह के अनुसार खर्च"},
	"expense_vendor":    {"purchases by vendor", "vendor ke hisaab se kharid", "विक्रेता के अनुसार खरीद"},
	"bank_and_cash":     {"bank and cash", "bank aur cash", "बैंक और नकद"},
	"receipt":           {"receipts", "receipt", "प्राप्ति"},
	"payment":           {"payments made", "diye gaye payment", "किए गए भुगतान"},
	"amount":            {"amounts", "rakam", "राशि"},
	"total":             {"total", "kul", "कुल"},
	"balance":           {"balances", "baaki", "शेष"},
	"forecast_revenue":  {"forecast revenue", "bikri ka anumaan", "बिक्री का अनुमान"},
	"forecast_cash":     {"expected cash", "cash ka anumaan", "नकद का अनुमान"},
	"forecast_expenses": {"forecast expenses", "kharche ka anumaan", "खर्च का अनुमान"},
}
