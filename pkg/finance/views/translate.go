package views

import (
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/finance/language"
)

// codeWords are the words for values that the ledger writes as codes: in English and
// Hinglish, and in Hindi.
func codeWords() map[string][2]string {
	return map[string][2]string{
		"unpaid":         {"unpaid", "बकाया"},
		"partly_paid":    {"partly paid", "आंशिक रूप से चुकता"},
		"overdue":        {"overdue", "ओवरड्यू"},
		"paid":           {"paid", "चुकता"},
		"void":           {"void", "रद्द"},
		"unapplied":      {"not applied", "बिना समायोजन"},
		"partly_applied": {"partly applied", "आंशिक समायोजित"},
		"applied":        {"applied", "समायोजित"},
		"delivered":      {"delivered", "डिलीवर"},
		"returned":       {"returned", "वापस आया"},
		"invoiced":       {"invoiced", "इनवॉइस बना"},
		"cancelled":      {"cancelled", "रद्द"},
		"active":         {"active", "चालू"},
		"sale":           {"sale", "बिक्री"},
		"purchase":       {"purchase", "खरीद"},
		"adjustment":     {"adjustment", "समायोजन"},
		"opening":        {"opening", "प्रारंभिक"},
		"posted":         {"posted", "दर्ज"},
		"reversed":       {"reversed", "उलटा गया"},
		"deleted":        {"deleted", "हटाया गया"},
		"open":           {"open", "खुला"},
		"locked":         {"locked", "लॉक"},
		"filed":          {"filed", "दाखिल"},
		"due":            {"due within a week", "एक सप्ताह में देय"},
		"upcoming":       {"upcoming", "आगे देय"},
		"matched":        {"matched", "मिलान हुआ"},
		"unmatched":      {"not matched", "बिना मिलान"},
		"excluded":       {"excluded", "अलग रखा"},
		"receipt":        {"receipt", "प्राप्ति"},
		"payment":        {"payment", "भुगतान"},
		"invoice":        {"invoice", "इनवॉइस"},
		"bill":           {"bill", "बिल"},
		"credit_note":    {"credit note", "क्रेडिट नोट"},
		"debit_note":     {"debit note", "डेबिट नोट"},
		"in":             {"in", "आया"},
		"out":            {"out", "गया"},
		"goods":          {"goods", "माल"},
		"service":        {"service", "सेवा"},
		"revenue":        {"revenue", "बिक्री"},
		"other_income":   {"other income", "अन्य आय"},
		"cost_of_sales":  {"cost of sales", "बिक्री की लागत"},
		"gross_profit":   {"gross profit", "सकल लाभ"},
		"expenses":       {"expenses", "खर्च"},
		"net_profit":     {"net profit", "शुद्ध लाभ"},
		"cash_in":        {"cash received", "प्राप्त नकदी"},
		"cash_out":       {"cash paid", "चुकाई नकदी"},
		"cash_flow":      {"cash flow", "नकदी प्रवाह"},
		"assets":         {"assets", "संपत्ति"},
		"liabilities":    {"liabilities", "देनदारियाँ"},
		"equity":         {"equity", "पूँजी"},
		"operating":      {"operating", "परिचालन"},
		"investing":      {"investing", "निवेश"},
		"financing":      {"financing", "वित्तीय"},
		"asset":          {"asset", "संपत्ति"},
		"liability":      {"liability", "देनदारी"},
		"income":         {"income", "आय"},
		"expense":        {"expense", "खर्च"},
		"igst":           {"IGST", "IGST"},
		"cgst":           {"CGST", "CGST"},
		"sgst":           {"SGST", "SGST"},
		"b2b":            {"to registered buyers (B2B)", "पंजीकृत खरीदारों को (B2B)"},
		"b2cl":           {"large, to consumers (B2C large)", "उपभोक्ताओं को, बड़े (B2C large)"},
		"b2cs":           {"to consumers (B2C)", "उपभोक्ताओं को (B2C)"},
		"exp":            {"exports", "निर्यात"},
		"cdnr":           {"notes to registered buyers", "पंजीकृत खरीदारों के नोट"},
		"cdnur":          {"notes to others", "अन्य के नोट"},
		"not_due":        {"not due", "देय नहीं"},
		"1-30":           {"1–30 days", "1–30 दिन"},
		"31-60":          {"31–60 days", "31–60 दिन"},
		"61-90":          {"61–90 days", "61–90 दिन"},
		"90+":            {"over 90 days", "90 दिन से अधिक"},
		"manual":         {"by hand", "हाथ से"},
		"mom":            {"month", "महीना"},
		"qoq":            {"quarter", "तिमाही"},
		"yoy":            {"financial year", "वित्त वर्ष"},
		"account":        {"account", "खाता"},
		"group":          {"group", "समूह"},
		"month":          {"month", "महीना"},
		"vendor":         {"vendor", "विक्रेता"},
		"customer":       {"customer", "ग्राहक"},
		"product":        {"product", "उत्पाद"},
		"state":          {"state", "राज्य"},
		"hsn":            {"HSN or SAC", "HSN या SAC"},
	}
}

// translated returns the words for a code; for an unknown one they are made of it.
func translated(l language.Language, s string) string {
	w, ok := codes()[s]
	switch {
	case !ok:
		return strings.ReplaceAll(s, "_", " ")
	case l == language.Hindi:
		return w[1]
	}
	return w[0]
}

func monthName(l language.Language, m time.Month) string {
	if l == language.Hindi {
		return [...]string{"जनवरी", "फ़रवरी", "मार्च", "अप्रैल", "मई", "जून", "जुलाई", "अगस्त", "सितंबर", "अक्टूबर",
			"नवंबर", "दिसंबर"}[m-1]
	}
	return m.String()
}

// abbreviations are words of field names that are written in capitals.
var abbreviations = regexp.MustCompile(
	`(?i)\b(gst|gstin|igst|cgst|sgst|hsn|sac|pan|tds|tcs|itc|arn|irn|ifsc|utr|kpi|dso|upi|emi|sku|msme|fy|url)\b`)

var humps = regexp.MustCompile(`([\p{Ll}0-9])(\p{Lu})`)

// heading makes words of the name of a member: "due_date" is "Due date".
func heading(name string) string {
	s := strings.ToLower(humps.ReplaceAllString(name, "$1 $2"))
	s = strings.NewReplacer("_", " ", "-", " ", ".", " ").Replace(s)
	s = abbreviations.ReplaceAllStringFunc(clean(s, 60), strings.ToUpper)
	return upperFirst(s)
}

func upperFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return strings.ToUpper(string(r)) + s[size:]
}
