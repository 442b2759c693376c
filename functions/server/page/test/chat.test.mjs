import test from 'node:test';
import assert from 'node:assert/strict';
import { Api } from '../static/js/api.js';
import { Chat } from '../static/js/chat.js';
import { Store } from '../static/js/store.js';
import { SessionEnded } from '../static/js/auth.js';
import { Storage, json, script, sse } from './fakes.mjs';

const message = (content, seal) => ({
  id: `m-${seal}`,
  role: 'assistant',
  content,
  agent: 'inventory',
  label: 'Inventory Agent',
  seal,
  later: { unknown: 1 },
});
const complete = (content, seal, more = {}) => [
  'complete',
  {
    reply: content,
    agent: 'inventory',
    label: 'Inventory Agent',
    finish: 'stop',
    confirmation: null,
    message: message(content, seal),
    ...more,
  },
];
const proposal = {
  id: 'p1',
  tool: 'create_extra',
  tier: 'MEDIUM',
  code: 'K7QM',
  preview: { title: 'Add', lines: [], warnings: [] },
  expiresAt: '2999-01-01T00:00:00Z',
  state: 'pending',
};
const asks = (p = proposal) =>
  sse([['proposal', p], complete('Add? (K7QM)', 's1', { finish: 'confirm', confirmation: p })]);

// Every message has an id of its own; which one says nothing.
const said = (messages) =>
  messages.map(({ id, ...m }) => {
    assert.ok(id);
    return m.role === 'user' ? m : { id, ...m };
  });

function setUp(...answers) {
  const { fetch, requests } = script(...answers);
  const auth = {
    renewed: 0,
    forgotten: false,
    token: async ({ renew }) => `t${renew ? ++auth.renewed : auth.renewed}`,
    forget: () => (auth.forgotten = true),
  };
  const api = new Api({ auth, fetch });
  const storage = new Storage();
  const store = new Store(storage);
  const ended = [];
  let ids = 0;
  const open = () =>
    new Chat({
      api,
      store,
      user: 'u1',
      assistant: 'hospitality',
      uuid: () => `id${++ids}`,
      onSessionEnded: (e) => ended.push(e),
    });
  return { chat: open(), open, requests, auth, store, storage, ended };
}

// rest waits until the chat has nothing to do any more.
async function rest(chat) {
  while (chat.busy) await new Promise((r) => setTimeout(r, 1));
  return chat.items.at(-1);
}

// S0-54
test('keeps the whole history and sends it back exactly as received', async () => {
  const { chat, open, requests } = setUp(
    sse([
      ['route_classified', { agent: 'inventory', label: 'Inventory Agent', how: 'model' }],
      ['response_chunk', { text: 'Fi' }],
      ['response_chunk', { text: 've.' }],
      complete('Five.', 's1'),
    ]),
    sse([complete('Yes.', 's2')]),
  );
  assert.ok(chat.send('  How many rooms? '));
  const answer = await rest(chat);
  assert.equal(answer.state, 'done');
  assert.equal(answer.label, 'Inventory Agent');
  assert.equal(requests[0].headers.Accept, 'text/event-stream');
  assert.equal(requests[0].headers.Authorization, 'Bearer t0');
  assert.deepEqual(said(requests[0].body.messages), [{ role: 'user', content: 'How many rooms?' }]);
  const again = open(); // a reload
  assert.equal(again.thread, requests[0].body.id);
  again.send('Sure?');
  await rest(again);
  assert.deepEqual(said(requests[1].body.messages), [
    { role: 'user', content: 'How many rooms?' },
    message('Five.', 's1'),
    { role: 'user', content: 'Sure?' },
  ]);
  assert.notEqual(requests[1].body.turn, requests[0].body.turn);
});

