import test from 'node:test';
import assert from 'node:assert/strict';
import { Api } from '../static/js/api.js';
import { Attachments, size, typeOf } from '../static/js/attach.js';
import { json, script } from './fakes.mjs';

const announced = (id) =>
  json(201, {
    id,
    uploadUrl: `https://store.example/${id}`,
    method: 'PUT',
    headers: { 'Content-Type': 'text/csv' },
    maxBytes: 100,
  });
const file = (name, text = 'a,b') => new File([text], name, { type: '' });

function setUp(put, ...answers) {
  const { fetch, requests } = script(...answers);
  const seen = [];
  const files = new Attachments(
    new Api({ auth: { token: async () => 't' }, fetch }),
    () => seen.push(files.list.map((f) => f.state).join()),
    put,
  );
  return { files, requests, seen };
}

test('announces a file, sends its bytes, and has it looked at', async () => {
  const put = async (to, blob, _signal, progress) => {
    assert.equal(to.uploadUrl, 'https://store.example/f1');
    assert.equal(await blob.text(), 'a,b');
    progress(0.5);
  };
  const { files, requests, seen } = setUp(
    put,
    announced('f1'),
    json(200, { state: 'ready', name: 'guests.csv', what: 'CSV file, 1 row' }),
  );
  await files.add(file('guests.csv'));
  assert.deepEqual(
    requests.map((r) => [r.url, r.body]),
    [
      ['/api/uploads', { name: 'guests.csv', type: 'text/csv', size: 3 }],
      ['/api/uploads/f1/complete', {}],
    ],
  );
  assert.deepEqual(files.ready, [{ id: 'f1', name: 'guests.csv', what: 'CSV file, 1 row', size: 3 }]);
  assert.deepEqual(seen, ['sending', 'sending', 'checking', 'ready']);
  assert.equal(files.waiting, false);
});

test('says in a sentence why a file is not taken', async () => {
  const good = async () => {};
  const lost = async () => {
    throw new Error('The file could not be sent. Please try again.');
  };
  for (const [put, answers, reason] of [
    [good, [json(413, { detail: 'PDF files may have at most 10 MB.' })], 'PDF files may have at most 10 MB.'],
    [
      good,
      [announced('f1'), json(200, { state: 'refused', reason: 'This is not a PDF file.' })],
      'This is not a PDF file.',
    ],
    [lost, [announced('f1')], 'The file could not be sent. Please try again.'],
    [good, [new Response('', { status: 404 })], 'Files cannot be taken here.'],
  ]) {
    const { files } = setUp(put, ...answers);
    await files.add(file('x.pdf'));
    assert.deepEqual([files.list[0].state, files.list[0].reason, files.ready], ['refused', reason, []]);
  }
});

test('a file that is given up is forgotten by the server too, and never part of the message', async () => {
  let go;
  const held = new Promise((r) => (go = r));
  const { files, requests } = setUp(
    async (_to, _blob, signal) => {
      await held;
      if (signal.aborted) throw new Error('gone');
    },
    announced('f1'),
    new Response(null, { status: 204 }),
  );
  const added = files.add(file('x.csv'));
  while (files.list[0].id === '') await new Promise((r) => setTimeout(r, 1));
  files.remove(files.list[0]);
  go();
  await added;
  assert.deepEqual(files.list, []);
  assert.deepEqual([requests[1].method, requests[1].url], ['DELETE', '/api/uploads/f1']);
});

test('takes up the files of an earlier message, and only so many', async () => {
  const { files } = setUp(async () => {});
  files.keep(Array.from({ length: 8 }, (_, i) => ({ id: `f${i}`, name: `${i}.csv`, what: '', size: 1 })));
  assert.equal(files.ready.length, 8);
  await files.add(file('ninth.csv'));
  assert.match(files.list[8].reason, /takes 8 files/);
  files.remove(files.list[0]); // asks the server for nothing
  assert.equal(files.ready.length, 7);
  files.clear();
  assert.deepEqual(files.list, []);
});

test('knows types that browsers do not, and sizes as people say them', () => {
  assert.equal(typeOf({ name: 'a.MD', type: '' }), 'text/markdown');
  assert.equal(typeOf({ name: 'a.pdf', type: 'application/pdf' }), 'application/pdf');
  assert.equal(typeOf({ name: 'a', type: '' }), 'application/octet-stream');
  assert.deepEqual([size(12), size(48_213), size(999_800), size(1_250_000)], ['12 B', '48 KB', '1.0 MB', '1.3 MB']);
});
