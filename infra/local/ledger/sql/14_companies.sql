-- Making accounts and companies.

-- create_account: {"code", "name", "type", "group", "cash", "activity"}.
create function ledger.create_account(p_company uuid, p_account jsonb) returns jsonb
language plpgsql as $$
declare
  v ledger.accounts;
begin
  insert into ledger.accounts (company_id, code, name, type, "group", role, cash, activity)
  values (p_company, upper(ledger.required_words(p_account, 'code', 20)), ledger.required_words(p_account, 'name',
      100),
    ledger.required_words(p_account, 'type'), ledger.required_words(p_account, 'group', 60), p_account->>'role',
    coalesce((p_account->>'cash')::boolean, false), ledger.words(p_account, 'activity', 'operating'))
  returning * into v;
  perform ledger.note(p_company, 'create', 'account', v.id, v.code);
  return to_jsonb(v) - 'company_id';
exception
  when unique_violation then
    perform ledger.fail('LG409', format('There is an account %s or one named "%s" already.',
      p_account->>'code', p_account->>'name'));
  when check_violation then
    perform ledger.fail('LG422', 'The account''s code, type or activity is not one that the books know.');
end $$;

-- create_company makes a company with its first financial year, its numbers and
-- the accounts that postings use: {"code", "name", "gstin", "pan", "state",
-- "address", "email", "books_begin", "round_off"}. Returns its id.
create function ledger.create_company(p jsonb) returns uuid
language plpgsql as $$
declare
  v_id uuid := ledger.new_id();
  v_begin date := ledger.day(p, 'books_begin');
