// Package writes shows, before a tool of the ledger writes, what the books will
// do: the postings, the particulars that the law wants, and what speaks against
// it. Everything is computed from the arguments and from what the ledger answers
// to tools that read; nothing is written, and no figure comes from a model.
package writes

import (
	"context"
	"encoding/json"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Reader asks a tool of the ledger that only reads, with arguments that encode as
// a JSON object, and returns its answer. It does not replace ids by handles.
// Errors are those of the tool.
type Reader func(ctx context.Context, by identity.Caller, tool string, arguments any) (json.RawMessage, error)

// Preview returns what shows a call of the tool before it is done; nil for a tool
// that this package does not know, which is then shown by its arguments.
//
// A preview has the lines of the posting ("Dr 1100 Trade receivables" and an
// amount; debits equal credits), what the books compute, and warnings. Its targets
// are the documents and contacts of the ledger that the call is about, so that
// another question about one of them takes the place of this one. What the books
// will refuse for certain, such as a month that is closed, is a warning that
// says so; what cannot be shown at all, such as a customer that is not there or
// 31/02, is an error.
func Preview(name string, read Reader, now calendar.Clock) func(context.Context, identity.Caller, tool.Raw) (
	tool.Preview, error) {
	show := shows(name)
	if show == nil {
		return nil
	}
	return func(ctx context.Context, by identity.Caller, in tool.Raw) (tool.Preview, error) {
		d := &draft{ctx: ctx, by: by, read: read, today: calendar.Today(now(), zone(by))}
		if err := show(d, in); err != nil {
			return tool.Preview{}, err
		}
		if err := d.finish(); err != nil {
			return tool.Preview{}, err
		}
		return d.p, nil
	}
}

// show fills a preview from the arguments.
type show func(*draft, tool.Raw) error

// of decodes the arguments of a tool.
func of[In any](f func(*draft, In) error) show {
	return func(d *draft, raw tool.Raw) error {
		var in In
		if err := json.Unmarshal(raw, &in); err != nil {
			if f := fault.From(err); f != nil && f.Kind == fault.Invalid {
				return f
			}
			return fault.Wrap(fault.Invalid, err, "The arguments could not be read.")
		}
		return f(d, in)
	}
}

// shows returns what shows a tool, nil for one that is not known.
func shows(name string) show {
	switch name {
	case "create_invoice":
		return of(createInvoice)
	case "create_bill":
		return of(createBill)
	case "update_invoice":
		return of(updateInvoice)
	case "update_bill":
		return of(updateBill)
	case "void_invoice":
		return of(func(d *draft, in voidArguments) error { return voidDocument(d, "invoice", in) })
	case "void_bill":
		return of(func(d *draft, in voidArguments) error { return voidDocument(d, "bill", in) })
	case "create_payment":
		return of(createPayment)
	case "create_expense":
		return of(createExpense)
	case "create_customer":
		return of(func(d *draft, in contactArguments) error { return createContact(d, "customer", in) })
	case "create_vendor":
		return of(func(d *draft, in contactArguments) error { return createContact(d, "vendor", in) })
	case "update_customer":
		return of(func(d *draft, in contactArguments) error { return updateContact(d, "customer", in) })
	case "update_vendor":
		return of(func(d *draft, in contactArguments) error { return updateContact(d, "vendor", in) })
	}
	return others(name)
}