test('shows steps as they happen', async () => {
  const { chat } = setUp(
    sse([
      ['understanding_started', {}],
      ['route_started', { agents: 8 }],
      ['route_classified', { agent: 'inventory', label: 'Inventory Agent', how: 'model', reasoning: 'rooms' }],
      [
        'executing_tool',
        {
          callId: 'c1',
          tool: 'list_room_types',
          arguments: { include_inactive: true, id: '11111111-2222-4333-8444-555555555555' },
        },
      ],
      ['executing_tool', { callId: 'c2', tool: 'list_extras', title: 'List extras' }],
      ['tool_result', { callId: 'c2', tool: 'list_extras', success: false, message: 'No answer.' }],
      ['tool_result', { callId: 'c1', tool: 'list_room_types', success: true, records: 7, durationMs: 12 }],
      ['response_generating', {}],
      ['something_new', {}],
      ['write_committed', { tool: 'x', text: 'Done' }],
      ['history_unverified', { count: 2, reasons: ['seal'] }],
      complete('ok', 's'),
    ]),
  );
  chat.send('x');
  const a = await rest(chat);
  assert.deepEqual(
    a.steps.map((s) => [s.title, s.state, s.records ?? null]),
    [
      ['Understanding the question', 'done', null],
      ['Inventory Agent', 'done', null],
      ['List room types', 'done', 7],
      ['List extras', 'failed', null],
      ['Writing the answer', 'done', null],
    ],
  );
  assert.equal(a.steps[2].detail, 'include inactive: true');
  assert.deepEqual(a.writes, [{ key: '', text: 'Done' }]);
  assert.equal(a.unverified.count, 2);
});

test('says who takes over, and how many tools are offered', async () => {
  const { chat } = setUp(
    sse([
      [
        'route_classified',
        { agent: 'reservations', label: 'Reservations Agent', how: 'model', reasoning: 'a booking' },
      ],
      ['mode_switch', { from: 'inventory', fromLabel: 'Inventory Agent' }],
      ['tools_filtered', { tools: 18, of: 66 }],
      complete('Done.', 's1'),
    ]),
  );
  chat.send('Book it');
  const a = await rest(chat);
  assert.equal(a.steps[0].detail, 'a booking · Takes over from Inventory Agent · 18 of 66 tools');
});

test('says of a model call that led to a tool that it decided, and how long', async () => {
  const { chat } = setUp(
    sse([
      ['response_generating', {}],
      ['executing_tool', { callId: 'c1', tool: 'list_extras' }],
      ['tool_result', { callId: 'c1', tool: 'list_extras', success: true, durationMs: 4 }],
      ['response_generating', {}],
      ['response_chunk', { text: 'Let me see. ' }],
      ['executing_tool', { callId: 'c2', tool: 'list_coupons' }],
      ['tool_result', { callId: 'c2', tool: 'list_coupons', success: true }],
      ['response_generating', {}],
      complete('ok', 's', { usage: { input: 10, output: 2, total: 12, calls: 3 } }),
    ]),
  );
  chat.send('x');
  const a = await rest(chat);
  assert.deepEqual(
    a.steps.map((s) => s.title),
    ['Deciding what to look up', 'List extras', 'Writing the answer', 'List coupons', 'Writing the answer'],
  );
  assert.equal(a.steps[1].ms, 4);
  assert.ok(a.steps.every((s) => s.state === 'done' && s.ms >= 0));
  assert.equal(a.usage.calls, 3);
});

test('marks what was spoken, for as long as it is part of the history', async () => {
  const { chat, requests } = setUp(sse([complete('One.', 's1')]), sse([complete('Two.', 's2')]));
  chat.send('Is Coco free?', { source: 'speech' });
  const a = await rest(chat);
  chat.send('And Pine?');
  await rest(chat);
  assert.deepEqual(
    said(requests[1].body.messages).filter((m) => m.role === 'user'),
    [
      { role: 'user', content: 'Is Coco free?', source: 'speech' },
      { role: 'user', content: 'And Pine?' },
    ],
  );
  assert.equal(a.state, 'done');
});

