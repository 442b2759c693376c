import { h, icon } from '../dom.js';
import { specialists } from '../plans.js';

const marks = {
  running: ['spinner', 'looking'],
  done: ['check', 'done'],
  partly: ['info', 'partly'],
  failed: ['alert', 'failed'],
};

// researchView is what each specialist brought, or is looking for, as a row of each.
export function researchView(research) {
  return h(
    'ul',
    { class: 'research', 'aria-label': 'Who looked' },
    research.map(({ specialist, label, state, text }) => {
      const [mark, word] = marks[state] ?? marks.done;
      return h(
        'li',
        { 'data-state': state },
        h('span', { class: 'research-who' }, icon(specialists[specialist]?.[1] ?? 'star')),
        h(
          'span',
          {},
          h(
            'b',
            {},
            specialists[specialist]?.[0] ?? label,
            h('span', { class: 'visually-hidden' }, `, ${word}: `),
            icon(mark),
          ),
          h('span', {}, text),
        ),
      );
    }),
  );
}
