import { h, icon } from '../../dom.js';
import { againForm, searches } from '../again.js';
import { books, doing, fact, heading, remarks } from '../travel.js';
import {
  inOrder,
  lapses,
  later,
  legWords,
  orders,
  pointedOut,
  shortDay,
  span,
  stops,
  stopWords,
  total,
} from '../../travel.js';

const few = 5; // offers below which nothing is put in order
const first = 6; // offers that are shown at once
const longest = 2 ** 31 - 1; // milliseconds of a timer

// show shows offers of flights: those that are pointed out as cards, the others folded
// away, as rows that open.
export function show(part, context) {
  const data = part.data;
  const { picks, rest } = pointedOut(data);
  // A single offer is shown as one that is pointed out.
  if (picks.length === 0 && rest.length === 1) picks.push({ offer: rest.pop(), labels: [], why: [] });
  return h(
    'section',
    { role: 'group', class: 'travel flights', 'aria-label': `Flights: ${data.title}` },
    heading(
      'plane',
      data.title,
      data.detail,
      h('p', { class: 'travel-count' }, total(data.total, data.more, ['offer', 'offers'])),
    ),
    againForm(part, context.again, 'Change the search'),
    old(data.offers, searches(part.tool) ? context : { ...context, again: null }),
    picks.length > 0
      ? h(
          'ul',
          { class: 'picks', 'data-count': picks.length },
          picks.map((p) => h('li', {}, pickCard(p, context))),
        )
      : null,
    rest.length > 0 ? others(rest, picks.length > 0, context) : null,
    data.offers.length === 0 ? h('p', { class: 'travel-none' }, 'No flight was found.') : null,
    remarks(data.notes),
  );
}

// old says that offers have expired, as soon as they have.
function old(offers, { now = Date.now, again }) {
  const until = lapses(offers);
  const element = h(
    'p',
    { class: 'travel-old', role: 'status', hidden: true },
    icon('clock'),
    h('span', {}, 'The prices are no longer valid.'),
    again
      ? h(
          'button',
          {
            type: 'button',
            class: 'link',
            onclick: () =>
              again.run(null).catch((error) => (element.querySelector('span').textContent = error.message)),
          },
          'Search again',
        )
      : null,
  );
  if (until === null) return null;
  const look = () => {
    element.hidden = now() < until;
    if (element.hidden) setTimeout(() => element.isConnected && look(), Math.min(until - now(), longest));
  };
  look();
  return element;
}

function pickCard({ offer, labels, why }, context) {
  return h(
    'article',
    {
      class: 'pick',
      'aria-label': [labels.join(', '), `${offer.airline}, ${offer.price}`].filter(Boolean).join(': '),
    },
    labels.length > 0
      ? h(
          'div',
          { class: 'pick-labels' },
          labels.map((label) => h('span', { class: 'pick-label', 'data-label': label.toLowerCase() }, label)),
        )
      : null,
    h('div', { class: 'pick-price' }, h('b', {}, offer.price), h('span', {}, forAll(offer))),
    why.map((words) => h('p', { class: 'pick-why' }, words)),
    h(
      'p',
      { class: 'flight-airline' },
      h('span', { class: 'carrier', 'aria-hidden': 'true' }, offer.carrier),
      h('span', {}, offer.airline),
      h('span', { class: 'offer-code' }, offer.code),
    ),
    h('div', { class: 'legs' }, offer.legs.map(legView)),
    conditions(offer),
    doing(offer.do, context, { about: offer.code, main: books }),
  );
}

