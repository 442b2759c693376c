import { h, icon } from '../../dom.js';
import { againForm } from '../again.js';
import { books, doing, fact, heading, remarks } from '../travel.js';
import { total } from '../../travel.js';

const first = 6; // hotels that are shown at once
const shown = 5; // amenities that are shown at once

// show shows hotels with their prices, and the rooms of those that were asked for.
export function show(part, context) {
  const data = part.data;
  const list = h(
    'ul',
    { class: 'hotels' },
    data.hotels.slice(0, first).map((hotel) => h('li', {}, card(hotel, context))),
  );
  const rest = data.hotels.slice(first);
  const more =
    rest.length > 0
      ? h(
          'button',
          {
            type: 'button',
            class: 'link offers-more',
            onclick: () => {
              const items = rest.map((hotel) => h('li', {}, card(hotel, context)));
              list.append(...items);
              more.remove();
              items[0].querySelector('h4').focus();
            },
          },
          `Show all ${data.hotels.length}`,
        )
      : null;
  return h(
    'section',
    { role: 'group', class: 'travel stays', 'aria-label': `Hotels: ${data.title}` },
    heading(
      'bed',
      data.title,
      data.detail,
      h('p', { class: 'travel-count' }, total(data.total, data.more, ['hotel', 'hotels'])),
    ),
    againForm(part, context.again, 'Change the search'),
    data.hotels.length > 0 ? list : h('p', { class: 'travel-none' }, 'No hotel was found.'),
    more,
    remarks(data.notes),
  );
}

function card(hotel, context) {
  return h(
    'article',
    { class: 'hotel', 'aria-label': `${hotel.name}, ${hotel.price}` },
    h(
      'div',
      { class: 'hotel-head' },
      h(
        'div',
        { class: 'hotel-words' },
        h('h4', { tabindex: '-1' }, hotel.name),
        h(
          'p',
          { class: 'hotel-line' },
          hotel.stars
            ? h(
                'span',
                { class: 'hotel-stars' },
                h('span', { class: 'visually-hidden' }, `${hotel.stars} stars`),
                Array.from({ length: hotel.stars }, () => icon('star')),
              )
            : null,
          hotel.review
            ? h('span', { class: 'hotel-review' }, h('span', { class: 'visually-hidden' }, 'Reviews: '), hotel.review)
            : null,
          [hotel.address, hotel.distance].filter(Boolean).map((words) => h('span', {}, words)),
        ),
      ),
      h('div', { class: 'hotel-price' }, h('b', {}, hotel.price), h('span', {}, hotel.per || 'for all nights')),
    ),
    amenities(hotel.amenities ?? []),
    hotel.rates?.length > 0
      ? h(
          'ul',
          { class: 'rates', 'aria-label': `Rooms of ${hotel.name}` },
          hotel.rates.map((rate) => room(rate, context)),
        )
      : null,
    doing(hotel.do, context, { about: hotel.name }),
  );
}

function amenities(all) {
  if (all.length === 0) return null;
  const list = h('ul', { class: 'amenities', 'aria-label': 'What there is' });
  const draw = (some) => list.replaceChildren(...some.map((a) => h('li', {}, a)));
  draw(all.slice(0, shown));
  if (all.length > shown) {
    list.append(
      h(
        'li',
        {},
        h(
          'button',
          {
            type: 'button',
            class: 'link',
            onclick: () => {
              draw(all);
              list.setAttribute('tabindex', '-1');
              list.focus();
            },
          },
          `${all.length - shown} more`,
        ),
      ),
    );
  }
  return list;
}

function room(rate, context) {
  return h(
    'li',
    { class: 'rate' },
    h(
      'div',
      { class: 'rate-words' },
      h('b', {}, rate.room),
      h(
        'ul',
        { class: 'facts' },
        fact('bell', rate.board),
        fact('undo', rate.refund, /^free/i.test(rate.refund) ? 'good' : ''),
        fact('ticket', rate.pay),
      ),
    ),
    h(
      'div',
      { class: 'rate-price' },
      h('b', {}, rate.price),
      doing(rate.do, context, { about: `${rate.room}, ${rate.price}`, main: books }),
    ),
  );
}
