import test from 'node:test';
import assert from 'node:assert/strict';
import { aiContext, stateOf } from '../static/js/aicontext.js';
import { apply, fail, newAnswer } from '../static/js/answer.js';

const begun = (...events) => {
  const answer = newAnswer({ id: 'a', turn: 't1', now: 0 });
  for (const [name, data] of events) apply(answer, name, data, 5);
  return answer;
};
const user = { kind: 'user', id: 'u', message: { id: 'u', role: 'user', content: 'To Lisbon' } };
const planned = [
  'pipeline_planned',
  {
    steps: [
      { tool: 'search_flights', purpose: 'flights' },
      { tool: 'search_hotels', purpose: 'hotels' },
    ],
  },
];
const executing = [
  ['pipeline_executing', { step: 1, of: 2 }],
  ['executing_tool', { callId: 'c1', tool: 'search_flights', arguments: { origin: 'LHR' } }],
];

// S1-6, S1-23
test('a call of a tool is planned, at work, and complete or in error', () => {
  const answer = begun(planned);
  assert.deepEqual(
    aiContext([user, answer]).pendingToolCalls.map((c) => [c.name, c.status]),
    [
      ['search_flights', 'pending'],
      ['search_hotels', 'pending'],
    ],
  );
  for (const [name, data] of executing) apply(answer, name, data, 6);
  const call = { id: 'c1', name: 'search_flights', arguments: { origin: 'LHR' } };
  let context = aiContext([user, answer]);
  assert.deepEqual(context, {
    activeTools: [{ ...call, status: 'pending', output: null }],
    toolHistory: [],
    pendingToolCalls: [context.pendingToolCalls[0]],
  });
  assert.equal(context.pendingToolCalls[0].name, 'search_hotels');
  apply(answer, 'tool_result', { callId: 'c1', tool: 'search_flights', success: true, message: '47 offers' }, 7);
  apply(answer, 'executing_tool', { callId: 'c2', tool: 'search_hotels', arguments: {} }, 8);
  apply(answer, 'tool_result', { callId: 'c2', tool: 'search_hotels', success: false, message: 'Too slow' }, 9);
  context = aiContext([user, answer]);
  assert.deepEqual(context.activeTools, []);
  assert.deepEqual(context.toolHistory, [
    { ...call, status: 'complete', output: '47 offers' },
    { id: 'c2', name: 'search_hotels', arguments: {}, status: 'error', output: 'Too slow' },
  ]);
});

// S1-23
test('the state of a conversation has the names of the source', () => {
  const answer = begun(...executing, ['response_chunk', { text: 'Three' }]);
  const state = stateOf({ items: [user, answer], busy: true, before: 'm1' });
  assert.deepEqual(Object.keys(state), [
    'messages',
    'streamingMessage',
    'isLoading',
    'error',
    'hasMoreMessages',
    'aiContext',
  ]);
  assert.deepEqual(Object.keys(state.aiContext), ['activeTools', 'toolHistory', 'pendingToolCalls']);
  assert.deepEqual(state.messages, [user.message]);
  assert.deepEqual(
    [state.streamingMessage.id, state.streamingMessage.content, state.streamingMessage.streamingStatus],
    ['t1', 'Three', { isStreaming: true }],
  );
  assert.equal(state.streamingMessage.toolCalls[0].status, 'pending');
  assert.deepEqual([state.isLoading, state.error, state.hasMoreMessages], [true, null, true]);

  apply(
    answer,
    'complete',
    { reply: 'Three answers', message: { id: 't1', role: 'assistant', content: 'Three answers', seal: 'b2' } },
    9,
  );
  const done = stateOf({ items: [user, answer] });
  assert.equal(done.streamingMessage, null);
  assert.deepEqual(done.messages[1], { ...answer.message, toolCalls: done.aiContext.toolHistory });
  assert.deepEqual([done.isLoading, done.hasMoreMessages], [false, false]);
});

test('what failed is the error, with its code, until something else is asked', () => {
  const failed = begun(planned);
  fail(failed, { message: 'Too many at once.', code: 'rate_limited' }, 9);
  assert.deepEqual(stateOf({ items: [user, failed] }).error, { message: 'Too many at once.', code: 'rate_limited' });
  assert.deepEqual(aiContext([failed]).pendingToolCalls, []);
  assert.equal(stateOf({ items: [user, failed, user, begun()] }).error, null);
  assert.deepEqual(stateOf({}), {
    messages: [],
    streamingMessage: null,
    isLoading: false,
    error: null,
    hasMoreMessages: false,
    aiContext: { activeTools: [], toolHistory: [], pendingToolCalls: [] },
  });
});
