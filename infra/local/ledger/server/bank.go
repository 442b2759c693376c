package server

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/ledger/statement"
)

type bankAccountFilter struct {
	Page
}

type lineFilter struct {
	Span
	BankAccount string `json:"bank_account,omitempty" jsonschema:"name or number of the bank account; default all"`
	Status      string `json:"status,omitempty" jsonschema:"unmatched, matched or excluded"`
	Direction   string `json:"direction,omitempty" jsonschema:"in or out"`
	Search      string `json:"search,omitempty" jsonschema:"part of the narration, reference or note"`
	Page
}

type oneLine struct {
	ID string `json:"id" jsonschema:"id of the transaction as listed by get_all_transactions"`
}

type updateLine struct {
	oneLine
	Note      string `json:"note,omitempty"`
	Status    string `json:"status,omitempty" jsonschema:"excluded (it needs no posting) or unmatched"`
	Account   string `json:"account,omitempty" jsonschema:"post it to this account, such as Bank charges, and match it"`
	Narration string `json:"narration,omitempty" jsonschema:"narration of that posting; default the bank's"`
	Reference
}

type createBankAccount struct {
	Account string `json:"account" jsonschema:"code or name of a bank account of the chart"`
	Name    string `json:"name" jsonschema:"what people call it"`
	Bank    string `json:"bank"`
	Number  string `json:"number"`
	IFSC    string `json:"ifsc,omitempty"`
	Opens   Date   `json:"opens,omitempty" jsonschema:"day before the first line of its statements; default today"`
	Opening Money  `json:"opening,omitempty" jsonschema:"the bank's balance on that day; default 0"`
	Reference
}

type importStatement struct {
	BankAccount   string `json:"bank_account,omitempty" jsonschema:"name or number; may be left out when there is only one"`
	FileName      string `json:"file_name,omitempty"`
	Content       string `json:"content,omitempty" jsonschema:"the CSV file as text"`
	ContentBase64 string `json:"content_base64,omitempty" jsonschema:"or its bytes as base64, in UTF-8 or UTF-16"`
	Reference
}

type ofBank struct {
	BankAccount string `json:"bank_account,omitempty" jsonschema:"name or number; may be left out when there is only one"`
}

type suggestMatches struct {
	ofBank
	Page
}

type matchLine struct {
	oneLine
	Numbers []string `json:"numbers,omitempty" jsonschema:"numbers of the payments, expenses or journal entries that it is; default the one that fits best"`
	Reference
}

type unmatchLine struct {
	oneLine
	Reference
}

type matchStatement struct {
	ofBank
	Reference
}

type reconciliation struct {
	ofBank
	AsOf Date `json:"as_of,omitempty" jsonschema:"YYYY-MM-DD; default today"`
}

func bankTools() []tool {
	return []tool{
		define("get_all_transactions", "transactions", reads, "List the lines of bank statements, newest first.",
			bankLines),
		define("get_transaction", "transactions", reads, "One line of a bank statement with the postings that it is.",
			func(ctx context.Context, c *call, in oneLine) (result, error) {
				id, err := lineID(in.ID)
				if err != nil {
					return result{}, err
				}
				return c.lineResult(ctx, "%s of %s is %s.", "There is no such transaction.",
					"select ledger.bank_line($1, $2)",
					c.companyID, id)
			}),
		define("update_transaction", "transactions", writes,
			"Note something on a line of a statement, exclude it, or post it to an account.", updateBankLine),
		define("get_bank_accounts", "banking", reads,
			"List bank accounts with the balance of the bank and of the books.",
			bankAccounts),
		define("create_bank_account", "banking", writes, "Add a bank account whose statements are imported.",
			func(ctx context.Context, c *call, in createBankAccount) (result, error) {
				id, err := c.id(ctx, "select ledger.create_bank_account($1, $2)", c.companyID, mustJSON(in))
				if err != nil {
					return result{}, err
				}
				return result{in.Name + " was added.", map[string]any{"bank_account": map[string]any{"id": id,
					"name": in.Name}}}, nil
			}),
		define("import_bank_statement", "banking", writes,
			"Import the CSV file of a bank statement. Lines that were imported before are not added again.",
			importBankStatement),
		define("suggest_bank_matches", "banking", reads,
			"For unmatched lines of statements: postings of the same amount, best first, and open documents of that "+
				"amount.",
			suggest),
		define("match_bank_transaction", "banking", writes,
			"Match a line of a statement with the postings that it is.",
			func(ctx context.Context, c *call, in matchLine) (result, error) {
				id, err := lineID(in.ID)
				if err != nil {
					return result{}, err
				}
				return c.lineResult(ctx, "%s of %s is %s.", "", "select ledger.match_line($1, $2, $3)", c.companyID,
					id,
					in.Numbers)
			}),
		define("unmatch_bank_transaction", "banking", writes, "Undo the match of a line of a statement.",
			func(ctx context.Context, c *call, in unmatchLine) (result, error) {
				id, err := lineID(in.ID)
				if err != nil {
					return result{}, err
				}
				return c.lineResult(ctx, "%s of %s is %s.", "", "select ledger.unmatch_line($1, $2)", c.companyID, id)
			}),
		define("reconcile_bank_account", "banking", writes,
			"Match every line of a statement that has one posting which clearly fits best.",
			func(ctx context.Context, c *call, in matchStatement) (result, error) {
				o, err := c.object(ctx, "", "select ledger.match_statement($1, ledger.bank_account_id($1, $2))",
					c.companyID,
					in.BankAccount)
				if err != nil {
					return result{}, err
				}
				return result{fmt.Sprintf("%s lines were matched, %s are left.", field(o, "matched"),
					field(o, "left")), o}, nil
			}),
		define("get_bank_reconciliation", "banking", reads,
			"Compare the statement with the books on a day: balances, what is in one and not in the other.",
			func(ctx context.Context, c *call, in reconciliation) (result, error) {
				day, err := c.day("as_of", in.AsOf)
				if err != nil {
					return result{}, err
				}
				o, err := c.object(ctx, "", "select ledger.reconciliation($1, ledger.bank_account_id($1, $2), $3)",
					c.companyID,
					in.BankAccount, day)
				if err != nil {
					return result{}, err
				}
				return result{fmt.Sprintf("%s on %s: ₹%s at the bank, ₹%s in the books, ₹%s unexplained.",
					field(o, "bank_account"), day, field(o, "statement_balance"), field(o, "book_balance"),
					field(o, "difference")), o}, nil
			}),
	}
}