function others(offers, after, context) {
  const list = h('ul', { class: 'offers' });
  let all = offers.length <= first;
  let by = 'found';
  const more = h(
    'button',
    {
      type: 'button',
      class: 'link offers-more',
      hidden: all,
      onclick: () => {
        all = true;
        draw();
        list.children[first]?.querySelector('summary').focus();
      },
    },
    `Show all ${offers.length}`,
  );
  const draw = () => {
    const ordered = inOrder(offers, by);
    list.replaceChildren(...(all ? ordered : ordered.slice(0, first)).map((o) => h('li', {}, offerRow(o, context))));
    more.hidden = all;
  };
  draw();
  const choose = h(
    'select',
    {
      class: 'field',
      onchange: (e) => {
        by = e.target.value;
        draw();
      },
    },
    orders.map(([name, label]) => h('option', { value: name }, label)),
  );
  const order =
    offers.length >= few ? h('div', { class: 'offers-head' }, h('label', {}, h('span', {}, 'Order'), choose)) : null;
  if (!after) return h('div', { class: 'flights-others' }, order, list, more);
  const others = `${offers.length} other ${offers.length === 1 ? 'offer' : 'offers'}`;
  return h(
    'details',
    { class: 'flights-others' },
    h('summary', { class: 'offers-fold' }, icon('chevron', 'turn'), h('span', {}, others)),
    order,
    list,
    more,
  );
}

function offerRow(offer, context) {
  const [out] = offer.legs;
  return h(
    'details',
    { class: 'offer' },
    h(
      'summary',
      {},
      h('span', { class: 'carrier', 'aria-hidden': 'true' }, offer.carrier),
      h('span', { class: 'offer-who' }, h('b', {}, clocks(out)), h('span', {}, offer.airline)),
      h('span', { class: 'offer-how' }, h('b', {}, span(out.minutes)), h('span', {}, stopWords(out.stops))),
      h('b', { class: 'offer-price' }, offer.price),
      icon('chevron', 'turn'),
    ),
    h(
      'div',
      { class: 'offer-body' },
      h('p', { class: 'offer-per' }, h('span', {}, forAll(offer)), h('span', { class: 'offer-code' }, offer.code)),
      h('div', { class: 'legs' }, offer.legs.map(legView)),
      conditions(offer),
      doing(offer.do, context, { about: offer.code, main: books }),
    ),
  );
}

const forAll = (offer) => (offer.per ? `for all · ${offer.per}` : 'for all');

const clocks = (leg) => [`${leg.departs} – ${leg.arrives}`, leg.nights ? h('sup', {}, later(leg.nights)) : null];

// legView is a journey as a line from its departure to its arrival.
function legView(leg) {
  const between = stops(leg);
  return h(
    'div',
    { class: 'leg' },
    h('p', { class: 'visually-hidden' }, legWords(leg)),
    h(
      'div',
      { class: 'leg-drawn', 'aria-hidden': 'true' },
      h('p', { class: 'leg-date' }, shortDay(leg.date), h('span', {}, leg.numbers.join(', '))),
      h('div', { class: 'leg-end' }, h('b', {}, leg.departs), h('span', { title: leg.fromName || null }, leg.from)),
      h(
        'div',
        { class: 'leg-way' },
        h('span', { class: 'leg-time' }, span(leg.minutes)),
        h(
          'span',
          { class: 'leg-line' },
          between.map(() => h('i', {})),
        ),
        h(
          'span',
          { class: 'leg-stops' },
          between.length > 0
            ? between.map(({ code, wait }) => h('span', { title: wait || null }, code || '•'))
            : 'Non-stop',
        ),
      ),
      h(
        'div',
        { class: 'leg-end' },
        h('b', {}, leg.arrives, leg.nights ? h('sup', {}, later(leg.nights)) : null),
        h('span', { title: leg.toName || null }, leg.to),
      ),
      between.some((s) => s.wait)
        ? h(
            'p',
            { class: 'leg-waits' },
            between.filter((s) => s.wait).map((s) => h('span', {}, `${s.wait} in ${s.code}`)),
          )
        : null,
    ),
  );
}

function conditions(offer) {
  return h(
    'ul',
    { class: 'facts' },
    fact('bag', offer.bags),
    fact('undo', offer.refund),
    fact('pencil', offer.change),
    fact('clock', offer.hold, 'good'),
    fact('leaf', offer.co2 ? `${offer.co2} kg CO₂` : ''),
  );
}
