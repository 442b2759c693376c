import test from 'node:test';
import assert from 'node:assert/strict';
import { apply, fail, newAnswer } from '../static/js/answer.js';
import {
  bar,
  blocks,
  differing,
  drawingOf,
  hours,
  inClockOrder,
  linkOf,
  liveShares,
  plannedDetail,
  researchOf,
  scaleOf,
  sourcesOf,
  statusOf,
  totalOf,
  unsaid,
  until,
} from '../static/js/plans.js';
import { plans } from './planparts.mjs';

const { options, differs } = plans.data;
const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);

test('the longest bar ends at the end of the scale, and the segments of a bar follow each other', () => {
  const scale = scaleOf(options);
  const ends = options.map((o) => bar(o.costs, scale).at(-1)).map((s) => s.left + s.width);
  near(Math.max(...ends), 1);
  assert.deepEqual(
    ends.map((e) => e === Math.max(...ends)),
    [false, false, true],
  );
  for (const o of options) {
    let end = 0;
    for (const s of bar(o.costs, scale)) {
      near(s.left, end);
      assert.ok(s.sure <= s.width);
      end = s.left + s.width;
    }
  }
});

test('a cost that is certain has no range, and one that is nothing no segment', () => {
  const [flight, room] = bar(options[0].costs);
  assert.deepEqual([flight.category, flight.sure === flight.width, room.sure < room.width], ['transport', true, true]);
  assert.deepEqual(bar([{ category: 'activities', from: 0, to: 0 }]), []);
  assert.deepEqual([bar(undefined), scaleOf([{ costs: [] }])], [[], 1]);
});

test('a total is an amount and for whom it is', () => {
  assert.deepEqual(totalOf('about £1,042–1,180 for 2 people'), { amount: 'about £1,042–1,180', whom: 'for 2 people' });
  assert.deepEqual(totalOf('not known'), { amount: 'not known', whom: '' });
});

test('a day is drawn from 6 to 24, without its night, and the night flight ends at midnight', () => {
  const [first, , , last] = options[1].days.map((d) => blocks(d.items));
  assert.deepEqual(
    first.map((b) => [b.kind, b.lane]),
    [
      ['transport', 0],
      ['activity', 0],
      ['meal', 0],
    ],
  );
  near(first[0].left, (11 * 60 + 20 - 360) / 1080);
  near(last.at(-1).left + last.at(-1).width, 1);
  assert.equal(last.at(-1).after, true);
  near(hours[1].at, 1 / 3);
});

test('what takes place at the same time is drawn in lanes, and what has no time not at all', () => {
  const at = (from, to, more) => ({ kind: 'activity', title: from, from, to, source: 'listed', ...more });
  assert.deepEqual(
    blocks([at('09:00', '11:00'), at('10:00', '10:30'), at('', ''), at('11:00', '')]).map((b) => b.lane),
    [0, 1, 0],
  );
  const [early] = blocks([at('05:10', '06:20')]);
  assert.ok(early.left === 0 && early.width > 0);
  assert.deepEqual(blocks(undefined), []);
});

test('the value of a plan is marked where no other has the same', () => {
  assert.deepEqual(differs.map(differing), [
    [true, true, true],
    [true, true, true],
    [true, true, true],
    [true, true, true],
    [false, true, false],
  ]);
  assert.deepEqual(differing({ values: ['a', 'a'] }), [false, false]);
});

test('the sources that a part names are explained, and no others', () => {
  assert.deepEqual(sourcesOf(options), ['live', 'listed', 'model']);
  assert.deepEqual(sourcesOf([{ days: [{ items: [{ source: 'listed' }] }] }]), ['listed']);
  assert.deepEqual(sourcesOf([{ costs: [{ source: 'mixed' }], days: [] }]), ['listed', 'model']);
});

test('a journey has the drawing of what it is made by', () => {
  const way = (title, detail) => drawingOf({ kind: 'transport', title, detail });
  assert.deepEqual(
    [way('Flight BA213, London to Boston'), way('Eurostar', 'train'), way('Walk to the pier'), way('Taxi')],
    ['plane', 'train', 'walk', 'route'],
  );
  assert.deepEqual(
    ['meal', 'stay', 'activity', 'other'].map((kind) => drawingOf({ kind })),
    ['fork', 'bed', 'star', 'star'],
  );
});

