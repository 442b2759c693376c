package finance

import (
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
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
	found := enrich.Of(resultsOf(results), w.q.today)
	out = append(out, found.Say(w.q.language)...)
	return strings.Join(out, "\n\n")
}

// greeting answers small talk where no model does.
func (w way) greeting(why *fault.Error) events {
	text := "I look after your books: who owes you, what is overdue, cash and forecasts, profit, GST and due dates, " +
		"invoices and bills. What would you like to know?"
	switch w.q.language {
	case language.Hinglish:
		text = "Main aapka hisaab dekhta hoon: kisne kitna dena hai, kya overdue hai, cash, munafa, GST aur due dates, " +
			"invoice aur bill. Bataiye, kya dekhna hai?"
	case language.Hindi:
		text = "मैं आपका हिसाब देखता हूँ: किससे कितना लेना है, क्या ओवरड्यू है, कैश, मुनाफ़ा, GST और आख़िरी तारीख़ें, इनवॉइस और बिल। " +
			"बताइए, क्या देखना है?"
	}
	o := agent.Outcome{Understanding: agent.Understanding{Agent: general, Path: agent.PathDirect,
		Category: agent.GeneralChat}, Degraded: []string{why.PublicCode(), modelDown}}
	o.Label, _ = w.t.Profile().Label(general)
	return flow.Say(text, o)
}