test('what is filled into a form answers no question of consent', async () => {
  const { chat, requests } = setUp(sse([complete('Which?', 's1')]), asks(), sse([complete('Hm.', 's3')]));
  chat.send('x');
  await rest(chat);
  chat.fillIn('Which? Coco');
  await rest(chat);
  chat.fillIn('Sure? yes K7QM');
  await rest(chat);
  assert.deepEqual(said(requests[1].body.messages).at(-1), { role: 'user', content: 'Which? Coco' });
  assert.deepEqual(said(requests[2].body.messages).at(-1), {
    role: 'user',
    content: 'Sure? yes K7QM',
    source: 'form',
  });
});

// S1-32: where the person is goes with one request, and is kept nowhere.
test('a location goes with one message alone', async () => {
  const { chat, requests, storage } = setUp(sse([complete('At nine.', 's1')]), sse([complete('Yes.', 's2')]));
  chat.send('When do I have to leave?', { location: { lat: 51.4952, lon: -0.1441 } });
  await rest(chat);
  chat.send('Really?');
  await rest(chat);
  assert.deepEqual(requests[0].body.location, { lat: 51.4952, lon: -0.1441 });
  assert.equal('location' in requests[1].body, false);
  const stored = [...Array(storage.length).keys()].map((i) => storage.getItem(storage.key(i)));
  assert.ok(stored.length > 0);
  assert.equal(JSON.stringify([stored, requests[1].body, chat.items]).includes('51.4952'), false);
});

const nothing = () => new Response(null, { status: 204 });
const streamOf = ({ body }) => `/api/chat/hospitality/${body.id}/stream?turn=${body.turn}`;

test('a lost connection is read on, unasked', async () => {
  const { chat, requests } = setUp(
    sse([['response_chunk', { text: 'Half' }]], { cut: true }),
    sse([['response_chunk', { text: 'Whole.' }], complete('Whole.', 's1')]),
  );
  chat.send('x');
  const a = await rest(chat);
  assert.deepEqual([a.text, a.state], ['Whole.', 'done']);
  assert.deepEqual(
    [requests[1].method, requests[1].url, requests[1].headers.Accept],
    ['GET', streamOf(requests[0]), 'text/event-stream'],
  );
  assert.equal(requests[0].body.resumable, true);
});

test('a lost connection without anything to read on sends the same turn once more, unasked', async () => {
  const { chat, requests } = setUp(
    sse([['response_chunk', { text: 'Half' }]], { cut: true }),
    nothing(),
    sse([complete('Whole.', 's1')]),
  );
  chat.send('x');
  const a = await rest(chat);
  assert.deepEqual([a.text, a.state], ['Whole.', 'done']);
  assert.deepEqual(requests[2].body, requests[0].body);
});

test('a stream without an end is a loss; a retry keeps the turn', async () => {
  const { chat, requests } = setUp(sse([['connected', {}]]), sse([['connected', {}]]), sse([complete('Now.', 's1')]));
  chat.send('x');
  const a = await rest(chat);
  assert.equal(a.state, 'failed');
  assert.match(a.failure.message, /connection was lost/);
  assert.deepEqual(said(chat.history()), [{ role: 'user', content: 'x' }]);
  assert.ok(chat.retry(a));
  assert.equal((await rest(chat)).text, 'Now.');
  assert.deepEqual(requests[2].body, requests[0].body);
});

test('an error event is final: a retry is a new turn', async () => {
  const { chat, requests } = setUp(
    sse([['error', { error: { code: 'upstream', message: 'The model failed.', requestId: 'r9' } }]]),
    sse([complete('ok', 's')]),
  );
  chat.send('x');
  const a = await rest(chat);
  assert.deepEqual([a.failure.message, a.failure.requestId, a.failure.sameTurn], ['The model failed.', 'r9', false]);
  chat.retry(a);
  await rest(chat);
  assert.notEqual(requests[1].body.turn, requests[0].body.turn);
});

