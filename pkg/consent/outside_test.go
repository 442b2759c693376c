package consent_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// begun is an outbox in which each act is new.
type begun struct{}

func (begun) Begin(_ context.Context, _ identity.Caller, kind string, _ json.RawMessage) (effect.Entry, bool, error) {
	return effect.Entry{Kind: kind}, true, nil
}

func (begun) Settle(_ context.Context, _ identity.Caller, e effect.Entry) (effect.Entry, error) {
	return e, nil
}

// A third party's books may have changed since the preview, and our database does
// not know: the preview is built again, and another one is asked about anew.
func TestAThirdPartysActIsWhatWasShown(t *testing.T) {
	var sold int
	total, lookErr := "₹118.00", error(nil)
	sell, err := tool.FromSchema(tool.Spec{Name: "sell", Effect: tool.Changes, Description: "Sells one."},
		[]byte(`{"type":"object","properties":{"name":{"type":"string"}}}`), nil,
		tool.AtMostOnce(tool.Act{Outbox: begun{}, Kind: "shop",
			Attempt: func(context.Context, identity.Caller, string, tool.Raw) (any, string, error) {
				sold++
				return json.RawMessage(`{}`), "", nil
			}}),
		tool.Previewed(func(context.Context, identity.Caller, tool.Raw) (tool.Preview, error) {
			return tool.Preview{Title: "Sell", Lines: []tool.Line{{Label: "Total", After: total}}}, lookErr
		}))
	if err != nil {
		t.Fatal(err)
	}
	if !sell.Outside() {
		t.Error("the tool is not outside")
	}
	call := prepare(t, sell, "Red")
	store := &drawer{}
	service := newService(store, "KAYA")
	p, err := service.Propose(t.Context(), manager(), consent.Where{}, call)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := service.Execute(t.Context(), manager(), p, sell); err != nil || sold != 1 {
		t.Fatalf("sold %d times: %v", sold, err)
	}
	total = "₹128.00"
	_, err = service.Execute(t.Context(), manager(), p, sell)
	changed, ok := errors.AsType[*consent.Changed](err)
	if !ok || sold != 1 || changed.Proposal.Preview.Changed[0] != (tool.Line{Label: "Total", Before: "₹118.00",
		After: total}) {
		t.Errorf("sold %d times: %v", sold, err)
	}
	lookErr = fault.New(fault.Unprocessable, "There is none left.")
	if _, err = service.Execute(t.Context(), manager(), p, sell); !errors.Is(err, lookErr) || sold != 1 {
		t.Errorf("sold %d times: %v", sold, err)
	}
	// Another approval was quicker: what it did is no reason to ask again.
	done := p
	done.State = consent.Consumed
	store.kept = []consent.Proposal{done}
	if _, err := service.Execute(t.Context(), manager(), p, sell); err != nil || sold != 2 {
		t.Errorf("sold %d times: %v", sold, err)
	}
}