func lineID(text string) (uuid.UUID, error) {
	id, err := uuid.Parse(text)
	if err != nil {
		return id, refuse("There is no such transaction.")
	}
	return id, nil
}

func mustJSON(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // a struct of strings
	}
	return text
}

func (c *call) lineResult(ctx context.Context, format, missing, query string, args ...any) (result, error) {
	o, err := c.object(ctx, missing, query, args...)
	if err != nil {
		return result{}, err
	}
	return one("transaction", o, format, "₹"+field(o, "amount"), field(o, "date"), field(o, "status")), nil
}

func bankLines(ctx context.Context, c *call, in lineFilter) (result, error) {
	if err := in.check(); err != nil {
		return result{}, err
	}
	var bank any
	if in.BankAccount != "" {
		id, err := c.id(ctx, "select ledger.bank_account_id($1, $2)", c.companyID, in.BankAccount)
		if err != nil {
			return result{}, err
		}
		bank = id
	}
	return c.list(ctx, in.Page, listing{
		noun: "transactions",
		query: `select to_char(l.date, 'YYYY-MM-DD') || ' ' || l.id as key,
			jsonb_strip_nulls(jsonb_build_object('id', l.id,
				'bank_account', b.name, 'date', l.date, 'amount', l.amount, 'direction', case when l.amount > 0 then
					'in'
				else 'out' end, 'narration', l.narration, 'bank_reference', nullif(l.reference, ''), 'balance',
					l.balance,
				'status', l.status, 'note', nullif(l.note, ''))) as row
			from ledger.bank_lines l join ledger.bank_accounts b on b.id = l.bank_account_id
			where l.company_id = $1 and ($2::date is null or l.date >= $2) and ($3::date is null or l.date <= $3)
			and ($4::uuid is null or b.id = $4) and ($5 = '' or l.status = $5)
			and ($6 = '' or ($6 = 'in') = (l.amount > 0))
			and ($7 = '' or strpos(lower(concat_ws(' ', l.narration, l.reference, l.note)), lower($7)) > 0)`,
		args:  []any{c.companyID, orNil(in.From), orNil(in.To), bank, in.Status, in.Direction, in.Search},
		total: "coalesce(sum((row->>'amount')::numeric), 0)",
	})
}

func updateBankLine(ctx context.Context, c *call, in updateLine) (result, error) {
	id, err := lineID(in.ID)
	if err != nil {
		return result{}, err
	}
	changes := map[string]string{}
	if in.Note != "" {
		changes["note"] = in.Note
	}
	if in.Status != "" {
		changes["status"] = in.Status
	}
	if in.Account == "" && len(changes) == 0 {
		return result{}, refuse("Nothing is to be changed: give a note, a status or an account.")
	}
	var o json.RawMessage
	if len(changes) > 0 {
		if o, err = c.change(ctx, "update_bank_line", id, changes); err != nil {
			return result{}, err
		}
	}
	if in.Account != "" {
		if o, err = c.object(ctx, "", "select ledger.post_line($1, $2, $3, $4)", c.companyID, id, in.Account,
			in.Narration); err != nil {
			return result{}, err
		}
	}
	return one("transaction", o, "₹%s of %s is %s now.", field(o, "amount"), field(o, "date"), field(o, "status")), nil
}

