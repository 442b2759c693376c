package invoice

import (
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/finance/gst"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// Sheet lays an invoice out for its customer. Made is when.
func (v Invoice) Sheet(made time.Time) (render.Sheet, error) {
	taxes, err := v.taxTable()
	if err != nil {
		return render.Sheet{}, err
	}
	s := render.Sheet{Title: v.Title() + " " + v.Number, Made: made, Parts: []render.SheetPart{
		{Groups: []render.Group{v.Supplier.group("Supplier"), v.Customer.group("Billed to")}},
		{Groups: v.particulars()},
		{Table: v.lineTable()}, {Table: taxes}, {Table: v.sumTable()},
		{Text: "In words: " + rupees.Words(v.Total)},
	}}
	for _, text := range []string{v.declaration(), v.Notes, "For " + v.Supplier.Name + ":\n\nAuthorised signatory"} {
		if strings.TrimSpace(text) != "" {
			s.Parts = append(s.Parts, render.SheetPart{Text: text})
		}
	}
	return s, nil
}

func (p Party) group(title string) render.Group {
	g := render.Group{Title: title}
	g.Add("", p.Name)
	g.Add("", p.Address)
	state := p.State
	if p.StateCode != "" {
		state += " (" + p.StateCode + ")"
	}
	g.Add("State", state)
	if p.GSTIN != "" {
		g.Add("GSTIN", p.GSTIN)
	} else {
		g.Add("GSTIN", "not registered")
	}
	g.Add("E-mail", p.Email)
	g.Add("Phone", p.Phone)
	return g
}

func (v Invoice) particulars() []render.Group {
	var left, right render.Group
	left.Add("Number", v.Number)
	left.Add("Date", rupees.Date(v.Date))
	left.Add("Due", rupees.Date(v.Due))
	right.Add("Place of supply", place(v.Place))
	right.Add("Reverse charge", map[bool]string{true: "Yes", false: "No"}[v.ReverseCharge])
	right.Add("IRN", v.Registered.IRN)
	right.Add("Ack. number", v.Registered.AckNumber)
	return []render.Group{left, right}
}

// place returns "Kerala (32)".
func place(code string) string {
	if name, ok := gst.StateName(code); ok {
		return name + " (" + code + ")"
	}
	return code
}

// declaration is what must stand on an export, and what reverse charge means.
func (v Invoice) declaration() string {
	switch {
	case v.Supply == "export" && v.IGST.IsZero():
		return "Supply meant for export under bond or letter of undertaking without payment of integrated tax."
	case v.Supply == "export":
		return "Supply meant for export on payment of integrated tax."
	case v.ReverseCharge:
		return "The tax on this supply is payable by the recipient under reverse charge."
	}
	return ""
}

// plain is an amount without the symbol, for columns that name the currency.
func plain(a money.Amount) render.Cell {
	return render.Cell{Text: strings.Replace(rupees.Format(a), "₹", "", 1), Value: a}
}

func percent(a money.Amount) string { return a.Round(a.Decimals()).String() + " %" }

func column(key, label string) render.Column {
	return render.Column{Key: key, Label: label, Right: true}
}

// heads are the columns of tax: by the place of supply, since the others are zero.
func (v Invoice) heads() []render.Column {
	if v.Interstate() {
		return []render.Column{column("igst", "IGST")}
	}
	return []render.Column{column("cgst", "CGST"), column("sgst", gst.StateTax(v.Place))}
}

func (v Invoice) taxCells(t gst.Tax) []render.Cell {
	if v.Interstate() {
		return []render.Cell{plain(t.IGST)}
	}
	return []render.Cell{plain(t.CGST), plain(t.SGST)}
}

func (v Invoice) lineTable() *render.Table {
	discounted := slices.ContainsFunc(v.Lines, func(l Line) bool { return !l.Discount.IsZero() })
	t := &render.Table{Columns: []render.Column{
		column("line", "No."), {Key: "description", Label: "Description"}, {Key: "hsn", Label: "HSN/SAC"},
		column("quantity", "Quantity"), column("rate", "Rate"),
	}, Note: "Amounts in ₹."}
	if discounted {
		t.Columns = append(t.Columns, column("discount", "Discount"))
	}
	t.Columns = append(append(t.Columns, column("taxable", "Taxable"), column("gst", "GST")), v.heads()...)
	for _, l := range v.Lines {
		row := []render.Cell{render.Int(l.Number), render.Text(l.Description), render.Text(l.HSN),
			render.Text(l.Quantity.Round(l.Quantity.Decimals()).String() + " " + l.Unit), plain(l.Rate)}
		if discounted {
			row = append(row, render.Text(percent(l.Discount)))
		}
		row = append(append(row, plain(l.Taxable), render.Text(percent(l.GST))), v.taxCells(l.Tax)...)
		t.Rows = append(t.Rows, row)
	}
	return t
}

// taxTable sums the lines by rate.
func (v Invoice) taxTable() (*render.Table, error) {
	type sum struct {
		rate, taxable money.Amount
		gst.Tax
	}
	var sums []sum
	for _, l := range v.Lines {
		i := slices.IndexFunc(sums, func(s sum) bool { return s.rate.Cmp(l.GST) == 0 })
		if i < 0 {
			sums = append(sums, sum{rate: l.GST})
			i = len(sums) - 1
		}
		for _, add := range []struct {
			to *money.Amount
			a  money.Amount
		}{{&sums[i].taxable, l.Taxable}, {&sums[i].CGST, l.CGST}, {&sums[i].SGST, l.SGST}, {&sums[i].IGST, l.IGST}} {
			var err error
			if *add.to, err = add.to.Add(add.a); err != nil {
				return nil, err
			}
		}
	}
	slices.SortFunc(sums, func(a, b sum) int { return a.rate.Cmp(b.rate) })
	t := &render.Table{Title: "Tax by rate", Columns: append([]render.Column{
		column("gst", "GST"), column("taxable", "Taxable")}, v.heads()...)}
	for _, s := range sums {
		t.Rows = append(t.Rows, append([]render.Cell{render.Text(percent(s.rate)), plain(s.taxable)},
			v.taxCells(s.Tax)...))
	}
	return t, nil
}

func (v Invoice) sumTable() *render.Table {
	t := &render.Table{Title: "Sum", Columns: []render.Column{{Key: "what", Label: ""}, column("amount", "₹")}}
	add := func(label string, a money.Amount) {
		t.Rows = append(t.Rows, []render.Cell{render.Text(label), plain(a)})
	}
	add("Taxable value", v.Taxable)
	if v.Interstate() {
		add("IGST", v.IGST)
	} else {
		add("CGST", v.CGST)
		add(gst.StateTax(v.Place), v.SGST)
	}
	add("Round-off", v.RoundOff)
	add("Total", v.Total)
	if !v.Settled.IsZero() {
		add("Settled", v.Settled)
		add("Open", v.Balance)
	}
	return t
}
