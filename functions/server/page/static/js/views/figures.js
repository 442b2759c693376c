import { h } from '../dom.js';
import { pieces } from '../columns.js';

// figures returns a text as nodes in which no line end parts a figure.
export function figures(text) {
  return pieces(text ?? '').map(({ text: words, figure }) => (figure ? h('span', { class: 'whole' }, words) : words));
}
