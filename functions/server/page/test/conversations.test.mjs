import test from 'node:test';
import assert from 'node:assert/strict';
import { Api } from '../static/js/api.js';
import { Conversations } from '../static/js/conversations.js';
import { ago } from '../static/js/format.js';
import { json, script } from './fakes.mjs';

function setUp(...answers) {
  const { fetch, requests } = script(...answers);
  return { talks: new Conversations(new Api({ auth: { token: async () => 't' }, fetch })), requests };
}
const answer = {
  id: 'a1',
  role: 'assistant',
  content: 'Free.',
  seal: 's1',
  agent: 'inventory',
  label: 'Inventory Agent',
  verified: true,
};

test('lists by assistant, search, bin and page', async () => {
  const { talks, requests } = setUp(
    json(200, { conversations: [], next: null }),
    json(200, { conversations: [], next: null }),
  );
  await talks.list('hospitality');
  await talks.list('hospitality', { query: 'a & b', deleted: true, cursor: 'x=' });
  assert.deepEqual(
    requests.map((r) => r.url),
    [
      '/api/conversations?assistant=hospitality&limit=30',
      '/api/conversations?assistant=hospitality&limit=30&q=a+%26+b&deleted=true&cursor=x%3D',
    ],
  );
  assert.equal(requests[0].method, 'GET');
});

test('opens one as a chat: messages as they came, the summary first, whose words they are', async () => {
  const { talks, requests } = setUp(
    json(200, {
      conversation: { id: 'c/1', title: 'Cabins' },
      summary: { id: 'summary', role: 'assistant', content: 'Short.', seal: 's0' },
      messages: [
        { id: 'u1', role: 'user', content: 'Coco?', name: 'Asha', mine: false },
        { id: 'u2', role: 'user', content: 'Pine?', mine: true },
        answer,
      ],
      hasMore: true,
      before: 12,
    }),
  );
  const found = await talks.open('c/1');
  assert.equal(requests[0].url, '/api/conversations/c%2F1/context?mode=ui');
  assert.deepEqual([found.thread, found.title, found.before], ['c/1', 'Cabins', 12]);
  assert.deepEqual(
    found.items.map((i) => [i.kind, i.by ?? null]),
    [
      ['summary', null],
      ['user', 'Asha'],
      ['user', ''],
      ['answer', null],
    ],
  );
  const a = found.items[3];
  assert.deepEqual([a.state, a.text, a.label, a.turn], ['done', 'Free.', 'Inventory Agent', 'a1']);
  assert.deepEqual(a.message, answer);
});

test('brings an open question back as a card', async () => {
  const confirmation = { id: 'p1', state: 'pending', code: 'K7QM', preview: { title: 'Add the extra Kayak' } };
  const { talks } = setUp(
    json(200, {
      conversation: { id: 'c1' },
      messages: [{ id: 'u1', role: 'user', content: 'Add it' }, answer],
      confirmation,
    }),
  );
  const { items } = await talks.open('c1');
  assert.deepEqual(
    items.map((i) => i.proposal?.id ?? null),
    [null, 'p1'],
  );
});

test('waits for a summary that is being made', async () => {
  const { talks, requests } = setUp(
    json(200, { conversation: { id: 'c1', summaryState: 'running' }, messages: [answer] }),
    json(200, { state: 'running' }),
    json(200, { state: 'done' }),
  );
  assert.equal((await talks.open('c1')).summing, true);
  const waited = [];
  assert.equal(await talks.summed('c1', async (ms) => waited.push(ms)), true);
  assert.deepEqual([waited.length, requests.at(-1).url], [2, '/api/summarize/c1']);
});

test('reads earlier messages as past', async () => {
  const { talks } = setUp(json(200, { messages: [answer], next: null }));
  const { items, before } = await talks.earlier('c1', 12);
  assert.deepEqual([items[0].past, before], [true, null]);
});

test('names with the version that was seen, removes and restores', async () => {
  const { talks, requests } = setUp(
    json(200, {}),
    new Response(null, { status: 204 }),
    json(200, {}),
    json(409, { code: 'changed', detail: 'It was changed.' }),
  );
  await talks.rename({ id: 'c1', version: 3 }, 'New');
  assert.equal(await talks.remove('c1'), null);
  await talks.restore('c1');
  assert.deepEqual(
    requests.map((r) => [r.method, r.url, r.body]),
    [
      ['PATCH', '/api/conversations/c1', { version: 3, title: 'New' }],
      ['DELETE', '/api/conversations/c1', undefined],
      ['POST', '/api/conversations/c1/restore', {}],
    ],
  );
  await assert.rejects(talks.rename({ id: 'c1', version: 3 }, 'New'), { code: 'changed' });
});

test('says when something was, as short as it can be understood', () => {
  const now = new Date(2026, 10, 21, 15, 30).getTime();
  for (const [then, want] of [
    [new Date(2026, 10, 21, 15, 29, 30), 'now'],
    [new Date(2026, 10, 21, 15, 25), '5 min'],
    [new Date(2026, 10, 21, 9, 5), '09:05'],
    [new Date(2026, 10, 20, 23, 0), 'Yesterday'],
    [new Date(2026, 10, 17, 23, 0), 'Tue'],
    [new Date(2026, 9, 2), '2 Oct'],
    [new Date(2025, 9, 2), '2 Oct 2025'],
    [new Date(2026, 10, 21, 15, 31), 'now'],
  ])
    assert.equal(ago(then.getTime(), now), want);
});
