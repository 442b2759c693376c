import test from 'node:test';
import assert from 'node:assert/strict';
import { order, valueOf } from '../static/js/sort.js';

test('figures and dates are read from what people see', () => {
  const cases = {
    '₹1,20,000.50': 120000.5,
    '€ 140.00': 140,
    '-3': -3,
    '▼ 55.56 %': -55.56,
    '▲ 4.50 %': 4.5,
    '= 0.00 %': 0,
    '-₹45.00': -45,
    '71.19 %': 71.19,
    'INR 12.00': 12,
    'n/a': null,
    '': null,
    '► 0 %': 0,
    '05/01/2026': Date.UTC(2026, 0, 5),
    '05-Jan-2026': Date.UTC(2026, 0, 5),
    COCO: 'COCO',
    '2 guests': '2 guests',
    '00-Foo-2026': '00-Foo-2026',
  };
  for (const [text, want] of Object.entries(cases)) assert.equal(valueOf(text), want, text);
});

test('rows are ordered by value, empty ones last, equal ones as they came', () => {
  assert.deepEqual(order(['€ 90.00', '€ 1,000.00', 'n/a', '€ 140.00'], false), [0, 3, 1, 2]);
  assert.deepEqual(order(['€ 90.00', '€ 1,000.00', 'n/a', '€ 140.00'], true), [1, 3, 0, 2]);
  assert.deepEqual(order(['02-Feb-2026', '15-Jan-2026'], false), [1, 0]);
  assert.deepEqual(order(['02/02/2026', '', '15/01/2026'], false), [2, 0, 1]);
  assert.deepEqual(order(['Room 10', 'room 9', 'Room 9'], false), [1, 2, 0]);
});
