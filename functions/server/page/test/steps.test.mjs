import test from 'node:test';
import assert from 'node:assert/strict';
import { apply, newAnswer, readable } from '../static/js/answer.js';

const after = (...events) => {
  const answer = newAnswer({ id: 'a1', turn: 't1', now: 0 });
  for (const [name, data] of events) apply(answer, name, data, 1);
  return answer;
};

const told = (answer) => answer.steps.filter((s) => s.kind !== 'route').map((s) => [s.title, s.plain ?? '', s.state]);

// S2-42
test('tells in plain words how an answer came about that took no model', () => {
  const answer = after(
    ['understanding_started', {}],
    ['route_started', { agents: 2, intents: 84, tools: 106 }],
    ['intent_detecting', { intents: 84 }],
    [
      'intent_detected',
      { id: 'vendor_outstanding', name: 'Vendor outstanding', moduleId: 'payables', confidence: 0.874358 },
    ],
    [
      'entities_extracted',
      {
        entities: { date: ['01/10/2026 – 31/10/2026'], name: 'Konkan', other: '11111111-2222-4333-8444-555555555555' },
      },
    ],
    [
      'route_classified',
      {
        agent: 'unified',
        label: 'Munimji',
        path: 'fast',
        how: 'planned',
        reasoning: 'matched without a model: Vendor outstanding (0.87)',
      },
    ],
    ['tools_filtered', { categories: ['payables'], tools: 2, of: 106 }],
    [
      'pipeline_planned',
      {
        steps: [
          { tool: 'get_party', purpose: "the vendor's data" },
          { tool: 'get_balance', purpose: 'what is owed to vendors' },
        ],
      },
    ],
    ['pipeline_executing', { step: 1, of: 3 }],
    [
      'executing_tool',
      { callId: 'c1', tool: 'search_parties', title: 'Search parties', arguments: { query: 'Konkan' } },
    ],
    ['tool_result', { callId: 'c1', tool: 'search_parties', success: true, records: 1, message: 'One.' }],
    ['pipeline_executing', { step: 2, of: 3 }],
    ['executing_tool', { callId: 'c2', tool: 'get_party', title: 'Get party', arguments: { id: 'x' } }],
    ['tool_result', { callId: 'c2', tool: 'get_party', success: true }],
    ['pipeline_executing', { step: 3, of: 3 }],
    ['executing_tool', { callId: 'c3', tool: 'get_balance', title: 'Get balance', arguments: { cursor: 'aW52' } }],
    ['tool_result', { callId: 'c3', tool: 'get_balance', success: true }],
    [
      'enrichments_planned',
      {
        enrichments: [
          { type: 'alert', description: 'x' },
          { type: 'trend', description: 'y' },
          { type: 'alert', description: 'z' },
        ],
      },
    ],
    [
      'enrichments_applying',
      {
        enrichments: [
          { type: 'alert', description: 'x' },
          { type: 'trend', description: 'y' },
        ],
      },
    ],
    ['complete', { reply: 'Done.', path: 'fast', llmModel: '', finish: 'stop' }],
  );
  assert.deepEqual(told(answer), [
    ['Sounds like: Vendor outstanding', '87 % sure · 01/10/2026 – 31/10/2026 · Konkan', 'done'],
    ['Answering from the records, without a model', '', 'done'],
    ['Planned 2 look-ups', "the vendor's data · what is owed to vendors", 'done'],
    ['What was named', '', 'done'],
    ["Step 1 of 2: the vendor's data", '', 'done'],
    ['Step 2 of 2: what is owed to vendors', '', 'done'],
    ['Looked at what stands out', 'Alert · Trend', 'done'],
  ]);
  assert.equal(answer.path, 'fast');
  assert.equal(answer.steps.at(-2).detail, ''); // a place in a list says nothing to people
});

test('says of a plan of one call only what it is for', () => {
  const answer = after(
    ['pipeline_planned', { steps: [{ tool: 'get_cash', purpose: 'cash and bank balances' }] }],
    ['pipeline_executing', { step: 1, of: 1 }],
    ['executing_tool', { callId: 'c1', tool: 'get_cash', title: 'Get cash' }],
    ['executing_tool', { callId: 'c2', tool: 'get_cash', title: 'Get cash' }],
  );
  assert.deepEqual(
    told(answer).map(([title]) => title),
    ['Cash and bank balances', 'Get cash'],
  );
  assert.equal(readable('get_gst_summary'), 'Get GST summary');
});

test('says that an answer was kept, and what a model may use', () => {
  assert.match(
    told(after(['route_started', {}], ['route_classified', { path: 'cached', label: 'Munimji' }]))[0][0],
    /asked before/,
  );
  const answer = after(
    ['intent_detecting', { intents: 84 }],
    ['route_classified', { path: 'llm', label: 'Munimji' }],
    ['tools_filtered', { tools: 18, of: 106, categories: ['x_y'] }],
  );
  assert.deepEqual(told(answer), [
    ['Recognising the question', '', 'done'],
    ['A model reads the question', 'It may choose among 18 of 106 tools.', 'done'],
  ]);
});