test('a problem document becomes its sentence', async () => {
  const { chat, requests } = setUp(
    json(503, { detail: 'Try later.', requestId: 'r1' }, { 'Retry-After': '7' }),
    json(413, { detail: 'Too long.' }),
  );
  chat.send('x');
  const a = await rest(chat);
  assert.deepEqual([a.failure.message, a.failure.retryAfter, a.failure.sameTurn], ['Try later.', 7, true]);
  chat.retry(a);
  assert.equal((await rest(chat)).failure.sameTurn, false);
  assert.equal(requests[1].body.turn, requests[0].body.turn);
});

test('a turn that still runs elsewhere is read there, and waited for where it cannot be', async () => {
  const busy = () => json(409, { code: 'in_flight' }, { 'Retry-After': '0.01' });
  const { chat, requests } = setUp(
    busy(),
    sse([complete('Here.', 's')]),
    busy(),
    nothing(),
    sse([complete('There.', 's')]),
  );
  chat.send('x');
  assert.equal((await rest(chat)).text, 'Here.');
  assert.equal(requests[1].url, streamOf(requests[0]));
  chat.send('y');
  assert.equal((await rest(chat)).text, 'There.');
  assert.equal(requests[4].body.turn, requests[2].body.turn);
});

test('a 401 renews the token once; a second one ends the session', async () => {
  const { chat, requests, ended, auth } = setUp(
    json(401, {}),
    sse([complete('ok', 's')]),
    json(401, {}),
    json(401, {}),
  );
  chat.send('x');
  assert.equal((await rest(chat)).state, 'done');
  assert.deepEqual(
    requests.map((r) => r.headers.Authorization),
    ['Bearer t0', 'Bearer t1'],
  );
  chat.send('y');
  assert.equal((await rest(chat)).state, 'failed');
  assert.ok(ended[0] instanceof SessionEnded && auth.forgotten);
});

test('approving sends the decision with the unchanged history, once', async () => {
  const { chat, requests } = setUp(
    asks(),
    sse([['write_committed', { tool: 'create_extra', text: 'Extra created' }], complete('Done.', 's2')]),
  );
  chat.send('create it');
  const asked = await rest(chat);
  assert.equal(asked.proposal.state, 'pending');
  assert.ok(chat.decide('p1', 'approve', ''));
  assert.equal(chat.decide('p1', 'approve', ''), false, 'a double click');
  assert.equal(asked.proposal.state, 'sending');
  await rest(chat);
  assert.equal(asked.proposal.state, 'approved');
  assert.equal(chat.decide('p1', 'reject', ''), false, 'a spent card');
  assert.deepEqual(requests[1].body.confirm, { id: 'p1', decision: 'approve' });
  assert.deepEqual(requests[1].body.messages, requests[0].body.messages.concat(message('Add? (K7QM)', 's1')));
  assert.equal(requests.length, 2);
});

test('an approval without a recorded change is not called carried out', async () => {
  const { chat } = setUp(asks(), sse([complete('The price has changed meanwhile, so nothing was done.', 's2')]));
  chat.send('create it');
  const asked = await rest(chat);
  chat.decide('p1', 'approve', '');
  await rest(chat);
  assert.equal(asked.proposal.state, 'closed');
});

// F-14
test('an approval of what has changed leaves a new question open', async () => {
  const { chat } = setUp(
    asks(),
    asks({
      ...proposal,
      id: 'p2',
      preview: { title: 'Add?', lines: [], changed: [{ label: 'Price', before: '₹1', after: '₹2' }] },
    }),
  );
  chat.send('create it');
  const first = await rest(chat);
  chat.decide('p1', 'approve', '');
  const second = await rest(chat);
  assert.deepEqual([first.proposal.state, second.proposal.id, second.proposal.state], ['closed', 'p2', 'pending']);
  assert.equal(second.proposal.preview.changed.length, 1);
});

