import test from 'node:test';
import assert from 'node:assert/strict';
import { Api } from '../static/js/api.js';
import { kind } from '../static/js/views/form.js';
import { json, script } from './fakes.mjs';

function setUp(...answers) {
  const { fetch, requests } = script(...answers);
  return { api: new Api({ auth: { token: async () => 't' }, fetch }), requests };
}

// S1-17
test('a tool is run under a name, so that it is not run twice', async () => {
  const { api, requests } = setUp(json(200, { text: 'ok' }), json(200, { tools: [] }));
  assert.deepEqual(await api.json('/api/tools/hospitality/list_extras', {}, { key: 'k-12345678' }), { text: 'ok' });
  await api.json('/api/tools/hospitality');
  assert.equal(requests[0].headers['Idempotency-Key'], 'k-12345678');
  assert.deepEqual([requests[0].method, requests[1].method, requests[1].body], ['POST', 'GET', undefined]);
});

test('a refusal is a sentence; a lost connection may be sent again', async () => {
  const { api } = setUp(json(410, { detail: 'Too late.', code: 'proposal_expired' }), new TypeError('offline'));
  await assert.rejects(api.json('/x', {}), {
    name: 'Failure',
    message: 'Too late.',
    code: 'proposal_expired',
    sameTurn: false,
  });
  await assert.rejects(api.json('/x', {}), { name: 'Failure', kind: 'network', sameTurn: true });
});

// F-14
test('a refusal may bring the question that takes the place of the old one', async () => {
  const { api } = setUp(
    json(409, { detail: 'It was changed.', code: 'proposal_changed', confirmation: { id: 'p2' } }),
    json(409, { detail: 'No.' }),
  );
  await assert.rejects(api.json('/x', {}), { code: 'proposal_changed', confirmation: { id: 'p2' } });
  await assert.rejects(api.json('/x', {}), { confirmation: null });
});

test('a question brings the parts in which it is answered', async () => {
  const { api } = setUp(
    json(422, { detail: 'Who travels?', code: 'travellers_missing', parts: [{ kind: 'travellers' }] }),
    json(422, { detail: 'No.' }),
  );
  await assert.rejects(api.json('/x', {}), { code: 'travellers_missing', parts: [{ kind: 'travellers' }] });
  await assert.rejects(api.json('/x', {}), { parts: [] });
});

test('a field takes the type of a schema that is not null', () => {
  assert.deepEqual([{ type: ['null', 'array'] }, { type: 'integer' }, { type: ['number', 'string'] }, {}].map(kind), [
    'array',
    'integer',
    'number',
    'string',
  ]);
});

test('what is asked in passing outlives the page, and its failure is nobody’s news', async () => {
  const calls = [];
  const api = new Api({
    auth: { token: async () => 't' },
    fetch: async (url, init) => {
      calls.push([url, init.keepalive, init.headers.Authorization, init.body]);
      throw new TypeError('gone');
    },
  });
  await api.passing('/api/summarize/c1', { reason: 'hidden' });
  assert.deepEqual(calls, [['/api/summarize/c1', true, 'Bearer t', '{"reason":"hidden"}']]);
});
