import { h, icon } from '../../dom.js';

// show shows choices as buttons that send words or run a tool.
export function show(part, { say, run }) {
  const { title = '', choices = [] } = part.data;
  const press = (c) => (c.words ? say?.(c.words) : run?.(c.tool, c.arguments ?? {}));
  return h('div', { class: 'choices', role: 'group', 'aria-label': title || 'What next' },
    title ? h('p', {}, title) : null,
    h('ul', { class: 'chips' }, choices.map((c) => h('li', {}, h('button', { type: 'button', class: 'chip', onclick: () => press(c) }, h('span', {}, c.label), icon('arrow'))))));
}
