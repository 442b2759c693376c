package finance

import (
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/classify"
	"github.com/bellhop-ai/bellhop/pkg/finance/enrich"
	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/finance/views"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// say words results without a model: what each of them shows, then what code found
// in them.
func (w way) say(results []agent.Answered) string {
	var out []string
	for _, r := range results {
		if r.Err != nil {
			out = append(out, render.Escape(fault.From(r.Err).Message))
			continue
		}
		text := views.Say(w.q.language, r.Tool, r.Arguments, r.Data)
		if text == "" {
			text = r.Text
		}
		if text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(append(out, w.notable(results)...), "\n\n")
}

// mentioned returns the one row of the results that a question names, such as an
// account of a breakdown, with its figures; "" where there is none, or several.
func mentioned(text string, results []agent.Answered) string {
	said := map[string]bool{}
	for word := range language.Words(strings.ToLower(text)) {
		said[language.Fold(word)] = true
	}
	found := ""
	for _, r := range results {
		table := views.Present(r.Tool, r.Arguments, r.Data).Table
		if r.Err != nil || table == nil || len(table.Columns) < 2 {
			continue
		}
		for _, row := range table.Rows {
			if len(row) < 2 || !namesRow(said, row[0].Text) {
				continue
			}
			if found != "" {
				return ""
			}
			found = render.Escape(row[0].Text) + ": " + render.Escape(row[1].Text) + "."
		}
	}
	return found
}

// namesRow reports whether a word of a row's name was said that other rows hardly have.
func namesRow(said map[string]bool, name string) bool {
	for word := range language.Words(strings.ToLower(name)) {
		switch word {
		case "total", "other", "others", "sales", "cash", "bank", "account", "goods", "services", "expenses",
			"charges",
			"purchases", "private", "limited", "company":
			continue
		}
		if len(word) >= 4 && said[language.Fold(word)] {
			return true
		}
	}
	return false
}

// maxNotable is how many findings are said: an owner reads them on a phone.
const maxNotable = 2

// notable are the findings that need attention. Trends and ranks are seen in the table
// and the chart.
func (w way) notable(results []agent.Answered) []string {
	found := enrich.Of(resultsOf(results), w.q.today)
	found.Findings = slices.DeleteFunc(found.Findings, func(x enrich.Finding) bool {
		return x.Type == enrich.Ranking || x.Type == enrich.Trend || x.Type == enrich.Currency
	})
	said := found.Say(w.q.language)
	return said[:min(len(said), maxNotable)]
}

// courteous answers small talk in the words of our code.
func (w way) courteous(is classify.Courtesy, degraded ...string) events {
	why := "small talk needs no figures"
	return func(yield func(agent.Event, error) bool) {
		o := agent.Outcome{Understanding: agent.Understanding{Agent: general, Path: agent.PathDirect,
			Category: agent.GeneralChat, Reasoning: why}, Degraded: degraded}
		o.Label, _ = w.t.Profile().Label(general)
		flow.Say(courtesies(w.q.language, is), o)(yield)
	}
}

// courtesies are what is said to small talk.
func courtesies(l language.Language, is classify.Courtesy) string {
	texts := map[classify.Courtesy][3]string{
		classify.Greeting: {"Namaste! What would you like to know about your books?",
			"Namaste! Aapke hisaab mein kya dekhna hai?",
			"नमस्ते! आपके हिसाब में क्या देखना है?"},
		classify.Thanks: {"You are welcome. Is there anything else in the books?",
			"Khushi hui. Aur kuch dekhna hai?",
			"ख़ुशी हुई। और कुछ देखना है?"},
		classify.Farewell: {"Goodbye! Your books are in good hands.", "Alvida! Aapka hisaab surakshit hai.",
			"अलविदा! आपका हिसाब सुरक्षित है।"},
		classify.Fine: {"All right. What shall I look up next?", "Theek hai. Ab kya dekhna hai?",
			"ठीक है। अब क्या देखना है?"},
		classify.Help: {"I am Munimji and look after your books: who owes you, what is overdue, cash and forecasts, " +
			"profit, GST and due dates, invoices and bills. I also prepare invoices, payments and reminders, which " +
			"you approve first. What would you like to know?",
			"Main Munimji hoon, aapka hisaab dekhta hoon: kisne kitna dena hai, kya overdue hai, cash, munafa, GST " +
				"aur due dates, invoice aur bill. Invoice, payment aur reminder bhi banata hoon, aapki manzoori ke " +
				"baad hi. Kya dekhna hai?",
			"मैं मुनीमजी हूँ, आपका हिसाब देखता हूँ: किससे कितना लेना है, क्या ओवरड्यू है, कैश, मुनाफ़ा, GST और " +
				"आख़िरी तारीख़ें, इनवॉइस और बिल। इनवॉइस, पेमेंट और रिमाइंडर भी बनाता हूँ, आपकी मंज़ूरी के बाद ही। " +
				"क्या देखना है?"},
	}
	said, ok := texts[is]
	if !ok {
		said = texts[classify.Help]
	}
	switch l {
	case language.Hinglish:
		return said[1]
	case language.Hindi:
		return said[2]
	}
	return said[0]
}
