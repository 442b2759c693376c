package model

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

// completed returns what a person wrote with typing errors put right, and with what it
// points to in the messages before in its place.
func (pl *planner) completed(text string, before []message) string {
	return pl.shifted(pl.pointed(pl.spelt(text), before), before)
}

var (
	ordinal  = regexp.MustCompile(`(?i)\b(?:the\s+)?(first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|5th|pehl[aie]|doosr[aie]|dusr[aie]|teesr[aie]|tisr[aie]|पहला|दूसरा|तीसरा)(?:\s+(one|row|line|wal[aie]|booking|reservation|guest|room|cabin|dish|extra|coupon|package|selection|वाला))?(?:[\s,.?!]|$)`)
	ordinals = map[string]int{"first": 0, "1st": 0, "pehl": 0, "पहला": 0, "second": 1, "2nd": 1, "doosr": 1, "dusr": 1,
		"दूसरा": 1, "third": 2, "3rd": 2, "teesr": 2, "tisr": 2, "तीसरा": 2, "fourth": 3, "4th": 3, "fifth": 4,
		"5th": 4}
)

// pointed writes the code of a row in the place of words that point to it in the list that
// was shown last: "the second one". The text is returned as it is where there is no such row.
func (pl *planner) pointed(text string, before []message) string {
	at := ordinal.FindStringSubmatchIndex(text)
	if at == nil {
		return text
	}
	m := groupsOf(text, at)
	if m[2] == "" && len(strings.Fields(text)) > 4 {
		return text // "the first of December", "first night"
	}
	codes := rowsOf(before)
	key := strings.ToLower(m[1])
	n, known := ordinals[key]
	if !known {
		n, known = ordinals[strings.TrimRight(key, "aie")]
	}
	if key == "last" {
		n, known = len(codes)-1, len(codes) > 0
	}
	if !known || n >= len(codes) {
		return text
	}
	end := at[3]
	if at[4] >= 0 {
		end = at[5]
	}
	if len(strings.Fields(text)) <= 3 {
		return "show me " + codes[n]
	}
	return text[:at[0]] + codes[n] + text[end:]
}

var besideThat = regexp.MustCompile(`(?i)\b(?:the\s+)?(day|week|month|year)\s+(before|after)(?:\s+that)?\b[\s.?!]*$`)

// shifted writes the days of "and the week before?" by those of the last call.
func (pl *planner) shifted(text string, before []message) string {
	at := besideThat.FindStringSubmatchIndex(text)
	if at == nil || len(strings.Fields(text)) > 6 {
		return text
	}
	var days []string
	for _, one := range slices.Backward(before) {
		if n := len(one.calls); n > 0 {
			days = dateInPrompt.FindAllString(one.calls[n-1].args, 2)
			break
		}
	}
	if len(days) == 0 {
		return text
	}
	m := groupsOf(text, at)
	from, _ := time.Parse(isoDate, days[0]) // the pattern lets only figures through
	until, _ := time.Parse(isoDate, days[len(days)-1])
	step := 1
	if strings.EqualFold(m[2], "before") {
		step = -1
	}
	switch strings.ToLower(m[1]) {
	case "day":
		from, until = from.AddDate(0, 0, step), until.AddDate(0, 0, step)
	case "week":
		from, until = from.AddDate(0, 0, 7*step), until.AddDate(0, 0, 7*step)
	case "month":
		from = time.Date(from.Year(), from.Month()+time.Month(step), 1, 0, 0, 0, 0, time.UTC)
		until = from.AddDate(0, 1, -1)
	default:
		from, until = from.AddDate(step, 0, 0), until.AddDate(step, 0, 0)
	}
	said := from.Format(isoDate)
	if len(days) > 1 && !from.Equal(until) {
		said += " to " + until.Format(isoDate)
	}
	return text[:at[0]] + said
}

// rowsOf returns the codes, else the names, of the rows of the list that was shown last: the
// first list of the newest result, whose rows all have one.
func rowsOf(messages []message) []string {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].role != "tool" {
			continue
		}
		return rowsIn(parse(messages[i].text))
	}
	return nil
}

func rowsIn(v any) []string {
	switch v := v.(type) {
	case fields:
		for _, f := range v {
			if rows := rowsIn(f.value); len(rows) > 1 {
				return rows
			}
		}
	case []any:
		var out []string
		for _, each := range v {
			row, ok := each.(fields)
			if !ok {
				return nil
			}
			name := row.text("code", "reservation", "name", "room")
			if name == "" {
				return nil
			}
			out = append(out, name)
		}
		return out
	}
	return nil
}
