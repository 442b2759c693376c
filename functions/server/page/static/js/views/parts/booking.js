import { h, icon } from '../../dom.js';
import { books, doing, heading } from '../travel.js';
import { payBy, states } from '../../travel.js';

const drawings = { flight: 'plane', hotel: 'bed' };

// show shows something that is held or booked, and how firm it is.
export function show(part, context) {
  const { code, type, state, title, reference, price, payBy: until, lines = [], change, do: choices } = part.data;
  const due = payBy(until, (context.now ?? Date.now)());
  return h(
    'section',
    { role: 'group', class: 'travel booking', 'data-state': state, 'aria-label': `Booking ${code}` },
    heading(
      drawings[type] ?? 'ticket',
      title,
      code,
      h('span', { class: 'state', 'data-state': state }, states[state] ?? state),
    ),
    change ? h('p', { class: 'travel-warning', role: 'note' }, icon('alert'), h('span', {}, change)) : null,
    h(
      'dl',
      { class: 'booking-facts' },
      entry('Price', price),
      entry('Confirmation number', reference, 'booking-reference'),
      due ? entry(due.over ? 'Was to be paid by' : 'Pay by', due.words, due.over || due.soon ? 'soon' : '') : null,
    ),
    lines.length > 0
      ? h(
          'ul',
          { class: 'booking-lines' },
          lines.map((line) => h('li', {}, line)),
        )
      : null,
    doing(choices, context, { about: code, main: books }),
  );
}

function entry(name, value, className = '') {
  return value ? h('div', { class: className || null }, h('dt', {}, name), h('dd', {}, value)) : null;
}
