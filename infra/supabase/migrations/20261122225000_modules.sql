-- Modules of financial tools: what the answers of the assistants are about, and
-- which answers a write makes out of date.
--
-- This is reference data of the product, the same for every organisation.

-- A module, or with a parent a sub-module: a category of tools. keywords are
-- words of sentences that are about it. A write in one that posts changes every
-- one with figures of the accounts, and those in touches; "*" is all.
create table app.modules (
  code text primary key check (code ~ '^[a-z][a-z0-9_]{0,39}$'),
  parent text references app.modules (code),
  name text not null,
  description text not null,
  keywords text[] not null default '{}',
  posts boolean not null default false,
  figures boolean not null default false,
  touches text[] not null default '{}',
  position int not null
);
revoke all on app.modules from public, anon, authenticated, service_role;

-- The tools of the ledger, each with its sub-module.
create table app.module_tools (
  name text primary key check (name ~ '^[a-z][a-z0-9_]{0,63}$'),
  module text not null references app.modules (code)
);
revoke all on app.module_tools from public, anon, authenticated, service_role;

insert into app.modules (code, parent, name, description, position) values
  ('sales', null, 'Sales', 'Invoices, customers and what they owe.', 1),
  ('purchases', null, 'Purchases', 'Bills, vendors, expenses and what is owed to them.', 2),
  ('bank', null, 'Bank and payments', 'Receipts, payments and bank statements.', 3),
  ('stock', null, 'Inventory', 'Products and stock.', 4),
  ('accounting', null, 'Accounting', 'The chart of accounts and journal entries.', 5),
  ('gst', null, 'GST', 'Returns, e-invoices and input tax credit.', 6),
  ('reports', null, 'Reports', 'Profit and loss, balance sheet, cash flow.', 7),
  ('analysis', null, 'Analysis', 'Key figures, trends and forecasts.', 8);

insert into app.modules (code, parent, name, description, keywords, posts, figures, touches, position) values
  ('invoices', 'sales', 'Invoices', 'Sales invoices.', '{invoice,sales,revenue}',
   true, false, '{customers,payments,credit_notes,delivery_challans,inventory}', 1),
  ('bills', 'purchases', 'Bills', 'Bills of vendors.', '{bill,purchase,payable}',
   true, false, '{vendors,payments,credit_notes,expenses,inventory}', 2),
  ('payments', 'bank', 'Payments', 'Receipts from customers and payments to vendors.', '{payment,paid,receipt}',
   true, false, '{invoices,bills,customers,vendors,credit_notes,expenses}', 3),
  ('customers', 'sales', 'Customers', 'Who buys, and what each owes.', '{customer,client,buyer}',
   false, false, '{invoices,payments,credit_notes,delivery_challans,aging_reports,gst_actions,reports_pnl}'::text[] ||
   '{reports_gst,kpi_dashboard,trends_analysis}'::text[], 4),
  ('vendors', 'purchases', 'Vendors', 'Who sells to the company, and what each is owed.', '{vendor,supplier}',
   false, false, '{bills,payments,credit_notes,expenses,aging_reports,reports_pnl,reports_payables}'::text[] ||
   '{reports_gst}'::text[] ||
   '{kpi_dashboard,trends_analysis}'::text[], 5),
  ('credit_notes', 'sales', 'Credit and debit notes', 'Corrections of invoices and bills.',
   '{"credit note",refund,"debit note"}',
   true, false, '{invoices,bills,customers,vendors,payments,inventory}', 6),
  ('accounts', 'accounting', 'Accounts', 'The chart of accounts with balances.', '{account,ledger,coa}',
   true, true, '{expenses,payments}', 7),
  ('transactions', 'bank', 'Transactions', 'Lines of bank statements.', '{bank,reconcile,statement}',
   true, true, '{payments,expenses}', 8),
  ('aging_reports', 'sales', 'Aging', 'Receivables and payables by how long they are overdue, and reminders.',
   '{aging,overdue,ar,ap}',
   false, true, '{invoices,customers}', 9),
  ('delivery_challans', 'sales', 'Delivery challans', 'Goods that are sent without an invoice.', '{challan,dispatch}',
   false, false, '{invoices,customers,inventory}', 10),
  ('expenses', 'purchases', 'Expenses', 'What was paid at once.', '{expense,spending}',
   true, false, '{vendors}', 11),
  ('banking', 'bank', 'Banking', 'Bank accounts, import of statements, matching.', '{bank,reconcile}',
   true, true, '{payments,expenses,invoices,bills}', 12),
  ('inventory', 'stock', 'Inventory', 'Products, stock and its value.', '{stock,product,sku}',
   true, false, '{invoices,bills,delivery_challans}', 13),
  ('journal', 'accounting', 'Journal', 'Journal entries and the day book.', '{journal,"day book"}',
   true, true, '{"*"}', 14),
  ('gst_actions', 'gst', 'GST filing', 'Returns that are filed, and e-invoices.', '{gst,gstr,e-invoice}',
   true, true, '{invoices}', 15),
  ('reports_pnl', 'reports', 'Profit and loss', 'Revenue, expenses and margins of a period.', '{"p&l",profit,margin}',
   false, true, '{}', 16),
  ('reports_balance', 'reports', 'Balance sheet', 'Balance sheet and trial balance.',
   '{"balance sheet","trial balance"}',
   false, true, '{}', 17),
  ('reports_cashflow', 'reports', 'Cash flow', 'Cash in hand, cash flow and its forecast.', '{"cash flow",liquidity}',
   false, true, '{}', 18),
  ('reports_payables', 'purchases', 'Payables', 'Open bills by age and by due date.', '{"ap aging","overdue bills"}',
   false, true, '{}', 19),
  ('reports_gst', 'gst', 'GST reports', 'Output tax and input tax credit.', '{"gst summary",itc}',
   false, true, '{}', 20),
  ('kpi_dashboard', 'analysis', 'Key figures', 'Key figures of the company.', '{kpi,dashboard,health}',
   false, true, '{}', 21),
  ('trends_analysis', 'analysis', 'Trends', 'Comparison of periods, trends, forecasts and anomalies.',
   '{compare,trend,forecast}',
   false, true, '{}', 22);

