package main

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
)

// hostileNames are markup, in the forms that have slipped through sanitisers.
func hostileNames() []string {
	return []string{
		`<script>fetch('//evil.example')</script>`, `<img src=x onerror=alert(1)>`, `<svg/onload=alert(1)>`,
		`<svg><script>alert(1)</script></svg>`,
		`<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>`, `<a href="javascript:alert(1)">x</a>`,
		`<a href="data:text/html,<script>x</script>">x</a>`,
		`</td></tr></table><img src=x>`, `"><img src=x>`, `' onmouseover='alert(1)`,
		`<iframe srcdoc="<script>x</script>">`, `<object data=//evil.example>`, `<embed src=//evil.example>`,
		`<form action=//evil.example><input name=x>`, `<style>@import '//evil.example'</style>`,
		`<link rel=stylesheet href=//evil.example>`, `<base href=//evil.example>`,
		`<meta http-equiv=refresh content="0;url=//evil.example">`,
		`<noscript><p title="</noscript><img src=x onerror=x>">`, `<template><script>x</script></template>`,
		`<!--><img src=x onerror=x>-->`, `<![CDATA[<img src=x>]]>`, `<?xml version="1.0"?><x>`,
		`<IMG """><SCRIPT>x</SCRIPT>">`, `<img src=x:x onerror&#61;alert(1)>`,
		`&lt;img src=x&gt;`, `&#60;img src=x&#62;`, `&amp;lt;b&amp;gt;`, `<b>bold</b>`, `<table><tr><td>x`,
		`<details open ontoggle=x>`, `<video><source onerror=x>`, `<body onload=x>`,
		`![x](https://evil.example/p.png)`, `[x](https://evil.example)`, `[x](javascript:alert(1))`,
		`https://evil.example/x`, `www.evil.example`, `<https://evil.example>`,
		"`code` ![x](y)", "```card", `# Heading`, `| a | b |`, `**bold** _it_ ~~no~~`, `[[table:t1a]]`, `$(touch x)`,
		`'; drop table extras; --`, `{{7*7}}`, `%s%n`, `../../etc/passwd`,
		"\u202Egnp.exe", "zero\u200Bwidth", "x\U000E0041tag", "Zo\u0065\u0301", "क्\u200dष", "👨\u200d👩\u200d👧",
		"مرحبا", "田中さん", "ﷺ", "Ω≈ç√∫", "1.0/0", "NaN", "null", "=1+1", "@SUM(A1)", "+49", "-5",
		"Robert'); --", `\u003cimg\u003e`, `\\server\share`, "tab\there", `{"a":1}`, `<x:y xmlns:x="z">`, `<a b='"'>`,
		"a&b<c>d\"e'f",
	}
}

// F-51: hostile markup as the names of things: stored as typed, read by the
// model as typed, and shown in a table in which nothing runs.
func TestHostileNamesAreText(t *testing.T) {
	ctx := t.Context()
	r, err := newRig(ctx, localtest.Clone(t), hospitality(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer r.w.close()
	names := hostileNames()
	for i, name := range names {
		if _, err := r.w.db.Exec(ctx, `insert into public.extras (org_id, entity_id, code, name, price) select
			org_id, id, $1, $2, 1 from public.entities where org_id = $3 and kind = 'property'`,
			fmt.Sprintf("X-%03d", i), name, oursID); err != nil {
			t.Fatalf("%q: %v", name, err)
		}
	}
	r.dialogues.set("1", &dialogue{mode: honest, agent: "inventory", steps: []script.Step{call("list_extras", `{}`),
		say("These.")}})
	c := &conversation{w: r.w, token: r.w.tokens["manager@sojourn.example"], thread: uuid.NewString()}
	s, err := c.say(ctx, "Which extras? (ref 1)", nil)
	if err != nil || s.code != "" {
		t.Fatalf("%v %s", err, s.raw)
	}
	if found := fetching(s.answer.Reply); len(found) > 0 {
		t.Errorf("the table would fetch or run %v", found)
	}
	cells := cellsOf(t, s.answer.Reply)
	for _, name := range names {
		if !slices.Contains(cells, name) {
			t.Errorf("%q is not shown as it was typed", name)
		}
	}
}

// cellsOf reads the texts of a table as a browser would.
func cellsOf(t *testing.T, html string) (cells []string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(html[strings.Index(html, "<table"):]))
	d.Strict, d.Entity = false, xml.HTMLEntity
	for {
		token, err := d.Token()
		if err != nil {
			return cells
		}
		switch token := token.(type) {
		case xml.StartElement:
			if token.Name.Local == "td" {
				cells = append(cells, "")
			}
		case xml.CharData:
			if len(cells) > 0 {
				cells[len(cells)-1] += string(token)
			}
		}
	}
}
