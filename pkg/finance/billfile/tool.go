package billfile

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/gst"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/read_bill.md
var readBillText string

// Name is the name of the tool.
const Name = "read_bill"

// Files are the files that people uploaded.
type Files interface {
	// ReadText returns the name and the text of a file of by's that is ready, by the id
	// that stands beside it in the conversation. Of a picture there is no text. It
	// returns fault.NotFound for a file that is not there or is another user's.
	ReadText(ctx context.Context, by identity.Caller, id string) (name, text string, picture bool, err error)
}

// Books asks a tool of the books that reads.
type Books func(ctx context.Context, by identity.Caller, tool string, arguments any) (json.RawMessage, error)

type input struct {
	File string `json:"file" jsonschema:"id of the attached bill, from its attached_file mark"`
	Text string `json:"text,omitempty" limits:"note" jsonschema:"of a picture only: all that stands in it, line by line, exactly as printed; a row of a table is one line"`
}

// Bill is the answer of the tool: the draft, and what the books know of it.
type Bill struct {
	Draft
	// InBooks is what the books have: the vendor's name, and the number of a bill with
	// this number.
	InBooks struct {
		Vendor string `json:"vendor,omitempty"`
		Code   string `json:"code,omitempty"`
		Bill   string `json:"bill,omitempty"`
	} `json:"in_books"`
	// Arguments are those of create_bill; null while something is missing.
	Arguments json.RawMessage `json:"create_bill"`
}

// Tools returns the tool read_bill. Books may be nil: then the vendor is not looked up,
// and the company's own GSTIN is told from the vendor's only by its place.
func Tools(files Files, books Books, now calendar.Clock) []tool.Tool {
	return []tool.Tool{tool.New(tool.Spec{Name: Name, Effect: tool.Reads, Category: "bills", Untrusted: []string{"*"},
		Description: readBillText,
		Extension:   "a bill is entered from a photo or a PDF; every field shows where it was read"},
		func(ctx context.Context, by identity.Caller, in input) (Bill, error) {
			return read(ctx, by, in, files, books, now)
		})}
}

func read(ctx context.Context, by identity.Caller, in input, files Files, books Books, now calendar.Clock) (Bill,
	error) {
	name, text, picture, err := files.ReadText(ctx, by, in.File)
	if err != nil {
		return Bill{}, err
	}
	if picture {
		if text = in.Text; strings.TrimSpace(text) == "" {
			return Bill{}, fault.New(fault.Invalid, "“%s” is a picture. Give all that stands in it as text, line by "+
				"line; if you cannot see it, ask the person for a PDF.", name)
		}
	}
	zone, err := by.Entity.Location()
	if err != nil {
		return Bill{}, err
	}
	ask := asking{ctx, by, books}
	b := Bill{Draft: Read(name, text, picture, ask.company(), calendar.Today(now(), zone))}
	ask.about(&b)
	b.Arguments = b.Draft.Arguments(b.InBooks.Code)
	if b.InBooks.Bill != "" {
		b.Arguments = nil // it would be entered twice
	}
	return b, nil
}

// asking asks the books. What they do not answer is not known, and the draft is shown
// without it.
type asking struct {
	ctx   context.Context
	by    identity.Caller
	books Books
}

func (a asking) of(name string, arguments, out any) bool {
	if a.books == nil {
		return false
	}
	raw, err := a.books(a.ctx, a.by, name, arguments)
	return err == nil && json.Unmarshal(raw, out) == nil
}

func (a asking) company() Company {
	var c struct {
		Company struct {
			GSTIN string `json:"gstin"`
			State string `json:"state_code"`
		} `json:"company"`
	}
	if !a.of("get_company", struct{}{}, &c) {
		return Company{}
	}
	out := Company{GSTIN: strings.ToUpper(c.Company.GSTIN), State: c.Company.State}
	if g, _, err := gst.CheckGSTIN(out.GSTIN); err == nil && out.State == "" {
		out.State = g.State
	}
	return out
}

