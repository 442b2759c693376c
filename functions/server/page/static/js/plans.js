// What the card of plans shows, computed from its part. No view here.

import { minuteOf, shortDay } from './travel.js';

const dawn = 6 * 60; // minute at which a day is drawn from
const midnight = 24 * 60;
const least = 30; // minutes that something takes at least in a drawing

// hours are the marks of a drawn day: [{label, at}], with at from 0 to 1.
export const hours = [8, 12, 16, 20].map((hour) => ({ label: String(hour), at: share(hour * 60) }));

function share(minute) {
  return (Math.min(Math.max(minute, dawn), midnight) - dawn) / (midnight - dawn);
}

// bar returns the segments of a plan's costs on the scale of all plans: [{category, left,
// sure, width}] from 0 to 1. A segment is width wide, of which sure is the least that it
// costs and the rest may come.
export function bar(costs = [], scale = 1) {
  let left = 0;
  return costs
    .filter((c) => c.to > 0)
    .map(({ category, label, text, from, to }) => {
      const segment = { category, label, text, left, sure: Math.min(from, to) / scale, width: to / scale };
      left += segment.width;
      return segment;
    });
}

// scaleOf is by what shares are divided so that the longest bar ends at 1.
export function scaleOf(options) {
  const sums = options.map(({ costs = [] }) => costs.reduce((sum, c) => sum + c.to, 0));
  return Math.max(...sums, 0) || 1;
}

// totalOf parts "£640–820 for 2 people" into the amount and for whom it is.
export function totalOf(total) {
  const at = total.indexOf(' for ');
  return at < 0 ? { amount: total, whom: '' } : { amount: total.slice(0, at), whom: total.slice(at + 1) };
}

// blocks are the things of a day as drawn from 6 to 24: [{kind, title,
// source, left, width, lane, after}]. Nights
// have none; what goes on at the next day ends at midnight.
export function blocks(items = []) {
  const free = []; // until when each lane is taken
  return items.flatMap(({ kind, title, from, to, nights, source }) => {
    const start = minuteOf(from);
    if (start === null || kind === 'stay') return [];
    const ends = nights > 0 ? midnight : (minuteOf(to) ?? start + least);
    const end = Math.max(ends, start + least);
    let lane = free.findIndex((until) => until <= start);
    if (lane < 0) lane = free.length;
    free[lane] = end;
    const left = share(start);
    return [{ kind, title, source, left, width: Math.max(share(end) - left, 0.012), lane, after: nights > 0 }];
  });
}

// inClockOrder returns the things of a day by their clocks. One without a clock stays behind
// the one that it follows.
export function inClockOrder(items) {
  let at = -1;
  const timed = items.map((item) => {
    at = minuteOf(item.from) ?? at;
    return { item, at };
  });
  return timed.sort((a, b) => a.at - b.at).map(({ item }) => item);
}

// differing marks the values of an axis: true where no other plan has the same.
export function differing({ values }) {
  return values.map((value, n) => values.every((other, m) => m === n || other !== value));
}

// sourcesOf are the sources that a part names, in the order of trust.
export function sourcesOf(options) {
  const named = new Set(
    options.flatMap((o) =>
      [
        ...(o.costs ?? []),
        ...o.days.flatMap((d) => d.items ?? []),
        ...(o.transport ?? []),
        ...(o.stays ?? []),
        ...(o.dining ?? []),
      ].map((x) => x.source),
    ),
  );
  if (named.has('mixed')) named.add('listed').add('model');
  return ['live', 'listed', 'model'].filter((s) => named.has(s));
}

// sources are the words for where a price comes from: [short, long].
export const sources = {
  live: ['live', 'a supplier’s price of now'],
  listed: ['listed', 'a typical price of our guide'],
  model: ['unverified', 'said by a language model, not checked'],
  mixed: ['mixed', 'from several sources'],
};

// unsaid are the sentences of a note that a text does not say already.
export function unsaid(note = '', text = '') {
  return note
    .split(/(?<=[.!?])\s+(?=\p{Lu})/u)
    .filter((sentence) => sentence && !text.includes(sentence))
    .join(' ');
}