begin
  insert into ledger.companies (id, code, name, gstin, pan, state_code, address, email, books_begin, round_off)
  values (v_id, ledger.required_words(p, 'code'), ledger.required_words(p, 'name'), ledger.words(p, 'gstin'),
    ledger.words(p, 'pan', substr(p->>'gstin', 3, 10)), ledger.required_words(p, 'state'),
    ledger.words(p, 'address', ''), ledger.words(p, 'email'), v_begin, coalesce((p->>'round_off')::boolean, true));
  perform ledger.open_year(v_id, v_begin);
  insert into ledger.series (company_id, kind, prefix)
  select v_id, kind, prefix from (values ('invoice', 'INV'), ('bill', 'BILL'), ('credit_note', 'CN'),
    ('debit_note', 'DN'), ('receipt', 'RCT'), ('payment', 'PAY'), ('journal', 'JV'), ('challan', 'DC'),
    ('expense', 'EXP')) s (kind, prefix);
  insert into ledger.accounts (company_id, code, name, type, "group", role, cash, activity)
  select v_id, code, name, type, grp, nullif(role, ''), cash, activity from (values
    ('1000', 'Cash in hand',            'asset',     'Cash and bank',       'cash',             true,  'operating'),
    ('1010', 'Current account',         'asset',     'Cash and bank',       'bank',             true,  'operating'),
    ('1100', 'Trade receivables',       'asset',     'Receivables',         'receivable',       false, 'operating'),
    ('1150', 'Advances to suppliers',   'asset',     'Other current assets','vendor_advance',   false, 'operating'),
    ('1200', 'Inventory',               'asset',     'Inventory',           'inventory',        false, 'operating'),
    ('1300', 'Input CGST',              'asset',     'Taxes',               'input_cgst',       false, 'operating'),
    ('1310', 'Input SGST',              'asset',     'Taxes',               'input_sgst',       false, 'operating'),
    ('1320', 'Input IGST',              'asset',     'Taxes',               'input_igst',       false, 'operating'),
    ('1350', 'TDS receivable',          'asset',     'Taxes',               'tds_receivable',   false, 'operating'),
    ('1400', 'Prepaid expenses',        'asset',     'Other current assets','',                 false, 'operating'),
    ('1410', 'Security deposits',       'asset',     'Other current assets','',                 false, 'operating'),
    ('1500', 'Computers and equipment', 'asset',     'Fixed assets',        'equipment',        false, 'investing'),
    ('1510', 'Furniture and fixtures',  'asset',     'Fixed assets',        'furniture',        false, 'investing'),
    ('1590', 'Accumulated depreciation','asset',     'Fixed assets',        'accumulated_depreciation', false,
        'investing'),
    ('2000', 'Trade payables',          'liability', 'Payables',            'payable',          false, 'operating'),
    ('2050', 'Advances from customers', 'liability', 'Other current liabilities', 'customer_advance', false,
        'operating'),
    ('2100', 'Output CGST',             'liability', 'Taxes payable',       'output_cgst',      false, 'operating'),
    ('2110', 'Output SGST',             'liability', 'Taxes payable',       'output_sgst',      false, 'operating'),
    ('2120', 'Output IGST',             'liability', 'Taxes payable',       'output_igst',      false, 'operating'),
    ('2130', 'GST on reverse charge',   'liability', 'Taxes payable',       'reverse_charge',   false, 'operating'),
    ('2150', 'TDS payable',             'liability', 'Taxes payable',       'tds_payable',      false, 'operating'),
    ('2160', 'Provident fund payable',  'liability', 'Other current liabilities', 'pf_payable', false, 'operating'),
    ('2200', 'Salaries payable',        'liability', 'Other current liabilities', 'salaries_payable', false,
        'operating'),
    ('2300', 'Term loan',               'liability', 'Loans',               'loan',             false, 'financing'),
    ('3000', 'Share capital',           'equity',    'Capital',             'capital',          false, 'financing'),
    ('3100', 'Retained earnings',       'equity',    'Reserves',            'retained_earnings',false, 'financing'),
    ('4000', 'Sales of goods',          'income',    'Revenue',             'sales',            false, 'operating'),
    ('4010', 'Sales of services',       'income',    'Revenue',             'services',         false, 'operating'),
    ('4020', 'Export of services',      'income',    'Revenue',             'exports',          false, 'operating'),
    ('4900', 'Interest received',       'income',    'Other income',        'interest_income',  false, 'operating'),
    ('5000', 'Purchases',               'expense',   'Cost of sales',       'purchases',        false, 'operating'),
    ('5010', 'Change in inventory',     'expense',   'Cost of sales',       'inventory_change', false, 'operating'),
    ('5020', 'Freight inward',          'expense',   'Cost of sales',       'freight',          false, 'operating'),
    ('5030', 'Subcontracted work',      'expense',   'Cost of sales',       'subcontract',      false, 'operating'),
    ('6000', 'Salaries and wages',      'expense',   'Employee costs',      'salaries',         false, 'operating'),
    ('6010', 'Provident fund, employer','expense',   'Employee costs',      'pf_expense',       false, 'operating'),
    ('6100', 'Rent',                    'expense',   'Operating expenses',  'rent',             false, 'operating'),
    ('6110', 'Electricity',             'expense',   'Operating expenses',  'electricity',      false, 'operating'),
    ('6120', 'Internet and telephone',  'expense',   'Operating expenses',  'internet',         false, 'operating'),
    ('6130', 'Travel and conveyance',   'expense',   'Operating expenses',  'travel',           false, 'operating'),
    ('6140', 'Office expenses',         'expense',   'Operating expenses',  'office',           false, 'operating'),
    ('6150', 'Software subscriptions',  'expense',   'Operating expenses',  'software',         false, 'operating'),
    ('6160', 'Professional fees',       'expense',   'Operating expenses',  'professional',     false, 'operating'),
    ('6170', 'Marketing',               'expense',   'Operating expenses',  'marketing',        false, 'operating'),
    ('6180', 'Freight outward',         'expense',   'Operating expenses',  'delivery',         false, 'operating'),
    ('6190', 'Repairs and maintenance', 'expense',   'Operating expenses',  'repairs',          false, 'operating'),
    ('6200', 'Bank charges',            'expense',   'Finance costs',       'bank_charges',     false, 'operating'),
    ('6210', 'Interest on loan',        'expense',   'Finance costs',       'interest',         false, 'financing'),
    ('6300', 'Depreciation',            'expense',   'Depreciation',        'depreciation',     false, 'operating'),
    ('6400', 'Bad debts',               'expense',   'Operating expenses',  'bad_debts',        false, 'operating'),
    ('6900', 'Round off',               'expense',   'Operating expenses',  'round_off',        false, 'operating')
  ) a (code, name, type, grp, role, cash, activity);
  return v_id;
end $$;