test('a rejection and a typed phrase', async () => {
  const { chat, requests } = setUp(
    asks(),
    sse([complete('Left.', 's2')]),
    asks({ ...proposal, id: 'p2' }),
    sse([['write_committed', { tool: 'x' }], complete('Done.', 's4')]),
  );
  chat.send('create it');
  const first = await rest(chat);
  chat.decide('p1', 'reject', '');
  await rest(chat);
  assert.equal(first.proposal.state, 'rejected');
  chat.send('once more');
  await rest(chat);
  chat.decide('p2', 'approve', 'yes K7QM');
  await rest(chat);
  assert.deepEqual(requests[3].body.confirm, { id: 'p2', decision: 'approve', phrase: 'yes K7QM' });
});

test('a typed yes settles the open card', async () => {
  const { chat, requests } = setUp(
    asks(),
    sse([
      ['route_classified', { how: 'confirm', agent: 'inventory', label: 'Inventory Agent' }],
      ['write_committed', { tool: 'create_extra' }],
      complete('Done.', 's2'),
    ]),
  );
  chat.send('create it');
  const asked = await rest(chat);
  chat.send('yes');
  await rest(chat);
  assert.equal(asked.proposal.state, 'approved');
  assert.equal(requests[1].body.confirm, undefined);
});

test('what a refusal means for the card', async () => {
  const refused = (code) => sse([['error', { error: { code, message: 'No.' } }]]);
  for (const [code, state] of Object.entries({
    proposal_expired: 'expired',
    proposal_changed: 'closed',
    proposal_consumed: 'approved',
    invalid: 'pending',
  })) {
    const { chat } = setUp(asks(), refused(code));
    chat.send('create it');
    const asked = await rest(chat);
    chat.decide('p1', 'approve', '');
    await rest(chat);
    assert.equal(asked.proposal.state, state, code);
  }
});

test('a lost decision is sent again under its own turn', async () => {
  const { chat, requests } = setUp(
    asks(),
    new TypeError('offline'),
    new TypeError('offline'),
    sse([['write_committed', { tool: 'x' }], complete('Done.', 's2')]),
  );
  chat.send('create it');
  const asked = await rest(chat);
  chat.decide('p1', 'approve', '');
  const lost = await rest(chat);
  assert.equal(asked.proposal.state, 'unsure');
  chat.retry(lost);
  await rest(chat);
  assert.equal(asked.proposal.state, 'approved');
  assert.deepEqual(requests[3].body, requests[1].body);
});

test('a question is closed as soon as the next turn is about something else', async () => {
  const route = ['route_classified', { how: 'model', agent: 'inventory' }];
  const { chat } = setUp(asks(), sse([route, complete('Good day.', 's')]));
  chat.send('create it');
  const first = await rest(chat);
  const seen = [];
  chat.onChange = (item) => item === first && seen.push([first.proposal.state, chat.items.at(-1).state]);
  chat.send('good morning');
  await rest(chat);
  assert.deepEqual(seen[0], ['left', 'running']);
});

test('a newer proposal of the same tool ends the older card', async () => {
  const { chat } = setUp(asks(), asks({ ...proposal, id: 'p2' }));
  chat.send('create it');
  const first = await rest(chat);
  chat.send('for 50');
  const second = await rest(chat);
  assert.deepEqual([first.proposal.state, second.proposal.state], ['superseded', 'pending']);
});

test('a message can be rewritten, and an answer asked for anew', async () => {
  const { chat, requests } = setUp(
    sse([complete('One.', 's1')]),
    sse([complete('Two.', 's2')]),
    sse([complete('Three.', 's3')]),
    sse([complete('Four.', 's4')]),
  );
  chat.send('first');
  await rest(chat);
  chat.send('second');
  const second = await rest(chat);
  assert.ok(chat.regenerate(second));
  await rest(chat);
  assert.deepEqual(requests[2].body.messages, requests[1].body.messages);
  assert.notEqual(requests[2].body.turn, requests[1].body.turn);
  assert.equal(requests[2].body.messageId, second.message.id, 'the answer that is replaced is named');
  const first = chat.items[0];
  assert.ok(chat.rewrite(first, 'better'));
  await rest(chat);
  assert.equal(requests[3].body.messageId, first.message.id);
  assert.equal(requests[0].body.messageId, undefined);
  assert.deepEqual(said(requests[3].body.messages), [{ role: 'user', content: 'better' }]);
  assert.equal(chat.items.length, 2);
});

