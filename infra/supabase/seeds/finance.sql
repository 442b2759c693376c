-- Demo data of the domain finance: the companies of two organisations. Their books are in the ledger, whose
-- organisations and companies have the same ids.

insert into public.entities (org_id, id, kind, key, name, time_zone, currency, locale, settings) values
  ('c0000000-0000-4000-8000-000000000001', 'c0000000-0000-4000-8000-0000000000e1', 'company', 'SAHYADRI',
   'Sahyadri Kitchenware Traders Pvt Ltd', 'Asia/Kolkata', 'INR', 'en-IN', '{}'),
  ('d0000000-0000-4000-8000-000000000001', 'd0000000-0000-4000-8000-0000000000e1', 'company', 'TUNGABHADRA',
   'Tungabhadra Software Services Pvt Ltd', 'Asia/Kolkata', 'INR', 'en-IN', '{}');

-- Where the development server serves the books; it corrects the address when it listens elsewhere. The tokens are
-- in the environment of the functions.
insert into public.mcp_servers (org_id, name, url, manifest, secret_name) values
  ('c0000000-0000-4000-8000-000000000001', 'ledger', 'http://127.0.0.1:8790/mcp', 'ledger', 'SAHYADRI'),
  ('d0000000-0000-4000-8000-000000000001', 'ledger', 'http://127.0.0.1:8790/mcp', 'ledger', 'TUNGABHADRA');