test('the progress of the specialists is read from the events of their runs, and kept by the plans', () => {
  const answer = newAnswer({ id: 'a', turn: 't', now: 0 });
  const brief = () => researchOf(answer).map((r) => [r.specialist, r.state, r.text]);
  apply(answer, 'executing_tool', { run: 'stay', callId: 'c2', tool: 'research', title: 'Stay research' }, 1);
  apply(
    answer,
    'executing_tool',
    { run: 'transport', callId: 'c1', tool: 'research', title: 'Transport research' },
    1,
  );
  apply(answer, 'executing_tool', { callId: 'c9', tool: 'show_trip_plans' }, 1);
  apply(answer, 'tool_result', { run: 'stay', callId: 'c2', success: true, message: '9 found' }, 2);
  assert.deepEqual(brief(), [
    ['transport', 'running', 'looking for ways there and back'],
    ['stay', 'done', '9 found'],
  ]);
  apply(answer, 'tool_result', { run: 'transport', callId: 'c1', success: false }, 3);
  assert.deepEqual(brief()[0], ['transport', 'failed', 'nothing found']);
  apply(answer, 'part', plans, 4);
  assert.deepEqual(researchOf(answer), plans.data.research);
});

test('a specialist whose answer broke off is not left looking', () => {
  const answer = newAnswer({ id: 'a', turn: 't', now: 0 });
  apply(answer, 'executing_tool', { run: 'food', callId: 'c', tool: 'research' }, 1);
  fail(answer, { message: 'lost' }, 2);
  assert.deepEqual(researchOf(answer), [{ specialist: 'food', label: 'Food', state: 'failed', text: 'not finished' }]);
  assert.deepEqual(researchOf({ state: 'done' }), []); // one that was kept before there were specialists
});

test('a planned trip says how far it is, when it is and for how many', () => {
  const trip = {
    trip: 'TR-0007',
    status: 'selected',
    run: 3,
    context: { dateRange: { start: '2027-02-12', end: '2027-02-15' }, travelers: { adults: 2, children: [7] } },
  };
  assert.deepEqual(plannedDetail(trip), ['TR-0007', 'Fri 12 Feb to Mon 15 Feb 2027', '3 people']);
  assert.deepEqual(plannedDetail({ trip: 'TR-0008', mine: false }), ['TR-0008', 'shared with you']);
  assert.deepEqual(
    [trip, { status: 'proposed', run: 1 }, { status: 'proposed', run: 0 }, { status: 'planning', run: 0 }].map(
      (p) => statusOf(p).words,
    ),
    ['Selected', 'Plans to choose from', 'Being planned', 'Being planned'],
  );
});

test('links that were revoked or have expired are not listed, and the newest comes first', () => {
  const now = Date.parse('2026-11-23T12:00:00Z');
  const share = (code, made, expires, revoked = false) => ({ code, made, expires, revoked });
  const list = [
    share('SH-1', '2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z'),
    share('SH-2', '2026-11-02T00:00:00Z', '2026-11-23T11:59:00Z'),
    share('SH-3', '2026-11-20T00:00:00Z', '2026-12-20T00:00:00Z'),
    share('SH-4', '2026-11-21T00:00:00Z', '2026-12-20T00:00:00Z', true),
  ];
  assert.deepEqual(
    liveShares(list, now).map((s) => s.code),
    ['SH-3', 'SH-1'],
  );
  assert.equal(linkOf({ token: 'a/b' }, 'https://x.example'), 'https://x.example/t/a%2Fb');
  assert.deepEqual(
    [until('2026-12-20T12:00:00Z', now), until('2027-01-02T12:00:00Z', now), until('', now)],
    ['20 Dec', '2 Jan 2027', ''],
  );
});

test('the things of a day stand by their clocks, and what has none stays where it was said', () => {
  const at = (title, from) => ({ title, from });
  const day = [
    at('flight home', '18:40'),
    at('airport train', ''),
    at('lunch', '11:30'),
    at('lanes', '09:30'),
    at('night', ''),
  ];
  assert.deepEqual(
    inClockOrder(day).map((i) => i.title),
    ['lanes', 'night', 'lunch', 'flight home', 'airport train'],
  );
  assert.deepEqual(inClockOrder([]), []);
});

test('a note does not repeat what the answer says', () => {
  assert.equal(
    unsaid('Balanced fits (£5.50). Saver costs least. It is 30 % below.', 'Here: Saver costs least. Which one?'),
    'Balanced fits (£5.50). It is 30 % below.',
  );
  assert.deepEqual([unsaid('One. Two.', 'One. Two.'), unsaid(undefined, 'One.'), unsaid('One.')], ['', '', 'One.']);
});
