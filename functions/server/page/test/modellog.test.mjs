import test from 'node:test';
import assert from 'node:assert/strict';
import { readCall, during } from '../static/js/modellog.js';

const lines = (...events) => events.map((e) => `data: ${typeof e === 'string' ? e : JSON.stringify(e)}\n\n`).join('');

test('reads a streamed answer with its tool calls and tokens', () => {
  const c = readCall({
    id: 7,
    at: '2026-11-21T10:00:00Z',
    ms: 40,
    status: 200,
    path: '/v1/chat/completions',
    request: {
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Hi' }, { type: 'image_url' }] },
        { role: 'assistant', content: null, tool_calls: [{ function: { name: 'list', arguments: '{}' } }] },
      ],
      tools: [{ function: { name: 'list', description: 'Lists.' } }],
    },
    answer: lines(
      { choices: [{ delta: { content: 'Hel' } }] },
      {
        choices: [
          { delta: { content: 'lo', tool_calls: [{ index: 0, function: { name: 'add', arguments: '{"a"' } }] } },
        ],
      },
      { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: ':1}' } }] } }] },
      { choices: [], usage: { prompt_tokens: 9, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 8 } } },
      '[DONE]',
    ),
  });
  assert.deepEqual(c.messages, [
    { role: 'system', text: 'Be brief.', calls: [] },
    { role: 'user', text: 'Hi\n[image_url]', calls: [] },
    { role: 'assistant', text: '', calls: [{ name: 'list', arguments: '{}' }] },
  ]);
  assert.deepEqual(c.tools, [{ name: 'list', description: 'Lists.' }]);
  assert.deepEqual(c.answer, { text: 'Hello', calls: [{ name: 'add', arguments: '{"a":1}' }] });
  assert.deepEqual(c.usage, { input: 9, output: 2, cached: 8 });
});

test('reads the other dialect, plain answers and errors', () => {
  const r = readCall({
    request: {
      instructions: 'Be brief.',
      input: [
        { role: 'user', content: 'Hi' },
        { type: 'function_call', name: 'list', arguments: '{}' },
        { type: 'function_call_output', output: '[]' },
      ],
    },
    answer: JSON.stringify({
      object: 'response',
      status: 'completed',
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hello' }] }],
      usage: { input_tokens: 3, output_tokens: 1 },
    }),
  });
  assert.deepEqual(
    r.messages.map((m) => [m.role, m.text, m.calls.length]),
    [
      ['system', 'Be brief.', 0],
      ['user', 'Hi', 0],
      ['assistant', '', 1],
      ['tool', '[]', 0],
    ],
  );
  assert.deepEqual([r.answer.text, r.usage.input], ['Hello', 3]);
  assert.equal(
    readCall({ request: {}, answer: '{"error":{"message":"No such model."}}' }).answer.text,
    'No such model.',
  );
  assert.deepEqual(readCall({ request: null, answer: 'not JSON' }).messages, []);
});

test('finds the calls of an answer by its time', () => {
  const at = Date.parse('2026-11-21T10:00:00Z');
  assert.deepEqual(during([{ at: at + 900 }, { at: at + 5000 }, { at: at - 5000 }], { startedAt: at, ms: 1000 }), [
    { at: at + 900 },
  ]);
});