test('an answer that changed something, or asks, is not asked for anew', async () => {
  const { chat, requests } = setUp(asks(), sse([['write_committed', { tool: 'x' }], complete('Done.', 's2')]));
  chat.send('create it');
  assert.equal(chat.regenerate(await rest(chat)), false);
  chat.decide('p1', 'approve', '');
  assert.equal(chat.regenerate(await rest(chat)), false);
  assert.equal(requests.length, 2);
});

test('stopping tells the server, cuts the line and leaves no half message in the history', async () => {
  const hanging = (request, { signal }) =>
    new Response(
      new ReadableStream({
        start(c) {
          c.enqueue(new TextEncoder().encode('event: response_chunk\ndata: {"text":"Half"}\n\n'));
          signal.addEventListener('abort', () => c.error(signal.reason));
        },
      }),
      { headers: { 'Content-Type': 'text/event-stream' } },
    );
  const { chat, requests } = setUp(hanging, json(202, {}));
  chat.send('x');
  await new Promise((r) => setTimeout(r, 5));
  chat.stop();
  const a = await rest(chat);
  assert.deepEqual([a.state, a.text], ['stopped', 'Half']);
  assert.equal(requests[1].url, `/api/chat/hospitality/${chat.thread}/stop`);
  assert.deepEqual(said(chat.history()), [{ role: 'user', content: 'x' }]);
});

