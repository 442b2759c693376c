// What the cards of flights, hotels, bookings and trips show, computed from their
// parts. No view here.

const day = 1440; // minutes

// span writes minutes as a duration: "13 h 5 min".
export function span(minutes) {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 ? `${hours} h` : '', rest > 0 || hours === 0 ? `${rest} min` : ''].filter(Boolean).join(' ');
}

// shortDay writes a date as "Fri 4 Dec", longDay as "Friday 4 December".
export const shortDay = (date) => written(date, { weekday: 'short', day: 'numeric', month: 'short' });
export const longDay = (date) => written(date, { weekday: 'long', day: 'numeric', month: 'long' });

function written(date, how) {
  const at = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(at)
    ? String(date ?? '')
    : new Date(at).toLocaleDateString('en-GB', { timeZone: 'UTC', ...how }).replace(',', '');
}

// later writes by how many days a time is on another date: "+1".
export function later(days) {
  if (!days) return '';
  return days > 0 ? `+${days}` : `−${-days}`;
}

// laterWords is later for reading aloud.
export function laterWords(days) {
  if (!days) return '';
  if (days === 1) return 'the next day';
  if (days === -1) return 'the day before';
  return days > 0 ? `${days} days later` : `${-days} days earlier`;
}

// stops are the places where a leg stops: [{code, wait}], from "AMS, 1 h 25 min". A leg
// that only says how many there are has stops without a code.
export function stops(leg) {
  const named = (leg.via ?? []).map((via) => {
    const [code, ...wait] = via.split(', ');
    return { code, wait: wait.join(', ') };
  });
  return [
    ...named,
    ...Array.from({ length: Math.max(0, (leg.stops ?? 0) - named.length) }, () => ({ code: '', wait: '' })),
  ];
}

// stopWords says how many stops there are: "Non-stop", "1 stop", "2 stops".
export function stopWords(n) {
  return n > 0 ? `${n} ${n === 1 ? 'stop' : 'stops'}` : 'Non-stop';
}

// legWords is a leg in a sentence, for those who do not see its drawing.
export function legWords(leg) {
  const place = (name, code) => (name ? `${name} (${code})` : code);
  const via = stops(leg)
    .map(({ code, wait }) => [code, wait].filter(Boolean).join(', '))
    .filter(Boolean);
  return (
    `${longDay(leg.date)}: ${place(leg.fromName, leg.from)} ${leg.departs} to ${place(leg.toName, leg.to)} ` +
    `${[leg.arrives, laterWords(leg.nights)].filter(Boolean).join(' ')}, ${span(leg.minutes)}, ` +
    `${stopWords(leg.stops ?? 0).toLowerCase()}${via.length > 0 ? `: ${via.join('; ')}` : ''}`
  );
}

// pointedOut returns the offers that are pointed out, each once with its labels and
// reasons, and those that are not.
export function pointedOut({ picks = [], offers = [] }) {
  const found = new Map();
  for (const { label, offer, why } of picks) {
    const known = found.get(offer) ?? { offer: offers.find((o) => o.code === offer), labels: [], why: [] };
    known.labels.push(label);
    if (why && !known.why.includes(why)) known.why.push(why);
    found.set(offer, known);
  }
  return { picks: [...found.values()].filter((p) => p.offer), rest: offers.filter((o) => !found.has(o.code)) };
}

// orders are the ways to put offers in order. The first leaves them as they were found.
export const orders = [
  ['found', 'As found', null],
  ['price', 'Price', (o) => amount(o.price)],
  ['time', 'Time on the way', (o) => sum(o.legs, 'minutes')],
  ['stops', 'Stops', (o) => sum(o.legs, 'stops')],
  ['departure', 'Departure', (o) => minuteOf(o.legs[0]?.departs) ?? 0],
  ['arrival', 'Arrival', (o) => (minuteOf(o.legs[0]?.arrives) ?? 0) + day * (o.legs[0]?.nights ?? 0)],
];

