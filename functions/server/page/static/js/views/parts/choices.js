import { h, icon, button } from '../../dom.js';

// show shows choices as buttons that send words or run a tool. Several questions have one
// list each, and one button that sends what was chosen of them.
export function show(part, { say, run, act = run }) {
  const { title = '', choices = [], questions } = part.data;
  if (questions) return several(questions, say);
  const press = (c) => (c.words ? say?.(c.words) : (c.now ? act : run)?.(c.tool, c.arguments ?? {}));
  return h('div', { class: 'choices', role: 'group', 'aria-label': title || 'What next' },
    title ? h('p', {}, title) : null,
    h('ul', { class: 'chips' }, choices.map((c) => h('li', {}, h('button', { type: 'button', class: 'chip', onclick: () => press(c) }, h('span', {}, c.label), icon('arrow'))))));
}

function several(questions, say) {
  const chosen = questions.map(() => '');
  const send = button('Answer', { class: 'primary', icon: 'arrow', disabled: true, onclick: () => say?.(chosen.filter(Boolean).join('. ')) });
  return h('div', { class: 'choices' }, questions.map(({ title, choices }, n) => {
    const chips = choices.map((c) => h('button', { type: 'button', class: 'chip', 'aria-pressed': 'false', onclick: () => {
      chosen[n] = chosen[n] === c.words ? '' : c.words;
      chips.forEach((chip, i) => chip.setAttribute('aria-pressed', String(choices[i].words === chosen[n])));
      send.disabled = !chosen.some(Boolean);
    } }, h('span', {}, c.label)));
    return h('div', { class: 'choices', role: 'group', 'aria-label': title }, h('p', {}, title), h('ul', { class: 'chips' }, chips.map((chip) => h('li', {}, chip))));
  }), send);
}
