package render

import (
	"regexp"
	"slices"
)

// amount is an amount of money as Money shows it.
var amount = regexp.MustCompile(`^[-\x{2212}]?\p{Sc}[0-9,]+(\.[0-9]+)?$`)

// zeros are decimals that say nothing.
var zeros = regexp.MustCompile(`\.0+$`)

// WithoutZeroCents returns the table with "₹4,500" for "₹4,500.00" in each column
// whose amounts of money are all whole. The values behind the texts stay.
func (t Table) WithoutZeroCents() Table {
	rows := slices.Clone(t.Rows)
	for i := range t.Columns {
		if !slices.ContainsFunc(t.Rows, func(row []Cell) bool { return i < len(row) && hasCents(row[i].Text) }) {
			for n, row := range rows {
				if i < len(row) && amount.MatchString(row[i].Text) && zeros.MatchString(row[i].Text) {
					rows[n] = slices.Clone(row)
					rows[n][i].Text = zeros.ReplaceAllString(row[i].Text, "")
				}
			}
		}
	}
	t.Rows = rows
	return t
}

func hasCents(s string) bool {
	m := amount.FindStringSubmatch(s)
	return m != nil && m[1] != "" && !zeros.MatchString(s)
}
