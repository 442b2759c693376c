import { test } from 'node:test';
import assert from 'node:assert/strict';
import { calls, pieces, places, withoutZeroCents } from '../static/js/columns.js';

test('decimals are left out where a whole column has none', () => {
  assert.deepEqual(withoutZeroCents(['₹4,500.00', '-₹1.00', 'n/a', '']), ['₹4,500', '-₹1', 'n/a', '']);
  assert.deepEqual(withoutZeroCents(['₹4,500.00', '₹1.50']), ['₹4,500.00', '₹1.50']);
  assert.deepEqual(withoutZeroCents(['¥4,500', '5.00', '71.00 %']), ['¥4,500', '5.00', '71.00 %']);
});

test('a card begins with the columns that the tool calls important', () => {
  const columns = [{ key: 'code' }, { key: 'guest', priority: 1 }, { key: 'nights' }, { key: 'balance', priority: 1 }];
  assert.deepEqual(places(columns, 4), [2, 0, 2, 1]);
  // Without priorities, or where the table has other columns, the order decides.
  assert.deepEqual(places(columns, 3), [0, 1, 1]);
  assert.deepEqual(places(null, 8), [0, 1, 1, 1, 1, 1, 2, 2]);
});

test('a cell opens what its column says', () => {
  const columns = [
    { key: 'name', open: { tool: 'get_customer', argument: 'customer', of: 'name' } },
    { key: 'codes', open: { tool: 'get_room', argument: 'room' } },
    {
      key: 'overdue',
      open: { tool: 'get_overdue_invoices', argument: 'customer', of: 'name', with: { min_days: 31 } },
    },
    { key: 'month', open: { tool: 'get_profit_loss', rows: [{ from: '2026-04-01' }, {}] } },
    { key: 'note' },
  ];
  const row = ['Rao, Sons', 'A1, B2', '₹5.00', 'April 2026', 'x'];
  assert.deepEqual(calls(columns, row, 0, 0), [
    { name: 'Rao, Sons', tool: 'get_customer', arguments: { customer: 'Rao, Sons' } },
  ]);
  assert.deepEqual(
    calls(columns, row, 1, 0).map((c) => c.arguments),
    [{ room: 'A1' }, { room: 'B2' }],
  );
  assert.deepEqual(calls(columns, row, 2, 0), [
    { name: '₹5.00', tool: 'get_overdue_invoices', arguments: { min_days: 31, customer: 'Rao, Sons' } },
  ]);
  assert.deepEqual(calls(columns, row, 3, 0), [
    { name: 'April 2026', tool: 'get_profit_loss', arguments: { from: '2026-04-01' } },
  ]);
  assert.deepEqual(
    [
      calls(columns, row, 3, 1),
      calls(columns, row, 3, 7),
      calls(columns, row, 4, 0),
      calls(columns, ['a'], 0, 0),
      calls(null, row, 0, 0),
    ],
    [[], [], [], [], []],
  );
  assert.deepEqual(calls(columns, ['', 'A1', '₹5.00', '', ''], 2, 0), []);
});

test('figures are kept whole', () => {
  const whole = (text) =>
    pieces(text)
      .filter((p) => p.figure)
      .map((p) => p.text);
  assert.deepEqual(whole('₹8,600.00 for 2 nights, was -₹5 or 71.19 %'), ['₹8,600.00', '-₹5', '71.19 %']);
  assert.equal(
    pieces('From ₹1,23,456.50 on')
      .map((p) => p.text)
      .join(''),
    'From ₹1,23,456.50 on',
  );
  assert.deepEqual(whole('taken (27-Nov-2026 to 02-Dec-2026), 3 rooms'), ['27-Nov-2026', '02-Dec-2026']);
  assert.deepEqual(whole('▼ 55.56 % and = 0.00 %'), ['▼ 55.56 %', '= 0.00 %']);
  assert.deepEqual(whole('₹30.62 lakh since 14/08/2026, ► 12 %'), ['₹30.62 lakh', '14/08/2026', '► 12 %']);
  assert.deepEqual(pieces('words'), [{ text: 'words', figure: false }]);
});