func bankAccounts(ctx context.Context, c *call, in bankAccountFilter) (result, error) {
	return c.list(ctx, in.Page, listing{
		noun: "bank_accounts", ascending: true,
		query: `select b.name || ' ' || b.id as key, jsonb_build_object('id', b.id, 'name', b.name, 'bank', b.bank,
				'number', b.number, 'ifsc', b.ifsc, 'account', a.code, 'book_balance', r->'book_balance',
				'statement_balance', r->'statement_balance', 'last_line', r->'last_line',
				'unmatched', r->'unmatched_lines') as row
			from ledger.bank_accounts b join ledger.accounts a on a.id = b.account_id,
				ledger.reconciliation(b.company_id, b.id, $2) r
			where b.company_id = $1`,
		args: []any{c.companyID, c.today},
	})
}

func importBankStatement(ctx context.Context, c *call, in importStatement) (result, error) {
	file := []byte(in.Content)
	if (in.Content == "") == (in.ContentBase64 == "") {
		return result{}, refuse("Give the file either as content or as content_base64.")
	}
	if in.ContentBase64 != "" {
		var err error
		if file, err = base64.StdEncoding.DecodeString(in.ContentBase64); err != nil {
			return result{}, refuse("content_base64 is not base64.")
		}
	}
	lines, err := statement.Parse(file)
	if e, ok := errors.AsType[*statement.Error](err); ok {
		return result{}, refuse("The statement could not be read: %s.", e.Error())
	}
	if err != nil {
		return result{}, err
	}
	rows := make([][7]any, len(lines))
	for i, l := range lines {
		var balance any
		if l.Balance != nil {
			balance = rupees(*l.Balance)
		}
		rows[i] = [7]any{l.Date.Format(time.DateOnly), rupees(l.Amount), l.Narration, l.Reference, balance,
			hex.EncodeToString(l.Digest[:]), l.Occurrence}
	}
	text, err := json.Marshal(rows)
	if err != nil {
		return result{}, fmt.Errorf("encode the lines: %w", err)
	}
	sum := sha256.Sum256(file)
	o, err := c.object(ctx, "", "select ledger.import_statement($1, ledger.bank_account_id($1, $2), $3, $4, $5)",
		c.companyID, in.BankAccount, in.FileName, hex.EncodeToString(sum[:]), text)
	if err != nil {
		return result{}, err
	}
	return result{fmt.Sprintf("%s of %s lines were added to %s; %s were there already.", field(o, "added"),
		field(o, "lines"), field(o, "bank_account"), field(o, "known")), o}, nil
}

// rupees writes paise with two decimals.
func rupees(paise int64) string {
	sign := ""
	if paise < 0 {
		sign, paise = "-", -paise
	}
	return fmt.Sprintf("%s%d.%02d", sign, paise/100, paise%100)
}

func suggest(ctx context.Context, c *call, in suggestMatches) (result, error) {
	bank, err := c.id(ctx, "select ledger.bank_account_id($1, $2)", c.companyID, in.BankAccount)
	if err != nil {
		return result{}, err
	}
	return c.list(ctx, in.Page, listing{
		noun: "suggestions",
		query: `select to_char(l.date, 'YYYY-MM-DD') || ' ' || l.id as key, jsonb_build_object('id', l.id, 'date',
			l.date,
				'amount', l.amount, 'narration', l.narration, 'bank_reference', l.reference,
				'postings', coalesce(k.postings, '[]'), 'open_documents', coalesce((
					select jsonb_agg(jsonb_build_object('number', d.number, 'contact', d.contact, 'due_date',
						d.due_date,
						'balance', d.balance) order by d.due_date)
					from ledger.document_list d where d.company_id = l.company_id and d.balance = abs(l.amount)
					and d.kind = case when l.amount > 0 then 'invoice' else 'bill' end and d.date <= l.date), '[]'))
						as row
			from ledger.bank_lines l left join (
				select bank_line_id, jsonb_agg(jsonb_build_object('number', number, 'date', date, 'narration',
					narration,
					'amount', amount, 'score', score) order by score desc, date) as postings
				from ledger.match_candidates($2) group by bank_line_id) k on k.bank_line_id = l.id
			where l.company_id = $1 and l.bank_account_id = $2 and l.status = 'unmatched'`,
		args: []any{c.companyID, bank},
	})
}