// inOrder returns offers in one of the orders; equal ones stay as they were.
export function inOrder(offers, name) {
  const by = orders.find(([key]) => key === name)?.[2];
  return by ? [...offers].sort((a, b) => by(a) - by(b)) : offers;
}

const sum = (legs = [], member) => legs.reduce((all, leg) => all + (leg[member] ?? 0), 0);

// amount reads a formatted price only to put prices of one currency in order.
export function amount(price) {
  return Number(String(price).replace(/[^\d.]/g, '')) || 0;
}

// lapses is when the first of the offers expires, in milliseconds, or null.
export function lapses(offers) {
  const all = (offers ?? []).map((o) => Date.parse(o.expires ?? '')).filter((at) => !Number.isNaN(at));
  return all.length > 0 ? Math.min(...all) : null;
}

// total says how many there are: "12 offers", "at least 200 offers".
export function total(count, more, [one, many]) {
  return `${more ? 'at least ' : ''}${count} ${count === 1 ? one : many}`;
}

// minuteOf is the minute of the day of "21:35", or null.
export function minuteOf(clock) {
  const found = /^(\d{1,2}):(\d{2})$/.exec(clock ?? '');
  return found ? Number(found[1]) * 60 + Number(found[2]) : null;
}

// dayLines are the bars of each day of a trip, from 0 (midnight) to 1: [{code, type,
// status, start, end, lane, before, after}], where before and after say that it goes on
// from the day before or into the next. What takes place at the same time has lanes of
// its own; nights in a hotel stand in none (lane -1).
export function dayLines(days) {
  const lines = days.map(() => []);
  days.forEach(({ date, items = [] }, n) => {
    for (const item of items) {
      const start = minuteOf(item.from);
      if (start === null || item.status === 'cancelled') continue;
      const nights = Math.max(0, item.nights ?? 0);
      const end = minuteOf(item.to) ?? (nights > 0 ? day : Math.min(day, start + 60));
      for (let i = 0; i <= nights; i++) {
        const on = at(days, date, i, n);
        if (on === null) continue;
        const bar = {
          code: item.code,
          type: item.type,
          status: item.status,
          start: i === 0 ? start : 0,
          end: i === nights ? end : day,
          before: i > 0,
          after: i < nights,
        };
        if (bar.end > bar.start) lines[on].push(bar);
      }
    }
  });
  return lines.map(inLanes);
}

// at is the place of the day that is i days after a date, or null.
function at(days, date, i, n) {
  if (i === 0) return n;
  const wanted = new Date(Date.parse(`${date}T00:00:00Z`) + i * 86_400_000).toISOString().slice(0, 10);
  const found = days.findIndex((d) => d.date === wanted);
  return found < 0 ? null : found;
}

function inLanes(bars) {
  const free = []; // until when each lane is taken
  return [...bars]
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .map((bar) => {
      if (bar.type === 'hotel') return scaled(bar, -1);
      let lane = free.findIndex((until) => until <= bar.start);
      if (lane < 0) lane = free.length;
      free[lane] = bar.end;
      return scaled(bar, lane);
    });
}

const scaled = (bar, lane) => ({ ...bar, start: bar.start / day, end: bar.end / day, lane });

// states are the words for the states of bookings and of items of a trip.
export const states = {
  pending: 'Being booked',
  unknown: 'Outcome unknown',
  held: 'Held',
  confirmed: 'Confirmed',
  booked: 'Booked',
  planned: 'Planned',
  cancelled: 'Cancelled',
  failed: 'Failed',
  expired: 'Expired',
};

// payBy says until when something is to be paid, as the reader's clock shows it.
export function payBy(moment, now) {
  const until = Date.parse(moment ?? '');
  if (Number.isNaN(until)) return null;
  const words = new Date(until)
    .toLocaleString('en-GB', { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
    .replace(',', '');
  return { words, over: until <= now, soon: until - now < 6 * 3_600_000 };
}
