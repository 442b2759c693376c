package ledger

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/jackc/pgx/v5"
)

// WriteJournal writes the books of a company as a journal that hledger reads: one
// transaction per journal in the order of their dates, with account names such as
// assets:1100 Trade receivables. company is its id.
func (l *Ledger) WriteJournal(ctx context.Context, w io.Writer, company string) error {
	return l.Read(ctx, func(tx pgx.Tx) error {
		out := bufio.NewWriter(w)
		fmt.Fprintln(out, "commodity INR 1,000.00")
		rows, err := tx.Query(ctx, `select j.id::text, j.date::text, j.number, j.narration, a.type, a.code, a.name,
				l.amount::text
			from ledger.journals j
			join ledger.journal_lines l on l.journal_id = j.id
			join ledger.accounts a on a.id = l.account_id
			where j.company_id = $1
			order by j.date, j.created_at, j.number, j.id, l.line`, company)
		if err != nil {
			return fmt.Errorf("read the journals: %w", err)
		}
		defer rows.Close()
		var last string
		for rows.Next() {
			var id, date, number, narration, kind, code, name, amount string
			if err := rows.Scan(&id, &date, &number, &narration, &kind, &code, &name, &amount); err != nil {
				return fmt.Errorf("read a journal: %w", err)
			}
			if id != last {
				fmt.Fprintf(out, "\n%s (%s) %s\n", date, number, oneLine.Replace(narration))
				last = id
			}
			// Two spaces end the name of an account.
			name = strings.Join(strings.Fields(oneLine.Replace(name)), " ")
			fmt.Fprintf(out, "    %s:%s %s  INR %s\n", journalRoots[kind], code, name, amount)
		}
		if err := rows.Err(); err != nil {
			return fmt.Errorf("read the journals: %w", err)
		}
		return out.Flush()
	})
}

// journalRoots are hledger's names of the types of accounts.
var journalRoots = map[string]string{
	"asset": "assets", "liability": "liabilities", "equity": "equity", "income": "revenues", "expense": "expenses",
}

// oneLine removes what ends a line, a comment or an account in a journal.
var oneLine = strings.NewReplacer("\n", " ", "\r", " ", "\t", " ", ";", ",", ":", ",")
