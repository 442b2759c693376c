import { test } from 'node:test';
import assert from 'node:assert/strict';
import { draft, nameOf, scores, suspended } from '../static/js/intents.js';

const kept = {
  name: 'lanterns',
  version: 3,
  phrases: [
    { phrase: 'polish the lanterns', source: 'suggested' },
    { phrase: 'light them', source: 'written' },
  ],
};

test('an intent is sent with its version; a phrase that was changed is written by the person', () => {
  const body = draft(kept, {
    agent: 'inventory',
    description: ' Lights ',
    texts: ['polish the lanterns', ' light  them all ', '', ' '],
  });
  assert.deepEqual(body, {
    agent: 'inventory',
    description: 'Lights',
    version: 3,
    phrases: [
      { phrase: 'polish the lanterns', source: 'suggested' },
      { phrase: 'light them all', source: 'written' },
    ],
  });
});

test('a name has the letters that names of intents have', () => {
  for (const [said, name] of Object.entries({
    'Lantern tours': 'lantern_tours',
    ' Élan & Bar! ': 'elan_bar',
    '2nd floor': 'nd_floor',
    '🙂': '',
    [`a${' b'.repeat(60)}`]: `a${'_b'.repeat(31)}`,
  })) {
    assert.equal(nameOf(said), name);
    if (name) assert.match(nameOf(said), /^[a-z][a-z0-9_]{0,63}$/);
  }
});

test('what is not matched for now is named with its figures', () => {
  const buckets = [
    { intent: 'inventory', bucket: 0.95, checked: 12, checkedFailed: 2, suspended: true },
    { intent: 'pricing', bucket: 0.95, suspended: false },
  ];
  const [words, ...more] = suspended(buckets, (name) => `${name} agent`);
  assert.match(words, /^inventory agent, 95 to 100 % sure: 2 of 12 checked turns/);
  assert.deepEqual(more, []);
});

test('a sentence that is tried shows all of its scores', () => {
  const tried = {
    best: [{ label: 'Inventory', score: 0.9 }],
    confidence: 0.91,
    threshold: 0.954,
    own: '',
    literal: { score: 0.6, intent: null },
    neighbour: { label: 'Pricing', score: 0.4 },
    votes: 0.3,
    form: 'show extras',
    entities: [{ kind: 'date', text: 'today' }],
  };
  assert.deepEqual(scores(tried), [
    ['Inventory', '90.0 %'],
    ['Confidence', '91.0 %'],
    ['Needed', '95.4 %'],
    ['Text alone', '0.60'],
    ['Nearest phrase', '0.40, Pricing'],
    ['Share of the nearest phrases', '30.0 %'],
    ['Compared as', 'show extras'],
    ['date', 'today'],
  ]);
  assert.deepEqual(scores({ ...tried, threshold: 1, own: 'lanterns' })[2], ['Needed', 'a whole phrase']);
});
