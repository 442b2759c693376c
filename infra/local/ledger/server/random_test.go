package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bellhop-ai/bellhop/infra/local/ledger"
	"github.com/bellhop-ai/bellhop/infra/local/ledger/server"
)

// Whatever documents and adjustments move, the stock is worth what its account
// says, on every day; what is refused changes nothing.
func TestStockTiesOverRandomBooks(t *testing.T) {
	b := newBooks(t)
	ctx := context.Background()
	r := rand.New(rand.NewPCG(20, 26))
	run := func(sql string, args ...any) error {
		return b.Tx(ctx, "test", func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, sql, append([]any{b.first}, args...)...)
			return err
		})
	}
	for _, sql := range []string{
		`select ledger.create_contact($1, 'customer', '{"name":"Buyer"}')`,
		`select ledger.create_contact($1, 'vendor', '{"name":"Maker","gstin":"27AADCB2230M1Z2"}')`,
		`select ledger.create_product($1, '{"code":"A","name":"A","opening_quantity":40,"opening_cost":13.37}')`,
		`select ledger.create_product($1, '{"code":"B","name":"B","purchase_price":7.77}')`,
	} {
		must(t, run(sql))
	}
	day := func() string { return fmt.Sprintf("2026-%02d-%02d", 6+r.IntN(5), 1+r.IntN(28)) }
	lines := func() string {
		text := ""
		for i := range 1 + r.IntN(3) {
			if i > 0 {
				text += ","
			}
			text += fmt.Sprintf(`{"description":"x","product":"%c","quantity":%d.%d,"rate":%d.%02d,"itc":%t}`, 'A'+
				r.IntN(2),
				1+r.IntN(9), r.IntN(10), 1+r.IntN(50), r.IntN(100), r.IntN(3) > 0)
		}
		return text
	}
	some := func(kind string) string {
		return `(select number from ledger.documents where company_id = $1 and kind = '` + kind +
			`' and status = 'posted' order by md5(number || $2) limit 1)`
	}
	done, refused := map[int]int{}, 0
	for i := range 220 {
		salt := fmt.Sprint(i)
		what := r.IntN(8)
		var err error
		switch what {
		case 0, 1:
			err = run(`select ledger.create_bill($1, $2)`, fmt.Sprintf(
				`{"vendor":"Maker","vendor_number":"M%d","date":%q,"lines":[%s]}`, i, day(), lines()))
		case 2, 3:
			err = run(`select ledger.create_invoice($1, $2)`, fmt.Sprintf(
				`{"customer":"Buyer","date":%q,"lines":[%s]}`, day(), lines()))
		case 4:
			err = run(`select ledger.adjust_stock($1, $2)`, fmt.Sprintf(
				`{"product":"%c","quantity":%d,"unit_cost":%d.%02d,"reason":"counted","date":%q}`, 'A'+r.IntN(2),
				r.IntN(30)-12,
				r.IntN(40), r.IntN(100), day()))
		case 5:
			kind := []string{"bill", "invoice"}[r.IntN(2)]
			err = run(`select ledger.void_document($1, ledger.find_document($1, null, `+some(kind)+`), 'x')`, salt)
		case 6:
			kind, note := "bill", "debit_note"
			if r.IntN(2) == 0 {
				kind, note = "invoice", "credit_note"
			}
			err = run(`select ledger.create_`+note+`($1, jsonb_build_object('`+kind+`', `+some(kind)+
				`, 'date', '2026-11-15', 'lines', '[{"line":1,"quantity":1}]'::jsonb))`, salt)
		case 7:
			kind := []string{"bill", "invoice"}[r.IntN(2)]
			err = run(`select ledger.update_document($1, ledger.find_document($1, null, `+some(kind)+`), $3::jsonb)`,
				salt,
				fmt.Sprintf(`{"lines":[%s]}`, lines()))
		}
		if _, ok := errors.AsType[*ledger.Error](err); err != nil && !ok {
			t.Fatalf("step %d of kind %d: %v", i, what, err)
		}
		if err != nil {
			refused++
		} else {
			done[what]++
		}
	}
	if len(done) != 8 || refused == 0 {
		t.Errorf("done %v, refused %d", done, refused)
	}
	for _, day := range []string{"2026-06-30", "2026-08-15", "2026-10-31", "2026-11-22"} {
		if off := b.scalar(t, "select ledger.stock_valuation($1, $2::date)->>'difference'", b.first,
			day); off != "0.00" {
			t.Errorf("%s: the account differs from the stock by %s", day, off)
		}
	}
	if bad := b.scalar(t, `select count(*)::text from ledger.stock where quantity < 0 or value < 0
		or quantity = 0 and value <> 0`); bad != "0" {
		t.Errorf("%s products have an impossible stock", bad)
	}
	if off := b.scalar(t, `select coalesce(string_agg(name || ': ' || books || ' and ' || figure, '; '), '')
		from ledger.ties($1, '2026-11-22') where books <> figure`, b.first); off != "" {
		t.Errorf("the books do not tie: %s", off)
	}
}

