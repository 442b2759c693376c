package tool_test

import (
	"context"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

type stayInput struct {
	Guest    string        `json:"guest" jsonschema:"the guest's full name"`
	Rooms    []string      `json:"rooms" jsonschema:"codes of the rooms"`
	From     calendar.Date `json:"from" jsonschema:"the first night, as 2026-05-03"`
	To       calendar.Date `json:"to" jsonschema:"the day of departure, as 2026-05-07"`
	Adults   int           `json:"adults" jsonschema:"how many adults stay"`
	Discount money.Amount  `json:"discount,omitempty" jsonschema:"an amount off the total"`
	Notes    string        `json:"notes,omitempty" jsonschema:"what else is to be known"`
}

// BenchmarkPrepare checks the arguments of a booking against its schema and
// makes them canonical.
func BenchmarkPrepare(b *testing.B) {
	book := tool.New(tool.Spec{Name: "price_stay", Effect: tool.Reads,
		Description: "Prices a stay of a guest in some rooms."},
		func(context.Context, identity.Caller, stayInput) (string, error) { return "", nil })
	arguments := []byte(`{"guest":"Asha Rao","rooms":["COCO","PALM"],"from":"2026-05-03","to":"2026-05-07",` +
		`"adults":2,"discount":150.50,"notes":"late, \"about\" ten"}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := book.Prepare(arguments); err != nil {
			b.Fatal(err)
		}
	}
}
