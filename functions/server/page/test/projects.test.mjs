import test from 'node:test';
import assert from 'node:assert/strict';
import { Api } from '../static/js/api.js';
import { Chat } from '../static/js/chat.js';
import { Conversations } from '../static/js/conversations.js';
import { Projects } from '../static/js/projects.js';
import { Store } from '../static/js/store.js';
import { Storage, json, script, sse } from './fakes.mjs';

function setUp(...answers) {
  const { fetch, requests } = script(...answers);
  const api = new Api({ auth: { token: async () => 't' }, fetch });
  return { projects: new Projects(api, 'portfolio'), api, requests };
}

test('projects are listed, begun once for a key, and found with their conversation', async () => {
  const { projects, requests } = setUp(
    json(200, { projects: [{ code: 'PRJ-A' }] }),
    json(201, { project: { code: 'PRJ-B' } }),
    json(200, { conversation: { id: 'c1' }, isNew: true }),
  );
  assert.deepEqual(await projects.list(), [{ code: 'PRJ-A' }]);
  assert.equal((await projects.create('key-1')).code, 'PRJ-B');
  assert.equal(await projects.conversation('PRJ-B'), 'c1');
  assert.equal(requests[1].headers['Idempotency-Key'], 'key-1');
  assert.equal(requests[2].url, '/api/conversations/by-project/PRJ-B?assistant=portfolio');
});

test("a photo's address is asked for once while it is good, and again when it was not had", async () => {
  const { projects, requests } = setUp(
    json(200, { url: 'https://s.example/1', expiresIn: 300 }),
    json(200, { url: 'https://s.example/2', expiresIn: 0 }),
    json(503, {}),
    json(200, { url: 'https://s.example/3', expiresIn: 300 }),
  );
  const [a, b] = await Promise.all([projects.link('PRJ-A', 'p', 480), projects.link('PRJ-A', 'p', 480)]);
  assert.deepEqual([a, b, requests.length], ['https://s.example/1', 'https://s.example/1', 1]);
  assert.equal(await projects.link('PRJ-A', 'p', 960), 'https://s.example/2');
  await assert.rejects(projects.link('PRJ-A', 'p', 960)); // the one before has ended
  assert.equal(await projects.link('PRJ-A', 'p', 960), 'https://s.example/3');
});

test('an edit whose answer was lost is asked for again, under the same key', async () => {
  const { projects, requests } = setUp(new TypeError('network error'), json(200, { parts: [] }));
  await projects.tool('updateField', { project: 'PRJ-A', field: 'title', value: 'x' });
  assert.equal(requests[0].headers['Idempotency-Key'], requests[1].headers['Idempotency-Key']);
  assert.ok(requests[0].headers['Idempotency-Key']);
});

test('what keeps a project from being published is read from a refusal, too', async () => {
  const rules = [{ id: 'title', ok: false }];
  const { projects } = setUp(
    json(200, { report: { ok: true, rules } }),
    json(422, { code: 'not_publishable', report: { ok: false, rules } }),
    json(403, {}),
  );
  assert.deepEqual(await projects.checks('PRJ-A', 1), rules);
  assert.deepEqual(await projects.checks('PRJ-A', 1), rules);
  await assert.rejects(projects.checks('PRJ-A', 1));
});

// S3-29
test('a conversation learns its project from the first answer, by its code where a part says it, and names it from then on', async () => {
  const message = { id: 'a1', role: 'assistant', content: 'Good.', seal: 's' };
  const conversation = { id: 'c1', projectId: '6f9d1c1e-0000-4000-8000-000000000001' };
  const photos = { kind: 'photos', id: 'p1', data: { project: 'PRJ-K7QMPX', title: 'Add photos' } };
  const { api, requests } = setUp(
    sse([['complete', { reply: 'Good.', message, conversation }]]),
    sse([
      ['part', photos],
      ['complete', { reply: 'Good.', message, conversation }],
    ]),
    sse([['complete', { reply: 'Good.', message, conversation }]]),
  );
  const parts = [];
  const store = new Store(new Storage());
  const made = () =>
    new Chat({
      api,
      store,
      user: 'u',
      assistant: 'portfolio',
      onSessionEnded: () => {},
      onPart: (p) => parts.push(p.kind),
    });
  const chat = made();
  const say = async (text) => {
    chat.send(text);
    while (chat.busy) await new Promise((go) => setTimeout(go, 1));
  };
  await say('We just finished a job');
  assert.deepEqual([chat.project, chat.code], [conversation.projectId, '']);
  await say('with photos');
  assert.equal(chat.code, 'PRJ-K7QMPX');
  await say('and more');
  assert.deepEqual(
    requests.map((r) => r.body.projectId),
    [undefined, conversation.projectId, 'PRJ-K7QMPX'],
  );
  assert.deepEqual(parts, ['photos']);
  assert.equal(made().code, 'PRJ-K7QMPX');
  chat.clear();
  assert.equal(chat.project, '');
});

test('a conversation that is opened again knows its project', async () => {
  const found = {
    conversation: { id: 'c1', assistant: 'portfolio', title: '' },
    project: { id: 'x', code: 'PRJ-A' },
    messages: [],
    parts: {},
    hasMore: false,
  };
  const { api } = setUp(json(200, found), json(200, { ...found, project: null }));
  const talks = new Conversations(api);
  assert.equal((await talks.open('c1')).project, 'PRJ-A');
  assert.equal((await talks.open('c1')).project, '');
});