// tiers are the words for the tiers, with how many marks stand for each.
export const tiers = { low: ['Low budget', 1], mid: ['Mid budget', 2], high: ['High budget', 3] };

// categories are those that a bar may have, in their order.
export const categories = [
  ['transport', 'Transport'],
  ['stay', 'Stay'],
  ['food', 'Food'],
  ['activities', 'Activities'],
];

// specialists are those who look things up for a plan, under the names of their runs.
export const specialists = {
  transport: ['Transport', 'plane', 'ways there and back'],
  stay: ['Stay', 'bed', 'places to stay'],
  food: ['Food', 'fork', 'places to eat'],
};

// researchOf is what each specialist brought to an answer, or is looking for: what its
// plans say, or as long as there are none what its events have told.
export function researchOf({ parts = [], research = [], state }) {
  const kept = parts.findLast((p) => p.kind === 'plans' && p.data?.research?.length > 0);
  if (kept) return kept.data.research;
  // An answer that ended early leaves none running.
  return state === 'running'
    ? research
    : research.map((r) => (r.state === 'running' ? { ...r, state: 'failed', text: 'not finished' } : r));
}

// researching takes an event of a specialist's run into a list of what each one brought.
export function researching(list, name, { run, success, message }) {
  if (!Object.hasOwn(specialists, run ?? '')) return list;
  const [label, , what] = specialists[run];
  const at = list.findIndex((r) => r.specialist === run);
  const before = at < 0 ? { specialist: run, label, state: 'running', text: `looking for ${what}` } : list[at];
  const after =
    name === 'tool_result'
      ? {
          ...before,
          state: success === false ? 'failed' : 'done',
          text: message || (success === false ? 'nothing found' : 'done'),
        }
      : before;
  const next = at < 0 ? [...list, after] : list.with(at, after);
  const order = Object.keys(specialists);
  return next.sort((a, b) => order.indexOf(a.specialist) - order.indexOf(b.specialist));
}

// statusOf says how far a planned trip is: words, and the state that gives them a colour.
export function statusOf({ status, run }) {
  if (status === 'selected') return { words: 'Selected', state: 'confirmed' };
  if (status === 'proposed' && run > 0) return { words: 'Plans to choose from', state: 'held' };
  return { words: 'Being planned', state: 'planned' };
}

// plannedDetail are the facts of a planned trip in a list: its code, days and travellers.
export function plannedDetail({ trip, context, mine }) {
  const { start, end } = context?.dateRange ?? {};
  const { adults = 0, children = [] } = context?.travelers ?? {};
  const all = adults + (children?.length ?? 0);
  return [
    trip,
    start && end ? `${shortDay(start)} to ${shortDay(end)} ${end.slice(0, 4)}` : '',
    all > 0 ? `${all} ${all === 1 ? 'person' : 'people'}` : '',
    mine === false ? 'shared with you' : '',
  ].filter(Boolean);
}

// terms are for how long a link may work: [days, words].
export const terms = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['180', '180 days'],
];

// liveShares are the links that work, the newest first.
export function liveShares(shares, now) {
  return shares
    .filter((s) => !s.revoked && Date.parse(s.expires) > now)
    .sort((a, b) => Date.parse(b.made) - Date.parse(a.made));
}

// linkOf is the address that a new share leads to.
export function linkOf({ token }, origin) {
  return `${origin}/t/${encodeURIComponent(token)}`;
}

// until writes a moment as a date, with the year where it is another than that of now.
export function until(moment, now) {
  const at = Date.parse(moment);
  if (Number.isNaN(at)) return '';
  const year = new Date(at).getFullYear() === new Date(now).getFullYear() ? {} : { year: 'numeric' };
  return new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...year });
}

// drawingOf is the drawing that stands for a thing of a day.
export function drawingOf({ kind, title = '', detail = '' }) {
  if (kind !== 'transport') return { stay: 'bed', meal: 'fork', activity: 'star' }[kind] ?? 'star';
  const words = `${title} ${detail}`;
  if (/\b(flights?|fly|airways|airlines?)\b/i.test(words)) return 'plane';
  if (/\b(train|rail|metro|trams?|subway|underground|line)\b/i.test(words)) return 'train';
  return /\b(walk|walking|on foot)\b/i.test(words) ? 'walk' : 'route';
}