// A write that is sent several times at once with one reference happens once, and
// all get the same answer.
func TestOneReferenceAtOnce(t *testing.T) {
	b := newBooks(t)
	const clients = 6
	answers := make([]string, clients)
	var wg sync.WaitGroup
	for i := range clients {
		s := b.session(t, server.JSONPath, accountantToken)
		wg.Go(func() {
			r, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: "create_expense",
				Arguments: json.RawMessage(
					`{"account":"Rent","amount":10,"description":"Once","reference":"turn-1.1"}`)})
			if err != nil {
				answers[i] = err.Error()
				return
			}
			text, _ := json.Marshal(r.StructuredContent)
			answers[i] = string(text)
		})
	}
	wg.Wait()
	for _, a := range answers {
		if a != answers[0] || len(a) < 100 {
			t.Errorf("one got %s, another %s", answers[0], a)
		}
	}
	if n := b.scalar(t, "select count(*)::text from ledger.expenses where company_id = $1", b.first); n != "1" {
		t.Errorf("%s expenses were recorded", n)
	}
}

// Invoices at once that name the same products in another order all get through.
func TestStockAtOnce(t *testing.T) {
	b := newBooks(t)
	s := b.session(t, server.JSONPath, ownerToken)
	use(t, s, "create_customer", `{"name":"Buyer"}`)
	for _, code := range []string{"A", "B", "C"} {
		use(t, s, "create_product", fmt.Sprintf(`{"code":%q,"name":"Product %s","opening_quantity":100,`+
			`"opening_cost":10}`,
			code, code))
	}
	var wg sync.WaitGroup
	for i := range 6 {
		client := b.session(t, server.JSONPath, ownerToken)
		lines := ""
		for n, code := range [][]string{{"A", "B", "C"}, {"C", "B", "A"}, {"B", "C"}}[i%3] {
			lines += fmt.Sprintf(`%s{"description":"x","product":%q,"rate":15}`, []string{"", ","}[min(n, 1)], code)
		}
		wg.Go(func() {
			for range 4 {
				r, err := client.CallTool(context.Background(), &mcp.CallToolParams{Name: "create_invoice",
					Arguments: json.RawMessage(`{"customer":"Buyer","lines":[` + lines + `]}`)})
				if err != nil || r.IsError {
					t.Errorf("%v, %+v", err, r)
					return
				}
			}
		})
	}
	wg.Wait()
	// 16 of A, 24 of B and of C went out, at 10 each.
	valuation := use(t, s, "get_stock_valuation", `{}`)
	if fmt.Sprint(valuation["total_value"]) != "2360" || fmt.Sprint(valuation["difference"]) != "0" {
		t.Errorf("%v", valuation)
	}
}