// about looks the vendor and the bill up.
func (a asking) about(b *Bill) {
	var v struct {
		Vendor struct{ Name, Code, GSTIN string }
	}
	by := b.GSTIN.Value
	if by == "" {
		by = b.Vendor.Value
	}
	switch {
	case by == "" || a.books == nil:
		return
	case !a.of("get_vendor", map[string]string{"vendor": by}, &v) || v.Vendor.Name == "":
		b.problem("The books have no vendor with this GSTIN or name: create the vendor first.")
		return
	}
	b.InBooks.Vendor, b.InBooks.Code = v.Vendor.Name, v.Vendor.Code
	var bill struct {
		Bill struct {
			Number  string `json:"number"`
			Vendor  string `json:"vendor_number"`
			Contact string `json:"contact"`
			State   string `json:"state"`
		} `json:"bill"`
	}
	if b.Number.Value != "" && a.of("get_bill", map[string]string{"number": b.Number.Value}, &bill) &&
		bill.Bill.Contact == v.Vendor.Name && strings.EqualFold(bill.Bill.Vendor, b.Number.Value) &&
		bill.Bill.State != "void" {
		b.InBooks.Bill = bill.Bill.Number
		b.problem("The books have this bill already, as %s.", bill.Bill.Number)
	}
}

// Summarize says how far the draft is.
func (b Bill) Summarize() string {
	var s strings.Builder
	fmt.Fprintf(&s, "Draft of the bill in “%s”; nothing is recorded yet.", render.Escape(b.File))
	if len(b.Missing) > 0 {
		fmt.Fprintf(&s, " Missing: %s.", strings.Join(b.Missing, ", "))
	}
	for _, p := range b.Problems[:min(5, len(b.Problems))] {
		s.WriteString(" " + render.Escape(p))
	}
	if n := len(b.Problems) - 5; n > 0 {
		fmt.Fprintf(&s, " %d more problems are in the note.", n)
	}
	return s.String()
}

// Count is the number of fields and lines that were read.
func (b Bill) Count() int { return len(b.Table().Rows) }

// Table lists the fields with the place where each was read.
func (b Bill) Table() render.Table {
	t := render.Table{Title: "Draft of a bill", Columns: []render.Column{{Key: "field", Label: "Field"},
		{Key: "value", Label: "Value"}, {Key: "from", Label: "Read from"}}}
	row := func(label, value, from string) {
		if from == "" {
			value, from = "missing", ""
		}
		t.Rows = append(t.Rows, []render.Cell{render.Text(label), render.Text(value), render.Text(from)})
	}
	some := func(label, value, from string) {
		if from != "" {
			row(label, value, from)
		}
	}
	vendor := b.Vendor.Value
	if b.InBooks.Vendor != "" && !strings.EqualFold(b.InBooks.Vendor, vendor) {
		vendor += " (in the books: " + b.InBooks.Vendor + ")"
	}
	row("Vendor", strings.TrimSpace(vendor), b.Vendor.From)
	row("GSTIN", b.GSTIN.Value, b.GSTIN.From)
	row("Bill number", b.Number.Value, b.Number.From)
	row("Date", rupees.Date(b.Date.Value), b.Date.From)
	some("Due date", rupees.Date(b.DueDate.Value), b.DueDate.From)
	if state, ok := gst.StateName(b.Place.Value); ok {
		some("Place of supply", state, b.Place.From)
	}
	some("Reverse charge", b.ReverseCharge.Value, b.ReverseCharge.From)
	for i, l := range b.Lines {
		row(fmt.Sprintf("Line %d", i+1), l.show(), l.From)
		some(fmt.Sprintf("Line %d, rate of GST", i+1), percent(l.GSTRate.Value), l.GSTRate.From)
	}
	for _, a := range []struct {
		label string
		Amount
	}{{"Before tax", b.Taxable}, {"CGST", b.CGST}, {"SGST", b.SGST}, {"IGST", b.IGST}, {"Round off", b.RoundOff}} {
		some(a.label, rupees.Format(a.Value), a.From)
	}
	row("Total", rupees.Format(b.Total.Value), b.Total.From)
	if len(b.Problems) > 0 {
		t.Note = strings.Join(b.Problems, " ")
	}
	return t
}

func percent(a money.Amount) string { return a.Round(a.Decimals()).String() + " %" }

// show says what was bought: "10 nos × ₹212.00 = ₹2,120.00".
func (l Line) show() string {
	text := l.Description
	if l.HSN != "" {
		text += " (HSN " + l.HSN + ")"
	}
	quantity := strings.TrimSpace(l.Quantity.String() + " " + l.Unit)
	return text + ": " + quantity + " × " + rupees.Format(l.Rate) + " = " + rupees.Format(l.Taxable)
}

// Show offers to enter the bill when nothing that it needs is missing and all of it fits.
func (b Bill) Show() []part.Data {
	if b.Arguments == nil || b.InBooks.Code == "" || len(b.Problems) > 0 {
		return nil
	}
	return part.Next(part.Call("Enter this bill", "create_bill", b.Arguments))
}
