package tool

import (
	"context"
	"encoding/json"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// Presentation is what people see of the answer of a third party's tool, whose
// answer is plain JSON. The zero Presentation shows nothing.
type Presentation struct {
	Text    string        // one to three sentences; see Summarizer
	Table   *render.Table // nil for none
	Parts   []part.Data   // beside the table; see Shower
	Records int           // how many records the answer has; 0 counts the table's rows
}

// Presented gives a tool of FromSchema its presentation: made by our code from the
// arguments of the call and from the answer, which has handles in the place of ids.
// It is called once for each answer of the third party and only computes; a panic
// in it becomes an error of the call. Models read the answer itself beside the text.
func Presented(present func(arguments, answer json.RawMessage) Presentation) Option[Raw] {
	return func(t *Tool) { t.present = present }
}

// presenting returns run with answers that show themselves as present says.
func presenting(present func(arguments, answer json.RawMessage) Presentation,
	run func(context.Context, identity.Caller, any) (any, error),
) func(context.Context, identity.Caller, any) (any, error) {
	return func(ctx context.Context, by identity.Caller, input any) (any, error) {
		out, err := run(ctx, by, input)
		if _, again := out.(WasDone); again || err != nil {
			return out, err
		}
		data, err := json.Marshal(out)
		if err != nil {
			return nil, err
		}
		p := presented{data: data, shows: present(*input.(*Raw), data)}
		if p.shows.Table == nil {
			return p, nil
		}
		return presentedTable{p}, nil
	}
}

// presented is an answer with its presentation.
type presented struct {
	data  json.RawMessage
	shows Presentation
}

func (p presented) MarshalJSON() ([]byte, error) { return p.data, nil }
func (p presented) Show() []part.Data            { return p.shows.Parts }
func (p presented) Summarize() string            { return p.shows.Text }

func (p presented) Count() int {
	switch {
	case p.shows.Records > 0:
		return p.shows.Records
	case p.shows.Table != nil:
		return len(p.shows.Table.Rows)
	}
	return 1
}

// presentedTable is one with a table.
type presentedTable struct{ presented }

func (p presentedTable) Table() render.Table { return *p.shows.Table }
