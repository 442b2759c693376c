package export_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"
	"github.com/xuri/excelize/v2"

	"github.com/bellhop-ai/bellhop/pkg/api/export"
	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

type object = map[string]any

const thread = "t1"

var (
	// In Kolkata it is the next day already.
	night  = time.Date(2026, 1, 15, 20, 0, 0, 0, time.UTC)
	caller = identity.Caller{UserID: "7b0c0f8e-3f0e-4b52-9f5e-2d1f5f5b8c01", Name: "Asha",
		OrgID:      "0f8fad5b-d9cb-469f-a165-70867728950e",
		Assistants: []string{"hospitality"}, Entities: []identity.Entity{
			{ID: "7c9e6679-7425-40de-944b-e07fc1f90ae7", Key: "main", Kind: "property", Name: "Sea View",
				TimeZone: "Asia/Kolkata", Currency: "INR"},
		}}
	uuids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
)

func keys(t testing.TB) *history.Keys {
	t.Helper()
	k, err := history.NewKeys(history.KeysConfig{Spec: "k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
		Now: func() time.Time { return night }})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func door(t testing.TB) http.Handler {
	t.Helper()
	h, err := export.New(export.Config{
		Assistants: []assistants.Profile{{Name: "hospitality", Title: "Bernard", EntityKind: "property",
			AgentNames: []assistants.AgentName{{Name: "inventory", Label: "Inventory Agent"}}}},
		Default: "hospitality", Keys: keys(t), Now: func() time.Time { return night },
		Identify: func(_ context.Context, token string) (identity.Caller, error) {
			if token != "good" {
				return identity.Caller{}, fault.New(fault.Unauthorized, "Please sign in again.")
			}
			return caller, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return httpx.Wrap(h, httpx.Config{Log: zerolog.Nop(), NewID: uuid.NewString, Now: time.Now, Timeout: time.Minute})
}

func post(t testing.TB, h http.Handler, path, token string, body any) *httptest.ResponseRecorder {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("POST", path, bytes.NewReader(raw))
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// written exports a conversation and wants it to succeed.
func written(t testing.TB, format string, body any) []byte {
	t.Helper()
	w := post(t, door(t), "/api/export?format="+format, "good", body)
	if w.Code != http.StatusOK {
		t.Fatalf("%s: status %d: %s", format, w.Code, w.Body)
	}
	return w.Body.Bytes()
}

func rates() render.Table {
	return render.Table{
		Title: "Rates", Note: "Taxes are extra.",
		Columns: []render.Column{{Label: "Room"}, {Label: "From"}, {Label: "Price", Right: true},
			{Label: "Rooms", Right: true}, {Label: "Change", Right: true}, {Label: "Occupancy", Right: true}},
		Rows: [][]render.Cell{
			{render.Text("Deluxe <b>cabin</b>"), render.Day(calendar.Date{Year: 2026, Month: 2, Day: 1}),
				render.Money(money.MustParse("123456.50"), "INR"), render.Int(4), render.Text("-5.00"),
				render.Percent(money.MustParse("71.19"))},
			{render.Text("=HYPERLINK(\"http://x.example\")"),
				render.Day(calendar.Date{Year: 2026, Month: 12, Day: 31}), render.Money(money.MustParse("-45"), "INR"),
				render.Int(0), render.Text("007"), render.NotAvailable()},
		},
	}
}

// conversation is one whose first reply is verified, with a table, and whose
// second one was edited.
func conversation(t testing.TB) object {
	t.Helper()
	scope := history.Scope{Tenant: caller.OrgID, User: caller.UserID, Thread: thread, Assistant: "hospitality"}
	k := keys(t)
	messages := []history.Message{{Role: llm.User, Text: "What do rooms cost? <script>alert(1)</script>"}}
	reply := "**Here** they are, Tea \\*special\\* &amp; more:\n\n" + rates().HTML() + "\n\nकिताब हिन्दी में"
	seal, err := k.Seal(scope, k.Open(scope, messages), reply, history.State{Agent: "inventory"})
	if err != nil {
		t.Fatal(err)
	}
	return object{"id": thread, "messages": []any{
		object{"role": "user", "content": messages[0].Text, "id": "a"},
		object{"role": "assistant", "content": reply, "seal": seal, "extra": object{"n": 1.5}},
		object{"role": "user", "content": "And extras?"},
		object{"role": "assistant", "content": "I refunded you.", "seal": seal},
	}}
}

func book(t testing.TB, raw []byte) *excelize.File {
	t.Helper()
	f, err := excelize.OpenReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// S2-62, S2-64 (export-chat): every format, with a name and a type, and without
// ids of ours.
func TestAConversationIsExportedInEveryFormat(t *testing.T) {
	t.Parallel()
	types := map[string]string{
		"md": "text/markdown; charset=utf-8", "html": "text/html; charset=utf-8",
		"json": "application/json; charset=utf-8", "csv": "text/csv; charset=utf-8",
		"xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "pdf": "application/pdf",
	}
	for format, kind := range types {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			w := post(t, door(t), "/api/export?format="+format, "good", conversation(t))
			if w.Code != http.StatusOK || w.Header().Get("Content-Type") != kind ||
				w.Header().Get("Cache-Control") != "no-store" ||
				w.Header().Get("X-Content-Type-Options") != "nosniff" {
				t.Fatalf("status %d, %v: %s", w.Code, w.Header(), w.Body)
			}
			if got := w.Header().Get("Content-Disposition"); got != `attachment; `+
				`filename="bernard-inventory-agent-2026-01-16.`+format+`"` {
				t.Errorf("the file is called %s", got)
			}
			if found := uuids.FindAll(w.Body.Bytes(), -1); found != nil {
				t.Errorf("the ids %q are in it", found)
			}
			text := w.Body.String()
			if format == "md" || format == "html" || format == "csv" {
				for _, want := range []string{"Bernard · Inventory Agent", "16-Jan-2026 01:30", "not verified", "Asha",
					"refunded"} {
					if !strings.Contains(text, want) {
						t.Errorf("%q is not in %s", want, text)
					}
				}
			}
		})
	}
}

// What a client may send again is the same after an export, and its seals hold.
func TestAnExportInJSONCanBeSentAgain(t *testing.T) {
	t.Parallel()
	body := conversation(t)
	var first, again struct {
		ID       string
		Messages []any
		About    struct {
			Said []struct{ Who, Mark string }
		}
	}
	raw := written(t, "json", body)
	if err := json.Unmarshal(raw, &first); err != nil {
		t.Fatal(err)
	}
	var want struct{ Messages []any }
	sent, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(sent, &want); err != nil || !reflect.DeepEqual(first.Messages, want.Messages) ||
		first.ID != thread {
		t.Errorf("%s became %s", sent, raw)
	}
	if err := json.Unmarshal(written(t, "json", json.RawMessage(raw)), &again); err != nil ||
		!reflect.DeepEqual(first, again) {
		t.Errorf("the second export is %+v, the first %+v", again, first)
	}
	if s := first.About.Said; len(s) != 4 || s[1].Mark != "" || s[1].Who != "Bernard · Inventory Agent" ||
		s[3].Mark != "not verified" {
		t.Errorf("the account is %+v", s)
	}
}

func TestAPageHasNoScriptAndLoadsNothing(t *testing.T) {
	t.Parallel()
	page := string(written(t, "html", object{"title": "<img src=x onerror=alert(1)>", "messages": []any{
		object{"role": "user", "content": "<script>alert(1)</script> ![x](https://track.example/a.png) <iframe " +
			"src=//x>"},
		object{"role": "assistant", "content": "![x](https://track.example/a.png)\n[a](javascript:alert(1))\n" +
			"<style>@import url(//x)</style>\n" + rates().HTML()},
	}}))
	for _, bad := range []string{"<script", "<img", "<iframe", "<a ", "href=", "src=\"", "url("} {
		if strings.Contains(strings.ReplaceAll(page, "url(//x)&lt;", ""), bad) {
			t.Errorf("%s is in the page", bad)
		}
	}
	if !strings.Contains(page, `<td class="figure whole">₹1,23,456.50</td>`) ||
		!strings.Contains(page, "Deluxe &lt;b&gt;cabin&lt;/b&gt;") {
		t.Errorf("the table is not in %s", page)
	}
}

// S0-60: figures, days and money are real ones; what looks like a formula, and
// what only looks like a number, is text.
func TestAWorkbookHasTypedCells(t *testing.T) {
	t.Parallel()
	f := book(t, written(t, "xlsx", conversation(t)))
	if got := f.GetSheetList(); !reflect.DeepEqual(got, []string{"Rates", "Messages"}) {
		t.Fatalf("the sheets are %q", got)
	}
	for cell, want := range map[string]struct {
		raw, shown string
		number     bool
	}{
		"A2": {raw: "Deluxe <b>cabin</b>", shown: "Deluxe <b>cabin</b>"},
		"A3": {raw: `'=HYPERLINK("http://x.example")`, shown: `'=HYPERLINK("http://x.example")`},
		"B2": {"46054", "01-Feb-2026", true}, "B3": {"46387", "31-Dec-2026", true},
		"C2": {"123456.5", "₹123,456.50", true}, "C3": {"-45", "-₹45.00", true},
		"D2": {"4", "4", true}, "E2": {"-5", "-5.00", true}, "E3": {raw: "007", shown: "007"},
		"F2": {"0.7119", "71.19%", true}, "F3": {raw: "n/a", shown: "n/a"}, "A5": {raw: "Taxes are extra.",
			shown: "Taxes are extra."},
	} {
		raw, err := f.GetCellValue("Rates", cell, excelize.Options{RawCellValue: true})
		if err != nil {
			t.Fatal(err)
		}
		shown, err := f.GetCellValue("Rates", cell)
		if err != nil {
			t.Fatal(err)
		}
		kind, err := f.GetCellType("Rates", cell)
		if err != nil {
			t.Fatal(err)
		}
		text := kind == excelize.CellTypeInlineString || kind == excelize.CellTypeSharedString
		if raw != want.raw || shown != want.shown || text == want.number {
			t.Errorf("%s holds %q and shows %q as %v, want %+v", cell, raw, shown, kind, want)
		}
	}
	if got, err := f.GetCellValue("Messages", "B3"); err != nil || got != "Bernard · Inventory Agent" {
		t.Errorf("who spoke is %q, %v", got, err)
	}
}

// F-52: whatever is typed, no cell of a file is a formula, and figures are
// figures.
func TestNoExportHoldsAFormula(t *testing.T) {
	t.Parallel()
	starts := []string{"=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", " =", "\u200b=", "\ufeff=", "\u00a0+",
		"\x00=", "\x01@", "'=", "\u2212", "﹢"}
	ends := []string{"1+1", "cmd|' /C calc'!A0", `HYPERLINK("http://x","y")`, "SUM(A1:A9)", "A1", "5x", "--1",
		`DDE("x";"y";"z")`, "a,=1", "a;=1", "a\t=1", "\"=1", "\n=1", "5.00,", "@x",
		"IMPORTXML(1)", "₹", "१", "{=1}", "0x1", "1e5", "5.0.0", "WEBSERVICE(1)", "1/0", "TRUE"}
	h := door(t)
	table := render.Table{Title: "=cmd", Columns: []render.Column{{Label: "=1+1"}, {Label: "@x", Right: true}},
		Note: "+1+1"}
	for _, start := range starts {
		for _, end := range ends {
			table.Rows = append(table.Rows, []render.Cell{render.Text(start + end), render.Text("-5.00")})
		}
	}
	if len(table.Rows) != 500 {
		t.Fatalf("%d hostile texts", len(table.Rows))
	}
	body := object{"title": "=1", "tables": []any{table}, "messages": []any{object{"role": "user", "content": "=1+1"},
		object{"role": "assistant", "content": "@SUM(1)\n" + table.HTML()}}}
	for _, from := range []struct {
		path string
		body any
	}{{"/api/export", body}, {"/api/export/table", table}} {
		w := post(t, h, from.path+"?format=xlsx", "good", from.body)
		if w.Code != http.StatusOK {
			t.Fatalf("%s: status %d: %s", from.path, w.Code, w.Body)
		}
		f := book(t, w.Body.Bytes())
		figures := 0
		for _, sheet := range f.GetSheetList() {
			rows, err := f.GetRows(sheet)
			if err != nil {
				t.Fatal(err)
			}
			for r, row := range rows {
				for c, text := range row {
					at, err := excelize.CoordinatesToCellName(c+1, r+1)
					if err != nil {
						t.Fatal(err)
					}
					kind, err := f.GetCellType(sheet, at)
					if err != nil {
						t.Fatal(err)
					}
					if formula, err := f.GetCellFormula(sheet, at); err != nil || formula != "" ||
						kind == excelize.CellTypeFormula {
						t.Errorf("%s!%s is the formula %q, %v", sheet, at, formula, err)
					}
					if text == "-5.00" && kind != excelize.CellTypeInlineString &&
						kind != excelize.CellTypeSharedString {
						figures++
						continue
					}
					harmless(t, text)
				}
			}
		}
		if figures < 500 {
			t.Errorf("%s: %d figures are left", from.path, figures)
		}
		// The parts of the file themselves hold no formula element.
		parts, err := zip.NewReader(bytes.NewReader(w.Body.Bytes()), int64(w.Body.Len()))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range parts.File {
			part, err := p.Open()
			if err != nil {
				t.Fatal(err)
			}
			content, err := io.ReadAll(part)
			if err != nil || bytes.Contains(content, []byte("<f>")) || bytes.Contains(content, []byte("<f ")) {
				t.Errorf("%s: a formula, %v", p.Name, err)
			}
		}
		w = post(t, h, from.path+"?format=csv", "good", from.body)
		records, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(w.Body.String(), "\ufeff"))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		figures = 0
		for _, record := range records {
			for _, field := range record {
				if field == "-5.00" {
					figures++
					continue
				}
				harmless(t, field)
			}
		}
		if figures < 500 {
			t.Errorf("%s: %d figures are left in CSV", from.path, figures)
		}
	}
}

// harmless fails for a text that a spreadsheet may take for a formula.
func harmless(t *testing.T, text string) {
	t.Helper()
	if strings.ContainsAny(strings.TrimLeft(text, " \u00a0\u200b\ufeff\x00\x01")[:min(1,
		len(strings.TrimLeft(text, " \u00a0\u200b\ufeff\x00\x01")))], "=+-@\t\r\n") {
		t.Errorf("%q begins like a formula", text)
	}
	for _, wide := range []string{"＝", "＋", "－", "＠"} {
		if strings.HasPrefix(text, wide) {
			t.Errorf("%q begins like a formula", text)
		}
	}
}

// S0-60: one table, as a tool or an event gave it.
func TestATableIsExportedAlone(t *testing.T) {
	t.Parallel()
	h := door(t)
	want := "\ufeffRoom,From,Price (₹),Rooms,Change,Occupancy\r\nDeluxe " +
		"<b>cabin</b>,2026-02-01,123456.50,4,-5.00,71.19 %\r\n" +
		"\"'=HYPERLINK(\"\"http://x.example\"\")\",2026-12-31,-45.00,0,007,n/a\r\n"
	for name, body := range map[string]any{
		"a table": rates(), "an event": object{"ref": "t1", "table": rates()},
		"a tool's answer": object{"data": object{"rows": []int{1}}, "table": rates(), "html": "", "text": ""},
	} {
		w := post(t, h, "/api/export/table?format=csv", "good", body)
		if w.Code != http.StatusOK || w.Body.String() != want ||
			w.Header().Get("Content-Disposition") != `attachment; filename="rates-2026-01-16.csv"` {
			t.Errorf("%s: %d %v\n%s", name, w.Code, w.Header(), w.Body)
		}
	}
	w := post(t, h, "/api/export/table?format=csv", "good",
		json.RawMessage(`{"columns":[{"label":"n"},{"label":"b"}],"rows":[[-5.00,true],[1200,null]]}`))
	if w.Body.String() != "\ufeffn,b\r\n-5.00,yes\r\n1200,\r\n" {
		t.Errorf("values of JSON are written as %q", w.Body)
	}
}

// Tables of a UI message's parts have no seal, and say so; a table that the text
// shows already is there once.
func TestTablesInPartsAreMarked(t *testing.T) {
	t.Parallel()
	page := string(written(t, "html", object{"messages": []any{object{"role": "assistant", "parts": []any{
		object{"type": "text", "text": "Look:\n\n" + rates().HTML()}, object{"type": "data-table", "id": "t1",
			"data": rates()},
		object{"type": "data-table", "id": "t2", "data": object{"title": "Other",
			"columns": []any{object{"key": "a", "label": "A"}}, "rows": []any{[]any{"x"}}}},
		object{"type": "text", "text": "\n\n| Guest | Paid |\n|---|---:|\n| Ravi \\| Co | 12.50 |\n\nBye"},
	}}}}))
	if strings.Count(page, "<caption>Rates") != 1 || strings.Count(page, "as the client sent it") != 1 ||
		!strings.Contains(page, "<td>Ravi | Co</td><td class=\"figure whole\">12.50</td>") {
		t.Errorf("the page is %s", page)
	}
}

// revenue is a chart as an answer has it, with a drawing that is not ours.
func revenue(beside string) object {
	return object{"kind": "chart", "id": "t1b", "beside": beside, "text": "Revenue", "data": object{
		"title": "Revenue & <more>", "form": "bars", "unit": "INR", "labels": []string{"Jan", "<b>Feb"},
		"svg":    "<svg><script>evil()</script></svg>",
		"series": []any{object{"name": "Revenue", "values": []any{123456.50, nil}}},
	}}
}

// A chart is drawn anew from its figures in every format, stands before its
// table, and says that nothing vouches for it.
func TestChartsAreExported(t *testing.T) {
	t.Parallel()
	body := object{
		"messages": []any{object{"role": "assistant", "content": "Look:\n\n" + rates().HTML() + "\n\nBye"}},
		"parts": []any{object{"kind": "table", "id": "t1a", "data": rates()}, revenue("t1a"),
			object{"kind": "choices", "id": "t1c", "text": "What next?", "data": object{"choices": []any{}}},
			object{"kind": "chart", "id": "t1d", "text": "Not drawn", "data": object{"form": "pie"}},
			object{"kind": "params", "id": "t1e", "text": "- Customer: Konkan", "data": object{"applied": []any{}}}},
	}
	page := string(written(t, "html", body))
	drawing, table := strings.Index(page, "<svg xmlns="), strings.Index(page, "<caption>Rates")
	for _, want := range []string{"₹1,23,456.50", "&lt;b&gt;Feb: n/a", "This chart is as the client sent it",
		"What next?", "Not drawn", "Customer: Konkan", "This is as the client sent it"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is missing in %s", want, page)
		}
	}
	if drawing < 0 || drawing > table || strings.Contains(page, "<script") ||
		strings.Count(page, "<caption>Rates") != 1 {
		t.Errorf("the page is %s", page)
	}
	text := string(written(t, "md", body))
	if !strings.Contains(text, "    Jan") || !strings.Contains(text, "₹1,23,456.50 ███") {
		t.Errorf("the text is %s", text)
	}
	figures := string(written(t, "csv", body))
	if !strings.Contains(figures, "Revenue & <more>") || !strings.Contains(figures, "Jan,123456.50") {
		t.Errorf("the figures are %s", figures)
	}
	if pdf := written(t, "pdf", body); len(pdf) <= len(written(t, "pdf", object{"messages": body["messages"]})) {
		t.Errorf("the PDF has nothing of the chart: %d bytes", len(pdf))
	}
	// A UI message has the same in its own parts, under data-chart.
	chart := revenue("t1a")
	data := chart["data"].(object)
	data["beside"], data["text"] = "t1a", "Revenue"
	ui := object{"messages": []any{object{"role": "assistant", "parts": []any{
		object{"type": "text", "text": "Look:\n\n" + rates().HTML()}, object{"type": "data-table", "id": "t1a",
			"data": rates()}, object{"type": "data-chart", "id": "t1b", "data": data},
		object{"type": "data-status", "data": object{"text": "hidden words"}},
	}}}}
	page = string(written(t, "html", ui))
	if drawing = strings.Index(page, "<svg xmlns="); drawing < 0 || drawing > strings.Index(page, "<caption>Rates") ||
		strings.Contains(page, "hidden words") {
		t.Errorf("the page of a UI message is %s", page)
	}
}

func TestWhatCannotBeExportedIsAProblem(t *testing.T) {
	t.Parallel()
	h := door(t)
	wide := render.Table{}
	for range 61 {
		wide.Columns = append(wide.Columns, render.Column{Label: "x"})
	}
	hi := object{"role": "user", "content": "hi"}
	for name, tc := range map[string]struct {
		path, token string
		body        any
		status      int
	}{
		"nobody signed in": {"/api/export?format=pdf", "bad", object{"messages": []any{hi}}, 401},
		"a format unknown": {"/api/export?format=docx", "good", object{"messages": []any{hi}}, 400},
		"a table as pdf":   {"/api/export/table?format=pdf", "good", rates(), 400},
		"nothing":          {"/api/export?format=md", "good", object{}, 400},
		"no table":         {"/api/export/table?format=csv", "good", object{}, 400},
		"an unknown place": {"/api/export?format=md", "good", object{"messages": []any{hi}, "entityId": "other"},
			404},
		"a stranger": {"/api/export?format=md", "good", object{"messages": []any{hi}, "assistant": "nobody"},
			404},
		"too many messages": {"/api/export?format=md", "good", object{"messages": make([]object, 2001)}, 413},
		"too many columns":  {"/api/export/table?format=xlsx", "good", wide, 413},
		"a body too large":  {"/api/export?format=md", "good", object{"title": strings.Repeat("x", 5<<20)}, 413},
		"cells that are none": {"/api/export/table?format=csv", "good",
			json.RawMessage(`{"columns":[{"label":"a"}],"rows":[[{"f":"=1"}]]}`), 400},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := post(t, h, tc.path, tc.token, tc.body)
			var p httpx.Problem
			if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != tc.status || p.Detail == "" ||
				w.Header().Get("Content-Disposition") != "" {
				t.Errorf("status %d, %s", w.Code, w.Body)
			}
		})
	}
}

