package server_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/ledger/ledgertest"
	"github.com/bellhop-ai/bellhop/infra/local/ledger/server"
)

// bankFile is a statement of n lines, 60 a day. Every tenth is as the one before.
func bankFile(n int) string {
	var b strings.Builder
	b.WriteString("Date,Narration,Chq/Ref No,Withdrawal Amt.,Deposit Amt.,Closing Balance\n")
	day := ledgertest.Now().AddDate(0, 0, -n/60)
	for i := range n {
		if i%60 == 0 {
			day = day.AddDate(0, 0, 1)
		}
		k := i
		if i%10 == 9 {
			k--
		}
		fmt.Fprintf(&b, "%s,\"UPI/%d/SHOP, PUNE\",%09d,", day.Format("02/01/2006"), k%977, k)
		if k%3 == 0 {
			fmt.Fprintf(&b, ",\"%d,%02d,%03d.50\",\n", 1+k%8, k%100, k%1000)
		} else {
			fmt.Fprintf(&b, "%d.%02d,,\n", 100+k%899, k%100)
		}
	}
	return b.String()
}

func arguments(t testing.TB, file string) string {
	t.Helper()
	text, err := json.Marshal(map[string]string{"content": file})
	must(t, err)
	return string(text)
}

// A second import of a file, or of one that overlaps with it, makes no doubles.
func TestTwentyThousandLinesTwice(t *testing.T) {
	b := newBooks(t)
	s := b.session(t, server.JSONPath, ownerToken)
	use(t, s, "create_bank_account", `{"account":"1010","name":"Main","bank":"Harbour Bank","number":"1",`+
		`"opens":"2025-04-01"}`)
	file := bankFile(20_000)
	args := arguments(t, file)
	began := time.Now()
	first := use(t, s, "import_bank_statement", args)
	took := time.Since(began)
	second := use(t, s, "import_bank_statement", args)
	t.Logf("20,000 lines: %s, again %s", took, time.Since(began)-took)
	lines := strings.SplitAfter(file, "\n")
	// From the beginning of a day on.
	overlap := use(t, s, "import_bank_statement", arguments(t, lines[0]+strings.Join(lines[1+600:], "")))
	for i, got := range []map[string]any{first, second, overlap} {
		added, known := 20_000, 0
		if i > 0 {
			added, known = 0, 20_000
		}
		if i == 2 {
			known = 19_400
		}
		if fmt.Sprint(got["added"]) != fmt.Sprint(added) || fmt.Sprint(got["known"]) != fmt.Sprint(known) {
			t.Errorf("import %d: %v", i+1, got)
		}
	}
	if n := b.scalar(t, "select count(*)::text from ledger.bank_lines where occurrence > 1"); n == "0" {
		t.Error("no line of the file repeats another")
	}
}

func BenchmarkImport(b *testing.B) {
	books := newBooks(b)
	s := books.session(b, server.JSONPath, ownerToken)
	args := arguments(b, bankFile(20_000))
	n := 0
	for b.Loop() {
		b.StopTimer()
		n++
		account := fmt.Sprintf(`{"code":"20%02d","name":"Bank %d","type":"asset","group":"Cash and bank","cash":true}`,
			n, n)
		use(b, s, "create_account", account)
		use(b, s, "create_bank_account", fmt.Sprintf(`{"account":"Bank %d","name":"Bank %d","bank":"B","number":"%d",
			"opens":"2025-04-01"}`, n, n, n))
		with := strings.Replace(args, "{", fmt.Sprintf(`{"bank_account":"Bank %d",`, n), 1)
		b.StartTimer()
		use(b, s, "import_bank_statement", with)
	}
	b.ReportMetric(20_000*float64(n)/b.Elapsed().Seconds(), "lines/s")
}
