import test from 'node:test';
import assert from 'node:assert/strict';
import { Rating, reasons } from '../static/js/rating.js';
import { Chat } from '../static/js/chat.js';
import { Api } from '../static/js/api.js';
import { Store } from '../static/js/store.js';
import { Storage, script, sse, json } from './fakes.mjs';

// server keeps what it is told, and refuses it when it is broken.
function server() {
  const told = [];
  const state = {
    told,
    broken: false,
    send: async (said) => {
      told.push(said);
      await new Promise((done) => setTimeout(done));
      if (state.broken) throw new Error('The connection was lost.');
    },
  };
  return state;
}

// S2-63
test('a thumb is sent, changed and taken back', async () => {
  const { told, send } = server();
  const r = new Rating({ send });
  const up = r.choose('up');
  assert.deepEqual([r.said.rating, r.explaining], ['up', false], 'it shows at once');
  await up;
  const down = r.choose('down');
  assert.equal(r.explaining, true, 'a thumb down asks why');
  await down;
  await r.explain('slow', '  Ten seconds.  ');
  assert.equal(r.explaining, false);
  await r.choose('down');
  assert.deepEqual(told, [
    { rating: 'up' },
    { rating: 'down' },
    { rating: 'down', reason: 'slow', comment: 'Ten seconds.' },
    { rating: 'none' },
  ]);
  await r.choose('up');
  await r.undo();
  assert.deepEqual(told.slice(-2), [{ rating: 'up' }, { rating: 'none' }]);
});

test('what the server refuses is taken back and said', async () => {
  const s = server();
  let shown = 0;
  const r = new Rating({ send: s.send, said: { rating: 'up' }, changed: () => shown++ });
  s.broken = true;
  await r.choose('down');
  assert.deepEqual([r.said, r.explaining, r.failure, shown], [{ rating: 'up' }, false, 'The connection was lost.', 2]);
  s.broken = false;
  await r.choose('up');
  assert.deepEqual([r.said.rating, r.failure], ['none', '']);
});

test('of many clicks the last one is what the server hears last', async () => {
  const s = server();
  const r = new Rating({ send: s.send });
  await Promise.all(['up', 'down', 'up', 'down'].map((rating) => r.choose(rating)));
  assert.deepEqual([s.told, r.said], [[{ rating: 'down' }], { rating: 'down' }]);
  const first = r.choose('up');
  await Promise.resolve();
  s.broken = true;
  await Promise.all([first, r.undo()]);
  assert.equal(r.said.rating, 'down', 'nothing newer is known to the server');
  assert.deepEqual(s.told, [{ rating: 'down' }, { rating: 'up' }, { rating: 'none' }]);
});

test('whoever says nothing more is not asked again', async () => {
  const { told, send } = server();
  const r = new Rating({ send });
  await r.choose('down');
  await r.explain('', ' ');
  assert.deepEqual([told.at(-1), r.explaining], [{ rating: 'down' }, false]);
  assert.equal(new Set(reasons.map(([reason]) => reason)).size, 6);
});

// S2-63: the conversation goes along, as far as the answer that is rated.
test('a chat tells the door which answer it was', async () => {
  const message = (n) => ({ role: 'assistant', content: `Answer ${n}.`, seal: `seal ${n}` });
  const { fetch, requests } = script(
    ...[1, 2].map((n) => sse([['complete', { reply: `Answer ${n}.`, message: message(n) }]])),
    json(200, { rating: 'down', reason: 'wrong' }),
    json(422, { detail: 'This answer cannot be verified.' }),
  );
  const storage = new Storage();
  const auth = { token: async () => 't', forget() {} };
  let n = 0;
  const chat = new Chat({
    api: new Api({ auth, fetch }),
    store: new Store(storage),
    user: 'u',
    assistant: 'hospitality',
    onSessionEnded() {},
    uuid: () => `id-${++n}`,
  });
  for (const text of ['one', 'two']) {
    chat.send(text);
    await new Promise((done) => (chat.onChange = () => !chat.busy && done()));
  }
  await chat.rate(chat.items[1], { rating: 'down', reason: 'wrong' });
  const sent = requests[2];
  assert.equal(sent.url, '/api/feedback');
  assert.deepEqual(sent.body, {
    rating: 'down',
    reason: 'wrong',
    assistant: 'hospitality',
    id: 'id-1',
    messages: [{ id: 'id-2', role: 'user', content: 'one' }, message(1)],
  });
  await assert.rejects(chat.rate(chat.items[3], { rating: 'up' }), /cannot be verified/);
  const kept = new Store(storage).load('u', 'hospitality').items;
  assert.deepEqual([kept[1].rated, kept[3].rated], [{ rating: 'down', reason: 'wrong' }, undefined]);
});
