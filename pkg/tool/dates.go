package tool

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
)

// explainDate describes the error of a value in place of a date; "" when its
// form is right. A spreadsheet counts days from 30 December 1899, and copies of
// its cells come as these numbers.
func explainDate(name string, value any) string {
	text := ""
	switch value := value.(type) {
	case string:
		text = value
	case json.Number:
		text = value.String()
	}
	if looksLikeDate(text) {
		return ""
	}
	if n, err := strconv.Atoi(text); err == nil && n >= 20000 && n < 100000 {
		day := calendar.Date{Year: 1899, Month: 12, Day: 30}.AddDays(n)
		return fmt.Sprintf("%s must be a date in the form YYYY-MM-DD. %d looks like a spreadsheet's number of a "+
			"day; if so, it is %s.", name, n, day)
	}
	return fmt.Sprintf("%s must be a date in the form YYYY-MM-DD, not %s.", name, shown(value))
}
