package statement_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/bellhop-ai/bellhop/infra/local/ledger/statement"
)

func TestAmounts(t *testing.T) {
	for text, want := range map[string]int64{
		"": 0, "-": 0, "NIL": 0, "0.00": 0, "1,23,456.78": 12345678, "12,34,56,789.00": 12345678900,
		"1,234,567.8": 123456780,
		"(1,234.00)":  -123400, "1,234.00 Dr": -123400, "1,234.00Cr.": 123400, "₹ 500": 50000, "-500": -50000,
		"+500":     50000,
		"Rs. 99.9": 9990, "1234567": 123456700, "INR 1,00,000": 10000000,
	} {
		if got, _, err := statement.Amount(text); got != want || err != nil {
			t.Errorf("%q is %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"abc", "1.234", "1,23", "12,3456.00", "1,2345,678", "(5", "-(5)", "(5) Dr", "1e5",
		"5.", "--5",
		"1,23,4567", "99999999999999", "1,,000", ",100", "1,234,56,789"} {
		if got, _, err := statement.Amount(text); err == nil {
			t.Errorf("%q is taken for %d", text, got)
		}
	}
}

// same is one statement in the forms of several banks.
func same() map[string]string {
	return map[string]string{
		"two columns": "Name,Asha\n\nDate,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing " +
			"Balance\n" +
			"01/10/26,UPI  LUNCH,123,01/10/26,\"1,250.50\",,\"98,749.50\"\n02/10/26,NEFT " +
			"ACME,U9,03/10/26,,\"1,00,000.00\",\"1,98,749.50\"\n" +
			",Total,,,\"1,250.50\",\"1,00,000.00\",\n",
		"Dr and Cr": "Txn Date;Description;Ref No;Amount;Dr/Cr\n01-10-2026;UPI LUNCH;123;1250.50;DR\n" +
			"02-10-2026;NEFT ACME;U9;1,00,000.00;CR\n",
		"signs": "Date\tParticulars\tReference\tAmount (INR)\n1 Oct 2026\tUPI LUNCH\t123\t(1,250.50)\n2 Oct " +
			"2026\tNEFT ACME\tU9\t100000\n",
		"suffixes": "DATE|REMARKS|UTR|AMOUNT\n2026-10-01|UPI LUNCH|123|1,250.50 Dr\n2026-10-02 10:31:00|NEFT " +
			"ACME|U9|1,00,000.00 Cr\n",
		"debit first": "Transaction Date,Value Date,Particulars,Cheque No,Debit,Credit,Balance\n01-Oct-2026,,UPI " +
			"LUNCH,123,1250.50,-,\n02-Oct-2026,,NEFT ACME,U9,0.00,\"1,00,000\",\n",
	}
}

func encode16(text string, order binary.AppendByteOrder, mark bool) []byte {
	var b []byte
	if mark {
		b = order.AppendUint16(b, 0xFEFF)
	}
	for _, u := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, u)
	}
	return b
}

func TestTheSameStatementInManyForms(t *testing.T) {
	type line struct {
		date, narration, reference string
		amount                     int64
	}
	want := []line{{"2026-10-01", "UPI LUNCH", "123", -125050}, {"2026-10-02", "NEFT ACME", "U9", 10000000}}
	digests := map[string]bool{}
	for name, text := range same() {
		for coding, file := range map[string][]byte{
			"UTF-8": []byte(text), "UTF-8 with a mark": []byte("\uFEFF" + text),
			"UTF-16 LE": encode16(text, binary.LittleEndian, true), "UTF-16 BE": encode16(text, binary.BigEndian,
				true),
			"UTF-16 LE without a mark": encode16(text, binary.LittleEndian, false),
			"CRLF":                     []byte(strings.ReplaceAll(text, "\n", "\r\n")),
		} {
			lines, err := statement.Parse(file)
			if err != nil {
				t.Errorf("%s in %s: %v", name, coding, err)
				continue
			}
			var got []line
			for _, l := range lines {
				got = append(got, line{l.Date.Format(time.DateOnly), l.Narration, l.Reference, l.Amount})
				digests[fmt.Sprintf("%x", l.Digest)] = true
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s in %s: %v", name, coding, got)
			}
		}
	}
	if len(digests) != 2 {
		t.Errorf("two lines have %d digests in the forms of several banks", len(digests))
	}
}

func TestEqualLinesAreNumbered(t *testing.T) {
	lines, err := statement.Parse([]byte("Date,Narration,Amount\n01/10/2026,TEA,-20\n01/10/2026,TEA,-20\n" +
		"02/10/2026,TEA,-20\n"))
	if err != nil || len(lines) != 3 || lines[0].Digest != lines[1].Digest || lines[1].Digest == lines[2].Digest ||
		lines[0].Occurrence != 1 || lines[1].Occurrence != 2 || lines[2].Occurrence != 1 {
		t.Errorf("%+v, %v", lines, err)
	}
}

func TestFilesThatAreRefused(t *testing.T) {
	for name, test := range map[string]struct {
		file string
		row  int
	}{
		"empty":            {"", 0},
		"no header":        {"01/10/2026,TEA,-20\n", 0},
		"no lines":         {"Date,Amount\n", 0},
		"a bad amount":     {"Date,Amount\n01/10/2026,5\n02/10/2026,5O\n", 3},
		"a bad date":       {"Date,Amount\n31/02/2026,5\n", 2},
		"both":             {"Date,Debit,Credit\n01/10/2026,5,6\n", 2},
		"an unknown side":  {"Date,Amount,Dr/Cr\n01/10/2026,5,XX\n", 2},
		"a picture":        {"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", 0},
		"half a character": {"\xff\xfea", 0},
	} {
		_, err := statement.Parse([]byte(test.file))
		if e, ok := errors.AsType[*statement.Error](err); !ok || e.Row != test.row || e.Text == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range same() {
		f.Add([]byte(text))
		f.Add(encode16(text, binary.LittleEndian, true))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		lines, err := statement.Parse(file)
		if (err == nil) == (len(lines) == 0) {
			t.Fatalf("%d lines and %v", len(lines), err)
		}
		for _, l := range lines {
			if l.Amount == 0 || l.Date.IsZero() || l.Occurrence < 1 || l.Row < 1 {
				t.Fatalf("%+v", l)
			}
		}
	})
}
