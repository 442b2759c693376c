import test from 'node:test';
import assert from 'node:assert/strict';
import {
  dayLines,
  inOrder,
  lapses,
  later,
  laterWords,
  legWords,
  longDay,
  minuteOf,
  payBy,
  pointedOut,
  shortDay,
  span,
  stops,
  total,
} from '../static/js/travel.js';
import { flights, itinerary } from './travelparts.mjs';

const { offers } = flights.data;

test('durations, days and days later are written as people do', () => {
  assert.deepEqual([0, 45, 60, 385, 1500].map(span), ['0 min', '45 min', '1 h', '6 h 25 min', '25 h']);
  assert.deepEqual(
    [shortDay('2026-12-04'), longDay('2026-12-04'), shortDay('soon')],
    ['Fri 4 Dec', 'Friday 4 December', 'soon'],
  );
  assert.deepEqual([0, undefined, 1, 2, -1].map(later), ['', '', '+1', '+2', '−1']);
  assert.deepEqual([0, 1, 2, -1].map(laterWords), ['', 'the next day', '2 days later', 'the day before']);
});

test('a leg is a sentence for those who do not see its drawing', () => {
  assert.equal(
    legWords(offers[0].legs[0]),
    'Friday 4 December: London Heathrow (LHR) 18:10 to Lisbon (LIS) 00:35 the next day, 6 h 25 min, 1 stop: MAD, 1 h 25 min',
  );
  assert.match(legWords(offers[1].legs[0]), /21:45, 2 h 40 min, non-stop$/);
});

test('stops that have no name are counted', () => {
  assert.deepEqual(stops({ via: ['MAD, 1 h 25 min'], stops: 2 }), [
    { code: 'MAD', wait: '1 h 25 min' },
    { code: '', wait: '' },
  ]);
  assert.deepEqual(stops({ stops: 0 }), []);
});

test('an offer that is pointed out twice is shown once, and the others follow', () => {
  const picks = [
    { label: 'Cheapest', offer: 'K7M2-3', why: 'a' },
    { label: 'Best', offer: 'K7M2-3', why: 'b' },
    { label: 'Fastest', offer: 'gone' },
  ];
  const found = pointedOut({ picks, offers });
  assert.deepEqual(
    found.picks.map((p) => [p.offer.code, p.labels, p.why]),
    [['K7M2-3', ['Cheapest', 'Best'], ['a', 'b']]],
  );
  assert.deepEqual(
    found.rest.map((o) => o.code),
    ['K7M2-1', 'K7M2-2', 'K7M2-4', 'K7M2-5', 'K7M2-6'],
  );
});

test('offers are put in order, and stay as they were found otherwise', () => {
  const by = (name) =>
    inOrder(offers, name)
      .map((o) => o.code.slice(-1))
      .join('');
  assert.deepEqual(['found', 'price', 'time', 'stops', 'departure', 'arrival', 'no such'].map(by), [
    '123456',
    '134526',
    '235146',
    '235146',
    '461235',
    '235416',
    '123456',
  ]);
});

test('the first offer that expires counts', () => {
  assert.equal(
    lapses([{ expires: '2026-11-23T00:25:00Z' }, { expires: '2026-11-23T00:20:00Z' }, { expires: 'never' }]),
    Date.parse('2026-11-23T00:20:00Z'),
  );
  assert.equal(lapses([]), null);
});

test('a number of offers is at least that where there are more', () => {
  assert.deepEqual(
    [total(1, false, ['offer', 'offers']), total(47, true, ['offer', 'offers'])],
    ['1 offer', 'at least 47 offers'],
  );
});

test('the bars of a day are in lanes of their own where they overlap, and go on at midnight', () => {
  const [friday, saturday, sunday, monday] = dayLines(itinerary.data.days);
  const brief = (bars) =>
    bars.map((b) => [b.code, b.lane, Math.round(b.start * 24 * 60), Math.round(b.end * 24 * 60), b.before, b.after]);
  assert.deepEqual(brief(friday), [
    ['I1', 0, 1035, 1110, false, false],
    ['I2', 0, 1230, 1395, false, false],
    ['I3', -1, 1425, 1440, false, true],
  ]);
  assert.deepEqual(brief(saturday), [
    ['I3', -1, 0, 1440, true, true],
    ['I4', 0, 600, 810, false, false],
    ['I5', 1, 780, 870, false, false],
  ]);
  // What is cancelled takes no time, and a note has none.
  assert.deepEqual(brief(sunday), [['I3', -1, 0, 660, true, false]]);
  assert.deepEqual(monday, []);
});

test('an item over a day that the trip does not have is drawn where it can be', () => {
  const [only] = dayLines([
    {
      date: '2026-12-31',
      items: [
        { code: 'I1', type: 'flight', from: '22:00', to: '06:00', nights: 1 },
        { code: 'I2', type: 'activity', from: '23:30' },
      ],
    },
  ]);
  assert.deepEqual(
    only.map((b) => [b.code, b.lane, b.end]),
    [
      ['I1', 0, 1],
      ['I2', 1, 1],
    ],
  );
  assert.deepEqual([minuteOf('24h'), minuteOf(''), minuteOf('9:05')], [null, null, 545]);
});

test('what is to be paid by a time is due, soon due, or over', () => {
  const now = Date.parse('2026-11-23T12:00:00Z');
  assert.deepEqual(
    ['2026-11-23T15:00:00Z', '2026-11-25T12:00:00Z', '2026-11-23T11:59:00Z'].map((m) => {
      const { over, soon } = payBy(m, now);
      return [over, soon];
    }),
    [
      [false, true],
      [false, false],
      [true, true],
    ],
  );
  assert.equal(payBy('', now), null);
});