test('an answer cut by a reload can be fetched under its turn', async () => {
  const { chat, open, requests } = setUp(
    (request, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    sse([complete('Back.', 's')]),
  );
  chat.send('x');
  await new Promise((r) => setTimeout(r, 1));
  const again = open();
  const a = again.items.at(-1);
  assert.equal(a.state, 'failed');
  assert.ok(again.retry(a));
  assert.equal((await rest(again)).text, 'Back.');
  chat.close({ keep: false });
  assert.equal(requests[1].body.turn, requests[0].body.turn);
});

test('an answer that was coming when the page was left is read on, and not sent again', async () => {
  const hanging = (request, { signal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  for (const [answer, state] of [
    [sse([complete('Back.', 's')]), 'done'],
    [nothing(), 'failed'],
    [json(503, { detail: 'Later.' }), 'failed'],
  ]) {
    const { chat, open, requests } = setUp(hanging, answer);
    chat.send('x');
    await new Promise((r) => setTimeout(r, 1));
    const again = open();
    again.readOn();
    assert.equal(again.items.at(-1).state, 'running');
    const a = await rest(again);
    assert.deepEqual([a.state, a.failure?.sameTurn ?? true], [state, true]);
    assert.deepEqual(
      requests.slice(1).map((r) => [r.method, r.url]),
      [['GET', streamOf(requests[0])]],
    );
    again.readOn(); // there is nothing left
    assert.equal(again.busy, false);
    chat.close({ keep: false });
  }
});

test('empty and hasty sends do nothing', async () => {
  const { chat, requests } = setUp(sse([complete('ok', 's')]));
  assert.equal(chat.send('  '), false);
  chat.send('x');
  assert.equal(chat.send('y'), false);
  await rest(chat);
  assert.equal(requests.length, 1);
});

test("people and assistants do not see each other's threads, and signing out clears them", async () => {
  const { chat, store } = setUp(sse([complete('ok', 's')]));
  chat.send('x');
  await rest(chat);
  assert.ok(store.load('u1', 'hospitality'));
  assert.equal(store.load('u2', 'hospitality'), null);
  assert.equal(store.load('u1', 'finance'), null);
  chat.close({ keep: false });
  store.forget('u1');
  assert.equal(store.load('u1', 'hospitality'), null);
});

test('a full storage keeps the chat in memory and says so', async () => {
  const { chat, store, storage } = setUp(sse([complete('ok', 's')]), sse([complete('ok', 's')]));
  storage.room = 300;
  chat.send('x'.repeat(400));
  await rest(chat);
  assert.equal(store.full, true);
  assert.equal(chat.history().length, 2);
});

test('goes on with a kept conversation: what came is sent back, what is only read is not', async () => {
  const { store } = setUp();
  const kept = {
    thread: 'c1',
    before: 1,
    items: [
      {
        kind: 'summary',
        id: 'summary',
        message: { id: 'summary', role: 'assistant', content: 'Two cabins.', seal: 's0' },
      },
      {
        kind: 'user',
        id: 'u1',
        message: {
          id: 'u1',
          role: 'user',
          content: 'And Pine?',
          name: 'Maya',
          mine: true,
          createdAt: '2026-11-21T10:00:00Z',
        },
      },
    ],
  };
  const { requests, fetch } = script(sse([complete('Three.', 's3')]));
  const chat = new Chat({
    api: new Api({ auth: { token: async () => 't' }, fetch }),
    store,
    user: 'u',
    assistant: 'hospitality',
    kept,
    onSessionEnded() {},
  });
  assert.deepEqual([chat.kept, chat.whole], ['c1', false]);
  chat.prepend(
    [{ kind: 'user', id: 'u0', past: true, message: { id: 'u0', role: 'user', content: 'Long ago' } }],
    null,
  );
  chat.send('Now?');
  await rest(chat);
  assert.equal(requests[0].body.id, 'c1');
  assert.deepEqual(
    requests[0].body.messages.map((m) => m.content),
    ['Two cabins.', 'And Pine?', 'Now?'],
  );
  assert.deepEqual(requests[0].body.messages[1], kept.items[2].message);
});

test('knows under which name the server keeps it', async () => {
  const { chat } = setUp(
    sse([complete('One.', 's1')]),
    sse([complete('Two.', 's2', { conversation: { id: 'c7', code: '#SC-0007', title: 'x', isNew: true } })]),
  );
  chat.send('first');
  await rest(chat);
  assert.deepEqual([chat.kept, chat.whole], ['', true]);
  chat.send('second');
  await rest(chat);
  assert.deepEqual([chat.kept, chat.whole], ['c7', true]);
});

test('a conversation that is left while it is answered goes on, and is not the one of this tab', async () => {
  const { chat, store } = setUp(sse([complete('One.', 's1')]));
  let settled = null;
  chat.onSettled = (answer) => (settled = answer);
  chat.send('first');
  chat.part();
  store.save('u1', 'hospitality', { thread: 'other', items: [] });
  const a = await rest(chat);
  assert.equal(a.text, 'One.');
  assert.equal(settled, a);
  assert.equal(store.load('u1', 'hospitality').thread, 'other');
  chat.resume();
  assert.equal(store.load('u1', 'hospitality').thread, chat.thread);
});

test('catches up with what was said elsewhere, and keeps what it knows of the rest', async () => {
  const { chat } = setUp(asks());
  chat.send('create it');
  const first = await rest(chat);
  const asked = chat.items[0];
  const { steps, turn } = first;
  const stored = (items) => ({
    before: null,
    items: items.map((i) => ({ ...i, steps: [], proposal: null, message: { ...i.message, seal: 'new' } })),
  });
  const other = [
    { kind: 'user', id: 'u9', message: { id: 'u9', role: 'user', content: 'no' } },
    { ...first, turn: 'a9', id: 'a9', message: { role: 'assistant', content: 'Left.', id: 'a9' } },
  ];
  chat.catchUp(stored([asked, first, ...other]));
  assert.deepEqual(
    chat.items.map((i) => i.turn ?? i.id),
    [asked.id, turn, 'u9', 'a9'],
  );
  assert.equal(chat.items[1].steps, steps);
  assert.deepEqual([chat.items[1].message.seal, chat.items[1].proposal.state], ['new', 'closed']);
  // What is the same is left alone.
  const before = chat.items;
  chat.catchUp(stored(chat.items));
  assert.equal(chat.items, before);
});
