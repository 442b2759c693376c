package server

import (
	"context"
	"fmt"
)

type accountFilter struct {
	Type   string `json:"type,omitempty" jsonschema:"asset, liability, equity, income or expense"`
	Search string `json:"search,omitempty" jsonschema:"part of a name, group or code"`
	AsOf   Date   `json:"as_of,omitempty" jsonschema:"balances on this day; default today"`
	Page
}

type accountLedger struct {
	Account string `json:"account" jsonschema:"code, name or role of the account"`
	Period
	Page
}

type createAccount struct {
	Code     string `json:"code" jsonschema:"digits, capital letters and hyphens"`
	Name     string `json:"name"`
	Type     string `json:"type" jsonschema:"asset, liability, equity, income or expense"`
	Group    string `json:"group" jsonschema:"heading in the statements, such as Operating expenses"`
	Cash     bool   `json:"cash,omitempty" jsonschema:"a bank or cash account"`
	Activity string `json:"activity,omitempty" jsonschema:"operating (default), investing or financing"`
	Reference
}

type journalLine struct {
	Account string `json:"account" jsonschema:"code or name of the account"`
	Debit   Money  `json:"debit,omitempty" jsonschema:"amount on the debit side"`
	Credit  Money  `json:"credit,omitempty" jsonschema:"amount on the credit side"`
	Memo    string `json:"memo,omitempty"`
}

type createJournal struct {
	Date      Date          `json:"date,omitempty" jsonschema:"YYYY-MM-DD; default today"`
	Narration string        `json:"narration" jsonschema:"what the entry is for"`
	Lines     []journalLine `json:"lines" jsonschema:"at least two; debits and credits sum to the same"`
	Reference
}

type journalFilter struct {
	Span
	Account string `json:"account,omitempty" jsonschema:"only entries on this account: its code or name"`
	Search  string `json:"search,omitempty" jsonschema:"part of the number or narration"`
	Manual  bool   `json:"manual,omitempty" jsonschema:"only entries made by hand, not those of documents"`
	Page
}

type byNumber struct {
	Number string `json:"number" jsonschema:"the number as it is printed, such as JV/26-27/0001"`
}

type deleteJournal struct {
	Number string `json:"number" jsonschema:"number of the entry, such as JV/26-27/0001"`
	Reference
}

// nothing is the input of a tool without arguments.
type nothing struct{}

type dayBook struct {
	Date Date `json:"date,omitempty" jsonschema:"YYYY-MM-DD; default today"`
}

func accountTools() []tool {
	return []tool{
		define("get_company", "accounts", reads,
			"The company of the books: name, GSTIN, PAN, state, address, whether totals are rounded, months that "+
				"are closed.",
			func(ctx context.Context, c *call, _ nothing) (result, error) {
				o, err := c.object(ctx, "", "select ledger.company($1)", c.companyID)
				if err != nil {
					return result{}, err
				}
				return one("company", o, "%s, %s.", field(o, "name"), field(o, "state")), nil
			}),
		define("get_charts_of_accounts", "accounts", reads, "The chart of accounts with balances: debit positive.",
			accounts),
		define("get_account_ledger", "accounts", reads,
			"The postings of one account in a period, newest first, with opening and closing balance.",
			ledgerOf),
		define("create_account", "accounts", writes, "Add an account to the chart of accounts.",
			func(ctx context.Context, c *call, in createAccount) (result, error) {
				o, err := c.make(ctx, "create_account", in)
				if err != nil {
					return result{}, err
				}
				return one("account", o, "Account %s %s was added.", field(o, "code"), field(o, "name")), nil
			}),
		define("get_journal_entries", "journal", reads, "List journal entries, newest first.", journals),
		define("get_journal_entry", "journal", reads, "One journal entry with its lines, by number.",
			func(ctx context.Context, c *call, in byNumber) (result, error) {
				o, err := c.object(ctx, fmt.Sprintf("There is no journal entry %s.", in.Number), `
					select ledger.journal($1, id) from ledger.journals
					where company_id = $1 and ledger.number_key(number) = ledger.number_key($2)
					order by reverses is not null, source = 'manual' desc, created_at limit 1`, c.companyID, in.Number)
				if err != nil {
					return result{}, err
				}
				return one("journal_entry", o, "%s of %s: %s.", field(o, "number"), field(o, "date"),
					field(o, "narration")), nil
			}),
		define("create_journal_entry", "journal", writes, "Post a journal entry by hand.",
			func(ctx context.Context, c *call, in createJournal) (result, error) {
				o, err := c.make(ctx, "create_journal", in)
				if err != nil {
					return result{}, err
				}
				return one("journal_entry", o, "%s was posted.", field(o, "number")), nil
			}),
		define("delete_journal_entry", "journal", destroys,
			"Take a journal entry that was made by hand back: it is reversed on its own date.",
			func(ctx context.Context, c *call, in deleteJournal) (result, error) {
				o, err := c.object(ctx, "", `select ledger.delete_journal($1, coalesce((select id from ledger.journals
					where company_id = $1 and ledger.number_key(number) = ledger.number_key($2) and reverses is null
					order by source = 'manual' desc limit 1), '00000000-0000-0000-0000-000000000000'))`, c.companyID,
					in.Number)
				if err != nil {
					return result{}, err
				}
				return one("journal_entry", o, "%s was deleted.", field(o, "number")), nil
			}),
		define("get_day_book", "journal", reads, "All postings of one day.",
			func(ctx context.Context, c *call, in dayBook) (result, error) {
				day, err := c.day("date", in.Date)
				if err != nil {
					return result{}, err
				}
				o, err := c.object(ctx, "", `select jsonb_build_object('date', $2::date,
					'entries', coalesce(jsonb_agg(ledger.journal($1, id) order by created_at, number), '[]'),
					'debits', coalesce(sum((select sum(amount) from ledger.journal_lines l
						where l.journal_id = j.id and amount > 0)), 0))
					from ledger.journals j where company_id = $1 and date = $2::date`, c.companyID, day)
				if err != nil {
					return result{}, err
				}
				return result{fmt.Sprintf("Day book of %s: ₹%s in all.", day, field(o, "debits")), o}, nil
			}),
	}
}

