import { h, icon, button } from '../../dom.js';
import { heading } from '../travel.js';

// show shows who travels and what is missing of each, and opens the form in which
// travellers are entered. What is entered there goes to its own endpoint, past the
// conversation.
export function show(part, { travellers = null }) {
  const { title, wanted = [] } = part.data;
  const missing = wanted.filter((w) => !w.code || w.missing?.length > 0);
  return h(
    'section',
    { role: 'group', class: 'travel travellers', 'aria-label': title },
    heading(
      'people',
      title,
      missing.length === 0
        ? 'All is known.'
        : 'Names, birthdays and documents are entered in a form. The assistant does not see them.',
    ),
    h(
      'ul',
      { class: 'wanted' },
      wanted.map((w, i) =>
        h(
          'li',
          { class: missing.includes(w) ? 'lacks' : null },
          icon(missing.includes(w) ? 'alert' : 'check'),
          h(
            'span',
            { class: 'wanted-words' },
            h('b', {}, w.code || `Traveller ${i + 1}`),
            h('span', {}, w.kind),
            w.missing?.length > 0 ? h('span', { class: 'wanted-missing' }, `Missing: ${w.missing.join(', ')}`) : null,
          ),
          travellers
            ? h(
                'button',
                {
                  type: 'button',
                  class: 'button small',
                  'aria-label': `${w.code ? 'Edit' : 'Enter'} ${w.code || `traveller ${i + 1}`}`,
                  onclick: () => travellers.open({ code: w.code ?? '', fresh: !w.code }),
                },
                h('span', {}, w.code ? 'Edit' : 'Enter'),
              )
            : null,
        ),
      ),
    ),
    travellers
      ? h(
          'div',
          { class: 'travel-do' },
          button('Travellers', {
            class: missing.length > 0 ? 'primary small' : 'small',
            icon: 'people',
            onclick: () => travellers.open({}),
          }),
        )
      : null,
  );
}
