import test from 'node:test';
import assert from 'node:assert/strict';
import { readAsk, answerTo } from '../static/js/ask.js';

const choice = { question: 'Which cabin?', type: 'radio', options: ['Coco', 'Pine'] };
const read = (kind, value) => readAsk(kind, typeof value === 'string' ? value : JSON.stringify(value));

// S2-31, S2-32
test('reads forms that are exactly made so', () => {
  assert.deepEqual(read('clarification', choice), { kind: 'clarification', ...choice });
  assert.deepEqual(read('params', { title: 'Booking', applied: { Guest: 'Asha' }, pending: { Cabin: '' } }), {
    kind: 'params',
    title: 'Booking',
    applied: [['Guest', 'Asha']],
    pending: [['Cabin', '']],
  });
});

test('leaves everything else to be shown as text', () => {
  for (const [kind, value] of [
    ['json', choice],
    ['clarification', '{"question":"Which'],
    ['clarification', 'null'],
    ['clarification', [choice]],
    ['clarification', { ...choice, type: 'slider' }],
    ['clarification', { ...choice, options: ['Coco'] }],
    ['clarification', { ...choice, options: ['Coco', 'Coco'] }],
    ['clarification', { ...choice, options: ['Coco', { label: 'x' }] }],
    ['clarification', { ...choice, url: 'x' }],
    ['clarification', { ...choice, question: ' ' }],
    ['params', {}],
    ['params', { applied: {}, pending: {} }],
    ['params', { applied: ['a'] }],
    ['params', { applied: { a: { b: 1 } } }],
    ['params', { applied: { a: 'x'.repeat(501) } }],
    ['params', { applied: { a: 'b' }, run: 'x' }],
  ])
    assert.equal(read(kind, value), null, JSON.stringify(value));
});

test('an answer keeps its question, so it is never a bare yes', () => {
  const yes = read('clarification', { question: 'Breakfast?', type: 'checkbox', options: ['yes', 'no'] });
  assert.equal(answerTo(yes, ['yes']), 'Breakfast?\nyes');
  assert.equal(answerTo(yes, []), '');
  const form = read('params', { applied: {}, pending: { Cabin: 'which?', Nights: '' } });
  assert.equal(
    answerTo(form, [
      ['Cabin', ' Coco '],
      ['Nights', ' '],
    ]),
    'Cabin: Coco',
  );
});