func accounts(ctx context.Context, c *call, in accountFilter) (result, error) {
	day, err := c.day("as_of", in.AsOf)
	if err != nil {
		return result{}, err
	}
	return c.list(ctx, in.Page, listing{
		noun: "accounts", ascending: true,
		query: `select a.code as key, jsonb_build_object('id', a.id, 'code', a.code, 'name', a.name, 'type', a.type,
				'group', a."group", 'role', a.role, 'bank_or_cash', a.cash, 'active', a.active, 'balance', coalesce((
					select sum(l.amount) from ledger.journal_lines l
					where l.company_id = $1 and l.account_id = a.id and l.date <= $2::date), 0)) as row
			from ledger.accounts a where a.company_id = $1 and ($3 = '' or a.type = $3)
			and ($4 = '' or strpos(lower(concat_ws(' ', a.code, a.name, a."group")), lower($4)) > 0)`,
		args: []any{c.companyID, day, in.Type, in.Search},
	})
}

func ledgerOf(ctx context.Context, c *call, in accountLedger) (result, error) {
	from, to, err := c.period(in.Period)
	if err != nil {
		return result{}, err
	}
	account, err := c.id(ctx, "select ledger.account_id($1, $2)", c.companyID, in.Account)
	if err != nil {
		return result{}, err
	}
	r, err := c.list(ctx, in.Page, listing{
		noun: "postings",
		query: `select lpad((row_number() over w)::text, 9, '0') as key,
				jsonb_build_object('date', l.date, 'number', j.number, 'narration', j.narration, 'source', j.source,
				'debit', greatest(l.amount, 0), 'credit', greatest(-l.amount, 0), 'contact', c.name,
				'balance', (select coalesce(sum(b.amount), 0) from ledger.journal_lines b where b.company_id = $1
					and b.account_id = $2 and b.date < $3::date) + sum(l.amount) over w) as row
			from ledger.journal_lines l join ledger.journals j on j.id = l.journal_id
			left join ledger.contacts c on c.id = l.contact_id
			where l.company_id = $1 and l.account_id = $2 and l.date between $3::date and $4::date
			window w as (order by l.date, j.created_at, j.number, j.id, l.line)`,
		args: []any{c.companyID, account, from, to},
	})
	if err != nil {
		return result{}, err
	}
	o, err := c.object(ctx, "", `select jsonb_build_object('code', a.code, 'name', a.name, 'from', $3::date,
			'to', $4::date,
			'opening', coalesce(sum(l.amount) filter (where l.date < $3::date), 0),
			'closing', coalesce(sum(l.amount), 0))
		from ledger.accounts a left join ledger.journal_lines l on l.company_id = $1 and l.account_id = a.id
			and l.date <= $4::date
		where a.id = $2 group by a.id`, c.companyID, account, from, to)
	if err != nil {
		return result{}, err
	}
	r.data.(map[string]any)["account"] = o
	r.text = fmt.Sprintf("%s: ₹%s on %s. %s", field(o, "name"), field(o, "closing"), to, r.text)
	return r, nil
}

func journals(ctx context.Context, c *call, in journalFilter) (result, error) {
	if err := in.check(); err != nil {
		return result{}, err
	}
	var account any
	if in.Account != "" {
		id, err := c.id(ctx, "select ledger.account_id($1, $2)", c.companyID, in.Account)
		if err != nil {
			return result{}, err
		}
		account = id
	}
	return c.list(ctx, in.Page, listing{
		noun: "journal_entries",
		query: `select to_char(j.date, 'YYYY-MM-DD') || ' ' || j.number || ' ' || j.id as key,
				jsonb_build_object('id', j.id, 'number', j.number, 'date', j.date, 'narration', j.narration,
				'source', j.source, 'amount', (select sum(l.amount) from ledger.journal_lines l
					where l.journal_id = j.id and l.amount > 0)) as row
			from ledger.journals j where j.company_id = $1 and ($2::date is null or j.date >= $2)
			and ($3::date is null or j.date <= $3) and ($4::uuid is null or exists (select from ledger.journal_lines l
				where l.journal_id = j.id and l.account_id = $4))
			and ($5 = '' or strpos(lower(j.number || ' ' || j.narration), lower($5)) > 0)
			and (not $6 or j.source = 'manual') and j.reverses is null
			and not exists (select from ledger.journals r where r.reverses = j.id)`,
		args: []any{c.companyID, orNil(in.From), orNil(in.To), account, in.Search, in.Manual},
	})
}
