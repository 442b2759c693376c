package supabase_test

import (
	"net/http"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// BenchmarkSelect builds a query, sends it nowhere, and decodes two rows.
func BenchmarkSelect(b *testing.B) {
	client, err := supabase.New(supabase.Config{URL: "https://project.test", PublishableKey: key,
		HTTP: wire(func(*http.Request) (*http.Response, error) {
			return answer(http.StatusOK, `[{"code":"COCO","n":1},{"code":"BIRCH","n":2}]`), nil
		})})
	if err != nil {
		b.Fatal(err)
	}
	q := supabase.Query{
		Table: "room_types", Columns: "code,n",
		Where: []supabase.Cond{supabase.Eq("entity_id", "c1de3a7e-91a1-44a6-9f5d-2f4f5b8f7b21"),
			supabase.IsTrue("active"), supabase.In("code", []string{"COCO", "BIRCH"})},
		Limit: 20,
	}
	b.ReportAllocs()
	for b.Loop() {
		if rows, err := supabase.Select[row](b.Context(), client.As(mira), q); err != nil || len(rows) != 2 {
			b.Fatalf("%d rows, %v", len(rows), err)
		}
	}
}

// BenchmarkCall calls a function that changes something, under no claim.
func BenchmarkCall(b *testing.B) {
	client, err := supabase.New(supabase.Config{URL: "https://project.test", PublishableKey: key,
		HTTP: wire(func(*http.Request) (*http.Response, error) {
			return answer(http.StatusOK, `{"code":"COCO","n":1}`), nil
		})})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if got, err := supabase.Call[row](b.Context(), client.As(mira), "turn_begin", supabase.Args{"p_turn": "t-1",
			"p_lease_ms": 60000}); err != nil || got.N != 1 {
			b.Fatal(err)
		}
	}
}