insert into app.module_tools (module, name)
select m.module, t.name from (values
  ('invoices', '{get_all_invoices,get_invoice,create_invoice,update_invoice,void_invoice}'::text[]),
  ('bills', '{get_bills,get_bill,create_bill,update_bill,void_bill}'::text[]),
  ('payments', '{get_all_payments,get_payment,create_payment,update_payment,void_payment,apply_advance}'::text[]),
  ('customers', '{get_all_customers,get_customer,create_customer,update_customer}'::text[]),
  ('vendors', '{get_all_vendors,get_vendor,create_vendor,update_vendor}'::text[]),
  ('credit_notes', '{get_all_sales_credit_notes,get_credit_note,create_sales_credit_note,update_credit_note}'::text[]
    || '{get_all_purchase_debit_notes,create_purchase_debit_note}'::text[]),
  ('accounts', '{get_charts_of_accounts,get_account_ledger,create_account,get_company}'::text[]),
  ('transactions', '{find_by_reference,get_all_transactions,get_transaction,update_transaction}'::text[]),
  ('aging_reports', '{get_aged_receivables_report,get_aged_payables_report,get_overdue_invoices}'::text[]
    || '{send_payment_reminders,get_payment_reminders}'::text[]),
  ('delivery_challans', '{get_all_delivery_challans,get_delivery_challan,create_delivery_challan}'::text[]
    || '{update_delivery_challan}'::text[]),
  ('expenses', '{list_expenses,get_expense,create_expense,delete_expense}'::text[]),
  ('banking', '{get_bank_accounts,create_bank_account,import_bank_statement,suggest_bank_matches}'::text[]
    || '{match_bank_transaction,unmatch_bank_transaction,reconcile_bank_account}'::text[]
    || '{get_bank_reconciliation}'::text[]),
  ('inventory', '{get_products,get_product,create_product,update_product,adjust_stock,get_stock_movements}'::text[]
    || '{get_stock_valuation}'::text[]),
  ('journal', '{get_journal_entries,get_journal_entry,create_journal_entry,delete_journal_entry}'::text[]
    || '{get_day_book,set_period_status}'::text[]),
  ('gst_actions', '{file_gstr1,file_gstr3b,generate_einvoice,cancel_einvoice,get_compliance_calendar}'::text[]),
  ('reports_pnl', '{get_profit_loss,get_revenue_breakdown,get_expense_breakdown}'::text[]),
  ('reports_balance', '{get_balance_sheet,get_trial_balance}'::text[]),
  ('reports_cashflow', '{get_cash_flow_statement,get_cash_position,forecast_cash_flow}'::text[]),
  ('reports_payables', '{get_ap_aging,get_upcoming_payments}'::text[]),
  ('reports_gst', '{get_gst_summary,get_gstr1_data,get_gstr3b_data,get_itc_summary,get_tax_rates}'::text[]),
  ('kpi_dashboard', '{get_revenue_kpi,get_kpi_dashboard}'::text[]),
  ('trends_analysis', '{compare_periods,trend,forecast,anomaly_detection,budget_vs_actual}'::text[])) m(module, tools)
cross join unnest(m.tools) t(name);

-- The sub-modules of tools; "*", which stands for all, for a tool that is not known.
create function app.modules_of(p_tools text[]) returns text[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(distinct coalesce(m.module, '*')), '{}')
  from unnest(p_tools) t(name) left join app.module_tools m on m.name = t.name
$$;

-- The sub-modules whose answers a write by a tool may change; {"*"} for all of
-- them, and for a tool that is not known.
create function app.modules_touched(p_tool text) returns text[]
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select case when '*' = any (w.touches) then array['*'] else array(
      select m.code from app.modules m
      where m.code = w.code or m.code = any (w.touches) or w.posts and m.figures order by m.code) end
    from app.module_tools t join app.modules w on w.code = t.module where t.name = p_tool), array['*'])
$$;

revoke execute on all routines in schema app from public;
