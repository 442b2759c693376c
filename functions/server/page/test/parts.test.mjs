import test from 'node:test';
import assert from 'node:assert/strict';
import { readDrawing } from '../static/js/drawing.js';
import { arrange, loadParts, renderer, toExport } from '../static/js/parts.js';
import { offered } from '../static/js/views/parts/choices.js';
import { dayAt } from '../static/js/views/parts/chart.js';
import { parse } from '../static/js/markdown.js';
import { withoutQuestions } from '../static/js/preview.js';
import { apply, newAnswer } from '../static/js/answer.js';

test('a drawing becomes a tree of known elements and attributes', () => {
  const drawing = readDrawing(
    `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1' role='img' onload='x()'><title>A &amp; &lt;b&gt;</title>` +
      `<path fill='var(--chart-s1,#1f6f63)' d='M0 0h1' style='color:red'/><text x='1'>₹5</text></svg>`,
  );
  assert.deepEqual(drawing, {
    name: 'svg',
    attributes: { viewBox: '0 0 1 1', role: 'img' },
    children: [
      { name: 'title', attributes: {}, children: ['A & <b>'] },
      { name: 'path', attributes: { fill: 'var(--chart-s1,#1f6f63)', d: 'M0 0h1' }, children: [] },
      { name: 'text', attributes: { x: '1' }, children: ['₹5'] },
    ],
  });
});

test('anything else is no drawing', () => {
  for (const source of [
    '',
    'words',
    '<svg>',
    '<svg></path></svg>',
    '<svg><script>x</script></svg>',
    "<svg><image x='1'/></svg>",
    '<svg></svg><svg></svg>',
    '<path/>',
    '<svg><foreignObject></foreignObject></svg>',
    undefined,
  ])
    assert.equal(readDrawing(source), null, source);
  assert.deepEqual(readDrawing(`<svg fill='url(https://evil.example)'></svg>`).attributes, {});
});

test('a part stands beside its table where the text shows it, else at the end', () => {
  const chart = { kind: 'chart', id: 'b', beside: 'a' };
  const choices = { kind: 'choices', id: 'c' };
  assert.deepEqual(arrange([chart, choices], [{ id: 'a' }, null]), {
    beside: new Map([['a', [chart]]]),
    rest: [choices],
  });
  assert.deepEqual(arrange([chart, choices], []), { beside: new Map(), rest: [chart, choices] });
});

test('kinds are loaded by name, and only by a name', async () => {
  const asked = [];
  await loadParts(['made_up', '../main', 'X'], async (kind) => {
    asked.push(kind);
    return { show: () => kind };
  });
  assert.deepEqual(asked, ['made_up']);
  assert.equal(renderer('made_up')(), 'made_up');
  assert.equal(renderer('unknown'), null);
  await loadParts(undefined);
});

test('an export has the figures of charts and their tables, and no drawings', () => {
  const chart = { kind: 'chart', id: 'b', beside: 'a', data: { title: 'x', svg: '<svg/>', narrow: '<svg/>' } };
  const items = [
    { kind: 'user' },
    { kind: 'answer', state: 'done', tables: [{ id: 'a' }], parts: [chart, { kind: 'choices' }] },
    { kind: 'answer', state: 'done', tables: [{ id: 'c' }] },
    { kind: 'answer', state: 'failed', tables: [], parts: [chart] },
  ];
  assert.deepEqual(JSON.parse(JSON.stringify(toExport(items))), [
    { kind: 'table', id: 'a', data: { id: 'a' } },
    { kind: 'chart', id: 'b', beside: 'a', data: { title: 'x' } },
  ]);
});

test('parts of an answer are kept with it, tables by themselves', () => {
  const answer = newAnswer({ id: '1', turn: 't', now: 0 });
  apply(answer, 'part', { kind: 'table', id: 't1a', data: { title: 'Rates', columns: [], rows: [] } }, 0);
  apply(answer, 'part', { kind: 'chart', id: 't1b', beside: 't1a', data: {}, text: 'x' }, 0);
  assert.deepEqual([answer.tables.map((t) => t.id), answer.parts.map((p) => p.id)], [['t1a'], ['t1b']]);
});

test('choices that answer a question each are put as one, others leave the last list alone', () => {
  const list = (title, ...words) => ({
    kind: 'choices',
    id: title,
    data: { title, choices: words.map((w) => ({ label: w, words: w })) },
  });
  const [budget, when] = [list('What budget?', 'Low', 'Mid'), list('When?', '5 to 8 March')];
  assert.deepEqual(
    arrange([budget, when], []).rest.map((p) => p.data),
    [{ questions: [budget.data, when.data] }],
  );
  assert.deepEqual(
    arrange([budget, list('What next', 'Show it')], []).rest.map((p) => p.id),
    ['What next'],
  );
  assert.deepEqual(arrange([budget, budget], []).rest, [budget]);
  const tool = { ...when, data: { ...when.data, choices: [{ label: 'a', tool: 'b' }] } };
  assert.deepEqual(arrange([budget, tool], []).rest, [tool]);
});

test('questions that are asked by choices below are not asked in the text as well', () => {
  const blocks = parse('It is **Lisbon**.\n\n- When?\n- Who comes?');
  assert.deepEqual(
    withoutQuestions(blocks, ['When?', 'Who comes?']).map((b) => b.type),
    ['para'],
  );
  assert.deepEqual(withoutQuestions(blocks, ['When?'])[1].items.length, 1);
  assert.equal(withoutQuestions(blocks, []), blocks);
});

test('a place on a calendar is a day, in columns of weeks and in rows of weeks', () => {
  const year = '32 46 11 11 103 27 3 0'; // columns, in bands of 27 weeks
  assert.equal(dayAt(year, 33, 46 + 3 * 11), 0); // the first day is a Thursday
  assert.equal(dayAt(year, 33, 47), -1);
  assert.equal(dayAt(year, 44, 47), 4);
  assert.equal(dayAt(year, 33, 46 + 103 + 1), 27 * 7 - 3);
  assert.equal(dayAt(year, 33, 46 + 7 * 11 + 2), -1); // between the bands
  const month = '48 46 84 38 0 5 6 1'; // rows
  assert.equal(dayAt(month, 48 + 6 * 84 + 1, 47), 0);
  assert.equal(dayAt(month, 49, 46 + 38 + 1), 1);
  assert.equal(dayAt(month, 47, 60), -1);
  assert.equal(dayAt(month, 48 + 7 * 84 + 1, 60), -1);
});

test('those who may only look are offered no tool that changes something', () => {
  const choices = [
    { label: 'Book Coco', tool: 'create_reservation' },
    { label: 'By room', tool: 'get_revenue_stats' },
    { label: 'Yes', words: 'yes' },
    { label: 'Prices', tool: 'simulate_pricing' },
    { label: 'Check in', tool: 'update_reservation_status' },
  ];
  assert.deepEqual(offered(choices, true), choices);
  assert.deepEqual(
    offered(choices, false).map((c) => c.label),
    ['By room', 'Yes', 'Prices'],
  );
});
