import test from 'node:test';
import assert from 'node:assert/strict';
import { Api } from '../static/js/api.js';
import { Cards, changed } from '../static/js/cards.js';
import { Chat } from '../static/js/chat.js';
import { Store } from '../static/js/store.js';
import { Storage, json, script, sse } from './fakes.mjs';

const card = (title, more = {}) => ({
  kind: 'flights',
  id: title,
  tool: 'search_flights',
  arguments: { origin: 'LHR', destination: 'LIS' },
  text: title,
  data: { title },
  ...more,
});
const message = (id, content) => ({ id, role: 'assistant', content, seal: `s-${id}` });
const turn = (id, content, ...parts) =>
  sse([
    ...parts.map((p) => ['part', p]),
    ['complete', { reply: content, finish: 'stop', message: message(id, content) }],
  ]);

function setUp(...answers) {
  const { fetch, requests } = script(...answers);
  const api = new Api({ auth: { token: async () => 't', forget() {} }, fetch });
  const store = new Store(new Storage());
  let ids = 0;
  const open = () =>
    new Chat({ api, store, user: 'u1', assistant: 'travel', uuid: () => `id${++ids}`, onSessionEnded() {} });
  return { chat: open(), open, requests, api };
}

async function asked(chat, words) {
  chat.send(words);
  while (chat.busy) await new Promise((r) => setTimeout(r, 1));
  return chat.items.at(-1);
}

// S1-17
test('a card that is run again takes the place of the old one, and the conversation knows of it', async () => {
  const { chat, open, requests } = setUp(
    turn('m1', 'Three answers.', card('To Lisbon'), { kind: 'choices', id: 'c', data: {} }),
    turn('m2', 'Found again.', card('To Porto')),
    turn('m3', 'Yes.'),
  );
  const answer = await asked(chat, 'To Lisbon');
  const next = await chat.rerun(answer, answer.parts[0], { origin: 'LHR', destination: 'OPO' });
  assert.equal(next.data.title, 'To Porto');
  assert.deepEqual(
    answer.parts.map((p) => p.data.title),
    ['To Porto', undefined],
  );
  assert.deepEqual(requests[1].body.run, { tool: 'search_flights', arguments: { origin: 'LHR', destination: 'OPO' } });
  const said = requests[1].body.messages.at(-1);
  assert.deepEqual(
    [said.role, said.content, said.source],
    ['user', 'Search flights again with destination OPO', 'form'],
  );
  // The turn is in the history, seal included, and is no answer of its own to see.
  assert.deepEqual(
    chat.items.map((i) => Boolean(i.quiet)),
    [false, false, true, true],
  );
  const later = open(); // a reload keeps it so
  assert.equal(later.items[1].parts[0].data.title, 'To Porto');
  await asked(later, 'Which is cheaper?');
  assert.deepEqual(
    requests[2].body.messages.slice(1, 4).map((m) => m.seal ?? m.source),
    ['s-m1', 'form', 's-m2'],
  );
  assert.equal(requests[2].body.run, undefined);
});

test('what a card finds otherwise is shown as an answer', async () => {
  const { chat } = setUp(turn('m1', 'Three answers.', card('To Lisbon')), turn('m2', 'No flight was found.'));
  const answer = await asked(chat, 'To Lisbon');
  await assert.rejects(chat.rerun(answer, answer.parts[0], { origin: 'LHR', destination: 'XXX' }), /something else/);
  assert.equal(answer.parts[0].data.title, 'To Lisbon');
  assert.deepEqual(
    chat.items.map((i) => Boolean(i.quiet)),
    [false, false, false, false],
  );
});

test('a card that could not be run again stays, and nothing is left of the attempt', async () => {
  const { chat, requests } = setUp(
    turn('m1', 'Three answers.', card('To Lisbon')),
    json(422, { detail: 'The return is before the departure.' }),
    turn('m3', 'Yes.'),
  );
  const answer = await asked(chat, 'To Lisbon');
  await assert.rejects(chat.rerun(answer, answer.parts[0], { returnDate: '2026-01-01' }), /before the departure/);
  assert.deepEqual([chat.items.length, answer.parts[0].data.title], [2, 'To Lisbon']);
  await asked(chat, 'Thanks');
  assert.equal(requests[2].body.messages.length, 3);
});

test('a card of a change is looked up by another tool', async () => {
  const trip = (title) => ({
    kind: 'itinerary',
    id: title,
    tool: 'add_flight_to_itinerary',
    arguments: { offer: 'K7M2-1' },
    text: title,
    data: { title },
  });
  const { chat, requests } = setUp(
    turn('m1', 'It is in the trip.', trip('Lisbon')),
    turn('m2', 'The trip.', { ...trip('Lisbon again'), tool: 'show_itinerary' }),
  );
  const answer = await asked(chat, 'Add it');
  await chat.rerun(answer, answer.parts[0], { trip: 'TR-0001' }, 'show_itinerary');
  assert.deepEqual(
    [requests[1].body.run.tool, requests[1].body.messages.at(-1).content],
    ['show_itinerary', 'Show itinerary again with trip TR-0001'],
  );
  assert.equal(answer.parts[0].data.title, 'Lisbon again');
});

test('while an answer is made no card is run', async () => {
  const { chat } = setUp(
    turn('m1', 'Three answers.', card('To Lisbon')),
    (_, { signal }) => new Promise((_, end) => signal.addEventListener('abort', () => end(new Error('ended')))),
  );
  const answer = await asked(chat, 'To Lisbon');
  chat.send('And back?');
  await assert.rejects(chat.rerun(answer, answer.parts[0], {}), /being made/);
  chat.close({ keep: false });
});

test('what was changed is said in words', () => {
  assert.equal(
    changed(
      'search_flights',
      { origin: 'LHR', maxPrice: '900', ages: [7] },
      { origin: 'LHR', ages: [7, 3], cabinClass: 'business' },
    ),
    'Search flights again with ages [7,3], cabin class business, without max price',
  );
  assert.equal(changed('show_itinerary', { trip: 'TR-0001' }, { trip: 'TR-0001' }), 'Show itinerary again');
});

test("the form of a card has the tool's arguments and the codes that there are, fetched once", async () => {
  const parameters = { type: 'object', properties: { trip: { type: 'string' } } };
  const { api, requests } = setUp(
    json(500, {}),
    json(200, {
      tools: [
        { name: 'show_itinerary', effect: 'reads', parameters },
        { name: 'search_flights', effect: 'reads', parameters, allowed: false },
        { name: 'rename_trip', effect: 'writes', parameters },
      ],
      choices: { trip: 'list_trips' },
    }),
    json(200, { table: { columns: [{ key: 'code' }, { key: 'name' }], rows: [['TR-0001', 'Lisbon']] } }),
  );
  const cards = new Cards(api, 'travel');
  await assert.rejects(cards.schema('show_itinerary'));
  assert.deepEqual(await cards.schema('show_itinerary'), {
    parameters,
    offers: { trip: [{ value: 'TR-0001', label: 'Lisbon (TR-0001)' }] },
  });
  await cards.schema('show_itinerary');
  for (const other of ['search_flights', 'rename_trip', 'none']) await assert.rejects(cards.reads(other), /cannot be/);
  assert.deepEqual(
    requests.map((r) => r.url),
    ['/api/tools/travel', '/api/tools/travel', '/api/tools/travel/list_trips'],
  );
});