// S2-62: a PDF with Hindi and rupees, numbered pages, and a table whose head is
// on each of its pages.
func TestAPDFCanBeRead(t *testing.T) {
	t.Parallel()
	body := conversation(t)
	long := render.Table{Title: "Arrivals", Columns: []render.Column{{Label: "Guest"}, {Label: "Due", Right: true}}}
	for n := range 120 {
		long.Rows = append(long.Rows, []render.Cell{render.Text(fmt.Sprintf("Guest %d", n)),
			render.Money(money.FromInt(n), "INR")})
	}
	long.Rows = append(long.Rows, []render.Cell{render.Text(strings.Repeat("very long words ", 600)), render.Text("")})
	body["tables"] = []any{long}
	raw := written(t, "pdf", body)
	if again := written(t, "pdf", body); !bytes.Equal(raw, again) {
		t.Error("the same conversation is not the same file")
	}
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skip("pdftotext is not installed")
	}
	path := filepath.Join(t.TempDir(), "x.pdf")
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "pdftotext", "-layout", path, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	text := string(out)
	pages := strings.Count(text, "\f")
	packed := strings.ReplaceAll(text, " ", "")
	if pages < 4 || !strings.Contains(packed, fmt.Sprintf("\n1/%d", pages)) ||
		!strings.Contains(packed, fmt.Sprintf("\n%d/%d", pages, pages)) {
		t.Errorf("%d pages: %s", pages, text)
	}
	if n := strings.Count(text, "Guest "); n < 120+pages-1 {
		t.Errorf("the head stands on too few pages: %d", n)
	}
	for _, want := range []string{"Conversation with Bernard", "Sea View", "16-Jan-2026 01:30 IST", "₹1,23,456.50",
		"Bernard · Inventory Agent", "Bernard (not verified)", "में"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %s", want, text)
		}
	}
}

func BenchmarkExport(b *testing.B) {
	for _, format := range []string{"md", "html", "json", "csv", "xlsx", "pdf"} {
		body, h := conversation(b), door(b)
		list := body["messages"].([]any)
		for len(list) < 400 {
			list = append(list, list[:2]...)
		}
		body["messages"] = list
		b.Run(format, func(b *testing.B) {
			for b.Loop() {
				if w := post(b, h, "/api/export?format="+format, "good", body); w.Code != http.StatusOK {
					b.Fatal(w.Body)
				}
			}
		})
	}
}
