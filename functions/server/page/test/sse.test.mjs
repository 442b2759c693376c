import test from 'node:test';
import assert from 'node:assert/strict';
import { SseParser, readEvents } from '../static/js/sse.js';

const all = (...pieces) => {
  const parser = new SseParser();
  return pieces.flatMap((p) => parser.push(p));
};

test('reads name, data and id', () => {
  assert.deepEqual(all('id: t.1.2\nevent: response_chunk\ndata: {"text":"a"}\n\n'), [
    { name: 'response_chunk', data: '{"text":"a"}', id: 't.1.2' },
  ]);
});

test('reads the three kinds of line ends, mixed', () => {
  const want = [
    { name: 'a', data: '1', id: '' },
    { name: 'b', data: '2', id: '' },
    { name: 'c', data: '3', id: '' },
  ];
  assert.deepEqual(all('event: a\r\ndata: 1\r\n\r\nevent: b\rdata: 2\r\revent: c\ndata: 3\n\n'), want);
});

test('gives the same events wherever the text is cut', () => {
  const text =
    '\ufeff: hello\r\nid: 7\r\nevent: table\r\ndata: one\r\ndata:two\r\n\r\n: beat\n\ndata: – ünï 🛎\n\nevent: x\rdata: {"a":":"}\r\r';
  const whole = all(text);
  assert.equal(whole.length, 3);
  assert.equal(whole[0].data, 'one\ntwo');
  for (let i = 0; i <= text.length; i++) assert.deepEqual(all(text.slice(0, i), text.slice(i)), whole, `cut at ${i}`);
  assert.deepEqual(all(...text), whole);
});

test('skips comments, empty events and unknown fields', () => {
  assert.deepEqual(all(': beat\n\n', 'event: lonely\n\n', 'retry: 5\nnonsense\ndata\n\n'), [
    { name: 'message', data: '', id: '' },
  ]);
});

test('a name does not stick to the next event', () => {
  assert.deepEqual(all('event: a\n\ndata: 1\n\n'), [{ name: 'message', data: '1', id: '' }]);
});

test('drops an event that the end of the stream cut', () => {
  assert.deepEqual(all('data: 1\n\ndata: 2\n'), [{ name: 'message', data: '1', id: '' }]);
});

test('joins bytes of one character from two pieces', async () => {
  const bytes = new TextEncoder().encode('data: ₹ 🛎\n\n');
  for (let cut = 1; cut < bytes.length; cut++) {
    const body = new ReadableStream({
      start(c) {
        c.enqueue(bytes.slice(0, cut));
        c.enqueue(bytes.slice(cut));
        c.close();
      },
    });
    let beats = 0;
    const events = [];
    for await (const e of readEvents(body, () => beats++)) events.push(e);
    assert.equal(events[0].data, '₹ 🛎');
    assert.equal(beats, 2);
  }
});

test('closes the connection when the reader leaves early', async () => {
  let cancelled = false;
  const body = new ReadableStream({
    pull: (c) => c.enqueue(new TextEncoder().encode('data: 1\n\n')),
    cancel: () => {
      cancelled = true;
    },
  });
  for await (const e of readEvents(body)) if (e) break;
  await new Promise(setImmediate);
  assert.ok(cancelled);
});
