package ledger

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// DemoOrgs are the organisations of the demo companies. Their ids are fixed, so
// that those who connect to the ledger can know them beforehand.
func DemoOrgs() []Org {
	return []Org{
		{"c0000000-0000-4000-8000-000000000001", "Sahyadri Group",
			map[string]string{Trading: "c0000000-0000-4000-8000-0000000000e1"}},
		{"d0000000-0000-4000-8000-000000000001", "Tungabhadra Group",
			map[string]string{Services: "d0000000-0000-4000-8000-0000000000e1"}},
	}
}

// demoMembers are the users of the demo companies: their own people, and an
// accountant outside who keeps the books of both.
func demoMembers() []Member {
	return []Member{
		{"ca@joshirao.example", "Meera Joshi", map[string]string{Trading: Accountant, Services: Accountant}},
		{"owner@sahyadri.example", "Rohan Kale", map[string]string{Trading: Owner}},
		{"viewer@sahyadri.example", "Sunita Pawar", map[string]string{Trading: Viewer}},
		{"owner@tungabhadra.example", "Kavya Hegde", map[string]string{Services: Owner}},
		{"viewer@tungabhadra.example", "Imran Shaikh", map[string]string{Services: Viewer}},
	}
}

// serverStep is one statement of seedServer, for a company ($1) and the day of
// the clock ($2). Each is run for both.
type serverStep struct{ what, sql string }

