import { h, icon } from '../dom.js';

// What the cards of flights, hotels, bookings and trips have in common.

// doing are the buttons of choices: each sends its words or opens its tool, filled in.
// Those that a test of main fits stand out, and those that spend are left out where the
// person may not (may).
export function doing(choices, { say = null, run = null, may = true }, { about = '', main = () => false } = {}) {
  const able = (choices ?? []).filter((c) => (c.words ? say : run) && (may || !spends(c)));
  if (able.length === 0) return null;
  return h(
    'div',
    { class: 'travel-do' },
    able.map((c) =>
      h(
        'button',
        {
          type: 'button',
          class: ['button small', main(c) && 'primary'],
          'aria-label': about ? `${c.label}: ${about}` : null,
          onclick: () => (c.words ? say(c.words) : run(c.tool, c.arguments ?? {})),
        },
        h('span', {}, c.label),
      ),
    ),
  );
}

// spends says of a choice that it holds, buys or gives back something.
const spends = (choice) => /^(hold|book|pay|cancel)_/.test(choice.tool ?? '');

// books says of a choice that it buys something.
export const books = (choice) => /^(book|pay)_/.test(choice.tool ?? '');

// fact is a drawing with words, or nothing where there are none.
export function fact(drawing, words, className = '') {
  return words ? h('li', { class: className || null }, icon(drawing), h('span', {}, words)) : null;
}

// heading is the head of a card: a drawing, what it is about, and what of it. The title
// takes the focus when the card was replaced.
export function heading(drawing, title, detail, ...more) {
  return h(
    'div',
    { class: 'travel-head' },
    h('span', { class: 'travel-mark' }, icon(drawing)),
    h(
      'div',
      { class: 'travel-title' },
      h('h3', { tabindex: '-1', 'data-title': true }, title),
      detail ? h('p', {}, detail) : null,
    ),
    ...more,
  );
}

// remarks are sentences below a card.
export function remarks(notes) {
  return notes?.length > 0
    ? h(
        'ul',
        { class: 'travel-notes' },
        notes.map((n) => h('li', {}, icon('info'), h('span', {}, n))),
      )
    : null;
}
