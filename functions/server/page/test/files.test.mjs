import test from 'node:test';
import assert from 'node:assert/strict';
import { named, tableOf } from '../static/js/files.js';
import { parse, plainText } from '../static/js/markdown.js';
import { Api } from '../static/js/api.js';
import { json, script } from './fakes.mjs';

const auth = { token: async () => 't', forget() {} };

test('names a file as the server does, and never out of its folder', () => {
  for (const [header, want] of [
    ['attachment; filename="bernard-2026-01-16.pdf"', 'bernard-2026-01-16.pdf'],
    ['attachment; filename=plain.csv', 'plain.csv'],
    ['attachment; filename="../../.profile"', 'profile'],
    ['attachment; filename="C:\\\\x\\\\a.csv"', 'a.csv'],
    ['attachment', 'other.csv'],
    [null, 'other.csv'],
  ])
    assert.equal(named(header, 'other.csv'), want, header);
});

test('takes a table from its event, or from what is shown', () => {
  const [block] = parse('| Cabin | Revenue |\n|---|--:|\n| **Coco** | ₹1 |');
  assert.deepEqual(tableOf(block, plainText), {
    title: '',
    columns: [
      { key: 'c1', label: 'Cabin' },
      { key: 'c2', label: 'Revenue', right: true },
    ],
    rows: [['Coco', '₹1']],
  });
  const event = {
    columns: [
      { key: 'a', label: 'Cabin' },
      { key: 'b', label: 'Revenue' },
    ],
    rows: [['Coco', '₹1']],
    note: 'All of it',
  };
  assert.equal(tableOf(block, plainText, [event]), event);
});

test('a file comes with its name; a refusal comes as its sentence', async () => {
  const { fetch, requests } = script(
    new Response('a,b', {
      headers: { 'Content-Type': 'text/csv', 'Content-Disposition': 'attachment; filename="rates.csv"' },
    }),
    json(413, { detail: 'This is too much for one file.', code: 'too_large' }),
    new TypeError('offline'),
  );
  const api = new Api({ auth, fetch });
  const file = await api.file('/api/export/table?format=csv', { rows: [] }, 'table.csv');
  assert.equal(file.name, 'rates.csv');
  assert.equal(await file.blob.text(), 'a,b');
  assert.deepEqual(requests[0].body, { rows: [] });
  await assert.rejects(api.file('/api/export', {}, 'x'), {
    message: 'This is too much for one file.',
    code: 'too_large',
  });
  await assert.rejects(api.file('/api/export', {}, 'x'), { kind: 'network' });
});