func serverSteps() []serverStep {
	return []serverStep{
		{"bank account", `select ledger.create_bank_account(id, jsonb_build_object('account', '1010',
				'name', case code when 'sahyadri' then 'Market Yard current account' else
					'Residency Road current account' end,
				'bank', case code when 'sahyadri' then 'Sahyadri Nagari Bank' else 'Kaveri Commercial Bank' end,
				'number', case code when 'sahyadri' then '50200011883301' else '00411002277045' end,
				'ifsc', case code when 'sahyadri' then 'SNBK0000141' else 'KCBK0000022' end, 'opens', books_begin,
				'opening', ledger.account_balance(id, '1010', books_begin)))
			from ledger.companies where id = $1 and $2::date is not null`},
		{"import of statements", `insert into ledger.bank_imports (company_id, bank_account_id, file, digest, lines,
			added)
			select $1, id, 'statement-' || to_char($2::date - 1, 'YYYY-MM-DD') || '.csv', md5($1::uuid::text ||
				$2::date), 0, 0
			from ledger.bank_accounts where company_id = $1`},
		// What the books have went through the bank within two days, up to the day
		// before yesterday; the latest cheques are not cashed yet.
		{"lines of statements", `insert into ledger.bank_lines (company_id, bank_account_id, import_id, date, amount,
				narration, reference, digest, occurrence)
			select $1, b.id, i.id, x.day, k.amount, x.narration, coalesce(p.bank_reference, ''),
				encode(sha256(convert_to(concat_ws('|', x.day, k.amount, x.narration, p.bank_reference), 'UTF8')),
					'hex'),
				row_number() over (partition by x.day, k.amount, x.narration, p.bank_reference order by k.number)
			from ledger.bank_accounts b join ledger.bank_imports i on i.bank_account_id = b.id
			cross join ledger.book_lines(b.id) k
			left join ledger.payments p on p.company_id = b.company_id and p.number = k.number
			left join ledger.contacts c on c.id = p.contact_id,
			lateral (select k.date + case when p.mode = 'Cheque' then 2 when p.id is not null and k.amount > 0
					then abs(hashtext(k.number)) % 2 else 0 end as day,
				upper(case when p.id is null then k.narration else p.mode || ' ' || c.name end) as narration) x
			where b.company_id = $1 and x.day <= $2::date - 2 and x.day > b.opens`},
		// What only the bank knows.
		{"charges and a deposit", `insert into ledger.bank_lines (company_id, bank_account_id, import_id, date, amount,
				narration, reference, digest, occurrence)
			select $1, b.id, i.id, v.day, v.amount, v.narration, '', md5(v.narration || v.day) || md5(v.narration), 1
			from ledger.bank_accounts b join ledger.bank_imports i on i.bank_account_id = b.id, (values
				($2::date - 6, -590.00, 'SMS AND CHEQUE BOOK CHARGES'), ($2::date - 4, 18450.00,
					'UPI UNKNOWN REMITTER 9922'),
				($2::date - 3, -236.00, 'RTGS CHARGES')) v (day, amount, narration)
			where b.company_id = $1`},
		{"balances", `update ledger.bank_lines l set balance = s.balance from (
				select l.id, b.opening + sum(l.amount) over (order by l.date, l.narration, l.id) as balance
				from ledger.bank_lines l join ledger.bank_accounts b on b.id = l.bank_account_id where b.company_id = $1
				and $2::date is not null) s
			where s.id = l.id`},
		{"count of lines", `update ledger.bank_imports i set lines = s.n, added = s.n from (
				select import_id, count(*) as n from ledger.bank_lines where company_id = $1 and $2::date is not null
				group by import_id) s
			where s.import_id = i.id`},
		// The accountant has gone through the statement up to three weeks ago.
		{"matches", `with lines as (
				select l.id, l.date, l.amount, l.narration, row_number() over (partition by l.amount order by l.date,
					l.id) as n
				from ledger.bank_lines l where l.company_id = $1 and l.digest not like '%' || md5(l.narration)
			), postings as (
				select k.journal_id, k.line, k.amount, row_number() over (partition by k.amount order by k.date,
					k.number) as n
				from ledger.bank_accounts b cross join ledger.book_lines(b.id) k where b.company_id = $1
			), put as (
				insert into ledger.bank_matches (bank_line_id, journal_id, line)
				select l.id, p.journal_id, p.line from lines l join postings p using (amount, n) where l.date <=
					$2::date - 21
				returning bank_line_id
			)
			update ledger.bank_lines l set status = 'matched' from put where put.bank_line_id = l.id`},
		{"expenses", `select ledger.create_expense($1, jsonb_build_object('account', v.account, 'amount', v.amount,
				'description', v.what, 'paid_from', v.paid_from, 'gst_rate', v.rate, 'date', greatest($2::date - v.ago,
					date_trunc('month', $2::date)::date)))
			from (values ('travel', 640, 'Auto and parking', 'cash', 0, 9), ('office', 1250, 'Printer paper', 'cash',
				18, 7),
				('travel', 4200, 'Train tickets', 'bank', 5, 5), ('repairs', 2600, 'Repair of the air conditioner',
					'bank', 18, 1))
				v (account, amount, what, paid_from, rate, ago)`},
		{"delivery challans", `select ledger.create_challan($1, jsonb_build_object('customer', v.customer,
				'purpose', v.purpose, 'date', $2::date - v.ago, 'vehicle', v.vehicle, 'lines',
					jsonb_build_array(jsonb_build_object('product', p.code,
				'quantity', v.quantity))))
			from (values (1, 'C-0001', 'approval', 'MH12QX4410', 4, 16), (2, 'C-0006', 'supply', 'MH14GU0927', 12, 9),
				(3, 'C-0010', 'exhibition', 'MH12LK7788', 2, 3)) v (n, customer, purpose, vehicle, quantity, ago)
			join (select code, row_number() over (order by code) as n from ledger.products where company_id = $1) p
				using (n)`},
		{"a challan that arrived", `update ledger.challans set status = 'delivered'
			where company_id = $1 and date = $2::date - 16`},
		{"returns that were filed", `insert into ledger.filings (company_id, form, period, arn, filed_on, figures)
			select $1, d.form, d.period, 'AA' || c.state_code || to_char(d.due, 'MMYY') || lpad((
					row_number() over (order by d.due, d.form) + case c.code when 'sahyadri' then 0 else 500 end
				)::text, 6, '0') || 'K', d.due - abs(hashtext(d.form || d.period)) % 3,
				case d.form when 'GSTR-1' then (select jsonb_build_object('taxable', coalesce(sum(taxable), 0),
						'tax', coalesce(sum(igst + cgst + sgst), 0))
					from ledger.gstr1($1, d.period, (d.period + interval '1 month')::date - 1))
				else '{}' end
			from ledger.companies c, ledger.due_dates($1, c.books_begin, $2::date - 1) d
			left join ledger.periods p on p.company_id = $1 and p.starts = d.period
			where c.id = $1 and (d.form not like 'GSTR-_%' or p.status = 'filed' or d.form = 'GSTR-1' and p.status =
				'locked')
			and d.due < $2::date`},
		{"reminders", `select ledger.remind($1, jsonb_build_object('invoice', number)) from ledger.invoices
			where company_id = $1 and days_overdue > 10 and $2::date is not null
			and exists (select from ledger.contacts c where c.id = contact_id and c.email is not null)
			order by days_overdue desc limit 3`},
		// Last year's monthly average and eight per cent.
		{"budgets", `insert into ledger.budgets (company_id, account_id, month, amount)
			select $1, a.id, m::date, ceil(p.amount / 12 * 1.08 / 500) * 500
			from ledger.profit_loss($1, (ledger.fy_start($2) - interval '1 year')::date, ledger.fy_start($2) - 1) p
			join ledger.accounts a on a.company_id = $1 and a.code = p.code,
			generate_series(ledger.fy_start($2)::timestamp, ledger.fy_start($2) + interval '11 months', interval
				'1 month') m
			where p.amount > 0`},
	}
}

// seedServer adds what the MCP server has beyond the books, after both companies
// are written: bank statements, expenses, challans, filings, reminders, budgets,
// users.
func seedServer(ctx context.Context, tx pgx.Tx, today time.Time) error {
	for _, code := range []string{Trading, Services} {
		var id string
		if err := tx.QueryRow(ctx, "select id::text from ledger.companies where code = $1",
			code).Scan(&id); err != nil {
			return fmt.Errorf("find %s: %w", code, err)
		}
		at := today.Add(6*time.Hour + 30*time.Minute).Format(time.RFC3339)
		if _, err := tx.Exec(ctx, clockSQL, "accounts@"+code+".example", at); err != nil {
			return err
		}
		for _, s := range serverSteps() {
			if _, err := tx.Exec(ctx, s.sql, id, today); err != nil {
				return fmt.Errorf("%s of %s: %w", s.what, code, err)
			}
		}
	}
	for _, o := range DemoOrgs() {
		if err := addOrg(ctx, tx, o); err != nil {
			return err
		}
	}
	for _, m := range demoMembers() {
		if err := addMember(ctx, tx, m); err != nil {
			return err
		}
	}
	return nil
}
