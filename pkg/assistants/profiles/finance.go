package profiles

import "github.com/bellhop-ai/bellhop/pkg/assistants"

// Finance is the profile of Munimji, who keeps an eye on the books of a company.
func Finance() assistants.Profile {
	return assistants.Profile{
		Name: "finance", Title: "Munimji", EntityKind: "company", Records: true, Prefix: "MJ",
		Greeting: "Namaste, I am Munimji. I look after your books: who owes you, cash, GST, invoices and bills. " +
			"What would you like to know?",
		Suggestions: []string{
			"Who owes me money?", "How much cash do we have today?", "Which tax is due this month?",
			"Pichle mahine ki bikri dikhao",
		},
		Changes: []string{"Make an invoice", "Remind the overdue customers"},
		Opening: "get_kpi_dashboard",
		AgentNames: []assistants.AgentName{
			{Name: "unified", Label: "Munimji"},
			{Name: "general_chat", Label: "Munimji"},
		},
		Talk:     []string{"general_chat"},
		Variants: []assistants.Variant{{Pipeline: "realtime"}, {Pipeline: "api"}},
		Parts:    []string{"table", "chart", "choices", "link", "params", "clarification"},

		ReadsFiles: true,
	}
}
